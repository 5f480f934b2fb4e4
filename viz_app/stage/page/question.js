// The question of a room: what was asked last, whether its answer is under way, and whether there was
// none. The old picture stays till then, and is dimmed where that takes its time.

import { setTrait } from "./elements.js";
import { SLOW_MS } from "./opening.js";
import { isTold } from "./rooms.js";

/** @typedef {ReturnType<typeof makeQuestion>} Question */

/**
 * @param {string} room
 * @param {{state: State}} session
 * @param {function(any): Promise<any>} ask as a room gets it, see rooms.js
 * @param {Redraw} redraw
 * @param {number} after milliseconds without a further change before the server is asked
 */
export function makeQuestion(room, { state }, ask, redraw, after = 0) {
  let [asked, busy, missing] = ["", false, false];
  let count = 0; // of the questions: only the last one counts
  /** @type {?HTMLElement} */
  let dimmed = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let slow;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later;

  function stop() {
    clearTimeout(later);
    clearTimeout(slow);
    count += 1;
    busy = false;
    dimmed?.classList.remove("waiting");
    if (dimmed) setTrait(dimmed, "aria-busy", null);
  }

  /** @param {any} request @param {HTMLElement} element @param {function(any): string | void} take */
  async function send(request, element, take) {
    const mine = count;
    slow = setTimeout(() => element.classList.add("waiting"), SLOW_MS);
    const answer = await ask(request);
    if (mine !== count) return;
    stop();
    missing = !answer; // also where a question of another part of the room overtook this one
    const key = answer && take(answer);
    if (typeof key === "string") asked = key;
    redraw.now();
  }

  return {
    busy: () => busy,
    missing: () => missing,
    /** Whether this is what was asked last. @param {string} key */
    is: (key) => key === asked,
    /**
     * Asks, unless the same was asked last; but again what was not answered, once that is no longer
     * told.
     * @param {any} request
     * @param {HTMLElement} element what is dimmed meanwhile
     * @param {function(any): string | void} take gets the answer; where the server chose a part of
     *     what was asked it gives the key of the whole
     * @param {string} key
     */
    async put(request, element, take, key = JSON.stringify(request)) {
      if (key === asked && !(missing && !isTold(state, room))) return;
      [asked, missing, busy, dimmed] = [key, false, true, element];
      count += 1;
      clearTimeout(later);
      clearTimeout(slow);
      setTrait(element, "aria-busy", "true");
      if (after) later = setTimeout(() => send(request, element, take), after);
      else await send(request, element, take);
    },
    /** What is wanted is here already: nothing under way is awaited. @param {string} key */
    skip(key) {
      stop();
      [asked, missing] = [key, false];
    },
    stop,
  };
}
