// What becomes of the translation: before and after, one above the other, and without positions.

import { PENDING_MARK } from "../../../stage/draw/labels.js";
import { besideWords } from "../../../stage/page/beside.js";
import { html, makePart } from "../../../stage/page/html.js";

/** @typedef {"on" | "off"} Mode with positions, or without */
const MODES = /** @type {Mode[]} */ (["on", "off"]);
const LINES = /** @type {const} */ (["positions_map_before", "positions_after_change"]);

/**
 * The key of the sentence that says what became of what is written; null before that is known.
 * @param {?PositionOutcome} outcome
 * @param {boolean} isTwoSided
 */
function outcomeKey(outcome, isTwoSided) {
  const [on, off] = MODES.map((mode) => {
    const [before, after] = outcome?.translations[mode] ?? [];
    return before === after ? "same" : "changed";
  });
  return outcome && `positions_outcome_${isTwoSided ? "" : "follows_"}${on}_${off}`;
}

/**
 * The sentence under both translations.
 * @param {Words} t
 * @param {PositionOrder} held
 * @param {?PositionOutcome} outcome
 */
function sentenceOf(t, { is_two_sided: isTwoSided, tried }, outcome) {
  const key = outcomeKey(outcome, isTwoSided);
  if (!key || !outcome) return PENDING_MARK;
  const [before, after] = outcome.translations.on;
  const more = tried && before === after ? [t("positions_tried", { n: tried })] : [];
  return [t(key), ...more].join(t("sentences_between"));
}

/** What stands before a line of the translations. @param {Words} t @param {string} key */
const nameOf = (t, key) => html`<span class="positions-quiet">${t(key)}</span>`;

/** Both translations; before they are known the words of the run keep their room. @param {Words} t @param {?PositionOutcome} outcome @param {string} text of the run */
function bothOf(t, outcome, text) {
  const words = outcome?.words.on ?? text.split(" ").map((word) => /** @type {[string, string]} */ ([word, word]));
  const [before, after] = outcome?.translations.on ?? [text, PENDING_MARK];
  return besideWords(words, [nameOf(t, LINES[0]), nameOf(t, LINES[1])], t("positions_both", { before, after }));
}

/** What is written without positions; once where the order changes nothing. @param {Words} t @param {?PositionOutcome} outcome */
function withoutOf(t, outcome) {
  const [before, after] = outcome?.translations.off ?? [PENDING_MARK, PENDING_MARK];
  const lines = before === after ? [["positions_without_both", before]] : [["positions_without_before", before], ["positions_without_after", after]];
  return lines.map(([key, text]) => html`<dt>${t(key)}</dt><dd dir="auto">${text}</dd>`);
}

/** @param {Words} t */
export function makeOrderOutcome(t) {
  /** @type {?PositionOutcome} */
  let last = null;
  const { element, update } = makePart((/** @type {?PositionOrder} */ held = null, text = "") => html`
    <div class="positions-outcome" ?hidden=${held?.predicting === "source"}>
      <div class="positions-both">${bothOf(t, last, text)}</div>
      <p class="positions-answer" aria-live="polite">${held && sentenceOf(t, held, last)}</p>
      <dl class="positions-without">${withoutOf(t, last)}</dl></div>`);
  const [both, says] = element.children;
  return {
    element,
    both,
    /** What the sentence says; "" where nothing is written. */
    says: () => (element.hidden ? "" : says.textContent ?? ""),
    /** The translations that stand here are of another order, and no others came. */
    forget() {
      last = null;
    },
    /** @param {PositionOrder} held @param {?PositionOutcome} now null: it is on its way @param {string} text of the run */
    update(held, now, text) {
      last = held.predicting === "source" ? null : now ?? last; // an encoder alone writes nothing
      update(held, text);
      element.classList.toggle("waiting", !now && last !== null);
      element.classList.toggle("unknown", last === null);
    },
  };
}
