// What can be kept of the room Positions: its pictures, and what a link says of it.

import { placeOf, saidOnly } from "../../stage/keep/tables.js";

/** What the room keeps as its view; see view.py. */
function positionsView(state, kept, drawn) {
  const study = kept.open;
  const { kind, row, column, side, mode, at, site, query, key, pair } = kept[study];
  const place = site ? placeOf(state, site) : {};
  return saidOnly({ study, ...place, kind, row, column, side, mode, at, query, key, pair,
    ...(study === "table" && drawn?.curves?.length ? { dimensions: drawn.curves } : {}),
    ...(study === "order" && drawn?.order ? { order: drawn.order, rows: drawn.rows } : {}) });
}

/** What the room begins with, from a view. */
function positionsKept({ study = "table", kind, row, column, dimensions, side, mode, at = null,
  site, query, key, pair, order: tokens, rows = null }) {
  const last = column ?? dimensions?.at(-1);
  const own = {
    table: { kind: kind === "own" ? null : kind, row, column: last,
      kept: dimensions?.filter((one) => one !== last) },
    sum: { row, column, side },
    order: { site, mode, given: tokens && { tokens, rows, at } },
    rotary: { site, query, key, pair },
  }[study];
  return { open: study, [study]: saidOnly(own) };
}

function positionsPictures(state, kept, drawn) {
  const view = positionsView(state, kept, drawn);
  const names = kept.open === "table" ? ["positions", "curves", "similarity"] : [kept.open];
  return names.map((picture) => ({ picture, view }));
}

const positionsLink = {
  choices({ open, ...views }) {
    const { order, shift, picked, kind, row, column, kept, side, mode, at, site, query, key,
      pair } = views[open];
    return { view: open, kind, row, column, kept, side, mode, at, site, query, key, pair,
      order: order?.length ? order : null,
      shift: shift ? Object.entries(shift).flatMap(([word, by]) =>
        (by === 0 ? [] : [Number(word), by])) : null,
      row_picked: picked?.row, column_picked: picked?.column, part_picked: picked?.part };
  },
  kept({ view = "table", order, shift, row_picked: row, column_picked: column,
    part_picked: part, site, ...own }) {
    const choices = saidOnly({ ...own, site: view === "rotary" && site === "cross" ? null : site,
      picked: row !== undefined && column !== undefined && (view === "order") === !!part
        ? saidOnly({ row, column, part }) : null });
    if (view === "order" && order) {
      const pairs = [];
      for (let i = 0; i + 1 < (shift?.length ?? 0); i += 2) pairs.push([shift[i], shift[i + 1]]);
      const { at = null, picked = null } = choices;
      choices.given = { order, shift: Object.fromEntries(pairs), at, picked };
    }
    return { open: view, [view]: choices };
  },
};

export const positionsKeep = { pictures: positionsPictures, kept: positionsKept,
  link: positionsLink };
