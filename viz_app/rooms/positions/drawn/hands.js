// A row of the table as clocks: each pair of a sine and a cosine is a hand, which a position moves on.

import { fillDisc, strokeThrough } from "../../../stage/draw/canvas.js";
import { shortLength, shortNumber } from "../../../stage/draw/numbers.js";
import { press } from "../../../stage/page/elements.js";
import { html, makePart, nothing } from "../../../stage/page/html.js";
import { dimensionsOf, isSine, pairOf } from "../parts.js";
import { makeCanvasBox } from "../../../stage/draw/canvas_box.js";

const MOST_HANDS = 3;

/**
 * The angle of the hand of a pair at a position, clockwise from the top; radians.
 * @param {HeldTable} held
 * @param {number} column one of the pair
 * @param {number} at
 */
const angleAt = (held, column, at) => (2 * Math.PI * (at + held.first)) / held.wavelengths[column];

/**
 * The pairs that are clocks: of the dimensions that are drawn as curves those with a wave, the one that
 * is read among them.
 * @param {HeldTable} held
 * @param {number[]} shown
 * @param {number} chosen
 */
function clocksOf(held, shown, chosen) {
  const pairs = [...new Set(shown.filter((column) => held.wavelengths[column] !== undefined)
    .map((column) => pairOf(held, column)))].sort((a, b) => a - b);
  const own = pairOf(held, chosen);
  const first = pairs.slice(0, MOST_HANDS);
  return first.includes(own) || !pairs.includes(own) ? first : [...first.slice(0, -1), own];
}

/**
 * @param {Chart} chart
 * @param {HeldTable} held
 * @param {number} column
 * @param {{row: number, places: number}} at the position, and how many the sentence has
 */
function paintClock({ context, width, height, palette }, held, column, { row, places }) {
  const [x, y, radius] = [width / 2, height / 2, Math.min(width, height) / 2 - 6];
  /** @param {number} position @param {number} far @returns {[number, number]} */
  const tip = (position, far) => {
    const angle = angleAt(held, column, position);
    return [x + far * radius * Math.sin(angle), y - far * radius * Math.cos(angle)];
  };
  context.strokeStyle = palette.hair;
  context.lineWidth = 1;
  strokeThrough(context, [x - radius, y], [x + radius, y]);
  strokeThrough(context, [x, y - radius], [x, y + radius]);
  context.strokeStyle = palette.faint;
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.stroke();
  context.fillStyle = palette.faint;
  for (let position = 0; position < places; position += 1) fillDisc(context, ...tip(position, 1), 2.4);
  context.strokeStyle = palette.accent;
  context.fillStyle = palette.accent;
  context.lineWidth = 3;
  strokeThrough(context, [x, y], tip(row, 1));
  fillDisc(context, ...tip(row, 1), 5);
}

/**
 * @param {Words} t
 * @param {function(number): void} choose a dimension
 * @param {function(): void} redraw
 */
export function makePositionHands(t, choose, redraw) {
  const charts = Array.from({ length: MOST_HANDS }, () => makeCanvasBox("positions-hand",
    html`<canvas class="positions-hand-canvas" aria-hidden="true"></canvas>`, redraw));
  /** @type {number[]} */
  let pairs = Array(MOST_HANDS).fill(0); // room for all, until there is a table: laid out with the rest
  /** @param {HeldTable} held @param {number} pair @param {number} row */
  function saysOf(held, pair, row) {
    const both = dimensionsOf(held, pair);
    /** @param {boolean} ofSine */
    const value = (ofSine) => shortNumber(held.numbers[row * held.shape[1] + (both.find((one) => isSine(held, one) === ofSine) ?? 0)]);
    return html`<strong>${t("positions_hand", { length: shortLength(held.wavelengths[both[0]]) })}</strong>
      <span>${t("positions_hand_sine", { value: value(true) })}</span><span>${t("positions_hand_cosine", { value: value(false) })}</span>`;
  }
  const { element, update } = makePart((/** @type {?HeldTable} */ held = null, chosen = 0, row = 0) => html`
    <div class="positions-hands" role="group" aria-label=${t("positions_hands")} ?hidden=${pairs.length === 0}>${charts.map((chart, i) => html`
      <button type="button" class="positions-clock" data-clock=${i} ?hidden=${i >= pairs.length}
        aria-pressed=${held !== null && pairOf(held, chosen) === pairs[i]}
        @click=${press(() => held && choose(dimensionsOf(held, pairs[i])[0]))}>
        ${chart.element}<span class="positions-clock-says">${held && i < pairs.length ? saysOf(held, pairs[i], row) : nothing}</span></button>`)}</div>`);
  return {
    element,
    /**
     * @param {?HeldTable} held null: there are no hands
     * @param {number[]} shown the dimensions that are drawn as curves
     * @param {number} chosen the dimension that is read
     * @param {number} row the position
     */
    say(held, shown, chosen, row) {
      pairs = held ? clocksOf(held, shown, chosen) : [];
      update(held, chosen, row);
    },
    measure: () => pairs.forEach((_, i) => charts[i].measure()),
    /** Draws them, once all is said. @param {HeldTable} held @param {{row: number, places: number}} at @param {Look} look */
    draw: (held, at, look) => pairs.forEach((pair, i) => {
      const pen = charts[i].clear();
      if (pen) paintClock({ ...pen, ...look }, held, dimensionsOf(held, pair)[0], at);
    }),
    destroy: () => charts.forEach((chart) => chart.destroy()),
  };
}
