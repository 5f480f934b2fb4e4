// Where the parts of a heat map go: what every room relies on, in any box and for any labels.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cellBox, hitGrid, layoutGrid } from "../../../viz_app/stage/draw/layout.js";

const measure = ({ label }, type) => 0.6 * type * label.length;
const labels = (count, text) => Array.from({ length: count }, () => ({ label: text, kind: "text" }));
const frameOf = (rows, columns, text = "chat", more = {}) => ({ bar: 66, wide: 1.7,
  rows: { labels: text && labels(rows, text), count: rows, title: "queries" },
  columns: { labels: text && labels(columns, text), count: columns, title: "keys" }, ...more });
const SIZES = [[390, 390, 1], [640, 420, 1], [1200, 700, 1.5]];
const still = { x: 0, y: 0 };

test("every cell is found where it is drawn", () => {
  for (const [width, height, unit] of SIZES) {
    for (const text of ["chat", null]) {
      const frame = frameOf(9, 11, text);
      const layout = layoutGrid(frame, { width, height }, unit, measure);
      for (const [row, column] of [[0, 0], [3, 7], [8, 10]]) {
        for (const scroll of [still, { x: 5, y: 9 }]) {
          const [x, y, wide, high] = cellBox(layout, scroll, row, column);
          if (x + wide / 2 < layout.left || y + high / 2 < layout.top) continue;
          assert.deepEqual(hitGrid(frame, layout, scroll, x + wide / 2, y + high / 2),
            { row, column });
        }
      }
    }
  }
});

test("a label stands for its row or its column, and what is beyond is nothing", () => {
  const frame = frameOf(4, 5);
  const layout = layoutGrid(frame, { width: 640, height: 420 }, 1, measure);
  const [x, y] = cellBox(layout, still, 2, 3);
  assert.deepEqual(hitGrid(frame, layout, still, 4, y + 2), { row: 2, column: null });
  assert.deepEqual(hitGrid(frame, layout, still, x + 2, 4), { row: null, column: 3 });
  assert.equal(hitGrid(frame, layout, still, layout.width - 1, y), null);
  assert.equal(hitGrid(frame, layout, still, 4, 4), null);
});

test("the cells fit the box until their labels would be too small, and then it scrolls", () => {
  for (const [width, height, unit] of SIZES) {
    const fits = layoutGrid(frameOf(8, 8), { width, height }, unit, measure);
    assert.ok(fits.width <= width && fits.height <= height);
    const long = layoutGrid(frameOf(90, 90), { width, height }, unit, measure);
    assert.ok(long.width > width && long.height > height);
    assert.ok(long.pitchX >= 10 * unit - 1 && long.pitchY >= 10 * unit - 1);
  }
});

test("rows are lower than wished for where all of them are in sight then", () => {
  const heightOf = (rows) => layoutGrid(frameOf(rows, 8, "chat", { least: 20, low: 14 }),
    { width: 1200, height: 300 }, 1.4, measure);
  assert.ok(heightOf(15).height <= 300 && heightOf(15).pitchY < 20 && heightOf(15).pitchY >= 14);
  assert.equal(heightOf(30).pitchY, 20);
});

test("a row's label gives a letter or two where the last column is in sight then", () => {
  const at = (columns) => layoutGrid(frameOf(6, columns, "restaurant", { least: 21, bar: 2 }), { width: 341, height: 300 }, 1, measure);
  assert.deepEqual([11, 12].map((columns) => at(columns).width <= 341 && at(columns).pitchX >= 21), [true, true]);
  assert.ok(at(12).side < at(11).side && at(12).side > 60);
  assert.ok(at(14).width > 341 && at(14).side === at(11).side); // else it scrolls
});

test("labels of columns lie flat while they fit, slant beside a scale, and else stand", () => {
  const view = { width: 640, height: 420 };
  const angleOf = (frame) => layoutGrid(frame, view, 1, measure).angle;
  assert.equal(angleOf(frameOf(8, 8)), 0);
  assert.equal(angleOf(frameOf(8, 16, "mouvement")), 45);
  assert.equal(angleOf(frameOf(8, 16, "mouvement", { bar: undefined })), 90);
  assert.equal(angleOf(frameOf(8, 60, "mouvement")), 90);
  assert.equal(angleOf(frameOf(64, 256, null)), 0);
});

test("rows may have their own heights", () => {
  const frame = frameOf(2, 4, null, { tops: [[0, 19], [26, 46]] });
  frame.rows.labels = [];
  const layout = layoutGrid(frame, { width: 300, height: 0 }, 1, measure);
  assert.equal(layout.height, layout.top + 26 + 46 + 3);
  const at = (y) => hitGrid(frame, layout, still, layout.left + 1, layout.top + y);
  assert.deepEqual([at(3), at(22), at(30)], [{ row: 0, column: 0 }, null, { row: 1, column: 0 }]);
});
