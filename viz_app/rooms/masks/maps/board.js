// The maps of the room Masks: two of them large, one on each side, and all as small pictures over
// them; on a narrow screen one after the other, and in a picture or on paper beside one another as an
// equation, with a sign between two.

import { isOnPaper, sizeOf, watchSize } from "../../../stage/draw/canvas.js";
import { measureLabel } from "../../../stage/draw/labels.js";
import { layoutGrid } from "../../../stage/draw/layout.js";
import { fitMaps, scrollAsOne } from "../../../stage/draw/maps.js";
import { make, makeDiffers, setText, setTrait } from "../../../stage/page/elements.js";
import { largeBy, largeSaid, makeEquation } from "./equation.js";
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
 */
function roomFor(element, { caption }, lines) {
  const style = getComputedStyle(element);
  const how = style.getPropertyValue("--masks-fit").trim();
  const gap = parseFloat(style.getPropertyValue("--masks-gap")) * parseFloat(style.fontSize);
  const height = how === "swipe" ? null : how === "page" ? 999 * lines
    : element.clientHeight - (lines - 1) * parseFloat(style.rowGap) - lines * caption.offsetHeight;
  return { height, lines, gap };
}

/**
 * How the two large maps are drawn, both alike: as large as there is room.
 * @param {HTMLElement} element that holds them
 * @param {MaskMap} map one of them
 * @param {CommonFrame} common
 * @param {Look} look
 * @returns {{layout: GridLayout, common: CommonFrame}}
 */
function fitTwo(element, { caption, canvas }, common, { palette, unit }) {
  const style = getComputedStyle(element);
  const width = Math.floor((element.clientWidth - parseFloat(style.columnGap)) / 2);
  const isPage = style.getPropertyValue("--masks-fit").trim() === "page"; // which scrolls
  const height = isPage ? 999 : element.clientHeight - caption.offsetHeight;
  const bare = measureLabel(canvas, palette);
  /** @type {function(GridLabel, number): number} */
  const measure = (label, type) => bare(label, type) + (label.kind === "text" ? 0 : 4); // its frame
  const large = { ...common, digits: true, counted: false, most: [72, 54], wide: 1.7, high: 1.15, longest: 92 };
  return { common: large, layout: layoutGrid(large, { width, height }, unit, measure) };
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

/** @param {Words} t @param {Omit<import("./grid.js").MapActs, "scrolled">} acts @param {any} before as view.py has it */
export function makeBoard(t, acts, before) {
  const maps = Array.from({ length: MOST_MAPS }, () => makeMaskMap(t, { ...acts, scrolled }));
  const signs = maps.slice(1).map(() => make("span", { class: "masks-sign" }));
  const element = make("div", { class: "masks-grid", role: "group", "aria-label": t("masks_maps") },
    maps.flatMap((map, i) => (i % 3 ? [signs[i - 1], map.element] : [map.element])));
  const swipe = makeSwipe(t, element);
  const opened = largeBy(before);
  const equation = makeEquation(t, (view, side, name) => {
    opened[view][side] = name;
    acts.redraw();
  });
  const isOther = makeDiffers();
  /** @type {GridLayout[]} */
  let layouts = [];
  /** @type {string[]} */
  let names = [];
  /** @type {?[number, number]} */
  let picked = null; // which of the sheets are shown

  /** @type {number[]} */
  let size = []; // that the maps were fitted into
  const watcher = watchSize(element, () => size, acts.redraw);

  /** @param {HTMLElement} box */
  function scrolled(box) {
    scrollAsOne(maps.map((map) => map.box), box);
    acts.redraw();
  }

  /** Where the maps go that are shown, and what they have in common. @param {Shown} shown @param {MaskSheet[]} sheets @param {boolean} isTwo @param {Look} look */
  function fitNow({ common }, sheets, isTwo, look) {
    const first = /** @type {MaskMap} */ (maps.find((map) => !map.element.hidden) ?? maps[0]);
    size = sizeOf(element);
    const two = isTwo ? fitTwo(element, first, common, look) : null;
    const next = two ? Array(MOST_MAPS).fill(two.layout)
      : fitMaps(element, first.canvas, common, look, roomFor(element, first, Math.ceil(sheets.length / 3)));
    if (isOther(JSON.stringify(next))) layouts = next;
    return two?.common ?? (isOnPaper(element) ? common : { ...common, digits: false, counted: false });
  }

  return {
    element,
    equation: equation.element,
    swipe: swipe.element,
    at: swipe.at,
    /** What is said of the large maps. @param {MasksHeld["view"]} view */
    keep: (view) => largeSaid(opened, view),
    /** Shows some of the maps alone, from one up to another; the function ends it. @param {[number, number]} which */
    only(which) {
      picked = which;
      return () => { picked = null; };
    },
    /** @param {string} name of the map to swipe to */
    show: (name) => swipe.show(names.indexOf(name)),
    /**
     * @param {MasksHeld["view"]} view
     * @param {Shown} shown
     * @param {import("./grid.js").MapLook} look
     * @param {?string} lacking why there is no causal mask
     */
    update(view, shown, look, lacking) {
      const { axes } = shown;
      const sheets = picked ? shown.sheets.slice(...picked) : shown.sheets;
      const isTwo = !picked && !isOnPaper(element) && element.closest(".slim") === null;
      element.classList.toggle("two", isTwo);
      const isShown = sheets.map(({ name }) => !isTwo || opened[view].includes(name));
      maps.forEach((map, i) => { map.element.hidden = !isShown[i]; });
      const whys = sheets.map(({ name }) => (name === "causal" ? lacking : null));
      sheets.forEach((sheet, i) => isShown[i] && maps[i].entitle(sheet, axes, look.palette, whys[i]));
      equation.element.hidden = !isTwo;
      if (isTwo) equation.update(view, opened[view], sheets, (sheet) => whys[sheets.indexOf(sheet)] !== null);
      const common = fitNow(shown, sheets, isTwo, look);
      sheets.forEach((_, i) => isShown[i] && maps[i].reserve(layouts[i]));
      signs.forEach((sign, before) => {
        const i = before + 1;
        sign.hidden = isTwo || i >= sheets.length;
        if (i >= sheets.length || i % 3 === 0) return;
        updateSign(sign, maps[i], t(sheets[i].sign), layouts[i].top, whys[i] !== null);
      });
      sheets.forEach((_, i) => isShown[i] && maps[i].measure());
      names = sheets.map(({ name }) => name);
      swipe.update(sheets.map(({ title }) => title)); // it measures as well
      sheets.forEach((sheet, i) =>
        maps[i].update(sheet, axes, common, isShown[i] ? layouts[i] : null, look, whys[i]));
      maps.slice(sheets.length).forEach((map) => map.clear());
      if (isTwo) equation.paint((name) => maps[names.indexOf(name)].frame(), look);
    },
    destroy() {
      watcher.disconnect();
      maps.forEach((map) => map.destroy());
    },
  };
}
