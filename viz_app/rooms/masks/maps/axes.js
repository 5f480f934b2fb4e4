// The axes that all maps of the room Masks share, so that a place in one is the same place in all.

import { labelsOf } from "../../../stage/draw/labels.js";

const MASKS_MOST_RUN = 6; // pads in a row that are all drawn
const MASKS_KEPT_PADS = 3; // of a longer run; the rest are counted

/**
 * A place of an axis: that of a label, or {at: null, hidden} of the pads that are only counted.
 * @typedef {{at: ?number, hidden: number}} AxisPlace
 * @typedef {{rows: Label[], columns: Label[], rowPlaces: AxisPlace[], columnPlaces: AxisPlace[],
 *   fed: Label[], predicted: Label[]}} MaskAxes
 */

/** What may be many in a row, and stands at the end. @param {Label[]} labels */
const padsOf = (labels) => labels.filter(({ kind }) => kind === "pad").length;

/** Whether pads are many enough to be counted instead of drawn. @param {MaskAxes} axes */
export const isLong = ({ rows, columns }) =>
  [rows, columns].some((labels) => padsOf(labels) > MASKS_MOST_RUN);

/**
 * The places of an axis: one a label, but a long run of pads keeps its first few and one place for
 * the rest.
 * @param {Label[]} labels
 * @param {boolean} unfolded
 * @returns {AxisPlace[]}
 */
function placesOf(labels, unfolded) {
  const places = labels.map((_, at) => ({ at, hidden: 0 }));
  const pads = padsOf(labels);
  if (unfolded || pads <= MASKS_MOST_RUN) return places;
  const hidden = pads - MASKS_KEPT_PADS;
  return [...places.slice(0, -hidden), { at: null, hidden }];
}

/**
 * Labels and places of both axes, and the tokens fed in and predicted.
 * @param {MasksHeld} answer
 * @param {boolean} spelled
 * @param {boolean} unfolded whether all pads are drawn
 * @param {Words} t
 * @returns {MaskAxes}
 */
export function maskAxesOf(answer, spelled, unfolded, t) {
  const entry = answer.view === "passes" ? answer : answer.batch[answer.shown];
  const source = labelsOf(entry.source, false, spelled, t);
  const fed = labelsOf(entry.fed, true, spelled, t);
  const rows = answer.rows === "source" ? source : fed;
  const columns = answer.columns === "target" ? fed : source;
  return { rows, columns, rowPlaces: placesOf(rows, unfolded),
    columnPlaces: placesOf(columns, unfolded), fed,
    predicted: labelsOf(entry.predicted, false, spelled, t) };
}

/** One axis of a map; pads that are only counted stand last, as "+12". @param {Label[]} labels @param {AxisPlace[]} places */
const axisOf = (labels, places) => ({ count: places.length, labels: places.map(({ at, hidden }) =>
  (at === null ? { label: `+${hidden}`, kind: "fold" } : labels[at])) });

/**
 * What the frames of all maps have in common; `counted`: whether the cells of a mask have digits too.
 * @param {MaskAxes} axes
 */
export const commonFrame = ({ rows, columns, rowPlaces, columnPlaces }) => ({
  rows: axisOf(rows, rowPlaces), columns: axisOf(columns, columnPlaces),
  most: [51, 34], wide: 9, side: 0.3, digits: true, counted: true, thin: 2 });

/** @typedef {ReturnType<typeof commonFrame>} CommonFrame */

/** Whether a place only counts pads. @param {MaskAxes} axes @param {number} row @param {number} column */
export const isFold = ({ rowPlaces, columnPlaces }, row, column) =>
  rowPlaces[row].at === null || columnPlaces[column].at === null;

/**
 * Where a cell is drawn; null where it is folded away, or there is none.
 * @param {MaskAxes} axes
 * @param {?Cell} cell
 * @returns {?GridPlace}
 */
export const placeOfCell = ({ rowPlaces, columnPlaces }, cell) => (cell
  && rowPlaces[cell.query]?.at === cell.query && columnPlaces[cell.key]?.at === cell.key
  ? { row: cell.query, column: cell.key } : null);
