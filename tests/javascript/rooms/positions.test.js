// What can be kept of the room Positions.

import assert from "node:assert/strict";
import test from "node:test";

import { shiftAfter, tokenRows } from "../../../viz_app/rooms/positions/order/words.js";
import { noteOf } from "../../../viz_app/rooms/positions/parts.js";
import { room } from "../../../viz_app/rooms/positions/positions.js";

test("only of sines and cosines in two halves is it said how they are made", () => {
  const said = (/** @type {string} */ kind, own = true) => noteOf({ kind, own, halves: own });
  assert.deepEqual([said("sinusoidal"), said("rotary"), said("rotary", false)],
    ["positions_note_sinusoidal_halves", "positions_note_rotary", "positions_note_rotary_foreign"]);
});

test("of biases by distance there is no picture of how alike two positions are", () => {
  /** @type {function(string, any): string[]} */
  const pictures = (positions, view) => room.keep.pictures(/** @type {any} */ ({ model: { anatomy: { positions } } }),
    { study: "table", column: 0, dimensions: [0], ...view }).map(({ picture }) => picture);
  for (const view of [{}, { kind: "own" }, { kind: "relative" }]) { // what is left open is the model's own
    assert.deepEqual(pictures("relative", view), ["positions", "curves"]);
  }
  const all = ["positions", "curves", "similarity"];
  assert.deepEqual(pictures("relative", { kind: "sinusoidal" }), all);
  assert.deepEqual(pictures("sinusoidal", {}), all);
});

test("a word is moved on as far as there are positions for all of its tokens", () => {
  const words = { order: [1, 0], words: [[0], [1, 2]], shift: { 0: 3 } }; // of two tokens, then of one
  const last = 5;
  assert.deepEqual([-1, 1, 9].map((by) => shiftAfter(words, 0, by, last)), [0, 1, 4]);
  assert.deepEqual([-9, -1, 1].map((by) => shiftAfter(words, 1, by, last)), [-2, 2, 3]);
  assert.deepEqual(tokenRows({ ...words, shift: { 1: 4 } }, last), [4, 5, 2]);
});
