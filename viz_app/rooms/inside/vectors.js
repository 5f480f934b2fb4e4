// Vectors under one another, one column per dimension, so that what stands in a column belongs
// together: pointing at a dimension marks it in every vector and prints its numbers.

import { makeGrid } from "../../stage/draw/grid.js";
import { onceLaidOut, sizeOf } from "../../stage/draw/laid_out.js";
import { layoutGrid } from "../../stage/draw/layout.js";
import { exactNumber, largestOf, scaleNumber, shortNumber } from "../../stage/draw/numbers.js";
import { html, makePart, nothing } from "../../stage/page/html.js";
import { paintVectorBars } from "./bars.js";

const INSIDE_ROW = 16; // CSS pixels of one vector at the normal type size
const INSIDE_BARS = 96; // of one that is drawn as bars
const INSIDE_LOW = 0.875; // of both in a low window, where all of the chain is to be seen at once
const INSIDE_RULE = 7; // free room before a sum
const INSIDE_WIDEST = 26; // CSS pixels of one dimension

/**
 * What is drawn; `at`: the dimension whose numbers are printed.
 * @typedef {InsideLook & {rows: InsideVector[], at: number}} VectorsFrame
 * @typedef {{rows: InsideVector[], at: number, count: number, limit: number, tops: number[][],
 *   lines: string[], exact: string[], height: number, isCells: boolean}} Shown
 */

/** The place of the largest absolute value. @param {ArrayLike<number>} vector */
export function insideLargest(vector) {
  let best = 0;
  for (let i = 1; i < vector.length; i += 1) {
    if (Math.abs(vector[i]) > Math.abs(vector[best])) best = i;
  }
  return best;
}

/**
 * Where each vector begins and how high it is, and the lines before sums.
 * @param {InsideVector[]} rows
 * @param {number} unit
 * @param {boolean} low
 */
function stackOf(rows, unit, low) {
  /** @type {number[]} */
  const rules = [];
  let y = 0;
  const tops = rows.map(({ rule, bars }) => {
    if (rule) {
      y += Math.round(INSIDE_RULE * unit);
      rules.push(y - Math.round((INSIDE_RULE * unit) / 2));
    }
    const height = Math.round((bars ? INSIDE_BARS : INSIDE_ROW) * unit * (low ? INSIDE_LOW : 1));
    y += height;
    return [y - height, height];
  });
  return { tops, rules };
}

/**
 * What stands beside the vectors.
 * @param {string} name the class
 * @param {Partial<InsideVector>[]} rows
 * @param {string[]} texts
 * @param {string[]} titles
 * @param {?Shown} shown
 * @param {string} dir of the texts
 */
const column = (name, rows, texts, titles, shown, dir) => html`
  <div class=${name} .style=${shown ? `height: ${shown.height}px` : ""}>${rows.map(({ kind, picked, rule }, i) => {
    const [top, height] = shown?.tops[i] ?? [0, 0];
    return html`
      <div class="${picked ? "picked" : ""}${rule ? " rule" : ""}" title=${titles[i]} data-kind=${kind ?? nothing}
        .style=${`height: ${height}px; top: ${top}px`}><span dir=${dir}>${texts[i]}</span></div>`;
  })}</div>`;

/** The least and the most that the colours stand for. @param {?Shown} shown */
function scaleOf(shown) {
  const [least, most] = shown ? [-shown.limit, shown.limit].map((end) => scaleNumber(end, shown.limit)) : [];
  return html`
    <p class="vectors-scale" ?hidden=${shown?.isCells === false}><span class="least">${least}</span>
      <span class="vectors-bar" aria-hidden="true"></span><span class="most">${most}</span></p>`;
}

/**
 * Brings the row that is picked into view, when it is another than before and the body scrolls.
 * @param {HTMLElement} body
 */
function makeFollowing(body) {
  let last = -1;
  return (/** @type {?Shown} */ shown) => {
    const at = shown ? shown.rows.findIndex(({ picked }) => picked) : -1;
    if (shown && at !== last && at >= 0) onceLaidOut(body, () => { body.scrollTop = shown.tops[at][0] - body.clientHeight / 2; });
    last = at;
  };
}

/**
 * @param {Words} t
 * @param {string} name what tells these vectors apart, as a lesson points at them
 * @param {{point: function(number): void, pick?: ?function(string): void, caption?: ?string}} acts
 *     a caption stands above the vectors, the scale beside it
 * @param {function(): void} redraw
 */
export function makeVectors(t, name, { point, pick = null, caption = null }, redraw) {
  /** @type {?Shown} */
  let shown = null;
  /** @type {?number} */
  let pointed = null; // the row under the pointer or the keys
  const pickable = (/** @type {number} */ row) =>
    (pick && shown?.rows[row]?.pickable ? shown.rows[row].id : null);
  /** @type {?number} */
  let room = null; // CSS pixels of the box, where it was measured
  const grid = makeGrid(t, { box: "vectors-box", whole: true, redraw,
    point(place) {
      pointed = place?.row ?? null;
      if (place) point(place.column);
      redraw();
    },
    keep({ row }) {
      const id = pickable(row);
      if (id !== null) pick?.(id);
    } });
  const { element, update: draw } = makePart(() => {
    const { rows = [], lines = [], exact = [] } = shown ?? {};
    const scale = scaleOf(shown);
    return html`
      <div class="vectors" data-vectors=${name}>${caption ? html`<div class="vectors-caption"><span>${caption}</span>${scale}</div>` : nothing}
        <div class="vectors-body">${column("vectors-names", rows, rows.map((row) => row.name), rows.map((row) => row.note ?? row.name), shown, "auto")}
          ${grid.element}<div class="vectors-right">
            ${column("vectors-numbers", rows.map(({ picked, rule }) => ({ picked, rule })), lines, exact, shown, "ltr")}
            ${caption ? nothing : scale}</div></div></div>`;
  });
  const body = /** @type {HTMLElement} */ (element.lastElementChild);
  const follow = makeFollowing(body);

  /** @param {Pick<Shown, "rows" | "at" | "count" | "limit" | "tops" | "lines">} now @param {number[]} rules @returns {GridFrame} */
  const frameOf = ({ rows, at, count, limit, tops, lines }, rules) => ({
    key: rows.flatMap(({ values }) => [values.buffer, values.byteOffset]), kind: "signed",
    limit, tops, rules, most: [INSIDE_WIDEST], bar: 0,
    rows: { labels: [], count: rows.length }, columns: { labels: null, count },
    value: (row, column) => rows[row].values[column], bars: (row) => (rows[row].bars ? paintVectorBars : null),
    pressable: (row) => pickable(row) !== null,
    pointed: { row: pointed, column: at },
    kept: null, // what is chosen is not "now": its name says it
    label: t("inside_vectors_label", { names: rows.map((row) => row.name).join(", "), count, at,
      numbers: lines.join(", ") }) });

  return {
    element,
    /** Before `update`, for all vectors of a room: then the page is laid out once. */
    measure: () => { [room] = sizeOf(grid.element); },
    /** @param {VectorsFrame} frame */
    update({ rows, at: wanted, digits, low, ...look }) {
      const { unit } = look;
      const cells = rows.filter(({ bars }) => !bars);
      const limit = Math.max(...(cells.length ? cells : rows).map((row) => largestOf(row.values)));
      const count = rows[0].values.length;
      const at = Math.min(wanted, count - 1);
      const exact = rows.map(({ values }) => exactNumber(values[at]));
      const lines = digits ? exact : rows.map(({ values }) => shortNumber(values[at]));
      const { tops, rules } = stackOf(rows, unit, low);
      const frame = frameOf({ rows, at, count, limit, tops, lines }, rules);
      const widest = Math.ceil(count * INSIDE_WIDEST * unit);
      const width = Math.min(room ?? sizeOf(grid.element)[0], widest);
      const layout = layoutGrid(frame, { width, height: 0 }, unit, () => 0);
      room = null;
      const places = tops.map(([top, high]) => [layout.top + top, high]);
      shown = { rows, at, count, limit, lines, exact, tops: places, height: layout.height, isCells: cells.length > 0 };
      draw();
      Object.assign(grid.element.style, { height: `${layout.height}px`, maxWidth: `${widest}px` });
      if (layout.pitchX > 0) grid.update(frame, look, layout);
    },
    /** After `update` of all vectors of a room: the picked row is brought into view. */
    follow: () => follow(shown),
    destroy: grid.destroy,
  };
}
