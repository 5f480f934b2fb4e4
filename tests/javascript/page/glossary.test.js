// What the box of a term says of the model on the screen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { shapeOf } from "../../../viz_app/stage/page/glossary.js";
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
