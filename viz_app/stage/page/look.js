// Look inside: the button from a cell anywhere to that cell in the room Inside a head.

import { hide, makeButton, setTrait } from "./elements.js";

/**
 * The button that looks inside; `update` says what a press would open, or why there is nothing.
 * @param {Words} t
 * @param {function} act
 */
export function makeLookButton(t, act) {
  const button = makeButton({ class: "look-inside", text: t("look_inside"),
    title: t("look_inside_hint"), data: { act: "look" } }, () => {
    if (button.getAttribute("aria-disabled") !== "true") act();
  });
  return {
    element: button,
    /** @param {State} state @param {?string} [why] @param {string} [hint] */
    update(state, why = null, hint = t("look_inside_hint")) {
      hide(button, state.model.lacking.inside !== undefined);
      setTrait(button, "aria-disabled", why === null ? null : "true");
      setTrait(button, "title", why ?? hint);
    },
  };
}
