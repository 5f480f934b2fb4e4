// Which update of its training B is of, on a slider, where A and B are one model.

import { html, live } from "../../../stage/page/html.js";
import { trainingOf } from "../../../stage/page/words.js";
import { byUpdate } from "../ways.js";

/**
 * @param {Words} t
 * @param {State} state
 * @param {?Recipe} b as answered; what is asked for comes before it
 * @param {function(?Recipe): void} setB
 */
export function compareTraining(t, state, b, setB) {
  const steps = trainingOf(state.options.models, state.model);
  const at = b === null ? -1 : steps.findIndex(({ name }) => name === (state.other?.b ?? b).model);
  const said = at < 0 ? "" : t("compare_training_at", { n: steps[at].update, of: steps[steps.length - 1].update });
  return html`
    <label class="compare-training" title=${t("compare_training_hint")} ?hidden=${at < 0 || !state.canAsk}>
      <span>${t("compare_training")}</span>
      <input type="range" class="compare-updates" min="0" max=${Math.max(0, steps.length - 1)} step="1"
        aria-label=${t("compare_training")} aria-valuetext=${said} .value=${live(String(Math.max(0, at)))}
        @input=${(/** @type {any} */ { target }) => setB(byUpdate(state.run.recipe, steps[Number(target.value)]))}>
      <output class="compare-update">${said}</output></label>`;
}
