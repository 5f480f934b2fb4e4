// Cells: a query and a key of one head. Pure: knows no page.

import { keyCount, queryCount, rowOfWeights, stepsHeld } from "./run.js";

/**
 * The cell of a head with the most weight among words, for a reader who chose none.
 * @param {Run} run
 * @param {Site} site
 * @param {number} layer
 * @param {number} head
 * @returns {Cell}
 */
export function bestCell(run, site, layer, head) {
  let best = { query: 0, key: 0, weight: -1 };
  const queries = site === "encoder" ? run.source : run.target;
  const keys = site === "decoder" ? run.target : run.source;
  for (const wordsOnly of [true, false]) {
    for (let query = 0; query < queryCount(run, site); query += 1) {
      if (wordsOnly && queries.kinds[query] !== "text") continue;
      rowOfWeights(run, site, layer, head, query).forEach((weight, key) => {
        const isWord = keys.kinds[key] === "text" && (site === "cross" || key !== query);
        if (wordsOnly && !isWord) return;
        if (weight > best.weight) best = { query, key, weight };
      });
    }
    if (best.weight >= 0) break;
  }
  return { query: best.query, key: best.key };
}

/**
 * What the row of the current step reads most; the encoder has no such row.
 * @param {{run: Run, at: number}} state
 * @param {Site} site
 * @param {Head} lock
 * @returns {Cell}
 */
export function cellOfStep(state, site, lock) {
  const { run, at } = state;
  const { layer, head } = lock;
  if (site === "encoder") return bestCell(run, site, layer, head);
  const query = Math.min(at, queryCount(run, site) - 1);
  const row = rowOfWeights(run, site, layer, head, query);
  return { query, key: row.indexOf(Math.max(...row)) };
}

/**
 * Whether the run has such a cell.
 * @param {Run} run
 * @param {Site} site
 * @param {Cell} cell
 */
export function hasCell(run, site, cell) {
  return cell.query < queryCount(run, site) && cell.key < keyCount(run, site);
}

/**
 * Whether what the run computed of a cell is what the recipe computes of it.
 * @param {Run} run
 * @param {Recipe} recipe
 * @param {Site} site
 * @param {Cell} cell
 */
export function runShows(run, recipe, site, cell) {
  const { model, source, pads } = run.recipe;
  if (model !== recipe.model || source !== recipe.source || pads < recipe.pads) return false;
  return stepsHeld(run, { ...recipe, pads }) > (site === "encoder" ? -1 : cell.query)
    && hasCell(run, site, cell);
}
