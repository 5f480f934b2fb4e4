// How to read the page, what each room is for, and the keys.

import { html, live, makePart, nothing } from "../html.js";
import { remembered } from "../../keep/remembered.js";
import { dialog } from "../dialog.js";

/** What a name means, line by line. @param {[unknown, string][]} lines */
const listOf = (lines) => html`<dl>${lines.map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>`;

/**
 * The dialog; on a phone it leaves out the keys.
 * @param {Words} t
 * @param {Session} session
 */
export function makeHelp(t, { state: { canAsk, rooms, options } }) {
  const asking = ["first", "others", "undo", "off", "translate"];
  const hasQuestions = Boolean(options.apart ?? options.site);
  const keys = ["ask", "step", "head", "first", "others", "play", "ends", "undo", "cells", "grid",
    "off", "translate", "export", "list"].filter((name) => (canAsk || !asking.includes(name))
    && (hasQuestions || name !== "ask"));
  const spelled = (/** @type {string} */ name) => t(`key_${name}`).split(" ").map((key) => html`<kbd>${key}</kbd>`);
  const paragraph = (/** @type {string} */ name) => html`<p>${t(`help_${name}`)}</p>`;
  const remember = (/** @type {any} */ { target }) => remembered("shortcuts", target.checked ? "yes" : "no");
  /** @type {{element: HTMLDialogElement}} */
  const { element } = makePart(() => dialog(t, "help", t("help"), html`
    <div class="help-parts">
      <section>${["cells", "steps"].map(paragraph)}${canAsk ? paragraph("own") : nothing}${paragraph("words")}
        ${listOf(rooms.map(({ name }) => [t(`room_${name}`), t(`room_${name}_hint`)]))}</section>
      <section class="help-keys"><h4>${t("keys")}</h4>
        ${listOf(keys.map((name) => [spelled(name), t(`key_${name}_does`)]))}
        <label class="shortcuts"><input type="checkbox" name="shortcuts"
          .checked=${live(remembered("shortcuts") !== "no")} @change=${remember}><span>${t("shortcuts")}</span></label>
        ${options.address ? html`<p><a class="api" href="./?view=api">${t("api_link")}</a></p>` : nothing}
      </section>
    </div>`));
  return { element, show: () => (element.open ? element.close() : element.showModal()) };
}
