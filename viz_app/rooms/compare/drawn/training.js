// Which update of its training B is of, on a slider, where A and B are one model.

import { make, setText } from "../../../stage/page/elements.js";
import { trainingOf } from "../../../stage/page/words.js";
import { byUpdate } from "../ways.js";

/** @param {Words} t @param {Session} session @param {function(?Recipe): void} setB */
export function makeCompareTraining(t, { state }, setB) {
  const { models } = state.options;
  /** @type {Model[]} */
  let steps = [];
  const slider = make("input", { type: "range", min: "0", step: "1", class: "compare-updates",
    "aria-label": t("compare_training"), on: { input: () => {
      tell(Number(slider.value));
      setB(byUpdate(state.run.recipe, steps[Number(slider.value)]));
    } } });
  const said = make("output", { class: "compare-update" });
  const element = make("label", { class: "compare-training", title: t("compare_training_hint") },
    [make("span", { text: t("compare_training") }), slider, said]);

  /** @param {number} at */
  function tell(at) {
    const text = t("compare_training_at", { n: steps[at].update, of: steps[steps.length - 1].update });
    setText(said, text);
    slider.setAttribute("aria-valuetext", text);
  }

  return {
    element,
    /** @param {Recipe} b as answered; what is asked for comes before it */
    update(b) {
      steps = trainingOf(models, state.model);
      const at = steps.findIndex(({ name }) => name === (state.other?.b ?? b).model);
      element.hidden = at < 0 || !state.canAsk;
      if (at < 0) return;
      slider.max = String(steps.length - 1);
      slider.value = String(at);
      tell(at);
    },
    drawn: () => (element.hidden ? null : { at: Number(slider.value), said: said.textContent,
      updates: steps.map(({ update }) => update) }),
  };
}
