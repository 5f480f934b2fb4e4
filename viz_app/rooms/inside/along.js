// The way of the token whose query is shown, in one line before its head: what it would become if the
// model stopped after each sub-layer, and a way to each. The thicker the line, the more is added there.

import { sublayerOf } from "../../stage/anatomy.js";
import { quoted } from "../../stage/draw/labels.js";
import { shortNumber, shortProbability } from "../../stage/draw/numbers.js";
import { onceLaidOut } from "../../stage/draw/laid_out.js";
import { claim, fadeEnds, scrollToItem, setTrait, turnOf } from "../../stage/page/elements.js";
import { elementOf, html, nothing, render } from "../../stage/page/html.js";
import { placesAlong } from "./stages.js";

const SURE = 1 / 3; // a less probable token is written faintly

/**
 * @param {Words} t
 * @param {function(string): void} go to the heads of a sub-layer, or to what it does
 */
export function makeInsideAlong(t, go) {
  const list = elementOf(html`<div class="along-list" role="group" aria-label=${t("inside_view_way")} @keydown=${turn}></div>`);
  const fade = fadeEnds(list);
  let shown = "";

  /** @param {KeyboardEvent} event */
  function turn(event) {
    const turn = turnOf(event);
    if (!turn) return;
    claim(event);
    const stops = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("button")]);
    const next = stops[stops.findIndex((one) => one === document.activeElement) + turn];
    if (!next) return;
    for (const one of stops) setTrait(one, "tabindex", one === next ? "0" : "-1");
    next.focus();
  }

  /** @param {import("./stages.js").Along} one @param {boolean} isHere @param {number} most */
  function stop({ name, title, values, made, best, probability }, isHere, most) {
    const word = best && quoted(best.label);
    const says = t(best ? "inside_along_stop" : "inside_along_adds", { where: t(title, values), length: shortNumber(made), token: word, probability: best && shortProbability(probability) });
    return html`<button class="along-stop" type="button" data-along=${name} title=${says}
        aria-pressed=${String(isHere)} tabindex=${isHere ? 0 : -1}
        .style=${`--share: ${made / most}`} @click=${() => go(name)}>
      <span class="along-name">${t(`inside_along_${name.split(".")[2]}`, values)}</span>
      ${best ? html`<span class=${`kind key-name${probability < SURE ? " unsure" : ""}`} dir="auto"
        data-kind=${best.kind}>${best.label}</span>` : nothing}</button>`;
  }

  return {
    element: list,
    /** @param {CellStudy} study @param {Label} query */
    update({ along, site, layer }, query) {
      const places = placesAlong(along, t);
      const most = Math.max(...places.map(({ made }) => made));
      const here = sublayerOf(site, layer);
      render(html`<span class="along-from"><span class="along-name">${t("inside_embedded")}</span>
          <span class="kind key-name" dir="auto" data-kind=${query.kind}>${query.label}</span></span>
        ${places.map((one) => stop(one, one.name === here, most))}`, list);
      onceLaidOut(list, () => {
        const chosen = /** @type {?HTMLElement} */ (list.querySelector("[aria-pressed=true]"));
        if (chosen && shown !== here) scrollToItem(list, chosen);
        shown = here;
        return fade();
      });
    },
  };
}
