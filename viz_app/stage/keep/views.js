// What can be kept of the open room: its pictures, by name, each with the view of its room, counted
// from 0; and their numbers from what a page without a server holds, less the scores of Translate.

import { lackOf } from "../anatomy.js";
import { filledTable, saidOnly } from "./tables.js";

/** What can be kept of the open room. @param {State} state */
function keepOf(state) {
  const { rooms, room } = state;
  const shown = lackOf(state, room) === null ? room : "translate"; // else there is nothing in it
  return (rooms.find(({ name }) => name === shown) ?? rooms[0]).keep;
}

/**
 * What the rooms begin with, where a view says it of one of them; Translate is the page's own.
 * @param {RoomScript[]} rooms
 * @param {any} view
 */
export function keptOf(rooms, { room, choices }) {
  const keep = choices && room !== "translate" && rooms.find(({ name }) => name === room)?.keep;
  return keep ? { [room]: keep.kept?.(choices) ?? choices } : {};
}

/** The view of the open room, of what it keeps. @param {State} state @param {any} kept */
export function viewOfRoom(state, kept) {
  return saidOnly((kept && keepOf(state).view?.(kept)) ?? kept ?? {});
}

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
