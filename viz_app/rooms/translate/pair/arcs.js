// The arcs between the two sentences: what the shown head reads, a line as wide as its weight. Of an
// attention within one sentence they hang from it, or stand on it.

import { columnsOf, isStepped, rowsOf } from "../../../stage/anatomy.js";
import { isOnPaper, sizedContext } from "../../../stage/draw/canvas.js";
import { whenLaidOut } from "../../../stage/draw/laid_out.js";
import { hide } from "../../../stage/page/elements.js";
import { elementOf, html } from "../../../stage/page/html.js";
import { unitAt, unitsOf } from "../../../stage/run/units.js";

/** @type {("source" | "target")[]} */
const SIDES = ["source", "target"];
const LEAST = 0.04; // weights below have no arc
const WIDEST = 0.34; // of a weight of 1, over the size of the words
const QUIET = 0.3; // of an arc that is not looked at
const STILL = 0.12; // of such an arc while a word is pointed at

/** @typedef {{row: number, column: number, weight: number, from: number, to: number}} Arc */

/**
 * The middle of each unit's node, from the left edge of a box; null where it is out of sight.
 * @param {HTMLElement[]} nodes
 * @param {DOMRect} box
 */
const middlesOf = (nodes, box) => nodes.map((node) => {
  const { left, width } = node.getBoundingClientRect();
  return width > 0 ? left + width / 2 - box.left : null;
});

/** Which unit of its side a row or a column of the frame is. @param {State} state @param {import("../map/map.js").MapFrame} frame */
function unitsIn(state, { rows, columns, site, run }) {
  const written = isStepped(run, site) ? 1 : 0; // a row is the step that writes the next token
  const [queries, keys] = [unitsOf(state, rowsOf(run, site)), unitsOf(state, columnsOf(run, site))];
  return { rows: rows.tokens.map(([query]) => unitAt(queries, query + written)),
    columns: columns.tokens.map(([key]) => unitAt(keys, key)) };
}

/**
 * The arcs of a frame.
 * @param {State} state
 * @param {import("../map/map.js").MapFrame} frame
 * @param {Record<"source" | "target", (?number)[]>} middles
 * @returns {Arc[]}
 */
function arcsOf(state, frame, middles) {
  const { run, site, read: { weight } } = frame;
  const units = unitsIn(state, frame);
  const value = frame.kind === "weight" ? frame.value : weight;
  const arcs = [];
  for (let row = 0; row < frame.rows.count; row += 1) {
    const from = middles[rowsOf(run, site)][units.rows[row] ?? -1];
    for (let column = 0; column < frame.columns.count; column += 1) {
      const to = middles[columnsOf(run, site)][units.columns[column] ?? -1];
      const share = value(row, column) / (frame.kind === "weight" ? frame.limit : 1);
      if (share >= LEAST && from !== null && from !== undefined && to !== null && to !== undefined
        && !frame.hidden(row, column)) arcs.push({ row, column, weight: share, from, to });
    }
  }
  return arcs;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Arc} arc
 * @param {"cross" | "hanging" | "standing"} kind
 * @param {number} height
 */
function strokeArc(context, { from, to }, kind, height) {
  context.beginPath();
  if (kind === "cross") { // the source is above
    context.moveTo(to, 0);
    context.bezierCurveTo(to, 0.55 * height, from, 0.45 * height, from, height);
  } else {
    const [edge, turn] = kind === "hanging" ? [0, 1] : [height, -1];
    const reach = Math.min(1.25 * height, 0.4 * height + 0.28 * Math.abs(to - from));
    const aside = from === to ? 0.16 * height : 0; // a loop
    context.moveTo(from - aside, edge);
    context.bezierCurveTo(from - aside, edge + turn * reach, to + aside, edge + turn * reach, to + aside, edge);
  }
  context.stroke();
}

/**
 * @param {Session} session
 * @param {Record<"source" | "target", {nodes: function(): HTMLElement[]}>} strips
 */
export function makeArcs({ state }, strips) {
  const element = elementOf(html`<div class="arcs"><canvas class="arcs-canvas" aria-hidden="true"></canvas></div>`);
  const canvas = /** @type {HTMLCanvasElement} */ (element.firstElementChild);
  /** @typedef {{width: number, height: number, middles: Record<"source" | "target", (?number)[]>}} Room */
  /** @type {?Room} */
  let room = null; // as it is laid out; null before that
  /** @type {HTMLElement[]} */
  let words = []; // between which it is
  let paint = (/** @type {Room} */ _) => {};
  /** What is written over the words has room, between them the arcs are painted. @param {Room} now */
  function show(now) {
    for (const side of SIDES) state.more?.giveRoom(strips[side].nodes(), now.middles[side], look);
    paint(now);
  }
  /** @type {Look} */
  let look;

  /** Where the words stand, once the browser has laid them out. @returns {Room} */
  function measure() {
    const box = element.getBoundingClientRect();
    return { width: box.width, height: box.height,
      middles: { source: middlesOf(strips.source.nodes(), box), target: middlesOf(strips.target.nodes(), box) } };
  }
  /** @type {(function(): void)[]} */
  let stops = []; // of the words and the room between them
  function repaint() {
    room = measure();
    show(room);
  }

  /** @param {import("../map/map.js").MapFrame} frame @param {number} type @param {Palette} palette @param {Room} room */
  function paintArcs(frame, type, palette, { width, height, middles }) {
    if (width === 0 || height < 8) return;
    const context = sizedContext(canvas, width, height);
    context.clearRect(0, 0, width, height);
    const { run, site, pointed, current = null } = frame;
    const [rows, columns] = [rowsOf(run, site), columnsOf(run, site)];
    const kind = rows !== columns ? "cross" : rows === "source" ? "hanging" : "standing";
    const isPointed = pointed.row !== null || pointed.column !== null;
    const isLooked = (/** @type {Arc} */ { row, column }) => (!isPointed ? row === current
      : (pointed.row === null || row === pointed.row) && (pointed.column === null || column === pointed.column));
    const arcs = arcsOf(state, frame, middles);
    const isNone = !arcs.some(isLooked);
    context.lineCap = "round";
    for (const looked of [false, true]) {
      for (const arc of arcs.filter((one) => isLooked(one) === looked)) {
        context.globalAlpha = looked || (isNone && !isPointed) ? 0.35 + 0.65 * arc.weight
          : (isPointed ? STILL : QUIET) * (0.3 + 0.7 * arc.weight);
        context.strokeStyle = palette.of(0.78);
        context.lineWidth = 0.8 + WIDEST * type * arc.weight;
        strokeArc(context, arc, kind, height);
      }
    }
    context.globalAlpha = 1;
  }

  return {
    element,
    /** @param {?import("../map/map.js").MapFrame} frame @param {number} type CSS pixels of the words @param {Look} given */
    update(frame, type, given) {
      look = given;
      hide(element, !frame && state.run !== null); // before that its place is kept
      paint = (now) => frame && paintArcs(frame, type, given.palette, now);
      const nodes = [...strips.source.nodes(), ...strips.target.nodes()];
      if (words.length !== nodes.length || words.some((one, i) => one !== nodes[i])) {
        for (const stop of stops) stop();
        [room, words] = [null, nodes];
        stops = [element, ...nodes].map((one) => whenLaidOut(one, () => repaint));
      }
      const now = isOnPaper(element) ? measure() : room;
      if (now) show(now);
    },
    destroy: () => stops.forEach((stop) => stop()),
  };
}
