// What is chosen in the room Masks, as far as the model on the screen has it. Pure: knows no page.

import { isStepped, sitesOf } from "../../stage/anatomy.js";
import { breakOf, canBreak } from "./breaks.js";

/**
 * The sites of a view: one pass beside steps is of those whose rows are steps.
 * @param {{anatomy: Anatomy}} model
 * @param {string} view
 */
export const sitesFor = (model, view) =>
  sitesOf(model).filter((site) => view !== "passes" || isStepped(model, site));

/**
 * The site to show: the wanted one, else the one with the causal mask, else the first.
 * @param {{anatomy: Anatomy}} model
 * @param {string} view
 * @param {Site} wanted
 */
function siteFor(model, view, wanted) {
  const known = sitesFor(model, view);
  if (known.includes(wanted)) return wanted;
  return known.includes("decoder") ? "decoder" : known[0];
}

/**
 * The view to show: a model that takes no steps has one pass only.
 * @param {{anatomy: Anatomy}} model
 * @param {string} wanted
 */
const viewFor = (model, wanted) => (sitesFor(model, "passes").length ? wanted : "masks");

/**
 * What a link, or the page before, says.
 * @param {{anatomy: Anatomy}} model
 * @param {any} before as view.py has it
 * @returns {MasksChoices}
 */
export function choicesOf(model, before) {
  const { view = "masks", sentences = null, shown = null } = before ?? {};
  const breaks = before?.breaks ?? [];
  const harmed = view === "masks" && breakOf(breaks, "pads") !== "" ? "cross" : "decoder";
  return { view, site: siteFor(model, view, before?.site ?? harmed), sentences, shown, breaks };
}

/**
 * What is chosen, as far as a model has it.
 * @param {{anatomy: Anatomy}} model
 * @param {MasksChoices} choices
 * @returns {MasksChoices}
 */
export function choicesFor(model, choices) {
  const view = viewFor(model, choices.view);
  return { ...choices, view, site: siteFor(model, view, choices.site),
    breaks: choices.breaks.filter((edit) => canBreak(model, edit)) };
}

/**
 * What the server is asked for these choices.
 * @param {State} state
 * @param {MasksChoices} choices
 * @param {boolean} isLarge whether the numbers of one head come at a time
 */
export function requestOf({ model, run, locks }, choices, isLarge) {
  const { view, site, sentences, shown, breaks } = choicesFor(model, choices);
  return { recipe: run.recipe, view, site, sentences, shown,
    ...(view === "masks" ? { breaks } : {}), ...(isLarge ? locks[site] : {}) };
}

/**
 * The batch with another sentence first, that of the run on the screen: one that was in it already
 * changes places with the first, and is shown.
 * @param {string[]} sentences
 * @param {number} shown
 * @param {string} first
 */
export const batchAfter = ([was, ...others], shown, first) => ({
  shown: others.includes(first) ? 0 : shown,
  sentences: [first, ...others.map((text) => (text === first ? was : text))] });
