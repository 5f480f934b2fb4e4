// The large map as a table: every number, for reading, copying and screen readers.

import { whenLaidOut } from "../../../stage/draw/laid_out.js";
import { threeDigits } from "../../../stage/draw/numbers.js";
import { labelsOf } from "../../../stage/draw/labels.js";
import { fadeEnds, makeDiffers, nearest } from "../../../stage/page/elements.js";
import { html, makePart, noChange, nothing } from "../../../stage/page/html.js";
import { editsNamed } from "../../../stage/page/whatif/groups.js";

const LEAST_MARKED = 0.02; // of the end of the scale

/**
 * Scrolls the table's own box only, never the page; the head line stays above the row.
 * @param {HTMLElement} element
 * @param {HTMLElement} top
 * @param {HTMLElement} row
 */
function bringIntoView(element, top, row) {
  const head = top.offsetHeight;
  const over = row.offsetTop + row.offsetHeight - element.scrollTop - element.clientHeight;
  if (over > 0) element.scrollTop += over + 4;
  else if (row.offsetTop < element.scrollTop + head) element.scrollTop = row.offsetTop - head;
}

/** The head of a row or a column. @param {Label} token @param {string} scope */
const labelled = ({ label, kind, lead }, scope) => html`
  <th scope=${scope} data-kind=${kind}>${lead === undefined ? nothing : html`<span class="lead" dir="auto">${lead} → </span>`}
    <span dir="auto" title=${label}>${label}</span></th>`;

/**
 * @param {Words} t
 * @param {Session} session
 * @param {function(?GridPlace): void} point
 * @param {function(number, number): void} keep
 */
export function makeTable(t, { state }, point, keep) {
  const isOther = makeDiffers();
  /** @type {?number} */
  let followed = null; // the row last brought into view

  /** What is done at the cell of an event. @param {function({row: number, column: number}): void} act */
  const atCell = (act) => (/** @type {Event} */ event) => {
    const cell = nearest(event, "td[data-key]");
    if (cell) act({ row: Number(cell.dataset.query), column: Number(cell.dataset.key) });
  };

  /** A number; a thin mark in the scale's colour under it says the same. @param {import("./map.js").MapFrame} frame @param {Palette} palette @param {number} query @param {number} key */
  function cellOf(frame, palette, query, key) {
    const weight = frame.weight(query, key);
    if (weight === null) return html`<td class="masked" title=${t("masked")} data-query=${query} data-key=${key}>–</td>`;
    const share = weight / frame.limit;
    return html`
      <td data-query=${query} data-key=${key} .style=${frame.kind === "weight" && share >= LEAST_MARKED ? `--weight:${palette.of(share)}` : ""}>
        ${threeDigits(weight)}</td>`;
  }

  /** What is read; of the run, what was changed. @param {import("./map.js").MapFrame} frame */
  function captionOf({ run: { source, recipe }, title }) {
    return [title, ...editsNamed(t, recipe.edits ?? [], source, labelsOf(source, false, state.spelled, t))].join(" · ");
  }

  const { element, update: draw } = makePart((/** @type {?import("./map.js").MapFrame} */ frame = null, /** @type {?Palette} */ palette = null) => html`
    <div class="table-box" tabindex="0" role="region" aria-label=${t("view_table")}>
      <table class="weights" @pointermove=${atCell(point)} @pointerleave=${() => point(null)}
        @click=${atCell(({ row, column }) => keep(row, column))}>
        <caption>${palette && frame ? captionOf(frame) : noChange}</caption>
        <thead><tr>${!palette || !frame ? noChange : [html`
          <td class="axes"><span>${frame.rows.title}</span><span>${frame.columns.title}</span></td>`,
  frame.columns.labels.map((label) => labelled(label, "col"))]}</tr></thead>
        <tbody>${frame?.rows.labels.map((label, query) => html`
          <tr class=${query === frame.current ? "current" : ""} ?hidden=${query >= frame.rows.count}>${!palette ? noChange
    : [labelled(label, "row"), frame.columns.labels.map((_, key) => cellOf(frame, palette, query, key))]}</tr>`)}</tbody>
      </table></div>`);
  const table = /** @type {HTMLTableElement} */ (element.firstElementChild);
  whenLaidOut(table, fadeEnds(element));

  return {
    element,
    /** @param {import("./map.js").MapFrame} frame @param {Palette} palette @param {number} scheme */
    update(frame, palette, scheme) {
      const isNew = isOther(scheme, ...frame.key, frame.rows.labels, frame.columns.labels, frame.rows.title);
      draw(frame, isNew ? palette : null);
      if (frame.current === followed) return;
      followed = frame.current;
      if (followed !== null) bringIntoView(element, /** @type {HTMLElement} */ (table.tHead), table.tBodies[0].rows[followed]);
    },
  };
}
