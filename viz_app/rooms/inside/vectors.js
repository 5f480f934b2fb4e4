// Vectors under one another, one column per dimension, so that what stands in a column belongs
// together: pointing at a dimension marks it in every vector and prints its numbers.

import { makeGrid } from "../../stage/draw/grid.js";
import { layoutGrid } from "../../stage/draw/layout.js";
import { exactNumber, largestOf, scaleNumber, shortNumber } from "../../stage/draw/numbers.js";
import { make, setText, setTrait } from "../../stage/page/elements.js";

const INSIDE_ROW = 16; // CSS pixels of one vector at the normal type size
const INSIDE_BARS = 96; // of one that is drawn as bars
const INSIDE_LOW = 0.75; // of both in a low window, where all of the chain is to be seen at once
const INSIDE_RULE = 7; // free room before a sum
const INSIDE_WIDEST = 26; // CSS pixels of one dimension

/** The place of the largest absolute value. */
export function insideLargest(vector) {
  let best = 0;
  for (let i = 1; i < vector.length; i += 1) {
    if (Math.abs(vector[i]) > Math.abs(vector[best])) best = i;
  }
  return best;
}

/**
 * A row is {id, name, kind, values, bars, rule, picked, note}: `bars` draws the numbers as bars,
 * `rule` parts it from what it is the sum of, `kind` outlines a special token or a pad.
 * @param {Words} t
 * @param {string} name what tells these vectors apart in tests
 * @param {{point: function(number): void, pick?: ?function(string): void, caption?: string}} acts
 *     a caption stands above the vectors, the scale beside it
 * @param {function(): void} redraw
 */
export function makeVectors(t, name, acts, redraw) {
  const { point, pick = null, caption = null } = acts;
  const names = make("div", { class: "vectors-names" });
  const numbers = make("div", { class: "vectors-numbers" });
  const grid = makeGrid(t, { box: "vectors-box", redraw,
    point(place) {
      pointed = place?.row ?? null;
      if (place) point(place.column);
      redraw();
    },
    keep({ row }) {
      if (pick && shown.rows[row]?.pickable) pick(shown.rows[row].id);
    } });
  const box = grid.element;
  const scale = make("p", { class: "vectors-scale" }, [
    make("span", { class: "least" }), make("span", { class: "vectors-bar", "aria-hidden": "true" }),
    make("span", { class: "most" }),
  ]);
  const element = make("div", { class: "vectors", data: { vectors: name } }, [
    caption && make("div", { class: "vectors-caption" }, [make("span", { text: caption }), scale]),
    make("div", { class: "vectors-body" }, [names, box,
      make("div", { class: "vectors-right" }, [numbers, caption ? null : scale])]),
  ]);
  let shown = null; // {rows, at, unit, ...}
  let pointed = null; // the row under the pointer or the keys
  let tops = [];
  let lines = [];

  /** Nodes are kept while their number stays the same, so that the focus stays too. */
  function fill(column, texts, build) {
    if (column.children.length !== texts.length) column.replaceChildren(...texts.map(build));
    texts.forEach((row, i) => {
      const node = column.children[i];
      setText(node.firstChild, row.text);
      setTrait(node, "title", row.title ?? null);
      setTrait(node, "data-kind", row.kind ?? null);
      node.classList.toggle("picked", Boolean(row.picked));
      node.classList.toggle("rule", Boolean(row.rule));
      node.style.height = `${tops[i][1]}px`;
      node.style.top = `${tops[i][0]}px`;
    });
  }

  /** @returns {GridFrame} */
  function frameOf() {
    const { rows, count, at, unit, limit, low = false } = shown;
    const scaled = unit * (low ? INSIDE_LOW : 1);
    let y = 0;
    const rules = [];
    tops = rows.map(({ rule, bars }) => {
      if (rule) {
        y += Math.round(INSIDE_RULE * unit);
        rules.push(y - Math.round((INSIDE_RULE * unit) / 2));
      }
      const height = Math.round((bars ? INSIDE_BARS : INSIDE_ROW) * scaled);
      y += height;
      return [y - height, height];
    });
    return { key: rows.flatMap(({ values }) => [values.buffer, values.byteOffset]), kind: "signed",
      limit, tops, rules, most: [INSIDE_WIDEST], bar: 0,
      rows: { labels: [], count: rows.length }, columns: { labels: null, count },
      value: (row, column) => rows[row].values[column], bars: (row) => Boolean(rows[row].bars),
      pressable: (row) => Boolean(pick && rows[row]?.pickable),
      pointed: { row: pointed, column: at },
      kept: null, // what is chosen is not "now": its name says it
      label: t("inside_vectors_label", { names: rows.map((row) => row.name).join(", "), count, at,
        numbers: lines.join(", ") }) };
  }

  return {
    element,
    /** @param {{rows, at, palette, unit, digits, low}} frame `digits`: all of every number */
    update(frame) {
      const { palette, unit, digits } = frame;
      const cells = frame.rows.filter(({ bars }) => !bars);
      const limit = Math.max(...(cells.length ? cells : frame.rows).map((row) => largestOf(row.values)));
      shown = { ...frame, count: frame.rows[0].values.length, limit };
      shown.at = Math.min(shown.at, shown.count - 1);
      const exact = shown.rows.map(({ values }) => exactNumber(values[shown.at]));
      lines = digits ? exact : shown.rows.map(({ values }) => shortNumber(values[shown.at]));
      const drawn = frameOf();
      const layout = layoutGrid(drawn, { width: box.clientWidth, height: 0 }, unit, () => 0);
      const { height } = layout;
      for (const column of [names, numbers, box]) column.style.height = `${height}px`;
      box.style.maxWidth = `${Math.ceil(shown.count * INSIDE_WIDEST * unit)}px`;
      tops = tops.map(([top, high]) => [layout.top + top, high]);
      fill(names, shown.rows.map(({ name: text, kind, picked, rule, note }) =>
        ({ text, kind, picked, rule, title: note ?? text })), () =>
        make("div", {}, [make("span", { dir: "auto" })]));
      fill(numbers, shown.rows.map(({ picked, rule }, i) =>
        ({ text: lines[i], picked, rule, title: exact[i] })), () => make("div", {}, [make("span", { dir: "ltr" })]));
      scale.hidden = cells.length === 0;
      setText(scale.firstChild, scaleNumber(-limit, limit));
      setText(scale.lastChild, scaleNumber(limit, limit));
      if (layout.pitchX > 0) grid.update(drawn, { palette, unit }, layout);
    },
    drawn: () => (shown ? {
      at: shown.at, limit: shown.limit, pitch: grid.layout()?.pitchX, tops,
      names: shown.rows.map((row) => row.name), numbers: lines,
      values: shown.rows.map(({ values }) => Array.from(values)),
      picked: shown.rows.findIndex(({ picked }) => picked),
    } : null),
    destroy: grid.destroy,
  };
}
