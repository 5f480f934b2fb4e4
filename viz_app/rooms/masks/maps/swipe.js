// Where the screen is narrow, one map of the room Masks fills it: the others are swiped to, or
// reached with the arrows and dots under it.

import { onceLaidOut } from "../../../stage/draw/laid_out.js";
import { claim, press, turnOf } from "../../../stage/page/elements.js";
import { html, makePart, nothing } from "../../../stage/page/html.js";

/**
 * @param {function(string, Object=): string} t
 * @param {HTMLElement} strip scrolls sideways, a screen a map
 */
export function makeSwipe(t, strip) {
  /** @type {string[]} */
  let titles = [];
  let shown = 0; // the map that was in sight last
  const at = () => Math.round(strip.scrollLeft / Math.max(1, strip.clientWidth));
  /** @param {KeyboardEvent} event */
  function key(event) {
    if (!turnOf(event)) return;
    claim(event);
    show(at() + turnOf(event));
  }
  /** @param {number} by @param {boolean} isOff */
  const turn = (by, isOff) => html`
    <button type="button" class="masks-turn" title=${t(by < 0 ? "masks_before" : "masks_next")} aria-label=${t(by < 0 ? "masks_before" : "masks_next")}
      data-act=${by < 0 ? "masks-before" : "masks-next"} ?disabled=${isOff} @click=${press(() => show(at() + by))}>${by < 0 ? "‹" : "›"}</button>`;
  const { element, update: draw } = makePart(() => html`
    <nav class="masks-swipe" aria-label=${t("masks_maps")} @keydown=${key}>${turn(-1, shown <= 0)}
      <span class="masks-dots">${titles.map((title, i) => html`
        <button type="button" class="masks-dot" title=${title} aria-label=${title} data-map=${i} aria-current=${i === shown ? "true" : nothing}
          @click=${press(() => show(i))}></button>`)}</span>${turn(1, shown >= titles.length - 1)}</nav>`);
  function mark() {
    shown = at();
    draw();
  }

  /** @param {number} map */
  function show(map) {
    strip.scrollTo({ left: Math.max(0, Math.min(titles.length - 1, map)) * strip.clientWidth });
  }

  strip.addEventListener("scroll", mark, { passive: true });

  return {
    element,
    at,
    show,
    /** @param {string[]} named the titles of the maps */
    update(named) {
      titles = named;
      draw();
      onceLaidOut(strip, mark);
    },
  };
}
