import assert from "node:assert/strict";
import { test } from "node:test";

import { placesOfTree, rowsOfTree, scrollFor } from "../../../viz_app/rooms/beam/layout.js";

const columns = [0, 100, 200, 300, 400].map((start) => ({ start, end: start + 90 }));

test("a column is brought wholly into view, and one begins at the left edge", () => {
  assert.equal(scrollFor(columns, 4, 0, 250), 300); // 240 would do, and cut a column
  assert.equal(scrollFor(columns, 4, 0, 290), 200);
  assert.equal(scrollFor(columns, 1, 300, 250), 100);
  assert.equal(scrollFor(columns, 2, 100, 250), 100); // it is in view
  assert.equal(scrollFor(columns, 3, 0, 60), 300); // as much of it as there is room for
});

/** Two steps: two kept and two pruned, then one kept, one finished and one pruned. @type {any} */
const tree = { considered: [4, 3], step: [1, 1, 1, 1, 2, 2, 2],
  fate: ["kept", "kept", "pruned", "pruned", "kept", "finished", "pruned"], parent: [-1, -1, -1, -1, 0, 1, 1] };
const sizes = { row: 30, top: 10, gap: 5, first: 40, band: 20, mark: 4, word: 0.5, least: 25 };
const widths = [50, 60, 90, 80, 20, 30, 99];

test("what was pruned stands in a band under all other rows, and takes no width", () => {
  assert.deepEqual(rowsOfTree(tree), [0, 1, 0, 1, 0, 1, 0]);
  const { columns, nodes, under, width, height } = placesOfTree(tree, widths, null, sizes);
  assert.deepEqual(columns.map(({ left, width: wide, pruned }) => [left, wide, pruned]), [[45, 60, 2], [110, 30, 1]]);
  assert.deepEqual(nodes.map(({ isThin }) => isThin), tree.fate.map((fate) => fate === "pruned"));
  assert.deepEqual(nodes.slice(0, 4).map(({ top }) => top), [10, 40, 74, 78]);
  assert.deepEqual([under, width, height], [70, 140, 90]);
});

test("the pruned of one step are written out below their band", () => {
  const { columns, nodes, height } = placesOfTree(tree, widths, 1, sizes);
  assert.equal(columns[0].width, 90);
  assert.deepEqual(nodes.map(({ isThin }) => isThin), [false, false, false, false, false, false, true]);
  assert.deepEqual(nodes.slice(2, 4).map(({ top, middle }) => [top, middle]), [[90, 105], [120, 135]]);
  assert.equal(height, 150);
});
