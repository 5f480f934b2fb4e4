// Maps beside one another: on axes that they share, where they go and that they scroll as one; or each
// on its own.

import { make } from "../page/elements.js";
import { layoutMaps } from "./beside.js";
import { makeGrid } from "./grid.js";
import { measureLabel } from "./labels.js";
import { layoutGrid } from "./layout.js";
import { gradientOf } from "./palette.js";

const LEAST = 180; // CSS pixels that maps are at least high at the normal type size
const WHOLE = 999; // CSS pixels of a line of maps where the page scrolls

/** Scrolls all boxes to where one of them was scrolled. @param {HTMLElement[]} boxes @param {HTMLElement} box */
function scrollAsOne(boxes, box) {
  for (const other of boxes) {
    if (other.scrollLeft !== box.scrollLeft) other.scrollLeft = box.scrollLeft;
    if (other.scrollTop !== box.scrollTop) other.scrollTop = box.scrollTop;
  }
}

/**
 * Maps, each in a pane of its own.
 * @template {string | number} Name
 * @template {{element: HTMLElement}} Pane
 * @param {Words} t
 * @param {readonly Name[]} names
 * @param {{box: string, data?: function(Name): Object, redraw: function(): void, isJoint?: boolean,
 *   acts(name: Name, place: number): GridMoves<GridCell>, pane(name: Name, grid: HTMLElement): Pane}} how
 *   `isJoint`: they scroll as one
 */
export function makeMaps(t, names, { box, data, redraw, isJoint = false, acts, pane }) {
  const scrolled = (/** @type {HTMLElement} */ one) => {
    scrollAsOne(maps.map(({ grid }) => grid.element), one);
    redraw();
  };
  const maps = names.map((name, i) => {
    const grid = makeGrid(t, { box, data: data?.(name), redraw, ...acts(name, i), ...(isJoint ? { scrolled } : {}) });
    return { name, grid, ...pane(name, grid.element) };
  });
  const measure = () => maps.forEach(({ grid }) => grid.measure());
  return {
    maps,
    /** Measures them before anything is drawn, so that the browser lays the page out once. */
    measure,
    /**
     * @param {(?GridFrame)[]} frames null: it is not there
     * @param {Look} look
     * @param {GridLayout[]} [layouts] that they share
     * @param {?number[][]} [sizes] of their boxes where the layouts have room in them; null: that is seen then
     */
    update(frames, look, layouts = [], sizes = []) {
      maps.forEach(({ grid }, i) => layouts[i] && frames[i] && grid.reserve(layouts[i], sizes?.[i]));
      if (sizes === null) measure();
      maps.forEach(({ grid }, i) => frames[i] && grid.update(frames[i], look, layouts[i] ?? null));
    },
    destroy: () => maps.forEach(({ grid }) => grid.destroy()),
  };
}

/** The colours of a map between the numbers of their ends. @param {string} name the class of the colours @param {GridFrame["kind"]} kind @param {string[]} ends @param {Palette} palette */
export function scaleOf(name, kind, [low, high], palette) {
  const bar = make("i", { class: name });
  bar.style.background = gradientOf(kind, palette);
  return [make("span", { text: low }), bar, make("span", { text: high })];
}

/** The width of a label with the frame around it. @param {HTMLCanvasElement} canvas @param {Palette} palette @returns {function(GridLabel, number): number} */
export function measureFramed(canvas, palette) {
  const bare = measureLabel(canvas, palette);
  return (label, type) => bare(label, type) + (label.kind === "text" ? 0 : 4);
}

/**
 * The room that an element has for maps: as the style sheet says, a map a line or a screen (`--maps-fit: alone`),
 * as high as they are (`page`, `half` of the window), or what there is; with `--maps-gap`, em between two.
 * @param {HTMLElement} element
 * @param {HTMLElement} caption over each
 * @param {number} [lines]
 */
export function roomOf(element, caption, lines = 1) {
  const style = getComputedStyle(element);
  const how = style.getPropertyValue("--maps-fit").trim();
  const inside = element.clientHeight - (lines - 1) * (parseFloat(style.rowGap) || 0) - lines * caption.offsetHeight;
  return { width: how === "alone" ? caption.offsetWidth : element.clientWidth, lines, isOpen: how !== "",
    height: how === "alone" ? null : how === "page" ? WHOLE * lines : how === "half" ? 0.5 * window.innerHeight : inside,
    gap: parseFloat(style.getPropertyValue("--maps-gap")) * parseFloat(style.fontSize),
    columnGap: parseFloat(style.columnGap) };
}

/**
 * The layouts of the maps: in lines of three, whose widths the style sheet reads as --first-map and
 * --next-map; without a height a map a line or a screen, all alike. And the sizes of their boxes.
 * @param {HTMLElement} element that holds the maps
 * @param {HTMLCanvasElement} canvas of one of them
 * @param {GridPlan} frame what they have in common
 * @param {Look} look
 * @param {ReturnType<typeof roomOf>} room
 * @returns {{layouts: GridLayout[], sizes: ?number[][]}} three for each line
 */
export function fitMaps(element, canvas, frame, { palette, unit }, { height, isOpen, ...room }) {
  const measure = measureFramed(canvas, palette);
  if (height === null) {
    const one = layoutGrid({ ...frame, thin: undefined }, { width: room.width, height: WHOLE }, unit, measure);
    return { layouts: Array(3 * room.lines).fill(one), sizes: null };
  }
  const high = Math.max(LEAST * unit, height);
  const { layouts, tracks } = layoutMaps(frame, { ...room, height: high }, unit, measure);
  ["first", "next"].forEach((name, i) =>
    element.style.setProperty(`--${name}-map`, `${tracks[i]}px`));
  const sizes = layouts.map(({ height: whole }, i) =>
    [tracks[i % 3 ? 1 : 0], Math.round(isOpen ? whole : Math.min(high, whole))]);
  return { layouts, sizes: room.lines > 1 ? null : sizes };
}
