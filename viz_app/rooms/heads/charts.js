// All heads in one picture: a grid in the colours of one measure, or a table of all.

import { SITES } from "../../stage/anatomy.js";
import { isOnPaper } from "../../stage/draw/canvas.js";
import { makeGrid } from "../../stage/draw/grid.js";
import { onceLaidOut } from "../../stage/draw/laid_out.js";
import { largestOf } from "../../stage/draw/numbers.js";
import { fadeEnds, makeDiffers, press } from "../../stage/page/elements.js";
import { html, makePart, nothing } from "../../stage/page/html.js";
import { briefPlace, isChange, measureInCell, ordered, spelledMeasure, tableMeasures } from "./numbers.js";

/** Where the grid shows a head; null where it does not. @param {HeadPlace[][]} rows a layer each @param {?Place | undefined} place */
export function headOn(rows, place) {
  const row = rows.findIndex(([first]) => first.site === place?.site && first.layer === place?.layer);
  const column = rows[row]?.findIndex(({ head }) => head === place?.head) ?? -1;
  return column < 0 ? null : { row, column };
}

/**
 * @param {Words} t
 * @param {{choose: function(HeadPlace): void, point: function(?HeadPlace): void,
 *     redraw: function(): void}} acts
 */
export function makeHeadsGrid(t, acts) {
  /** @type {MeasuredHead[][]} */
  let rows = []; // a layer each
  const headAt = (/** @type {?GridCell} */ cell) => (cell && rows[cell.row]?.[cell.column]) ?? null;
  const grid = makeGrid(t, { box: "heads-grid", redraw: acts.redraw,
    point: (place) => acts.point(headAt(place)),
    keep(place) {
      const head = headAt(place);
      if (head) acts.choose(head);
    } });
  return {
    element: grid.element,
    /** @param {HeadsShown} shown @param {Look} look */
    update({ heads, measure, chosen, pointed }, look) {
      rows = [];
      for (const head of heads) {
        const row = rows.at(-1);
        if (row?.[0].site === head.site && row[0].layer === head.layer) row.push(head);
        else rows.push([head]);
      }
      const columns = Math.max(...rows.map((row) => row.length));
      const values = heads.map(({ values: own }) => own[measure]).filter((value) => value !== undefined);
      const most = largestOf(values.map(Math.abs)) || 1;
      const signed = isChange(measure);
      const lacks = values.length < columns * rows.length; // which the scale says, in words that need room
      const value = (/** @type {number} */ row, /** @type {number} */ column) =>
        rows[row][column]?.values[measure];
      const names = Array.from({ length: columns }, (_, i) => ({ label: `H${i + 1}`, kind: "text" }));
      grid.update({
        key: [heads, measure], headOn: (place) => headOn(rows, place), kind: signed ? "signed" : "weight", limit: most,
        range: [0, most > 1 || measure === "entropy" ? most : 1],
        rows: { count: rows.length, labels: rows.map(([{ site, layer }]) => ({ kind: "text",
          label: t("heads_row", { site: t(`site_${site}`), layer: layer + 1 }) })) },
        columns: { count: columns, labels: names },
        value: (row, column) => value(row, column) ?? 0,
        hidden: (row, column) => value(row, column) === undefined,
        digits: true, leastSaid: 0, spell: measureInCell(measure, most), widest: 3.15, side: 0.32,
        bar: grid.element.closest(".slim") ? 2 : lacks ? 100 : 70, most: [92, 64],
        masked: lacks ? t("heads_none") : undefined,
        pointed: headOn(rows, pointed), kept: headOn(rows, chosen),
        label: t("heads_grid_label", { measure: t(`heads_measure_${measure}`),
          rows: rows.length, columns }),
      }, look);
    },
    destroy: grid.destroy,
  };
}

/**
 * The heads of which each table has a line, and what it measures of them: all in one on a screen; on paper, which has no
 * room to scroll, those of each attention in one of their own, without what none of them has.
 * @param {MeasuredHead[]} heads in their order
 * @param {string[]} names of measures
 * @param {boolean} isApart
 */
export function tablesOf(heads, names, isApart) {
  const sites = isApart ? SITES.filter((one) => heads.some(({ site }) => site === one)) : [null];
  return sites.map((site) => {
    const own = heads.filter((one) => site === null || one.site === site);
    return { site, heads: own, names: site === null ? names : names.filter((name) => own.some(({ values }) => values[name] !== undefined)) };
  });
}

/**
 * Every head with every measure; a press on a column sorts by it.
 * @param {Words} t
 * @param {{choose: function(HeadPlace): void, sort: function(string): void}} acts
 */
export function makeHeadsTable(t, acts) {
  /** @param {string} name @param {string} order */
  const column = (name, order) => html`
    <th scope="col" aria-sort=${order !== name ? nothing : name === "place" ? "ascending" : "descending"}>
      <button type="button" class="heads-sort" data-sort=${name} @click=${press(() => acts.sort(name))}>
        ${t(name === "place" ? "heads_head" : `heads_measure_${name}`)}</button></th>`;
  /** @param {MeasuredHead} one @param {?string} site that the table is of @param {string[]} names @param {boolean} isChosen */
  const line = (one, site, names, isChosen) => html`
    <tr class=${isChosen ? "chosen" : nothing}><th scope="row">
      <button type="button" class="heads-name" @click=${press(() => acts.choose(one))}>${briefPlace(t, one, site === null)}</button></th>
      ${names.map((name) => html`<td>${one.values[name] === undefined ? "–" : numberOf(name, one.values[name], site !== null)}</td>`)}</tr>`;
  const numberOf = (/** @type {string} */ name, /** @type {number} */ value, /** @type {boolean} */ isShort) =>
    (isShort ? spelledMeasure(name, value).replace(/^(\D?)0\./, "$1.") : spelledMeasure(name, value));
  const { element, update } = makePart((/** @type {ReturnType<typeof tablesOf>} */ tables = [], order = "",
    /** @type {?MeasuredHead} */ chosen = null,
  ) => html`
    <div class="heads-table-box of-pages">${tables.map(({ site, heads, names }) => html`
      <table class="heads-table">${site === null ? nothing : html`<caption>${t(`site_${site}_long`)}</caption>`}
        <thead><tr>${["place", ...names].map((name) => column(name, order))}</tr></thead>
        <tbody>${heads.map((one) => line(one, site, names, one === chosen))}</tbody></table>`)}</div>`);
  const [isOther, isMoved] = [makeDiffers(), makeDiffers()];
  const fade = fadeEnds(element);
  let met = false;
  return {
    element,
    /** @param {HeadsShown} shown */
    update({ heads, order, chosen, answer }) {
      const isPaper = isOnPaper(element);
      if (isOther(heads, order, chosen, isPaper)) {
        update(tablesOf(ordered(heads, order), tableMeasures(answer), isPaper), order, chosen);
      }
      const row = /** @type {?HTMLElement} */ (element.querySelector("tr.chosen"));
      const isFirst = !met; // the table is read from its beginning
      met = true;
      const isScrolled = isMoved(chosen, order) && !isFirst;
      onceLaidOut(element, () => {
        if (isScrolled && row) element.scrollTop = row.offsetTop - (element.clientHeight - row.offsetHeight) / 2;
        return fade();
      });
    },
  };
}
