import assert from "node:assert/strict";
import { test } from "node:test";

import { comparedBy, formOf, isGuessOf, isSame, numberIn, onLine, valueSaid, tokenIn } from "../../../viz_app/stage/lesson/guess.js";

test("a number is read as people type it, and nothing else is one", () => {
  assert.deepEqual(["0.5", " 0,5 ", ".5", "−3", "8."].map((text) => numberIn(text)), [0.5, 0.5, 0.5, -3, 8]);
  assert.deepEqual(["", "half", "1e3", "1 2", "0.5.1", "-", "%", "5%%"].map((text) => numberIn(text)), Array(8).fill(null));
});

test("a percentage is a share, or what is counted in percent, and digits may have full width", () => {
  assert.deepEqual(["15%", "15 %", "１５％", "０．１５", "0，15", "０。１５"].map((text) => numberIn(text, 0.147)), Array(6).fill(0.15));
  assert.deepEqual(["7%", "−30%", "100%"].map((text) => numberIn(text, 1)), [0.07, -0.3, 1]);
  assert.deepEqual(["15%", "15"].map((text) => numberIn(text, 43)), [15, 15]);
});

test("several values are parted as the language does it, and special tokens have their names", () => {
  const reader = (/** @type {string} */ language) => /** @type {any} */ (Object.assign((/** @type {string} */ key) => key, { language }));
  assert.equal(valueSaid("“cat”", reader("en")), "“cat”");
  assert.equal(valueSaid(["“the”", "“</s>”"], reader("en")), "“the”, “token_end”");
  assert.equal(valueSaid(["“天”", "“了”", "“</s>”"], reader("zh")), "“天”、“了”、“token_end”");
});

test("a guess within the bounds is close, and the number that is shown is the answer", () => {
  const ask = { kind: "number", answer: 0.72891, within: 0.01, shown: "0.729" };
  assert.equal(comparedBy(ask, 0.729), "lesson_same");
  assert.equal(comparedBy(ask, 0.73), "lesson_near");
  assert.equal(comparedBy(ask, 0.7), "lesson_other");
  assert.equal(comparedBy({ ...ask, within: null }, 0.73), "lesson_other");
  assert.equal(comparedBy(ask, null), "lesson_is");
});

test("a token is what is typed, and only its capitals may differ", () => {
  assert.deepEqual([" chat ", "", "  ", "x".repeat(99)].map(tokenIn), ["chat", null, null, "x".repeat(60)]);
  const ask = /** @type {any} */ ({ kind: "token", answer: "Le", shown: "Le", of: [], within: null });
  assert.deepEqual(["Le", "le", "La", null].map((guess) => comparedBy(ask, guess)),
    ["lesson_same", "lesson_near", "lesson_other", "lesson_is"]);
  assert.equal(comparedBy({ ...ask, answer: "</s>", shown: "</s>" }, "end", "end"), "lesson_same");
  for (const guess of ["Le", "e\u0301".normalize("NFC"), tokenIn(`${"x".repeat(59)} y`), null]) assert.equal(isGuessOf(ask, guess), true);
  for (const guess of [3, "", " Le", { query: 1 }]) assert.equal(isGuessOf(ask, guess), false);
});

test("cells are the same by their places", () => {
  assert.equal(isSame({ query: 1, key: 2 }, { key: 2, query: 1 }), true);
  assert.equal(isSame({ query: 1, key: 2 }, null), false);
  assert.equal(comparedBy({ kind: "cell", answer: { query: 1, key: 2 } }, { query: 1, key: 3 }), "lesson_cell_other");
});

test("guess and answer stand on one line in their order, whatever they are", () => {
  for (const [guess, answer] of [[0.4, 0.73], [9, 0.2], [-3, 8], [0, 0], [8, 8], [-1, -5]]) {
    const at = onLine(guess, answer);
    assert.ok([at.guess, at.answer].every((share) => share >= 0 && share <= 1), `${guess} ${answer}`);
    assert.equal(Math.sign(at.guess - at.answer), Math.sign(guess - answer));
  }
  const ends = ([guess, answer]) => { const { low, most } = onLine(guess, answer); return [low, most]; };
  assert.deepEqual([[12, 8], [0.4, 0.73], [0.15, 0.147], [-3, 8], [0, 0], [1.7, 0.9], [-4.2, -30], [900, 1234]].map(ends),
    [[0, 15], [0, 1], [0, 1], [-3, 8], [0, 1], [0, 2], [-30, 0], [0, 1500]]);
});

test("a number box says whether it wants a whole number, and nothing of how large it is", () => {
  const form = (answer, within) => formOf({ answer, within });
  assert.deepEqual([form(8, null), form(430, 30), form(0, 0)], Array(3).fill("lesson_number_whole"));
  assert.deepEqual([form(0.147, 0.002), form(0, 0.05), form(3, 0.1), form(2.4, null)], Array(4).fill("lesson_number_part"));
});
