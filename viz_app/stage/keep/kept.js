// What can be kept of the open room: its pictures, by name, each with the view of its room, counted
// from 0; and their numbers from what a page without a server holds, less the scores of Translate.

import { filledTable } from "./tables.js";
import { keepOf, viewOfRoom } from "./views.js";

/**
 * The pictures of the open room, the one on the screen first.
 * @param {State} state
 * @param {any} kept
 * @returns {Kept[]}
 */
export function exportPictures(state, kept) {
  const spelled = state.spelled ? { spelled: true } : {};
  return keepOf(state).pictures(state, viewOfRoom(state, kept))
    .map(({ picture, view }) => ({ picture, view: { ...view, ...spelled } }));
}

/**
 * The answer in the page that has the tables of a picture of the open room, or undefined.
 * @param {string} picture
 * @param {State} state
 */
function answerHere(picture, state) {
  const given = state.given[`${state.room} ${picture}`];
  return given ?? (state.options.answers ?? []).filter(({ room, answer }) =>
    room === state.room && answer.tables?.[picture]).at(-1)?.answer; // a site's are not here yet
}

/**
 * Whether the page holds the numbers of a picture of the open room.
 * @param {string} picture
 * @param {State} state
 */
export function isHere(picture, state) {
  return Boolean(keepOf(state).tables) || answerHere(picture, state) !== undefined;
}

/**
 * The tables of a picture of which `isHere` holds.
 * @param {Kept} kept
 * @param {State} state
 * @returns {Table[]}
 */
export function tablesHere({ picture, view }, state) {
  const { tables } = keepOf(state);
  if (tables) return tables(picture, view, state); // from the run itself
  const answer = answerHere(picture, state);
  return answer.tables[picture].map((/** @type {TableOf} */ table) => filledTable(table, answer, view));
}
