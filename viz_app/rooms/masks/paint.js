// How a small map of the room Masks is painted; see grid.js for what is painted.

import { paintTag } from "../../stage/draw/heatmap.js";
import { elided, fillStanding, isRightToLeft, widthOf } from "../../stage/draw/labels.js";
import { fixed, weightInCell } from "../../stage/draw/numbers.js";

/** Calls `paint(place, offset)` for the places of an axis that are in view. */
function eachPlaceInView(places, pitch, scrolled, room, paint) {
  const first = Math.max(0, Math.floor(scrolled / pitch));
  const last = Math.min(places.length - 1, Math.floor((scrolled + room) / pitch));
  for (let i = first; i <= last; i += 1) paint(places[i], i * pitch);
}

export function paintMaskMap(context, sheet, axes, layout, view, look) {
  const { left, top } = layout;
  context.clearRect(0, 0, view.width, view.height);
  context.save();
  context.beginPath();
  context.rect(left - 2, top - 2, view.width - left + 2, view.height - top + 2);
  context.clip();
  context.translate(left - view.x, top - view.y);
  paintMaskCells(context, sheet, axes, layout, view, look);
  paintMaskFrame(context, sheet, axes, layout, look.palette);
  context.restore();
  paintMaskRowLabels(context, axes, layout, view, look.palette);
  paintMaskColumnLabels(context, axes, layout, view, look.palette);
}

function paintMaskCells(context, sheet, axes, layout, view, look) {
  const { pitchX, pitchY, type, left, top } = layout;
  const { palette } = look;
  const wide = sheet.kind === "mask" ? 0.9 : 2.35;
  const numbers = pitchX >= wide * type && pitchY >= 1.1 * type;
  const gap = Math.min(pitchX, pitchY) >= 12 ? 1 : 0.5;
  const font = `${Math.round((sheet.kind === "mask" ? 0.86 : 0.8) * type)}px ${palette.sans}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.direction = "ltr";
  context.font = font;
  eachPlaceInView(axes.rowPlaces, pitchY, view.y, view.height - top, (row, y) => {
    if (row.at !== null && row.at >= sheet.reached) return;
    eachPlaceInView(axes.columnPlaces, pitchX, view.x, view.width - left, (column, x) => {
      const box = [x, y, pitchX - gap, pitchY - gap];
      if (row.at === null || column.at === null) paintFold(context, palette, box);
      else paintMaskCell(context, sheet, row.at, column.at, box, numbers, look);
    });
  });
}

/** The pads that are only counted: three dots, no number. */
function paintFold(context, palette, box) {
  const [x, y, width, height] = box;
  context.fillStyle = palette.faint;
  for (const turn of [-1, 0, 1]) {
    context.fillRect(x + width / 2 + 3 * turn - 0.5, y + height / 2 - 0.5, 1, 1);
  }
}

function paintMaskCell(context, sheet, query, key, box, numbers, { palette, signed, hatch }) {
  const [x, y, width, height] = box;
  const hidden = sheet.hidden(query, key);
  const value = sheet.value(query, key);
  const colour = sheet.kind === "weights" ? palette.of(value)
    : sheet.kind === "mask" ? palette.of(0.14) : signed.of(value / (sheet.most || 1));
  const coloured = !hidden || (sheet.kind === "weights" && value > 0);
  context.fillStyle = coloured ? colour : palette.panel;
  context.fillRect(...box);
  if (hidden) {
    context.fillStyle = hatch;
    context.fillRect(...box);
  }
  const mark = sheet.mark(query, key);
  if (mark) {
    paintDeparture(context, palette, mark, ...box);
    return;
  }
  if (!numbers || sheet.kind === "difference") return;
  const [middle, line] = [x + width / 2 + 0.5, y + 0.54 * height + 0.5];
  if (sheet.kind === "mask") {
    context.fillStyle = hidden ? palette.quiet : palette.on(0.14);
    context.fillText(hidden ? "0" : "1", middle, line);
  } else if (!hidden && (sheet.kind !== "weights" || value >= 0.095)) {
    context.fillStyle = sheet.kind === "weights" ? palette.on(value)
      : signed.on(value / (sheet.most || 1));
    context.fillText(sheet.kind === "weights" ? weightInCell(value)
      : fixed(value, 1), middle, line);
  }
}

/** A dot where a cell is open that should be hidden, a cross where it is the other way round. */
function paintDeparture(context, palette, mark, x, y, width, height) {
  const size = Math.max(2, Math.min(width, height) * 0.2);
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  context.beginPath();
  if (mark === "opened") {
    context.arc(middleX, middleY, size, 0, 2 * Math.PI);
    context.fillStyle = palette.accent;
    context.fill();
    context.strokeStyle = palette.panel;
    context.lineWidth = 1;
    context.stroke();
    return;
  }
  context.strokeStyle = palette.accent;
  context.lineWidth = Math.max(1.2, size * 0.45);
  for (const turn of [-1, 1]) {
    context.moveTo(middleX - size, middleY - turn * size);
    context.lineTo(middleX + size, middleY + turn * size);
  }
  context.stroke();
}

function paintMaskFrame(context, sheet, axes, layout, palette) {
  const { pitchX, pitchY } = layout;
  const [C, R] = [axes.columnPlaces.length, axes.rowPlaces.length];
  context.lineWidth = 1;
  context.strokeStyle = palette.hair;
  context.strokeRect(-0.5, -0.5, C * pitchX + 1, R * pitchY + 1);
  context.strokeStyle = palette.quiet;
  context.setLineDash([1.5, 3]);
  const isPad = (labels) => ({ at }) => at === null || labels[at].kind === "pad";
  axes.columnPlaces.forEach((place, i) => {
    if (!isPad(axes.columns)(place)) return;
    context.strokeRect(i * pitchX + 0.5, 0.5, pitchX - 1, R * pitchY - 1);
  });
  axes.rowPlaces.forEach((place, i) => {
    if (!isPad(axes.rows)(place)) return;
    context.strokeRect(0.5, i * pitchY + 0.5, C * pitchX - 1, pitchY - 1);
  });
  context.setLineDash([]);
  // A row that may read nothing is framed: it is easily taken for one that reads evenly.
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.5;
  axes.rowPlaces.forEach(({ at: query }, i) => {
    if (query === null || sheet.kind === "difference") return;
    if (axes.columns.some((_, key) => !sheet.hidden(query, key))) return;
    context.strokeRect(0, i * pitchY, C * pitchX - 0.5, pitchY - 0.5);
  });
  if (sheet.kind === "weights" && sheet.reached < R && sheet.reached > 0) {
    context.lineWidth = 2;
    context.strokeRect(-0.5, (sheet.reached - 1) * pitchY - 0.5, C * pitchX + 1, pitchY + 1);
  }
}

/** What names a place: its token, or how many pads it stands for. */
function maskLabelAt(labels, { at, hidden }) {
  return at === null ? { label: `+${hidden}`, kind: "pad" } : labels[at];
}

function paintMaskRowLabels(context, axes, layout, view, palette) {
  const { left, top, pitchY, type, unit } = layout;
  context.save();
  context.beginPath();
  context.rect(0, top - 2, left, view.height - top + 2);
  context.clip();
  context.textBaseline = "middle";
  const font = `${Math.min(type, 0.96 * pitchY).toFixed(1)}px ${palette.mono}`;
  eachPlaceInView(axes.rowPlaces, pitchY, view.y, view.height - top, (place, offset) => {
    const { label, kind } = maskLabelAt(axes.rows, place);
    const text = elided(context, font, label, layout.rowLabel);
    const width = widthOf(context, font, text);
    const y = top - view.y + offset + 0.5 * pitchY;
    const height = Math.min(pitchY - 1, 1.45 * type);
    const right = left - 7 * unit;
    if (place.at !== null) {
      paintTag(context, palette, kind, false, right - width - 3, y - height / 2, width + 6, height);
    }
    context.font = font;
    context.direction = isRightToLeft(label) ? "rtl" : "ltr";
    context.textAlign = "right";
    context.fillStyle = kind === "pad" ? palette.quiet : palette.ink;
    context.fillText(text, right, y + 0.5);
  });
  context.restore();
}

function paintMaskColumnLabels(context, axes, layout, view, palette) {
  const { left, top, pitchX, type, unit, flat } = layout;
  context.save();
  context.beginPath();
  context.rect(left - 2, 0, view.width - left + 2, top);
  context.clip();
  context.textBaseline = "middle";
  const font = `${Math.min(type, flat ? type : 0.96 * pitchX).toFixed(1)}px ${palette.mono}`;
  eachPlaceInView(axes.columnPlaces, pitchX, view.x, view.width - left, (place, offset) => {
    const { label, kind } = maskLabelAt(axes.columns, place);
    const text = elided(context, font, label, flat ? pitchX : layout.reach);
    const width = widthOf(context, font, text);
    const height = flat ? 1.45 * type : Math.min(pitchX - 1, 1.45 * type);
    context.save();
    context.translate(left - view.x + offset + 0.5 * pitchX,
      top - (flat ? 0.85 * type : 6 * unit));
    if (!flat) context.rotate(-Math.PI / 2);
    const from = flat ? -width / 2 : 0;
    if (place.at !== null) {
      paintTag(context, palette, kind, false, from - 3, -height / 2, width + 6, height);
    }
    context.font = font;
    context.direction = isRightToLeft(label) ? "rtl" : "ltr";
    context.textAlign = "left";
    context.fillStyle = kind === "pad" ? palette.quiet : palette.ink;
    if (flat) context.fillText(text, from, 0.5);
    else fillStanding(context, text, 0, 0.5);
    context.restore();
  });
  context.restore();
}
