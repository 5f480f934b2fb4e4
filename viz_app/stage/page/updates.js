// At which update of its training a model is, on a slider over the weights that were kept.

import { html, live, nothing } from "./html.js";
import { trainingOf } from "./words.js";

/**
 * The slider over what was kept; nothing where the model at hand is none of that.
 * @param {Words} t
 * @param {Model[]} steps
 * @param {?string} name of the model at hand
 * @param {{called: string, hint: string}} said what the slider is called, and what it does
 * @param {function(Model): void} choose
 */
export function updatesSlider(t, steps, name, { called, hint }, choose) {
  const at = steps.findIndex((step) => step.name === name);
  if (at < 0) return nothing;
  const text = t("updates_at", { n: steps[at].update, of: steps[steps.length - 1].update });
  return html`
    <label class="updates-line" title=${hint}>
      <span>${called}</span>
      <input type="range" class="updates-slider" min="0" max=${steps.length - 1} step="1"
        aria-label=${called} aria-valuetext=${text} .value=${live(String(at))}
        @input=${(/** @type {any} */ { target }) => choose(steps[Number(target.value)])}>
      <output>${text}</output></label>`;
}

/** The same of the model that all rooms show. @param {Words} t @param {Session} session */
export function updatesOf(t, { state, actions }) {
  const steps = state.canAsk ? trainingOf(state.options.models, state.model) : [];
  return updatesSlider(t, steps, state.wanted ?? state.model.name, { called: t("updates_model"), hint: t("updates_model_hint") },
    ({ name }) => actions.setModel(name));
}
