// A view: what the reader is looking at, as plain values that a link or a file can carry. All of it
// may be missing, and whatever does not fit the model and the run on the screen is left out.
//
//   room, site, rows, by, view, reading, order   one of the choices there are
//   spelled       true or false
//   lesson        the lesson that is on and its step, as in "first-look.3"
//   layer, head   counted from 0, of the site
//   at            the step, counted from 0: the row that is outlined
//   stepping      whether the rows after it are still to come; else all are shown
//   draft         what is typed, where it is not the sentence on the screen
//   locks, cells  site -> {layer, head}, site -> {query, key} that was chosen, counted from 0

import { hasSite, siteOf, sitesOf } from "../anatomy.js";
import { CHOICES, KEEP_CELL } from "../choices.js";
import { lastStepOf } from "./able.js";
import { cellOfStep, hasCell } from "./cells.js";

/** What a link leaves out of a view, as it is usual. @type {Record<string, any>} */
export const UNSAID = { by: "words", reading: "weights", spelled: false };

/**
 * The entries that say something.
 * @param {Record<string, any>} values
 * @returns {Record<string, any>}
 */
export function saidOnly(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined
    && value !== null));
}

/**
 * The head in the large map: the one under the pointer, else the one that is locked.
 * @param {State} state
 */
export function shownHead({ preview, locks, site }) {
  return preview ?? locks[site];
}

/**
 * Locks a head that somebody chose; one that nobody chose follows the sentence.
 * @param {State} state
 * @param {Site} site
 * @param {Head} head
 */
export function nameHead(state, site, head) {
  state.locks[site] = head;
  state.named[site] = true;
}

/** The view of a decoding, and of the page it is on. @param {State} state */
export function viewOf(state) {
  const { room, lesson, site, at, stepping, rows, by, view, reading, spelled, order } = state;
  return { room, lesson, site, ...state.locks[site], at, stepping, rows, by, view, reading, spelled, order };
}

/** What each name of a view may be, in the order in which it is taken over. @param {State} state */
function viewChoices(state) {
  /** @param {number} count */
  const upTo = (count) => (/** @type {any} */ value) =>
    Number.isInteger(value) && value >= 0 && value < count;
  /** @param {any[]} values */
  const among = (values) => (/** @type {any} */ value) => values.includes(value);
  const here = () => siteOf(state.model, state.site);
  return {
    site: among(sitesOf(state.model)),
    /** @param {any} value */
    layer: (value) => upTo(here().layers)(value),
    /** @param {any} value */
    head: (value) => upTo(here().heads)(value),
    ...Object.fromEntries(Object.entries(CHOICES).map(([name, values]) => [name, among(values)])),
  };
}

/**
 * Takes over what fits of a view, less its step and what is the page's. The run is the one the view belongs to.
 * @param {State} state
 * @param {any} view
 */
export function applyView(state, { ...view }) {
  view.site ??= view.choices?.site; // where the view of the room alone says it
  for (const [name, fits] of Object.entries(viewChoices(state))) {
    if (!Object.hasOwn(view, name) || !fits(view[name])) continue;
    if (name === "layer" || name === "head") {
      nameHead(state, state.site, { ...state.locks[state.site], [name]: view[name] });
    } else Object.assign(state, { [name]: view[name] });
  }
  for (const site of sitesOf(state.model)) applyPlaces(state, site, view);
  completePlaces(state, view);
}

/**
 * Half a place that the view of a room names, a layer or a query alone; the rest is as usual.
 * @param {State} state
 * @param {any} view
 */
function completePlaces(state, { room, choices = {}, locks = {}, cells = {} }) {
  const { layer, head, query, key } = choices;
  const site = /** @type {Site} */ (choices.site ?? state.site);
  const [there, place, said] = [siteOf(state.model, site), saidOnly({ layer, head }), saidOnly({ query, key })];
  const lock = { ...state.locks[site], ...place };
  if (there && choices.site && !locks[site] && lock.layer < there.layers && lock.head < there.heads) {
    nameHead(state, site, lock);
  }
  if (!there || !KEEP_CELL.includes(room) || cells[site] || Object.keys(said).length === 0) return;
  const cell = { ...cellOfStep(state, site, state.locks[site]), ...said };
  if (hasCell(state.run, site, cell)) state.cells[site] = cell;
}

/**
 * Takes over the locked head and the kept cell of one site, where they fit.
 * @param {State} state
 * @param {Site} site
 * @param {any} view
 */
function applyPlaces(state, site, view) {
  const { layers, heads } = siteOf(state.model, site);
  const lock = view.locks?.[site];
  if (lock && lock.layer < layers && lock.head < heads) {
    nameHead(state, site, { layer: lock.layer, head: lock.head });
  }
  const cell = view.cells?.[site];
  if (cell && hasCell(state.run, site, cell)) state.cells[site] = { query: cell.query, key: cell.key };
}

/** The head whose alignment was measured over a corpus, which the model's folder says; or null. @param {Model} model */
export const alignerOf = ({ start_on: start }) => (start?.rows === "predicted" ? start : null);

/**
 * The step that a whole translation is first shown at, as its payload says (rooms/translate/highlight.py); of a model
 * that was not on the screen before, with the head that finds the word being written.
 * @param {State} state whose lock of cross-attention changes, where the model is new
 * @param {boolean} isNew
 */
export function openOn(state, isNew) {
  const { highlight } = state.run;
  if (!hasSite(state.model, "cross") || !highlight) return lastStepOf(state);
  const [layer, head] = highlight.finder;
  // Measured over a corpus where the model's folder says so, else over this sentence.
  if (isNew && !alignerOf(state.model)) state.locks.cross = { layer, head };
  const shown = state.locks.cross;
  return state.site === "cross" ? highlight.steps[shown.layer][shown.head] : lastStepOf(state);
}

/** Whether a head of cross-attention was taught which word belongs to which. @param {Model} model @param {Head} head */
export const isTaught = ({ taught }, { layer, head }) =>
  Boolean(taught?.heads.some((one) => one[0] === layer && one[1] === head));

/** Whether a head was taught that, or was measured to be the best at it. @param {Pick<State, "model" | "site">} state @param {Head} place */
export function aligns({ model, site }, place) {
  const best = alignerOf(model);
  return site === "cross" && (isTaught(model, place) || (best?.layer === place.layer && best.head === place.head));
}
