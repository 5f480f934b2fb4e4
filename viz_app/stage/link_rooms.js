// What a link says of the room that is open: the room's own choices as flat values by the names in
// viz_app/link_fields.py, from what the room keeps and back to it. A room begins with its own
// choice wherever the link says nothing that fits.

/** The entries that say something. */
function saidOnly(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined
    && value !== null));
}

const LINK_ROOMS = {
  masks: {
    choices: ({ view, site, breaks, sentences, shown, places: { cell, step, unfolded } }) =>
      ({ view, site, ...breaks, shown, sentences: sentences.slice(1),
        cell: cell && [cell.query, cell.key], step: view === "passes" ? step : null,
        unfolded: unfolded ? "yes" : null }),
    kept({ view, site, shown, sentences, causal, pads, fill, cell, step, unfolded }, recipe) {
      const one = view === "passes" && site === "encoder" ? undefined : site;
      const breaks = { ...MASKS_INTACT, ...saidOnly({ causal, pads, fill }) };
      const places = { cell: cell ? { query: cell[0], key: cell[1] } : null, step: step ?? null,
        unfolded: unfolded === "yes" };
      if (!sentences) return saidOnly({ view, site: one, breaks, places });
      return saidOnly({ view, site: one, breaks, shown: shown <= sentences.length ? shown : null,
        sentences: [recipe.source, ...sentences], model: recipe.model, places });
    },
  },
  positions: {
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
  },
  inside: {
    choices: ({ view, place, stages }) =>
      ({ view, ...place, unfolded: view === "way" ? stages.places : null }),
    kept: ({ view = "cell", side, position, unfolded: places = null }) =>
      ({ view, place: side && position !== undefined ? { side, position } : null,
        stages: { places } }),
  },
};

/** What the open room adds to a link, from what it keeps. */
function choicesOfRoom(room, kept) {
  if (!Object.hasOwn(LINK_ROOMS, room) || !kept) return {};
  return saidOnly(LINK_ROOMS[room].choices(kept));
}

/** What a room is built with, from a link. */
function keptOfLink({ recipe, view }) {
  if (!Object.hasOwn(LINK_ROOMS, view.room)) return {};
  return { [view.room]: LINK_ROOMS[view.room].kept(view.choices, recipe) };
}
