// The large map as a heat map: where everything goes, how it is drawn, what lies under a point.
//
// A `frame` says what is shown (see frameOf in map.js), a `layout` says where; both are values.

import { elided, fillStanding, isRightToLeft, widthOf } from "./labels.js";
import { weightInCell } from "./numbers.js";

const SCALE_GAP = 14; // between the cells and the printed scale
export const LEAST_PITCH = 10; // CSS pixels between two labels at the normal type size

/** The type size of labels; rounded as in the fonts made from it, so that measured widths fit. */
export function typeSize(unit) {
  return Math.round(120 * unit) / 10;
}

/**
 * Where the parts of the heat map go.
 * @param {Object} frame
 * @param {{width: number, height: number}} view the visible box, CSS pixels
 * @param {number} unit type size over the normal one
 * @param {function(string): number} measure the width of a label at full size
 * @returns {Object} left, top: the first cell; pitchX, pitchY: cell sizes; width, height: the whole
 *     picture, larger than the view when the labels would be too small otherwise
 */
export function layoutHeat(frame, view, unit, measure) {
  const type = typeSize(unit);
  const R = frame.rowRoom;
  const C = frame.columnRoom;
  const widest = (labels) => labels.reduce((most, { label }) => Math.max(most, measure(label)), 8);
  const title = Math.round(1.7 * type);
  const bar = Math.round((view.width < 480 ? 48 : 66) * unit);
  const rowLabel = Math.min(widest(frame.rowLabels), 0.24 * view.width, 130 * unit);
  const left = Math.round(title + rowLabel + 14 * unit);
  const least = Math.round(LEAST_PITCH * unit);
  const longest = widest(frame.columnLabels);
  const across = (view.width - left - bar) / C;

  /** The cells under labels of a height; a cell is at most 1.7 times as wide as it is high. */
  function cellsUnder(labelHeight) {
    const top = Math.round(title + labelHeight + 0.7 * type);
    const down = Math.max(least, (view.height - top - 3) / R);
    const wide = Math.max(1.7 * down, 28 * unit);
    const pitchX = Math.floor(Math.max(least, Math.min(across, wide, 76 * unit)));
    const pitchY = Math.floor(Math.min(down, Math.max(least, 1.3 * pitchX), 54 * unit));
    return { top, pitchX, pitchY };
  }

  // Column labels lie flat when they fit, else they slant while they do not touch, else they stand.
  let angle = 0;
  let reach = longest;
  let cells = cellsUnder(type);
  if (longest > cells.pitchX - 6 * unit) {
    angle = 45;
    const limit = Math.min(longest, 110 * unit, 0.3 * view.height);
    reach = Math.min(limit, (bar + 0.4 * cells.pitchX) * 1.35);
    cells = cellsUnder(0.71 * reach + 0.5 * type);
    if (cells.pitchX < 1.4 * type) {
      angle = 90;
      reach = limit;
      cells = cellsUnder(limit);
    }
  }
  return {
    ...cells, left, angle, reach, bar, type, unit, title, rowLabel, view,
    width: left + cells.pitchX * C + bar,
    height: cells.top + cells.pitchY * R + 3,
  };
}

/** The rectangle [x, y, width, height] of a cell, relative to the canvas as it is scrolled. */
export function cellBox(layout, scroll, query, key) {
  return [
    layout.left + key * layout.pitchX - scroll.x,
    layout.top + query * layout.pitchY - scroll.y,
    layout.pitchX,
    layout.pitchY,
  ];
}

/** What lies under a point of the canvas: {query, key}, one of them null on a label, or null. */
export function hitHeat(frame, layout, scroll, x, y) {
  const key = Math.floor((x + scroll.x - layout.left) / layout.pitchX);
  const query = Math.floor((y + scroll.y - layout.top) / layout.pitchY);
  const onColumn = x >= layout.left && key >= 0 && key < frame.columns;
  const onRow = y >= layout.top && query >= 0 && query < frame.visible;
  if (x < layout.left && onRow) return { query, key: null };
  if (y < layout.top && onColumn) return { query: null, key };
  return onColumn && onRow ? { query, key } : null;
}

/** Draws the whole heat map. */
export function paintHeat(context, frame, layout, scroll, palette, hatch) {
  const { view, left, top } = layout;
  context.clearRect(0, 0, view.width, view.height);
  context.save();
  context.beginPath();
  context.rect(left - 2, top - 2, view.width - left - layout.bar + 4, view.height - top + 2);
  context.clip();
  context.translate(left - scroll.x, top - scroll.y);
  paintCells(context, frame, layout, palette, hatch);
  paintMarks(context, frame, layout, palette);
  context.restore();
  paintRowLabels(context, frame, layout, scroll, palette);
  paintColumnLabels(context, frame, layout, scroll, palette);
  paintTitles(context, frame, layout, palette);
  paintScale(context, frame, layout, palette, hatch);
}

function paintCells(context, frame, layout, palette, hatch) {
  const { pitchX, pitchY, type } = layout;
  const C = frame.columns;
  const width = C * pitchX;
  const height = frame.visible * pitchY;
  context.fillStyle = palette.panel;
  context.fillRect(0, 0, width, height);
  context.fillStyle = hatch;
  context.fillRect(0, 0, width, height);
  context.imageSmoothingEnabled = false;
  context.drawImage(frame.picture, 0, 0, C, frame.visible, 0, 0, width, height);
  // Hairlines part the cells, in the panel's colour, so that empty cells stay countable.
  context.fillStyle = palette.panel;
  const line = Math.min(pitchX, pitchY) >= 16 ? 1 : 0.5;
  for (let key = 1; key < C; key += 1) context.fillRect(key * pitchX - line / 2, 0, line, height);
  for (let query = 1; query < frame.visible; query += 1) {
    context.fillRect(0, query * pitchY - line / 2, width, line);
  }
  if (pitchX < 2.7 * type || pitchY < 1.35 * type) return;
  context.font = `${Math.round(0.88 * type)}px ${palette.sans}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let query = 0; query < frame.visible; query += 1) {
    for (let key = 0; key < C; key += 1) {
      const weight = frame.weight(query, key);
      if (weight === null || weight < 0.095) continue;
      context.fillStyle = palette.on(weight);
      context.fillText(weightInCell(weight), (key + 0.5) * pitchX,
        (query + 0.54) * pitchY);
    }
  }
}

function paintMarks(context, frame, layout, palette) {
  const { pitchX, pitchY } = layout;
  const width = frame.columns * pitchX;
  const height = frame.visible * pitchY;
  context.lineWidth = 1;
  context.strokeStyle = palette.hair;
  context.strokeRect(-0.5, -0.5, width + 1, height + 1);
  context.strokeStyle = palette.quiet;
  context.setLineDash([1.5, 3]);
  frame.columnLabels.forEach(({ kind }, key) => {
    if (kind === "pad") context.strokeRect(key * pitchX + 0.5, 0.5, pitchX - 1, height - 1);
  });
  context.setLineDash([]);
  const { query, key } = frame.pointed;
  context.strokeStyle = palette.ink;
  context.globalAlpha = 0.55;
  if (query !== null) context.strokeRect(-0.5, query * pitchY - 0.5, width + 1, pitchY + 1);
  if (key !== null) context.strokeRect(key * pitchX - 0.5, -0.5, pitchX + 1, height + 1);
  context.globalAlpha = 1;
  if (frame.current !== null) {
    context.strokeStyle = palette.accent;
    context.lineWidth = 2;
    context.strokeRect(-1, frame.current * pitchY - 1, width + 2, pitchY + 2);
  }
  if (frame.kept && frame.kept.query < frame.visible) {
    context.strokeStyle = palette.accent;
    context.lineWidth = 2;
    context.strokeRect(frame.kept.key * pitchX + 1, frame.kept.query * pitchY + 1, pitchX - 2,
      pitchY - 2);
  }
  if (query !== null && key !== null) {
    context.lineWidth = 2;
    context.strokeStyle = palette.panel;
    context.strokeRect(key * pitchX - 2, query * pitchY - 2, pitchX + 4, pitchY + 4);
    context.strokeStyle = palette.ink;
    context.strokeRect(key * pitchX, query * pitchY, pitchX, pitchY);
  }
}

/** The frame around the label of a special token (solid) or a pad (dotted); filled if pointed. */
export function paintTag(context, palette, kind, lit, x, y, width, height) {
  if (lit) {
    context.fillStyle = palette.hair;
    context.beginPath();
    context.roundRect(x, y, width, height, 3);
    context.fill();
  }
  if (kind === "text") return;
  context.strokeStyle = palette.faint;
  context.lineWidth = 1;
  context.setLineDash(kind === "pad" ? [1.5, 2.5] : []);
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, 3);
  context.stroke();
  context.setLineDash([]);
}

export function labelFont(layout, pitch, palette, strong) {
  const size = Math.min(layout.type, 0.94 * pitch);
  return `${strong ? "600 " : ""}${size.toFixed(1)}px ${palette.mono}`;
}

function paintRowLabels(context, frame, layout, scroll, palette) {
  const { left, top, pitchY, view, unit } = layout;
  context.save();
  context.beginPath();
  context.rect(0, top - 2, left, view.height - top + 2);
  context.clip();
  context.textBaseline = "middle";
  frame.rowLabels.forEach(({ label, kind }, query) => {
    const y = top + (query + 0.5) * pitchY - scroll.y;
    if (y < top - pitchY || y > view.height + pitchY) return;
    const current = query === frame.current;
    const font = labelFont(layout, pitchY, palette, current);
    const text = elided(context, font, label, layout.rowLabel);
    const width = widthOf(context, font, text);
    const height = Math.min(pitchY - 1, 1.5 * layout.type);
    const right = left - 8 * unit;
    paintTag(context, palette, kind, frame.pointed.query === query,
      right - width - 4, y - height / 2, width + 8, height);
    context.font = font;
    context.direction = isRightToLeft(label) ? "rtl" : "ltr";
    context.textAlign = "right";
    context.fillStyle = current ? palette.accent
      : query < frame.visible ? palette.ink : palette.quiet;
    context.fillText(text, right, y + 0.5);
  });
  context.restore();
}

function paintColumnLabels(context, frame, layout, scroll, palette) {
  const { left, top, pitchX, view, unit, angle } = layout;
  const font = labelFont(layout, pitchX, palette, false);
  const room = angle === 0 ? pitchX : layout.reach;
  context.save();
  context.beginPath();
  context.rect(left - 3, layout.title - 2, view.width - left + 3, top - layout.title + 2);
  context.clip();
  context.textBaseline = "middle";
  frame.columnLabels.forEach(({ label, kind }, key) => {
    const x = left + (key + 0.5) * pitchX - scroll.x;
    if (x < left - pitchX || x > view.width - layout.bar + pitchX) return;
    const text = elided(context, font, label, room);
    const width = widthOf(context, font, text);
    // Slanted labels lie closer together than their columns.
    const apart = angle === 0 ? 99 : (angle === 45 ? 0.71 : 1) * pitchX - 1;
    const height = Math.min(apart, 1.45 * layout.type);
    const from = angle === 0 ? -width / 2 : 0;
    context.save();
    context.translate(x, top - (angle === 0 ? 0.95 * layout.type : 7 * unit));
    context.rotate((-angle * Math.PI) / 180);
    paintTag(context, palette, kind, frame.pointed.key === key,
      from - 4, -height / 2, width + 8, height);
    context.font = font;
    context.direction = isRightToLeft(label) ? "rtl" : "ltr";
    context.textAlign = "left";
    context.fillStyle = key < frame.columnsReached ? palette.ink : palette.quiet;
    if (angle === 90) fillStanding(context, text, 0, 0.5);
    else context.fillText(text, from, 0.5);
    context.restore();
  });
  context.restore();
}

function paintTitles(context, frame, layout, palette) {
  const { left, top, title, type, view } = layout;
  context.font = `${Math.round(0.93 * type)}px ${palette.sans}`;
  context.fillStyle = palette.quiet;
  context.direction = "ltr";
  context.textBaseline = "middle";
  context.textAlign = "left";
  const columns = elided(context, context.font, frame.columnTitle, view.width - left);
  context.fillText(columns, left, title * 0.36);
  context.save();
  context.translate(title * 0.4, top);
  context.rotate(-Math.PI / 2);
  context.textAlign = "right";
  context.fillText(elided(context, context.font, frame.rowTitle, view.height - top), 0, 0);
  context.restore();
}

/** The printed scale: weights 0 to 1, and what hatching means when there is any. */
function paintScale(context, frame, layout, palette, hatch) {
  const { unit, type, view, top } = layout;
  const right = Math.min(view.width,
    layout.left + layout.pitchX * frame.columnRoom + layout.bar);
  const x = Math.round(right - layout.bar + SCALE_GAP * unit);
  const wide = Math.round(9 * unit);
  const tall = Math.round(Math.min(132 * unit, view.height - top - 30 * unit));
  if (tall < 30) return;
  for (let i = 0; i < tall; i += 1) {
    context.fillStyle = palette.of(1 - i / (tall - 1));
    context.fillRect(x, top + i, wide, 1);
  }
  context.strokeStyle = palette.hair;
  context.lineWidth = 1;
  context.strokeRect(x - 0.5, top - 0.5, wide + 1, tall + 1);
  context.font = `${Math.round(0.84 * type)}px ${palette.sans}`;
  context.fillStyle = palette.quiet;
  context.direction = "ltr";
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const weight of [1, 0.5, 0]) {
    const y = top + (1 - weight) * tall;
    context.fillText(String(weight), x + wide + 5, Math.min(y + 1, top + tall - 3) + 1);
  }
  if (!frame.masked || tall < 60) return;
  const y = top + tall + 14 * unit;
  if (y + 12 > view.height) return;
  context.fillStyle = palette.panel;
  context.fillRect(x, y, wide + 3, 11 * unit);
  context.fillStyle = hatch;
  context.fillRect(x, y, wide + 3, 11 * unit);
  context.strokeRect(x - 0.5, y - 0.5, wide + 4, 11 * unit + 1);
  context.fillStyle = palette.quiet;
  const room = layout.bar - SCALE_GAP * unit;
  const word = frame.maskedWord;
  const font = context.font;
  if (widthOf(context, font, word) <= room) {
    context.font = font;
    context.fillText(word, x, y + 21 * unit);
  }
}
