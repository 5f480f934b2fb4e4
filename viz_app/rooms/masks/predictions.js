// The best next token at every position of the sentence, under the model's own masks and broken ones.

import { labelsOf } from "../../stage/draw/labels.js";
import { onceLaidOut } from "../../stage/draw/laid_out.js";
import { shareText, shortProbability } from "../../stage/draw/numbers.js";
import { makeDiffers } from "../../stage/page/elements.js";
import { html, makePart, nothing } from "../../stage/page/html.js";
import { headLine, kindToken } from "../../stage/page/table.js";

/** A token of the room Masks. @param {GridLabel} label */
export const maskToken = (label) => kindToken("masks-token", label);

/** @param {GridLabel} label @param {number} probability */
const best = (label, probability) => html`
  <td>${maskToken(label)}<small>${shortProbability(probability)}</small></td>`;

/** @param {Words} t @param {BatchHeld} answer @param {boolean} spelled */
function rowsOf(t, { batch, breaks, changes, predicting, shown }, spelled) {
  const isTarget = predicting === "target";
  const { source, fed } = batch[shown];
  const { distance, intact, broken, intact_probability: before, broken_probability: after } = changes[shown];
  const read = labelsOf(isTarget ? fed : source, isTarget, spelled, t);
  const [own, now] = [intact, broken].map((tokens) => labelsOf(tokens, false, spelled, t));
  const isBroken = breaks.length > 0;
  const names = [isTarget ? "masks_after" : "masks_at", "masks_own_best",
    ...(isBroken ? ["masks_broken_best", "masks_distance"] : [])];
  return html`
    ${headLine(names.map((name) => t(name)))}
    <tbody>${Array.from(distance, (far, i) => html`
      <tr class=${intact.ids[i] === broken.ids[i] ? nothing : "changed"}>
        <th scope="row">${maskToken(read[i])}</th>${best(own[i], before[i])}${isBroken ? html`${best(now[i], after[i])}
        <td class="masks-distance"><i class="masks-moved" .style=${`--part: ${Math.min(1, far)}`}></i>
          <span>${shareText(far)}</span></td>` : nothing}</tr>`)}</tbody>`;
}

/** @param {Words} t */
export function makeMasksCheck(t) {
  const part = makePart((/** @type {?BatchHeld} */ answer = null, spelled = false) => html`
    <section class="masks-check" aria-label=${t("masks_predictions")}>
      <h3>${t(answer?.predicting === "source" ? "masks_predictions_at" : "masks_predictions")}</h3>
      <div class="masks-table-box" tabindex="0" role="group" aria-label=${t("masks_predictions")}>
        <table class="masks-predictions">${answer && rowsOf(t, answer, spelled)}</table></div>
    </section>`);
  const box = /** @type {HTMLElement} */ (part.element.lastElementChild);
  const isOther = makeDiffers();
  let isFresh = false; // what changed is not in sight yet

  /** Of a table longer than its place, the first row that changed is in sight. */
  function showChanged() {
    const row = /** @type {?HTMLElement} */ (box.querySelector("tr.changed"));
    const over = row ? row.offsetTop + row.offsetHeight - box.clientHeight : 0;
    const head = box.querySelector("thead")?.offsetHeight ?? 0;
    box.scrollTop = row && over > 0 ? row.offsetTop - head : 0;
  }

  return {
    element: part.element,
    /** @param {BatchHeld} answer @param {boolean} spelled */
    update(answer, spelled) {
      if (answer.changes.length === 0 || !isOther(answer, spelled)) return;
      part.update(answer, spelled);
      isFresh = true;
    },
    /** Brings what changed into view, once all is drawn. */
    follow() {
      if (isFresh) onceLaidOut(box, showChanged);
      isFresh = false;
    },
  };
}
