import assert from "node:assert/strict";
import { test } from "node:test";

import { cutSteps } from "../../viz_app/stage/run/decode.js";
import { cutRun, sameSource, stepsHeld } from "../../viz_app/stage/run/run.js";

const recipe = (target, more = {}) =>
  ({ model: "m", source: "s", pads: 0, target: target.map((token) => ({ token })), ...more });
const run = (target) => ({ recipe: recipe(target), steps: [...target, null].map(() => ({})),
  target: { ids: [0, ...target] }, chosen: target.map((token) => ({ token })), text: "t",
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
});

test("steps are cut out of what the server sends; a number too many or too few is refused", () => {
  const numbers = Float32Array.from({ length: 9 }, (_, i) => i);
  assert.deepEqual(cutSteps(numbers, 1, 3, (t) => t + 1).map((block) => [...block]),
    [[0, 1], [2, 3, 4], [5, 6, 7, 8]]);
  assert.throws(() => cutSteps(numbers, 1, 2, (t) => t + 1), /9 weights arrived; 2 steps have 5/);
});
