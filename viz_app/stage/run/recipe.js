// The recipe that the page asks for: the one on the screen with changes, or that of another sentence.

import { wholeOf } from "../anatomy.js";
import { editsAfter } from "./edits.js";

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

/**
 * What a model begins with when the reader chooses it: the sentence at hand, or its first example.
 * A model that reverses letters is only offered a typed sentence.
 * @param {Model} model the one that is left
 * @param {Model} next
 * @param {string} draft
 * @returns {{source: string, offered: string | null}}
 */
export function sourceFor(model, next, draft) {
  const first = next.examples?.[0];
  const isTraining = wholeOf(next) === wholeOf(model); // at another update
  if (first === undefined || isTraining) return { source: draft, offered: null };
  if ((model.examples ?? []).includes(draft)) return { source: first, offered: null };
  const letters = next.languages[0] !== "text" || /^[a-z0-9]*$/.test(draft);
  return letters ? { source: draft, offered: null } : { source: first, offered: draft };
}
