// A row of the table as clocks: each pair of a sine and a cosine is a hand, which a position moves on.

import { fillDisc, strokeThrough } from "../../../stage/draw/canvas.js";
import { shortLength, shortNumber } from "../../../stage/draw/numbers.js";
import { hide, make, makeButton, makeDiffers, setText, setTrait } from "../../../stage/page/elements.js";
import { html } from "../../../stage/page/html.js";
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
  const element = make("div", { class: "positions-hands", role: "group", "aria-label": t("positions_hands") });
  /** @type {number[]} */
  let columns = [];
  const hands = Array.from({ length: MOST_HANDS }, (_, i) => {
    const chart = makeCanvasBox("positions-hand", html`<canvas class="positions-hand-canvas" aria-hidden="true"></canvas>`, redraw);
    const [length, sine, cosine] = [make("strong"), make("span"), make("span")];
    const button = makeButton({ class: "positions-clock", data: { clock: i } }, () => choose(columns[i]),
      [chart.element, make("span", { class: "positions-clock-says" }, [length, sine, cosine])]);
    return { chart, length, sine, cosine, button };
  });
  element.append(...hands.map(({ button }) => button));
  const isOther = makeDiffers();
  return {
    element,
    /**
     * @param {HeldTable} held
     * @param {number[]} shown the dimensions that are drawn as curves
     * @param {number} chosen the dimension that is read
     * @param {{row: number, places: number}} at
     */
    say(held, shown, chosen, at) {
      const pairs = clocksOf(held, shown, chosen);
      hide(element, pairs.length === 0);
      columns = pairs.map((pair) => dimensionsOf(held, pair)[0]);
      if (isOther(pairs.length)) hands.forEach(({ button }, i) => { hide(button, i >= pairs.length); });
      columns.forEach((column, i) => {
        const { length, sine, cosine, button } = hands[i];
        const pair = dimensionsOf(held, pairs[i]);
        /** @param {boolean} ofSine */
        const value = (ofSine) => shortNumber(held.numbers[at.row * held.shape[1]
          + (pair.find((one) => isSine(held, one) === ofSine) ?? 0)]);
        setText(length, t("positions_hand", { length: shortLength(held.wavelengths[column]) }));
        setText(sine, t("positions_hand_sine", { value: value(true) }));
        setText(cosine, t("positions_hand_cosine", { value: value(false) }));
        setTrait(button, "aria-pressed", String(pairOf(held, chosen) === pairs[i]));
      });
    },
    measure: () => columns.forEach((_, i) => hands[i].chart.measure()),
    /** Draws them, once all is said. @param {HeldTable} held @param {{row: number, places: number}} at @param {Look} look */
    draw: (held, at, look) => columns.forEach((column, i) => {
      const pen = hands[i].chart.clear();
      if (pen) paintClock({ ...pen, ...look }, held, column, at);
    }),
    destroy: () => hands.forEach(({ chart }) => chart.destroy()),
  };
}
