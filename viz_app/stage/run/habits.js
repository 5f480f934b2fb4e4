// What a head does on this sentence: one word that its weights bear out, and the number behind it.
// Pure: knows no page. The words are explained, with how each number is computed, in
// viz_app/text/glossary_heads.py.

import { columnsOf, isStepped, siteOf } from "../anatomy.js";
import { keyCount, maskedBecause, queryCount, rowOfWeights } from "./run.js";
import { spreadOf } from "./spreads.js";

/**
 * A head on one sentence. `word` is null where no row has a choice of keys.
 * @typedef {{word: ?string, number: number, entropy: number, largest: number,
 *   shares: Record<string, number>}} Habit
 */

/** The places that a head of a site may look at, each a share of its attention.
 * @type {Record<Site, string[]>} */
const HABIT_PLACES = {
  encoder: ["previous", "itself", "next", "first", "end", "marks"],
  decoder: ["previous", "itself", "start", "marks"],
  cross: ["diagonal", "first", "end", "marks"],
};

const LEAST_SHARE = 0.5; // of a head's attention, for a word that says where it goes
const TIMES_EVEN = 2; // as much as a head that looks at all keys alike gives that place
const LEAST_ROWS = 0.5; // of the rows with a choice, that have such a place at all

/** What the heads of a site can be sorted by, beside their place. @param {Site} site */
export const measuresOf = (site) => ["entropy", "largest", ...HABIT_PLACES[site]];

const isMark = (/** @type {Tokens} */ tokens, /** @type {number} */ i) =>
  tokens.kinds[i] === "text" && /^\p{P}+$/u.test(tokens.texts[i].trim());

/**
 * The rows that count, each with the columns of every place; a place that a row does not have has
 * no columns there. A row with one key only has no choice, so no columns at all.
 * @param {Run} run
 * @param {Site} site
 * @returns {{query: number, keys: number, columns: number[][]}[]}
 */
function rowsOf(run, site) {
  const [Q, K] = [queryCount(run, site), keyCount(run, site)];
  const tokens = run[columnsOf(run, site)];
  const last = tokens.kinds.lastIndexOf("special"); // a source has no start token
  const slope = (last > 0 ? last : K - 1) / Math.max(1, Q - 1);
  const all = Array.from({ length: K }, (_, key) => key);
  const marks = all.filter((key) => isMark(tokens, key));
  // What the last row may look at; a row of the decoder only so far as itself.
  const open = all.filter((key) => maskedBecause(run, site, Q - 1, key) === null).length;
  const rows = [];
  const { causal } = siteOf(run, site);
  let keys = causal ? 0 : open;
  for (let query = 0; query < Q; query += 1) {
    if (!isStepped(run, site) && tokens.kinds[query] === "pad") continue;
    const may = (/** @type {number} */ key) => key >= 0 && key < K
      && maskedBecause(run, site, query, key) === null;
    if (causal && run.steps[query]?.unseen) keys = all.filter(may).length;
    else if (causal && may(query)) keys += 1;
    const middle = slope * query;
    /** @type {Record<string, number[]>} */
    const places = {
      previous: [query - 1], itself: [query], next: [query + 1], first: [0], start: [0],
      end: last > 0 ? [last] : [], marks,
      diagonal: [-1, 0, 1, 2].map((turn) => Math.floor(middle) + turn)
        .filter((key) => Math.abs(key - middle) <= 1),
    };
    rows.push({ query, keys, columns: HABIT_PLACES[site].map((place) =>
      (keys > 1 ? places[place].filter(may) : [])) });
  }
  return rows;
}

/**
 * What every head of a site does on the sentence of a run.
 * @param {Run} run
 * @param {Site} site
 * @param {?Head} aligner the head of cross-attention that aligns words best, where that was measured
 * @param {number[][]} taught layer and head of those that were taught to
 * @returns {Habit[][]} by layer and head
 */
export function habitsOf(run, site, aligner = null, taught = []) {
  const rows = rowsOf(run, site);
  const counts = HABIT_PLACES[site].map((_, place) =>
    Math.max(1, rows.filter(({ columns }) => columns[place].length > 0).length));
  const even = counts.map((count, place) => rows.reduce((sum, { columns, keys }) =>
    sum + columns[place].length / keys, 0) / count);
  const choices = rows.filter(({ keys }) => keys > 1).length;
  const usual = counts.map((count) => count >= LEAST_ROWS * choices);
  return Array.from({ length: run.layers[site] }, (_, layer) =>
    Array.from({ length: run.heads[site] }, (__, head) => {
      const measured = measure(run, site, { layer, head }, rows, counts);
      if (choices === 0) return { ...measured, word: null, number: 0 };
      const isAligner = site === "cross" && aligner?.layer === layer && aligner.head === head;
      const isTaught = site === "cross" && taught.some((one) => one[0] === layer && one[1] === head);
      const named = isTaught ? "taught" : isAligner ? "aligner" : null;
      return named ? { ...measured, word: named, number: measured.largest }
        : { ...measured, ...wordOf(site, measured, even, usual) };
    }));
}

/**
 * The numbers of one head. Of a row that was there before, only the places are read again.
 * @param {Run} run
 * @param {Site} site
 * @param {Head} place
 * @param {ReturnType<typeof rowsOf>} rows
 * @param {number[]} counts of rows that have each place
 */
function measure(run, site, { layer, head }, rows, counts) {
  if (run.summed) {
    const size = 2 + HABIT_PLACES[site].length;
    const at = (layer * run.heads[site] + head) * size;
    const [entropy, largest, ...shares] = run.summed[site].measures.subarray(at, at + size);
    return { entropy, largest,
      shares: Object.fromEntries(HABIT_PLACES[site].map((place, i) => [place, shares[i]])) };
  }
  const sums = counts.map(() => 0);
  let [bits, most, choices] = [0, 0, 0];
  for (const { query, keys, columns } of rows) {
    const spread = spreadOf(run, site, layer, head, query);
    bits += spread.bits;
    if (keys < 2) continue;
    const weights = rowOfWeights(run, site, layer, head, query);
    choices += 1;
    most += spread.largest;
    for (let place = 0; place < sums.length; place += 1) {
      for (const key of columns[place]) sums[place] += weights[key];
    }
  }
  return {
    entropy: bits / Math.max(1, rows.length), largest: most / Math.max(1, choices),
    shares: Object.fromEntries(HABIT_PLACES[site].map((place, i) => [place, sums[i] / counts[i]])),
  };
}

/**
 * The word that a head's numbers bear out: the place that gets the largest share, where most rows
 * have such a place and it is half of the attention and twice what looking at all keys alike gives;
 * else how sharp or spread it is.
 * @param {Site} site
 * @param {{entropy: number, largest: number, shares: Record<string, number>}} measured
 * @param {number[]} even
 * @param {boolean[]} usual
 */
function wordOf(site, { entropy, largest, shares }, even, usual) {
  let [word, number] = ["", 0];
  HABIT_PLACES[site].forEach((place, i) => {
    const share = usual[i] ? shares[place] : 0;
    if (share < LEAST_SHARE || share < TIMES_EVEN * even[i] || share <= number) return;
    [word, number] = [place, share];
  });
  if (word) return { word, number };
  return largest >= LEAST_SHARE ? { word: "sharp", number: largest }
    : { word: "spread", number: entropy };
}

/**
 * The number that heads are sorted by, and so printed.
 * @param {Habit} habit
 * @param {string} name of measuresOf
 */
export function measureOf(habit, name) {
  if (name === "entropy" || name === "largest") return habit[name];
  return habit.shares[name];
}

/**
 * The heads of one layer, counted from 0, in the order of a measure: the most focused first, or the
 * largest share first; by place where the site has no such measure.
 * @param {Habit[]} habits
 * @param {Site} site
 * @param {string} order "place" or a measure
 */
export function sortedHeads(habits, site, order) {
  const heads = habits.map((_, head) => head);
  if (!measuresOf(site).includes(order)) return heads;
  const sign = order === "entropy" ? 1 : -1;
  return heads.sort((a, b) =>
    sign * (measureOf(habits[a], order) - measureOf(habits[b], order)) || a - b);
}

/**
 * The head with the least entropy, to open a site on; null where no row has a choice of keys.
 * @param {Run} run
 * @param {Site} site
 * @returns {?Head}
 */
export function mostFocused(run, site) {
  if (siteOf(run, site).causal && queryCount(run, site) < 2) return null;
  const habits = habitsOf(run, site).flat();
  const best = habits.reduce((least, { entropy }, i) =>
    (entropy < habits[least].entropy ? i : least), 0);
  return { layer: Math.floor(best / run.heads[site]), head: best % run.heads[site] };
}
