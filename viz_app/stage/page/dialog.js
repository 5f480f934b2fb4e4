// A dialog over the page, as a template.

import { icon } from "./elements.js";
import { html, nothing } from "./html.js";

/**
 * A dialog with what closes it in its first line; a press beside it closes it too.
 * @param {Words} t
 * @param {string} name
 * @param {string} label
 * @param {unknown} content
 * @param {{head?: unknown, isBusy?: boolean}} [more] head: what else is in the first line
 */
export const dialog = (t, name, label, content, { head = html`<h3>${label}</h3>`, isBusy = false } = {}) => html`
  <dialog class="dialog ${name}" aria-label=${label} aria-busy=${isBusy ? "true" : nothing}
    @click=${(/** @type {any} */ { target, currentTarget }) => { if (target === currentTarget) target.close(); }}>
    <header>${head}<button type="button" class="tool" aria-label=${t("close")}
      @click=${(/** @type {any} */ { currentTarget }) => currentTarget.closest("dialog").close()}>${icon("close")}</button></header>
    ${content}</dialog>`;
