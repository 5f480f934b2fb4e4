// How maps share a line: one size of cell, labels once where room is short.

import assert from "node:assert/strict";
import { test } from "node:test";

import { layoutMaps } from "../../../viz_app/stage/draw/maps.js";

const measure = ({ label }, type) => 0.6 * type * label.length;
const labels = (count) => Array.from({ length: count }, () => ({ label: "depuis", kind: "text" }));
const frameOf = (count) => ({ rows: { count, labels: labels(count) },
  columns: { count, labels: labels(count) }, most: [51, 34], wide: 9, side: 0.3 });
const ROOMS = [[760, 420], [930, 600], [1200, 300]];

test("all maps have cells of one size and fit their room, signs between them", () => {
  for (const [width, height] of ROOMS) {
    for (const unit of [1, 1.2]) {
      for (const lines of [1, 2]) {
        const gap = 50 * unit;
        const { layouts, tracks } = layoutMaps(frameOf(12), { width, height, lines, gap }, unit,
          measure);
        assert.equal(layouts.length, 3 * lines);
        for (const one of layouts) {
          assert.deepEqual([one.pitchX, one.pitchY], [layouts[0].pitchX, layouts[0].pitchY]);
        }
        assert.ok(tracks[0] + 2 * tracks[1] + 2 * gap <= width);
        layouts.forEach((one, i) => assert.ok(one.width <= tracks[Math.min(1, i % 3)] + 1));
        if (layouts[0].pitchY > 10 * unit) {
          const high = Array.from({ length: lines }, (_, line) => layouts[3 * line].height);
          assert.ok(high.reduce((sum, one) => sum + one, 0) <= height);
        }
      }
    }
  }
});

test("rows are named at the left of a line, columns over every line only above large cells", () => {
  const named = (height) => layoutMaps(frameOf(12), { width: 930, height, lines: 2, gap: 50 }, 1,
    measure).layouts;
  const [small, large] = [named(400), named(640)];
  for (const layouts of [small, large]) {
    for (const i of [0, 3]) assert.ok(layouts[i].left > 40);
    for (const i of [1, 2, 4, 5]) assert.ok(layouts[i].left < 5);
  }
  assert.ok(small[3].top < 5 && large[3].top === large[0].top);
  assert.ok(large[0].pitchY >= 18);
});

test("many columns fit beside one another where not every one must be named", () => {
  const frame = { ...frameOf(64), side: 0.34 };
  const widthOf = (thin) => Math.max(...layoutMaps({ ...frame, thin },
    { width: 820, height: 420, lines: 1, gap: 17 }, 1, measure).layouts.map(({ width, view }) =>
    width - view.width));
  assert.ok(widthOf(undefined) > 0 && widthOf(2) <= 0);
});
