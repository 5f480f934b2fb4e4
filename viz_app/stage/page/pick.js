// What every room picks an attention with: the tabs of the three sites, and the layer and the head
// beside them. One look, one behaviour, always first in its line.

import { claim, options, press, turnOf } from "./elements.js";
import { data, elementOf, html, makePart, nothing } from "./html.js";
import { termed } from "./terms.js";

/**
 * Tabs, as one stop of the Tab key; the arrows move among those that are offered. `update` gets the chosen one, and what
 * is offered.
 * @template {string} Name
 * @param {string} label
 * @param {Name[]} names
 * @param {function(Name): {text: unknown, title: string, data: Record<string, string>, more?: string, before?: unknown}} tabOf
 *     `more` of its class, and what stands `before` it
 * @param {function(Name): void} choose
 * @param {string} [more] of the class of their list
 */
export function makeTabs(label, names, tabOf, choose, more = "") {
  let [chosen, offered] = [names[0], names];
  /** @param {KeyboardEvent} event */
  function key(event) {
    const turn = turnOf(event);
    if (!turn) return;
    claim(event);
    const next = offered[(offered.indexOf(chosen) + turn + offered.length) % offered.length];
    choose(next);
    tabs()[names.indexOf(next)].focus();
  }
  const { element, update } = makePart((/** @type {Name} */ name = chosen, /** @type {Name[]} */ offer = names) => {
    [chosen, offered] = [name, offer];
    return html`
      <div class="tabs${more}" role="tablist" aria-label=${label} @keydown=${key}>${names.map((one) => {
        const { text, title, data: named, more: of = "", before = nothing } = tabOf(one);
        return html`${before}
          <button type="button" class="tab${of}" role="tab" title=${title} aria-selected=${one === name} tabindex=${one === name ? 0 : -1}
            ?hidden=${!offer.includes(one)} ${data(named)} @click=${press(() => choose(one))}>${text}</button>`;
      })}</div>`;
  });
  /** @returns {NodeListOf<HTMLElement>} */
  const tabs = () => element.querySelectorAll(".tab");
  return { element, tabs, update };
}

/**
 * The tabs of the attentions.
 * @param {Words} t
 * @param {string} name of the data attribute of a tab, so that each room has its own
 * @param {Site[]} sites
 * @param {function(Site): void} choose
 */
export const makeSiteTabs = (t, name, sites, choose) => makeTabs(t("sites"), sites, (site) => ({
  text: t(`site_${site}`), title: t(`site_${site}_long`), data: { [name]: site } }), choose);

/**
 * A layer and a head; `update` gets how many there are, and the layer and the head it is on.
 * @typedef {{layers: number, heads: number}} Counts
 * @param {Words} t
 * @param {function(Partial<Head>): void} choose gets {layer} or {head}
 */
export function makePlacePicker(t, choose) {
  /** @param {"layer" | "head"} part @param {number} count @param {number} at */
  const menu = (part, count, at) => html`
    <label>${termed(t, `pick_${part}_word`)}<select aria-label=${t(`pick_${part}`)} data-pick=${part}
      @change=${(/** @type {any} */ { target }) => choose({ [part]: Number(target.value) })}>
      ${options(Array.from({ length: count }, (_, n) => [n, n + 1]), at)}</select></label>`;
  /** @param {Counts} counts @param {Head} lock */
  const menus = ({ layers, heads } = { layers: 0, heads: 0 }, { layer, head } = { layer: 0, head: 0 }) => html`
    <div class="head-picker-place">${menu("layer", layers, layer)}${menu("head", heads, head)}</div>`;
  return makePart(menus);
}

/**
 * The tabs, a layer and a head.
 * @param {Words} t
 * @param {string} name
 * @param {Site[]} sites
 * @param {{site: function(Site): void, head: function(Partial<Head>): void}} choose
 */
export function makeHeadPicker(t, name, sites, choose) {
  const tabs = makeSiteTabs(t, name, sites, choose.site);
  const place = makePlacePicker(t, choose.head);
  return {
    element: elementOf(html`<div class="head-picker" role="group" aria-label=${t("pick")}>${tabs.element}${place.element}</div>`),
    sites: tabs.element,
    /** @param {Site} site @param {Counts} counts @param {Head} lock @param {Site[]} [offered] */
    update(site, counts, lock, offered = sites) {
      tabs.update(site, offered);
      place.update(counts, lock);
    },
  };
}
