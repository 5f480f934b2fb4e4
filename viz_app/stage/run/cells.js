// Cells: a query and a key of one head. Pure: knows no page.

import { isStepped } from "../anatomy.js";
import { largestAt } from "../draw/numbers.js";
import { keyCount, queryCount, rowOfWeights, stepsHeld } from "./run.js";

/**
 * What the row of the current step reads most; where rows are no steps, the answer says.
 * @param {{run: Run, at: number}} state
 * @param {Site} site
 * @param {Head} lock
 * @returns {Cell}
 */
export function cellOfStep(state, site, lock) {
  const { run, at } = state;
  const { layer, head } = lock;
  if (!isStepped(run, site)) {
    // Of a site whose rows come when a head is looked at, nothing is known beforehand.
    const [query, key] = run.best[site]?.[layer][head] ?? [0, 0];
    return { query, key };
  }
  const query = Math.min(at, queryCount(run, site) - 1);
  const row = rowOfWeights(run, site, layer, head, query);
  return { query, key: Math.max(0, largestAt(row)) };
}

/**
 * The cell of a site: the one that was chosen, while the run has it, else what the row of the current
 * step reads most.
 * @param {State} state
 * @param {Site} site
 * @returns {Cell}
 */
export function cellOf(state, site) {
  const { run, cells, locks } = state;
  const chosen = cells[site];
  return chosen && hasCell(run, site, chosen) ? chosen : cellOfStep(state, site, locks[site]);
}

/** Whether the run has such a cell. @param {Run} run @param {Site} site @param {Cell} cell */
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
  return stepsHeld(run, { ...recipe, pads }) > (isStepped(run, site) ? cell.query : -1)
    && hasCell(run, site, cell);
}
