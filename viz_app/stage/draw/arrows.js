// Arrows at the sides of a heat map that is wider than its box: which way a row's largest weight lies,
// where it is out of view.

import { makeDiffers } from "../page/elements.js";
import { rowAt } from "./layout.js";
import { LEAST_SAID } from "./numbers.js";

/** The column of a row's largest weight; -1 where none is worth saying. @param {GridFrame} frame @param {number} row */
export function largestIn(frame, row) {
  let [largest, at] = [LEAST_SAID, -1];
  for (let column = 0; column < frame.columns.count; column += 1) {
    const value = frame.hidden?.(row, column) ? 0 : frame.value(row, column);
    if (value > largest) [largest, at] = [value, column];
  }
  return at;
}

/**
 * The rows in view whose largest weight is not, and at which side: -1 left, 1 right.
 * @param {Pick<Painting, "frame" | "layout" | "scroll">} painting
 * @param {function(number): number} largest the column of a row's largest weight, or -1
 * @returns {{row: number, side: number}[]}
 */
export function readElsewhere({ frame, layout, scroll }, largest) {
  const { left, top, bar, view, width, pitchX } = layout;
  if (frame.kind !== "weight" || frame.by || frame.bars || width <= view.width) return [];
  const [from, upto] = [scroll.x, scroll.x + view.width - left - (bar > 20 ? bar : 0)];
  const found = [];
  for (let row = 0; row < frame.rows.count; row += 1) {
    const [y, high] = rowAt(layout, row);
    const down = y + high / 2 - scroll.y;
    const column = down < 0 || down > view.height - top ? -1 : largest(row);
    const middle = (column + 0.5) * pitchX;
    if (column >= 0 && (middle < from || middle > upto)) found.push({ row, side: middle < from ? -1 : 1 });
  }
  return found;
}

/** What paints the arrows; it looks for a row's largest weight once, as long as the numbers are the same. */
export function makeArrows() {
  const isOther = makeDiffers();
  /** @type {Map<number, number>} */
  const known = new Map();
  return (/** @type {Painting} */ painting) => {
    const { context, frame, layout, scroll, palette } = painting;
    const { left, top, bar, view, unit } = layout;
    if (isOther(...frame.key)) known.clear();
    const size = 4.5 * unit;
    context.fillStyle = palette.ink;
    const largest = (/** @type {number} */ row) => {
      if (!known.has(row)) known.set(row, largestIn(frame, row));
      return known.get(row) ?? -1;
    };
    for (const { row, side } of readElsewhere(painting, largest)) {
      const [y, high] = rowAt(layout, row);
      const middle = top + y + high / 2 - scroll.y;
      const tip = side < 0 ? left + 2 : view.width - (bar > 20 ? bar : 0) - 2;
      context.beginPath();
      context.moveTo(tip, middle);
      context.lineTo(tip - 1.4 * side * size, middle - size);
      context.lineTo(tip - 1.4 * side * size, middle + size);
      context.fill();
    }
  };
}
