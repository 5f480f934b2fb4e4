// What the views of the room Positions share: the choice of a head, and how the dimensions of a table
// belong together.

import { fixed } from "../../stage/draw/numbers.js";
import { makeHeadPicker, makeTabs } from "../../stage/page/pick.js";
import { html } from "../../stage/page/html.js";
import { SITES, sitesOf } from "../../stage/anatomy.js";

export const POSITION_BAR = 62; // CSS pixels for the printed scale at the normal type size

/**
 * Whether a dimension is the sine of its pair; a rotary table holds the cosine first.
 * @param {HeldTable} held
 * @param {number} column
 */
export const isSine = (held, column) => {
  const [first] = dimensionsOf(held, pairOf(held, column));
  return (column === first) === (held.kind === "sinusoidal");
};

/**
 * The pair of a dimension: of neighbours, or of dimensions half a table apart.
 * @param {HeldTable} held
 * @param {number} column
 */
export const pairOf = ({ halves, shape }, column) => (halves ? column % (shape[1] / 2) : column >> 1);

/** The two dimensions of a pair. @param {HeldTable} held @param {number} pair */
export const dimensionsOf = ({ halves, shape }, pair) => (halves ? [pair, pair + shape[1] / 2]
  : [2 * pair, 2 * pair + 1]);

/**
 * The key of the sentence about a table: how the model has it, or that it is only compared with.
 * @param {{kind: string, own: boolean, halves: boolean}} held
 */
export const noteOf = ({ kind, own, halves }) => (own
  ? `positions_note_${kind}${halves && kind === "sinusoidal" ? "_halves" : ""}`
  : `positions_note_${kind}_foreign`);

/**
 * What a row of the table is called: its position, or its distance.
 * @param {HeldTable} held
 * @param {number} row
 */
export const nameOfRow = ({ offsets }, row) => fixed(offsets[row] ?? row, 0);

/**
 * A part of the screen under its title, with what stands beside the title.
 * @param {Words} t
 * @param {string} name
 * @param {unknown} children
 * @param {unknown} beside
 */
export function pane(t, name, children, beside = null) {
  const text = t(`positions_${name}`);
  const title = html`<h3>${text}</h3>`;
  return html`
    <section class="positions-pane" aria-label=${text}>${beside ? html`<header class="positions-bar">${title}${beside}</header>` : title}
      ${children}</section>`;
}

/** Whether the kind of a table is the model's own. @param {Words} t @param {?{own: boolean, models_kind: string}} held @param {string} own the key where it is */
export const badge = (t, held, own) => html`
  <span class="positions-badge${held?.own === false ? " foreign" : ""}">${
    held && t(held.own ? own : "positions_not_own", { kind: t(`positions_kind_${held.models_kind}`) })}</span>`;

/**
 * What is seen, of several: underlined words of a key with the value after it.
 * @param {Words} t
 * @param {string} name of the data attribute
 * @param {string} label the key of its name
 * @param {string} key
 * @param {string[]} names
 * @param {function(string): void} choose
 */
export const makeWordTabs = (t, name, label, key, names, choose) => makeTabs(t(label), names, (one) => ({
  text: t(`${key}_${one}`), title: t(`${key}_${one}_hint`), data: { [name]: one } }), choose);

/** The headline of a study. @param {unknown} text */
export const positionHeadline = (text) => html`<p class="positions-answer" aria-live="polite">${text}</p>`;

/**
 * Which attention, layer and head: the one that is locked in every room. `isOffered(model, site)`
 * says which attentions there are to choose from; of the model on the screen one is always chosen.
 * @param {Words} t
 * @param {Session} session
 * @param {string} name of the switch
 * @param {{site: Site}} look
 * @param {function(any, Site): boolean} isOffered
 * @param {Redraw} redraw
 */
export function makePositionHead(t, { state, actions }, name, look, isOffered, redraw) {
  const offered = () => sitesOf(state.model).filter((site) => isOffered(state.model, site));
  const picker = makeHeadPicker(t, name, SITES, {
    site(site) {
      look.site = site;
      redraw.now();
    },
    head(/** @type {Partial<Head>} */ changes) {
      const { layer, head } = { ...state.locks[siteNow()], ...changes };
      actions.lock(layer, head, siteNow());
      redraw.now();
    },
  });
  /** The attention that is chosen: the wanted one where the model has it, else its first. */
  const siteNow = () => (offered().includes(look.site) ? look.site : offered()[0]);
  return {
    element: picker.element,
    site: siteNow,
    update() {
      const { run } = state;
      const site = siteNow();
      picker.update(site, { layers: run.layers[site], heads: run.heads[site] }, state.locks[site],
        offered());
    },
  };
}
