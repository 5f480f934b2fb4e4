// One pass beside many steps: the tokens fed in and the tokens predicted, one place apart.

import { quoted } from "../../stage/draw/labels.js";
import { powers, shortProbability } from "../../stage/draw/numbers.js";
import { filledTo } from "../../stage/page/elements.js";
import { html, live, makePart, nothing } from "../../stage/page/html.js";
import { termed } from "../../stage/page/terms.js";
import { maskToken } from "./predictions.js";

/**
 * The two rows of tokens and what they predict.
 * @typedef {{answer: PassesHeld, fed: Label[], predicted: Label[], step: number}} PassesShown
 * @param {Words} t
 * @param {PassesShown} shown
 * @param {function(number): void} stepTo
 */
function linesOf(t, { answer: { probabilities: { once, stepped } }, fed, predicted, step }, stepTo) {
  const at = step - 1;
  /** @type {function(ArrayLike<number>): function(any, number): string} */
  const number = (list) => (_, i) => (i < predicted.length ? shortProbability(list[i]) : "");
  /** @type {[string, unknown[]][]} */
  const lines = [
    ["masks_position", fed.map((_, i) => i + 1)],
    ["masks_fed", fed.map(maskToken)],
    ["masks_predicted", fed.map((_, i) => (predicted[i] ? maskToken(predicted[i]) : t("masks_limit")))],
    ["masks_p_once", fed.map(number(once))],
    ["masks_p_stepped", fed.map(number(stepped))],
  ];
  /** The same token twice: predicted here, fed in one place on. @param {number} line @param {number} i */
  const isAnswer = (line, i) => (line === 2 && i === at) || (line === 1 && i === at + 1);
  return lines.map(([name, cells], line) => html`
    <tr><th scope="row">${t(name)}</th>${cells.map((cell, i) => html`
      <td class="${i === at ? "current" : i > at ? "later" : ""}${isAnswer(line, i) ? " answer" : ""}"
        @click=${() => stepTo(i + 1)}>${cell}</td>`)}</tr>`);
}

/** What a step reads and predicts. @param {Words} t @param {PassesShown} shown */
function shiftOf(t, { answer: { ended, reads_whole: isWhole }, fed, predicted, step }) {
  const next = predicted[step - 1];
  if (!next) return "";
  return [t("masks_shift"), ended ? t("masks_shift_end") : "",
    t(isWhole ? "masks_shift_whole" : "masks_shift_row", { n: step, fed: quoted(fed[step - 1].label), predicted: quoted(next.label) }),
    step === fed.length ? t("masks_shift_last") : isWhole ? "" : t("masks_shift_next")]
    .filter((one) => one).join(t("sentences_between"));
}

/** By how much both ways differ. @param {Words} t @param {PassesHeld} answer */
function apartOf(t, { apart, verdict, reads_whole: isWhole }) {
  const found = Object.fromEntries(Object.entries(apart).map(([name, value]) => [name, powers(value)]));
  const says = verdict === "differs" ? isWhole ? "whole" : null : verdict;
  return [t("masks_apart", found), ...(says ? [t(`masks_apart_${says}`)] : [])].join(t("sentences_between"));
}

/**
 * The two rows that are one place apart, over the maps; what is said of them, and `below` the maps what
 * they differ by.
 * @param {Words} t
 * @param {{stepTo: function(number): void}} acts
 */
export function makeMasksPasses(t, { stepTo }) {
  /** @type {?PassesShown} */
  let shown = null;
  const passes = makePart(() => {
    const { step = 1, fed = [] } = shown ?? {};
    return html`
      <section class="masks-passes" aria-label=${t("masks_shift_title")}>
        <div class="masks-table-box" tabindex="0" role="group" aria-label=${t("masks_shift_title")}>
          <table class="masks-predictions masks-shift"><tbody>${shown && linesOf(t, shown, stepTo)}</tbody></table></div>
        <div class="scrub"><input class="slider" type="range" min="1" max=${fed.length} step="1" aria-label=${t("masks_step")}
            .value=${live(String(step))} .style=${filledTo(step, 1, fed.length)}
            @input=${(/** @type {any} */ { target }) => stepTo(Number(target.value))}>
          <output class="step-of">${shown ? t("step_of", { n: step, m: fed.length }) : nothing}</output></div>
      </section>`;
  });
  const summary = makePart(() => html`
    <section class="masks-summary"><h3>${termed(t, "masks_shift_title")}</h3>
      <p class="masks-words" aria-live="polite">${shown && shiftOf(t, shown)}</p>
      <p class="masks-words">${shown && t("masks_counts", { rows: shown.fed.length })}</p></section>`);
  const below = makePart(() => html`
    <div class="masks-below"><p class="masks-words">${shown && apartOf(t, shown.answer)}</p></div>`);
  const box = /** @type {HTMLElement} */ (passes.element.firstElementChild);

  return {
    element: passes.element,
    summary: summary.element,
    below: below.element,
    /** @param {PassesShown} now */
    update(now) {
      shown = now;
      for (const part of [passes, summary, below]) part.update();
      const [name, cell] = ["th", "td.current"].map((one) => /** @type {HTMLElement} */ (box.querySelector(one)));
      const left = cell.offsetLeft - name.offsetWidth;
      if (left < box.scrollLeft) box.scrollLeft = left;
      const over = cell.offsetLeft + 2 * cell.offsetWidth - box.clientWidth;
      if (over > box.scrollLeft) box.scrollLeft = over;
    },
  };
}
