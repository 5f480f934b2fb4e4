import assert from "node:assert/strict";
import { test } from "node:test";

import { keepProgress, placeIn, placeOfStep, progressOf } from "../../../viz_app/stage/lesson/progress.js";

test("a link names a lesson and its step, the first where it names none", () => {
  assert.deepEqual(placeIn("first-look.3"), { name: "first-look", step: 3 });
  assert.deepEqual(placeIn("pads"), { name: "pads", step: 1 });
  assert.deepEqual(placeIn(placeOfStep("one-head", 12)), { name: "one-head", step: 12 });
  for (const said of [null, "", "pads.0", "Pads.1", "pads.3.1", "pads.-1"]) assert.equal(placeIn(said), null);
});

test("how far one came is remembered of each lesson by itself", () => {
  assert.equal(progressOf("pads"), null);
  keepProgress("pads", 4);
  keepProgress("leak", "done");
  assert.deepEqual(["pads", "leak", "norm"].map(progressOf), [4, "done", null]);
});
