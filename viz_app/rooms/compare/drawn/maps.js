// The three maps of the room Compare: A, B, and A less B, on axes that they share.

import { layoutMaps } from "../../../stage/draw/beside.js";
import { makeGrid } from "../../../stage/draw/grid.js";
import { measureLabel } from "../../../stage/draw/labels.js";
import { layoutGrid } from "../../../stage/draw/layout.js";
import { largestOf, shortNumber, weightInCell } from "../../../stage/draw/numbers.js";
import { gradientOf } from "../../../stage/draw/palette.js";
import { make, setText } from "../../../stage/page/elements.js";

const NAMES = ["a", "b", "difference"];
const PHONE = 480; // CSS pixels of a map's box; narrower ones name only what a step writes
const LEAST_SAID = 0.095; // differences below have no digits in their cell

/** A difference in a cell of a map: +.25; "" for one that is small. @param {number} value */
const signedInCell = (value) => (Math.abs(value) < LEAST_SAID ? ""
  : `${value > 0 ? "+" : "−"}${weightInCell(Math.abs(value))}`);

/**
 * What all three have in common; `short`: what stands over rows that name only what they write.
 * @param {{rows: Label[], columns: Label[]}} labels
 * @param {?string} short
 * @returns {any}
 */
const frameOf = ({ rows, columns }, short) => ({ rows: { count: rows.length,
  ...(short === null ? { labels: rows }
    : { labels: rows.map(({ lead: _, ...label }) => label), title: short }) },
  columns: { count: columns.length, labels: columns }, most: [51, 34], wide: 9, side: 0.34,
  type: 112 / 120, digits: true, longest: 96, thin: 2 });

/**
 * What one map shows of an answer.
 * @param {any} answer
 * @param {string} name
 * @param {number} C columns
 */
export function sheetOf(answer, name, C) {
  const { hidden } = answer;
  /** @type {Float32Array} */
  const values = answer[name];
  const isApart = name === "difference";
  const finite = values.filter((value) => !Number.isNaN(value));
  /** @type {function(string, number, number): boolean} */
  const masked = (run, row, column) => hidden[run][row][column] === "1";
  return {
    kind: /** @type {"weight" | "signed"} */ (isApart ? "signed" : "weight"),
    limit: isApart ? largestOf(finite) : undefined,
    spell: isApart ? signedInCell : undefined,
    value: (/** @type {number} */ row, /** @type {number} */ column) => values[row * C + column],
    /** What is hidden from both has no difference; what is hidden from one has. */
    hidden: (/** @type {number} */ row, /** @type {number} */ column) => (isApart
      ? masked("a", row, column) && masked("b", row, column) : masked(name, row, column)),
    mark: (/** @type {number} */ row, /** @type {number} */ column) =>
      (Number.isNaN(values[row * C + column]) ? /** @type {"absent"} */ ("absent") : null),
  };
}

/**
 * The column that is brought into view with a row: where A and B differ most, else the first.
 * @param {Float32Array} difference
 * @param {number} row
 * @param {number} C columns
 */
export function eyeOf(difference, row, C) {
  const far = Array.from(difference.subarray(row * C, (row + 1) * C), (one) => Math.abs(one) || 0);
  return far.indexOf(Math.max(...far));
}

/**
 * Writes the titles of the maps and the scales beside them.
 * @param {Words} t
 * @param {any[]} maps
 * @param {any} answer
 * @param {number} limit of the difference
 * @param {Palette} palette
 */
function writeLegends(t, maps, { places }, limit, palette) {
  maps.forEach(({ name, title, scale }, i) => {
    const place = places[i];
    setText(title, place ? t("compare_map", { run: name.toUpperCase(), layer: place.layer + 1,
      head: place.head + 1 }) : t("compare_difference"));
    const isApart = name === "difference";
    const bar = make("i", { class: "compare-bar" });
    bar.style.background = gradientOf(isApart ? "signed" : "weight", palette);
    const ends = isApart ? [-limit, limit].map(shortNumber) : ["0", "1"];
    scale.replaceChildren(make("span", { text: ends[0] }), bar, make("span", { text: ends[1] }));
  });
}

/**
 * Where the maps go: beside one another as high as there is room, or under one another.
 * @param {HTMLElement} element
 * @param {any[]} maps
 * @param {GridFrame} common
 * @param {Look} look
 */
function fitMaps(element, maps, common, { palette, unit }) {
  const style = getComputedStyle(element);
  const bare = measureLabel(maps[0].grid.canvas, palette);
  const measure = (/** @type {GridLabel} */ label, /** @type {number} */ type) =>
    bare(label, type) + (label.kind === "text" ? 0 : 4); // its frame
  if (style.getPropertyValue("--compare-fit").trim() === "under") {
    const one = layoutGrid({ ...common, thin: undefined }, { width: element.clientWidth, height: 999 }, unit, measure);
    return { layouts: [one, one, one], tracks: [] };
  }
  const caption = maps[0].element.querySelector("figcaption")?.offsetHeight ?? 0;
  const height = Math.max(180 * unit, element.clientHeight - caption);
  return layoutMaps(common, { width: element.clientWidth, height, lines: 1,
    gap: parseFloat(style.columnGap) }, unit, measure);
}

/**
 * What one map shows, as plain JSON.
 * @param {any} map
 * @param {any} sheet
 * @param {{rows: Label[], columns: Label[]}} labels
 */
function drawnMap({ name, title, grid }, sheet, { rows, columns }) {
  const cells = (/** @type {function(number, number): any} */ of) => rows.map((_, row) =>
    columns.map((__, column) => of(row, column)));
  return { name, title: title.textContent, hidden: cells(sheet.hidden), limit: sheet.limit ?? null,
    boxes: grid.boxes(),
    values: cells((row, column) => {
      const value = sheet.value(row, column);
      return Number.isNaN(value) ? null : value;
    }) };
}

/**
 * @param {Words} t
 * @param {{redraw: Redraw, point: function(?GridCell): void, keep: function(GridCell): void}} acts
 */
export function makeCompareMaps(t, acts) {
  /** @type {any[]} */
  const maps = NAMES.map((name) => {
    const title = make("span", { class: "compare-title" });
    const scale = make("span", { class: "compare-scale", "aria-hidden": "true" });
    const grid = makeGrid(t, { ...acts, box: "compare-box", data: { map: name },
      scrolled(box) {
        for (const { grid: { element: other } } of maps) {
          if (other.scrollLeft !== box.scrollLeft) other.scrollLeft = box.scrollLeft;
          if (other.scrollTop !== box.scrollTop) other.scrollTop = box.scrollTop;
        }
        acts.redraw();
      } });
    const element = make("figure", { class: "compare-map", data: { of: name } },
      [make("figcaption", {}, [title, scale]), grid.element]);
    return { name, title, scale, grid, element };
  });
  const element = make("div", { class: "compare-maps", role: "group", "aria-label": t("compare_maps") },
    maps.map((map) => map.element));
  /** @type {any} */
  let now = null; // {answer, labels, palette, isShort, sheets, common}

  return {
    element,
    /**
     * @param {any} answer
     * @param {{rows: Label[], columns: Label[]}} labels
     * @param {Look & {pointed: ?GridPlace, current: ?number, parted: ?number}} how
     */
    update(answer, labels, { palette, unit, pointed, current, parted }) {
      const isShort = answer.stepped && element.clientWidth < PHONE;
      if (now?.answer !== answer || now.labels !== labels || now.palette !== palette
        || now.isShort !== isShort) {
        now = { answer, labels, palette, isShort,
          common: frameOf(labels, isShort ? t("axis_rows_step_short") : null),
          sheets: NAMES.map((name) => sheetOf(answer, name, labels.columns.length)) };
        writeLegends(t, maps, answer, now.sheets[2].limit, palette);
      }
      const { layouts, tracks } = fitMaps(element, maps, now.common, { palette, unit });
      ["first", "next"].forEach((name, i) =>
        element.style.setProperty(`--compare-${name}`, `${tracks[i] ?? 0}px`));
      maps.forEach(({ grid }, i) => grid.reserve(layouts[i]));
      maps.forEach(({ name, grid, title }, i) => grid.update({ ...now.common, ...now.sheets[i],
        key: [answer, now.common.rows.labels, name], pointed, kept: null, current,
        eye: current === null ? undefined
          : eyeOf(answer.difference, current, labels.columns.length),
        rowMarks: parted === null ? [] : [parted],
        label: t("compare_map_label", { title: title.textContent, rows: labels.rows.length,
          columns: labels.columns.length }) }, { palette, unit }, layouts[i]));
    },
    drawn: () => now && maps.map((map, i) => drawnMap(map, now.sheets[i], now.labels)),
    destroy: () => maps.forEach(({ grid }) => grid.destroy()),
  };
}
