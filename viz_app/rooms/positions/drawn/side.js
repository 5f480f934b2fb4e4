// What stands beside the table of positions: curves of some dimensions, how alike the rows of two
// positions are, and the two as points of a circle.

import { makeGrid } from "../../../stage/draw/grid.js";
import { shortNumber } from "../../../stage/draw/numbers.js";
import { press } from "../../../stage/page/elements.js";
import { html, makePart, nothing, typed } from "../../../stage/page/html.js";
import { pane, POSITION_BAR } from "../parts.js";
import { makePositionChips, makePositionCircle, makePositionCurves, turnSaid } from "./waves.js";

const MOST_CURVES = 6;

/** The dimensions whose curves are drawn. @param {TableLook} look @returns {number[]} */
export const shownOf = ({ kept, column }) => [...new Set([...kept, column])];

/** Keeps the curve of a dimension, or lets it go. @param {TableLook} look @param {number} column */
export function toggle(look, column) {
  look.kept = look.kept.includes(column) ? look.kept.filter((other) => other !== column)
    : [...look.kept, column].slice(-MOST_CURVES + 1);
}

/** @param {number} value @param {number} count */
const within = (value, count) => Math.max(0, Math.min(count - 1, Math.round(value) || 0));

/**
 * A number to type, with its name.
 * @param {string} text
 * @param {number} value
 * @param {number} count how many there are
 * @param {function(number): void} choose
 * @param {{label?: string, name?: unknown, isHidden?: boolean}} how
 */
const numberField = (text, value, count, choose, { label = text, name = nothing, isHidden = false } = {}) => html`
  <label class="positions-field" ?hidden=${isHidden}><span>${text}</span>
    <input type="number" min="0" max=${count - 1} class="positions-number" aria-label=${label} data-position=${name} .value=${typed(String(value))}
      @change=${(/** @type {any} */ { target }) => {
    const chosen = within(Number(target.value), count);
    target.value = String(chosen);
    choose(chosen);
  }}></label>`;

/** How near the rows of two positions are. @param {Words} t @param {TableLook} look @param {ReadTable} held */
function comparedOf(t, look, { shape: [rows], products, cosines, distances }) {
  const at = look.row * rows + look.other;
  const values = { apart: String(Math.abs(look.row - look.other)), product: shortNumber(products[at]), cosine: shortNumber(cosines[at]),
    length: shortNumber(distances[at]) };
  return html`
    <dl class="positions-compared" aria-live="polite">${Object.entries(values).map(([name, value]) => html`
      <div title=${t(`positions_${name}_hint`)}><dt>${t(`positions_${name}`)}</dt><dd data-compared=${name}>${value}</dd></div>`)}</dl>`;
}

/** @param {Words} t @param {TableLook} look @param {Redraw} redraw */
export function makeTableSide(t, look, redraw) {
  /** @param {Partial<TableLook>} changes */
  const change = (changes) => {
    Object.assign(look, changes);
    redraw();
  };
  function keep() {
    toggle(look, look.column);
    redraw();
  }
  const chips = makePositionChips(t, (column) => change({ column }));
  const curves = makePositionCurves(t, (row) => change({ row }), redraw);
  const alike = makeGrid(t, { box: "positions-grid", data: { grid: "alike" }, redraw,
    keep: (cell) => change({ row: cell.row, other: cell.column, alike: cell }),
    point: (cell) => change({ alike: cell }) });
  const circle = makePositionCircle(t, redraw);
  const { element, update } = makePart((/** @type {?ReadTable} */ held = null) => {
    const [rows, columns] = held?.shape ?? [0, 0];
    const isBias = Boolean(held?.offsets.length); // a table of distances, which are not compared
    const fields = /** @type {const} */ ([["a", "row"], ["b", "other"]]).map(([name, which]) => numberField(name, look[which], rows,
      (value) => change({ [which]: value, alike: null }), { label: t("positions_place", { name }), name }));
    return html`
      <div class="positions-side">${pane(t, "curves", curves.element, html`
          ${numberField(t("positions_axis_dimension"), look.column, columns, (column) => change({ column }), { isHidden: isBias })}
          <button type="button" class="plain positions-keep" title=${t("positions_keep_hint")} data-act="keep" @click=${press(keep)}>
            ${t(look.kept.includes(look.column) ? "positions_drop" : "positions_keep")}</button>${chips.element}`)}
        <div class="positions-pair" ?hidden=${isBias}>${pane(t, "alike", alike.element)}${pane(t, "two", html`
          <div class="positions-two">${circle.element}${held && comparedOf(t, look, held)}</div>
          <p class="positions-turn">${held && turnSaid(t, held, look)}</p>`, fields)}</div></div>`;
  });

  /** @param {ReadTable} held @param {Look} drawing */
  function drawAlike(held, drawing) {
    const [rows] = held.shape;
    const low = held.similarity_from;
    const axis = { labels: null, count: rows, title: t("positions_axis_position") };
    alike.update({
      key: [held, "alike"], kind: low < 0 ? "signed" : "weight", limit: 1, range: [low, 1],
      wide: 1, bar: POSITION_BAR, rows: axis, columns: axis,
      value: (a, b) => held.cosines[a * rows + b],
      kept: { row: look.row, column: look.other }, cross: true, pointed: look.alike,
      label: t("positions_alike_label", { rows }),
    }, drawing);
  }

  return {
    element,
    /** What a picture shows; none where this table has none. @param {string} picture */
    part: (picture) => (picture === "curves" ? element.firstElementChild
      : picture === "similarity" && element.querySelector(".positions-pair:not([hidden])") ? alike.element : null),
    /** @param {ReadTable} held @param {Look} drawing */
    say(held, drawing) {
      update(held);
      chips.update(held, shownOf(look), look.column, drawing.palette);
      circle.say(held, look);
    },
    measure: () => [alike, curves, circle].forEach((part) => part.measure()),
    /** Draws them, once all is said. @param {ReadTable} held @param {Look} drawing */
    draw(held, drawing) {
      if (!held.offsets.length) drawAlike(held, drawing);
      curves.update(held, shownOf(look), look, drawing);
      circle.draw(held, look, drawing);
    },
    destroy: () => [alike, curves, circle].forEach((part) => part.destroy()),
  };
}
