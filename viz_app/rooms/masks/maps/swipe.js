// Where the screen is narrow, one map of the room Masks fills it: the others are swiped to, or
// reached with the arrows and dots under it.

import { onceLaidOut } from "../../../stage/draw/laid_out.js";
import { claim, make, makeButton, setTrait, turnOf } from "../../../stage/page/elements.js";

/**
 * @param {function(string, Object=): string} t
 * @param {HTMLElement} strip scrolls sideways, a screen a map
 */
export function makeSwipe(t, strip) {
  /** @type {string[]} */
  let titles = [];
  const turn = (/** @type {number} */ by) => makeButton({ class: "masks-turn",
    text: by < 0 ? "‹" : "›", title: t(by < 0 ? "masks_before" : "masks_next"),
    "aria-label": t(by < 0 ? "masks_before" : "masks_next"),
    data: { act: by < 0 ? "masks-before" : "masks-next" } }, () => show(at() + by));
  const [before, next] = [turn(-1), turn(1)];
  const dots = make("span", { class: "masks-dots" });
  const element = make("nav", { class: "masks-swipe", "aria-label": t("masks_maps"), on: {
    keydown: (/** @type {KeyboardEvent} */ event) => {
      if (!turnOf(event)) return;
      claim(event);
      show(at() + turnOf(event));
    },
  } }, [before, dots, next]);
  const at = () => Math.round(strip.scrollLeft / Math.max(1, strip.clientWidth));

  /** @param {number} map */
  function show(map) {
    strip.scrollTo({ left: Math.max(0, Math.min(titles.length - 1, map)) * strip.clientWidth });
  }

  function mark() {
    const shown = at();
    [...dots.children].forEach((dot, i) => setTrait(dot, "aria-current", i === shown ? "true" : null));
    before.disabled = shown <= 0;
    next.disabled = shown >= titles.length - 1;
  }
  strip.addEventListener("scroll", mark, { passive: true });

  return {
    element,
    at,
    show,
    /** @param {string[]} named the titles of the maps */
    update(named) {
      if (titles.join("\n") !== named.join("\n")) {
        titles = named;
        dots.replaceChildren(...named.map((title, i) => makeButton({ class: "masks-dot", title,
          "aria-label": title, data: { map: i } }, () => show(i))));
      }
      onceLaidOut(strip, mark);
    },
  };
}
