// How large the two sentences are written: as a headline, as a title or as text, the largest at which
// each has one line; where even text has more, there is no room for arcs.

import { isOnPaper } from "../../../stage/draw/canvas.js";
import { widthOf } from "../../../stage/draw/labels.js";
import { sizeOf, watchSize } from "../../../stage/draw/laid_out.js";

const TYPE = 14; // CSS pixels of text at the normal type size
const SIZES = [1.85, 1.3, 1]; // of a headline, a title and text, over that; see mount.css
const BETWEEN = [0.95, 0.8, 0.45]; // between two words, over the size of the type
const DASH = 0.43; // of the size, before what goes on with a word
const THUMB = { least: 24, between: 0.28 }; // CSS pixels of a word under a thumb, and what is between two; see phone.css
const END = 112; // CSS pixels of what stands at the end of a sentence, at the normal type size
const THUMB_END = 32; // the same on a phone, where some of it stands in the margin of the page; see phone.css
const SPREAD = 1.3; // how much wider than they need the sentences stand, where there is room

/**
 * @param {Record<"source" | "target", {element: HTMLElement, nodes: function(): HTMLElement[]}>} strips
 * @param {function(): Axes} axes
 * @param {HTMLElement} line one that is as wide as there is room
 * @param {Redraw} redraw
 * @param {function(): boolean} isChangeable whether anything stands at the end of a sentence
 */
export function makeSizes(strips, axes, line, redraw, isChangeable) {
  let room = 0; // CSS pixels
  const watcher = watchSize(line, () => [room], redraw);
  const home = () => /** @type {HTMLElement} */ (strips.source.element.parentElement);
  return {
    /** Gives the size, CSS pixels, where both have one line; else null. @param {Look} look */
    update({ palette, unit }) {
      const element = home();
      const isPicture = isOnPaper(element);
      [room] = isPicture ? [element.clientWidth] : sizeOf(line); // which a picture of the pair has not
      if (room === 0) return null;
      const { source, target } = axes().words;
      const shown = (/** @type {Label[]} */ labels, /** @type {HTMLElement[]} */ nodes) =>
        labels.filter((_, i) => !nodes[i]?.classList.contains("aside"));
      const isThumb = element.closest(".slim") !== null;
      const end = isPicture || !isChangeable() || element.closest(".large:not(.in-lesson)") ? 0 : isThumb ? THUMB_END : END * unit;
      /** What is beside the words, of which the end of a phone has a side of its own. @param {number} start */
      const beside = (start) => (isThumb ? end + 2 * start : 2 * Math.max(start, end));
      const [least, gaps] = isThumb ? [THUMB.least, [...BETWEEN.slice(0, -1), THUMB.between]] : [0, BETWEEN];
      /** @param {Label[]} labels @param {number} size @param {number} between */
      const needs = (labels, size, between) => labels.reduce((sum, { label, kind, goesOn }) => sum + Math.max(least,
        widthOf(`${kind === "text" ? size : TYPE * unit}px ${palette.sans}`, label) + (between + (goesOn ? DASH : 0)) * size), 0);
      const sizes = SIZES.map((size) => size * TYPE * unit);
      const pair = [shown(source, strips.source.nodes()), shown(target, strips.target.nodes())];
      // The start stands before the first word, where there is room: words stay where they are when it comes.
      const begins = pair[1][0]?.kind === "special" && pair[1].length > 1 ? needs(pair[1].slice(0, 1), TYPE * unit, 1) : 0;
      const isAside = begins > 0 && Math.max(...[pair[0], pair[1].slice(1)].map((labels) =>
        needs(labels, sizes[0], BETWEEN[0]))) + beside(begins) <= room;
      if (isAside) pair[1] = pair[1].slice(1);
      const widths = sizes.map((size, i) => Math.max(...pair.map((labels) => needs(labels, size, gaps[i]))));
      const at = widths.findIndex((width) => width <= room - beside(0));
      const size = sizes[at < 0 ? SIZES.length - 1 : at];
      const width = Math.min(room - beside(isAside ? begins : 0), SPREAD * (widths[at] ?? room));
      const style = `--pair: ${size.toFixed(1)}px; --pair-width: ${Math.round(width)}px; --pair-end: ${isThumb ? end : 0}px`;
      if (element.style.cssText !== style) element.style.cssText = style;
      element.classList.toggle("wraps", at < 0);
      element.classList.toggle("begun-aside", isAside);
      return at < 0 ? null : size;
    },
    destroy: () => watcher.disconnect(),
  };
}
