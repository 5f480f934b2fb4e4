// The source words that a head which finds the word being written reads for none: what the translation
// left out, or had from elsewhere. Pure.

import { rowOfWeights } from "../run/run.js";
import { rowUnits, showsWords } from "../run/units.js";
import { aligns } from "../run/view.js";

export const LEAST_READ = 0.1; // of the weight of some written word; less is no reading

const LETTER = /\p{L}/u;
const NO_WORD = /\p{Script=Han}/u; // a character is a part of one, and its word may be read by another

/**
 * The places, among the units of the source, of the words that nothing was read from.
 * @param {State} state
 * @param {Head} shown
 * @param {import("../run/units.js").Units} units of the source
 * @returns {Set<number>}
 */
export function unreadWords(state, shown, units) {
  const { run, site } = state;
  if (!run || run.summed || !run.finished || !showsWords(state) || !aligns(state, shown)) return new Set();
  const rows = rowUnits(state).map((queries) =>
    queries.map((query) => rowOfWeights(run, site, shown.layer, shown.head, query)));
  /** @param {number[]} unit */
  const most = (unit) => Math.max(...rows.map((queries) => queries.reduce((sum, weights) =>
    sum + unit.reduce((all, key) => all + weights[key], 0), 0) / queries.length));
  const { kinds, texts } = run.source;
  return new Set(units.flatMap((unit, place) => (unit.every((key) => kinds[key] === "text")
    && unit.some((key) => LETTER.test(texts[key])) && !unit.some((key) => NO_WORD.test(texts[key])) && most(unit) < LEAST_READ ? [place] : [])));
}
