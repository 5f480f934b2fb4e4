// The maps of the room Masks beside one another: an equation of three, or two lines of them, with a
// sign between two; on a narrow screen one after the other.

import { fitMaps, scrollAsOne } from "../../../stage/draw/maps.js";
import { make, makeDiffers, setText, setTrait } from "../../../stage/page/elements.js";
import { makeMaskMap } from "./grid.js";
import { makeSwipe } from "./swipe.js";

const MOST_MAPS = 6;

/**
 * @typedef {ReturnType<typeof makeMaskMap>} MaskMap
 * @typedef {import("./axes.js").MaskAxes} MaskAxes
 * @typedef {import("./axes.js").CommonFrame} CommonFrame
 * @typedef {{sheets: MaskSheet[], axes: MaskAxes, common: CommonFrame}} Shown
 */

/**
 * How much room so many lines of maps have: a screen each, or as high as there is room.
 * @param {HTMLElement} element
 * @param {MaskMap} map
 * @param {number} lines
 * @param {number} unit
 */
function roomFor(element, { caption }, lines, unit) {
  const style = getComputedStyle(element);
  const how = style.getPropertyValue("--masks-fit").trim();
  const gap = parseFloat(style.getPropertyValue("--masks-gap")) * parseFloat(style.fontSize);
  const height = how === "swipe" ? null
    : how === "half" ? Math.max(0.43 * window.innerHeight, 180 * unit) * lines // two in sight
      : how === "page" ? 999 * lines
        : element.clientHeight - (lines - 1) * parseFloat(style.rowGap) - lines * caption.offsetHeight;
  return { height, lines, gap };
}

/**
 * The sign before a map: between two of a line; else the title says it where maps are swiped.
 * @param {HTMLElement} sign
 * @param {MaskMap} map
 * @param {string} text
 * @param {number} top
 * @param {boolean} isNone whether there is no such map
 */
function updateSign(sign, map, text, top, isNone) {
  setText(sign, text.replaceAll(" ", "\n"));
  sign.classList.toggle("none", isNone);
  sign.style.paddingTop = `${top}px`;
  setTrait(map.title, "data-sign", isNone ? null : text);
}

/** @param {Words} t @param {Omit<import("./grid.js").MapActs, "scrolled">} acts */
export function makeBoard(t, acts) {
  const maps = Array.from({ length: MOST_MAPS }, () => makeMaskMap(t, { ...acts, scrolled }));
  const signs = maps.slice(1).map(() => make("span", { class: "masks-sign" }));
  const element = make("div", { class: "masks-grid", role: "group", "aria-label": t("masks_maps") },
    maps.flatMap((map, i) => (i % 3 ? [signs[i - 1], map.element] : [map.element])));
  const swipe = makeSwipe(t, element);
  const isOther = makeDiffers();
  /** @type {GridLayout[]} */
  let layouts = [];
  /** @type {string[]} */
  let names = [];
  /** @type {?[number, number]} */
  let picked = null; // which of the sheets are shown

  /** @param {HTMLElement} box */
  function scrolled(box) {
    scrollAsOne(maps.map((map) => map.box), box);
    acts.redraw();
  }

  return {
    element,
    swipe: swipe.element,
    at: swipe.at,
    /** Shows some of the maps alone, from one up to another; the function ends it. @param {[number, number]} which */
    only(which) {
      picked = which;
      return () => { picked = null; };
    },
    /** @param {string} name of the map to swipe to */
    show: (name) => swipe.show(names.indexOf(name)),
    /**
     * @param {Shown} shown
     * @param {import("./grid.js").MapLook} look
     * @param {?string} lacking why there is no causal mask
     */
    update(shown, look, lacking) {
      const { axes, common } = shown;
      const sheets = picked ? shown.sheets.slice(...picked) : shown.sheets;
      const next = fitMaps(element, maps[0].canvas, common, look,
        roomFor(element, maps[0], Math.ceil(sheets.length / 3), look.unit));
      if (isOther(JSON.stringify(next))) layouts = next;
      const whys = sheets.map(({ name }) => (name === "causal" ? lacking : null));
      maps.forEach((map, i) => {
        map.element.hidden = i >= sheets.length;
        if (i < sheets.length) map.reserve(sheets[i], layouts[i], look.palette, whys[i]);
      });
      signs.forEach((sign, before) => {
        const i = before + 1;
        sign.hidden = i >= sheets.length;
        if (sign.hidden || i % 3 === 0) return;
        updateSign(sign, maps[i], t(sheets[i].sign), layouts[i].top, whys[i] !== null);
      });
      sheets.forEach((_, i) => maps[i].measure());
      sheets.forEach((sheet, i) => maps[i].update(sheet, axes, common, layouts[i], look, whys[i]));
      names = sheets.map(({ name }) => name);
      swipe.update(sheets.map(({ title }) => title));
    },
    drawn: () => ({
      signs: signs.filter((sign) => sign.checkVisibility()).map((sign) => sign.textContent),
      swiped: swipe.element.checkVisibility() ? swipe.at() : null,
      maps: maps.map((map) => map.drawn()).filter((map) => map !== null),
    }),
    destroy: () => maps.forEach((map) => map.destroy()),
  };
}
