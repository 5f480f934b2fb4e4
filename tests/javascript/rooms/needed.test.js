// What a written word needed: one word of the source, or characters that are read together.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isReadFrom, neededBy } from "../../../viz_app/rooms/translate/pair/needed.js";
import { anatomyOf } from "../anatomies.js";

const shown = { layer: 0, head: 0 };
const frame = { rows: { tokens: [[0], [1]] } };

/**
 * A run that writes two words from the tokens of a source; `lost` is what the first of them loses, in nats, with the places of a key hidden.
 * @param {number[]} weights of the one head there is, on the first row
 * @param {Record<string, number>} lost
 */
function runOf(weights, lost) {
  const entries = Object.entries(lost).map(([key, change]) => ({ places: key.split(",").map(Number), change: -change }));
  const [words, runs] = [1, 2].map((least) => entries.filter(({ places }) => (places.length === 1) === (least === 1)));
  const S = weights.length;
  const values = new Float32Array(2 * S);
  for (const { places: [place], change } of words) values[place] = change;
  const held = new Map([["hidden cross", values], ["words", weights.map((_, place) => [place])],
    ["runs", runs.map(({ places }) => places)], ["run_values", Float32Array.from([...runs.map(({ change }) => change), ...runs.map(() => 0)])]]);
  return { anatomy: anatomyOf("encoder-decoder", 1, 1), layers: { cross: 1 }, heads: { cross: 1 }, summed: null, held, prompt: 1,
    chosen: [{}, {}], recipe: {}, steps: [{}, {}], source: { ids: weights.map((_, id) => id), kinds: weights.map(() => "text") },
    target: { ids: [1, 8, 9], kinds: ["special", "text", "text"] },
    blocks: { cross: [Float32Array.from(weights), Float32Array.from(weights)] } };
}
const needed = (weights, lost, row = 0) => neededBy(runOf(weights, lost), shown, frame, row)?.word;

test("characters that are read together are named as one word", () => {
  const lost = { 0: 0.1, 1: 1, 2: 2, "0,1": 2.5, "1,2": 6, "0,1,2": 11 };
  assert.deepEqual(needed([0.2, 0.4, 0.3, 0.1], lost), [0, 1, 2]);
  assert.equal(neededBy(runOf([0.2, 0.4, 0.3, 0.1], lost), shown, frame, 0)?.change, -11);
});

test("what stands between two characters that are read belongs to their word", () => {
  const lost = { 0: 0.3, 1: 0.1, 2: 0.3, "0,1": 1, "1,2": 0.5, "0,1,2": 8 };
  assert.deepEqual(needed([0.4, 0.05, 0.4, 0.15], lost), [0, 1, 2]);
});

test("a neighbour that is not read, or without which nothing more is lost, is no part of it", () => {
  const lost = { 0: 4, 1: 2, 2: 1, "0,1": 8, "1,2": 5, "0,1,2": 12 };
  assert.deepEqual(needed([0.6, 0.3, 0.02, 0.08], lost), [0, 1]);
  assert.deepEqual(needed([0.5, 0.3, 0.15, 0.05], { 0: 6, 1: 0, "0,1": 6.2 }), [0]);
});

test("an end that adds little, and that the head does not read, stays out", () => {
  const lost = { 0: 1.6, 1: 0.1, 2: 0.1, "0,1": 3, "1,2": 6, "0,1,2": 8 };
  assert.deepEqual(needed([0.1, 0.3, 0.6], lost), [0, 1, 2]); // it is read
  const run = runOf([0.1, 0.3, 0.6], lost);
  run.heads.cross = 2; // the one that is shown does not read it
  run.blocks.cross = run.blocks.cross.map(() => Float32Array.from([0.02, 0.38, 0.6, 0.4, 0.2, 0.4]));
  assert.deepEqual(neededBy(run, shown, frame, 0)?.word, [1, 2]);
});

test("one word alone stays named where it is needed more than any run that is read", () => {
  assert.deepEqual(needed([0.5, 0.4, 0, 0.1], { 0: 1, 1: 1, 3: 7, "0,1": 3 }), [3]);
});

test("nothing is needed where nothing is lost, and nothing known before it was measured", () => {
  assert.equal(needed([0.5, 0.5], { 0: 0.1, "0,1": 0.2 }), null);
  const bare = runOf([0.5, 0.5], {});
  bare.held.set("words", []); // of a source that has none
  assert.equal(neededBy(bare, shown, frame, 0)?.word, null);
  assert.equal(needed([0.5, 0.5], { 0: 5 }, 1), null);
  const run = runOf([0.5, 0.5], { 0: 5 });
  run.held.delete("hidden cross");
  assert.equal(neededBy(run, shown, frame, 0), null);
});

test("it is read from what the row looks at most, as a whole word too", () => {
  const seen = { columns: { count: 3, tokens: [[0], [1], [2]] }, weight: (_, column) => [0.2, 0.5, 0.3][column] };
  assert.ok(isReadFrom(seen, 0, [0, 1]));
  assert.ok(!isReadFrom(seen, 0, [0]));
});
