// The head and the step that a page opens on, on runs of one layer with two heads.

import assert from "node:assert/strict";
import { test } from "node:test";

import { finder, openOn, tellingStep } from "../../../viz_app/stage/run/telling.js";
import { anatomyOf } from "../anatomies.js";

const tokens = (...texts) => ({ ids: texts.map((_, i) => i), pieces: texts, texts,
  kinds: texts.map((text) => (text.startsWith("<") ? "special" : "text")), unseen: [] });
const source = tokens("warm", "roof", ".", "</s>");
const target = tokens("<s>", "toit", "chaud", ".", "</s>");
const sure = [0.97, 0.03];
const torn = [0.4, 0.3, 0.3];

/** rows[head][step]: the weights of a step over the source. */
function runOf(rows, chances, more = {}) {
  return { source, target, anatomy: anatomyOf(), prompt: 1, layers: { cross: 1 }, heads: { cross: rows.length },
    blocks: { cross: rows[0].map((_, step) => Float32Array.from(rows.flatMap((one) => one[step]))) },
    steps: chances.map((list) => ({ candidates: list.map((p) =>
      ({ log_probability: Math.log(p) })) })), ...more };
}
const finds = [[0, 0.9, 0, 0.1], [0.8, 0.1, 0.1, 0], [0, 0, 1, 0], [0, 0, 0, 1]];
const ends = [[0, 0, 0.1, 0.9], [0, 0.1, 0, 0.9], [0, 0, 0, 1], [0, 0, 0, 1]];

test("the head that finds words is chosen, wherever it is", () => {
  const chances = [sure, sure, sure, sure];
  assert.deepEqual(finder(runOf([ends, finds], chances)), { layer: 0, head: 1 });
  assert.deepEqual(finder(runOf([finds, ends], chances)), { layer: 0, head: 0 });
});

test("a head that reads the written word itself is better than one that is only sharp", () => {
  const copied = { source: tokens("a", "b", "</s>"), target: tokens("<s>", "b", "a", "</s>") };
  const other = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const copies = [[0.2, 0.8, 0], [0.8, 0.2, 0], [0, 0, 1]];
  const run = runOf([other, copies], [sure, sure, sure], copied);
  assert.deepEqual(finder(run), { layer: 0, head: 1 });
});

test("the telling step writes a word that is found, among others that were possible", () => {
  assert.equal(tellingStep(runOf([finds], [sure, torn, sure, torn]), { layer: 0, head: 0 }), 1);
  assert.equal(tellingStep(runOf([finds], [torn, sure, torn, torn]), { layer: 0, head: 0 }), 0);
});

test("where no word is written the last step is as good as any", () => {
  const run = runOf([finds.slice(2)], [torn, torn], { target: tokens("<s>", ".", "</s>") });
  assert.equal(tellingStep(run, { layer: 0, head: 0 }), 1);
});

test("another sentence keeps the head that is looked at, a new model brings its own", () => {
  const run = runOf([ends, finds], [sure, torn, sure, torn]);
  const state = { run, model: { anatomy: run.anatomy, start_on: {} }, site: "cross",
    locks: { cross: { layer: 0, head: 0 } } };
  assert.equal(openOn(state, false), tellingStep(run, state.locks.cross));
  assert.deepEqual(state.locks.cross, { layer: 0, head: 0 });
  assert.equal(openOn(state, true), 1);
  assert.deepEqual(state.locks.cross, { layer: 0, head: 1 });
  state.site = "decoder"; // the last row has everything
  assert.equal(openOn(state, false), 3);
});
