// The large map as lines: queries on the left, keys on the right, a curve for each weight.

import { labelFont, LEAST_PITCH, paintTag, typeSize } from "./heatmap.js";
import { elided, isRightToLeft, widthOf } from "./labels.js";

const LEAST_LINE = 0.02; // weights below are not drawn: thousands of invisible curves

/** Where the two columns of tokens go; the same value conventions as layoutHeat. */
export function layoutLines(frame, view, unit, measure) {
  const type = typeSize(unit);
  const title = Math.round(2 * type);
  const widest = (labels) => labels.reduce((most, { label }) => Math.max(most, measure(label)), 8);
  const most = Math.min(150 * unit, 0.3 * view.width);
  const leftWidth = Math.min(widest(frame.rowLabels), most) + 12 * unit;
  const rightWidth = Math.min(widest(frame.columnLabels), most) + 12 * unit;
  const least = LEAST_PITCH * unit + 1;
  const pitchOf = (count) =>
    Math.max(least, Math.min(34 * unit, (view.height - title - 4) / count));
  const pitchLeft = pitchOf(frame.rowRoom);
  const pitchRight = pitchOf(frame.columnRoom);
  const gap = Math.min(view.width - leftWidth - rightWidth - 8, 640 * unit);
  const from = 4 + leftWidth;
  const height = title + Math.max(pitchLeft * frame.rowRoom, pitchRight * frame.columnRoom) + 4;
  return {
    type, title, unit, view, leftWidth, rightWidth, pitchLeft, pitchRight,
    from, to: from + gap, width: view.width, height, most,
  };
}

/** The rectangles of the labels, relative to the canvas. */
export function tokenBoxes(frame, layout, scroll) {
  const column = (count, x, width, pitch) => Array.from({ length: count }, (_, i) =>
    [x, layout.title + i * pitch - scroll.y, width, pitch]);
  return {
    queries: column(frame.visible, 0, layout.from, layout.pitchLeft),
    keys: column(frame.columns, layout.to, layout.rightWidth, layout.pitchRight),
  };
}

/** The token under a point, as {query, key} with one of them null; or null. */
export function hitLines(frame, layout, scroll, x, y) {
  const down = y + scroll.y - layout.title;
  if (down < 0) return null;
  const middle = (layout.to - layout.from) * 0.2;
  if (x <= layout.from + middle) {
    const query = Math.floor(down / layout.pitchLeft);
    return query < frame.visible ? { query, key: null } : null;
  }
  if (x >= layout.to - middle) {
    const key = Math.floor(down / layout.pitchRight);
    return key < frame.columns ? { query: null, key } : null;
  }
  return null;
}

/** Draws the two columns and the curves. */
export function paintLines(context, frame, layout, scroll, palette) {
  const { view, title } = layout;
  context.clearRect(0, 0, view.width, view.height);
  context.save();
  context.beginPath();
  context.rect(0, title - 4, view.width, view.height - title + 4);
  context.clip();
  context.translate(0, title - scroll.y);
  paintCurves(context, frame, layout, palette);
  paintColumn(context, frame.rowLabels, layout, palette, {
    pitch: layout.pitchLeft,
    x: layout.from - 8 * layout.unit,
    align: "right",
    current: frame.current,
    reached: frame.visible,
    lit: frame.pointed.query,
  });
  paintColumn(context, frame.columnLabels, layout, palette, {
    pitch: layout.pitchRight,
    x: layout.to + 8 * layout.unit,
    align: "left",
    current: null,
    reached: frame.columnsReached,
    lit: frame.pointed.key,
  });
  context.restore();
  const font = `${Math.round(0.93 * layout.type)}px ${palette.sans}`;
  context.fillStyle = palette.quiet;
  context.direction = "ltr";
  context.textBaseline = "middle";
  const middle = (layout.from + layout.to) / 2;
  const side = (text, align, x, room) => {
    const short = elided(context, font, text, room);
    context.font = font;
    context.textAlign = align;
    context.fillText(short, x, 0.34 * title);
  };
  side(frame.rowTitle, "left", 4, middle - 14);
  side(frame.columnTitle, "right", layout.to + layout.rightWidth,
    layout.to + layout.rightWidth - middle - 14);
}

function paintCurves(context, frame, layout, palette) {
  const { from, to, pitchLeft, pitchRight, unit } = layout;
  const { query: onlyQuery, key: onlyKey } = frame.pointed;
  const isolated = onlyQuery !== null || onlyKey !== null;
  const bend = (to - from) * 0.45;
  const strongest = Math.min(7 * unit, 0.75 * Math.max(pitchLeft, 8));
  const draw = (query, strength, colour) => {
    const y = (query + 0.5) * pitchLeft;
    for (let key = 0; key < frame.columns; key += 1) {
      const weight = frame.weight(query, key);
      if (weight === null || weight < LEAST_LINE) continue;
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
  for (let query = 0; query < frame.visible; query += 1) {
    if (onlyQuery !== null && query !== onlyQuery) continue;
    if (query === frame.current) continue;
    draw(query, isolated || frame.current === null ? 1 : 0.38, ink);
  }
  if (frame.current !== null && (onlyQuery === null || onlyQuery === frame.current)) {
    draw(frame.current, 1, palette.accent);
  }
  context.globalAlpha = 1;
}

function paintColumn(context, labels, layout, palette, { pitch, x, align, current, reached, lit }) {
  const height = Math.min(pitch - 1, 1.6 * layout.type);
  labels.forEach(({ label, kind }, i) => {
    const font = labelFont(layout, pitch, palette, i === current);
    const y = (i + 0.5) * pitch;
    const text = elided(context, font, label, layout.most);
    const width = widthOf(context, font, text);
    const left = align === "right" ? x - width : x;
    paintTag(context, palette, kind, i === lit, left - 4, y - height / 2, width + 8, height);
    context.font = font;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.direction = isRightToLeft(label) ? "rtl" : "ltr";
    context.fillStyle = i === current ? palette.accent : i < reached ? palette.ink : palette.quiet;
    context.fillText(text, left, y + 0.5);
  });
}
