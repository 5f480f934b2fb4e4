// Maps beside one another: on axes that they share, where they go and that they scroll as one; or each
// on its own.

import { data, html, makePart, nothing } from "../page/html.js";
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
 * What stands over a map: its title, and the scale of its colours; under it `reading`; and in its place `none`, where there
 * is no such map. What is undefined has no place here.
 * @typedef {{title: unknown, scale?: unknown, reading?: string, none?: ?string}} Caption
 * @param {string} name of the classes
 * @param {HTMLElement} grid
 * @param {Record<string, string | number>} values
 */
const makePane = (name, grid, values) => makePart((/** @type {Caption} */ { title, scale, reading, none } = { title: "", none: null }) => html`
  <figure class="${name}-map" ${data(values)}>
    <figcaption><span class="${name}-title">${title}</span>${scale === undefined ? nothing : html`
      <span class="${name}-scale" aria-hidden="true" ?hidden=${typeof none === "string"}>${scale}</span>`}</figcaption>
    ${grid}${none === undefined ? nothing : html`<p class="${name}-none" ?hidden=${none === null}>${none}</p>`}
    ${reading === undefined ? nothing : html`<p class="${name}-reading">${reading}</p>`}
  </figure>`);

/**
 * Maps, each under its caption.
 * @template {string | number} Name
 * @param {Words} t
 * @param {string} of what their classes begin with
 * @param {readonly Name[]} names
 * @param {{redraw: function(): void, isJoint?: boolean, box?: string, acts(name: Name): GridMoves<GridCell>}} how
 *     `isJoint`: they scroll as one
 */
export function makeMaps(t, of, names, { redraw, isJoint = false, box = `${of}-box`, acts }) {
  const scrolled = (/** @type {HTMLElement} */ one) => {
    scrollAsOne(maps.map(({ grid }) => grid.element), one);
    redraw();
  };
  const maps = names.map((name) => {
    const grid = makeGrid(t, { box, data: { grid: String(name) }, redraw, ...acts(name), ...(isJoint ? { scrolled } : {}) });
    const pane = makePane(of, grid.element, { of: name });
    return { name, grid, element: pane.element, entitle: pane.update, caption: /** @type {HTMLElement} */ (pane.element.firstElementChild) };
  });
  const measure = () => maps.forEach(({ grid }) => grid.measure());
  return {
    maps,
    /** Measures them before anything is drawn, so that the browser lays the page out once. */
    measure,
    /** What stands over each, before the cells get their place, which is what it leaves. @param {Caption[]} captions */
    entitle: (captions) => captions.forEach((caption, i) => {
      maps[i].entitle(caption);
      maps[i].grid.element.hidden = typeof caption.none === "string";
    }),
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
export const scaleOf = (name, kind, [low, high], palette) => html`
  <span>${low}</span><i class=${name} .style=${`background: ${gradientOf(kind, palette)}`}></i><span>${high}</span>`;

/** The width of a label with the frame around it. @param {HTMLCanvasElement} canvas @param {Palette} palette @returns {function(GridLabel, number): number} */
export function measureFramed(canvas, palette) {
  const bare = measureLabel(canvas, palette);
  return (label, type) => bare(label, type) + (label.kind === "text" ? 0 : 4);
}

/**
 * The room that an element has for maps: as the style sheet says, a map a line or a screen (`--maps-fit: alone`,
 * each at most `--maps-high`, a share of the window), as high as they are (`page`, `half` of the window), or what there is; with `--maps-gap`, em between two.
 * @param {HTMLElement} element
 * @param {HTMLElement} caption over each
 * @param {number} [lines]
 */
export function roomOf(element, caption, lines = 1) {
  const style = getComputedStyle(element);
  const how = style.getPropertyValue("--maps-fit").trim();
  const inside = element.clientHeight - (lines - 1) * (parseFloat(style.rowGap) || 0) - lines * caption.offsetHeight;
  return { width: how === "alone" ? caption.offsetWidth : element.clientWidth, lines, isOpen: how !== "",
    most: (parseFloat(style.getPropertyValue("--maps-high")) || Infinity) * window.innerHeight,
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
    const one = layoutGrid({ ...frame, thin: undefined }, { width: room.width, height: Math.min(WHOLE, room.most) }, unit, measure);
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
