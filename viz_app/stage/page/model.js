// The model at hand: the menu, and beside it what tells about the model and opens another.

import { make } from "./elements.js";
import { titleAmong, titleOfModel } from "./words.js";

/**
 * The menu: models of one group stand together under its name.
 * @param {Words} t
 * @param {{options: any}} state
 * @param {any} actions
 */
function makeModels(t, { options }, actions) {
  const list = options.models;
  const option = (/** @type {any} */ model) => make("option", { value: model.name, text: titleAmong(list, model, t) });
  const groups = [...new Set(list.map((/** @type {any} */ { group }) => group))];
  const named = (/** @type {string} */ group) => (t.has(`group_${group}`) ? t(`group_${group}`) : group);
  const models = make("select", { class: "model", "aria-label": t("model"), on: {
    change: () => actions.setModel(models.value),
  } }, groups.flatMap((group) => {
    const within = list.filter((/** @type {any} */ model) => model.group === group).map(option);
    return group && groups.length > 1 ? [make("optgroup", { label: named(group) }, within)] : within;
  }));
  return models;
}

/**
 * The menu of models; without a server there is one model and nothing to choose.
 * @param {Words} t
 * @param {{state: any, actions: any}} decoding
 */
export function makeModelLine(t, { state, actions }) {
  const models = state.canAsk ? makeModels(t, state, actions) : null;
  const element = make("div", { class: "model-line" }, [
    models ?? make("strong", { class: "model", text: titleOfModel(state.model, t) })]);
  return {
    element,
    update() {
      const chosen = state.wanted ?? state.model.name;
      if (models && models.value !== chosen) models.value = chosen;
    },
  };
}
