// Tables of what a page holds, and what the rooms say of their pictures with.
//
// A value of a table is a flat list over all axes, by a name that ends in its dimensions. An answer
// says which of its numbers make a table, as viz_app/values/tables.py describes it.

import { singlesFromBase64 } from "../run/wire.js";

/** @type {function(string, number): TableAxis} */
export const tableAxis = (name, length) => ({ name, start: 1, length, tokens: null });
/** @type {function(string, string[]): TableAxis} */
export const tokenAxis = (name, tokens) => ({ name, start: 1, length: tokens.length, tokens });

/**
 * The head that is locked at a site; nothing where a model has no such site.
 * @param {State} state
 * @param {Site} site
 */
export function placeOf({ locks }, site) {
  return locks[site] === undefined ? {} : { site, layer: locks[site].layer, head: locks[site].head };
}

/**
 * What lies at a path such as "changes.0.distance" of an answer, as a flat list; or null.
 * @param {any} answer
 * @param {string} path
 * @param {Record<string, any>} view
 * @param {number} rank
 */
function listAt(answer, path, view, rank) {
  const names = path.replace(/\{(\w+)\}/g, (_, name) => view[name]).split(".");
  const value = names.reduce((part, name) => part[name], answer);
  if (typeof value === "string") return singlesFromBase64(value);
  if (value === null || rank < 2) return value;
  return value.flatMap((/** @type {string} */ row) => Array.from(row, (cell) => cell === "1")); // a mask
}

/**
 * A table with its numbers.
 * @param {TableOf} table as the answer names it
 * @param {any} answer
 * @param {Record<string, any>} view says the places, counted from 0
 * @returns {Table}
 */
export function filledTable({ name, axes, arrays, at }, answer, view) {
  const size = axes.reduce((product, { length }) => product * length, 1);
  const place = at.reduce((sum, [of, length]) => sum * length + view[of], 0);
  const { picked, length: width } = axes[axes.length - 1]; // only the last axis can be picked
  const values = Object.entries(arrays).flatMap(([of, where]) => {
    const lists = [where].flat().map((path) => listAt(answer, path, view, axes.length));
    if (lists.includes(null)) return [];
    let list = lists.flatMap((one) => Array.from(one));
    if (list.length > size) list = list.slice(place * size, (place + 1) * size);
    return [[of, picked ? Array.from({ length: size / width }, (_, row) =>
      view[picked].map((/** @type {number} */ column) => list[row * width + column])).flat() : list]];
  });
  return { name, values: Object.fromEntries(values), axes: axes.map((axis) => (axis.picked
    ? tokenAxis(axis.name, view[axis.picked].map(String))
    : { name: axis.name, start: axis.start, length: axis.length,
      tokens: (view.spelled && axis.pieces) || axis.tokens })) };
}
