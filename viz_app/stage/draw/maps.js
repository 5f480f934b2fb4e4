// Maps on axes that they share: where they go, and that they scroll as one.

import { layoutMaps } from "./beside.js";
import { measureLabel } from "./labels.js";
import { layoutGrid } from "./layout.js";

/** Scrolls all boxes to where one of them was scrolled. @param {HTMLElement[]} boxes @param {HTMLElement} box */
export function scrollAsOne(boxes, box) {
  for (const other of boxes) {
    if (other.scrollLeft !== box.scrollLeft) other.scrollLeft = box.scrollLeft;
    if (other.scrollTop !== box.scrollTop) other.scrollTop = box.scrollTop;
  }
}

/**
 * The layouts of the maps: in lines of three, whose widths the style sheet reads as --first-map and
 * --next-map; without a height a map a line or a screen, all alike.
 * @param {HTMLElement} element that holds the maps
 * @param {HTMLCanvasElement} canvas of one of them
 * @param {GridPlan} frame what they have in common
 * @param {Look} look
 * @param {{height: ?number, lines: number, gap: number}} room as of layoutMaps
 * @returns {GridLayout[]} three for each line
 */
export function fitMaps(element, canvas, frame, { palette, unit }, { height, lines, gap }) {
  const bare = measureLabel(canvas, palette);
  /** @type {function(GridLabel, number): number} */
  const measure = (label, type) => bare(label, type) + (label.kind === "text" ? 0 : 4); // its frame
  const width = element.clientWidth;
  if (height === null) {
    const one = layoutGrid({ ...frame, thin: undefined }, { width, height: 999 }, unit, measure);
    return Array(3 * lines).fill(one);
  }
  const { layouts, tracks } = layoutMaps(frame, { width, height, lines, gap }, unit, measure);
  ["first", "next"].forEach((name, i) =>
    element.style.setProperty(`--${name}-map`, `${tracks[i]}px`));
  return layouts;
}
