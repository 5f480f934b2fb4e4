import assert from "node:assert/strict";
import { test } from "node:test";

import { cutSteps } from "../../../viz_app/stage/run/wire.js";
import { cutRun, keyCount, maskedBecause, mergeRun, queryCount, rowOfWeights, sameSource, stepsHeld }
  from "../../../viz_app/stage/run/run.js";
import { anatomyOf } from "../anatomies.js";
import { packed } from "../payloads.js";

const recipe = (target, more = {}) =>
  ({ model: "m", source: "s", pads: 0, target: target.map((token) => ({ token })), ...more });
const role = { word: "first", second: null, key: 2 };
const run = (target) => ({ recipe: recipe(target), steps: [...target, null].map(() => ({})),
  target: { ids: [0, ...target] }, chosen: target.map((token) => ({ token })), text: "t",
  anatomy: anatomyOf(), prompt: 1, roles: { encoder: [[role]], decoder: [[role]], cross: [[role]] },
  blocks: { encoder: new Float32Array(0), decoder: [], cross: [] } });

test("steps hold as far as the chosen tokens agree, and one more", () => {
  assert.equal(stepsHeld(run([4, 5, 6]), recipe([4, 5, 7, 8])), 3);
  assert.equal(stepsHeld(run([4, 5, 6]), recipe([9])), 1);
  assert.equal(stepsHeld(null, recipe([4])), 0);
});

test("nothing holds for another sentence, model or number of pads", () => {
  for (const more of [{ source: "t" }, { model: "n" }, { pads: 1 }]) {
    assert.equal(stepsHeld(run([4]), recipe([4], more)), 0);
    assert.equal(sameSource(recipe([4]), recipe([4], more)), false);
  }
});

test("a run cut back to n tokens has n + 1 steps and is not finished", () => {
  const cut = cutRun(run([4, 5, 6]), 1);
  assert.equal(cut.steps.length, 2);
  assert.deepEqual(cut.target.ids, [0, 4]);
  assert.equal(cut.finished, null);
  const nothing = { word: null, second: null, key: null };
  assert.deepEqual(cut.roles, { encoder: [[role]], decoder: [[nothing]], cross: [[nothing]] });
});

test("steps are cut out of what the server sends; a number too many or too few is refused", () => {
  const numbers = Float32Array.from({ length: 9 }, (_, i) => i);
  assert.deepEqual(cutSteps(numbers, 1, 3, (t) => t + 1).map((block) => [...block]),
    [[0, 1], [2, 3, 4], [5, 6, 7, 8]]);
  assert.throws(() => cutSteps(numbers, 1, 2, (t) => t + 1), /9 weights arrived; 2 steps have 5/);
});

const words = (ids) => ({ ids, pieces: ids.map(String), texts: ids.map(String),
  kinds: ids.map((id) => (id === 0 ? "pad" : "text")),
  unseen: ids.flatMap((id, at) => (id === 0 ? [at] : [])) });
const candidate = (token, how) => ({ token, how, log_probability: -1 });

/** Three tokens of a prompt, then those chosen: every step t has one row of t + 1 weights. */
function continued(target, have = 0) {
  const ids = [5, 6, 7, ...target];
  const steps = ids.length - have;
  const rows = Array.from({ length: steps }, (_, i) => Array(have + i + 1).fill(have + i)).flat();
  return { recipe: recipe(target), source: words([5, 6, 7]), target: words(ids), prompt: 3,
    chosen: ids.slice(1).map((token, i) => candidate(token, i < 2 ? "given" : "greedy")),
    finished: null, text: "", steps_from: have, roles: { decoder: [[role]] },
    steps: Array.from({ length: steps }, (_, i) => ({ index: have + i, candidates: [] })),
    attention: { decoder: { data: packed(rows) } } };
}

test("a model that only writes has the steps of its prompt, and a common beginning keeps them", () => {
  const model = { anatomy: anatomyOf("decoder") };
  const first = mergeRun(null, continued([8, 9]), model);
  assert.equal(first.steps.length, 5);
  assert.deepEqual([queryCount(first, "decoder"), keyCount(first, "decoder")], [5, 5]);
  assert.deepEqual([...rowOfWeights(first, "decoder", 0, 0, 3)], [3, 3, 3, 3]);
  assert.equal(maskedBecause(first, "decoder", 1, 2), "future");
  const edited = { ...first, recipe: { ...first.recipe, edits: ["hide:2"] } };
  assert.deepEqual([0, 1].map((key) => maskedBecause(edited, "decoder", 3, key)), [null, "hidden"]);
  assert.equal(stepsHeld(first, recipe([8, 4])), 4);
  assert.equal(stepsHeld(first, recipe([4])), 3);
  const grown = mergeRun(first, continued([8, 4], 4), model);
  assert.equal(grown.steps.length, 5);
  assert.deepEqual([...rowOfWeights(grown, "decoder", 0, 0, 4)], [4, 4, 4, 4, 4]);
  const cut = cutRun(grown, 0);
  assert.deepEqual(cut.target.ids, [5, 6, 7]);
  assert.equal(cut.steps.length, 3);
  assert.equal(cut.chosen.length, 2);
});

test("all rows of a run were computed by one program: what came of another is asked for whole, and stands where it was", () => {
  const model = { anatomy: anatomyOf("decoder") };
  const first = mergeRun(null, continued([8, 9]), model);
  const by = "NumPy 1 in a browser";
  assert.throws(() => mergeRun(first, { ...continued([8, 4], 4), by }, model), /computed elsewhere/);
  const whole = mergeRun(first, { ...continued([8, 4]), by }, model);
  assert.deepEqual([whole.by, whole.kept, whole.steps.length], [by, 4, 5]);
  const grown = mergeRun(whole, { ...continued([8, 4, 3], 5), by }, model);
  assert.deepEqual([grown.by, grown.kept], [by, 5]);
  assert.equal(cutRun(grown, 1).by, by);
  assert.equal(mergeRun(whole, continued([8, 4]), model).by, undefined);
});

test("a model that only reads has all its rows at once and no step", () => {
  const model = { anatomy: anatomyOf("encoder") };
  const read = { ...continued([]), target: words([]), prompt: 0, chosen: [], steps: [],
    source: words([5, 6, 0]), finished: "end",
    attention: { encoder: { data: packed([1, 2, 0, 3, 4, 0, 5, 6, 0]), best: [[[0, 1]]] } } };
  const run = mergeRun(null, read, model);
  assert.deepEqual([queryCount(run, "encoder"), keyCount(run, "encoder")], [3, 3]);
  assert.deepEqual([...rowOfWeights(run, "encoder", 0, 0, 1)], [3, 4, 0]);
  assert.equal(maskedBecause(run, "encoder", 0, 2), "pad");
  assert.equal(stepsHeld(run, recipe([])), 0);
});
