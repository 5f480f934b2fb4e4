// The large map as lines: queries on the left, keys on the right, a curve for each weight.

import { elided, labelBox, paintLabel } from "./labels.js";
import { LEAST_PITCH, typeSize } from "./layout.js";

const LEAST_LINE = 0.02; // weights below are not drawn: thousands of invisible curves

/**
 * Where the two columns of tokens go; the same value conventions as layoutGrid.
 * @param {any} frame
 * @param {any} view
 * @param {number} unit
 * @param {any} measure
 */
function layoutLines(frame, view, unit, measure) {
  const type = typeSize(unit);
  const title = Math.round(2 * type);
  /** @param {Label[]} labels */
  const widest = (labels) => labels.reduce((most, one) => Math.max(most, measure(one, type)), 8);
  const most = Math.min(150 * unit, 0.3 * view.width);
  const leftWidth = Math.min(widest(frame.rows.labels), most) + 12 * unit;
  const rightWidth = Math.min(widest(frame.columns.labels), most) + 12 * unit;
  const least = LEAST_PITCH * unit + 1;
  /** @param {number} count */
  const pitchOf = (count) =>
    Math.max(least, Math.min(34 * unit, (view.height - title - 4) / count));
  const pitchLeft = pitchOf(frame.rows.room);
  const pitchRight = pitchOf(frame.columns.room);
  const gap = Math.min(view.width - leftWidth - rightWidth - 8, 640 * unit);
  const from = 4 + leftWidth;
  const height = title + Math.max(pitchLeft * frame.rows.room, pitchRight * frame.columns.room) + 4;
  return {
    type, title, unit, view, leftWidth, rightWidth, pitchLeft, pitchRight,
    from, to: from + gap, width: view.width, height, most,
    // As of a grid with one column, so that the current row comes into view.
    left: 0, top: title, pitchX: 0, pitchY: pitchLeft, bar: 0,
  };
}

/**
 * The rectangles of the labels, relative to the canvas.
 * @param {any} frame
 * @param {any} layout
 * @param {any} scroll
 */
export function tokenBoxes(frame, layout, scroll) {
  /** @param {number} count @param {number} x @param {number} width @param {number} pitch */
  const column = (count, x, width, pitch) => Array.from({ length: count }, (_, i) =>
    [x, layout.title + i * pitch - scroll.y, width, pitch]);
  return {
    queries: column(frame.rows.count, 0, layout.from, layout.pitchLeft),
    keys: column(frame.columns.count, layout.to, layout.rightWidth, layout.pitchRight),
  };
}

/**
 * The token under a point, as {row, column} with one of them null; or null.
 * @param {any} frame
 * @param {any} layout
 * @param {any} scroll
 * @param {number} x
 * @param {number} y
 */
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

/**
 * Draws the two columns and the curves.
 * @param {CanvasRenderingContext2D} context
 * @param {any} frame
 * @param {any} layout
 * @param {any} scroll
 * @param {Palette} palette
 */
function paintLines(context, frame, layout, scroll, palette) {
  const { view, title } = layout;
  context.clearRect(0, 0, view.width, view.height);
  context.save();
  context.beginPath();
  context.rect(0, title - 4, view.width, view.height - title + 4);
  context.clip();
  context.translate(0, title - scroll.y);
  paintCurves(context, frame, layout, palette);
  paintColumn(context, frame.rows.labels, layout, palette, {
    pitch: layout.pitchLeft,
    x: layout.from - 8 * layout.unit,
    align: "right",
    current: frame.current,
    reached: frame.rows.count,
    lit: frame.pointed.row,
  });
  paintColumn(context, frame.columns.labels, layout, palette, {
    pitch: layout.pitchRight,
    x: layout.to + 8 * layout.unit,
    align: "left",
    current: null,
    reached: frame.columns.lit,
    lit: frame.pointed.column,
  });
  context.restore();
  const font = `${Math.round(0.93 * layout.type)}px ${palette.sans}`;
  context.fillStyle = palette.quiet;
  context.direction = "ltr";
  context.textBaseline = "middle";
  const middle = (layout.from + layout.to) / 2;
  /** @param {string} text @param {any} align @param {number} x @param {number} room */
  const side = (text, align, x, room) => {
    const short = elided(context, font, text, room);
    context.font = font;
    context.textAlign = align;
    context.fillText(short, x, 0.34 * title);
  };
  side(frame.rows.title, "left", 4, middle - 14);
  side(frame.columns.title, "right", layout.to + layout.rightWidth,
    layout.to + layout.rightWidth - middle - 14);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {any} frame
 * @param {any} layout
 * @param {Palette} palette
 */
function paintCurves(context, frame, layout, palette) {
  const { from, to, pitchLeft, pitchRight, unit } = layout;
  const { row: onlyQuery, column: onlyKey } = frame.pointed;
  const isolated = onlyQuery !== null || onlyKey !== null;
  const bend = (to - from) * 0.45;
  const strongest = Math.min(7 * unit, 0.75 * Math.max(pitchLeft, 8));
  /** @param {number} query @param {any} strength @param {any} colour */
  const draw = (query, strength, colour) => {
    const y = (query + 0.5) * pitchLeft;
    for (let key = 0; key < frame.columns.count; key += 1) {
      const weight = frame.value(query, key) / (frame.limit ?? 1);
      if (frame.hidden(query, key) || weight < LEAST_LINE) continue;
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
    if (query === frame.current) continue;
    draw(query, isolated || frame.current === null ? 1 : 0.38, ink);
  }
  if (frame.current !== null && (onlyQuery === null || onlyQuery === frame.current)) {
    draw(frame.current, 1, palette.accent);
  }
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Label[]} labels
 * @param {any} layout
 * @param {Palette} palette
 * @param {any} values
 */
function paintColumn(context, labels, layout, palette, { pitch, x, align, current, reached, lit }) {
  const height = Math.min(pitch - 1, 1.6 * layout.type);
  labels.forEach((/** @type {Label} */ label, /** @type {number} */ i) => {
    const look = { size: Math.min(layout.type, 0.94 * pitch), room: layout.most, x, align, height,
      strong: i === current,
      colour: i === current ? palette.accent : i < reached ? palette.ink : palette.quiet };
    context.save();
    context.translate(0, (i + 0.5) * pitch);
    if (i === lit) {
      context.fillStyle = palette.hair;
      context.beginPath();
      context.roundRect(...labelBox(context, palette, label, look), 3);
      context.fill();
    }
    paintLabel(context, palette, label, look);
    context.restore();
  });
}

/** @type {GridPainter} */
export const LINES = { layout: layoutLines, hit: hitLines, paint: paintLines };
