// The three maps of another order: attention before, after, and the difference.

import { columnsOf, hasSite, rowsOf } from "../../../stage/anatomy.js";
import { labelsOf } from "../../../stage/draw/labels.js";
import { sizeOf, watchSize } from "../../../stage/draw/laid_out.js";
import { makeMaps } from "../../../stage/draw/maps.js";
import { elementOf, html } from "../../../stage/page/html.js";
import { POSITION_BAR } from "../parts.js";

/** @type {OrderPart[]} */
const PARTS = ["before", "after", "difference"];

/**
 * The labels of both axes of each map.
 * @typedef {Record<OrderPart, [Label[], Label[]]>} OrderAxes
 */

/**
 * @param {State} state
 * @param {PositionOrder} held
 * @param {Label[]} labels of the sentence as typed
 * @param {Words} t
 * @returns {OrderAxes}
 */
export function axesOf({ model, spelled }, held, labels, t) {
  const { site } = held;
  const target = labelsOf(held.target, true, spelled, t);
  // Where there is no encoder the source is how the target begins, and moves with it.
  /** @param {Label[]} source */
  const fedOf = (source) => (hasSite(model, "encoder") ? target
    : [...source, ...target.slice(source.length)]);
  /** @param {Label[]} source @returns {[Label[], Label[]]} */
  const of = (source) => [rowsOf(model, site) === "source" ? source : fedOf(source),
    columnsOf(model, site) === "source" ? source : fedOf(source)];
  return { before: of(labels), after: of(held.order.map((token) => labels[token])),
    difference: of(labels) };
}

/**
 * The tokens of the sentence as typed that the lines of an axis show.
 * @param {Pick<PositionOrder, "order">} held
 * @param {number} count
 * @param {boolean} isMoved whether they changed places
 */
export const tokensIn = ({ order }, count, isMoved) =>
  Array.from({ length: count }, (_, at) => [isMoved ? order[at] ?? at : at]);

/** What is chosen of a part, where its map has it. @param {?OrderPlace} place @param {OrderPart} part @param {OrderAxes} axes */
export const placeInPart = (place, part, axes) => (place?.part === part
  && place.row < axes[part][0].length && place.column < axes[part][1].length ? place : null);

/** How high the maps can get at their width, with their titles: nothing is left empty under them. @param {(GridLayout | null)[]} layouts @param {number} lines @param {number} unit */
function heightOf(layouts, lines, unit) {
  const wanted = layouts.flatMap((layout) => (layout
    ? [layout.top + lines * Math.floor(1.3 * layout.pitchX) + 3] : []));
  return Math.round(wanted.length ? Math.max(...wanted) + 24 * unit : (110 + 41 * lines) * unit);
}

/**
 * @param {Words} t
 * @param {{point: function(?OrderPlace): void, keep: function(OrderPlace): void}} acts
 * @param {Redraw} redraw
 */
export function makeOrderMaps(t, { point, keep }, redraw) {
  const all = makeMaps(t, "positions", PARTS, { box: "positions-grid", redraw, acts: (part) => ({ keep: (cell) => keep({ part, ...cell }),
    point: (cell) => point(cell && { part, ...cell }) }) });
  const { maps } = all;
  const element = elementOf(html`<div class="positions-three">${maps.map((map) => map.element)}</div>`);
  let room = 0; // CSS pixels across
  const watcher = watchSize(element, () => [room], redraw);
  return {
    element,
    /**
     * @param {State} state
     * @param {OrderLook & {held: PositionOrder}} chosen
     * @param {OrderAxes} axes
     * @param {function(OrderPart): Float32Array} numbersOf
     * @param {Look} look
     */
    update({ model }, { held, mode, pointed, picked }, axes, numbersOf, look) {
      const { site } = held;
      const [ofRows, ofColumns] = [rowsOf(model, site), columnsOf(model, site)];
      const lines = axes.before[0].length;
      element.style.setProperty("--map-height", `${Math.round((84 + 26 * lines) * look.unit)}px`);
      all.entitle(PARTS.map((name) => ({ title: t(`positions_map_${name}`) })));
      all.measure();
      [room] = sizeOf(element);
      const isBeside = 2 * sizeOf(maps[0].grid.element)[0] < room; // what the rows are is then said once
      all.update(PARTS.map((part, i) => {
        const [rows, columns] = axes[part];
        const numbers = numbersOf(part);
        const isMoved = (/** @type {string} */ side) => part === "after" && (side === "source" || !hasSite(model, "encoder"));
        return {
          key: [held, mode, part], wide: 1.7, bar: POSITION_BAR, scale: part !== "before",
          kind: part === "difference" ? "signed" : "weight",
          rows: { labels: rows, count: rows.length, tokens: tokensIn(held, rows.length, isMoved(ofRows)),
            title: i > 0 && isBeside ? undefined
              : t(ofRows === "source" ? "axis_rows_source" : "axis_rows_fed") },
          columns: { labels: columns, count: columns.length, tokens: tokensIn(held, columns.length, isMoved(ofColumns)),
            title: t(ofColumns === "target" ? "axis_columns_target" : "axis_columns_source") },
          value: (row, column) => numbers[row * columns.length + column],
          hidden: (row, column) => held[mode][`${part}_allowed`][row][column] === "0",
          limit: held.limit, kept: placeInPart(picked, part, axes), cross: true,
          pointed: pointed?.part === part ? pointed : null,
          label: t("positions_order_label", { part: t(`positions_map_${part}`) }),
        };
      }), look);
      const height = heightOf(maps.map(({ grid }) => grid.layout()), lines, look.unit);
      element.style.setProperty("--three-height", `${height}px`);
    },
    destroy() {
      watcher.disconnect();
      all.destroy();
    },
  };
}
