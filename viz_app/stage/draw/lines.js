// The large map as lines: queries on the left, keys on the right, a curve for each weight.

import { writeTitle } from "./edges.js";
import { labelBox, paintLabel } from "./labels.js";
import { NAMED_FROM, typeSize } from "./layout.js";

const LEAST_LINE = 0.02; // weights below are not drawn: thousands of invisible curves

/**
 * Two columns of tokens with curves between them, as a grid with one column, so that the current row
 * comes into view.
 * @typedef {ReturnType<typeof layoutLines>} LinesLayout
 * @typedef {{context: CanvasRenderingContext2D, frame: GridFrame, layout: LinesLayout,
 *   palette: Palette}} LinesPainting
 */

/**
 * Where the two columns of tokens go; the same value conventions as layoutGrid.
 * @param {GridFrame} frame whose tokens have labels
 * @param {{width: number, height: number}} view
 * @param {number} unit
 * @param {function(GridLabel, number): number} measure
 */
function layoutLines({ rows, columns }, view, unit, measure) {
  const type = typeSize(unit);
  const title = Math.round(2 * type);
  const most = Math.min(150 * unit, 0.3 * view.width);
  const least = NAMED_FROM * unit + 1;
  const [left, right] = [rows, columns].map(({ labels, count, room = count }) => ({ room,
    width: Math.min(Math.max(8, ...(labels ?? []).map((one) => measure(one, type))), most) + 12 * unit,
    pitch: Math.max(least, Math.min(34 * unit, (view.height - title - 4) / room)) }));
  const [leftWidth, rightWidth] = [left.width, right.width];
  const [pitchLeft, pitchRight] = [left.pitch, right.pitch];
  const gap = Math.min(view.width - leftWidth - rightWidth - 8, 640 * unit);
  const from = 4 + leftWidth;
  const height = title + Math.max(pitchLeft * left.room, pitchRight * right.room) + 4;
  return {
    type, title, unit, view, leftWidth, rightWidth, pitchLeft, pitchRight,
    from, to: from + gap, width: view.width, height, most,
    left: 0, top: title, pitchX: 0, pitchY: pitchLeft, bar: 0,
  };
}

/** The token under a point, as {row, column} with one of them null; or null. @type {GridPainter["hit"]} */
function hitLines(frame, layout, scroll, x, y) {
  const down = y + scroll.y - layout.title;
  if (down < 0) return null;
  const middle = (layout.to - layout.from) * 0.2;
  if (x <= layout.from + middle) {
    const row = Math.floor(down / layout.pitchLeft);
    return row < frame.rows.count ? { row, column: null } : null;
  }
  if (x >= layout.to - middle) {
    const column = Math.floor(down / layout.pitchRight);
    return column < frame.columns.count ? { row: null, column } : null;
  }
  return null;
}

/** Draws the two columns and the curves. @type {GridPainter["paint"]} */
function paintLines(context, frame, layout, scroll, palette) {
  const { view, title, unit } = layout;
  const painting = { context, frame, layout, palette };
  context.clearRect(0, 0, view.width, view.height);
  context.save();
  context.beginPath();
  context.rect(0, title - 4, view.width, view.height - title + 4);
  context.clip();
  context.translate(0, title - scroll.y);
  paintCurves(painting);
  paintColumn(painting, frame.rows, { pitch: layout.pitchLeft, x: layout.from - 8 * unit, align: "right",
    current: frame.current, pointed: frame.pointed?.row });
  paintColumn(painting, frame.columns, { pitch: layout.pitchRight, x: layout.to + 8 * unit,
    align: "left", pointed: frame.pointed?.column });
  context.restore();
  const middle = (layout.from + layout.to) / 2;
  const end = layout.to + layout.rightWidth;
  const [size, y] = [layout.type, 0.34 * title];
  writeTitle(painting, frame.rows.title ?? "", size, "left", { x: 4, y, room: middle - 14 });
  writeTitle(painting, frame.columns.title ?? "", size, "right", { x: end, y, room: end - middle - 14 });
}

/** @param {LinesPainting} painting */
function paintCurves({ context, frame, layout, palette }) {
  const { from, to, pitchLeft, pitchRight, unit } = layout;
  const { current = null } = frame;
  const { row: onlyQuery, column: onlyKey } = frame.pointed ?? { row: null, column: null };
  const isolated = onlyQuery !== null || onlyKey !== null;
  const bend = (to - from) * 0.45;
  const strongest = Math.min(7 * unit, 0.75 * Math.max(pitchLeft, 8));
  /** @param {number} query @param {number} strength @param {string} colour */
  const draw = (query, strength, colour) => {
    const y = (query + 0.5) * pitchLeft;
    for (let key = 0; key < frame.columns.count; key += 1) {
      const weight = frame.value(query, key) / (frame.limit ?? 1);
      if (frame.hidden?.(query, key) || weight < LEAST_LINE) continue;
      if (onlyKey !== null && onlyQuery === null && key !== onlyKey) continue;
      const end = (key + 0.5) * pitchRight;
      context.globalAlpha = Math.min(1, strength * (0.08 + 0.92 * weight));
      context.strokeStyle = colour;
      context.lineWidth = 0.6 + strongest * weight;
      context.beginPath();
      context.moveTo(from, y);
      context.bezierCurveTo(from + bend, y, to - bend, end, to, end);
      context.stroke();
    }
  };
  const ink = palette.of(0.78);
  for (let query = 0; query < frame.rows.count; query += 1) {
    if (onlyQuery !== null && query !== onlyQuery) continue;
    if (query === current) continue;
    draw(query, isolated || current === null ? 1 : 0.38, ink);
  }
  if (current !== null && (onlyQuery === null || onlyQuery === current)) {
    draw(current, 1, palette.accent);
  }
  context.globalAlpha = 1;
}

/**
 * @param {LinesPainting} painting
 * @param {GridAxis} axis
 * @param {{pitch: number, x: number, align: "left" | "right", current?: ?number, pointed?: ?number}} how
 */
function paintColumn({ context, layout, palette }, { labels, count, lit = count },
  { pitch, x, align, current, pointed }) {
  const height = Math.min(pitch - 1, 1.6 * layout.type);
  labels?.forEach((label, i) => {
    const look = { size: layout.type, room: layout.most, x, align, height,
      strong: i === current,
      colour: i === current ? palette.accent : i < lit ? palette.ink : palette.quiet };
    context.save();
    context.translate(0, (i + 0.5) * pitch);
    if (i === pointed) {
      context.fillStyle = palette.hair;
      context.beginPath();
      context.roundRect(...labelBox(palette, label, look), 3);
      context.fill();
    }
    paintLabel(context, palette, label, look);
    context.restore();
  });
}

/** @type {GridPainter} */
export const LINES = { layout: layoutLines, hit: hitLines, paint: paintLines };
