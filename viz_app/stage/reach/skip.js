// The way past the controls: from the first press of Tab to the map.

import { html } from "../page/html.js";

const MAPS = ["canvas[tabindex]", ".table-box", "[tabindex='0']"]; // what reads a room by the keyboard

/**
 * A button, not a link: the page's address belongs to what is on the screen.
 * @param {Words} t
 * @param {HTMLElement} root the stage
 */
export function skip(t, root) {
  function click() {
    const room = root.querySelector(".room:not([hidden])") ?? root;
    for (const selector of MAPS) {
      const first = [...room.querySelectorAll(selector)]
        .find((node) => node.getClientRects().length > 0);
      if (first instanceof HTMLElement) {
        first.focus();
        return;
      }
    }
  }
  return html`<button type="button" class="skip" @click=${click}>${t("skip")}</button>`;
}
