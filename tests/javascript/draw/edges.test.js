// Of thin columns not every one is named, and those that are can be read.

import assert from "node:assert/strict";
import { test } from "node:test";

import { paintAxis } from "../../../viz_app/stage/draw/edges.js";
import { layoutGrid } from "../../../viz_app/stage/draw/layout.js";

const ruler = { font: "", measureText: (text) => ({ width: 6 * text.length }) };
globalThis.document = { createElement: () => ({ getContext: () => ruler }) };
const measure = ({ label }, type) => 0.6 * type * label.length;
const palette = new Proxy({}, { get: (_, name) => (name === "isSameAs" ? undefined : String(name)) });

/** A pen that notes what is written, and in which type. */
function notingPen() {
  const written = [];
  const fillText = (text) => written.push([text, parseFloat(/([\d.]+)px/.exec(own.font)[1])]);
  const own = { written, fillText, font: "10px sans" };
  return new Proxy(own, { get: (pen, name) => (name in pen ? pen[name] : () => undefined) });
}

test("a label lies on the colour of its tint, and one without any does not", () => {
  const labels = ["warm", "roof", "old"].map((label) => ({ label, kind: "text" }));
  const frame = { rows: { labels, count: 3 }, kept: null, pointed: null,
    columns: { labels, count: 3, tint: (place) => [0.4, 0.6, 0][place] } };
  const layout = layoutGrid(frame, { width: 400, height: 300 }, 1, measure);
  const context = notingPen();
  const filled = [];
  context.fill = () => filled.push(context.fillStyle);
  const on = { ...palette, of: (share) => `of ${share}`, on: (share) => `on ${share}`, ink: "ink" };
  const colours = [];
  context.fillText = () => colours.push(context.fillStyle);
  const scroll = { x: 0, y: 0 };
  paintAxis({ context, frame, layout, scroll, palette: on }, false);
  assert.deepEqual([filled, colours], [["of 0.4", "of 0.6"], ["on 0.4", "on 0.6", "ink"]]);
  paintAxis({ context, frame, layout, scroll, palette: on }, true);
  assert.equal(filled.length, 2);
});

test("of thin columns as many are named as there is room for, in a type that can be read", () => {
  const labels = Array.from({ length: 64 }, (_, i) => ({ label: `w${i}`, kind: "text" }));
  const frame = { rows: { labels: labels.slice(0, 4), count: 4 }, columns: { labels, count: 64 },
    wide: 9, thin: 2, kept: null, pointed: null };
  const view = { width: 300, height: 200 };
  const layout = layoutGrid(frame, view, 1, measure);
  const context = notingPen();
  paintAxis({ context, frame, layout, scroll: { x: 0, y: 0 }, palette }, false);
  const named = context.written.map(([text]) => Number(text.slice(1)));
  const apart = named[1] - named[0];
  assert.ok(apart > 1 && apart * layout.pitchX >= 9.9 && (apart - 1) * layout.pitchX < 10);
  assert.ok(named.every((place, i) => place === i * apart));
  assert.ok(context.written.every(([, size]) => size >= 9));
});
