// Heads like a pattern: the cosine of a head's weights, all rows of them in one list, with a map that
// is named or drawn. Pure: knows no page.

import { columnsOf, isStepped, siteOf, sitesOf } from "../../stage/anatomy.js";
import { keyCount, maskedBecause, queryCount, rowOfWeights } from "../../stage/run/run.js";

export const FIND_PATTERNS = ["diagonal", "previous", "itself", "next", "first", "end", "own"];
export const FIND_SIDE = 8; // rows and columns of a map that is drawn
const LEAST_COSINE = 0.0005; // in three digits a smaller one is 0

const BESIDE = ["previous", "itself", "next"]; // of the row's own token

/**
 * The patterns that mean something at a site: only the rows of cross-attention are other tokens.
 * @param {Site} site
 */
export const patternsAt = (site) => FIND_PATTERNS.filter((name) =>
  (site === "cross" ? !BESIDE.includes(name) : name !== "diagonal"));

/**
 * How much of one of N rows or columns lies in one of the FIND_SIDE that are drawn, the map being
 * stretched over all N.
 * @param {number} at
 * @param {number} N
 * @param {number} part
 */
const covered = (at, N, part) => Math.max(0, Math.min(((at + 1) * FIND_SIDE) / N, part + 1)
  - Math.max((at * FIND_SIDE) / N, part)) * (N / FIND_SIDE);

/**
 * The map of a pattern at a site, 0 where a query may not look; null where the site has no such place.
 * @param {Run} run
 * @param {Site} site
 * @param {string} pattern of FIND_PATTERNS
 * @param {number[]} cells row x FIND_SIDE + column of those that are drawn
 * @returns {?Float64Array} queries x keys
 */
export function patternMap(run, site, pattern, cells) {
  const [Q, K] = [queryCount(run, site), keyCount(run, site)];
  const last = run[columnsOf(run, site)].kinds.lastIndexOf("special");
  if (!patternsAt(site).includes(pattern)) return null;
  if (pattern === "end" && last <= 0) return null;
  const slope = (last > 0 ? last : K - 1) / Math.max(1, Q - 1);
  /** @type {Record<string, function(number, number): number>} */
  const valueOf = {
    diagonal: (q, k) => Math.max(0, 1 - Math.abs(k - slope * q)),
    previous: (q, k) => (k === q - 1 ? 1 : 0),
    itself: (q, k) => (k === q ? 1 : 0),
    next: (q, k) => (k === q + 1 ? 1 : 0),
    first: (_, k) => (k === 0 ? 1 : 0),
    end: (_, k) => (k === last ? 1 : 0),
    own: (q, k) => cells.reduce((sum, cell) => sum
      + covered(q, Q, Math.floor(cell / FIND_SIDE)) * covered(k, K, cell % FIND_SIDE), 0),
  };
  const map = new Float64Array(Q * K);
  for (let q = 0; q < Q; q += 1) {
    for (let k = 0; k < K; k += 1) {
      if (maskedBecause(run, site, q, k) === null) map[q * K + k] = valueOf[pattern](q, k);
    }
  }
  return map.some((value) => value > 0) ? map : null;
}

/**
 * The cosine of a head's weights with a map.
 * @param {Run} run
 * @param {Site} site
 * @param {number} layer
 * @param {number} head
 * @param {Float64Array} map
 */
export function likeness(run, site, layer, head, map) {
  const [Q, K] = [queryCount(run, site), keyCount(run, site)];
  let [both, own, other] = [0, 0, 0];
  for (let q = 0; q < Q; q += 1) {
    const row = rowOfWeights(run, site, layer, head, q);
    for (let k = 0; k < K; k += 1) {
      const [weight, value] = [row[k] ?? 0, map[q * K + k]];
      both += weight * value;
      own += weight * weight;
      other += value * value;
    }
  }
  return own > 0 && other > 0 ? both / Math.sqrt(own * other) : 0;
}

/** The sites whose rows are here. @param {Run} run @param {Model} model */
const sitesHere = (run, model) => sitesOf(model).filter((site) => !isStepped(model, site) || run.steps.length > 0);

/**
 * The key of the sentence on why no head is found.
 * @param {Run} run
 * @param {Model} model
 * @param {string} pattern
 * @param {number[]} cells
 */
export function whyNone(run, model, pattern, cells) {
  if (run.summed) return "heads_find_long";
  if (pattern === "own" && cells.length === 0) return "heads_draw";
  return sitesHere(run, model).some((site) => patternMap(run, site, pattern, cells)) ? "heads_find_unlike" : "heads_find_none";
}

/**
 * The heads most like a pattern, the most alike first; none where their rows are not here, and none
 * whose likeness would be printed as 0.
 * @param {Run} run
 * @param {Model} model
 * @param {string} pattern
 * @param {number[]} cells
 * @param {number} most
 * @returns {{site: Site, layer: number, head: number, cosine: number}[]}
 */
export function findHeads(run, model, pattern, cells, most) {
  if (run.summed) return [];
  return sitesHere(run, model).flatMap((site) => {
    const map = patternMap(run, site, pattern, cells);
    const { layers, heads } = siteOf(model, site);
    return map === null ? [] : Array.from({ length: layers * heads }, (_, at) => {
      const [layer, head] = [Math.floor(at / heads), at % heads];
      return { site, layer, head, cosine: likeness(run, site, layer, head, map) };
    });
  }).filter(({ cosine }) => cosine >= LEAST_COSINE).sort((a, b) => b.cosine - a.cosine).slice(0, most);
}
