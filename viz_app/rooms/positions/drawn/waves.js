// The waves of a table of positions: which columns are drawn and in which order, curves that are
// smooth between the positions, and the circle on which a shift is a rotation.

import { makeNumberChart, ticksOf } from "../../../stage/draw/chart.js";
import { fillDisc, setType, sizedContext, strokeThrough } from "../../../stage/draw/canvas.js";
import { typeSize } from "../../../stage/draw/layout.js";
import { fixed, shortLength } from "../../../stage/draw/numbers.js";
import { hide, makeDiffers, press, setTrait } from "../../../stage/page/elements.js";
import { html, makePart, nothing } from "../../../stage/page/html.js";
import { dimensionsOf, isSine, nameOfRow, pairOf } from "../parts.js";
import { makeCanvasBox } from "../../../stage/draw/canvas_box.js";

/** @type {number[][]} */
const CURVE_DASHES = [[], [6, 3], [2, 3], [9, 3, 2, 3], [4, 2], [1, 2]];
const SMOOTH = 12; // points of a curve from position to position
const MOST_DOTS = 128; // positions that have a dot each
const MOST_TICKS = 10; // positions that are named

/**
 * The value of the wave of a dimension at any place.
 * @param {HeldTable} held
 * @param {number} column
 * @param {number} at
 */
function waveAt(held, column, at) {
  const angle = (2 * Math.PI * (at + held.first)) / held.wavelengths[column];
  return isSine(held, column) ? Math.sin(angle) : Math.cos(angle);
}

/**
 * The dimensions that are drawn, from left to right: of waves the sines, then the cosines, of the
 * pairs that the answer picks and of those that are kept.
 * @param {HeldTable} held
 * @param {number[]} kept
 * @param {boolean} all whether every dimension is drawn in its own place
 */
export function columnsOfTable(held, kept, all) {
  if (all || held.pairs.length === 0) return Array.from({ length: held.shape[1] }, (_, i) => i);
  const pairs = [...new Set([...held.pairs, ...kept.map((column) => pairOf(held, column))])]
    .sort((a, b) => a - b);
  const odd = held.kind === "sinusoidal" ? 0 : 1;
  return [odd, 1 - odd].flatMap((part) => pairs.map((pair) => dimensionsOf(held, pair)[part]));
}

/**
 * The columns of the table as an axis of its map.
 * @param {HeldTable} held
 * @param {number[]} columns
 * @param {boolean} all
 * @param {Words} t
 * @returns {GridAxis}
 */
export function columnAxis(held, columns, all, t) {
  const axis = { labels: null, count: columns.length, title: t("positions_axis_dimension") };
  if (held.offsets.length) {
    return { ...axis, title: t("positions_axis_head"), counted: (place) => String(place + 1) };
  }
  if (all || held.pairs.length === 0) return axis;
  return { ...axis, counted: (place) => shortLength(held.wavelengths[columns[place]]),
    parts: [{ at: 0, title: t("positions_sines"), brief: t("positions_sines_brief") },
      { at: columns.length / 2, title: t("positions_cosines"), brief: t("positions_cosines_brief") }] };
}

/**
 * The dash of a curve, before the name of its dimension.
 * @param {HTMLCanvasElement} line
 * @param {number[]} dash
 * @param {string} colour
 * @param {number} width
 */
function paintDash(line, dash, colour, width) {
  const pen = sizedContext(line, 22, 8);
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  strokeThrough(pen, [0, 4], [22, 4]);
}

/** What a curve is called. @param {Words} t @param {HeldTable} held @param {number} column */
function chipText(t, { offsets, wavelengths }, column) {
  const length = wavelengths[column];
  if (offsets.length) return t("positions_chip_head", { head: column + 1 });
  return length === undefined ? String(column) : t("positions_chip", { dimension: column, length: shortLength(length) });
}

/** What its λ is; nothing where it has none. @param {Words} t @param {?HeldTable} held @param {number} column */
const chipTitle = (t, held, column) => (!held || held.offsets.length || held.wavelengths[column] === undefined ? nothing
  : t("positions_chip_about", { dimension: column, length: shortLength(held.wavelengths[column]) }));

/**
 * One button per curve: pressing it selects that dimension.
 * @param {Words} t
 * @param {function(number): void} choose
 */
export function makePositionChips(t, choose) {
  const { element, update } = makePart((/** @type {?HeldTable} */ held = null, /** @type {number[]} */ shown = [], chosen = -1) => html`
    <div class="positions-chips" role="group" aria-label=${t("positions_curves")}>${shown.map((column) => html`
      <button type="button" class="positions-chip" data-column=${column} title=${chipTitle(t, held, column)} aria-pressed=${column === chosen}
        @click=${press(() => choose(column))}><canvas class="positions-dash" aria-hidden="true"></canvas>
        <span>${held && chipText(t, held, column)}</span></button>`)}</div>`);
  const isOther = makeDiffers();
  return {
    element,
    /** @param {HeldTable} held @param {number[]} shown @param {number} chosen @param {Palette} palette */
    update(held, shown, chosen, palette) {
      if (!isOther(shown.join(), chosen, held.kind, palette)) return;
      update(held, shown, chosen);
      element.querySelectorAll("canvas").forEach((line, i) => paintDash(line, CURVE_DASHES[i % CURVE_DASHES.length],
        palette.ink, shown[i] === chosen ? 2.2 : 1.3));
    },
  };
}

/**
 * The curve of a dimension: the wave where there is one, else straight lines; and a dot at every position.
 * @param {HeldTable} held
 * @param {number} column
 * @param {number[]} dash
 * @param {boolean} isActive
 * @returns {import("../../../stage/draw/chart.js").ChartLine[]}
 */
function curveOf(held, column, dash, isActive) {
  const [rows, columns] = held.shape;
  const x = Array.from({ length: rows }, (_, row) => row);
  const y = x.map((row) => held.numbers[row * columns + column]);
  const look = /** @type {const} */ ({ colour: "ink", alpha: isActive ? 1 : 0.7, width: isActive ? 2.2 : 1.2, dash });
  const dots = rows > MOST_DOTS ? 0 : isActive ? 2.4 : 1.7;
  if (held.wavelengths[column] === undefined) return [{ ...look, x, y, dots }];
  const smooth = Array.from({ length: SMOOTH * (rows - 1) + 1 }, (_, i) => i / SMOOTH);
  return [{ ...look, x: smooth, y: smooth.map((at) => waveAt(held, column, at)) }, { x, y, dots, alpha: look.alpha }];
}

/**
 * The curves of some dimensions over all positions, with the two that are compared.
 * @param {Words} t
 * @param {(row: number) => void} pick
 * @param {() => void} redraw
 */
export function makePositionCurves(t, pick, redraw) {
  const { update, ...chart } = makeNumberChart("positions-curves", { slide: pick }, redraw);
  return {
    ...chart,
    /** @param {HeldTable} held @param {number[]} shown @param {TableLook} look @param {Look} drawing */
    update(held, shown, { row, other, column: chosen }, drawing) {
      const isBias = held.offsets.length > 0;
      const x = Array.from({ length: held.shape[0] }, (_, at) => at);
      update({ x, taken: row, up: [-held.limit, held.limit],
        ticks: ticksOf(0, x.length - 1, MOST_TICKS).filter(Number.isInteger).map((at) => [at, nameOfRow(held, at)]),
        lines: shown.flatMap((column, i) => curveOf(held, column, CURVE_DASHES[i % CURVE_DASHES.length], column === chosen)),
        marks: isBias ? [{ at: row, name: nameOfRow(held, row) }] : [{ at: row, name: "a" }, { at: other, name: "b", dash: [3, 3] }],
        title: t(isBias ? "positions_axis_distance" : "positions_axis_position"), label: t("positions_curves_label") }, drawing);
    },
  };
}

/**
 * By how much the pair of a dimension turns from position a to position b; radians.
 * @param {HeldTable} held
 * @param {TableLook} look
 */
function turnOf(held, { row, other, column }) {
  const frequency = (2 * Math.PI) / held.wavelengths[column];
  const angle = (other - row) * frequency;
  return { frequency, angle, degrees: (angle * 180) / Math.PI };
}

/**
 * A point of the circle with its name beside it.
 * @param {Chart} chart
 * @param {{name: string, x: number, y: number, radius: number, isFilled: boolean,
 *     angle: number}} place
 */
function paintPoint({ context, palette }, { name, x, y, radius, isFilled, angle }) {
  context.fillStyle = isFilled ? palette.ink : palette.paper;
  fillDisc(context, x + radius * Math.cos(angle), y - radius * Math.sin(angle), 4);
  context.stroke();
  context.fillStyle = palette.ink;
  context.fillText(name, x + (radius + 11) * Math.cos(angle), y - (radius + 11) * Math.sin(angle));
}

/**
 * The pair of a dimension as a point on a circle, at two positions, with the angle between them.
 * @param {Chart} chart
 * @param {HeldTable} held
 * @param {TableLook} look
 */
function paintCircle(chart, held, look) {
  const { context, width, height, palette, unit } = chart;
  const type = typeSize(unit);
  const [x, y, radius] = [width / 2, height / 2, Math.min(width, height) / 2 - 1.5 * type];
  const { frequency, angle } = turnOf(held, look);
  // From the top, clockwise, as the hands of the row.
  const [from, to] = [look.row, look.other].map((row) => Math.PI / 2 - (row + held.first) * frequency);
  setType(context, `600 ${type.toFixed(1)}px ${palette.sans}`, palette.accent, "center");
  context.lineWidth = 1;
  context.strokeStyle = palette.faint;
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.moveTo(x - radius, y);
  context.lineTo(x + radius, y);
  context.moveTo(x, y - radius);
  context.lineTo(x, y + radius);
  context.stroke();
  context.globalAlpha = 0.22;
  context.beginPath();
  context.moveTo(x, y);
  // More than a whole turn fills the circle.
  context.arc(x, y, radius, -from, -(Math.abs(angle) < 2 * Math.PI ? to
    : from - Math.sign(angle) * 2 * Math.PI), angle < 0);
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = palette.ink;
  context.lineWidth = 1.6;
  for (const at of [from, to]) {
    strokeThrough(context, [x, y], [x + radius * Math.cos(at), y - radius * Math.sin(at)]);
  }
  paintPoint(chart, { name: "b", x, y, radius, isFilled: false, angle: to });
  paintPoint(chart, { name: "a", x, y, radius, isFilled: true, angle: from });
}

/** Why the two are points of a circle, or that they are not. @param {Words} t @param {HeldTable} held @param {TableLook} look */
export function turnSaid(t, held, look) {
  if (held.wavelengths.length === 0) return t("positions_turn_learned");
  const [a, b] = dimensionsOf(held, pairOf(held, look.column));
  const { frequency, angle, degrees } = turnOf(held, look);
  return t("positions_turn", { a, b, k: fixed(look.other - look.row, 0), frequency: String(+frequency.toPrecision(3)),
    radians: fixed(angle, 3), degrees: fixed(degrees, 1) });
}

/**
 * The circle of the chosen pair.
 * @param {Words} t
 * @param {() => void} redraw
 */
export function makePositionCircle(t, redraw) {
  const { element, canvas, measure, clear, destroy } = makeCanvasBox("positions-circle", html`<canvas class="positions-circle-canvas" role="img"></canvas>`, redraw);
  return {
    element,
    measure,
    /** @param {HeldTable} held @param {TableLook} look */
    say(held, look) {
      hide(element, held.wavelengths.length === 0);
      setTrait(canvas, "aria-label", turnSaid(t, held, look));
    },
    /** Draws it, once all is said. @param {HeldTable} held @param {TableLook} look @param {Look} drawing */
    draw(held, look, drawing) {
      const pen = held.wavelengths.length > 0 ? clear() : null;
      if (pen) paintCircle({ ...pen, ...drawing }, held, look);
    },
    destroy,
  };
}
