// The sum of the products as a picture: a bar for each of the largest, one for all others, each from
// where the one before ended, and what the division makes of the sum. All dimensions are one press away.

import { exactNumber, shortNumber } from "../../../stage/draw/numbers.js";
import { press } from "../../../stage/page/elements.js";
import { html } from "../../../stage/page/html.js";
import { insideRow, insideSteps, symbolOf } from "./panels.js";

/**
 * @param {Words} t
 * @param {CellStudy} study
 * @param {number} key
 * @param {?number} pointed a dimension
 * @param {{isOpen: boolean, toggle: function(): void}} all the vectors of all dimensions
 */
export function productSteps(t, study, key, pointed, { isOpen, toggle }) {
  const { E, similarity } = study;
  const steps = insideSteps(study, key, pointed);
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const share = (/** @type {number} */ value) => (value - low) / (high - low || 1);
  const [factor, other] = [study.factor_KE, study.other_KE].map((matrix) => insideRow(matrix, key, E));
  const score = study.scores_K[key];
  const line = (/** @type {typeof steps[number]} */ { e, from, to, value }) => html`
    <tr class=${e !== null && e === pointed ? "picked" : ""}>
      <th scope="row">${e === null ? t("inside_steps_rest", { n: E - steps.length + 1 }) : t("inside_steps_dimension", { e })}</th>
      <td class="step-factors" dir="ltr">${e === null ? "" : `${shortNumber(factor[e])} × ${shortNumber(other[e])}`}</td>
      <td class="step-bar"><i class=${value < 0 ? "minus" : "plus"}
        .style=${`left: ${100 * share(Math.min(from, to))}%; width: ${100 * (share(Math.max(from, to)) - share(Math.min(from, to)))}%`}></i></td>
      <td title=${exactNumber(value)}>${shortNumber(value)}</td></tr>`;
  const root = `√${symbolOf(study.divides)}`;
  const divisor = `${root} = √${Math.round(study.divisor ** 2)} = ${shortNumber(study.divisor)}`;
  return html`
    <table class="inside-row product-steps"><tbody>${steps.map(line)}</tbody></table>
    <p class="product-sum"><span><small>${t("inside_steps_sum")}</small> <strong title=${exactNumber(study.sums_K[key])}>${shortNumber(study.sums_K[key])}</strong></span>
      ${similarity !== "scaled_dot" || study.divisor === 1 ? "" : html`<span dir="ltr"><small>÷ ${divisor}</small></span>`}
      <span><small>${t("inside_steps_score")}</small> <strong title=${exactNumber(score)}>${shortNumber(score)}</strong></span>
      <button type="button" class="as-link" data-act="dimensions" aria-expanded=${isOpen ? "true" : "false"}
        @click=${press(toggle)}>${t(isOpen ? "inside_steps_close" : "inside_steps_open", { E })}</button></p>`;
}
