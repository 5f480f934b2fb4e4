// What a head looks at on this sentence, in numbers; the word for it comes with the run, see
// model_core/values/roles.py. Pure: knows no page.

import { columnsOf, isStepped, siteOf } from "../anatomy.js";
import { HEAD_PLACES } from "../choices.js";
import { keyCount, maskedBecause, queryCount, rowOfWeights } from "./run.js";

/**
 * A head on one sentence.
 * @typedef {{entropy: number, largest: number, shares: Record<string, number>}} Habit
 */

/** What the heads of a site can be sorted by, beside their place. @param {Site} site */
export const measuresOf = (site) => ["entropy", "largest", ...HEAD_PLACES[site]];

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
    rows.push({ query, keys, columns: HEAD_PLACES[site].map((place) =>
      (keys > 1 ? places[place].filter(may) : [])) });
  }
  return rows;
}

/**
 * Of each row of a block of weights, one after the other: its entropy in bits, its largest weight. A step of a decode adds
 * its rows, and those before it keep their block, so theirs is known.
 * @type {WeakMap<Float32Array, Float64Array>}
 */
const known = new WeakMap();

/**
 * @param {Float32Array} block rows of weights, one after the other
 * @param {number} keys weights in a row
 */
function spreadsOf(block, keys) {
  const spreads = new Float64Array(2 * (block.length / keys));
  for (let row = 0; row < spreads.length / 2; row += 1) {
    let [bits, largest] = [0, 0];
    for (let at = row * keys; at < (row + 1) * keys; at += 1) {
      const weight = block[at];
      if (weight > largest) largest = weight;
      if (weight > 0) bits -= weight * Math.log2(weight);
    }
    spreads[2 * row] = bits;
    spreads[2 * row + 1] = largest;
  }
  return spreads;
}

/**
 * How spread one row of a head is.
 * @param {Run} run
 * @param {Site} site
 * @param {number} layer
 * @param {number} head
 * @param {number} query
 * @returns {{bits: number, largest: number}}
 */
export function spreadOf(run, site, layer, head, query) {
  const isWhole = !isStepped(run, site); // one block for all its rows; else one for each step
  const block = isWhole ? run.blocks[site] : run.blocks[site][query];
  let spreads = known.get(block);
  if (!spreads) {
    spreads = spreadsOf(block, !isWhole && columnsOf(run, site) === "target" ? query + 1
      : keyCount(run, site));
    known.set(block, spreads);
  }
  const of = layer * run.heads[site] + head;
  const row = isWhole ? of * queryCount(run, site) + query : of;
  return { bits: spreads[2 * row], largest: spreads[2 * row + 1] };
}

/**
 * What every head of a site looks at on the sentence of a run.
 * @param {Run} run
 * @param {Site} site
 * @returns {Habit[][]} by layer and head
 */
export function habitsOf(run, site) {
  const rows = rowsOf(run, site);
  const counts = HEAD_PLACES[site].map((_, place) =>
    Math.max(1, rows.filter(({ columns }) => columns[place].length > 0).length));
  return Array.from({ length: run.layers[site] }, (_, layer) =>
    Array.from({ length: run.heads[site] }, (__, head) => measure(run, site, { layer, head }, rows, counts)));
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
    const size = 2 + HEAD_PLACES[site].length;
    const at = (layer * run.heads[site] + head) * size;
    const [entropy, largest, ...shares] = run.summed[site].measures.subarray(at, at + size);
    return { entropy, largest,
      shares: Object.fromEntries(HEAD_PLACES[site].map((place, i) => [place, shares[i]])) };
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
    shares: Object.fromEntries(HEAD_PLACES[site].map((place, i) => [place, sums[i] / counts[i]])),
  };
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
