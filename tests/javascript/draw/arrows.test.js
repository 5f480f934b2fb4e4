// A row whose largest weight is out of view says on which side.

import assert from "node:assert/strict";
import { test } from "node:test";

import { largestInRow, readElsewhere } from "../../../viz_app/stage/draw/edges.js";

const weights = [[0.9, 0.1, 0, 0], [0.1, 0.2, 0.7, 0], [0.1, 0, 0.1, 0.8], [0.09, 0.09, 0.09, 0.09]];
const frame = { kind: "weight", rows: { count: 4 }, columns: { count: 4 },
  value: (row, column) => weights[row][column] };
const layout = { left: 10, top: 20, bar: 2, pitchX: 50, pitchY: 30,
  view: { width: 110, height: 140 }, width: 212 };

/** The rows with an arrow, and its side, where the map is scrolled. */
function seen(x, y = 0, more = {}) {
  const shown = { ...frame, ...more };
  return readElsewhere({ frame: shown, layout, scroll: { x, y } }, (row) => largestInRow(shown, row));
}

test("a row whose largest weight is out of view says on which side, and others nothing", () => {
  assert.deepEqual(seen(0), [{ row: 1, side: 1 }, { row: 2, side: 1 }]);
  assert.deepEqual(seen(50), [{ row: 0, side: -1 }, { row: 2, side: 1 }]);
  assert.deepEqual(seen(100), [{ row: 0, side: -1 }]);
  const hidden = (row, column) => row === 2 && column === 3;
  assert.deepEqual(seen(0, 0, { hidden }), [{ row: 1, side: 1 }]);
  assert.deepEqual(seen(0, 0, { kind: "signed" }), []);
});

test("rows out of view are not looked at", () => {
  assert.deepEqual(seen(0, 50), [{ row: 2, side: 1 }]);
});
