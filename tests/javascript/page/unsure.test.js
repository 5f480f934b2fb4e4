// Which words of a translation the model was not sure of.

import assert from "node:assert/strict";
import { test } from "node:test";

import { howUnsure, unsureWords } from "../../../viz_app/stage/page/unsure.js";
import { anatomyOf } from "../anatomies.js";

const target = { ids: [1, 5, 6, 7, 8], pieces: [], texts: ["<s>", "vi", "ent", ".", "</s>"],
  kinds: ["special", "text", "text", "text", "special"], words: [[0], [1, 2], [3], [4]], unseen: [] };

function stateOf(chances, hows = [], more = {}) {
  const chosen = chances.map((p, i) => ({ log_probability: Math.log(p), how: hows[i] ?? "greedy" }));
  const run = { target, chosen, anatomy: anatomyOf(), finished: "end" };
  return { run, room: "translate", by: "words", spelled: false, isPlaybackOpen: false, ...more };
}
const unsure = (...args) => [...unsureWords(stateOf(...args))].map(([first, p]) => [first, p.toFixed(2)]);

test("a word is unsure where its pieces together have less than a third", () => {
  assert.deepEqual(unsure([0.5, 0.5, 0.9, 0.9]), [[1, "0.25"]]);
  assert.deepEqual(unsure([0.5, 0.9, 0.9, 0.9]), []);
  assert.deepEqual(unsure([0.9, 0.9, 0.1, 0.1]), []); // a stop and the end are no words
});

test("what the reader chose says nothing about the model, and tokens have their own numbers", () => {
  assert.deepEqual(unsure([0.5, 0.5, 0.9, 0.9], ["forced"]), []);
  assert.deepEqual(unsure([0.5, 0.5, 0.9, 0.9], [], { by: "pieces" }), []);
  assert.deepEqual(unsure([0.5, 0.5, 0.9, 0.9], [], { isPlaybackOpen: true }), []);
});

test("a translation of which more than half of the words are unsure is a guess", () => {
  const of = { ...target, texts: ["<s>", "le", "chat", "dort", "</s>"], kinds: ["special", "text", "text", "text", "special"],
    words: [[0], [1], [2], [3], [4]] };
  const how = (...chances) => {
    const state = stateOf(chances);
    return howUnsure({ ...state, run: { ...state.run, target: of } });
  };
  assert.equal(how(0.9, 0.9, 0.9, 0.9), null);
  assert.equal(how(0.2, 0.9, 0.9, 0.9), "some");
  assert.equal(how(0.2, 0.2, 0.9, 0.9), "most");
});
