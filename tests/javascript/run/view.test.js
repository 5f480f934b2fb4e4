// The head and the step that a page opens on, as the payload says them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openOn } from "../../../viz_app/stage/run/view.js";
import { anatomyOf } from "../anatomies.js";

const highlight = { finder: [0, 1], steps: [[2, 1]] };

test("another sentence keeps the head that is looked at, a new model brings its own", () => {
  const run = { steps: [0, 1, 2, 3], prompt: 1, highlight, anatomy: anatomyOf() };
  const state = { run, model: { anatomy: run.anatomy, start_on: {} }, site: "cross",
    locks: { cross: { layer: 0, head: 0 } } };
  assert.equal(openOn(state, false), 2);
  assert.deepEqual(state.locks.cross, { layer: 0, head: 0 });
  assert.equal(openOn(state, true), 1);
  assert.deepEqual(state.locks.cross, { layer: 0, head: 1 });
  state.site = "decoder"; // the last row has everything
  assert.equal(openOn(state, false), 3);
});

test("a head that was measured over a corpus stays, and what is told of nothing opens on its end", () => {
  const run = { steps: [0, 1, 2, 3], prompt: 1, highlight, anatomy: anatomyOf() };
  const state = { run, model: { anatomy: run.anatomy, start_on: { rows: "predicted" } }, site: "cross",
    locks: { cross: { layer: 0, head: 0 } } };
  assert.equal(openOn(state, true), 2);
  run.highlight = null;
  assert.equal(openOn(state, true), 3);
});
