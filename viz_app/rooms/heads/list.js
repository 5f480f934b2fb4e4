// What every head does, in a phrase each, in the order of what is lost without it.

import { threeDigits } from "../../stage/draw/numbers.js";
import { makeDiffers, press } from "../../stage/page/elements.js";
import { html, makePart, nothing } from "../../stage/page/html.js";
import { briefPlace, measureOfWord, ordered, spelledMeasure, wordRead } from "./numbers.js";
import { hundredthsOf, taughtOf } from "./page.js";

/** What a head does, in a phrase. @param {Words} t @param {MeasuredHead} one */
function phraseOf(t, { word, values }) {
  const read = wordRead(values);
  if (read) return t(`heads_in_${read.most}`, { n: hundredthsOf(read.share) });
  const measure = values[measureOfWord(word)];
  return t(`heads_in_${word}`, { number: measure === undefined ? "–" : threeDigits(measure) });
}

/**
 * @param {Words} t
 * @param {State} state
 * @param {{choose: function(HeadPlace): void}} acts
 */
export function makeHeadsList(t, state, { choose }) {
  /** @param {MeasuredHead} one @param {number} most @param {boolean} isChosen */
  const line = (one, most, isChosen) => {
    const lost = one.values.loss_zero;
    return html`
      <li class=${isChosen ? "chosen" : nothing}>
        <button type="button" class="heads-in" aria-pressed=${isChosen} @click=${press(() => choose(one))}>
          <span class="heads-name">${briefPlace(t, one)}</span>
          <span class="heads-in-says">${phraseOf(t, one)}${taughtOf(t, state.model, one).length > 0
            ? html` <small>${t("heads_in_taught")}</small>` : nothing}</span>
          ${lost === undefined ? nothing : html`<span class="heads-in-lost"><i .style=${`width: ${(100 * Math.max(0, lost)) / most}%`}></i></span>
            <span class="number">${spelledMeasure("loss_zero", lost)}</span>`}</button></li>`;
  };
  const { element, update } = makePart((/** @type {MeasuredHead[]} */ heads = [], /** @type {?MeasuredHead} */ chosen = null) => {
    const most = Math.max(1e-9, ...heads.map(({ values }) => values.loss_zero ?? 0));
    return html`<ol class="heads-list of-pages">${heads.map((one) => line(one, most, one === chosen))}</ol>`;
  });
  const isOther = makeDiffers();
  return {
    element,
    /** @param {HeadsShown} shown */
    update({ heads, chosen, answer }) {
      if (!isOther(heads, chosen, state.model.name)) return;
      update(ordered(heads, "loss_zero" in (Object.values(answer.sites)[0]?.values ?? {}) ? "loss_zero" : "place"), chosen);
    },
  };
}
