// What a room begins with, and the view that it says of itself.

import { lackOf } from "../anatomy.js";
import { saidOnly } from "../run/view.js";

/** What can be kept of the open room. @param {State} state */
export function keepOf(state) {
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
