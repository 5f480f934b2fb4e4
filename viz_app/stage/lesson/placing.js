// Where the card stands, and how far the page is scrolled, so that the card hides least of what a step is
// about. Pure.

/** @typedef {import("./places.js").Box} Box */

export const CORNERS = ["right", "left", "middle"]; // where the card may stand in a wide window
const GAP = 18; // CSS pixels between the card and the edges of the window, as lesson.css has it
const BESIDE = 8; // between what a step is about and the card, or the edge of the window

/**
 * Where the card hides least: a button that it touches counts as much as all that it can hide of a map, and a
 * menu that is open more.
 * @param {{width: number, height: number}} card
 * @param {{wide: number, high: number}} window
 * @param {Box[]} about
 * @param {Box[]} menus
 */
export function cornerFor({ width, height }, { wide, high }, about, menus) {
  const left = (/** @type {string} */ corner) => (corner === "left" ? GAP : corner === "right" ? wide - width - GAP
    : (wide - width) / 2);
  /** How much of a box is hidden, in pixels. @param {Box} box @param {string} corner */
  const under = (box, corner) => {
    const x = Math.min(box.left + box.width, left(corner) + width) - Math.max(box.left, left(corner));
    const y = Math.min(box.top + box.height, high - GAP) - Math.max(box.top, high - GAP - height);
    return Math.max(0, x) * Math.max(0, y);
  };
  const whole = width * height;
  /** @param {string} corner */
  const hides = (corner) => menus.filter((box) => under(box, corner) > 0).length * 4 * whole
    + about.reduce((sum, box) => {
      const hidden = under(box, corner);
      return sum + (hidden > 0 && box.width * box.height < whole / 8 ? whole : hidden);
    }, 0);
  return CORNERS.reduce((best, one) => (hides(one) < hides(best) ? one : best));
}

/**
 * How far to scroll until what a step is about can be seen beside the card: its first place, and of the
 * others each that can be seen together with it.
 * @param {Box[]} about
 * @param {number} high that of the window
 * @param {?Box} card
 */
export function scrollTo(about, high, card) {
  /** Where what can be seen of a box ends. @param {Box} box */
  const footOf = ({ left, width }) => (card && left < card.left + card.width && left + width > card.left
    ? card.top : high) - BESIDE;
  const [first, ...others] = about;
  const foot = footOf(first);
  const isIn = first.top >= BESIDE && first.top + Math.min(first.height, foot - BESIDE) <= foot;
  const middle = first.top + first.height / 2 - (BESIDE + foot) / 2;
  const begun = isIn ? 0 : first.height > foot - BESIDE ? first.top - BESIDE : middle;
  return others.reduce((by, box) => {
    const more = box.top + box.height - by - footOf(box);
    const isWith = Math.min(first.top, box.top) - by - more >= BESIDE;
    return more > 0 && isWith ? by + more : by;
  }, begun);
}
