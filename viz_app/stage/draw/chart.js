// A chart of numbers over an axis of numbers: bars that begin there, or a line through points. One
// place is pointed at, with the mouse or the arrow keys; what it says is the room's.

import { claim, turnOf } from "../page/elements.js";
import { setType, strokeThrough, fillDisc } from "./canvas.js";
import { elided } from "./labels.js";
import { scaleNumber } from "./numbers.js";
import { makeChart } from "./sheet.js";

const LEAST_TYPE = 13; // CSS pixels
const BRACKET = 5; // CSS pixels, half of the height of its ends

/**
 * What is drawn. Bars begin at `x` and are as wide as `width`; without it there is a line.
 * @typedef {Object} ChartFrame
 * @property {ArrayLike<number>} x
 * @property {ArrayLike<number>} y
 * @property {number} [width] of a bar
 * @property {number[]} [across] the ends of the axis; else those of what is drawn
 * @property {{from: number, to: number, text: string}} [bracket] over the axis
 * @property {[number, string][]} [ticks] what is written on the axis, and where; else round numbers
 * @property {string} title of the axis
 * @property {string} label what the chart is, for who does not see it
 * @property {?number} pointed
 * @property {?number} [taken] a point that stands out
 * @property {{x: ArrayLike<number>, y: ArrayLike<number>}} [beside] another line over the same axes, dashed
 */

/**
 * Round numbers on an axis, some `most` of them at most.
 * @param {number} low
 * @param {number} high
 * @param {number} most
 */
export function ticksOf(low, high, most) {
  const least = (high - low) / Math.max(1, most) || 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = /** @type {number} */ ([1, 2, 5, 10].map((times) => times * power)
    .find((one) => one >= least * (1 - 1e-9)));
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/**
 * The ends of both axes; the upright one holds 0.
 * @param {ChartFrame} frame
 */
export function endsOf({ x, y, width = 0, across, beside = { x: [], y: [] } }) {
  const [xs, ys] = [[...Array.from(x), ...Array.from(beside.x)], [...Array.from(y), ...Array.from(beside.y)]];
  return { across: across ?? [Math.min(...xs), Math.max(...xs) + width],
    up: [Math.min(0, ...ys), Math.max(0, ...ys)] };
}

/**
 * Which bar or point is at a place of the axis: the bar that holds it, the nearest point.
 * @param {ChartFrame} frame
 * @param {number} at
 */
export function nearestTo({ x, width }, at) {
  const far = Array.from(x, (one) => Math.abs(at - one - (width ?? 0) / 2));
  return far.indexOf(Math.min(...far));
}

/**
 * Where a chart is drawn in its box.
 * @param {ChartFrame} frame
 * @param {{width: number, height: number}} box
 * @param {number} unit
 */
function placesOf(frame, { width, height }, unit) {
  const type = Math.max(LEAST_TYPE, LEAST_TYPE * unit);
  const { across: [low, high], up: [least, most] } = endsOf(frame);
  const [left, right] = [3.4 * type, width - 0.8 * type];
  const [top, bottom] = [frame.bracket ? 2 * type : 0.7 * type, height - 3 * type];
  return { type, left, right, top, bottom,
    /** @param {number} at */
    x: (at) => left + ((at - low) / (high - low || 1)) * (right - left),
    /** @param {number} value */
    y: (value) => bottom - ((value - least) / (most - least || 1)) * (bottom - top),
    /** @param {number} px */
    back: (px) => low + ((px - left) / (right - left)) * (high - low) };
}

/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {Look & {context: CanvasRenderingContext2D, frame: ChartFrame, places: Places}} Painting */

/** Both axes with their numbers. @param {Painting} painting */
function paintAxes({ context, frame, places, palette }) {
  const { type, left, right, bottom, x, y } = places;
  const { across, up } = endsOf(frame);
  context.lineWidth = 1;
  setType(context, `${type}px ${palette.sans}`, palette.quiet, "right");
  const most = Math.max(...up.map(Math.abs));
  for (const value of ticksOf(up[0], up[1], Math.max(1, Math.floor((bottom - places.top) / (2.2 * type))))) {
    context.strokeStyle = value === 0 ? palette.faint : palette.hair;
    context.fillText(scaleNumber(value, most), left - 6, y(value));
    strokeThrough(context, [left, y(value)], [right, y(value)]);
  }
  context.textAlign = "center";
  const round = () => ticksOf(across[0], across[1], Math.max(2, Math.floor((right - left) / (5 * type))))
    .map((value) => /** @type {[number, string]} */ ([value, String(value).replace("-", "−")]));
  for (const [value, text] of frame.ticks ?? round()) context.fillText(text, x(value), bottom + 0.9 * type);
  context.fillText(elided(context, context.font, frame.title, right - left), (left + right) / 2, bottom + 2.2 * type);
}

/** @param {Painting} painting */
function paintBars({ context, frame, places, palette }) {
  const { x, y } = places;
  const { width = 0, pointed } = frame;
  Array.from(frame.x, (from, i) => {
    const value = frame.y[i];
    if (value === 0) return;
    context.fillStyle = i === pointed ? palette.accent : palette.of(0.6);
    const [one, other] = [x(from), x(from + width)];
    context.fillRect(one + 0.5, Math.min(y(0), y(value)), Math.max(1, other - one - 1), Math.abs(y(value) - y(0)));
  });
}

/** @param {Painting} painting */
function paintLine({ context, frame, places, palette }) {
  const points = Array.from(frame.x, (at, i) => [places.x(at), places.y(frame.y[i])]);
  context.strokeStyle = palette.of(0.6);
  context.lineWidth = 2;
  strokeThrough(context, ...points);
  points.forEach(([x, y], i) => {
    const stands = i === frame.pointed || i === frame.taken;
    context.fillStyle = i === frame.pointed ? palette.accent : palette.ink;
    fillDisc(context, x, y, stands ? 4.5 : 2);
  });
}

/** The other line, without its points. @param {Painting} painting */
function paintBeside({ context, frame: { beside }, places, palette }) {
  if (!beside) return;
  context.strokeStyle = palette.ink;
  context.lineWidth = 1.6;
  context.setLineDash([5, 4]);
  strokeThrough(context, ...Array.from(beside.x, (at, i) => [places.x(at), places.y(beside.y[i])]));
  context.setLineDash([]);
}

/** @param {Painting} painting */
function paintBracket({ context, frame: { bracket }, places, palette }) {
  if (!bracket) return;
  const { type, top, x, left, right } = places;
  const [from, to, y] = [x(bracket.from), x(bracket.to), top - 0.5 * type];
  context.strokeStyle = palette.ink;
  context.lineWidth = 1.6;
  strokeThrough(context, [from, y], [to, y]);
  for (const end of [from, to]) strokeThrough(context, [end, y - BRACKET], [end, y + BRACKET]);
  setType(context, `600 ${type}px ${palette.sans}`, palette.ink, "center");
  const half = context.measureText(bracket.text).width / 2;
  const middle = Math.max(left + half, Math.min(right - half, (from + to) / 2));
  context.fillText(bracket.text, middle, y - 0.9 * type);
}

/**
 * @param {string} box its class
 * @param {{point: function(?number): void, choose?: function(number): void}} acts
 * @param {function(): void} redraw
 */
export function makeNumberChart(box, { point, choose }, redraw) {
  const { element, canvas, clear, destroy } = makeChart(box, { role: "img", tabindex: "0" }, redraw);
  /** @type {?{frame: ChartFrame, places: Places}} */
  let drawn = null;
  /** @type {?number} */
  let over = null; // what is pointed at, also before it is drawn
  const turnTo = (/** @type {?number} */ place) => {
    over = place;
    point(place);
  };
  /** @param {PointerEvent} event */
  const at = (event) => drawn && nearestTo(drawn.frame,
    drawn.places.back(event.clientX - canvas.getBoundingClientRect().left));
  canvas.addEventListener("pointermove", (event) => turnTo(at(event)));
  canvas.addEventListener("pointerleave", () => turnTo(null));
  canvas.addEventListener("blur", () => turnTo(null));
  canvas.addEventListener("click", (event) => {
    const place = at(/** @type {PointerEvent} */ (event));
    if (place !== null) (choose ?? turnTo)(place);
  });
  canvas.addEventListener("keydown", (event) => {
    if (!drawn) return;
    if (event.key === "Enter" && choose && over !== null) {
      claim(event);
      choose(over);
      return;
    }
    const turn = turnOf(event);
    if (!turn) return;
    claim(event);
    turnTo(over === null ? 0 : Math.max(0, Math.min(drawn.frame.x.length - 1, over + turn)));
  });
  return {
    element,
    /** @param {ChartFrame} frame @param {Look} look */
    update(frame, look) {
      const pen = clear();
      canvas.setAttribute("aria-label", frame.label);
      if (!pen) return;
      const places = placesOf(frame, pen, look.unit);
      drawn = { frame, places };
      over = frame.pointed;
      const painting = { ...look, context: pen.context, frame, places };
      paintAxes(painting);
      if (frame.width) paintBars(painting);
      else paintLine(painting);
      paintBeside(painting);
      paintBracket(painting);
    },
    destroy,
  };
}
