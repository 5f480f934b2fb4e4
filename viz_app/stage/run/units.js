// What the map and the sentences of the room Translate are made of: words, or the pieces that the
// tokenizer makes of them. A word's weight is the sum over its pieces as keys and the mean over them as
// queries; which pieces make a word is the model's to say, see model_core/values/words.py. Pure.

import { columnsOf, isStepped, rowsOf, writes } from "../anatomy.js";
import { keyCount, queryCount } from "./run.js";

/** @typedef {number[][]} Units the places of the tokens, rows or columns of each */

/** Whether the reader goes through the translation step by step, or it is not at its end. @param {State} state */
export const isStepping = ({ run, isPlaybackOpen }) => isPlaybackOpen || (run !== null && writes(run) && run.finished === null);

/** Whether a head is drawn between the two sentences. @param {State} state */
export const hasArcs = (state) => writes(state.run) && !isStepping(state) && state.reading !== "hidden";

/**
 * Whether words can be shown: a step writes a piece, and norms are those of a piece's own value.
 * @param {State} state
 */
const canShowWords = (state) => state.room === "translate" && state.reading !== "norms" && !isStepping(state);

/** Whether words are shown. @param {State} state */
export const showsWords = (state) => canShowWords(state) && state.by === "words" && !state.spelled;

/** @typedef {"words" | "plain" | "pieces"} Shown words, tokens as plain text, or tokens as their tokenizer spells them */

/**
 * What the sentences and maps are of, and the choices that a room has, always the same: words cannot be taken
 * while a row is a token.
 * @param {State} state
 * @param {boolean} [canBeWords] whether words can be shown: of another room that has words, which says so itself
 * @returns {{chosen: Shown, choices: Shown[], can: function(string): boolean}}
 */
export function unitChoices(state, canBeWords) {
  const can = canBeWords ?? canShowWords(state);
  const hasWords = canBeWords !== undefined || state.room === "translate";
  return { chosen: state.spelled ? "pieces" : can && state.by === "words" ? "words" : "plain",
    choices: hasWords ? ["words", "plain", "pieces"] : ["plain", "pieces"], can: (shown) => can || shown !== "words" };
}

/** Each place by itself. @param {number} count @returns {Units} */
const single = (count) => Array.from({ length: count }, (_, place) => [place]);

/** Those of some units within a range, counted from its beginning. @param {Units} units @param {number} from @param {number} to @returns {Units} */
const within = (units, from, to) => units
  .map((unit) => unit.filter((place) => place >= from && place < to).map((place) => place - from))
  .filter((unit) => unit.length > 0);

/** The tokens of each word of a sentence, or of each token. @param {State} state @param {"source" | "target"} side @returns {Units} */
export const unitsOf = (state, side) => {
  const { ids, words } = state.run[side];
  return showsWords(state) && words ? words : single(ids.length);
};

/**
 * The rows of each word that is written or read, or each row; a step that has written nothing yet is one too.
 * @param {State} state
 * @returns {Units}
 */
export function rowUnits(state) {
  const { run, site } = state;
  const count = queryCount(run, site);
  if (!isStepped(run, site)) return unitsOf(state, rowsOf(run, site));
  const written = within(unitsOf(state, "target"), 1, count + 1);
  const known = written.reduce((sum, { length }) => sum + length, 0);
  return [...written, ...single(count).slice(known)];
}

/** The columns of each word, or each column. @param {State} state @returns {Units} */
export const columnUnits = (state) =>
  within(unitsOf(state, columnsOf(state.run, state.site)), 0, keyCount(state.run, state.site));

/** The unit that a place belongs to; null where there is none. @param {Units} units @param {?number} [place] */
export function unitAt(units, place) {
  const at = units.findIndex((unit) => unit.includes(/** @type {number} */ (place)));
  return at < 0 ? null : at;
}

/**
 * A number of each cell as one of each pair of units: summed over the columns of one, and over its
 * rows the mean, or the sum.
 * @param {function(number, number): number} value of a row and a column
 * @param {Units} rows
 * @param {Units} columns
 * @param {{sumRows?: boolean, firstColumn?: boolean}} [how] `firstColumn`: a number holds for a whole word
 */
export const valueOfUnits = (value, rows, columns, { sumRows = false, firstColumn = false } = {}) =>
  (/** @type {number} */ row, /** @type {number} */ column) => {
    const keys = firstColumn ? columns[column].slice(0, 1) : columns[column];
    let sum = 0;
    for (const query of rows[row]) for (const key of keys) sum += value(query, key);
    return sumRows ? sum : sum / rows[row].length;
  };
