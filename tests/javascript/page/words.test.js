import assert from "node:assert/strict";
import { test } from "node:test";

import { readerOf, titleAmong, trainingOf } from "../../../viz_app/stage/page/words.js";

const t = readerOf({ en: { language_en: "English", language_fr: "French", kind_pre: "pre-norm",
  kind_post: "post-norm", kind_rotary: "rotary positions" } }, "en");
const model = (name, changes = {}) => ({ name, languages: ["en", "fr"], norm_place: "post",
  similarity: "scaled_dot", attention: "soft", positions: "sinusoidal", width: 64, ...changes });
const titles = (models) => models.map((one) => titleAmong(models, one, t));

test("of models of one pair of languages the plainest has the plain title", () => {
  assert.deepEqual(titles([model("a"), model("b", { norm_place: "pre" })]),
    ["English → French", "English → French · pre-norm"]);
});

test("what most of them have need not be said", () => {
  const pre = { norm_place: "pre" };
  assert.deepEqual(
    titles([model("a", pre), model("b", { ...pre, positions: "rotary" }), model("c"),
      model("d", { ...pre, width: 128 })]),
    ["English → French · a", "English → French · rotary positions",
      "English → French · post-norm", "English → French"]);
});

test("two that differ in the same way are told apart by their names", () => {
  const list = [model("a"), model("b", { norm_place: "pre" }), model("c", { norm_place: "pre" }),
    model("d"), model("e")];
  assert.equal(new Set(titles(list)).size, list.length);
});

test("a model earlier in its training says when, and tells no other apart", () => {
  const earlier = model("a@50", { of: "a", update: 50 });
  const list = [model("a"), earlier, model("b", { norm_place: "pre" })];
  const say = readerOf({ en: { language_en: "English", language_fr: "French", kind_pre: "pre-norm",
    model_then: "update {update} · {title}" } }, "en");
  assert.deepEqual(list.map((one) => titleAmong(list, one, say)),
    ["English → French", "update 50 · English → French", "English → French · pre-norm"]);
  assert.deepEqual(trainingOf(list, list[0]), [earlier, list[0]]);
  assert.deepEqual(trainingOf(list, earlier), [earlier, list[0]]);
  assert.deepEqual(trainingOf(list, list[2]), []);
});
