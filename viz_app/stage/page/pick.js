// What every room picks an attention with: the tabs of the three sites, and the layer and the head
// beside them. One look, one behaviour, always first in its line.

import { make, makeButton, setTrait } from "./elements.js";
import { makeTermed } from "./glossary.js";

/**
 * The tabs of the attentions, as one stop of the Tab key; the arrows move among them.
 * @param {string} name of the data attribute of a tab, so that each room has its own
 * @param {Words} t
 * @param {any} sites
 * @param {function} choose
 */
export function makeSiteTabs(t, name, sites, choose) {
  /** @type {any} */
  let chosen = null;
  let offered = sites;
  const tabs = sites.map((/** @type {Site} */ site) => makeButton({ class: "tab", role: "tab",
    text: t(`site_${site}`), title: t(`site_${site}_long`), data: { [name]: site } },
  () => choose(site)));
  const element = make("div", { class: "tabs", role: "tablist", "aria-label": t("sites"), on: {
    /** @param {any} event */
    keydown: (event) => {
      const turn = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1 })[event.key];
      if (!turn) return;
      event.preventDefault();
      event.stopPropagation();
      const next = offered[(offered.indexOf(chosen) + turn + offered.length) % offered.length];
      choose(next);
      tabs[sites.indexOf(next)].focus();
    },
  } }, tabs);
  return {
    element,
    /** @param {Site} site @param {Site[]} [offer] */
    update(site, offer = sites) {
      chosen = site;
      offered = offer;
      tabs.forEach((/** @type {HTMLElement} */ tab, /** @type {number} */ i) => {
        tab.hidden = !offer.includes(sites[i]);
        setTrait(tab, "aria-selected", sites[i] === site);
        setTrait(tab, "tabindex", sites[i] === site ? "0" : "-1");
      });
    },
  };
}

/**
 * A layer and a head.
 * @param {Words} t
 * @param {function(Object): void} choose gets {layer} or {head}
 */
export function makePlacePicker(t, choose) {
  const pickers = ["layer", "head"].map((part) => {
    const select = make("select", { "aria-label": t(`pick_${part}`), data: { pick: part }, on: {
      change: () => choose({ [part]: Number(select.value) }),
    } });
    return { select, element: make("label", {}, [makeTermed(t, `pick_${part}_word`).element,
      select]) };
  });
  return {
    element: make("div", { class: "head-picker-place" }, pickers.map(({ element }) => element)),
    /**
     * `counts`: how many layers and heads there are; `lock`: the layer and head it is on.
     * @param {any} counts
     * @param {any} lock
     */
    update(counts, lock) {
      [[counts.layers, lock.layer], [counts.heads, lock.head]].forEach(([count, value], i) => {
        const { select } = pickers[i];
        if (select.options.length !== count) {
          select.replaceChildren(...Array.from({ length: count }, (_, n) =>
            make("option", { value: n, text: String(n + 1) })));
        }
        if (select.value !== String(value)) select.value = String(value);
      });
    },
  };
}

/**
 * The tabs, a layer and a head.
 * @param {{site: function(Site): void, head: function(Object): void}} choose `head` gets {layer} or {head}
 * @param {Words} t
 * @param {string} name
 * @param {any} sites
 */
export function makeHeadPicker(t, name, sites, choose) {
  const tabs = makeSiteTabs(t, name, sites, choose.site);
  const place = makePlacePicker(t, choose.head);
  return {
    element: make("div", { class: "head-picker", role: "group", "aria-label": t("pick") },
      [tabs.element, place.element]),
    sites: tabs.element,
    /**
     * `counts`: how many layers and heads the site has; `lock`: the layer and head it is on.
     * @param {Site} site
     * @param {any} counts
     * @param {any} lock
     * @param {any} [offered]
     */
    update(site, counts, lock, offered = sites) {
      tabs.update(site, offered);
      place.update(counts, lock);
    },
  };
}
