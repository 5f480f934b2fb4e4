// Look inside: the button from a cell anywhere to that cell in the room Inside a head.

import { press } from "./elements.js";
import { html, makePart, nothing } from "./html.js";

/**
 * The button that looks inside; `update` gets why there is nothing to open, or what a press would open.
 * @param {Words} t
 * @param {function(): void} act
 */
export const makeLookButton = (t, act) => makePart((/** @type {?State} */ state = null, /** @type {?string} */ why = null,
  hint = t("look_inside_hint")) => html`
  <button type="button" class="look-inside" title=${why ?? hint} aria-disabled=${why === null ? nothing : "true"} data-act="look"
    ?hidden=${state?.model.lacking.inside !== undefined} @click=${press(() => why === null && act())}>${t("look_inside")}</button>`);
