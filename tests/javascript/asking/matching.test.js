import assert from "node:assert/strict";
import test from "node:test";

import { indexOf, nearestEntries, stemOf } from "../../../viz_app/stage/asking/matching.js";

const question = (name, en, zh, words = [], list = "questions") => ({ name, list, words, link: "", own: null,
  near: false, asks: { en, zh }, says: { en: "", zh: "" } });
const index = indexOf({
  questions: [
    question("rows", "Must the rows of pads be masked?", "填充的行也要遮住吗？"),
    question("root", "Why divide by the root?", "为什么除以根号？", ["scaling"]),
    question("pad", "pad", "填充", [], "terms"),
  ],
  idle: ["the", "of", "be", "why", "by", "what", "is", "about", "为什么", "也", "要", "吗", "的"],
  synonyms: { pad: ["pad", "padding", "填充", "补齐"], root: ["root", "sqrt", "square root", "根号"] },
});
const names = (text) => nearestEntries(index, text).questions.map(({ name }) => name);

test("an English word counts without its ending", () => {
  assert.equal(new Set(["mask", "masks", "masked", "masking"].map(stemOf)).size, 1);
  assert.equal(new Set(["normalise", "normalised", "normalization", "normalizing"].map(stemOf)).size, 1);
  assert.equal(new Set(["query", "queries"].map(stemOf)).size, 1);
  assert.deepEqual(["loss", "d", "relu", "填充"].map(stemOf), ["loss", "d", "relu", "填充"]);
});

test("words of one meaning are one, phrases and both languages too", () => {
  assert.equal(names("rows of padding")[0], "rows");
  assert.equal(names("square root")[0], "root");
  assert.equal(names("补齐的行")[0], "rows");
  assert.equal(names("sqrt 为什么")[0], "root");
});

test("what says a name and nothing else is that", () => {
  assert.equal(names("what is padding")[0], "pad");
  assert.equal(names("填充")[0], "pad");
});

test("the beginning of a word is enough while it is typed", () => {
  assert.equal(names("scal")[0], "root");
});

test("what nothing is about is not sure, and markup is words", () => {
  for (const text of ["", "   ", "bread", "天气", "<img src=x onerror=alert(1)>", "\u0000", "a".repeat(1e6)]) {
    assert.equal(nearestEntries(index, text).isSure, false);
  }
  assert.equal(nearestEntries(index, "<b>rows of pads</b>").questions[0].name, "rows");
  assert.equal(nearestEntries(index, "constructor __proto__ toString").questions.length, 0);
});
