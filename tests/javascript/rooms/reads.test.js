// What a row of a head does, in plain sentences with its own numbers.

import assert from "node:assert/strict";
import test from "node:test";

import { readsSentences } from "../../../viz_app/rooms/inside/reads.js";
import { anatomyOf } from "../anatomies.js";

const state = { model: { anatomy: anatomyOf("encoder-decoder", 1, 2) } };
const named = (...names) => names.map((label) => ({ label, kind: "text" }));
const labels = { queries: named("start", "voiture"), keys: named("a", "red", "car") };
const study = { site: "cross", query: 1, head: 0, D: 1, replaced_H: [false], shares_HD: new Float32Array([1]),
  logits_K: new Float32Array([0, 8, 1]), allowed_K: [true, true, true], weights_K: new Float32Array([0.125, 0.75, 0.125]) };
const t = (key, values = {}) => [key, ...Object.values(values)].join(" ");
const written = { label: "rouge", kind: "text" };

/** @param {object} changes @param {number} key @param {?object} next */
const said = (changes, key = 1, next = written, words = [[0], [1], [2]]) =>
  readsSentences(t, state, { study: { ...study, ...changes }, labels, words, key, written: next });

test("the best key wins with its own score and weight, beside the next", () => {
  const [wins, so, ...more] = said({});
  assert.match(wins, /^inside_wins_step inside_asks_cross voiture voiture red 8.000 0.750 rouge car 1.000 inside_keys_source$/);
  assert.match(so, /^inside_so inside_asks_cross voiture voiture red/);
  assert.deepEqual(more, []);
  assert.match(said({}, 1, null)[0], /^inside_wins inside_asks_cross voiture voiture/);
  const before = { allowed_K: [true, true, false], weights_K: new Float32Array([0.25, 0.75, 0]) };
  assert.match(said({ ...before, site: "decoder" })[0], /^inside_wins_step inside_asks voiture .*inside_keys_before$/);
});

test("of a key that is only a part of a word that word is named", () => {
  assert.match(said({}, 1, written, [[0], [1, 2]])[0], /inside_part red redcar$/);
  assert.doesNotMatch(said({}, 1, written, [[0, 2], [1]])[0], /inside_part/);
});

test("another key that is chosen is said too, and so is a masked one", () => {
  assert.match(said({}, 2)[2], /^inside_chosen voiture car 0.125$/);
  const masked = { allowed_K: [true, true, false], weights_K: new Float32Array([0.25, 0.75, 0]) };
  assert.match(said(masked, 2)[2], /^inside_says_masked/);
  assert.match(said(masked)[0], / red 8.000 0.750 rouge a 0.000 /); // the next of those that count
});

test("where a pad, an edit or another mask hides a token, not every token is said to be compared", () => {
  const hidden = { allowed_K: [true, true, false], weights_K: new Float32Array([0.25, 0.75, 0]) };
  assert.match(said(hidden)[0], /inside_keys_open$/);
  assert.match(said({ site: "decoder" })[0], /inside_keys_open$/); // the row sees one token more than up to itself
});

test("one key alone gets everything; of none it is said that no key may be looked at", () => {
  const only = said({ allowed_K: [false, true, false] });
  assert.match(only[0], /^inside_only_step/);
  assert.match(only[1], /^inside_so_only/);
  const even = { allowed_K: [false, false, false], weights_K: new Float32Array([0.25, 0.25, 0.25]) };
  assert.deepEqual(said(even).map((line) => line.split(" ")[0]), ["inside_says_even"]);
});

test("of a head that is off it is not said that its value counts", () => {
  const off = { replaced_H: [true], shares_HD: new Float32Array([0]) };
  assert.match(said(off)[1], /^inside_so_off/);
  assert.match(said({ replaced_H: [true] })[1], /^inside_so_mean/);
});
