// What stands around the cells of a heat map: labels, titles, the printed scale, and arrows to what is
// out of view. See grid.js.

import { makeDiffers } from "../page/elements.js";
import { setType } from "./canvas.js";
import { elided, labelBox, paintLabel, widthOf } from "./labels.js";
import { NAMED_FROM, rowAt } from "./layout.js";
import { scaleNumber } from "./numbers.js";
import { LEAST_SAID } from "../choices.js";
import { bytesOf, cssOf, outline } from "./palette.js";
import { asPen } from "./pens.js";

export const FADE = 20; // CSS pixels at the normal type size

/**
 * Of how many rows or columns one is named: where they are thin, not each.
 * @param {Pick<Painting, "frame" | "layout">} painting
 * @param {boolean} ofRows
 */
function everyOf({ frame: { rows, columns }, layout: { pitchX, pitchY, tops, unit } }, ofRows) {
  if (!(ofRows ? rows : columns).labels || (ofRows && tops)) return 1;
  return Math.ceil((NAMED_FROM * unit) / (ofRows ? pitchY : pitchX) - 0.01);
}

/**
 * What the labels of an axis need: its places, CSS pixels from one to the next, and for a number.
 * @param {Painting} painting
 * @param {boolean} ofRows
 */
function sideOf(painting, ofRows) {
  const { frame, layout: { pitchX, pitchY, type } } = painting;
  const every = everyOf(painting, ofRows);
  return ofRows
    ? { axis: frame.rows, pitch: pitchY, room: 1.5 * type, every, chosen: frame.kept?.row ?? null,
      pointed: frame.pointed?.row ?? null }
    : { axis: frame.columns, pitch: pitchX, room: 3.2 * type, every,
      chosen: frame.kept?.column ?? null, pointed: frame.pointed?.column ?? null };
}

/** Which places of an axis have a label: all tokens that have room; numbers as far apart as they need. @param {ReturnType<typeof sideOf>} side */
function placesOf({ axis, pitch, room, every, chosen }) {
  if (axis.labels) return [...axis.labels.keys()].filter((i) => i % every === 0);
  const step = [1, 2, 4, 8, 16, 32, 64, 128, 256].find((n) => n * pitch >= room) ?? 512;
  const places = Array.from({ length: Math.ceil(axis.count / step) }, (_, i) => i * step);
  return chosen === null ? places
    : [...places.filter((i) => Math.abs(i - chosen) * pitch >= room), chosen];
}

/**
 * The pen at the label of a place, turned as it lies; and how it is written.
 * @param {Painting} painting
 * @param {boolean} ofRows
 * @param {number} i
 * @param {function(Omit<LabelLook, "colour">): void} paint
 */
function atLabel({ context, frame, layout, scroll }, ofRows, i, paint) {
  const { left, top, pitchX, view, unit, type, angle, bar, title, strip } = layout;
  const axis = ofRows ? frame.rows : frame.columns;
  const [y, high] = ofRows ? rowAt(layout, i) : [0, 0];
  const pitch = (ofRows ? high : pitchX) * everyOf({ frame, layout }, ofRows);
  const at = ofRows ? top + y + high / 2 - scroll.y : left + (i + 0.5) * pitchX - scroll.x;
  const [first, last] = ofRows ? [top, view.height] : [left, view.width - (bar > 20 ? bar : 0)];
  if (at < first - 4 || at > last + 4) return;
  context.save();
  context.beginPath();
  if (ofRows) context.rect(0, top - 4, left, view.height - top + 4);
  else context.rect(left - 16, title - 2, view.width - left + 16, top - strip - title + 2);
  context.clip();
  const isFlat = ofRows || angle === 0;
  // Slanted labels lie closer together than their columns.
  const apart = ofRows ? pitch - 1 : isFlat ? 99 : (angle === 45 ? 0.71 : 1) * pitch - 1;
  // Over a thin last column, a standing label would be cut by the end of the canvas.
  const isWhole = angle === 90 && left + pitchX * axis.count - scroll.x <= view.width + 1;
  if (ofRows) context.translate(left - 8 * unit, at);
  else context.translate(Math.min(at, isWhole ? view.width - 0.5 * Math.min(apart, 1.5 * type) - 1 : at),
    top - strip - (isFlat ? 0.95 * type : 7 * unit));
  if (!isFlat) context.rotate((-angle * Math.PI) / 180);
  // The middle of a number, so that all of it stands inside the canvas.
  const half = axis.labels ? 0 : 0.31 * type * labelAt(axis, i).label.length;
  const counted = Math.max(left, half, Math.min(view.width - half, at)) - at;
  paint({ size: type, room: ofRows ? layout.side : isFlat ? (axis.labels ? 2 * pitch : 99) : layout.reach,
    x: ofRows || axis.labels ? 0 : counted, align: ofRows ? "right" : isFlat ? "center" : "left",
    standing: angle === 90 && !ofRows, height: Math.min(apart, 1.5 * type),
    strong: ofRows && i === frame.current });
  context.restore();
}

/** The label of a place, or what it is called where it has no token. @param {GridAxis} axis @param {number} i */
const labelAt = ({ labels, counted = String }, i) => labels?.[i] ?? { label: counted(i), kind: "text" };

/** The labels of one axis: tokens in their frames, or numbers. @param {Painting} painting @param {boolean} ofRows */
export function paintAxis(painting, ofRows) {
  const { context, frame, palette } = painting;
  const side = sideOf(painting, ofRows);
  const { axis, chosen } = side;
  const lit = axis.lit ?? axis.count;
  for (const i of placesOf(side)) {
    const label = labelAt(axis, i);
    const isNow = ofRows && i === frame.current;
    const isChosen = !axis.labels && i === chosen;
    const tint = axis.tint?.(i) ?? 0;
    const isQuiet = !axis.labels || i >= lit || label.kind === "pad" || label.kind === "fold";
    atLabel(painting, ofRows, i, (look) => {
      if (tint > 0) {
        context.fillStyle = palette.of(tint);
        context.beginPath();
        context.roundRect(...labelBox(palette, label, look), 3);
        context.fill();
      }
      paintLabel(context, palette, label, { ...look, colour: tint > 0 ? palette.on(tint)
        : isNow || isChosen ? palette.accent : isQuiet ? palette.quiet : palette.ink });
    });
  }
}

/** The label of the row or the column that is pointed at. @param {Painting} painting @param {boolean} ofRows */
export function paintLit(painting, ofRows) {
  const { context, palette, layout: { type } } = painting;
  const side = sideOf(painting, ofRows);
  const { axis, pitch, every, pointed: i } = side;
  if (i === null || (axis.labels && !axis.labels[i])) return;
  const label = labelAt(axis, i);
  const isWritten = axis.labels !== null && i % every === 0;
  // Not two labels in one place: that of what is pointed at stays.
  const least = axis.labels ? every * pitch : (ofRows ? 1.2 : 2.6) * type;
  const near = isWritten ? [] : placesOf(side).filter((other) => Math.abs(other - i) * pitch < least);
  for (const other of near) {
    atLabel(painting, ofRows, other, (look) =>
      context.clearRect(...labelBox(palette, labelAt(axis, other), look)));
  }
  atLabel(painting, ofRows, i, (look) => {
    // Not every label is written; the one pointed at stands over its neighbours.
    context.globalCompositeOperation = isWritten ? "destination-over" : "source-over";
    context.fillStyle = palette.hair;
    context.beginPath();
    context.roundRect(...labelBox(palette, label, look), 3);
    context.fill();
    if (!isWritten) paintLabel(context, palette, label, { ...look, colour: palette.ink });
  });
}

/**
 * Writes as much of a text as there is room for.
 * @param {Pick<Painting, "context" | "palette">} painting
 * @param {string} text
 * @param {number} size of the type
 * @param {CanvasTextAlign} align
 * @param {{x: number, y: number, room: number}} place
 */
export function writeTitle({ context, palette }, text, size, align, { x, y, room }) {
  const font = `${Math.round(size)}px ${palette.sans}`;
  const short = elided(font, text, room);
  setType(context, font, palette.quiet, align);
  context.fillText(short, x, y);
}

/** @param {Painting} painting */
export function paintTitles(painting) {
  const { context, frame: { rows, columns }, layout } = painting;
  const { left, top, title, type, view, pitchX } = layout;
  if (!title) return;
  const parts = columns.parts ?? [{ at: 0, title: columns.title ?? "" }];
  parts.forEach((part, i) => {
    const x = left + part.at * pitchX;
    const end = i + 1 < parts.length ? left + parts[i + 1].at * pitchX - 6 : view.width;
    const isCut = widthOf(`${Math.round(type)}px ${painting.palette.sans}`, part.title) > end - x;
    writeTitle(painting, (isCut && part.brief) || part.title, type, "left", { x, y: 0.36 * title, room: end - x });
  });
  context.save();
  context.translate(0.4 * title, top);
  context.rotate(-Math.PI / 2);
  writeTitle(painting, (layout.aside && rows.title) || "", type, "right", { x: 0, y: 0, room: view.height - top });
  context.restore();
}

/** A bar over each column, the largest as high as there is room; what they are stands beside them. @param {Painting} painting */
export function paintBeside(painting) {
  const { context, frame: { beside, columns }, layout, scroll, palette } = painting;
  const { left, top, pitchX, strip, type, view, bar } = layout;
  if (!beside) return;
  const most = Math.max(...Array.from(beside.values)) || 1;
  const high = strip - 6;
  context.save();
  context.beginPath();
  context.rect(left, top - strip, view.width - left - (bar > 20 ? bar : 0), strip);
  context.clip();
  context.fillStyle = palette.faint;
  for (let i = 0; i < columns.count; i += 1) {
    const tall = Math.max(1, (high * beside.values[i]) / most);
    context.fillRect(left + (i + 0.15) * pitchX - scroll.x, top - 4 - tall, 0.7 * pitchX, tall);
  }
  context.restore();
  writeTitle(painting, beside.title, type, "right",
    { x: left - 6, y: top - 0.5 * strip, room: left - 8 });
}

/** The printed scale, and what hatching means where there is any. @param {Painting} painting @param {?CanvasPattern} hatch */
export function paintScale({ context, frame, layout, palette }, hatch) {
  const { unit, type, view, top, left, pitchX, bar } = layout;
  const { kind, limit = 1, masked, columns, range: [low, high] = [0, 1] } = frame;
  const right = Math.min(view.width, left + pitchX * (columns.room ?? columns.count) + bar);
  const x = Math.round(right - bar + 13 * unit);
  const wide = Math.round(9 * unit);
  const tall = Math.round(Math.min(132 * unit, view.height - top - 30 * unit));
  if (tall < 30) return;
  const isSigned = kind === "signed";
  for (let i = 0; i < tall; i += 1) {
    const share = 1 - i / (tall - 1);
    context.fillStyle = cssOf(bytesOf({ kind, limit: 1 }, isSigned ? 2 * share - 1 : share, palette));
    context.fillRect(x, top + i, wide, 1);
  }
  outline(context, palette.hair, 1, x - 0.5, top - 0.5, wide + 1, tall + 1);
  const font = `${Math.round(type)}px ${palette.sans}`;
  setType(context, font, palette.quiet, "left");
  (isSigned ? [limit, 0, -limit] : [high, (low + high) / 2, low]).forEach((value, i) =>
    context.fillText(isSigned ? scaleNumber(value, limit, 0.001) : String(+value.toPrecision(2)), x + wide + 4,
      top + 4 + (i / 2) * (tall - 8)));
  const y = top + tall + 14 * unit;
  if (frame.counts) context.fillText(frame.counts, x, y);
  if (!masked || tall < 60 || y + 12 > view.height) return;
  for (const style of [palette.panel, hatch ?? ""]) {
    context.fillStyle = style;
    context.fillRect(x, y, wide + 3, 11 * unit);
  }
  outline(context, palette.hair, 1, x - 0.5, y - 0.5, wide + 4, 11 * unit + 1);
  if (widthOf(font, masked) > bar - 13 * unit) return;
  setType(context, font, palette.quiet, "left");
  context.fillText(masked, x, y + 21 * unit);
}

/** The column of a row's largest weight; -1 where none is worth saying. @param {GridFrame} frame @param {number} row */
export function largestInRow(frame, row) {
  let [largest, at] = [LEAST_SAID, -1];
  for (let column = 0; column < frame.columns.count; column += 1) {
    const value = frame.hidden?.(row, column) ? 0 : frame.value(row, column);
    if (value > largest) [largest, at] = [value, column];
  }
  return at;
}

/**
 * The rows in view whose largest weight is not, and at which side: -1 left, 1 right.
 * @param {Pick<Painting, "frame" | "layout" | "scroll">} painting
 * @param {function(number): number} largest the column of a row's largest weight, or -1
 * @returns {{row: number, side: number}[]}
 */
export function readElsewhere({ frame, layout, scroll }, largest) {
  const { left, top, bar, view, width, pitchX } = layout;
  if (frame.kind !== "weight" || frame.by || frame.bars || width <= view.width) return [];
  const [from, upto] = [scroll.x, scroll.x + view.width - left - (bar > 20 ? bar : 0)];
  const found = [];
  for (let row = 0; row < frame.rows.count; row += 1) {
    const [y, high] = rowAt(layout, row);
    const down = y + high / 2 - scroll.y;
    const column = down < 0 || down > view.height - top ? -1 : largest(row);
    const middle = (column + 0.5) * pitchX;
    if (column >= 0 && (middle < from || middle > upto)) found.push({ row, side: middle < from ? -1 : 1 });
  }
  return found;
}

/** What paints the arrows; it looks for a row's largest weight once, as long as the numbers are the same. */
export function makeArrows() {
  const isOther = makeDiffers();
  /** @type {Map<number, number>} */
  const known = new Map();
  return (/** @type {Painting} */ painting) => {
    const { context, frame, layout, scroll, palette } = painting;
    const { left, top, bar, view, unit } = layout;
    if (isOther(...frame.key)) known.clear();
    const size = 4.5 * unit;
    context.fillStyle = palette.ink;
    const largest = (/** @type {number} */ row) => {
      if (!known.has(row)) known.set(row, largestInRow(frame, row));
      return known.get(row) ?? -1;
    };
    for (const { row, side } of readElsewhere(painting, largest)) {
      const [y, high] = rowAt(layout, row);
      const middle = top + y + high / 2 - scroll.y;
      const tip = side < 0 ? left + 2 : view.width - (bar > 20 ? bar : 0) - 2;
      context.beginPath();
      context.moveTo(tip, middle);
      context.lineTo(tip - 1.4 * side * size, middle - size);
      context.lineTo(tip - 1.4 * side * size, middle + size);
      context.fill();
    }
  };
}

/** Fades the cells at a side where there are more of them beyond. @param {Pick<Painting, "context" | "layout" | "scroll">} painting */
export function paintFades({ context, layout, scroll }) {
  const { left, top, title, bar, view, width, unit } = layout;
  const right = view.width - (bar > 20 ? bar : 0);
  const fade = FADE * unit;
  if (asPen(context)) return; // on paper nothing is scrolled
  for (const [beyond, edge, inside] of [[scroll.x, left, left + fade],
    [width - view.width - scroll.x, right, right - fade]]) {
    if (beyond < 1) continue;
    const gradient = context.createLinearGradient(edge, 0, inside, 0);
    gradient.addColorStop(0, "#000");
    gradient.addColorStop(1, "#0000");
    context.save();
    context.globalCompositeOperation = "destination-out";
    context.fillStyle = gradient;
    // Frames and labels reach a little beyond the cells.
    for (const [y, high, out] of [[title, top - title, 16], [top, view.height, 4]]) {
      context.fillRect(Math.min(edge - out, inside), y, fade + out, high);
    }
    context.restore();
  }
}
