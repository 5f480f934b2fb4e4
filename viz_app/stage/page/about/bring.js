// Opening a model by its path, where the page and the files are on one computer: a small dialog that
// the menu of models leads to. What it opens is in the menu from then on.

import { html, makePart } from "../html.js";
import { dialog } from "../dialog.js";
import { wordsOfError } from "../words.js";
import { answerTo } from "../../run/ask.js";

/**
 * What is asked for, as the server reads it; empty fields are left out.
 * @param {{path: string, layout: string, tokenizers: string, heads: string, settings: string}} typed
 */
export function bringRequest({ path, layout, tokenizers, heads, settings }) {
  const lines = tokenizers.split("\n").map((line) => line.trim()).filter(Boolean);
  const said = settings.split(/[\s,;]+/).filter(Boolean);
  return { path: path.trim(), ...(layout ? { layout } : {}),
    ...(lines.length > 0 ? { tokenizers: lines } : {}),
    ...(heads.trim() ? { heads: Number(heads) } : {}),
    ...(said.length > 0 ? { settings: said } : {}) };
}

/**
 * The dialog, where the server opens paths.
 * @param {Words} t
 * @param {Session} decoding
 * @param {SheetPage} page
 */
export function makeBring(t, { state }, { transport, brought }) {
  const { layouts = [] } = state.options;
  const own = { isBusy: false, fault: /** @type {any} */ (null) };

  /** @param {any} event */
  async function ask(event) {
    event.preventDefault();
    const typed = /** @type {any} */ (Object.fromEntries(new FormData(event.target)));
    Object.assign(own, { isBusy: true, fault: null });
    update();
    const answer = await answerTo(/** @type {Transport} */ (transport), { bring: bringRequest(typed) });
    Object.assign(own, { isBusy: false, fault: answer.error ?? null });
    update();
    if (answer.error) return;
    element.close();
    brought(answer.model);
  }

  /** @param {string} name @param {unknown} input */
  const field = (name, input) => html`<label><span>${t(`bring_${name}`)}</span>${input}</label>`;
  /** @type {{element: HTMLDialogElement, update: function(): void}} */
  const { element, update } = makePart(() => dialog(t, "bring", t("bring"), html`
    <p>${t("bring_about")}</p>
    <form method="dialog" @submit=${ask}>
      ${field("path", html`<input type="text" name="path" required spellcheck="false">`)}
      ${field("layout", html`
        <select name="layout"><option value="">${t("bring_layout_guess")}</option>
          ${layouts.map((name) => html`<option value=${name}>${name}</option>`)}</select>`)}
      ${field("tokenizers", html`
        <textarea name="tokenizers" rows="2" spellcheck="false" placeholder=${t("bring_tokenizers_hint")}></textarea>`)}
      ${field("heads", html`<input type="number" name="heads" min="1" max="128" placeholder="8">`)}
      ${field("settings", html`<input type="text" name="settings" spellcheck="false" placeholder="norm_place=pre">`)}
      <div class="bring-end"><p class="bring-status${own.fault ? " alarm" : ""}" role="status">
          ${own.isBusy ? t("bring_busy") : own.fault ? wordsOfError(own.fault, t) : ""}</p>
        <button class="primary" type="submit" data-act="bring" ?disabled=${own.isBusy}>${t("bring_open")}</button></div>
    </form>`, { isBusy: own.isBusy }));
  return {
    element,
    show() {
      element.showModal();
      /** @type {?HTMLElement} */ (element.querySelector("[name=path]"))?.focus();
    },
  };
}
