// The model at hand: the menu, which also leads to a model of the reader's own, and beside it what tells
// about the model.

import { canCompare } from "../run/able.js";
import { hide, make, makeDiffers } from "./elements.js";
import { isModelElsewhere, leaveFor } from "./site.js";
import { titleAmong, titleOfModel, trainingOf } from "./words.js";

/** Groups of the menu that stand under one name: models that differ from each other in one thing. */
const SHELVES = new Map(["reversal", "positions", "similarity", "layers"].map((group) => [group, "small"]));
const OWN = "own:"; // no name of a model: leads to opening one
const BESIDE = "beside:"; // before the name of a model to compare with

/** The other models of the group of one for the same languages. @param {Model[]} models @param {Model} model */
const kinOf = (models, model) => models.filter((one) => one !== model && !one.of
  && one.name !== model.of && one.group === model.group && model.languages.length > 0 && String(one.languages) === String(model.languages));

/**
 * The menu: models of one group stand together under its name, and at its end the one at hand earlier
 * in its training, the models that it can be compared with, and what opens one by its path.
 * @param {Words} t
 * @param {State} state
 * @param {Session["actions"]} actions
 * @param {?function(): void} openOwn
 */
function makeModels(t, state, actions, openOwn) {
  const list = state.options.models;
  const option = (/** @type {Model} */ model) => make("option", { value: model.name, text: titleAmong(list, model, t) });
  const shelfOf = (/** @type {Model} */ { group }) => SHELVES.get(group) ?? group;
  const groups = [...new Set(list.map(shelfOf))];
  const named = (/** @type {string} */ group) => (group === "" ? t("group_yours") : t.has(`group_${group}`) ? t(`group_${group}`) : group);
  const models = make("select", { class: "model", "aria-label": t("model"), on: {
    change() {
      if (models.value === OWN) {
        models.value = state.wanted ?? state.model.name;
        openOwn?.();
      } else if (models.value.startsWith(BESIDE)) compare(models.value.slice(BESIDE.length));
      else if (isModelElsewhere(state, models.value)) leaveFor(state, t, models.value);
      else actions.setModel(models.value);
    },
  } }, groups.flatMap((group) => {
    const within = list.filter((model) => !model.of && shelfOf(model) === group).map(option);
    return groups.length > 1 ? [make("optgroup", { label: named(group) }, within)] : within;
  }));
  const earlier = make("optgroup", { label: t("model_earlier") });
  const beside = make("optgroup", { label: t("compare_group_with") });
  models.append(earlier, beside);
  if (openOwn) models.append(make("option", { value: OWN, text: `${t("bring")} …` }));
  const isOther = makeDiffers();

  /** @param {string} name */
  function compare(name) {
    models.value = state.model.name;
    const { source, pads, strategy } = state.run.recipe;
    actions.compareWith({ version: 1, model: name, source, pads, target: [], strategy });
  }

  return {
    element: models,
    update() {
      if (isOther(state.model)) {
        earlier.replaceChildren(...trainingOf(list, state.model).filter(({ of }) => of).map(option));
        beside.replaceChildren(...kinOf(list, state.model).map((model) => make("option",
          { value: BESIDE + model.name, text: `⇄ ${titleAmong(list, model, t)}` })));
      }
      hide(earlier, earlier.children.length === 0 || !state.canAsk);
      hide(beside, beside.children.length === 0 || !state.canAsk);
      beside.disabled = !canCompare(state);
      const chosen = state.wanted ?? state.model.name;
      if (models.value !== chosen) models.value = chosen;
    },
  };
}

/**
 * The menu of models; without a server there is one model and nothing to choose, but in a site of
 * several pages.
 * @param {Words} t
 * @param {Session} decoding
 * @param {?function(): void} openOwn opens a model by its path; null where none can be
 */
export function makeModelLine(t, { state, actions }, openOwn) {
  const models = state.canAsk || state.options.site ? makeModels(t, state, actions, openOwn) : null;
  const element = make("div", { class: "model-line" }, [
    models?.element ?? make("strong", { class: "model", text: titleOfModel(state.model, t) })]);
  return {
    element,
    update: () => models?.update(),
  };
}
