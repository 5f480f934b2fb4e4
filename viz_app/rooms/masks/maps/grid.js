// One of the maps of the room Masks: a mask, scores, weights or a difference, under its title and
// its colours. stage/draw/grid.js draws the cells.
//
// A `sheet` says what one map shows:
//   name, kind          "mask" | "signed" | "weight"
//   title, says, values its words, the key they stand under, and what fills them
//   sign                the key of the sign between the map before and this one
//   value(q, k)         the number of a cell; a mask's is 1 or 0
//   hidden(q, k)        whether the mask hides the cell
//   mark(q, k)          "opened", "closed" or null: how the cell departs from the model's own mask
//   reached             rows drawn; the others are still to come
//   limit               what the ends of a diverging scale stand for
//   fill                what a hidden score became, or null
// `axes` ({rows, columns}: labels; {rowPlaces, columnPlaces}: see maskPlaces) and the size of a cell
// are the same for all maps of a room, so a place in one is the same place in all.

import { makeGrid } from "../../../stage/draw/grid.js";
import { fixed, shortNumber } from "../../../stage/draw/numbers.js";
import { bytesOf } from "../../../stage/draw/palette.js";
import { make, setText } from "../../../stage/page/elements.js";
import { makeTermed } from "../../../stage/page/glossary.js";

export const MASKS_MOST_RUN = 6; // pads in a row that are all drawn
const MASKS_KEPT_PADS = 3; // of a longer run; the rest are counted

/**
 * The places of an axis: one a label, but a long run of pads keeps its first few and one place for
 * the rest, {at: null, hidden: how many}.
 */
export function maskPlaces(labels, unfolded) {
  const places = labels.map((_, at) => ({ at, hidden: 0 }));
  const first = labels.findIndex(({ kind }) => kind === "pad"); // pads stand at the end
  const pads = first < 0 ? 0 : labels.length - first;
  if (unfolded || pads <= MASKS_MOST_RUN) return places;
  const kept = first + MASKS_KEPT_PADS;
  return [...places.slice(0, kept), { at: null, hidden: labels.length - kept }];
}

/** One axis of a map; pads that are only counted stand last, as "+12". */
function maskAxis(labels, places) {
  return { count: places.length, labels: places.map(({ at, hidden }) =>
    (at === null ? { label: `+${hidden}`, kind: "fold" } : labels[at])) };
}

/** What all maps of a room have in common. */
export function maskFrame({ rows, columns, rowPlaces, columnPlaces }) {
  return { rows: maskAxis(rows, rowPlaces), columns: maskAxis(columns, columnPlaces),
    most: [51, 34], wide: 9, side: 0.3, type: 112 / 120, digits: true };
}

export function makeMaskMap(t, hooks) {
  const title = make("span", { class: "masks-title" });
  const scale = make("span", { class: "masks-scale", "aria-hidden": "true" });
  const isFold = ({ row, column }) =>
    now.axes.rowPlaces[row].at === null || now.axes.columnPlaces[column].at === null;
  const grid = makeGrid(t, { box: "masks-box", redraw: hooks.redraw, scrolled: hooks.scrolled,
    point: (place) => hooks.point(place && !isFold(place)
      ? { query: place.row, key: place.column } : null),
    keep(place) {
      if (isFold(place)) hooks.unfold();
      else hooks.keep({ query: place.row, key: place.column });
    } });
  const none = make("p", { class: "masks-none", hidden: true });
  const element = make("figure", { class: "masks-map" }, [
    make("figcaption", {}, [title, scale]), grid.element, none,
  ]);
  /** @type {any} */
  let now = null; // {sheet, axes, layout, why, frame}
  let painted = [];
  let termed = { says: null };

  /** The title, in which terms are explained. */
  function name({ says, values }) {
    if (termed.says !== says) {
      termed = { says, ...makeTermed(t, says) };
      title.replaceChildren(termed.element);
    }
    termed.update(values);
  }

  function legend(sheet, palette) {
    if (sheet.kind === "mask") { // one legend does for all three
      scale.replaceChildren(...(sheet.name !== "pad" ? [] : [
        maskChip(t("masks_open"), "masks-open"), maskChip(t("masks_hidden"), "masks-hatch")]));
      return;
    }
    if (sheet.fill) { // the colours are those of the map before
      scale.replaceChildren(maskChip(sheet.fill, "masks-hatch"));
      return;
    }
    const isWeight = sheet.kind === "weight";
    const [low, high] = isWeight ? ["0", "1"]
      : [-sheet.limit, sheet.limit].map((value) => (sheet.name === "difference"
        ? shortNumber(value) : fixed(value, 1)));
    const bar = make("i", { class: "masks-bar" });
    const stops = Array.from({ length: 9 }, (_, i) => `rgb(${
      bytesOf({ kind: sheet.kind }, isWeight ? i / 8 : i / 4 - 1, palette).join(" ")})`);
    bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
    scale.replaceChildren(make("span", { class: "masks-chip" },
      [make("span", { text: low }), bar, make("span", { text: high })]));
  }

  /** What is drawn: the sheet in the places of its axes. */
  function frameOf(sheet, axes, common, { pointed, kept }) {
    const drawn = (cell) => (cell && axes.rowPlaces[cell.query]?.at === cell.query
      && axes.columnPlaces[cell.key]?.at === cell.key ? { row: cell.query, column: cell.key } : null);
    const isFolded = (q, k) => axes.rowPlaces[q].at === null || axes.columnPlaces[k].at === null;
    const isPart = sheet.reached < axes.rows.length;
    return { ...common, key: [sheet, axes], kind: sheet.kind, limit: sheet.limit,
      value: sheet.value, hidden: sheet.hidden, digits: sheet.name !== "difference",
      mark: (q, k) => (isFolded(q, k) ? "fold" : sheet.mark(q, k)),
      painted: Math.min(isPart ? sheet.reached : Infinity, axes.rowPlaces.length),
      current: sheet.kind === "weight" && isPart ? sheet.reached - 1 : null,
      pointed: drawn(pointed), kept: drawn(kept),
      label: t("masks_map_label",
        { title: sheet.title, rows: axes.rows.length, columns: axes.columns.length }) };
  }

  return {
    element,
    box: grid.element,
    canvas: grid.canvas,
    /** Before `update`, for all maps of a room: then the page is laid out once. */
    reserve(layout, why = null) {
      grid.element.hidden = why !== null;
      none.hidden = why === null;
      setText(none, why ?? "");
      scale.hidden = why !== null;
      grid.reserve(layout);
    },
    /** `why` stands in the place of a map that there is not. */
    update(sheet, axes, common, layout, look, why = null) {
      name(sheet);
      now = { sheet, axes, layout, why };
      if (why !== null) {
        painted = [];
        return;
      }
      if (sheet !== painted[0] || look.palette !== painted[1]) legend(sheet, look.palette);
      painted = [sheet, look.palette];
      now.frame = frameOf(sheet, axes, common, look);
      grid.update(now.frame, look, layout);
    },
    destroy: grid.destroy,
    drawn() {
      if (!now || element.hidden) return null;
      const { sheet, axes, layout, why } = now;
      if (why) return { name: sheet.name, title: sheet.title, none: why };
      const cells = (of) => axes.rows.map((_, q) => axes.columns.map((_, k) => of(q, k)));
      return {
        name: sheet.name,
        title: sheet.title,
        row_labels: axes.rows.map(({ label }) => label),
        column_labels: axes.columns.map(({ label }) => label),
        row_kinds: axes.rows.map(({ kind }) => kind),
        column_kinds: axes.columns.map(({ kind }) => kind),
        values: cells((q, k) => (q < sheet.reached ? finiteOrText(sheet.value(q, k)) : null)),
        hidden: cells((q, k) => sheet.hidden(q, k)),
        marks: cells((q, k) => sheet.mark(q, k)),
        reached: sheet.reached,
        most: sheet.limit ?? null,
        pointed: now.frame.pointed,
        first_cell: [layout.left, layout.top, layout.pitchX, layout.pitchY],
        places: [axes.rowPlaces, axes.columnPlaces],
        scrolled: [grid.element.scrollLeft, grid.element.scrollTop],
      };
    },
  };
}

/** A small square of the maps and what it means. */
function maskChip(text, kind) {
  return make("span", { class: "masks-chip" }, [
    make("i", { class: kind }), make("span", { text })]);
}

/** JSON has no minus infinity. */
function finiteOrText(value) {
  return Number.isFinite(value) ? value : "−∞";
}
