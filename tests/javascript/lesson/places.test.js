// What a lesson points at is the cell of its tokens, whatever the lines of a map are in a room.

import assert from "node:assert/strict";
import { test } from "node:test";

import { disjoint, boxInSight, cellsInSight, cellsOf } from "../../../viz_app/stage/lesson/places.js";
import { cellPicked } from "../../../viz_app/stage/lesson/over.js";
import { beamFrameOf } from "../../../viz_app/rooms/beam/node.js";
import { compareFrameOf } from "../../../viz_app/rooms/compare/drawn/maps.js";
import { headOn } from "../../../viz_app/rooms/heads/charts.js";
import { commonFrame, maskAxesOf } from "../../../viz_app/rooms/masks/maps/axes.js";
import { tokensIn } from "../../../viz_app/rooms/positions/order/maps.js";
import { mapFrameOf } from "../../../viz_app/rooms/translate/map/map.js";
import { anatomyOf } from "../anatomies.js";

const t = Object.assign((key) => key, { language: "en" });
const named = (count) => Array.from({ length: count }, (_, i) => ({ label: `${i}`, piece: `${i}`, kind: "text" }));
const tokens = (...kinds) => ({ ids: kinds.map((_, i) => i), pieces: kinds, texts: kinds, kinds });
const texts = (count) => tokens(...Array(count).fill("text"));
const cell = (query, key) => ({ kind: "cell", query, key });
/** The first and the last cell, as [row, column]; null where there is none. */
const on = (map, place) => cellsOf(map, place).map((one) => one && [one.row, one.column]);
const both = (row, column) => [[row, column], [row, column]];
const NONE = [null, null];

/** Three source tokens of which the first two are a word; the second word written has two pieces, and an end. */
function translate(by) {
  const blocks = { cross: Array.from({ length: 4 }, () => Float32Array.of(0.5, 0.25, 0.25)) };
  const run = { anatomy: anatomyOf(), prompt: 1, finished: "end", summed: null, held: new Map(), chosen: [{}], capacity: 9,
    layers: { cross: 1 }, heads: { cross: 1 }, blocks, steps: [{}, {}, {}, {}], recipe: { edits: [] },
    source: { ...texts(3), words: [[0, 1], [2]] }, target: { ...texts(5), words: [[0], [1], [2, 3], [4]] } };
  const state = { run, model: {}, site: "cross", room: "translate", by, spelled: false, reading: "weights", isPlaybackOpen: false, at: 0,
    stepping: false, cells: {}, pointed: { query: null, key: null }, locks: { cross: { layer: 0, head: 0 } } };
  return mapFrameOf(state, { layer: 0, head: 0 }, { rows: named(4), columns: named(3) }, { narrow: false, finger: false, view: "heat" }, t);
}

test("Translate: a piece lies in the line of its word, or in its own", () => {
  assert.deepEqual(on(translate("words"), cell(2, 1)), both(1, 0));
  assert.deepEqual(on(translate("words"), cell(3, 2)), both(2, 1));
  assert.deepEqual(on(translate("words"), { kind: "row", query: 2 }), [[1, 0], [1, 1]]);
  assert.deepEqual(on(translate("pieces"), cell(2, 1)), both(2, 1));
  assert.deepEqual(on(translate("pieces"), cell(9, 1)), NONE);
  assert.deepEqual(cellPicked(translate("words"), { row: 1, column: 0 }, { query: 2, key: 1 }), { query: 2, key: 1 });
  assert.deepEqual(cellPicked(translate("words"), { row: 1, column: 1 }, { query: 2, key: 1 }), { query: 1, key: 2 });
});

test("Masks: a pad that is only counted lies in the line that counts it", () => {
  const source = tokens("text", "text", ...Array(9).fill("pad"));
  const entry = { source, fed: texts(2), predicted: texts(2) };
  const answer = { view: "masks", shown: 0, batch: [entry], rows: "target", columns: "source", folded: { rows: 2, columns: 5 } };
  const folded = commonFrame(maskAxesOf(answer, false, false, t));
  assert.equal(folded.columns.count, 6);
  assert.deepEqual([3, 4, 5, 10].map((key) => on(folded, cell(1, key))[0]), [[1, 3], [1, 4], [1, 5], [1, 5]]);
  assert.deepEqual(on(commonFrame(maskAxesOf(answer, false, true, t)), cell(1, 10)), both(1, 10));
});

test("Compare: a token of A lies where both sentences are joined, and none where B stands alone", () => {
  const answer = { row_pairs: [[0, 0], [null, 1], [1, 2]], column_pairs: [[0, null], [null, 0], [1, 1]] };
  const frame = compareFrameOf(answer, { rows: named(3), columns: named(3) }, null);
  assert.deepEqual(on(frame, cell(1, 1)), both(2, 2));
  assert.deepEqual(on(frame, cell(2, 1)), NONE);
  assert.deepEqual(on(frame, { kind: "column", key: 1 }), [[0, 2], [2, 2]]);
  assert.equal(cellPicked(frame, { row: 1, column: 0 }, { query: 0, key: 0 }), null);
});

test("Positions: a token that changed places lies where it stands now", () => {
  const held = { order: [2, 0, 1] };
  const map = (isMoved) => ({ rows: { count: 3, tokens: tokensIn(held, 3, isMoved) },
    columns: { count: 4, tokens: tokensIn(held, 4, isMoved) } });
  assert.deepEqual(on(map(false), cell(2, 1)), both(2, 1));
  assert.deepEqual(on(map(true), cell(2, 1)), both(0, 2));
  assert.deepEqual(on(map(true), cell(0, 3)), both(1, 3)); // what is written follows the sentence
});

test("Inside: numbers by dimension show no query and no key", () => {
  const vectors = { rows: { labels: [], count: 4 }, columns: { labels: null, count: 8 } };
  assert.deepEqual(on(vectors, cell(1, 2)), NONE);
  assert.deepEqual(on(vectors, { kind: "row", query: 1 }), NONE);
});

test("Heads: a head lies in the row of its layer, and a cell of tokens nowhere", () => {
  const heads = [[0, 0], [0, 1], [1, 0]].map(([layer, head]) => ({ site: "cross", layer, head }));
  const grid = { headOn: (place) => headOn([heads.slice(0, 2), heads.slice(2)], place), rows: { count: 2 }, columns: { count: 2 } };
  assert.deepEqual(on(grid, { kind: "head", site: "cross", layer: 0, head: 1 }), both(0, 1));
  assert.deepEqual(on(grid, { kind: "head", site: "cross", layer: 1, head: 1 }), NONE);
  assert.deepEqual(on(grid, { kind: "head", site: "encoder", layer: 0, head: 1 }), NONE);
  assert.deepEqual(on(grid, cell(0, 1)), NONE);
});

test("Beam: the rows of a hypothesis are the steps that wrote it, after what was forced", () => {
  const map = { node: 0, site: "cross", layer: 0, head: 0, written: texts(2), keys: texts(3), allowed: [], weights: "" };
  assert.deepEqual(on(beamFrameOf(t, map, 2, null, false), cell(3, 1)), both(1, 1));
  assert.deepEqual(on(beamFrameOf(t, map, 2, null, false), cell(1, 1)), NONE);
});

test("cells in sight end at the labels on one side and at the scale on the other", () => {
  const canvas = { left: 10, top: 20, width: 300, height: 200 };
  const layout = /** @type {any} */ ({ left: 60, top: 30, bar: 40, view: { width: 300, height: 200 } });
  assert.deepEqual(cellsInSight(canvas, layout), { left: 70, top: 50, width: 200, height: 170 });
  assert.equal(cellsInSight(canvas, null), canvas);
});

test("a place is cut to what it is scrolled in, unless that has no box of its own", (context) => {
  const box = (/** @type {number} */ top, /** @type {number} */ height) => ({ left: 0, top, width: 300, height });
  /** @param {any} style @param {any} at @param {any} [parentElement] */
  const made = (style, at, parentElement = null) => /** @type {any} */ ({ style, parentElement, getBoundingClientRect: () => at });
  globalThis.window = /** @type {any} */ ({ getComputedStyle: (/** @type {any} */ one) => one.style });
  context.after(() => { Reflect.deleteProperty(globalThis, "window"); });
  const root = made({}, box(0, 900));
  const scrolled = made({ display: "block", overflowX: "auto", overflowY: "auto" }, box(100, 200), root);
  assert.deepEqual(boxInSight(root, made({}, box(250, 100), scrolled)), box(250, 50));
  const boxless = made({ display: "contents", overflowX: "auto", overflowY: "auto" }, { left: 0, top: 0, width: 0, height: 0 }, root);
  assert.deepEqual(boxInSight(root, made({}, box(250, 100), boxless)), box(250, 100));
});

test("places that lie over each other are the same places apart: no point of them is in two", () => {
  const box = (left, top, width, height) => ({ left, top, width, height });
  const boxes = [box(0, 0, 10, 4), box(8, 2, 6, 6), box(2, 1, 3, 2), box(-1, -1, 20, 20), box(30, 0, 2, 2)];
  const within = (x, y) => ({ left, top, width, height }) => x > left && x < left + width && y > top && y < top + height;
  const made = disjoint(boxes);
  for (let x = -1.5; x < 34; x += 1) {
    for (let y = -1.5; y < 21; y += 1) {
      assert.equal(made.filter(within(x, y)).length, boxes.some(within(x, y)) ? 1 : 0, `${x} ${y}`);
    }
  }
});
