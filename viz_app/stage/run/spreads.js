// The entropy and the largest weight of every row of attention, computed once: a step of a decode adds
// its rows, and those before it keep their block of weights, so theirs is known. Pure.

import { columnsOf, isStepped } from "../anatomy.js";
import { keyCount, queryCount } from "./run.js";

/**
 * Of each row of a block of weights, one after the other: its entropy in bits, its largest weight.
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
