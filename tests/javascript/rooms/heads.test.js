import assert from "node:assert/strict";
import { test } from "node:test";

import { changeText } from "../../../viz_app/rooms/heads/page.js";

const t = (key, { change }) => `${key} ${change}`;

test("a change says whether it is for the worse: of a loss a rise is, of a share that is right a fall", () => {
  assert.equal(changeText(t, 0.0261, 1), "heads_worse +0.026");
  assert.equal(changeText(t, -0.0034, 1), "heads_better −0.003");
  assert.equal(changeText(t, 0.012, -1), "heads_better +0.012");
  assert.equal(changeText(t, -0.012, -1), "heads_worse −0.012");
  assert.equal(changeText(t, 0.0002, 1), "0.000"); // neither, to these digits
  assert.equal(changeText(t, undefined, 1), "");
});
