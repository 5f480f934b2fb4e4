// Which sites the room Masks can show of a model.

import { isStepped, sitesOf } from "../../stage/anatomy.js";

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
export function siteFor(model, view, wanted) {
  const known = sitesFor(model, view);
  if (known.includes(wanted)) return wanted;
  return known.includes("decoder") ? "decoder" : known[0];
}

/**
 * The view to show: a model that takes no steps has one pass only.
 * @param {{anatomy: Anatomy}} model
 * @param {string} wanted
 */
export const viewFor = (model, wanted) => (sitesFor(model, "passes").length ? wanted : "masks");
