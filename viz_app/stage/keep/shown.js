// What is on the screen, in values: what a link says of the page.

import { KEEP_CELL } from "../choices.js";
import { cellOf } from "../run/cells.js";
import { viewOf } from "../run/view.js";
import { viewOfRoom } from "./views.js";

/** @typedef {{recipe: Recipe, view: any}} Shown */

/**
 * What is on the screen, with all that was chosen; without what is only typed.
 * @param {State} state
 * @param {Record<string, any>} kept what the rooms keep
 * @returns {Shown}
 */
export function shownNow(state, kept) {
  const { run, locks, room, site, strategy, model } = state;
  const cells = { ...state.cells, ...(KEEP_CELL.includes(room) ? { [site]: cellOf(state, site) } : {}) };
  return { recipe: { ...run.recipe, strategy },
    view: { ...viewOf(state), locks, cells, choices: viewOfRoom(state, kept[room]), weights: model.fingerprint } };
}
