// The step and the head that a translation opens on, as its payload says them; see
// rooms/translate/highlight.py.

import { hasSite } from "../anatomy.js";
import { lastStepOf } from "./able.js";

/**
 * The step that a whole translation is first shown at; of a model that was not on the screen before,
 * with the head that finds the word being written.
 * @param {State} state whose lock of cross-attention changes, where the model is new
 * @param {boolean} isNew
 */
export function openOn(state, isNew) {
  const { highlight } = state.run;
  if (!hasSite(state.model, "cross") || !highlight) return lastStepOf(state);
  const [layer, head] = highlight.finder;
  // Measured over a corpus where the model's folder says so, else over this sentence.
  if (isNew && state.model.start_on?.rows !== "predicted") state.locks.cross = { layer, head };
  const shown = state.locks.cross;
  return state.site === "cross" ? highlight.steps[shown.layer][shown.head] : lastStepOf(state);
}
