// A chart of numbers over an axis of numbers: bars that begin there, lines through points, marks across
// them. One place is pointed at or chosen, with the mouse or the arrow keys; what it says is the room's.

import { claim, turnOf } from "../page/elements.js";
import { html, nothing } from "../page/html.js";
import { setType, strokeThrough, fillDisc } from "./canvas.js";
import { elided, widthOf } from "./labels.js";
import { scaleNumber } from "./numbers.js";
import { makeCanvasBox } from "./canvas_box.js";

const LEAST_TYPE = 13; // CSS pixels
const BRACKET = 5; // CSS pixels, half of the height of its ends

/**
 * A line, its dots of radius `dots`, or both. Without a colour it is as dark as a weight of 0.6, without
 * a width there is none.
 * @typedef {{x: ArrayLike<number>, y: ArrayLike<number>, colour?: "ink" | "faint", alpha?: number, width?: number,
 *   dash?: number[], dots?: number}} ChartLine
 *
 * What is drawn: at the places `x`, bars as wide as `width` that begin there, or without it a line; other
 * lines in front of it, and others `behind` it.
 * @typedef {Object} ChartFrame
 * @property {ArrayLike<number>} x what can be pointed at
 * @property {ArrayLike<number>} [y]
 * @property {number} [width] of a bar
 * @property {ChartLine[]} [lines]
 * @property {ChartLine[]} [behind]
 * @property {{at: number, name?: string, dash?: number[]}[]} [marks] lines across the chart
 * @property {number[]} [across] the ends of the axis; else those of what is drawn
 * @property {number[]} [up] the ends of the upright one; else those of what is drawn, and 0
 * @property {{from: number, to: number, text: string}} [bracket] over the axis
 * @property {[number, string][]} [ticks] what is written on the axis, and where; else round numbers
 * @property {string} title of the axis; "": what stands over the chart says it
 * @property {string} label what the chart is, for who does not see it
 * @property {?number} [pointed]
 * @property {?number} [taken] a point that stands out
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

/** The ends of both axes. @param {ChartFrame} frame */
export function endsOf({ x, y = [], width = 0, across, up, lines = [], behind = [] }) {
  /** @param {"x" | "y"} axis @param {ArrayLike<number>} own */
  const all = (axis, own) => [own, ...[...behind, ...lines].map((line) => line[axis])].flatMap((one) => Array.from(one));
  const [xs, ys] = [all("x", x), all("y", y)];
  return { across: across ?? [Math.min(...xs), Math.max(...xs) + width],
    up: up ?? [Math.min(0, ...ys), Math.max(0, ...ys)] };
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
 * The title of an axis in one line, or in two where it is longer than that: the first ends after a sign or a word.
 * @param {string} title
 * @param {function(string): boolean} fits whether a text is no longer than a line
 */
export function titleLines(title, fits) {
  const ends = [...title.matchAll(/[ ，；：）]/gu)].map(({ index }) => index + 1);
  const end = fits(title) ? undefined : ends.reverse().find((at) => fits(title.slice(0, at).trim()));
  return end === undefined ? [title] : [title.slice(0, end).trim(), title.slice(end)];
}

/**
 * Where a chart is drawn in its box.
 * @param {ChartFrame} frame
 * @param {{width: number, height: number}} box
 * @param {Look} look
 */
function placesOf(frame, { width, height }, { unit, palette }) {
  const type = Math.max(LEAST_TYPE, LEAST_TYPE * unit);
  const font = `${type}px ${palette.sans}`;
  const { across: [low, high], up: [least, most] } = endsOf(frame);
  const [left, right] = [3.4 * type, width - 0.8 * type];
  const titles = frame.title === "" ? [] : titleLines(frame.title, (text) => widthOf(font, text) <= right - left)
    .map((text) => elided(font, text, right - left));
  const [top, bottom] = [(frame.bracket ? 2 : frame.marks ? 1.3 : 0.7) * type, height - (1.8 + 1.2 * titles.length) * type];
  return { type, font, titles, left, right, top, bottom,
    /** @param {number} at */
    x: (at) => left + ((at - low) / (high - low || 1)) * (right - left),
    /** @param {number} value */
    y: (value) => bottom - ((value - least) / (most - least || 1)) * (bottom - top),
    /** @param {number} px */
    back: (px) => low + ((px - left) / (right - left)) * (high - low) };
}

/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {Look & {context: CanvasRenderingContext2D, frame: ChartFrame, places: Places}} Painting */

/**
 * What is written on an axis without touching its like: the last moved in where it would stick out, and of two that
 * would touch the later one.
 * @template {{at: number, width: number}} Tick its middle and its width, in pixels
 * @param {Tick[]} ticks from left to right
 * @param {number} end where the last must end
 * @param {number} gap between two of them
 */
export function apart(ticks, end, gap) {
  let free = end;
  return ticks.slice().reverse().flatMap((tick, i) => {
    const at = i === 0 ? Math.min(tick.at, end - tick.width / 2) : tick.at;
    if (at + tick.width / 2 > free) return [];
    free = at - tick.width / 2 - gap;
    return [{ ...tick, at }];
  }).reverse();
}

/** Both axes with their numbers. @param {Painting} painting */
function paintAxes({ context, frame, places, palette }) {
  const { type, font, titles, left, right, bottom, x, y } = places;
  const { across, up } = endsOf(frame);
  context.lineWidth = 1;
  setType(context, font, palette.quiet, "right");
  const most = Math.max(...up.map(Math.abs));
  for (const value of ticksOf(up[0], up[1], Math.max(1, Math.floor((bottom - places.top) / (2.2 * type))))) {
    context.strokeStyle = value === 0 ? palette.faint : palette.hair;
    context.fillText(scaleNumber(value, most), left - 6, y(value));
    strokeThrough(context, [left, y(value)], [right, y(value)]);
  }
  context.textAlign = "center";
  const round = () => ticksOf(across[0], across[1], Math.max(2, Math.floor((right - left) / (5 * type))))
    .map((value) => /** @type {[number, string]} */ ([value, String(value).replace("-", "−")]));
  const written = apart((frame.ticks ?? round()).map(([value, text]) => ({ text, at: x(value), width: widthOf(font, text) })),
    right + 0.4 * type, 0.4 * type);
  for (const { text, at } of written) context.fillText(text, at, bottom + 0.9 * type);
  titles.forEach((text, i) => context.fillText(text, (left + right) / 2, bottom + (2.2 + 1.2 * i) * type));
}

/** @param {Painting} painting @param {ArrayLike<number>} values */
function paintBars({ context, frame, places, palette }, values) {
  const { x, y } = places;
  const { width = 0, pointed } = frame;
  Array.from(frame.x, (from, i) => {
    const value = values[i];
    if (value === 0) return;
    context.fillStyle = i === pointed ? palette.accent : palette.of(0.6);
    const [one, other] = [x(from), x(from + width)];
    context.fillRect(one + 0.5, Math.min(y(0), y(value)), Math.max(1, other - one - 1), Math.abs(y(value) - y(0)));
  });
}

/** @param {Painting} painting @param {ChartLine} line */
function paintLine({ context, places, palette }, { x, y, colour, alpha = 1, width = 0, dash = [], dots = 0 }) {
  const points = Array.from(x, (at, i) => [places.x(at), places.y(y[i])]);
  context.strokeStyle = colour ? palette[colour] : palette.of(0.6);
  context.fillStyle = palette.ink;
  context.globalAlpha = alpha;
  context.lineWidth = width;
  context.setLineDash(dash);
  if (width) strokeThrough(context, ...points);
  context.setLineDash([]);
  if (dots) for (const [at, value] of points) fillDisc(context, at, value, dots);
  context.globalAlpha = 1;
}

/** The points that stand out. @param {Painting} painting @param {ArrayLike<number>} values */
function paintChosen({ context, frame: { x, taken, pointed }, places, palette }, values) {
  for (const [i, colour] of /** @type {const} */ ([[taken, "ink"], [pointed, "accent"]])) {
    if (i === null || i === undefined || i >= x.length) continue;
    context.fillStyle = palette[colour];
    fillDisc(context, places.x(x[i]), places.y(values[i]), 4.5);
  }
}

/** @param {Painting} painting */
function paintMarks({ context, frame: { marks = [] }, places: { x, top, bottom, type }, palette }) {
  setType(context, `${type}px ${palette.sans}`, palette.accent, "center");
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.3;
  for (const { at, name = "", dash = [] } of marks) {
    context.setLineDash(dash);
    strokeThrough(context, [x(at), top], [x(at), bottom]);
    context.fillText(name, x(at), top - 0.6 * type);
  }
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
 * @param {{point?: function(?number): void, choose?: function(number): void, slide?: function(number): void}} acts
 *     `slide`: a place is chosen by a press, and while it moves, with the mouse or the arrow keys
 * @param {function(): void} redraw
 */
export function makeNumberChart(box, { point, choose, slide }, redraw) {
  const { element, canvas, measure, clear, destroy } = makeCanvasBox(box,
    html`<canvas class="${box}-canvas" role="img" tabindex=${point || slide ? "0" : nothing}></canvas>`, redraw);
  /** @type {?{frame: ChartFrame, places: Places}} */
  let drawn = null;
  /** @type {?number} */
  let over = null; // what is pointed at, also before it is drawn
  const turnTo = (/** @type {number} */ place) => {
    over = place;
    (slide ?? point)?.(place);
  };
  const leave = () => {
    over = null;
    point?.(null);
  };
  /** @param {MouseEvent} event @param {function(number): void} act */
  const actAt = (event, act) => {
    if (drawn) act(nearestTo(drawn.frame, drawn.places.back(event.clientX - canvas.getBoundingClientRect().left)));
  };
  canvas.addEventListener("pointermove", (event) => { if (!slide || event.buttons === 1) actAt(event, turnTo); });
  canvas.addEventListener("pointerleave", leave);
  canvas.addEventListener("blur", leave);
  canvas.addEventListener("click", (event) => actAt(event, choose ?? turnTo));
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
    const at = over ?? (slide ? drawn.frame.taken ?? null : null);
    turnTo(at === null ? 0 : Math.max(0, Math.min(drawn.frame.x.length - 1, at + turn)));
  });
  return {
    element,
    measure,
    /** @param {ChartFrame} frame @param {Look} look */
    update(frame, look) {
      const pen = clear();
      canvas.setAttribute("aria-label", frame.label);
      if (!pen) return;
      const { x, y, width, lines = [], behind = [], pointed = null } = frame;
      const places = placesOf(frame, pen, look);
      drawn = { frame, places };
      if (!slide) over = pointed;
      const painting = { ...look, context: pen.context, frame, places };
      paintAxes(painting);
      for (const line of behind) paintLine(painting, line);
      if (y && width) paintBars(painting, y);
      else if (y) paintLine(painting, { x, y, width: 2, dots: 2 });
      for (const line of lines) paintLine(painting, line);
      if (y && !width) paintChosen(painting, y);
      paintBracket(painting);
      paintMarks(painting);
    },
    destroy,
  };
}
