// The three maps of the room Compare: A, B, and A less B, on axes that they share.

import { fitMaps, makeMapRoom, makeMaps, scaleOf } from "../../../stage/draw/maps.js";
import { fixed, largestAt, largestOf, shortNumber, weightInCell } from "../../../stage/draw/numbers.js";
import { LEAST_SAID } from "../../../stage/choices.js";
import { makeDiffers } from "../../../stage/page/elements.js";
import { elementOf, html } from "../../../stage/page/html.js";
import { tokensOfA } from "../says.js";

const NAMES = /** @type {const} */ (["a", "b", "difference"]);
const PHONE = 480; // CSS pixels of a map's box; narrower ones name only what a step writes

/** A difference in a cell of a map: +.25; "" for one that is small. @param {number} value */
const signedInCell = (value) => (Math.abs(value) < LEAST_SAID ? ""
  : `${value > 0 ? "+" : "−"}${weightInCell(Math.abs(value))}`);

/** A score or a length in a cell: −3.2; "" for one that is small. @param {number} value */
const inCell = (value) => (Math.abs(value) < LEAST_SAID ? "" : fixed(value, 1));

/**
 * What all three have in common; `short`: what stands over rows that name only what they write.
 * @param {Pick<CompareShown, "row_pairs" | "column_pairs">} answer
 * @param {CompareLabels} labels
 * @param {?string} short
 */
export const compareFrameOf = ({ row_pairs: ofRows, column_pairs: ofColumns }, { rows, columns }, short) => ({
  rows: { count: rows.length, tokens: tokensOfA(ofRows), ...(short === null ? { labels: rows }
    : { labels: rows.map(({ lead: _, ...label }) => label), title: short }) },
  columns: { count: columns.length, labels: columns, tokens: tokensOfA(ofColumns) }, most: [56, 44], wide: 9, side: 0.34,
  digits: true, longest: 96, thin: 2 });

/**
 * What one map shows of an answer.
 * @typedef {Required<Pick<GridFrame, "kind" | "value" | "hidden" | "mark">>
 *   & Pick<GridFrame, "limit" | "range" | "spell">} CompareSheet
 * @param {CompareShown} answer
 * @param {typeof NAMES[number]} name
 * @param {number} C columns
 * @returns {CompareSheet}
 */
export function sheetOf(answer, name, C) {
  const { hidden, numbers, [name]: values } = answer;
  const areWeights = numbers === "weights";
  const isApart = name === "difference";
  /** What is hidden from both has no difference; what is hidden from one has, where the other has the cell. */
  const masks = isApart ? [hidden.a, hidden.b] : [hidden[name]];
  const isHidden = (/** @type {number} */ row, /** @type {number} */ column) => masks.every((mask) => mask[row][column] === "1");
  const known = (/** @type {Float32Array[]} */ ...sets) => largestOf(sets.map((set) =>
    largestOf(set.filter((value) => !Number.isNaN(value)))));
  const most = isApart ? known(values) : areWeights ? 1 : known(answer.a, answer.b);
  return {
    kind: isApart || numbers === "scores" ? "signed" : "weight",
    limit: isApart || numbers === "scores" ? most : undefined,
    range: numbers === "norms" && !isApart ? [0, most] : undefined,
    spell: !areWeights ? inCell : isApart ? signedInCell : undefined,
    value: (row, column) => values[row * C + column],
    hidden: isHidden,
    mark: (row, column) => (Number.isNaN(values[row * C + column]) && !isHidden(row, column) ? "absent" : null),
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
  return largestAt(far);
}

/** An end of a scale; whole ones are whole. @param {number} end */
const shortEnd = (end) => (Number.isInteger(end) ? fixed(end, 0) : shortNumber(end));

/** What stands over a map. @param {Words} t @param {string} name @param {?Head | undefined} place @param {CompareSheet} sheet @param {Palette} palette */
function captionOf(t, name, place, { kind, limit = 1, range = [0, 1] }, palette) {
  const ends = (kind === "signed" ? [-limit, limit] : range).map(shortEnd);
  return { scale: scaleOf("compare-bar", kind, ends, palette), title: place ? t("compare_map", { run: name.toUpperCase(),
    layer: place.layer + 1, head: place.head + 1 }) : t("compare_difference") };
}

/**
 * @param {Words} t
 * @param {{redraw: Redraw, point: function(?GridCell): void, keep: function(GridCell): void}} acts
 */
export function makeCompareMaps(t, acts) {
  const all = makeMaps(t, "compare", NAMES, { isJoint: true, redraw: acts.redraw, acts: () => acts });
  const { maps } = all;
  const isOther = makeDiffers();
  const element = elementOf(html`
    <div class="compare-maps" role="group" aria-label=${t("compare_maps")}>${maps.map((map) => map.element)}</div>`);
  const rooms = makeMapRoom(element, maps, acts.redraw);
  /** @type {?{labels: CompareLabels, common: ReturnType<typeof compareFrameOf>, sheets: CompareSheet[]}} */
  let now = null;

  return {
    element,
    /**
     * @param {CompareShown} answer
     * @param {CompareLabels} labels
     * @param {Look & {pointed: ?GridPlace, current: ?number, parted: ?number}} how
     */
    update(answer, labels, { pointed, current, parted, ...look }) {
      const room = rooms.of(maps[0].caption);
      all.measure();
      const isShort = answer.stepped && room.width < PHONE;
      if (isOther(answer, labels, look.palette, isShort) || !now) {
        now = { labels, common: compareFrameOf(answer, labels, isShort ? t("axis_rows_step_short") : null),
          sheets: NAMES.map((name) => sheetOf(answer, name, labels.columns.length)) };
        all.entitle(now.sheets.map((sheet, i) => captionOf(t, NAMES[i], answer.places[i], sheet, look.palette)));
      }
      const { common, sheets } = now;
      const frames = maps.map(({ name, caption }, i) => ({ ...common, ...sheets[i],
        key: [answer, common.rows.labels, name], pointed, kept: null, current,
        eye: current === null ? undefined
          : eyeOf(answer.difference, current, labels.columns.length),
        rowMarks: parted === null ? [] : [parted],
        label: t("compare_map_label", { title: caption.firstElementChild?.textContent, rows: labels.rows.length,
          columns: labels.columns.length }) }));
      const { layouts, sizes } = fitMaps(element, common, look, room);
      all.update(frames, look, layouts, sizes);
    },
    destroy() {
      rooms.destroy();
      all.destroy();
    },
  };
}
