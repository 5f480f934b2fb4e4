// Tables of what a page holds, and what the rooms say of their pictures with.
//
// A table is {name, axes, values}; an axis {name, start, length, tokens}, a value a flat list over
// all axes, by a name that ends in its dimensions. An answer says which of its numbers make a table,
// as viz_app/rooms/tables.py describes it.

import { singlesFromBase64 } from "../run/decode.js";

export const tableAxis = (name, length, start = 1) => ({ name, start, length, tokens: null });
export const tokenAxis = (name, tokens) => ({ name, start: 1, length: tokens.length, tokens });

/** The head that is locked at a site; nothing where a model has no such site. */
export function placeOf({ locks }, site) {
  return locks[site] === undefined ? {} : { site, layer: locks[site].layer, head: locks[site].head };
}

/** The entries that say something. */
export function saidOnly(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined
    && value !== null));
}

/** What lies at a path such as "changes.0.distance" of an answer, as a flat list; or null. */
function listAt(answer, path, view, rank) {
  const names = path.replace(/\{(\w+)\}/g, (_, name) => view[name]).split(".");
  const value = names.reduce((part, name) => part[name], answer);
  if (typeof value === "string") return singlesFromBase64(value);
  if (value === null || rank < 2) return value;
  return value.flatMap((row) => Array.from(row, (cell) => cell === "1")); // a mask
}

/**
 * A table with its numbers.
 * @param {{name: string, axes: Object[], arrays: Object, at: Array}} table as the answer names it
 * @param {Object} answer
 * @param {Object} view says the places, counted from 0
 */
export function filledTable({ name, axes, arrays, at }, answer, view) {
  const size = axes.reduce((product, { length }) => product * length, 1);
  const place = at.reduce((sum, [of, length]) => sum * length + view[of], 0);
  const picked = axes.at(-1).picked; // only the last axis can be
  const values = Object.entries(arrays).flatMap(([of, where]) => {
    const lists = [where].flat().map((path) => listAt(answer, path, view, axes.length));
    if (lists.includes(null)) return [];
    let list = lists.flatMap((one) => Array.from(one));
    if (list.length > size) list = list.slice(place * size, (place + 1) * size);
    const width = axes.at(-1).length;
    return [[of, picked ? Array.from({ length: size / width }, (_, row) =>
      view[picked].map((column) => list[row * width + column])).flat() : list]];
  });
  return { name, values: Object.fromEntries(values), axes: axes.map((axis) => (axis.picked
    ? tokenAxis(axis.name, view[axis.picked].map(String))
    : { name: axis.name, start: axis.start, length: axis.length,
      tokens: (view.spelled && axis.pieces) || axis.tokens })) };
}
