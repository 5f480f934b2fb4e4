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
 * What a model begins with when the reader chooses it: what was typed, or its first example. A model that
 * reverses letters, or reads another script, is only offered a typed sentence, which stays for the next one.
 * @param {Model} model the one that is left
 * @param {Model} next
 * @param {{draft: string, offered?: string | null}} state
 * @param {function(string, Model): boolean} [isForeign]
 * @returns {{source: string, offered: string | null}}
 */
export function sourceFor(model, next, { draft, offered = null }, isForeign = () => false) {
  const first = next.examples?.[0];
  const isTraining = wholeOf(next) === wholeOf(model); // at another update
  if (first === undefined || isTraining) return { source: draft, offered: null };
  const typed = (model.examples ?? []).includes(draft) ? offered : draft;
  if (typed === null) return { source: first, offered: null };
  const isRead = next.languages[0] === "text" ? /^[a-z0-9]*$/.test(typed) : !isForeign(typed, next);
  return isRead ? { source: typed, offered: null } : { source: first, offered: typed };
}
