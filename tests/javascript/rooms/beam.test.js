import assert from "node:assert/strict";
import { test } from "node:test";

import { edgeShape, edgeShapeOn, foldedTree, linesOfColumns, placesOfTree, rowsOfTree, scrollFor } from "../../../viz_app/rooms/beam/layout.js";

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
const sizes = { row: 30, top: 10, gap: 5, first: 40, band: 20, mark: 4, word: 0.5, least: 25, room: Infinity };
const widths = [50, 60, 90, 80, 20, 30, 99];

test("what was pruned stands in a band under all other rows, and takes no width", () => {
  assert.deepEqual(rowsOfTree(tree), [0, 1, 0, 1, 0, 1, 0]);
  const { columns, nodes, lines, width, height } = placesOfTree(tree, widths, null, sizes);
  assert.deepEqual(columns.map(({ left, width: wide, pruned }) => [left, wide, pruned]), [[45, 60, 2], [110, 30, 1]]);
  assert.deepEqual(nodes.map(({ isThin }) => isThin), tree.fate.map((fate) => fate === "pruned"));
  assert.deepEqual(nodes.slice(0, 4).map(({ top }) => top), [10, 40, 74, 78]);
  assert.deepEqual([lines, width, height], [[{ top: 0, under: 70 }], 140, 90]);
});

test("what led to nothing that was found is folded as what was pruned is, but not the path of greedy decoding", () => {
  const grown = { ...tree, found: [4] }; // it grew from the first
  assert.deepEqual(foldedTree(grown, []).fate, ["kept", "pruned", "pruned", "pruned", "kept", "pruned", "pruned"]);
  assert.deepEqual(foldedTree(grown, [1, 5]).fate, tree.fate);
  const [whole, folded] = [grown, foldedTree(grown, [])].map((one) => placesOfTree(one, widths, null, sizes));
  assert.equal(folded.columns[0].pruned, 3);
  assert.ok(folded.nodes[1].isThin && !whole.nodes[1].isThin && folded.height < whole.height);
  assert.deepEqual(folded.columns.map(({ width }) => width), whole.columns.map(({ width }) => width)); // columns stay where they are
});

test("more was pruned than the tree has", () => {
  const { columns } = placesOfTree({ ...tree, considered: [10, 50] }, widths, null, sizes);
  assert.deepEqual(columns.map(({ pruned, cut }) => [pruned, cut]), [[2, 8], [1, 48]]);
});

test("the pruned of one step are written out below their band", () => {
  const { columns, nodes, height } = placesOfTree(tree, widths, 1, sizes);
  assert.equal(columns[0].width, 90);
  assert.deepEqual(nodes.map(({ isThin }) => isThin), [false, false, false, false, false, false, true]);
  assert.deepEqual(nodes.slice(2, 4).map(({ top, middle }) => [top, middle]), [[90, 105], [120, 135]]);
  assert.equal(height, 150);
});

test("a tree that is too wide is broken into lines, as few and as even as can be", () => {
  const steps = Array(7).fill(30);
  assert.deepEqual(linesOfColumns(steps, 10, Infinity), [0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(linesOfColumns(steps, 10, 270), [0, 0, 0, 0, 0, 0, 0]); // the gap after the last is nobody's
  assert.deepEqual(linesOfColumns(steps, 10, 269), [0, 0, 0, 0, 1, 1, 1]); // not six and one
  assert.deepEqual(linesOfColumns([30, 500, 30], 10, 100), [0, 1, 2]);
});

test("a broken tree is as wide as its room and every line has a band of its own", () => {
  const { columns, nodes, lines, width, height } = placesOfTree(tree, widths, null, { ...sizes, room: 110 });
  assert.deepEqual(columns.map(({ left, line }) => [left, line]), [[45, 0], [45, 1]]);
  assert.deepEqual(lines, [{ top: 0, under: 70 }, { top: 90, under: 160 }]);
  assert.deepEqual(nodes.filter(({ line }) => line === 1).map(({ top }) => top), [100, 130, 164]);
  assert.deepEqual([width, height], [105, 180]);
  // What is written out of the first line moves the second down, not what is before it.
  const opened = placesOfTree(tree, widths, 1, { ...sizes, room: 140 });
  assert.deepEqual(opened.lines.map(({ top }) => top), [0, 150]);
});

test("an edge to the next line goes level to the end of its own", () => {
  assert.equal(edgeShapeOn({ x: 60, y: 25 }, 105, { x: 20, turn: 40, y: 115 }, 45, 145),
    `M60.0 25.0H105.0${edgeShape({ x: 20, turn: 40, y: 115 }, 45, 145)}`);
});

test("before the last step nobody knows what leads nowhere: all that is alive stands, and what it grew from", () => {
  // Two steps as above, and a third that goes on from the first only; the second of step 2 was found then.
  const grown = { ...tree, considered: [4, 3, 2], step: [...tree.step, 3, 3], fate: [...tree.fate, "kept", "finished"],
    parent: [...tree.parent, 4, 4], found: [8] };
  const fates = (last) => foldedTree(grown, [], last).fate;
  assert.deepEqual(fates(1), ["kept", "kept", ...Array(7).fill("pruned")]);
  assert.deepEqual(fates(2), ["kept", "kept", "pruned", "pruned", "kept", "finished", "pruned", "pruned", "pruned"]);
  assert.deepEqual(fates(3), ["kept", "pruned", "pruned", "pruned", "kept", "pruned", "pruned", "pruned", "finished"]);
  // Every column stays where it is, and what is folded has its place again.
  const wide = [...widths, 40, 70];
  const lefts = [1, 2, 3].map((last) => placesOfTree(foldedTree(grown, [], last), wide, null, sizes).columns.map(({ left }) => left));
  assert.deepEqual(lefts[0], lefts[2]);
  assert.deepEqual(lefts[1], lefts[2]);
  for (const last of [1, 2, 3]) {
    const { height, lines } = placesOfTree(foldedTree(grown, [], last), wide, null, { ...sizes, room: 110 });
    assert.ok(height > 0 && Number.isFinite(height) && lines.every(({ under }) => under > 0)); // lines that are not seen yet too
  }
});
