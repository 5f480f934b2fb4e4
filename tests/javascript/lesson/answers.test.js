// What the reader guessed, as a file: one line a question, and no answer that was not seen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { answersFile } from "../../../viz_app/stage/lesson/answers.js";

const t = Object.assign((/** @type {string} */ key, /** @type {any} */ values = {}) =>
  (key === "lesson_cell" ? `${values.row}/${values.column}` : key), { language: "en" });
const say = (/** @type {any} */ said) => said?.word ?? "";
const ask = (/** @type {any} */ more) => ({ kind: "number", of: [], within: 0, answer: 0.729, shown: "0.729", ...more });
const step = (/** @type {any} */ asked, word = "why, so?") => ({ ask: asked, says: { ask: { word } } });
const note = (/** @type {any} */ guess, isOpen = true) => ({ guess, isOpen });
const written = (/** @type {any[]} */ steps, /** @type {any[]} */ notes) =>
  answersFile(/** @type {any} */ (t), /** @type {any} */ ({ title: "Pads", steps }), notes, say).split("\r\n");

test("a line says the step, the question, the guess and what the model gives", () => {
  const choice = ask({ kind: "choice", of: [{ value: "yes", word: "Yes." }, { value: "no", word: "No." }], answer: "yes" });
  const cell = ask({ kind: "cell", answer: { query: 1, key: 2 } });
  const lines = written([step(ask({})), step(null), step(choice, "ok"), step(cell, "where")],
    [note(-0.5), note(null), note("no"), note({ query: 0, key: 2 })]);
  assert.equal(lines[0], "\ufefflesson_saved_lesson,lesson_saved_step,lesson_saved_question,lesson_saved_guess,lesson_saved_model");
  assert.deepEqual(lines.slice(1), ['Pads,1,"why, so?",-0.5,0.729', "Pads,3,ok,No.,Yes.", "Pads,4,where,1/3,2/3", ""]);
});

test("what was not seen is not in it", () => {
  const lines = written([step(ask({})), step(ask({})), step(ask({}))], [note(null), note(null, false)]);
  assert.deepEqual(lines.slice(1, 4), ['Pads,1,"why, so?",,0.729', 'Pads,2,"why, so?",,', 'Pads,3,"why, so?",,']);
});

test("no spreadsheet runs what a lesson says", () => {
  const lines = written([step(ask({ shown: "+1" }), "=1+1")], [note(0.729)]);
  assert.equal(lines[1], "Pads,1,'=1+1,'+1,'+1");
});
