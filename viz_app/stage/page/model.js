// The model at hand: the menu, which also leads to a model of the reader's own, and beside it what tells
// about the model.

import { canCompare } from "../run/able.js";
import { options } from "./elements.js";
import { html, makePart, nothing } from "./html.js";
import { isModelElsewhere, leaveFor } from "./site.js";
import { titleAmong, titleOfModel, trainingOf } from "./words.js";

/** Groups of the menu that stand under one name: models that differ from each other in one thing. */
const SHELVES = new Map(["reversal", "positions", "similarity", "layers"].map((group) => [group, "small"]));
const OWN = "own:"; // no name of a model: leads to opening one
const BESIDE = "beside:"; // before the name of a model to compare with

/** @param {Model} model */
const shelfOf = ({ group }) => SHELVES.get(group) ?? group;

/** The other models of the group of one for the same languages. @param {Model[]} models @param {Model} model */
const kinOf = (models, model) => models.filter((one) => one !== model && !one.of
  && one.name !== model.of && one.group === model.group && model.languages.length > 0 && String(one.languages) === String(model.languages));

/**
 * The menu: models of one group stand together under its name, and at its end the one at hand earlier
 * in its training, the models that it can be compared with, and what opens one by its path.
 * @param {Words} t
 * @param {Session} session
 * @param {?function(): void} openOwn
 */
function makeModels(t, { state, actions }, openOwn) {
  const list = state.options.models;
  const titles = new Map(list.map((model) => [model, titleAmong(list, model, t)]));
  const groups = [...new Set(list.map(shelfOf))];
  const named = (/** @type {string} */ group) => (group === "" ? t("group_yours") : t.has(`group_${group}`) ? t(`group_${group}`) : group);
  const chosen = () => state.wanted ?? state.model.name;
  const among = (/** @type {Model[]} */ models) => options(models.map((model) => [model.name, titles.get(model) ?? ""]), chosen());
  /** @param {any} event */
  function change({ target }) {
    const { value } = target;
    if (value === OWN || value.startsWith(BESIDE)) target.value = chosen();
    if (value === OWN) openOwn?.();
    else if (value.startsWith(BESIDE)) {
      const { source, pads, strategy } = state.run.recipe;
      actions.compareWith({ version: 1, model: value.slice(BESIDE.length), source, pads, target: [], strategy });
    } else if (isModelElsewhere(state, value)) leaveFor(state, t, value);
    else actions.setModel(value);
  }
  return () => {
    const earlier = trainingOf(list, state.model).filter(({ of }) => of);
    const beside = kinOf(list, state.model);
    return html`
      <select class="model" aria-label=${t("model")} @change=${change}>
        ${groups.map((group) => {
    const within = among(list.filter((model) => !model.of && shelfOf(model) === group));
    return groups.length > 1 ? html`<optgroup label=${named(group)}>${within}</optgroup>` : within;
  })}
        <optgroup label=${t("model_earlier")} ?hidden=${earlier.length === 0 || !state.canAsk}>${among(earlier)}</optgroup>
        <optgroup label=${t("compare_group_with")} ?hidden=${beside.length === 0 || !state.canAsk} ?disabled=${!canCompare(state)}>
          ${options(beside.map((model) => [BESIDE + model.name, `⇄ ${titles.get(model)}`]), "")}</optgroup>
        ${openOwn ? html`<option value=${OWN}>${t("bring")} …</option>` : nothing}
      </select>`;
  };
}

/**
 * The menu of models, and the tools beside it; without a server there is one model and nothing to choose, but in
 * a site of several pages.
 * @param {Words} t
 * @param {Session} session
 * @param {?function(): void} openOwn opens a model by its path; null where none can be
 * @param {function(): unknown} tools
 */
export function makeModelLine(t, session, openOwn, tools) {
  const { state } = session;
  const models = state.canAsk || state.options.site ? makeModels(t, session, openOwn)
    : () => html`<strong class="model">${titleOfModel(state.model, t)}</strong>`;
  return makePart(() => html`<div class="model-line">${models()}${tools()}</div>`);
}
