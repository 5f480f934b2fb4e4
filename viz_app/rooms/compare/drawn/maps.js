// The three maps of the room Compare: A, B, and A less B, on axes that they share.

import { makeGrid } from "../../../stage/draw/grid.js";
import { fitMaps, scrollAsOne } from "../../../stage/draw/maps.js";
import { fixed, largestOf, LEAST_SAID, shortNumber, weightInCell } from "../../../stage/draw/numbers.js";
import { gradientOf } from "../../../stage/draw/palette.js";
import { make, makeDiffers, setText } from "../../../stage/page/elements.js";

const NAMES = /** @type {const} */ (["a", "b", "difference"]);
const PHONE = 480; // CSS pixels of a map's box; narrower ones name only what a step writes

/** A difference in a cell of a map: +.25; "" for one that is small. @param {number} value */
const signedInCell = (value) => (Math.abs(value) < LEAST_SAID ? ""
  : `${value > 0 ? "+" : "−"}${weightInCell(Math.abs(value))}`);

/** A score or a length in a cell: −3.2; "" for one that is small. @param {number} value */
const inCell = (value) => (Math.abs(value) < LEAST_SAID ? "" : fixed(value, 1));

/**
 * What all three have in common; `short`: what stands over rows that name only what they write.
 * @param {CompareLabels} labels
 * @param {?string} short
 */
const frameOf = ({ rows, columns }, short) => ({ rows: { count: rows.length,
  ...(short === null ? { labels: rows }
    : { labels: rows.map(({ lead: _, ...label }) => label), title: short }) },
  columns: { count: columns.length, labels: columns }, most: [56, 44], wide: 9, side: 0.34,
  digits: true, longest: 96, thin: 2 });

/**
 * What one map shows of an answer.
 * @typedef {Required<Pick<GridFrame, "kind" | "value" | "hidden" | "mark">>
 *   & Pick<GridFrame, "limit" | "range" | "spell">} CompareSheet
 * @param {CompareHeld} answer
 * @param {typeof NAMES[number]} name
 * @param {number} C columns
 * @returns {CompareSheet}
 */
export function sheetOf(answer, name, C) {
  const { hidden, numbers, [name]: values } = answer;
  const areWeights = numbers === "weights";
  const isApart = name === "difference";
  /** What is hidden from both has no difference; what is hidden from one has. */
  const masks = isApart ? [hidden.a, hidden.b] : [hidden[name]];
  const known = (/** @type {Float32Array[]} */ ...sets) => largestOf(sets.map((set) =>
    largestOf(set.filter((value) => !Number.isNaN(value)))));
  const most = isApart ? known(values) : areWeights ? 1 : known(answer.a, answer.b);
  return {
    kind: isApart || numbers === "scores" ? "signed" : "weight",
    limit: isApart || numbers === "scores" ? most : undefined,
    range: numbers === "norms" && !isApart ? [0, most] : undefined,
    spell: !areWeights ? inCell : isApart ? signedInCell : undefined,
    value: (row, column) => values[row * C + column],
    hidden: (row, column) => masks.every((mask) => mask[row][column] === "1"),
    mark: (row, column) => (Number.isNaN(values[row * C + column])
      && !masks.some((mask) => mask[row][column] === "1") ? "absent" : null),
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

/** An end of a scale; whole ones are whole. @param {number} end */
const shortEnd = (end) => (Number.isInteger(end) ? String(end) : shortNumber(end));

/**
 * Writes the titles of the maps and the scales beside them.
 * @param {Words} t
 * @param {CompareMap[]} maps
 * @param {CompareHeld} answer
 * @param {CompareSheet[]} sheets
 * @param {Palette} palette
 */
function writeLegends(t, maps, { places }, sheets, palette) {
  maps.forEach(({ name, title, scale }, i) => {
    const place = places[i];
    setText(title, place ? t("compare_map", { run: name.toUpperCase(), layer: place.layer + 1,
      head: place.head + 1 }) : t("compare_difference"));
    const { kind, limit = 1, range = [0, 1] } = sheets[i];
    const bar = make("i", { class: "compare-bar" });
    bar.style.background = gradientOf(kind === "signed" ? "signed" : "weight", palette);
    const ends = (kind === "signed" ? [-limit, limit] : range).map(shortEnd);
    scale.replaceChildren(make("span", { text: ends[0] }), bar, make("span", { text: ends[1] }));
  });
}

/**
 * How much room the maps have: beside one another, as high as there is room or as half of the window;
 * or a line each.
 * @param {HTMLElement} element
 * @param {CompareMap} map
 * @param {number} unit
 */
function roomFor(element, { caption }, unit) {
  const style = getComputedStyle(element);
  const how = style.getPropertyValue("--compare-fit").trim();
  const height = how === "half" ? 0.5 * window.innerHeight : element.clientHeight - caption.offsetHeight;
  return { lines: 1, gap: parseFloat(style.columnGap),
    height: how === "under" ? null : Math.max(180 * unit, height) };
}

/**
 * @typedef {ReturnType<typeof makeCompareMap>} CompareMap
 * @param {Words} t
 * @param {typeof NAMES[number]} name
 * @param {Omit<GridActs, "box">} acts
 */
function makeCompareMap(t, name, acts) {
  const title = make("span", { class: "compare-title" });
  const scale = make("span", { class: "compare-scale", "aria-hidden": "true" });
  const caption = make("figcaption", {}, [title, scale]);
  const grid = makeGrid(t, { ...acts, box: "compare-box", data: { map: name } });
  const element = make("figure", { class: "compare-map", data: { of: name } }, [caption, grid.element]);
  return { name, title, scale, caption, grid, element };
}

/**
 * @param {Words} t
 * @param {{redraw: Redraw, point: function(?GridCell): void, keep: function(GridCell): void}} acts
 */
export function makeCompareMaps(t, acts) {
  /** @type {CompareMap[]} */
  const maps = NAMES.map((name) => makeCompareMap(t, name, { ...acts, scrolled(box) {
    scrollAsOne(maps.map(({ grid }) => grid.element), box);
    acts.redraw();
  } }));
  const isOther = makeDiffers();
  const element = make("div", { class: "compare-maps", role: "group", "aria-label": t("compare_maps") },
    maps.map((map) => map.element));
  /** @type {?{labels: CompareLabels, common: ReturnType<typeof frameOf>, sheets: CompareSheet[]}} */
  let now = null;

  return {
    element,
    /**
     * @param {CompareHeld} answer
     * @param {CompareLabels} labels
     * @param {Look & {pointed: ?GridPlace, current: ?number, parted: ?number}} how
     */
    update(answer, labels, { palette, unit, pointed, current, parted }) {
      const isShort = answer.stepped && element.clientWidth < PHONE;
      if (isOther(answer, labels, palette, isShort) || !now) {
        now = { labels, common: frameOf(labels, isShort ? t("axis_rows_step_short") : null),
          sheets: NAMES.map((name) => sheetOf(answer, name, labels.columns.length)) };
        writeLegends(t, maps, answer, now.sheets, palette);
      }
      const { common, sheets } = now;
      const layouts = fitMaps(element, maps[0].grid.canvas, common, { palette, unit },
        roomFor(element, maps[0], unit));
      maps.forEach(({ grid }, i) => grid.reserve(layouts[i]));
      maps.forEach(({ grid }) => grid.measure());
      maps.forEach(({ name, grid, title }, i) => grid.update({ ...common, ...sheets[i],
        key: [answer, common.rows.labels, name], pointed, kept: null, current,
        eye: current === null ? undefined
          : eyeOf(answer.difference, current, labels.columns.length),
        rowMarks: parted === null ? [] : [parted],
        label: t("compare_map_label", { title: title.textContent, rows: labels.rows.length,
          columns: labels.columns.length }) }, { palette, unit }, layouts[i]));
    },
    destroy: () => maps.forEach(({ grid }) => grid.destroy()),
  };
}
