// What stands around the cells of a heat map: labels, titles, the printed scale. See grid.js.

import { elided, labelBox, paintLabel, widthOf } from "./labels.js";
import { LEAST_PITCH, rowAt } from "./layout.js";
import { scaleNumber } from "./numbers.js";
import { bytesOf, outline } from "./palette.js";

/**
 * Of how many tokens one is named: where columns are thin, not every one.
 * @param {GridAxis} axis
 * @param {number} pitch
 * @param {number} unit
 */
const everyOf = ({ labels }, pitch, unit) => (labels ? Math.ceil(LEAST_PITCH * unit / pitch - 0.01) : 1);

/**
 * Which places of an axis have a label: all tokens that have room; numbers as far apart as they need.
 * @param {GridAxis} axis
 * @param {number} pitch
 * @param {number} room
 * @param {number} every
 * @param {?number} [chosen]
 */
function placesOf(axis, pitch, room, every, chosen) {
  if (axis.labels) return Array.from(axis.labels, (_, i) => i).filter((i) => i % every === 0);
  const step = [1, 2, 4, 8, 16, 32, 64, 128, 256].find((n) => n * pitch >= room) ?? 512;
  const places = Array.from({ length: Math.ceil(axis.count / step) }, (_, i) => i * step);
  return chosen === null || chosen === undefined ? places
    : [...places.filter((i) => Math.abs(i - chosen) * pitch >= room), chosen];
}

/**
 * The pen at the label of a place, turned as it lies; and how it is written.
 * @param {CanvasRenderingContext2D} context
 * @param {GridFrame} frame
 * @param {GridLayout} layout
 * @param {{x: number, y: number}} scroll
 * @param {boolean} ofRows
 * @param {number} i
 * @param {function(Omit<LabelLook, "colour">): void} paint
 */
function atLabel(context, frame, layout, scroll, ofRows, i, paint) {
  const { left, top, pitchX, view, unit, type, angle, bar, title, strip } = layout;
  const axis = ofRows ? frame.rows : frame.columns;
  const [y, high] = ofRows ? rowAt(layout, i) : [0, 0];
  const pitch = ofRows ? high : pitchX * everyOf(axis, pitchX, unit);
  const at = ofRows ? top + y + high / 2 - scroll.y : left + (i + 0.5) * pitchX - scroll.x;
  const [first, last] = ofRows ? [top, view.height] : [left, view.width - (bar > 20 ? bar : 0)];
  if (at < first - 4 || at > last + 4) return;
  context.save();
  context.beginPath();
  if (ofRows) context.rect(0, top - 4, left, view.height - top + 4);
  else context.rect(left - 16, title - 2, view.width - left + 16, top - strip - title + 2);
  context.clip();
  const size = axis.labels ? Math.min(type, 0.94 * (angle === 0 && !ofRows ? 99 : pitch)) : 0.9 * type;
  const isFlat = ofRows || angle === 0;
  // Slanted labels lie closer together than their columns.
  const apart = ofRows ? pitch - 1 : isFlat ? 99 : (angle === 45 ? 0.71 : 1) * pitch - 1;
  if (ofRows) context.translate(left - 8 * unit, at);
  else context.translate(at, top - strip - (isFlat ? 0.95 * type : 7 * unit));
  if (!isFlat) context.rotate((-angle * Math.PI) / 180);
  // The middle of a number, so that all of it stands inside the canvas.
  const half = axis.labels ? 0 : 0.28 * type * countedLabel(axis, i).label.length;
  const counted = Math.max(left, half, Math.min(view.width - half, at)) - at;
  paint({ size, room: ofRows ? layout.side : isFlat ? (axis.labels ? 2 * pitch : 99) : layout.reach,
    x: ofRows || axis.labels ? 0 : counted, align: ofRows ? "right" : isFlat ? "center" : "left",
    standing: angle === 90 && !ofRows, height: Math.min(apart, 1.5 * type),
    strong: ofRows && i === frame.current });
  context.restore();
}

/** What a place is called that has no token. @param {any} values @param {number} i */
const countedLabel = ({ counted = String }, i) => ({ label: counted(i), kind: "text" });

/**
 * The labels of one axis: tokens in their frames, or numbers.
 * @param {CanvasRenderingContext2D} context
 * @param {GridFrame} frame
 * @param {GridLayout} layout
 * @param {{x: number, y: number}} scroll
 * @param {Palette} palette
 * @param {boolean} ofRows
 */
export function paintAxis(context, frame, layout, scroll, palette, ofRows) {
  const axis = ofRows ? frame.rows : frame.columns;
  const chosen = frame.kept?.[ofRows ? "row" : "column"];
  const { type, pitchX, pitchY } = layout;
  const room = (ofRows ? 1.5 : 3.2) * type;
  const lit = axis.lit ?? axis.count;
  const every = ofRows ? 1 : everyOf(axis, pitchX, layout.unit);
  for (const i of placesOf(axis, ofRows ? pitchY : pitchX, room, every, chosen)) {
    const label = axis.labels ? axis.labels[i] : countedLabel(axis, i);
    const isNow = ofRows && i === frame.current;
    const isChosen = !axis.labels && i === chosen;
    const isQuiet = !axis.labels || i >= lit || label.kind === "pad" || label.kind === "fold";
    atLabel(context, frame, layout, scroll, ofRows, i, (look) =>
      paintLabel(context, palette, label, { ...look, colour: isNow ? palette.accent
        : isChosen ? palette.select : isQuiet ? palette.quiet : palette.ink }));
  }
}

/**
 * The labels of the place that is pointed at.
 * @param {CanvasRenderingContext2D} context
 * @param {GridFrame} frame
 * @param {GridLayout} layout
 * @param {{x: number, y: number}} scroll
 * @param {Palette} palette
 */
export function paintLit(context, frame, layout, scroll, palette) {
  for (const ofRows of [true, false]) {
    const i = frame.pointed?.[ofRows ? "row" : "column"] ?? null;
    const axis = ofRows ? frame.rows : frame.columns;
    const { labels } = axis;
    const { pitchX, pitchY, type, unit } = layout;
    const label = labels ? labels[i ?? -1] : i !== null && countedLabel(axis, i);
    if (i === null || !label) continue;
    const every = ofRows ? 1 : everyOf(axis, pitchX, unit);
    const isWritten = labels !== undefined && i % every === 0;
    const pitch = ofRows ? pitchY : pitchX;
    // Not two labels in one place: that of what is pointed at stays.
    const least = labels ? every * pitch : (ofRows ? 1.2 : 2.6) * type;
    const near = isWritten ? [] : placesOf(axis, pitch, (ofRows ? 1.5 : 3.2) * type, every,
      frame.kept?.[ofRows ? "row" : "column"])
      .filter((/** @type {number} */ other) => Math.abs(other - i) * pitch < least);
    for (const other of near) {
      const named = labels?.[other] ?? countedLabel(axis, other);
      atLabel(context, frame, layout, scroll, ofRows, other, (look) =>
        context.clearRect(...labelBox(context, palette, named, look)));
    }
    atLabel(context, frame, layout, scroll, ofRows, i, (look) => {
      // Not every label is written; the one pointed at stands over its neighbours.
      context.globalCompositeOperation = isWritten ? "destination-over" : "source-over";
      context.fillStyle = palette.hair;
      context.beginPath();
      context.roundRect(...labelBox(context, palette, label, look), 3);
      context.fill();
      if (!isWritten) paintLabel(context, palette, label, { ...look, colour: palette.ink });
    });
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {any} values
 * @param {GridLayout} layout
 * @param {Palette} palette
 */
export function paintTitles(context, { rows, columns }, layout, palette) {
  const { left, top, title, type, view, pitchX } = layout;
  if (!title) return;
  const font = `${Math.round(0.93 * type)}px ${palette.sans}`;
  /**
   * @param {string} text
   * @param {number} room
   * @param {CanvasTextAlign} align
   * @param {number} x
   * @param {number} y
   */
  const write = (text, room, align, x, y) => {
    const short = elided(context, font, text ?? "", room);
    context.font = font;
    context.textAlign = align;
    context.fillText(short, x, y);
  };
  context.fillStyle = palette.quiet;
  context.direction = "ltr";
  context.textBaseline = "middle";
  const parts = columns.parts ?? [{ at: 0, title: columns.title }];
  parts.forEach((/** @type {any} */ part, /** @type {number} */ i) => {
    const x = left + part.at * pitchX;
    const end = i + 1 < parts.length ? left + parts[i + 1].at * pitchX - 6 : view.width;
    write(part.title, end - x, "left", x, 0.36 * title);
  });
  context.save();
  context.translate(0.4 * title, top);
  context.rotate(-Math.PI / 2);
  write(rows.title, view.height - top, "right", 0, 0);
  context.restore();
}

/**
 * A bar over each column, the largest as high as there is room; what they are stands beside them.
 * @param {CanvasRenderingContext2D} context
 * @param {GridFrame} frame
 * @param {GridLayout} layout
 * @param {{x: number, y: number}} scroll
 * @param {Palette} palette
 */
export function paintBeside(context, { beside, columns }, { left, top, pitchX, strip, type, view, bar },
  scroll, palette) {
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
  const font = `${Math.round(0.84 * type)}px ${palette.sans}`;
  const short = elided(context, font, beside.title, left - 8);
  context.font = font;
  context.fillStyle = palette.quiet;
  context.direction = "ltr";
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.fillText(short, left - 6, top - 0.5 * strip);
}

/**
 * The printed scale, and what hatching means where there is any.
 * @param {CanvasRenderingContext2D} context
 * @param {GridFrame} frame
 * @param {GridLayout} layout
 * @param {Palette} palette
 * @param {?CanvasPattern} hatch
 */
export function paintScale(context, frame, layout, palette, hatch) {
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
    context.fillStyle = `rgb(${bytesOf({ kind, limit: 1 }, isSigned ? 2 * share - 1 : share, palette)
      .join(" ")})`;
    context.fillRect(x, top + i, wide, 1);
  }
  outline(context, palette.hair, 1, x - 0.5, top - 0.5, wide + 1, tall + 1);
  const font = `${Math.round(0.84 * type)}px ${palette.sans}`;
  context.font = font;
  context.fillStyle = palette.quiet;
  context.direction = "ltr";
  context.textAlign = "left";
  context.textBaseline = "middle";
  (isSigned ? [limit, 0, -limit] : [high, (low + high) / 2, low]).forEach((value, i) =>
    context.fillText(isSigned ? scaleNumber(value, limit) : String(+value.toPrecision(2)), x + wide + 4,
      top + 4 + (i / 2) * (tall - 8)));
  const y = top + tall + 14 * unit;
  if (!masked || tall < 60 || y + 12 > view.height) return;
  for (const style of [palette.panel, hatch]) {
    context.fillStyle = style;
    context.fillRect(x, y, wide + 3, 11 * unit);
  }
  outline(context, palette.hair, 1, x - 0.5, y - 0.5, wide + 4, 11 * unit + 1);
  if (widthOf(context, font, masked) > bar - 13 * unit) return;
  context.font = font;
  context.fillStyle = palette.quiet;
  context.fillText(masked, x, y + 21 * unit);
}

