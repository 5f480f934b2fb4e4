// What the maps of the room Masks show, out of the server's answer: a sheet a map, and a cell of all
// of them in a sentence.

import { quoted } from "../../../stage/draw/labels.js";
import { fixed, shortNumber, threeDigits } from "../../../stage/draw/numbers.js";

/** @typedef {import("./axes.js").MaskAxes} MaskAxes */
/** @typedef {function(number, number): number} Values of a cell */

const unmarked = () => null;

/** The words of a sheet. @param {Words} t @param {string} key @param {Record<string, any>} values */
const titled = (t, key, values = {}) => ({ title: t(key, values), says: key, values,
  sign: key.replace("map", "sign") });

/**
 * The largest value by its size, or difference; a list may be too long for arguments.
 * @param {Float32Array} list
 * @param {Float32Array} [less]
 */
const mostOf = (list, less) =>
  list.reduce((most, value, i) => Math.max(most, Math.abs(value - (less?.[i] ?? 0))), 1e-9);

/**
 * The numbers of one head, by their place.
 * @param {MasksHeld} answer
 * @param {MaskAxes} axes
 * @param {Head} lock
 * @returns {function(Float32Array): {list: Float32Array, of: Values}}
 */
function cutterOf(answer, { rows, columns }, { layer, head }) {
  const [Q, K] = [rows.length, columns.length];
  const at = answer.one ? 0 : (layer * answer.heads + head) * Q * K;
  return (floats) => {
    const list = floats.subarray(at, at + Q * K);
    return { list, of: (q, k) => list[q * K + k] };
  };
}

/**
 * One head read in one pass, step by step, and the difference.
 * @param {PassesHeld} answer
 * @param {MaskAxes} axes
 * @param {Head} lock
 * @param {number} step
 * @param {Words} t
 * @returns {MaskSheet[]}
 */
function passSheets(answer, axes, lock, step, t) {
  const Q = axes.rows.length;
  const cut = cutterOf(answer, axes, lock);
  const [once, stepped] = [cut(answer.once), cut(answer.stepped)];
  const limit = mostOf(once.list, stepped.list);
  /** @type {function(string, MaskSheet["kind"], Values, number, string[][]): MaskSheet} */
  const sheet = (name, kind, value, reached, masks) => ({ name, kind, value, reached, limit,
    mark: unmarked, hidden: (q, k) => masks.every((mask) => mask[q][k] === "0"),
    ...titled(t, `masks_map_${name}`, { n: step, m: Q }) });
  const { once_allowed: ofOnce, allowed: ofSteps } = answer;
  return [sheet("once", "weight", once.of, Q, [ofOnce]),
    sheet("stepped", "weight", stepped.of, step, [ofSteps]),
    sheet("difference", "signed", (q, k) => once.of(q, k) - stepped.of(q, k), step,
      [ofOnce, ofSteps])];
}

/**
 * The masks of one head, its scores, those that the mask leaves, and its weights.
 * @param {BatchHeld} answer
 * @param {MaskAxes} axes
 * @param {Head} lock
 * @param {Words} t
 * @returns {MaskSheet[]}
 */
function batchSheets(answer, axes, lock, t) {
  const { masks, own } = answer;
  const reached = axes.rows.length;
  const cut = cutterOf(answer, axes, lock);
  const [scores, weights] = [cut(answer.scores), cut(answer.weights)];
  /** @type {(name: "pad" | "causal" | "combined") => MaskSheet} */
  function ofMask(name) {
    const [mask, intact] = [masks[name], own[name]];
    return { name, kind: "mask", ...titled(t, `masks_map_${name}`), reached,
      value: (q, k) => Number(mask?.[q][k]),
      hidden: (q, k) => mask?.[q][k] === "0",
      mark: (q, k) => (!mask || mask[q][k] === intact?.[q][k] ? null
        : mask[q][k] === "1" ? "opened" : "closed") };
  }
  const combined = ofMask("combined");
  const { hidden } = combined;
  const limit = mostOf(scores.list);
  const fill = answer.hidden_score ?? -Infinity;
  return [
    ofMask("pad"), ofMask("causal"), combined,
    { name: "scores", kind: "signed", ...titled(t, "masks_map_scores"), value: scores.of, reached,
      limit, hidden: () => false, mark: unmarked },
    { name: "masked", kind: "signed", ...titled(t, "masks_map_masked"), reached, limit, hidden,
      value: (q, k) => (hidden(q, k) ? fill : scores.of(q, k)), mark: unmarked,
      fill: shortNumber(fill) },
    { name: "weights", kind: "weight", reached, hidden, mark: unmarked, value: weights.of,
      ...titled(t, answer.hard ? "masks_map_weights_hard" : "masks_map_weights") },
  ];
}

/**
 * The six sheets of one head, or the three of two readings of it.
 * @param {MasksHeld} answer
 * @param {MaskAxes} axes
 * @param {Head} lock
 * @param {number} step of the reading by steps, from 1
 * @param {Words} t
 */
export const sheetsOf = (answer, axes, lock, step, t) => (answer.view === "passes"
  ? passSheets(answer, axes, lock, step, t) : batchSheets(answer, axes, lock, t));

/**
 * What a cell is, in a sentence: the same cell in every map.
 * @param {MasksHeld} answer
 * @param {MaskAxes} axes
 * @param {MaskSheet[]} sheets
 * @param {Cell} cell
 * @param {number} step
 * @param {Words} t
 */
export function readingOfMask(answer, axes, sheets, { query, key }, step, t) {
  const names = { query: quoted(axes.rows[query].label), key: quoted(axes.columns[key].label) };
  const [first, second, third, scores, , weights] = sheets;
  /** @param {MaskSheet} sheet */
  const at = (sheet) => sheet.value(query, key);
  if (answer.view === "passes") {
    return t(query < step ? "masks_reading_once" : "masks_reading_later", { ...names,
      once: fixed(at(first), 6), stepped: fixed(at(second), 6), difference: shortNumber(at(third)) });
  }
  const values = { ...names, score: shortNumber(at(scores)), weight: threeDigits(at(weights)),
    fill: shortNumber(answer.hidden_score ?? -Infinity) };
  if (!third.hidden(query, key)) {
    return t(third.mark(query, key) ? "masks_reading_opened" : "masks_reading_open", values);
  }
  const [isPadRow, isPad] = [axes.rows[query], axes.columns[key]].map(({ kind }) => kind === "pad");
  const why = first.hidden(query, key)
    ? answer.breaks.includes("pads-rows") && isPadRow ? "row" : isPad ? "pad" : "edit"
    : key > query ? "future" : key < query ? "window" : "itself";
  return t("masks_reading_hidden", { ...values, why: t(`masks_why_${why}`) });
}

/**
 * What a cell of a map is in the room Inside a head: {recipe, cell}, or {why} where that room cannot
 * show it. The recipe has the pads that the cell needs.
 * @param {MasksHeld} answer
 * @param {MaskAxes} axes
 * @param {?Cell} cell
 * @param {number} mostPads
 * @param {Words} t
 * @returns {{recipe: ?Recipe, cell: ?Cell, why: ?string}}
 */
export function maskCellInside(answer, axes, cell, mostPads, t) {
  const none = { recipe: null, cell: null, why: null };
  if (!cell) return none;
  const ofColumns = answer.columns;
  const shown = answer.batch[answer.shown];
  /** @param {string} side @param {Label} token */
  const onPad = (side, token) => side === "target" && token.kind === "pad";
  if (onPad(answer.rows, axes.rows[cell.query]) || onPad(ofColumns, axes.columns[cell.key])) {
    return { ...none, why: t("masks_look_pad_row") };
  }
  const { source } = answer.view === "passes" ? answer : shown;
  const real = source.kinds.filter((kind) => kind !== "pad").length;
  const last = Math.max(answer.rows === "source" ? cell.query : 0,
    ofColumns === "source" ? cell.key : 0);
  const pads = Math.max(0, last + 1 - real);
  if (pads > mostPads) return { ...none, why: t("masks_look_many_pads", { limit: mostPads }) };
  return { ...none, cell, recipe: { ...shown.recipe, pads } };
}
