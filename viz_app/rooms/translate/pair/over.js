// Which of the labels over the words have room: what a word was read with, and that it was not read.

import { widthOf } from "../../../stage/draw/labels.js";
import { setTrait } from "../../../stage/page/elements.js";

const TYPE = 13; // CSS pixels of a label at the normal type size; see mount.css
const AIR = 8; // CSS pixels between two labels at least

/**
 * Those that stay where not all can: a label that would touch a more important one is left out.
 * @param {{middle: ?number, width: number, rank: number}[]} labels from left to right; no middle: out of sight
 * @param {number} [air] between two of them
 * @returns {boolean[]}
 */
export function withRoom(labels, air = AIR) {
  const order = [...labels.keys()].filter((at) => labels[at].middle !== null)
    .sort((one, other) => labels[other].rank - labels[one].rank || one - other);
  /** @type {number[]} */
  const kept = [];
  for (const at of order) {
    const { middle, width } = labels[at];
    const touches = (/** @type {number} */ one) => Math.abs(Number(labels[one].middle) - Number(middle))
      < (labels[one].width + width) / 2 + air;
    if (!kept.some(touches)) kept.push(at);
  }
  return labels.map((_, at) => kept.includes(at));
}

/**
 * Leaves out the labels over some words that have no room. A weight says more than that nothing was read, a
 * large one more than a small one.
 * @param {HTMLElement[]} nodes
 * @param {(?number)[]} middles
 * @param {Look} look
 */
export function giveRoom(nodes, middles, { palette, unit }) {
  const font = `${TYPE * unit}px ${palette.sans}`;
  const over = nodes.map(({ dataset: { weight, unread } }, at) => ({ at, text: weight ?? unread, rank: weight ? Number(weight) : 0 }))
    .filter(({ text }) => text);
  const has = withRoom(over.map(({ at, text, rank }) => ({ middle: middles[at] ?? null, width: widthOf(font, String(text)), rank })));
  const crowded = new Set(over.filter((_, i) => !has[i]).map(({ at }) => at));
  nodes.forEach((node, at) => setTrait(node, "data-crowded", crowded.has(at) ? "" : null));
}
