// Which source words nothing was read from, on a run of one layer with two heads.

import assert from "node:assert/strict";
import { test } from "node:test";

import { unreadWords } from "../../../viz_app/stage/page/unread.js";
import { unitsOf } from "../../../viz_app/stage/run/units.js";
import { anatomyOf } from "../anatomies.js";

const tokens = (texts, words) => ({ ids: texts.map((_, i) => i), pieces: texts, texts, words,
  kinds: texts.map((text) => (text.startsWith("<") ? "special" : "text")), unseen: [] });
const source = tokens(["just", "war", "m", ".", "</s>"], [[0], [1, 2], [3], [4]]);
const target = tokens(["<s>", "chaud", "."], [[0], [1], [2]]);
const rows = [[0.05, 0.06, 0.07, 0.02, 0.8], [0.01, 0, 0, 0.03, 0.96]];

function stateOf(more = {}) {
  const run = { source, target, anatomy: anatomyOf(), prompt: 1, layers: { cross: 1 }, heads: { cross: 1 },
    blocks: { cross: rows.map((row) => Float32Array.from(row)) }, steps: rows, chosen: rows, finished: "end" };
  return { run, site: "cross", room: "translate", by: "words", spelled: false, isPlaybackOpen: false,
    model: { taught: { heads: [[0, 0]] } }, ...more };
}
const unread = (state) => [...unreadWords(state, { layer: 0, head: 0 }, unitsOf(state, "source"))];

test("a word is unread where no written word gives its pieces together a tenth", () => {
  assert.deepEqual(unread(stateOf()), [0]); // 0.06 + 0.07 is a reading; the stop and the end are no words
});

test("a character of Chinese is no word by itself", () => {
  const run = { ...stateOf().run, source: { ...source, texts: ["天", "war", "m", ".", "</s>"] } };
  assert.deepEqual(unread(stateOf({ run })), []);
});

test("only a head that finds the written word can say so, of a whole translation in words", () => {
  assert.deepEqual(unread(stateOf({ model: {} })), []);
  assert.deepEqual(unread(stateOf({ model: { start_on: { rows: "predicted", layer: 0, head: 0 } } })), [0]);
  assert.deepEqual(unread(stateOf({ isPlaybackOpen: true })), []);
  assert.deepEqual(unread(stateOf({ by: "tokens" })), []);
});
