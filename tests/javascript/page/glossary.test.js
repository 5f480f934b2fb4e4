// What the box of a term says of the model on the screen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { formulaOf, shapeOf } from "../../../viz_app/stage/page/glossary.js";
import { readerOf } from "../../../viz_app/stage/page/words.js";

const t = readerOf({ en: { term_weight_here: "{queries} rows of {keys} weights",
  term_norm_here: "a norm is undefined for no numbers; here {width}" } }, "en");

test("a shape is said where all of its numbers are known, and not otherwise", () => {
  assert.equal(shapeOf("weight", { queries: 3, keys: 4 }, t), "3 rows of 4 weights");
  assert.equal(shapeOf("weight", { queries: 3 }, t), null);
  assert.equal(shapeOf("weight", { queries: 3, keys: undefined }, t), null);
});

test("what the words of a shape are does not matter", () => {
  assert.equal(shapeOf("norm", { width: 8 }, t), "a norm is undefined for no numbers; here 8");
});

test("a formula is that of the model on the screen, and of what is changed about it", () => {
  const names = ["cross_attention_formula_target", "cross_attention_formula_source",
    "mask_formula_infinite", "mask_formula_finite"];
  const words = readerOf({ en: Object.fromEntries(names.map((name) => [`term_${name}`, name])) }, "en");
  const model = (/** @type {string[]} */ ...unusual) => /** @type {any} */ ({ anatomy: { unusual } });
  const said = (/** @type {string} */ name, /** @type {any} */ of, /** @type {string[]} */ edits = []) =>
    formulaOf(name, of, words, edits);
  assert.equal(said("cross_attention", model()), "cross_attention_formula_target");
  assert.equal(said("cross_attention", model("cross_queries")), "cross_attention_formula_source");
  assert.equal(said("mask", model()), "mask_formula_infinite");
  assert.equal(said("mask", model("hidden_score")), "mask_formula_finite");
  assert.equal(said("mask", model(), ["hide:1", "finite-mask"]), "mask_formula_finite");
});
