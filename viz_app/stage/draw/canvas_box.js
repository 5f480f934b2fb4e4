// A canvas in a box of its own, on which charts are drawn.

import { sizeOf, watchSize } from "./laid_out.js";
import { elementOf, html } from "../page/html.js";
import { sizedContext } from "./canvas.js";

/**
 * A canvas in a box of its own, which is drawn anew when the box has another size.
 * @param {string} name the class of the box
 * @param {unknown} drawn the template of the canvas
 * @param {function(): void} redraw
 */
export function makeCanvasBox(name, drawn, redraw) {
  const element = elementOf(html`<div class=${name}>${drawn}</div>`);
  const canvas = /** @type {HTMLCanvasElement} */ (element.firstElementChild);
  /** @type {number[]} */
  let size = [];
  /** @type {?number[]} */
  let measured = null;
  const watcher = watchSize(element, () => size, redraw);
  return {
    element,
    canvas,
    /** Measures the box before anything beside it is drawn, so that the browser lays the page out once. */
    measure() {
      measured = sizeOf(element);
    },
    /** The size of the box, and a pen on an empty canvas of that size; null where there is no room. */
    clear() {
      size = measured ?? sizeOf(element);
      measured = null;
      const [width, height] = size;
      if (Math.min(width, height) < 40) return null;
      const context = sizedContext(canvas, width, height);
      context.clearRect(0, 0, width, height);
      return { context, width, height };
    },
    destroy: () => watcher.disconnect(),
  };
}
