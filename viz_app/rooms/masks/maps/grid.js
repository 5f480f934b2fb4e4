// One of the maps of the room Masks: a mask, scores, weights or a difference, under its title and
// its colours. stage/draw/grid.js draws the cells.

import { makeGrid } from "../../../stage/draw/grid.js";
import { fixed, shortNumber } from "../../../stage/draw/numbers.js";
import { gradientOf } from "../../../stage/draw/palette.js";
import { make, setText } from "../../../stage/page/elements.js";
import { makeTermed } from "../../../stage/page/terms.js";
import { isFold, placeOfCell } from "./axes.js";

/**
 * @typedef {import("./axes.js").MaskAxes} MaskAxes
 * @typedef {import("./axes.js").CommonFrame} CommonFrame
 * @typedef {Look & {pointed: ?Cell, kept: ?Cell}} MapLook
 * @typedef {{redraw: function(): void, scrolled: function(HTMLElement): void,
 *   point: function(?Cell): void, keep: function(Cell): void, unfold: function(): void}} MapActs
 */

/** A small square of the maps and what it means. @param {string} text @param {string} kind */
const chip = (text, kind) => make("span", { class: "masks-chip" },
  [make("i", { class: kind }), make("span", { text })]);

/**
 * How the cells of a mask depart from the model's own.
 * @param {MaskSheet} sheet
 * @param {MaskAxes} axes
 */
const marksOf = ({ mark }, { rows, columns }) => ["opened", "closed"].filter((name) =>
  rows.some((_, q) => columns.some((_, k) => mark(q, k) === name)));

/**
 * What the colours and the marks of a map mean.
 * @param {Words} t
 * @param {MaskSheet} sheet
 * @param {MaskAxes} axes
 * @param {Palette} palette
 * @returns {HTMLElement[]}
 */
function legendOf(t, sheet, axes, palette) {
  const { kind, name, fill, limit = 1 } = sheet;
  if (kind === "mask") {
    return [chip(t("masks_open"), "masks-open"), chip(t("masks_hidden"), "masks-hatch"),
      ...marksOf(sheet, axes).map((mark) => chip(t(`masks_mark_${mark}`), `masks-mark ${mark}`))];
  }
  if (fill) return [chip(fill, "masks-hatch")]; // the colours are those of the map before
  const isWeight = kind === "weight";
  /** @param {number} value */
  const spell = (value) => (name === "difference" ? shortNumber(value) : fixed(value, 1));
  const [low, high] = isWeight ? ["0", "1"] : [spell(-limit), spell(limit)];
  const bar = make("i", { class: "masks-bar" });
  bar.style.background = gradientOf(kind, palette);
  return [make("span", { class: "masks-chip" },
    [make("span", { text: low }), bar, make("span", { text: high })])];
}

/**
 * What is drawn: the sheet in the places of its axes.
 * @param {Words} t
 * @param {MaskSheet} sheet
 * @param {MaskAxes} axes
 * @param {CommonFrame} common
 * @param {MapLook} look
 * @returns {GridFrame}
 */
function frameOf(t, sheet, axes, common, { pointed, kept }) {
  const { rows, columns, rowPlaces } = axes;
  const isPart = sheet.reached < rows.length;
  return { ...common, key: [sheet, axes], kind: sheet.kind, limit: sheet.limit,
    value: sheet.value, hidden: sheet.hidden,
    digits: sheet.kind === "mask" ? common.counted : common.digits && sheet.name !== "difference",
    mark: (q, k) => (isFold(axes, q, k) ? "fold" : sheet.mark(q, k)),
    painted: Math.min(isPart ? sheet.reached : Infinity, rowPlaces.length),
    current: sheet.kind === "weight" && isPart ? sheet.reached - 1 : null,
    pointed: placeOfCell(axes, pointed), kept: placeOfCell(axes, kept),
    label: t("masks_map_label", { title: sheet.title, rows: rows.length, columns: columns.length }) };
}

/** The title of a map, in which terms are explained. @param {Words} t */
function makeTitle(t) {
  const element = make("span", { class: "masks-title" });
  let shown = "";
  /** @type {?ReturnType<typeof makeTermed>} */
  let termed = null;
  return {
    element,
    /** @param {MaskSheet} sheet */
    update({ says, values }) {
      if (shown !== says) {
        termed = makeTermed(t, says);
        element.replaceChildren(termed.element);
        shown = says;
      }
      termed?.update(values);
    },
  };
}

/** @param {Words} t @param {MapActs} acts */
export function makeMaskMap(t, acts) {
  const title = makeTitle(t);
  const scale = make("span", { class: "masks-scale", "aria-hidden": "true" });
  /** @type {{sheet: MaskSheet, axes: MaskAxes, layout: ?GridLayout, frame: ?GridFrame} | null} */
  let now = null;
  /** @param {GridCell} cell */
  const cellAt = ({ row: query, column: key }) =>
    (now && !isFold(now.axes, query, key) ? { query, key } : null);
  const grid = makeGrid(t, { box: "masks-box", redraw: acts.redraw, scrolled: acts.scrolled,
    point: (place) => acts.point(place && cellAt(place)),
    keep(place) {
      const cell = cellAt(place);
      if (cell) acts.keep(cell);
      else acts.unfold();
    } });
  const none = make("p", { class: "masks-none", hidden: true });
  const caption = make("figcaption", {}, [title.element, scale]);
  const element = make("figure", { class: "masks-map" }, [caption, grid.element, none]);
  /** @type {unknown[]} */
  let named = [];

  return {
    element,
    caption,
    title: title.element,
    box: grid.element,
    canvas: grid.canvas,
    /**
     * What stands over the cells; before these get their place, which is what it leaves.
     * @param {MaskSheet} sheet
     * @param {MaskAxes} axes
     * @param {Palette} palette
     * @param {?string} why there is no such map
     */
    entitle(sheet, axes, palette, why) {
      title.update(sheet);
      if (why === null && (sheet !== named[0] || palette !== named[1])) {
        named = [sheet, palette];
        scale.replaceChildren(...legendOf(t, sheet, axes, palette));
      }
      grid.element.hidden = why !== null;
      none.hidden = why === null;
      scale.hidden = why !== null;
    },
    /** Before `update`, for all maps of a room: then the page is laid out once. */
    reserve: grid.reserve,
    measure: grid.measure,
    /**
     * @param {MaskSheet} sheet
     * @param {MaskAxes} axes
     * @param {CommonFrame} common
     * @param {?GridLayout} layout null while it is not open
     * @param {MapLook} look
     * @param {?string} why stands in the place of a map that there is not
     */
    update(sheet, axes, common, layout, look, why) {
      const frame = why === null ? frameOf(t, sheet, axes, common, look) : null;
      now = { sheet, axes, layout, frame };
      setText(none, why ?? "");
      if (frame !== null && layout !== null) grid.update(frame, look, layout);
    },
    /** What it shows; null where there is no such map. */
    frame: () => now?.frame ?? null,
    /** There is nothing to show. */
    clear() {
      now = null;
    },
    destroy: grid.destroy,
  };
}
