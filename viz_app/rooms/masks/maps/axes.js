// The axes that all maps of the room Masks share, so that a place in one is the same place in all.

import { labelOfWord, labelsOf } from "../../../stage/draw/labels.js";

/**
 * The tokens of both axes, the lines that show them, and the tokens fed in and predicted.
 * @typedef {{rows: Label[], columns: Label[], lines: Lines, fed: Label[], predicted: Label[]}} MaskAxes
 * @typedef {Record<"rows" | "columns", GridAxis & {labels: GridLabel[], tokens: number[][]}>} Lines
 */

/** Whether pads are many enough to be counted instead of drawn. @param {MasksHeld} answer @param {MaskAxes} axes */
export const isLong = ({ folded }, { rows, columns }) => folded.rows < rows.length || folded.columns < columns.length;

/**
 * The lines of an axis: one a token, but a long run of pads keeps its first few and one line, "+12", for
 * the rest.
 * @param {Label[]} labels
 * @param {number} kept
 */
function linesOf(labels, kept) {
  const tokens = labels.map((_, at) => at);
  const folded = tokens.slice(kept);
  const fold = folded.length > 0 ? [{ label: `+${folded.length}`, kind: "fold" }] : [];
  return { count: kept + fold.length, labels: [...labels.slice(0, kept), ...fold],
    tokens: [...tokens.slice(0, kept).map((at) => [at]), ...(fold.length > 0 ? [folded] : [])] };
}

/**
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
  const lines = { rows: linesOf(rows, unfolded ? rows.length : answer.folded.rows),
    columns: linesOf(columns, unfolded ? columns.length : answer.folded.columns) };
  return { rows, columns, lines, fed,
    predicted: labelsOf(entry.predicted, false, spelled, t) };
}

/**
 * The first word of an axis that is several tokens, and these; null where each is one.
 * @param {Label[]} labels of tokens
 * @returns {?{word: string, tokens: string[]}}
 */
export function dividedWord(labels) {
  const second = labels.findIndex(({ goesOn }) => goesOn);
  if (second < 0) return null;
  const after = labels.findIndex(({ goesOn }, at) => at > second && !goesOn);
  const tokens = labels.slice(second - 1, after < 0 ? labels.length : after);
  return { word: labelOfWord(tokens), tokens: tokens.map(({ label }) => label) };
}

/**
 * What the frames of all maps have in common; `counted`: whether the cells of a mask have digits too.
 * @param {MaskAxes} axes
 */
export const commonFrame = ({ lines }) =>
  ({ ...lines, most: [51, 34], wide: 9, side: 0.3, digits: true, counted: true, thin: 2 });

/** @typedef {ReturnType<typeof commonFrame>} CommonFrame */

/** Whether a place only counts pads. @param {Lines} lines @param {number} row @param {number} column */
export const isFold = ({ rows, columns }, row, column) =>
  rows.labels[row].kind === "fold" || columns.labels[column].kind === "fold";
