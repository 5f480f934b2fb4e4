// Changing the arithmetic of the model that decodes: what it takes, and what is asked then.

import { canEdit, padsOf } from "./able.js";
import { forcedOf } from "./edits.js";
import { recipeWith } from "./recipe.js";

/** @param {import("./decoding.js").Own} own @param {import("./undo.js").Ways["ask"]} ask */
export function makeEditing(own, ask) {
  const { state } = own;
  return {
    /** @param {string} kind whether an edit of it is possible now */
    canEdit: (kind) => canEdit(state) && state.run.anatomy.edits.includes(kind),
    /** Tokens that were forced stay, the rest is decoded anew. */
    edit: own.playing.byHand((/** @type {string[]} */ edits) => {
      if (!canEdit(state)) return false;
      const { run, at } = state;
      const target = forcedOf(run.recipe);
      const more = run.finished ? "end" : run.recipe.target.length - target.length;
      return ask(own, recipeWith(state, { edits, target, pads: padsOf(state) }), more,
        { cursor: (/** @type {Payload} */ payload) => state.more?.placeAfter(run, at, payload) ?? at });
    }),
  };
}
