// What of a decoding is looked at: an attention, a head of it, a cell.

import { hasCell, runShows } from "./cells.js";
import { nameHead } from "./view.js";

/**
 * The actions that change it.
 * @param {import("./decoding.js").Own} own
 * @param {function({recipe: Recipe, view: any}, function(): void): Promise<boolean>} open shows a recipe,
 *     and what else changes with it
 */
export function makeLooking({ page, state, playing }, open) {
  /** @param {Partial<State>} changes */
  function change(changes) {
    Object.assign(state, changes);
    page.actions.changed();
  }
  return {
    /** How the head is drawn: `view`, `rows`, `by`, `reading`, or `order` of the heads. */
    draw: ({ view = state.view, rows = state.rows, by = state.by, reading = state.reading, order = state.order }) =>
      change({ view, rows, by, reading, order }),
    /** @param {Site} site */
    chooseSite: (site) => change({ site, preview: null, pointed: { query: null, key: null } }),
    /** @param {?Head} head */
    preview(head) {
      const { preview } = state;
      if (preview?.layer !== head?.layer || preview?.head !== head?.head) change({ preview: head });
    },
    /** @param {?number} query @param {?number} key */
    point(query, key) {
      const { pointed } = state;
      if (pointed.query !== query || pointed.key !== key) change({ pointed: { query, key } });
    },
    /**
     * Keeps a cell of a site for the room Inside a head; one without a query or a key is none.
     * @param {?number} query
     * @param {?number} key
     * @param {Site} [site]
     */
    keepCell(query, key, site = state.site) {
      if (query === null || key === null) return;
      state.cells[site] = { query, key };
      page.actions.changed();
    },
    /** @param {number} layer @param {number} head @param {Site} [site] */
    lock(layer, head, site = state.site) {
      nameHead(state, site, { layer, head });
      change({ preview: null });
    },
    /**
     * Opens the room Inside a head, on the run on the screen or on another recipe.
     * @param {Head & {site: Site, cell?: ?Cell, recipe?: ?Recipe}} wanted without a cell: the one
     *     the reader keeps, else that of the current step
     * @returns {Promise<boolean>} whether it is open
     */
    async lookInside(wanted) {
      const { site, layer, head, cell = null, recipe = null } = wanted;
      const isThere = () => cell === null || hasCell(state.run, site, cell);
      function show() {
        nameHead(state, site, { layer, head });
        if (cell) state.cells[site] = { query: cell.query, key: cell.key };
        playing.stop();
        Object.assign(state, { site, preview: null, looks: state.looks + 1 });
        page.actions.show("inside");
      }
      if (!recipe || (cell && runShows(state.run, recipe, site, cell))) {
        show();
        return true;
      }
      const strategy = recipe.strategy ?? state.run.recipe.strategy;
      return await open({ recipe: { ...recipe, strategy }, view: {} }, () => { if (isThere()) show(); }) && isThere();
    },
  };
}
