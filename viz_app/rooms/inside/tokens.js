// A row of tokens of the room Inside a head, to choose one from. It is one stop of the Tab key, with
// arrow keys inside.

import { onceLaidOut, whenLaidOut } from "../../stage/draw/laid_out.js";
import { claim, fadeEnds, makeDiffers, press, scrollToItem, turnOf } from "../../stage/page/elements.js";
import { html, makePart, nothing } from "../../stage/page/html.js";
import { weightInCell } from "../../stage/draw/numbers.js";
import { LEAST_SAID } from "../../stage/choices.js";
import { termed } from "../../stage/page/terms.js";

/** @param {Words} t @param {string} name @param {function(number): void} choose */
export function makeInsideTokens(t, name, choose) {
  /** @type {Label[]} */
  let labels = [];
  /** @type {?number} */
  let chosen = null;
  /** @type {?Pick<CellStudy, "weights_K" | "allowed_K">} */
  let row = null;
  let stop = 0; // where the Tab key comes in
  /** @type {?number} */
  let brought = null; // the token last brought into view
  const isOther = makeDiffers();
  const { element, update: draw } = makePart(() => html`
    <div class="inside-tokens" data-tokens=${name}><span class="tokens-word">${termed(t, `inside_tokens_${name}`)}</span>
      <div class="tokens-list" role="group" aria-label=${t(`inside_tokens_${name}`)} @keydown=${turn}>${labels.map(({ label, kind, goesOn }, i) => {
        const weight = row?.weights_K[i];
        return html`
          <button type="button" class="kind token${goesOn ? " goes-on" : ""}${row && !row.allowed_K[i] ? " masked" : ""}" title=${label} dir="auto" data-kind=${kind} data-index=${i}
            data-weight=${weight === undefined ? nothing : weight < LEAST_SAID ? "" : weightInCell(weight)}
            .style=${weight === undefined ? "" : `--weight: ${weight}`} aria-pressed=${i === chosen} tabindex=${i === stop ? 0 : -1}
            @click=${press(() => { brought = i; choose(i); })}>${goesOn ? html`<i></i>` : nothing}${label}</button>`; // what is pressed is in view
      })}</div></div>`);
  const list = /** @type {HTMLElement} */ (element.lastElementChild);
  const fade = fadeEnds(list);
  function show() {
    if (brought !== null) scrollToItem(list, list.children[brought]);
    return fade();
  }
  whenLaidOut(list, show);

  /** @param {KeyboardEvent} event */
  function turn(event) {
    const by = turnOf(event);
    if (!by) return;
    claim(event); // elsewhere they step
    const next = [...list.children].findIndex((one) => one === document.activeElement) + by;
    if (!(list.children[next] instanceof HTMLElement)) return;
    stop = next;
    draw();
    list.children[next].focus();
  }

  return {
    element,
    /**
     * @param {Label[]} shown
     * @param {?number} at the one that is chosen
     * @param {?Pick<CellStudy, "weights_K" | "allowed_K">} study whose weights stand over the tokens
     */
    update(shown, at, study = null) {
      const isNew = isOther(JSON.stringify(shown));
      if (isNew) brought = null;
      [labels, chosen, row] = [shown, at, study ?? (isNew ? null : row)];
      if (!list.contains(document.activeElement)) stop = at ?? 0;
      draw();
    },
    /** After `update` of all lists: brings what is chosen into view. */
    follow() {
      if (chosen === null || chosen === brought) return;
      brought = chosen;
      onceLaidOut(list, show);
    },
  };
}
