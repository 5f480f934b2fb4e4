// What can be kept of the room Positions.

import assert from "node:assert/strict";
import test from "node:test";

import { textOfWords } from "../../../viz_app/rooms/positions/order/strip.js";
import { shiftAfter, tokenRows } from "../../../viz_app/rooms/positions/order/words.js";
import { noteOf } from "../../../viz_app/rooms/positions/parts.js";
import { room } from "../../../viz_app/rooms/positions/positions.js";
import { rowSaid } from "../../../viz_app/rooms/positions/rows.js";

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

test("bytes of a character are that character in the sentence of a row and in the words of an order", () => {
  const named = (/** @type {[string, string][]} */ pairs) => pairs.map(([piece, label]) => ({ piece, label, kind: "text" }));
  const [ours, byteLevel] = [named([["▁", "␣"], ["<0xE9>", "\ufffd"], ["<0xBC>", "\ufffd"], ["<0x89>", "\ufffd"]]),
    named([["Ġé", "<0xE9>"], ["¼", "<0xBC>"], ["ī", "<0x89>"]])];
  const t = Object.assign((/** @type {string} */ key, /** @type {Record<string, any>} */ values = {}) =>
    [key, ...Object.values(values)].join(" "), { language: "en" });
  for (const labels of [ours, byteLevel]) {
    const said = rowSaid(/** @type {any} */ (t), { labels, words: [labels.map((_, at) => at)] }, 1);
    assert.match(said, / 鼉$/u);
    assert.equal(textOfWords(labels, labels.map(({ piece }) => piece)), "鼉");
  }
  assert.equal(textOfWords(named([["▁sleep", "sleep"], ["s", "s"], ["▁on", "on"]]), ["▁sleep", "s", "▁on"]), "sleeps on");
});

