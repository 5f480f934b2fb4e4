// The words of the sentence in their order, and the position that each has.

import { labelOfWord, quoted } from "../../../stage/draw/labels.js";
import { press } from "../../../stage/page/elements.js";
import { html, makePart } from "../../../stage/page/html.js";
import { shiftAfter } from "./words.js";

/**
 * What moves together as it is written: words that the tokenizer begins with a mark stand apart.
 * @param {Label[]} tokens
 * @param {string[]} pieces of them
 */
export function textOfWords(tokens, pieces) {
  /** @type {Label[][]} */
  const words = [];
  tokens.forEach((token, i) => {
    if (i === 0 || /^[▁Ġ]/.test(pieces[i] ?? "")) words.push([token]);
    else words[words.length - 1].push(token);
  });
  return words.map(labelOfWord).filter(Boolean).join(" ");
}

/**
 * The words in their order, and the position that each has.
 * @param {OrderLook} look
 * @param {Label[]} labels of the sentence as typed
 * @param {number} positions that there are
 */
function wordsIn({ order, words, shift: shifts, held }, labels, positions) {
  let place = 0;
  const pieces = held?.source.pieces ?? [];
  return order.map((word, index) => {
    const tokens = words[word];
    const shift = shifts[word] ?? 0;
    const row = (/** @type {number} */ at) => Math.max(0, Math.min(positions - 1, at + shift));
    const [first, last] = [row(place), row(place + tokens.length - 1)];
    place += tokens.length;
    return { index, text: tokens.length === 1 ? labels[tokens[0]].label
      : textOfWords(tokens.map((token) => labels[token]), tokens.map((token) => pieces[token])),
    kind: labels[tokens[0]].kind, isMoved: word !== index, isShifted: shift !== 0,
      row: first === last ? String(first) : `${first}–${last}` };
  });
}

/**
 * The words in their order with their positions: press two to swap them.
 * @param {Words} t
 * @param {OrderLook} look
 * @param {Redraw} redraw
 */
export function makeOrderStrip(t, look, redraw) {
  /** @type {ReturnType<typeof wordsIn>} */
  let shown = [];
  let last = 0; // position that there is

  /** @param {number} by */
  function step(by) {
    if (look.chosen === null) return;
    const shift = shiftAfter(look, look.chosen, by, last);
    Object.assign(look, { shift: { ...look.shift, [look.order[look.chosen]]: shift }, at: null });
    redraw();
  }

  /** @param {number} place */
  function choose(place) {
    if (!look.held) return; // a new sentence is on its way
    if (look.chosen === null || look.chosen === place) {
      look.chosen = look.chosen === place ? null : place;
    } else {
      const order = look.order.slice();
      [order[place], order[look.chosen]] = [order[look.chosen], order[place]];
      Object.assign(look, { order, chosen: null, at: null });
    }
    redraw();
  }

  /** @param {ReturnType<typeof wordsIn>[number]} word */
  const word = ({ index, text, kind, isMoved, isShifted, row }) => html`
    <button type="button" class="positions-word${isMoved ? " moved" : ""}${isShifted ? " shifted" : ""}"
      aria-pressed=${index === look.chosen} data-place=${index} data-kind=${kind}
      title=${t("positions_word", { word: text, row })} @click=${press(() => choose(index))}>
      <span class="positions-word-text" dir="auto">${text}</span><small>${row}</small></button>`;

  const { element, update } = makePart(() => {
    const chosen = look.chosen === null ? null : shown[look.chosen];
    const button = (/** @type {number} */ by, /** @type {string} */ text, /** @type {string} */ name) => html`
      <button type="button" class="tool" aria-label=${t(name)} ?hidden=${!chosen}
        @click=${press(() => step(by))}>${text}</button>`;
    return html`
      <div class="positions-strip">
        <div class="positions-words" role="group" aria-label=${t("positions_words")}>${shown.map(word)}</div>
        <div class="positions-stepper${chosen ? "" : " idle"}"><span class="positions-quiet${chosen ? "" : " nudge"}">
            ${chosen ? t("positions_of_word", { word: quoted(chosen.text), row: chosen.row }) : t("positions_press_two")}</span>
          ${button(-1, "−", "positions_earlier")}${button(1, "+", "positions_later")}</div>
      </div>`;
  });
  return {
    element,
    /** @param {Label[]} labels @param {number} positions */
    update(labels, positions) {
      last = positions - 1;
      shown = wordsIn(look, labels, positions);
      update();
    },
  };
}
