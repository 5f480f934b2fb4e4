// Where the card stands, and how far the page is scrolled, so that the card hides least of what a step is
// about. Pure.

/** @typedef {import("./places.js").Box & {isCover?: boolean}} Box */

export const CORNERS = ["right", "left", "middle"]; // where the card may stand in a wide window
const GAP = 18; // CSS pixels between the card and the edges of the window, as lesson.css has it
const BESIDE = 8; // between what a step is about and the card, or the edge of the window
const FIRST = 1.5; // what the first place of a step counts, beside the others
const ASIDE = 0.15; // of the width of a place the card may hide, a scale at its edge
const BETTER = 0.85; // a corner that hides this share of what another hides is worth going to
const FAR_BETTER = 0.25; // the same within a step, whose reader's hand is on the card

/**
 * Where the card hides least: something small that it touches, such as a button, counts more than all that it can
 * hide of a map, unless that is covered; and a menu that is open more.
 * @param {{width: number, height: number}} card
 * @param {{wide: number, high: number}} window
 * @param {Box[]} about
 * @param {Box[]} menus
 * @param {string} [stood] the corner where the reader has seen it at this step
 */
export function cornerFor({ width, height }, { wide, high }, about, menus, stood = "") {
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
  const hides = (corner) => menus.map((box) => under(box, corner) / (box.width * box.height))
    .reduce((sum, share) => sum + (share > 0 ? 4 + 8 * share : 0) * whole, 0)
    + about.reduce((sum, box, i) => {
      const hidden = under(box, corner);
      const isSmall = !box.isCover && box.width * box.height < whole / 8;
      return sum + (hidden > 0 && isSmall ? 2 * whole : i === 0 ? FIRST * hidden : hidden);
    }, 0);
  const best = CORNERS.reduce((best, one) => (hides(one) < BETTER * hides(best) ? one : best));
  return CORNERS.includes(stood) && hides(best) >= FAR_BETTER * hides(stood) ? stood : best;
}

/**
 * What stands at the foot of the window: the card, and above it the bar of a phone, where that is there.
 * @param {?Box} card
 * @param {?Box} bar
 * @returns {?Box}
 */
export function footOf(card, bar) {
  if (!card || !bar || bar.height === 0 || bar.top >= card.top) return card;
  const { left, width } = card; // the browser's own boxes cannot be spread
  return { left, width, top: bar.top, height: card.top + card.height - bar.top };
}

/**
 * How far to scroll until what a step is about can be seen beside the card: its first place, and of the
 * others each that can be seen together with it. The page stays as near to its top as that allows, where
 * the sentence stands; one that shows all of it already is not moved for what came of a guess.
 * @param {Box[]} about
 * @param {number} high that of the window
 * @param {?Box} card
 * @param {{scrolled?: number, isNew?: boolean}} [page] how far it is scrolled now, and whether the step is new
 */
export function scrollTo(about, high, card, { scrolled = 0, isNew = false } = {}) {
  /** How much of the width of a box the card is in the way of. @param {Box} box */
  const behind = ({ left, width }) => (card
    ? (Math.min(left + width, card.left + card.width) - Math.max(left, card.left)) / width : 0);
  /** Where what can be seen of a box ends. @param {Box} box */
  const endOf = (box) => (card && behind(box) > ASIDE ? card.top : high) - BESIDE;
  /** From where to where the page may be scrolled to see all of a box. @param {Box} box @returns {[number, number]} */
  const seenFrom = (box) => [box.top + box.height - endOf(box), box.top - BESIDE];
  const [first, ...others] = about;
  const alone = seenFrom(first);
  if (alone[0] > alone[1]) return alone[1]; // it begins at the top
  const [from, to] = others.map(seenFrom).reduce(([low, high], [lower, higher]) => {
    const [least, most] = [Math.max(low, lower), Math.min(high, higher)];
    return least <= most ? [least, most] : [low, high];
  }, alone);
  if (!isNew && from <= 0 && to >= 0) return 0;
  return Math.min(Math.max(-scrolled, from), to);
}
