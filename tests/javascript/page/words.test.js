import assert from "node:assert/strict";
import { test } from "node:test";

import { readerOf, titleAmong, trainingOf } from "../../../viz_app/stage/page/words.js";

const t = readerOf({ en: { language_en: "English", language_fr: "French",
  named_b: "pre-norm", model_then: "update {update} · {title}" } }, "en");
const model = (name, changes = {}) => ({ name, languages: ["en", "fr"], ...changes });

test("models of the same languages are told apart by what is said of them, else by their names", () => {
  const titles = (...names) => {
    const list = names.map((name) => model(name));
    return list.map((one) => titleAmong(list, one, t));
  };
  assert.deepEqual(titles("a", "b"), ["English → French", "English → French · pre-norm"]);
  assert.deepEqual(titles("a", "b", "c"),
    ["English → French · a", "English → French · pre-norm", "English → French · c"]);
});

test("the end of a word goes with its number, and what is typed is no placeholder", () => {
  const say = readerOf({ en: { rows: "{n} row{n|s} of {m} quer{m|y|ies}: {text}" } }, "en");
  assert.equal(say("rows", { n: 1, m: 2, text: "{n|s}" }), "1 row of 2 queries: {n|s}");
  assert.equal(say("rows", { n: "0", m: "1" }), "0 rows of 1 query: {text}");
});

test("a model earlier in its training says when, and tells no other apart", () => {
  const earlier = model("a@50", { of: "a", update: 50 });
  const list = [model("a"), earlier, model("b")];
  assert.deepEqual(list.map((one) => titleAmong(list, one, t)),
    ["English → French", "update 50 · English → French", "English → French · pre-norm"]);
  assert.deepEqual(trainingOf(list, list[0]), [earlier, list[0]]);
  assert.deepEqual(trainingOf(list, earlier), [earlier, list[0]]);
  assert.deepEqual(trainingOf(list, list[2]), []);
});
