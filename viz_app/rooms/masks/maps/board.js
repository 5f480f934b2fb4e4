// The maps of the room Masks beside one another: an equation of three, or two lines of them, with a
// sign between two; on a narrow screen one after the other.

import { layoutMaps } from "../../../stage/draw/beside.js";
import { measureLabel } from "../../../stage/draw/labels.js";
import { layoutGrid } from "../../../stage/draw/layout.js";
import { make, setText, setTrait } from "../../../stage/page/elements.js";
import { makeMaskMap } from "./grid.js";
import { makeSwipe } from "./swipe.js";

const MOST_MAPS = 6;

/**
 * @typedef {ReturnType<typeof makeMaskMap>} MaskMap
 * @typedef {import("./axes.js").MaskAxes} MaskAxes
 * @typedef {import("./axes.js").CommonFrame} CommonFrame
 * @typedef {{sheets: MaskSheet[], axes: MaskAxes, common: CommonFrame}} Shown
 * @typedef {{layouts: GridLayout[], tracks: number[]}} Fitted
 */

/**
 * Where the maps go: a screen each, or in lines of three, as high as there is room.
 * @param {HTMLElement} element
 * @param {MaskMap} map
 * @param {Shown} shown
 * @param {Look} look
 * @returns {Fitted}
 */
function fit(element, map, { sheets, common }, { palette, unit }) {
  const style = getComputedStyle(element);
  const how = style.getPropertyValue("--masks-fit").trim();
  const lines = Math.ceil(sheets.length / 3);
  const bare = measureLabel(map.canvas, palette);
  /** @type {function(GridLabel, number): number} */
  const measure = (label, type) => bare(label, type) + (label.kind === "text" ? 0 : 4); // its frame
  const width = element.clientWidth;
  if (how === "swipe") {
    const one = layoutGrid(common, { width, height: 999 }, unit, measure);
    return { layouts: Array(MOST_MAPS).fill(one), tracks: [] };
  }
  const caption = map.caption.offsetHeight;
  const height = how === "half" ? Math.max(0.5 * window.innerHeight, 20 * unit) * lines
    : how === "page" ? 999 * lines
      : element.clientHeight - (lines - 1) * parseFloat(style.rowGap) - lines * caption;
  const gap = parseFloat(style.getPropertyValue("--masks-gap")) * parseFloat(style.fontSize);
  return layoutMaps(common, { width, height, lines, gap }, unit, measure);
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
  /** @type {Fitted} */
  let fitted = { layouts: [], tracks: [] };
  let fittedOf = "";

  /** All maps scroll as one. @param {HTMLElement} box */
  function scrolled(box) {
    for (const { box: other } of maps) {
      if (other.scrollLeft !== box.scrollLeft) other.scrollLeft = box.scrollLeft;
      if (other.scrollTop !== box.scrollTop) other.scrollTop = box.scrollTop;
    }
    acts.redraw();
  }

  return {
    element,
    swipe: swipe.element,
    /**
     * @param {Shown} shown
     * @param {import("./grid.js").MapLook} look
     * @param {?string} lacking why there is no causal mask
     */
    update(shown, look, lacking) {
      const { sheets, axes, common } = shown;
      const next = fit(element, maps[0], shown, look);
      const said = JSON.stringify(next);
      if (said !== fittedOf) [fitted, fittedOf] = [next, said];
      const { layouts, tracks } = fitted;
      ["first", "next"].forEach((name, i) =>
        element.style.setProperty(`--masks-${name}`, `${tracks[i] ?? 0}px`));
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
      sheets.forEach((sheet, i) => maps[i].update(sheet, axes, common, layouts[i], look, whys[i]));
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
