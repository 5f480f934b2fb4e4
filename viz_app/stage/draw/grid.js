// The heat map of every room: the pointer, the keys, the focus, and the canvas. layout.js says where
// its parts go, cells.js and edges.js paint them; what it shows is a GridFrame (types.d.ts), a
// plain value.

import { make, setTrait } from "../page/elements.js";
import { sizedContext } from "./canvas.js";
import { makeGridPainter } from "./cells.js";
import { measureLabel, spoken } from "./labels.js";
import { cellBox, hitGrid, layoutGrid } from "./layout.js";

/** @type {Record<string, number[]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
  PageUp: [-8, 0], PageDown: [8, 0], Home: [0, -Infinity], End: [0, Infinity] };

/**
 * A heat map on a canvas that scrolls inside its own box.
 * @param {function(string): string} t
 * @param {{box: string, data?: Object, redraw: function(): void,
 *     point: function(GridPlace | null): void, keep?: function(GridPlace, boolean): void,
 *     lines?: boolean, scrolled?: function(HTMLElement): void}} acts
 *     `point` where the reader looks; `keep` what is pressed, and whether with Shift; `lines`
 *     whether a label stands for its row or column
 */
export function makeGrid(t, acts) {
  const { point, keep = () => {}, redraw } = acts;
  const canvas = make("canvas", { class: "map-canvas", tabindex: "0", role: "application",
    "aria-roledescription": t("map_role") });
  const extent = make("div", { class: "map-extent" }, [canvas]);
  const box = make("div", { class: acts.box, data: acts.data ?? {} }, [extent]);
  const painter = makeGridPainter(canvas);
  /** @type {GridFrame | null} */
  let frame = null;
  /** @type {GridLayout | null} */
  let layout = null;
  /** @type {number | null} */
  let followed = null; // the row last brought into view
  /** @type {GridPlace | null} */
  let held = null; // what a drag kept last
  const watcher = new ResizeObserver(() => redraw());
  watcher.observe(box);
  box.addEventListener("scroll", () => (acts.scrolled ?? redraw)(box), { passive: true });
  const scroll = () => ({ x: box.scrollLeft, y: box.scrollTop });

  /** @param {MouseEvent} event */
  function hit(event) {
    if (!frame || !layout) return null;
    const at = canvas.getBoundingClientRect();
    return (frame.by?.hit ?? hitGrid)(frame, layout, scroll(), event.clientX - at.left, event.clientY - at.top);
  }
  /** @param {GridPlace | null} place */
  const meant = (place) => (place && (acts.lines || (place.row !== null && place.column !== null))
    ? place : null);
  canvas.addEventListener("pointermove", (event) => {
    const under = hit(event);
    const place = meant(under);
    const isDrag = event.buttons === 1 && event.pointerType === "mouse";
    if (place && isDrag && (place.row !== held?.row || place.column !== held?.column)) {
      held = place;
      keep(place, false);
    }
    point(place);
    // The drawn label may be cut short.
    const label = !under || (under.row !== null && under.column !== null) ? null
      : under.row !== null ? frame?.rows.labels?.[under.row]
        : frame?.columns.labels?.[under.column ?? 0];
    setTrait(canvas, "title", label ? spoken(label) : null);
    canvas.style.cursor = place?.row !== null && frame?.pressable?.(place?.row ?? -1)
      ? "pointer" : "";
  });
  canvas.addEventListener("pointerdown", (event) => {
    const place = meant(hit(event));
    held = place;
    if (!place) return;
    point(place);
    keep(place, event.shiftKey);
  });
  for (const event of ["pointerleave", "blur"]) canvas.addEventListener(event, () => point(null));
  canvas.addEventListener("keydown", (event) => {
    if (!frame || event.ctrlKey || event.metaKey || event.altKey) return;
    const { pointed, kept, rows, columns } = frame;
    const row = pointed?.row ?? kept?.row ?? null;
    const column = pointed?.column ?? kept?.column ?? null;
    const move = Object.hasOwn(MOVES, event.key) ? MOVES[event.key] : null;
    if (event.key === "Escape") point(null);
    if (event.key === "Enter" && row !== null && column !== null) {
      keep({ row, column }, event.shiftKey);
    }
    if (!move && event.key !== "Enter") return; // Enter elsewhere takes a candidate
    event.preventDefault();
    event.stopPropagation();
    if (!move) return;
    /** @param {number} value @param {number} count */
    const within = (value, count) => Math.max(0, Math.min(count - 1, value));
    // The first key takes the first cell of the present row; later ones go on from there.
    const next = {
      row: row === null ? frame.current ?? 0 : within(row + move[0], rows.count),
      column: column === null ? 0 : within(column + move[1], columns.count),
    };
    if (frame.mark?.(next.row, next.column) === "fold") return;
    frame = { ...frame, pointed: next }; // the next key may come before the next frame
    bringIntoView(next.row, next.column);
    point(next);
  });

  /** @param {number} row @param {number} column */
  function bringIntoView(row, column) {
    if (!layout) return;
    const [x, y, width, height] = cellBox(layout, scroll(), row, column);
    const over = x + width - layout.view.width + layout.bar;
    if (x < layout.left) box.scrollLeft += x - layout.left;
    else if (over > 0) box.scrollLeft += over;
    followRow(y, height);
  }

  /** @param {number} y @param {number} height */
  function followRow(y, height) {
    if (!layout) return;
    if (y < layout.top) box.scrollTop += y - layout.top;
    else if (y + height > layout.view.height) {
      box.scrollTop += y + height - layout.view.height + 3;
    }
  }

  /**
   * The layout of what is shown now, and what of it is in view; null where there is no room.
   * @param {Look} look
   * @param {GridLayout | null} given
   * @returns {GridLayout | null}
   */
  function place(look, given) {
    const view = { width: box.clientWidth, height: box.clientHeight };
    if (given) {
      return { ...given, view: { width: Math.min(view.width, given.width),
        height: Math.min(view.height, given.height) } };
    }
    if (!frame || view.width < 40 || view.height < 40) return null;
    const next = (frame.by?.layout ?? layoutGrid)(frame, view, look.unit,
      measureLabel(canvas, look.palette));
    resize(Math.max(view.width, Math.floor(next.width)),
      Math.max(view.height, Math.floor(next.height)));
    return next;
  }

  /** @param {number} width @param {number} height */
  function resize(width, height) {
    if (extent.style.width !== `${width}px`) extent.style.width = `${width}px`;
    if (extent.style.height !== `${height}px`) extent.style.height = `${height}px`;
  }

  return {
    element: box,
    canvas,
    scroll,
    resize,
    /**
     * @param {GridFrame} next
     * @param {Look} look
     * @param {GridLayout | null} given a layout that several maps share; `resize` made room for it
     */
    update(next, look, given = null) {
      frame = next;
      const placed = place(look, given);
      if (!placed) return;
      layout = placed;
      setTrait(canvas, "aria-label", frame.label);
      const current = frame.current ?? null;
      if (current !== followed && current !== null) {
        const [, y, , height] = cellBox(layout, scroll(), current, 0);
        followRow(y, height);
      }
      followed = current;
      const context = sizedContext(canvas, layout.view.width, layout.view.height);
      if (!context) return;
      if (frame.by) frame.by.paint(context, frame, layout, scroll(), look.palette);
      else painter.paint(frame, layout, scroll(), look.palette);
    },
    layout: () => layout,
    /**
     * The rectangle of a cell; null before there is one.
     * @param {number} row
     * @param {number} column
     */
    box: (row, column) => layout && cellBox(layout, scroll(), row, column),
    /** Where the cells are, relative to the canvas. */
    boxes() {
      if (!layout) return null;
      const [left, top] = cellBox(layout, scroll(), 0, 0);
      return { left, top, pitchX: layout.pitchX, pitchY: layout.pitchY };
    },
    destroy: () => watcher.disconnect(),
  };
}
