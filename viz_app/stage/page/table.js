// What tables are made of: the names of their columns, tokens, numbers with all their digits in a title, and weights with a
// bar.

import { exactNumber, shortNumber } from "../draw/numbers.js";
import { html, nothing } from "./html.js";

/** The names of the columns. @param {unknown[]} names */
export const headLine = (names) => html`
  <thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>`;

/** A token as its kind looks. @param {string} name its class @param {{label: string, kind?: string, goesOn?: boolean}} token */
export const kindToken = (name, { label, kind, goesOn }) => html`
  <span class="kind in-table ${name} ${goesOn ? "goes-on" : ""}" dir="auto" title=${label} data-kind=${kind ?? nothing}>${goesOn ? html`<i></i>` : nothing}${label}</span>`;

/** @param {number} value */
export const numberCell = (value) => html`<td title=${exactNumber(value)}>${shortNumber(value)}</td>`;

/** @param {number} weight @param {string} text @param {string} [name] its class */
export const weightCell = (weight, text, name = "") => html`
  <td class="weight ${name}" title=${exactNumber(weight)} .style=${`--weight: ${weight}`}><span>${text}</span></td>`;
