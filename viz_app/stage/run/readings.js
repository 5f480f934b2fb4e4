// Other readings of the weights in the large map. Averages and rollout are made here, of the weights
// that the page has, as model_core/studies/readings.py makes them; norms of values and hidden words
// are asked for, and so is everything of a decoding that is too large to be here. Pure: knows no page.

import { hasSite, isSelf, predicts, siteOf } from "../anatomy.js";
import { singlesFromBase64 } from "./wire.js";
import { largestOf } from "../draw/numbers.js";
import { keyCount, maskedBecause, queryCount, rowOfWeights } from "./run.js";

const ASKED = ["norms", "hidden"];

/**
 * Why a site has not this reading, as the end of the key of a sentence; null where it has it.
 * @param {State} state
 * @param {string} reading
 */
export function lacksReading(state, reading) {
  const { run, site, canAsk, options } = state;
  if (reading === "hidden" && site !== "cross") return "cross";
  if (reading === "rollout" && site === "cross" && !hasSite(run, "encoder")) return "encoder";
  if (!ASKED.includes(reading)) return null;
  if (!predicts(run)) return "values";
  if (run.readsWhole) return "whole";
  const isHere = (options.answers ?? []).some(({ room, asked }) =>
    room === "translate" && asked.reading === reading && asked.site === site);
  return canAsk || isHere ? null : "alone";
}

/** The reading that the map shows: the weights where the site has not the one that was chosen. */
export const readingHere = (/** @type {State} */ state) =>
  (lacksReading(state, state.reading) === null ? state.reading : "weights");

/**
 * Under which name a run holds what was answered; norms are of all heads, hidden words of all layers.
 * @param {string} reading
 * @param {Site} site
 * @param {number} layer
 */
export const heldAs = (reading, site, layer) =>
  `${reading} ${site}${ASKED.includes(reading) || reading === "mean_all" ? "" : ` ${layer}`}`;

/**
 * What must be asked for before a reading can be shown; null where all is here.
 * @param {Run} run
 * @param {Site} site
 * @param {Head} head
 * @param {string} reading
 */
export function readingToAsk(run, site, { layer }, reading) {
  if (reading === "weights" || (!ASKED.includes(reading) && !run.summed)) return null;
  if (run.held.has(heldAs(reading, site, layer))) return null;
  return ASKED.includes(reading) ? { reading, site } : { reading, site, layer };
}

/** Keeps an answer in the run it is about. @param {Run} run @param {any} asked @param {any} answer */
export function holdReading({ held }, { reading, site, layer }, answer) {
  held.set(heldAs(reading, site, layer), singlesFromBase64(answer.norms ?? answer.values));
  if (answer.words) {
    held.set("words", answer.words);
    held.set("runs", answer.runs ?? []);
    held.set("run_values", singlesFromBase64(answer.run_values ?? ""));
  }
}

/** @typedef {{ Q: number, K: number, numbers: Float64Array }} Numbers */

/**
 * The sum of the weights of some layers' heads over how many they are, (Q, K).
 * @param {Run} run
 * @param {Site} site
 * @param {number[]} layers
 * @returns {Numbers}
 */
function meanOf(run, site, layers) {
  const [Q, K, H] = [queryCount(run, site), keyCount(run, site), run.heads[site]];
  const numbers = new Float64Array(Q * K);
  for (const layer of layers) {
    for (let head = 0; head < H; head += 1) {
      for (let query = 0; query < Q; query += 1) {
        rowOfWeights(run, site, layer, head, query)
          .forEach((weight, key) => { numbers[query * K + key] += weight; });
      }
    }
  }
  return { Q, K, numbers: numbers.map((sum) => sum / (layers.length * H)) };
}

/** a b, of matrices that fit. @param {Numbers} a @param {Numbers} b @returns {Numbers} */
function product(a, b) {
  const numbers = new Float64Array(a.Q * b.K);
  for (let i = 0; i < a.Q; i += 1) {
    for (let j = 0; j < a.K; j += 1) {
      const factor = a.numbers[i * a.K + j];
      for (let k = 0; factor !== 0 && k < b.K; k += 1) {
        numbers[i * b.K + k] += factor * b.numbers[j * b.K + k];
      }
    }
  }
  return { Q: a.Q, K: b.K, numbers };
}

/**
 * Self-attention rolled out to a layer (Abnar and Zuidema 2020).
 * @param {Run} run
 * @param {Site} site
 * @param {number} layer
 */
function rolledOut(run, site, layer) {
  let rolled = null;
  for (let one = 0; one <= layer; one += 1) {
    const mixed = meanOf(run, site, [one]);
    const { Q, numbers } = mixed;
    for (let i = 0; i < Q; i += 1) {
      numbers[i * Q + i] += 1; // the residual connection
      const row = numbers.subarray(i * Q, (i + 1) * Q);
      const sum = row.reduce((a, b) => a + b, 0);
      row.forEach((number, at) => { row[at] = number / sum; });
    }
    rolled = rolled ? product(mixed, rolled) : mixed;
  }
  return /** @type {Numbers} */ (rolled);
}

/** The layer of the encoder that cross-attention reads. @param {Run} run */
function layerRead(run) {
  const said = (run.recipe.edits ?? []).flatMap((edit) => edit.match(/^encoder-layer:(\d+)$/)?.[1] ?? []);
  return Math.min(run.layers.encoder, ...said.map(Number)) - 1;
}

/**
 * Rollout or a mean, (Q, K).
 * @param {Run} run
 * @param {Site} site
 * @param {number} layer
 * @param {string} reading
 */
function made(run, site, layer, reading) {
  if (reading === "mean") return meanOf(run, site, [layer]);
  if (reading === "mean_all") return meanOf(run, site, [...Array(run.layers[site]).keys()]);
  if (isSelf(run, site)) return rolledOut(run, site, layer);
  return product(meanOf(run, site, [layer]), rolledOut(run, "encoder", layerRead(run)));
}

/**
 * What a run holds under a name; made where it is not there yet.
 * @template Made
 * @param {Run} run
 * @param {string} name
 * @param {function(): Made} make
 * @returns {Made}
 */
function heldOr({ held }, name, make) {
  if (!held.has(name)) held.set(name, make());
  return held.get(name);
}

/**
 * How the large map is filled: `value(query, key)` in each cell, `hidden` why it has none; `limit` is
 * what the end of the colours stands for, `norms` those of the values, by column; `wordOf(key)` the
 * source tokens that are hidden together.
 * @typedef {(query: number, key: number) => number} OfCell
 * @typedef {{reading: string, value: OfCell, weight: OfCell, limit: number, norms: ?Float32Array,
 *   hidden: (query: number, key: number) => ?string, kind: "weight" | "signed",
 *   wordOf: (key: number) => number[]}} Reading
 * @param {Run} run
 * @param {Site} site
 * @param {Head} shown
 * @param {string} reading one that is here, see readingToAsk
 * @returns {Reading}
 */
export function readingOf(run, site, { layer, head }, reading) {
  const K = keyCount(run, site);
  /** @type {Reading["hidden"]} */
  const hidden = (query, key) => maskedBecause(run, site, query, key, layer);
  /** @type {OfCell} */
  const weight = (query, key) => rowOfWeights(run, site, layer, head, query)[key] ?? 0;
  /** @type {Reading} */
  const plain = { reading, value: weight, weight, hidden, limit: 1, kind: "weight", norms: null,
    wordOf: (key) => [key] };
  if (reading === "weights") return plain;
  if (reading === "norms") {
    const at = (layer * run.heads[site] + head) * K;
    const norms = /** @type {Float32Array} */ (run.held.get(heldAs(reading, site, layer)))
      .subarray(at, at + K);
    /** @type {OfCell} */
    const value = (query, key) => Math.fround(weight(query, key) * norms[key]);
    return { ...plain, value, norms, limit: largest(run, site, K, hidden, value) };
  }
  const numbers = heldOr(run, heldAs(reading, site, layer), () =>
    Float32Array.from(made(run, site, layer, reading).numbers));
  /** @type {OfCell} */
  const value = (query, key) => numbers[query * K + key];
  if (reading === "hidden") {
    return { ...plain, value, kind: "signed", limit: largestOf(numbers),
      hidden: (query) => (run.chosen[query] ? null : "unwritten"),
      wordOf: (key) => run.held.get("words")
        .find((/** @type {number[]} */ word) => word.includes(key)) };
  }
  // The residual connection is its own, and through layers more is reached than one window.
  const isRolled = reading === "rollout" && isSelf(run, site);
  return { ...plain, value, hidden(query, key) {
    const because = hidden(query, key);
    return isRolled && (query === key || because === "window") ? null : because;
  } };
}

/**
 * The largest weight × value norm of all heads of a site, for one scale of them; null where the norms or
 * the rows are not here.
 * @param {Run} run
 * @param {Site} site
 * @returns {?number}
 */
export function normsLimit(run, site) {
  if (run.summed || !run.held.has(heldAs("norms", site, 0))) return null;
  const H = run.heads[site];
  return heldOr(run, `limit ${site}`, () => Math.max(...Array.from({ length: run.layers[site] * H }, (_, at) =>
    readingOf(run, site, { layer: Math.floor(at / H), head: at % H }, "norms").limit)));
}

/** The largest size of the numbers of some rows and columns; 1 where all are 0. @param {number} rows @param {number} columns @param {OfCell} value */
export const largestIn = (rows, columns, value) => largestOf(Array.from({ length: rows * columns },
  (_, at) => value(Math.floor(at / columns), at % columns)));

/**
 * The largest number of the cells that have one; 1 where all are 0.
 * @param {Run} run
 * @param {Site} site
 * @param {number} K
 * @param {Reading["hidden"]} hidden
 * @param {OfCell} value
 */
function largest(run, site, K, hidden, value) {
  let most = 0;
  for (let query = 0; query < queryCount(run, site); query += 1) {
    const last = siteOf(run, site).causal ? query + 1 : K;
    for (let key = 0; key < last; key += 1) {
      if (!hidden(query, key)) most = Math.max(most, value(query, key));
    }
  }
  return most || 1;
}
