// The maps of the room Masks: two of them large, one on each side, and all as small pictures over
// them; on a narrow screen one after the other, and in a picture or on paper beside one another as an
// equation, with a sign between two.

import { isOnPaper } from "../../../stage/draw/canvas.js";
import { layoutGrid } from "../../../stage/draw/layout.js";
import { fitMaps, makeMapRoom, makeMaps, measureFramed } from "../../../stage/draw/maps.js";
import { partsAt } from "../../../stage/draw/place.js";
import { hide, makeDiffers, setTrait } from "../../../stage/page/elements.js";
import { elementOf, html, makePart } from "../../../stage/page/html.js";
import { isFold } from "./axes.js";
import { largeBy, largeSaid, makeEquation } from "./equation.js";
import { maskCaption, maskFrameOf } from "./grid.js";
import { makeSwipe } from "./swipe.js";

const PLACES = [0, 1, 2, 3, 4, 5]; // of maps

/**
 * @typedef {import("./axes.js").MaskAxes} MaskAxes
 * @typedef {import("./axes.js").CommonFrame} CommonFrame
 * @typedef {{sheets: MaskSheet[], axes: MaskAxes, common: CommonFrame}} Shown
 */

/**
 * How the two large maps are drawn, both alike: as large as there is room.
 * @param {CommonFrame} common
 * @param {Look} look
 * @param {import("../../../stage/draw/maps.js").MapRoom} room
 */
function fitTwo(common, { palette, unit }, { width, height, columnGap, isOpen }) {
  const large = { ...common, digits: true, counted: false, most: [72, 54], wide: 1.7, high: 1.15, longest: 92 };
  const layout = layoutGrid(large, { width: Math.floor((width - columnGap) / 2), height: height ?? 0 }, unit,
    measureFramed(palette));
  return { common: large, layouts: PLACES.map(() => layout), sizes: isOpen ? null : [] };
}

/** The sign between two maps of a line; `isNone`: whether there is no such map. */
const makeSign = () => makePart((text = "", top = 0, isNone = false) => html`
  <span class="masks-sign${isNone ? " none" : ""}" .style=${`padding-top:${top}px`}>${text.replaceAll(" ", "\n")}</span>`);

/**
 * @param {Words} t
 * @param {{redraw: Redraw, point: function(?Cell): void, keep: function(Cell): void,
 *   unfold: function(): void}} acts
 * @param {any} before as view.py has it
 */
export function makeBoard(t, acts, before) {
  const all = makeMaps(t, "masks", PLACES, { isJoint: true, redraw: acts.redraw,
    acts: () => ({ point: (place) => acts.point(place && shownAt(place)),
      keep(place) {
        const cell = shownAt(place);
        if (cell) acts.keep(cell);
        else acts.unfold();
      } }) });
  const { maps } = all;
  const signs = maps.slice(1).map(makeSign);
  const element = elementOf(html`
    <div class="masks-grid" role="group" aria-label=${t("masks_maps")}>${maps.flatMap((map, i) => (i % 3 ? [signs[i - 1].element, map.element] : [map.element]))}</div>`);
  const swipe = makeSwipe(t, element);
  const opened = largeBy(before);
  const equation = makeEquation(t, (view, side, name) => {
    opened[view][side] = name;
    acts.redraw();
  });
  const [isOther, isNamed] = [makeDiffers(), makeDiffers()];
  /** @type {{sheets: MaskSheet[], axes: ?MaskAxes, frames: (?GridFrame)[], isShown: boolean[]}} */
  let now = { sheets: [], axes: null, frames: [], isShown: [] };
  /** @type {GridLayout[]} */
  let layouts = [];
  /** @type {?[number, number]} */
  let picked = null; // which of the sheets are shown

  const rooms = makeMapRoom(element, maps, acts.redraw);

  /** The cell at a place; null of pads that are only counted. @param {GridCell} place */
  const shownAt = (place) => (now.axes && !isFold(now.axes.lines, place.row, place.column)
    ? /** @type {Cell} */ (partsAt(now.axes.lines, place)) : null);

  /** Where the maps go that are shown, and what they have in common. @param {CommonFrame} common @param {boolean} isTwo @param {Look} look */
  function fitNow(common, isTwo, look) {
    const { caption } = maps.find((map) => !map.element.hidden) ?? maps[0];
    const room = rooms.of(caption, isTwo ? 1 : Math.ceil(now.sheets.length / 3));
    all.measure();
    const fit = isTwo ? fitTwo(common, look, room) : { ...fitMaps(element, common, look, room),
      common: isOnPaper(element) ? common : { ...common, digits: false, counted: false } };
    if (isOther(JSON.stringify(fit.layouts))) ({ layouts } = fit);
    return fit;
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
    show: (name) => swipe.show(now.sheets.findIndex((sheet) => sheet.name === name)),
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
      maps.forEach((map, i) => { hide(map.element, !isShown[i]); });
      signs.forEach((sign, before) => { hide(sign.element, isTwo || before + 1 >= sheets.length); }); // they take room too
      const whys = sheets.map(({ name }) => (name === "causal" ? lacking : null));
      if (isNamed(shown.sheets, axes, look.palette, lacking, picked)) { // what marks mean takes all cells of a map
        sheets.forEach((sheet, i) => setTrait(maps[i].element, "data-sheet", sheet.name));
        all.entitle(sheets.map((sheet, i) => maskCaption(t, sheet, axes, look.palette, whys[i])));
      }
      hide(equation.element, !isTwo);
      if (isTwo) equation.update(view, opened[view], sheets, (sheet) => whys[sheets.indexOf(sheet)] !== null);
      const framesOf = (/** @type {CommonFrame} */ common) => sheets.map((sheet, i) =>
        (whys[i] === null ? maskFrameOf(t, sheet, axes, common, look) : null));
      now = { sheets, axes, isShown, frames: framesOf(shown.common) };
      // The small ones first: they take their room from the large ones.
      if (isTwo) equation.paint((name) => now.frames[sheets.findIndex((sheet) => sheet.name === name)], look);
      const { common, sizes } = fitNow(shown.common, isTwo, look);
      signs.forEach((sign, before) => {
        const i = before + 1;
        if (i >= sheets.length || i % 3 === 0) return;
        const [text, isNone] = [t(sheets[i].sign), whys[i] !== null];
        sign.update(text, layouts[i].top, isNone);
        setTrait(/** @type {Element} */ (maps[i].caption.firstElementChild), "data-sign", isNone ? null : text); // for where maps are swiped
      });
      swipe.update(sheets.map(({ title }) => title));
      all.update(framesOf(common).map((frame, i) => (isShown[i] ? frame : null)), look, layouts, sizes);
    },
    destroy() {
      rooms.destroy();
      all.destroy();
    },
  };
}
