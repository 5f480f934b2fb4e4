// The heat map of every room: the pointer, the keys, the focus, and the canvas. layout.js says where
// its parts go, cells.js and edges.js paint them; what it shows is a GridFrame (types.d.ts), a
// plain value.

import { noteScroll, onceLaidOut, sizeOf, watchSize } from "./laid_out.js";
import { claim, isShortcut, setTrait } from "../page/elements.js";
import { data, elementOf, html } from "../page/html.js";
import { isOnPaper, paintOn, sizedContext } from "./canvas.js";
import { makeGridPainter } from "./cells.js";
import { FADE, makeArrows, paintFades } from "./edges.js";
import { measureLabel, spoken } from "./labels.js";
import { cellBox, hitGrid, layoutGrid } from "./layout.js";

/** @type {Record<string, number[]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
  PageUp: [-8, 0], PageDown: [8, 0], Home: [0, -Infinity], End: [0, Infinity] };

/**
 * What a map holds, for the functions below.
 * @typedef {{size: number[], scroll: {x: number, y: number}}} Measured
 * @typedef {Object} Own
 * @property {GridLineActs} acts
 * @property {HTMLCanvasElement} canvas
 * @property {HTMLElement} box
 * @property {HTMLElement} extent
 * @property {GridFrame | null} frame
 * @property {GridLayout | null} layout
 * @property {GridPlace | null} held what a drag kept last
 * @property {GridPlace | null} at what was pointed at last
 * @property {number[]} size of the box, as it was measured last
 * @property {?Measured} measured while that is so still
 * @property {?Look} look as it was drawn, where its layout is its own
 * @property {number[]} reach how large what is in the box is
 * @property {?{x: number, y: number}} drawn what it was scrolled to when it was drawn
 * @property {string} followed the row last brought into view, and where the view had it
 */

/** @param {Own} own */
function scrollOf({ box, acts }) {
  if (acts.whole || isOnPaper(box)) return { x: 0, y: 0 };
  const [, , x, y] = sizeOf(box);
  return { x, y };
}

/**
 * What lies under the pointer, and the place that it means: a label stands for its row or its
 * column only in some maps.
 * @param {Own} own
 * @param {MouseEvent} event
 * @returns {{under: GridPlace | null, place: GridPlace | null}}
 */
function gridPlace(own, event) {
  const { frame, layout, canvas, acts } = own;
  if (!frame || !layout) return { under: null, place: null };
  const at = canvas.getBoundingClientRect();
  const under = (frame.by?.hit ?? hitGrid)(frame, layout, scrollOf(own), event.clientX - at.left,
    event.clientY - at.top);
  const isCell = under !== null && under.row !== null && under.column !== null;
  return { under, place: acts.lines || isCell ? under : null };
}

/** @param {?GridPlace} a @param {?GridPlace} b */
const isSame = (a, b) => a?.row === b?.row && a?.column === b?.column;

/** Points at a place, unless that is what is pointed at, and shown to be. @param {Own} own @param {?GridPlace} place */
function point(own, place) {
  if (isSame(place, own.at) && isSame(place, own.frame?.pointed ?? null)) return;
  own.at = place;
  own.acts.point(place);
}

/** @param {Own} own */
function listenToPointer(own) {
  const { canvas, acts } = own;
  canvas.addEventListener("pointermove", (event) => {
    const { frame, held } = own;
    const { under, place } = gridPlace(own, event);
    const isDrag = event.buttons === 1 && event.pointerType === "mouse";
    if (place && isDrag && !isSame(place, held)) {
      own.held = place;
      acts.keep?.(place, false);
    }
    point(own, place);
    // The drawn label may be cut short.
    const label = !under || (under.row !== null && under.column !== null) ? null
      : under.row !== null ? frame?.rows.labels?.[under.row]
        : frame?.columns.labels?.[under.column ?? 0];
    setTrait(canvas, "title", label ? spoken(label) : null);
    canvas.style.cursor = frame?.pressable?.(place?.row ?? -1) ? "pointer" : "";
  });
  canvas.addEventListener("pointerdown", (event) => {
    const { place } = gridPlace(own, event);
    own.held = place;
    if (!place) return;
    point(own, place);
    acts.keep?.(place, event.shiftKey);
  });
  canvas.addEventListener("blur", () => point(own, null));
  canvas.addEventListener("pointerleave", (event) => {
    // A finger leaves whenever it lifts; what it touched stays.
    if (event.pointerType !== "touch") point(own, null);
  });
}

/** @param {number} value @param {number} count */
const withinGrid = (value, count) => Math.max(0, Math.min(count - 1, value));

/** Arrows point, Enter keeps, Escape lets go. @param {Own} own @param {KeyboardEvent} event */
function takeKey(own, event) {
  const { frame, acts } = own;
  if (!frame || isShortcut(event)) return;
  const { pointed, kept, rows, columns, current = null } = frame;
  const row = pointed?.row ?? kept?.row ?? null;
  const column = pointed?.column ?? kept?.column ?? null;
  const move = Object.hasOwn(MOVES, event.key) ? MOVES[event.key] : null;
  if (event.key === "Escape" && (pointed?.row ?? pointed?.column ?? null) !== null) {
    claim(event);
    point(own, null);
  }
  if (event.key === "Enter" && row !== null && column !== null) {
    acts.keep?.({ row, column }, event.shiftKey);
  }
  if (!move && event.key !== "Enter") return; // Enter elsewhere takes a candidate
  claim(event);
  if (!move) return;
  // The first key takes the first cell of the present row; later ones go on from there.
  const next = {
    row: row === null ? current ?? 0 : withinGrid(row + move[0], rows.count),
    column: column === null ? 0 : withinGrid(column + move[1], columns.count),
  };
  if (frame.mark?.(next.row, next.column) === "fold") return;
  showCell(own, next.row, next.column);
  own.measured = null;
  point(own, next);
  own.frame = { ...frame, pointed: next }; // the next key may come before the next frame
}

/**
 * Brings a cell into view; the box is scrolled once it is laid out.
 * @param {Own} own
 * @param {number} row
 * @param {number | null} column null: its row is enough
 */
function showCell(own, row, column) {
  const { box, layout, reach } = own;
  if (!layout) return;
  const { size, scroll } = own.measured ??= measured(own);
  const { left, top, bar, view, unit } = layout;
  const [x, y, width, height] = cellBox(layout, scroll, row, column ?? 0);
  const fade = FADE * unit;
  const [under, over] = [x - left - fade, x + width + fade - view.width + bar];
  const across = column === null ? 0 : under < 0 ? under : Math.max(0, over);
  const down = y < top ? y - top : y + height > view.height ? y + height - view.height + 3 : 0;
  if (across === 0 && down === 0) return;
  const to = [scroll.x + across, scroll.y + down].map((one, i) => Math.round(Math.max(0, Math.min(reach[i] - size[i], one))));
  own.measured.scroll = { x: to[0], y: to[1] };
  noteScroll(box, to);
  onceLaidOut(box, () => box.scrollTo({ left: to[0], top: to[1], behavior: "instant" }));
}

/** How large the box is, and how far it is scrolled. @param {Own} own @returns {Measured} */
const measured = (own) => ({ size: sizeOf(own.box).slice(0, 2), scroll: scrollOf(own) });

/**
 * Where the browser will have scrolled the box to, once what is in it has that size, is known without asking it.
 * @param {Own} own
 * @param {number} width
 * @param {number} height
 */
function resizeGrid(own, width, height) {
  const { extent: { style }, measured: known } = own;
  own.reach = [width, height];
  const [wide, high] = [`${width}px`, `${height}px`];
  if (style.width === wide && style.height === high) return;
  Object.assign(style, { width: wide, height: high });
  if (!known) return;
  const { size, scroll } = known;
  known.scroll = { x: Math.min(scroll.x, Math.max(0, width - size[0])),
    y: Math.min(scroll.y, Math.max(0, height - size[1])) };
}

/**
 * The layout of what is shown now, and what of it is in view; null where there is no room.
 * @param {Own} own
 * @param {Look} look
 * @param {GridLayout | null} given
 * @returns {GridLayout | null}
 */
function placeGrid(own, look, given) {
  const { box, frame, acts } = own;
  if (given && acts.whole) {
    own.size = [given.view.width]; // its height is that of the layout
    return { ...given, view: { width: Math.min(given.view.width, given.width),
      height: given.height } };
  }
  const { size: [width, height] } = own.measured ??= measured(own);
  own.size = own.measured.size;
  if (given) {
    const [across, down] = isOnPaper(box) ? [Infinity, Infinity] : own.size;
    return { ...given, view: { width: Math.min(across, given.width), height: Math.min(down, given.height) } };
  }
  if (!frame || width < 40 || height < 40) return null;
  const next = (frame.by?.layout ?? layoutGrid)(frame, { width, height }, look.unit,
    measureLabel(look.palette));
  const whole = { width: Math.max(width, Math.floor(next.width)),
    height: Math.max(height, Math.floor(next.height)) };
  resizeGrid(own, whole.width, whole.height);
  return isOnPaper(box) ? { ...next, view: whole } : next;
}

/** @type {WeakMap<Element, {canvas: HTMLCanvasElement, frame: function(): ?GridFrame,
 *     layout: function(): ?GridLayout, box: function(number, number): number[] | null}>} */
const grids = new WeakMap();

/** The map on a canvas: what it shows, and where its cells are. @param {Element} canvas */
export const gridOn = (canvas) => grids.get(canvas);

/**
 * A heat map on a canvas that scrolls inside its own box.
 * @param {function(string): string} t
 * @param {GridActs | GridLineActs} acts
 */
export function makeGrid(t, acts) {
  const box = elementOf(html`
    <div class=${acts.box} ${data(acts.data ?? {})}><div class="map-extent">
      <canvas class="map-canvas" tabindex="0" role="application" aria-roledescription=${t("map_role")}></canvas></div></div>`);
  const extent = /** @type {HTMLElement} */ (box.firstElementChild);
  const canvas = /** @type {HTMLCanvasElement} */ (extent.firstElementChild);
  const painter = makeGridPainter(canvas);
  const paintArrows = makeArrows();
  /** @type {Own} */
  const own = { acts: /** @type {GridLineActs} */ (acts), canvas, box, extent, frame: null, layout: null,
    held: null, at: null, followed: "", size: [], measured: null, reach: [0, 0], drawn: null, look: null };
  /** Draws the same at another height; where it shares a layout, or what it shows depends on the size, all is drawn. */
  function drawAnew() {
    const { frame, look, size, acts: { redraw } } = own;
    const isSame = frame && look && size[0] === sizeOf(box)[0] && !frame.least;
    if (isSame) grid.update(frame, look);
    else (redraw.now ?? redraw)();
  }
  const watcher = watchSize(box, () => own.size, drawAnew);
  box.addEventListener("scroll", () => {
    noteScroll(box);
    const { x, y } = scrollOf(own);
    if (own.drawn?.x !== x || own.drawn.y !== y) (acts.scrolled ?? acts.redraw)(box);
  }, { passive: true });
  listenToPointer(own);
  canvas.addEventListener("keydown", (event) => takeKey(own, event));
  /** @param {number} row @param {number} column */
  const boxOf = (row, column) => own.layout && cellBox(own.layout, scrollOf(own), row, column);
  const grid = {
    element: box,
    canvas,
    frame: () => own.frame,
    scroll: () => scrollOf(own),
    /**
     * Makes room for a layout that several maps share.
     * @param {{width: number, height: number}} layout
     * @param {number[]} [size] of the box then, where it is not that which was measured
     */
    reserve({ width, height }, size) {
      if (own.measured && size) own.measured.size = size;
      resizeGrid(own, width, height);
    },
    /** Measures the box before anything beside it is drawn, so that the browser lays the page out once. */
    measure() {
      own.measured = measured(own);
    },
    /**
     * @param {GridFrame} next
     * @param {Look} look
     * @param {GridLayout | null} [given] a layout that several maps share
     */
    update(next, look, given = null) {
      own.frame = next;
      own.look = given ? null : look;
      const placed = placeGrid(own, look, given);
      if (!placed) {
        own.measured = null;
        return;
      }
      own.layout = placed;
      setTrait(canvas, "aria-label", next.label);
      const current = next.current ?? null;
      const { view, top, pitchX, pitchY } = placed;
      const followed = [current, view.height, top, pitchX, pitchY].join(" ");
      if (followed !== own.followed && current !== null) showCell(own, current, next.eye ?? null);
      own.followed = followed;
      const scroll = own.measured?.scroll ?? scrollOf(own);
      own.measured = null;
      own.drawn = scroll;
      if (box.closest("[hidden]")) return; // nobody sees it
      const context = sizedContext(canvas, view.width, view.height);
      paintOn(canvas, () => {
        if (next.by) next.by.paint(context, next, placed, scroll, look.palette);
        else painter.paint(next, placed, scroll, look.palette);
        const painting = { context, frame: next, layout: placed, scroll, palette: look.palette };
        paintFades(painting);
        paintArrows(painting);
      });
    },
    /** What it shows, where a table shows it. @param {GridFrame} next */
    hold(next) {
      own.frame = next;
    },
    layout: () => own.layout,
    /** The rectangle of a cell; null before there is one. */
    box: boxOf,
    destroy: () => watcher.disconnect(),
  };
  grids.set(canvas, grid);
  return grid;
}
