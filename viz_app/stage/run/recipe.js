// The recipes that are asked for.

import { editsAfter } from "../page/whatif/edits.js";

/**
 * The recipe that is asked for now, with some changes.
 * @param {State} state
 * @param {Partial<Recipe>} changes
 * @returns {Recipe}
 */
export function recipeWith({ run, model, draft, strategy }, changes) {
  const base = run ? run.recipe
    : { version: 1, model: model.name, source: draft, pads: 0, target: [] };
  const others = changes.model && changes.model !== base.model ? { settings: {} } : {};
  return /** @type {Recipe} */ ({ ...base, edits: editsAfter(base, changes), ...others,
    strategy: strategy.kind === "greedy" ? { kind: "greedy" } : { ...strategy }, ...changes });
}
