// The maps of the room Masks as an equation of small pictures, each of which opens large when it is
// pressed: those of the masks on one side, those of what the mask leaves on the other.

import { bytesOf, cssOf } from "../../../stage/draw/palette.js";
import { paintSmallMap } from "../../../stage/draw/small.js";
import { hide, makeDiffers } from "../../../stage/page/elements.js";
import { elementOf, html, nothing } from "../../../stage/page/html.js";
import { makeTabs } from "../../../stage/page/pick.js";

const SIDE = 44; // CSS pixels of a small picture at the normal type size

/**
 * The maps of each view, one list for each of the large ones: the one that stands last in an equation
 * is large until another is pressed.
 * @type {Record<MasksHeld["view"], string[][]>}
 */
export const SIDES = { masks: [["pad", "causal", "combined"], ["scores", "masked", "weights"]],
  passes: [["once"], ["stepped", "difference"]] };

/** @typedef {Record<MasksHeld["view"], string[]>} Large the maps that are large, one on each side */

/** @type {(view: MasksHeld["view"], names: string[]) => string} */
const usualIn = (view, names) => (view === "passes" ? names[0] : names[names.length - 1]);

/** @type {MasksHeld["view"][]} */
const VIEWS = ["masks", "passes"];

/**
 * The maps that are large: what a link, or the page before, says, as far as a side has it.
 * @param {any} before as view.py has it
 * @returns {Large}
 */
export function largeBy(before) {
  const said = [before?.left, before?.right];
  const of = (/** @type {MasksHeld["view"]} */ view) => SIDES[view].map((names, i) =>
    (names.includes(said[i]) ? said[i] : usualIn(view, names)));
  return { masks: of("masks"), passes: of("passes") };
}

/** What a view says of the large maps: those that are not the usual ones. @param {Large} large @param {MasksHeld["view"]} view */
export function largeSaid(large, view) {
  const [left, right] = large[view].map((name, i) =>
    (name === usualIn(view, SIDES[view][i]) ? null : name));
  return { left, right };
}

/**
 * A map as a small picture: a square a cell, hidden ones empty, those that a break changed dark.
 * @param {HTMLCanvasElement} canvas
 * @param {GridFrame} frame
 * @param {Look} look
 */
function paintSheet(canvas, frame, { palette, unit }) {
  const [R, C] = [frame.rows.count, frame.columns.count];
  const size = Math.max(1, Math.floor((SIDE * unit) / Math.max(R, C)));
  paintSmallMap(canvas, [R, C], [C * size, R * size], (row, column) => {
    if (row >= (frame.painted ?? R)) return null;
    const mark = frame.mark?.(row, column);
    const value = frame.value(row, column);
    const isHidden = frame.hidden?.(row, column) && !(frame.kind === "weight" && value > 0);
    return mark === "fold" || isHidden && !mark ? palette.hair : mark ? palette.ink : cssOf(bytesOf(frame, value, palette));
  });
}

/**
 * One side of the equation.
 * @param {Words} t
 * @param {string[]} names
 * @param {function(string): void} open
 */
function makeSide(t, names, open) {
  /** @type {MaskSheet[]} */
  let sheets = [];
  let lacks = (/** @type {MaskSheet} */ _) => false;
  const { element, update } = makeTabs(t("masks_maps"), names, (name) => {
    const sheet = sheets.find((one) => one.name === name);
    const isNone = Boolean(sheet && lacks(sheet));
    return { title: t("masks_small_hint"), data: { small: name }, more: ` masks-small${isNone ? " none" : ""}`,
      before: t.has(`masks_sign_${name}`) ? html`<span class="masks-sign" role="presentation" ?hidden=${isNone}>${sheet && t(sheet.sign)}</span>` : nothing,
      text: html`<canvas aria-hidden="true" ?hidden=${isNone}></canvas><span>${sheet && t(`masks_small_${name}`, sheet.values)}</span>` };
  }, open, " masks-side");
  const canvases = element.querySelectorAll("canvas");
  const differs = names.map(() => makeDiffers()); // from what each is painted of
  return {
    element,
    /**
     * @param {string} opened the map that is large
     * @param {MaskSheet[]} shown
     * @param {function(MaskSheet): boolean} isLacking whether there is no such map
     */
    update(opened, shown, isLacking) {
      [sheets, lacks] = [shown, isLacking];
      update(opened);
    },
    /** @param {function(string): ?GridFrame} frameOf by its name; null where there is no such map @param {Look} look */
    paint(frameOf, look) {
      names.forEach((name, i) => {
        const frame = frameOf(name);
        if (frame && differs[i](...frame.key, look.palette, look.unit, window.devicePixelRatio)) paintSheet(canvases[i], frame, look);
      });
    },
  };
}

/**
 * @param {Words} t
 * @param {function(MasksHeld["view"], number, string): void} open a map on one side
 */
export function makeEquation(t, open) {
  const sides = Object.fromEntries(VIEWS.map((view) =>
    [view, SIDES[view].map((names, i) => makeSide(t, names, (name) => open(view, i, name)))]));
  const element = elementOf(html`<div class="masks-equation">${Object.values(sides).flat().map((side) => side.element)}</div>`);
  /** @type {MasksHeld["view"]} */
  let shown = "masks";
  return {
    element,
    /**
     * @param {MasksHeld["view"]} view
     * @param {string[]} opened one on each side
     * @param {MaskSheet[]} sheets
     * @param {function(MaskSheet): boolean} lacks whether there is no such map
     */
    update(view, opened, sheets, lacks) {
      shown = view;
      for (const [name, list] of Object.entries(sides)) {
        list.forEach((side, i) => {
          hide(side.element, name !== view);
          if (name === view) side.update(opened[i], sheets, lacks);
        });
      }
    },
    /** After the large maps. @param {function(string): ?GridFrame} frameOf by its name @param {Look} look */
    paint(frameOf, look) {
      for (const side of sides[shown]) side.paint(frameOf, look);
    },
  };
}
