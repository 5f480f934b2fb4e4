// Vectors under one another, one column per dimension, so that what stands in a column belongs
// together: pointing at a dimension marks it in every vector and prints its numbers.

import { makeGrid } from "../../stage/draw/grid.js";
import { onceLaidOut, sizeOf } from "../../stage/draw/laid_out.js";
import { layoutGrid } from "../../stage/draw/layout.js";
import { exactNumber, largestOf, scaleNumber, shortNumber } from "../../stage/draw/numbers.js";
import { hide, make, setText, setTrait } from "../../stage/page/elements.js";
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
 *   lines: string[]}} Shown
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
 * Writes beside the vectors. Nodes are kept while their number stays the same, so that the focus
 * stays too.
 * @param {HTMLElement} column
 * @param {Partial<InsideVector>[]} rows
 * @param {string[]} texts
 * @param {string[]} titles
 * @param {number[][]} tops
 * @param {string} dir of the texts
 */
function fill(column, rows, texts, titles, tops, dir) {
  if (column.children.length !== texts.length) {
    column.replaceChildren(...texts.map(() => make("div", {}, [make("span", { dir })])));
  }
  rows.forEach(({ kind, picked, rule }, i) => {
    const node = /** @type {HTMLElement} */ (column.children[i]);
    setText(node.children[0], texts[i]);
    setTrait(node, "title", titles[i]);
    setTrait(node, "data-kind", kind ?? null);
    node.classList.toggle("picked", Boolean(picked));
    node.classList.toggle("rule", Boolean(rule));
    const [top, height] = tops[i];
    node.style.height = `${height}px`;
    node.style.top = `${top}px`;
  });
}

/** The least and the most that the colours stand for. */
function makeScale() {
  const [least, most] = ["least", "most"].map((name) => make("span", { class: name }));
  const element = make("p", { class: "vectors-scale" }, [least,
    make("span", { class: "vectors-bar", "aria-hidden": "true" }), most]);
  return { element,
    /** @param {number} limit @param {boolean} isShown */
    update(limit, isShown) {
      hide(element, !isShown);
      setText(least, scaleNumber(-limit, limit));
      setText(most, scaleNumber(limit, limit));
    } };
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
  const names = make("div", { class: "vectors-names" });
  const numbers = make("div", { class: "vectors-numbers" });
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
  const scale = makeScale();
  const body = make("div", { class: "vectors-body" }, [names, grid.element,
    make("div", { class: "vectors-right" }, [numbers, caption ? null : scale.element])]);
  const element = make("div", { class: "vectors", data: { vectors: name } }, [
    caption && make("div", { class: "vectors-caption" },
      [make("span", { text: caption }), scale.element]),
    body]);
  const follow = makeFollowing(body);

  /** @param {Shown} now @param {number[]} rules @returns {GridFrame} */
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
      for (const column of [names, numbers, grid.element]) column.style.height = `${layout.height}px`;
      grid.element.style.maxWidth = `${widest}px`;
      const places = tops.map(([top, high]) => [layout.top + top, high]);
      shown = { rows, at, count, limit, lines, tops: places };
      fill(names, rows, rows.map((row) => row.name), rows.map((row) => row.note ?? row.name), places,
        "auto");
      fill(numbers, rows.map(({ picked, rule }) => ({ picked, rule })), lines, exact, places, "ltr");
      scale.update(limit, cells.length > 0);
      if (layout.pitchX > 0) grid.update(frame, look, layout);
    },
    /** After `update` of all vectors of a room: the picked row is brought into view. */
    follow: () => follow(shown),
    destroy: grid.destroy,
  };
}
