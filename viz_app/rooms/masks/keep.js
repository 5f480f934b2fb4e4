// What can be kept of the room Masks: its pictures, and what a link says of it.

import { placeOf, saidOnly } from "../../stage/keep/tables.js";
import { MASKS_INTACT } from "./breaks.js";

/** What the room keeps as its view; see view.py. */
function masksView(state, { view, site, breaks, sentences, shown, places }) {
  const { cell, step, unfolded } = places;
  return saidOnly({ ...placeOf(state, site), view, ...breaks, sentences, shown, step, unfolded,
    cell: cell && [cell.query, cell.key] });
}

/**
 * What the room begins with, from a view.
 * @param {any} view
 * @param {{source: string, model: string}} recipe
 */
function masksKept({ view, site, causal, pads, fill, sentences, shown, cell, step = null,
  unfolded = false }, recipe) {
  const one = view === "passes" && site === "encoder" ? undefined : site;
  const places = { cell: cell ? { query: cell[0], key: cell[1] } : null, step, unfolded };
  return saidOnly({ view, site: one, places,
    breaks: { ...MASKS_INTACT, ...saidOnly({ causal, pads, fill }) },
    ...(sentences && { sentences, model: recipe.model,
      shown: shown < sentences.length ? shown : null }) });
}

function masksPictures(state, kept) {
  const view = masksView(state, kept);
  const masks = ["scores", "masks", "broken"].map((picture) => ({ picture, view }));
  const passes = kept.site === "encoder" ? [] : [{ picture: "passes", view }];
  return kept.view === "passes" ? [...passes, ...masks] : [...masks, ...passes];
}

const masksLink = {
  choices: ({ view, site, breaks, sentences, shown, places: { cell, step, unfolded } }) =>
    ({ view, site, ...breaks, shown, sentences: sentences.slice(1),
      cell: cell && [cell.query, cell.key], step: view === "passes" ? step : null,
      unfolded: unfolded ? "yes" : null }),
  kept: ({ sentences, unfolded, ...view }, recipe) => masksKept({ ...view,
    unfolded: unfolded === "yes", sentences: sentences && [recipe.source, ...sentences] }, recipe),
};

export const masksKeep = { pictures: masksPictures, kept: masksKept, link: masksLink };
