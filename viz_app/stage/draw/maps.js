// Maps beside one another: on axes that they share, where they go and that they scroll as one; or each
// on its own. They stand in lines of three, whose rows are named once, at the left, and whose columns are named in every
// line only where that leaves large cells.

import { hide } from "../page/elements.js";
import { data, html, makePart, nothing } from "../page/html.js";
import { makeGrid } from "./grid.js";
import { measureLabel } from "./labels.js";
import { noteScroll, sizeOf, watchSize } from "./laid_out.js";
import { layoutGrid } from "./layout.js";
import { gradientOf } from "./palette.js";

const LEAST = 180; // CSS pixels that maps are at least high at the normal type size
const WHOLE = 999; // CSS pixels of a line of maps where the page scrolls
const EDGE = 3; // CSS pixels beside cells whose labels stand elsewhere
const TWICE_FROM = 18; // CSS pixels of a cell from which on every line names its columns
const HIGH = 1.4; // a cell is at most so many times as high as it is wide
const LEAST_TRACK = 216; // CSS pixels at the normal type size that a map's title and scale take

/** @param {GridLayout} layout */
const withoutRows = (layout) => ({ ...layout, left: EDGE, width: layout.width - layout.left + EDGE });
/** @param {GridLayout} layout */
const withoutColumns = (layout) => ({ ...layout, top: EDGE, height: layout.height - layout.top + EDGE });

/**
 * The layouts of the maps of one room, all with cells of the same size.
 * @param {GridPlan} frame what the maps have in common
 * @param {{width: number, height: number, lines: number, gap: number}} room `height` is that of all
 *     lines of maps without their titles; `gap` is kept free for the sign between two maps
 * @param {number} unit type size over the normal one
 * @param {function(GridLabel, number): number} measure as in layoutGrid
 * @returns {{layouts: GridLayout[], tracks: number[]}} a layout for each map, three a line, and the
 *     widths of the first map of a line and of each other
 */
export function layoutMaps(frame, { width, height, lines, gap }, unit, measure) {
  const inner = width - 2 * gap;
  /** @param {number} across @param {number} down */
  const lay = (across, down) => layoutGrid({ ...frame, high: HIGH }, { width: across, height: down }, unit, measure);
  const { left } = lay(inner / 3, height / lines);
  const first = Math.floor(left + (inner - left - 2 * EDGE) / 3);
  let named = lay(first, height / lines);
  const each = lines === 1 || named.pitchY >= TWICE_FROM * unit;
  for (let turn = 0; turn < 2 && !each; turn += 1) { // higher cells may give labels more room
    named = lay(first, named.top + (height - named.top - (lines - 1) * EDGE) / lines);
  }
  const inLines = [named, ...Array(lines - 1).fill(each ? named : withoutColumns(named))];
  const least = LEAST_TRACK * unit;
  return {
    layouts: inLines.flatMap((layout) => [layout, withoutRows(layout), withoutRows(layout)]),
    tracks: [Math.min(first, Math.max(named.width, least)),
      Math.min(first - left + EDGE, Math.max(withoutRows(named).width, least))].map(Math.floor),
  };
}

/** Scrolls all boxes to where one of them was scrolled. @param {HTMLElement[]} boxes @param {HTMLElement} box */
function scrollAsOne(boxes, box) {
  for (const other of boxes) {
    if (other.scrollLeft !== box.scrollLeft) other.scrollLeft = box.scrollLeft;
    if (other.scrollTop !== box.scrollTop) other.scrollTop = box.scrollTop;
    noteScroll(other);
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
  <figure class="maps-map ${name}-map" ${data(values)}>
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
    const grid = makeGrid(t, { box: `maps-box ${box}`, data: { grid: String(name) }, redraw, ...acts(name), ...(isJoint ? { scrolled } : {}) });
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
      hide(maps[i].grid.element, typeof caption.none === "string");
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

/** The width of a label with the frame around it. @param {Palette} palette @returns {function(GridLabel, number): number} */
export function measureFramed(palette) {
  const bare = measureLabel(palette);
  return (label, type) => bare(label, type) + (label.kind === "text" ? 0 : 4);
}

/** What the style sheet says of the room for maps. @param {HTMLElement} element */
function readFit(element) {
  const style = getComputedStyle(element);
  return { how: style.getPropertyValue("--maps-fit").trim(), rowGap: parseFloat(style.rowGap) || 0,
    high: parseFloat(style.getPropertyValue("--maps-high")) || Infinity,
    gap: parseFloat(style.getPropertyValue("--maps-gap")) * parseFloat(style.fontSize),
    columnGap: parseFloat(style.columnGap) };
}

/** @typedef {ReturnType<ReturnType<typeof makeMapRoom>["of"]>} MapRoom */

/**
 * The room that an element has for maps: as the style sheet says, a map a line or a screen (`--maps-fit: alone`,
 * each at most `--maps-high`, a share of the window), as high as they are (`page`, `half` of the window), or what there is; with `--maps-gap`, em between two.
 * @param {HTMLElement} element
 * @param {{caption: HTMLElement}[]} maps
 * @param {Redraw} redraw
 */
export function makeMapRoom(element, maps, redraw) {
  /** @type {number[]} */
  let size = []; // of the element, when the room was made
  /** @type {?{caption: HTMLElement, above: number}} */
  let under = null; // which caption that was, and how high
  const watchers = [watchSize(element, () => size, redraw), ...maps.map(({ caption }) => watchSize(caption,
    () => (under?.caption === caption ? [sizeOf(caption)[0], under.above] : sizeOf(caption)), redraw))];
  /** @type {?{of: string, fit: ReturnType<typeof readFit>}} */
  let known = null;
  return {
    /** @param {HTMLElement} caption over each @param {number} [lines] */
    of(caption, lines = 1) {
      const [width, height] = size = sizeOf(element).slice(0, 2);
      const [wide, above] = sizeOf(caption);
      under = { caption, above };
      // To read styles restyles the page: they are others where the stage has other classes or another width.
      const of = `${element.closest(".stage")?.className} ${element.className} ${width}`;
      if (known?.of !== of) known = { of, fit: readFit(element) };
      const { how, rowGap, gap, columnGap, high } = known.fit;
      const inside = height - (lines - 1) * rowGap - lines * above;
      return { width: how === "alone" ? wide : width, lines, isOpen: how !== "", gap, columnGap, most: high * window.innerHeight,
        height: how === "alone" ? null : how === "page" ? WHOLE * lines : how === "half" ? 0.5 * window.innerHeight : inside };
    },
    destroy: () => watchers.forEach((one) => one.disconnect()),
  };
}

/**
 * The layouts of the maps: in lines of three, whose widths the style sheet reads as --first-map and
 * --next-map; without a height a map a line or a screen, all alike. And the sizes of their boxes; what one
 * line of them leaves under it is --maps-spare for what stands there.
 * @param {HTMLElement} element that holds the maps
 * @param {GridPlan} frame what they have in common
 * @param {Look} look
 * @param {MapRoom} room
 * @returns {{layouts: GridLayout[], sizes: ?number[][]}} three for each line
 */
export function fitMaps(element, frame, { palette, unit }, { height, isOpen, ...room }) {
  const measure = measureFramed(palette);
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
  const spare = isOpen || room.lines > 1 ? 0 : Math.max(0, high - Math.max(...sizes.map(([, tall]) => tall)));
  element.parentElement?.style.setProperty("--maps-spare", `${Math.round(spare)}px`);
  return { layouts, sizes: room.lines > 1 ? null : sizes };
}
