import assert from "node:assert/strict";
import { test } from "node:test";

import { scrollFor } from "../../../viz_app/rooms/beam/layout.js";

const columns = [0, 100, 200, 300, 400].map((start) => ({ start, end: start + 90 }));

test("a column is brought wholly into view, and one begins at the left edge", () => {
  assert.equal(scrollFor(columns, 4, 0, 250), 300); // 240 would do, and cut a column
  assert.equal(scrollFor(columns, 4, 0, 290), 200);
  assert.equal(scrollFor(columns, 1, 300, 250), 100);
  assert.equal(scrollFor(columns, 2, 100, 250), 100); // it is in view
  assert.equal(scrollFor(columns, 3, 0, 60), 300); // as much of it as there is room for
});
