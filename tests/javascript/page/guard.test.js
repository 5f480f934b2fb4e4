import assert from "node:assert/strict";
import { test } from "node:test";

import { adviceFor, isForeign, modelFor, scriptOf } from "../../../viz_app/stage/page/about/guard.js";
import { sourceFor } from "../../../viz_app/stage/run/recipe.js";

const model = (name, languages, examples = []) =>
  ({ name, languages, examples, card: { usual: 4 } });
const FRENCH = model("en-fr", ["en", "fr"], ["The cat."]);
const ENGLISH = model("zh-en", ["zh", "en"], ["你好。"]);
const CHINESE = model("en-zh", ["en", "zh"], ["A cat."]);
const REVERSE = model("reverse", ["text", "reversed"], ["abc"]);
const MODELS = [FRENCH, ENGLISH, CHINESE, REVERSE];

const run = (source, pieces) => ({ recipe: { source },
  source: { pieces, kinds: pieces.map((piece) => (piece === "<pad>" ? "pad" : "text")) } });
const state = (draft, changes = {}) =>
  ({ draft, model: FRENCH, options: { models: MODELS }, run: null, offered: null, ...changes });

test("the script of a text is that of most of its letters", () => {
  assert.equal(scriptOf("我爱 Tom 和他的猫"), "Han");
  assert.equal(scriptOf("Le café de 東京"), "Latin");
  assert.equal(scriptOf("12 + 3 = 😀"), null);
  assert.equal(scriptOf("x"), null);
  assert.equal(scriptOf("Привет"), null);
});

test("a sentence of another script leads to a model that reads it, the way back first", () => {
  assert.equal(modelFor("你好吗", FRENCH, MODELS), ENGLISH);
  assert.equal(modelFor("Good morning", ENGLISH, MODELS), CHINESE);
  assert.equal(modelFor("Good morning", CHINESE, MODELS), null);
  assert.equal(modelFor("你好吗", REVERSE, MODELS), null);
  assert.equal(modelFor("你好吗", FRENCH, [FRENCH, REVERSE]), null);
});

test("what was typed goes to the next model, an example gives way to its own", () => {
  assert.deepEqual(sourceFor(FRENCH, CHINESE, { draft: "My dog" }), { source: "My dog", offered: null });
  assert.deepEqual(sourceFor(FRENCH, ENGLISH, { draft: "The cat." }), { source: "你好。", offered: null });
  const earlier = { ...FRENCH, name: "en-fr@50", of: "en-fr", examples: ["A dog.", "The cat."] };
  assert.equal(sourceFor(FRENCH, earlier, { draft: "The cat." }).source, "The cat."); // the same model keeps it
});

test("a typed sentence is offered to a model that reverses letters, letters are given", () => {
  assert.deepEqual(sourceFor(FRENCH, REVERSE, { draft: "My dog" }), { source: "abc", offered: "My dog" });
  assert.deepEqual(sourceFor(FRENCH, REVERSE, { draft: "dog7" }), { source: "dog7", offered: null });
});

test("a sentence is only offered to a model of another script, and comes back with one that reads it", () => {
  const chosen = sourceFor(ENGLISH, FRENCH, { draft: "他想吃苹果。" }, isForeign);
  assert.deepEqual(chosen, { source: "The cat.", offered: "他想吃苹果。" });
  const now = state("The cat.", { offered: chosen.offered, run: run("The cat.", ["The", "cat", ".", "</s>"]) });
  assert.deepEqual(adviceFor(now), { key: "guard_foreign", values: {}, text: "他想吃苹果。" });
  const back = { draft: chosen.source, offered: chosen.offered };
  assert.deepEqual(sourceFor(FRENCH, CHINESE, back, isForeign), { source: "A cat.", offered: "他想吃苹果。" });
  assert.deepEqual(sourceFor(FRENCH, ENGLISH, back, isForeign), { source: "他想吃苹果。", offered: null });
});

test("bytes, then length, are said of the sentence that is on the screen only", () => {
  const bytes = run("a 猫", ["a", "<0xE7>", "<0x8C>", "<0xAB>", "</s>", "<pad>"]);
  assert.deepEqual(adviceFor(state("a 猫", { run: bytes })),
    { key: "guard_bytes", values: { bytes: 3, n: 4 } });
  const long = run("a b c d e", ["a", "b", "c", "d", "e", "</s>"]);
  assert.deepEqual(adviceFor(state("a b c d e", { run: long })),
    { key: "guard_long", values: { n: 5, usual: 4 } });
  assert.equal(adviceFor(state("a b c d", { run: long })), null);
  assert.equal(adviceFor(state("a b c d", { run: run("a b c d", ["a", "b", "c", "d", "</s>"]) })),
    null);
});
