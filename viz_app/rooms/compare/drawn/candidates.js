// What may follow at a step of both runs, side by side, with the change of each probability.

import { labelOf, quoted } from "../../../stage/draw/labels.js";
import { fixed, shareText } from "../../../stage/draw/numbers.js";
import { headLine, kindToken } from "../../../stage/page/table.js";
import { html, makePart, nothing } from "../../../stage/page/html.js";
import { digitsTogether, signed } from "../says.js";

const MOST = 6; // rows

/** A probability, and whether the token was taken. @param {Words} t @param {?number} share @param {boolean} isTaken @param {number} digits */
const shareCell = (t, share, isTaken, digits) => html`
  <td class=${isTaken ? "taken" : nothing}><i aria-hidden="true" .style=${`--part: ${share ?? 0}`}></i>
    <span>${share === null ? "–" : digits > 3 ? fixed(share, digits) : shareText(share)}</span>
    ${isTaken ? html`<b title=${t("compare_taken")}>✓</b>` : nothing}</td>`;

/** @param {Words} t @param {CompareCandidate} one @param {boolean} spelled */
function line(t, { text, piece, kind, a, b, taken }, spelled) {
  const label = labelOf({ text, piece, kind }, false, spelled, t);
  const digits = a === null || b === null ? 3 : digitsTogether(a, b);
  return html`
    <tr><th scope="row">${kindToken("compare-token", { label, kind })}</th>
      ${shareCell(t, a, taken[0], digits)}${shareCell(t, b, taken[1], digits)}
      <td>${a === null || b === null ? "–" : signed(a - b, digits)}</td></tr>`;
}

/** What stands over the table: which steps these are. @param {Words} t @param {CompareStep} step @param {(string | null)[]} names */
function titleOf(t, { a, b }, names) {
  const [x, y] = names.map((name) => name && quoted(name));
  if (a === null || b === null) {
    return t("compare_after_one", { n: (a ?? b ?? 0) + 1, x: x ?? y, only: a === null ? "B" : "A" });
  }
  return x === y && a === b ? t("compare_after", { n: a + 1, x })
    : t("compare_after_two", { n: a + 1, m: b + 1, x, y });
}

/**
 * `update` gets the step, if there is one, the names of the tokens fed in there, of A and of B, and
 * whether they are spelled out.
 * @param {Words} t
 */
export const makeCompareCandidates = (t) => makePart((/** @type {?CompareStep} */ step = null, /** @type {(string | null)[]} */ names = [],
  spelled = false) => html`
  <section class="compare-candidates" aria-label=${t("compare_candidates")} ?hidden=${step === null}>
    <h3>${step && titleOf(t, step, names)}</h3>
    <table>
      ${headLine(["candidate", "a", "b", "change"].map((name) => t(`compare_${name}`)))}
      <tbody>${step?.candidates.filter(({ taken }, i) => i < MOST || taken.includes(true))
    .map((one) => line(t, one, spelled))}</tbody>
    </table>
  </section>`);
