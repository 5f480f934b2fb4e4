import assert from "node:assert/strict";
import { test } from "node:test";

import { remembered } from "../../../viz_app/stage/keep/remembered.js";
import { forgetGuesses, guessesOf, keepGuess, keepProgress, nextOf, placeIn, placeOfStep, progressOf } from "../../../viz_app/stage/lesson/progress.js";

test("a link names a lesson and its step, the first where it names none", () => {
  assert.deepEqual(placeIn("first-look.3"), { name: "first-look", step: 3 });
  assert.deepEqual(placeIn("pads"), { name: "pads", step: 1 });
  assert.deepEqual(placeIn(placeOfStep("one-head", 12)), { name: "one-head", step: 12 });
  for (const said of [null, "", "pads.0", "Pads.1", "pads.3.1", "pads.-1"]) assert.equal(placeIn(said), null);
});

test("how far one came is remembered of each lesson by itself", () => {
  assert.equal(progressOf("pads"), null);
  keepProgress("pads", 4);
  keepProgress("leak", "done");
  assert.deepEqual(["pads", "leak", "norm"].map(progressOf), [4, "done", null]);
});

test("one goes on with what was begun, else with the first that was not", () => {
  keepProgress("split", 3);
  keepProgress("leak", "done");
  assert.equal(nextOf(["leak", "order", "split"]), "split");
  assert.equal(nextOf(["leak", "order", "roots"]), "order");
  assert.equal(nextOf(["leak"]), null);
});

const ask = (/** @type {any} */ more) => ({ kind: "choice", of: [], within: null, answer: 1, shown: "1", ...more });
const lesson = /** @type {any} */ ({ name: "pads", model: "en-fr", steps: [
  { id: "one", ask: ask({ of: [{ value: "rows" }, { value: "columns" }] }) },
  { id: "two", ask: ask({ kind: "number" }) },
  { id: "three", ask: ask({ kind: "cell", answer: { query: 1, key: 2 } }) },
  { id: "four", ask: null }] });

test("guesses are kept of each lesson with each model, until it is begun again", () => {
  keepGuess(lesson, "one", "rows");
  keepGuess(lesson, "two", 0.5);
  keepGuess(lesson, "three", { query: 3, key: 0 });
  keepGuess(lesson, "two", null); // it was shown
  assert.deepEqual([...guessesOf(lesson)], [["one", "rows"], ["two", null], ["three", { query: 3, key: 0 }]]);
  assert.equal(guessesOf({ ...lesson, model: "en-de" }).size, 0);
  assert.equal(guessesOf({ ...lesson, name: "leak" }).size, 0);
  forgetGuesses(lesson);
  assert.equal(guessesOf(lesson).size, 0);
});

test("what is kept and answers no question of the lesson counts for nothing", () => {
  for (const said of ["{", "null", "[1]", "3", '{"one":"others","two":"many","three":{"query":1},"four":1,"five":2}']) {
    remembered("lesson-pads-guesses-en-fr", said);
    assert.equal(guessesOf(lesson).size, 0);
  }
});
