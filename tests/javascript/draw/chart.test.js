// Where a chart puts its ticks, its ends and what is pointed at.

import assert from "node:assert/strict";
import { test } from "node:test";

import { apart, endsOf, nearestTo, ticksOf, titleLines } from "../../../viz_app/stage/draw/chart.js";

test("ticks are round numbers between the ends, no more than are asked for", () => {
  assert.deepEqual(ticksOf(-41.73, 61.52, 6), [-40, -20, 0, 20, 40, 60]);
  assert.deepEqual(ticksOf(0, 0.051, 3), [0, 0.02, 0.04]);
  assert.deepEqual(ticksOf(0, 1, 1), [0, 1]);
  for (const [low, high, most] of [[-3, 17, 4], [0.001, 0.0074, 5], [-1e6, 2e6, 7], [5, 5, 3]]) {
    const ticks = ticksOf(low, high, most);
    assert.ok(ticks.length <= most + 1);
    assert.ok(ticks.every((one) => one >= low - 1e-9 && one <= high + 1e-9));
  }
});

test("the axis upwards holds 0, and the last bar is inside", () => {
  const bars = { x: [-2, -1, 0], y: [3, 0, 5], width: 1, title: "", label: "", pointed: null };
  assert.deepEqual(endsOf(bars), { across: [-2, 1], up: [0, 5] });
  assert.deepEqual(endsOf({ ...bars, y: [-1, -2, -3], across: [-4, 4] }), { across: [-4, 4], up: [-3, 0] });
  const line = { ...bars, width: undefined, lines: [{ x: [-9, 3], y: [7, -1] }] };
  assert.deepEqual(endsOf(line), { across: [-9, 3], up: [-1, 7] }); // both lines are inside
  assert.deepEqual(endsOf({ ...line, up: [-8, 8] }).up, [-8, 8]);
});

test("a bar is pointed at anywhere over it, a point where it is nearest", () => {
  const bars = { x: [0, 10, 20], y: [1, 1, 1], width: 10, title: "", label: "", pointed: null };
  assert.deepEqual([1, 9.5, 12, 29, 50].map((at) => nearestTo(bars, at)), [0, 0, 1, 2, 2]);
  const line = { ...bars, width: undefined };
  assert.deepEqual([1, 9.5, 14, 16].map((at) => nearestTo(line, at)), [0, 1, 1, 2]);
});

test("a title that is longer than its axis has two lines, which part after a word or a sign", () => {
  const upTo = (most) => (text) => text.length <= most;
  assert.deepEqual(titleLines("heads off; upwards: loss", upTo(30)), ["heads off; upwards: loss"]);
  assert.deepEqual(titleLines("heads off; upwards: loss", upTo(12)), ["heads off;", "upwards: loss"]);
  assert.deepEqual(titleLines("关掉的头数；纵轴：损失", upTo(7)), ["关掉的头数；", "纵轴：损失"]);
  assert.deepEqual(titleLines("Aufmerksamkeitskopf", upTo(7)), ["Aufmerksamkeitskopf"]);
});

test("what is written on an axis touches nothing and sticks out nowhere", () => {
  const ticks = [[10, 8], [60, 8], [100, 30], [140, 40]].map(([at, width]) => ({ at, width }));
  assert.deepEqual(apart(ticks, 200, 4).map(({ at }) => at), [10, 60, 100, 140]);
  assert.deepEqual(apart(ticks, 150, 4).map(({ at }) => at), [10, 60, 130], "the last moves in; the one before would touch it");
  assert.deepEqual(apart([], 100, 4), []);
});
