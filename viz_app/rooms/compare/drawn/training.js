// Which update of its training B is of, on a slider, where A and B are one model.

import { updatesSlider } from "../../../stage/page/updates.js";
import { trainingOf } from "../../../stage/page/words.js";
import { byUpdate } from "../ways.js";

/**
 * @param {Words} t
 * @param {State} state
 * @param {?Recipe} b as answered; what is asked for comes before it
 * @param {function(?Recipe): void} setB
 */
export const compareTraining = (t, state, b, setB) => updatesSlider(t,
  state.canAsk && b ? trainingOf(state.options.models, state.model) : [], (state.other?.b ?? b)?.model ?? null,
  { called: t("compare_training"), hint: t("compare_training_hint") }, (model) => setB(byUpdate(state.run.recipe, model)));
