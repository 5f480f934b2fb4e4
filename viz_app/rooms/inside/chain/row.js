// The row of the chosen query over all keys, one line per key: score, mask, exponential and weight;
// or its products and weights without the division beside those with it.

import { onceLaidOut } from "../../../stage/draw/laid_out.js";
import { exactNumber, shortNumber, threeDigits } from "../../../stage/draw/numbers.js";
import { makeWordSwitch, press, scrollToItem } from "../../../stage/page/elements.js";
import { headLine, numberCell, weightCell } from "../../../stage/page/table.js";
import { termed } from "../../../stage/page/terms.js";
import { elementOf, html, nothing, render } from "../../../stage/page/html.js";
import { hiddenText } from "./panels.js";

const INSIDE_COLUMNS = {
  with: ["key", "score", "after_mask", "exponential", "weight"],
  without: ["key", "product", "divided", "plain_weight", "weight"],
};

/** @param {number} value */
const weight = (value) => weightCell(value, threeDigits(value));

/**
 * The cells of a line after its key.
 * @param {CellStudy} study
 * @param {number} key
 * @param {?PlainRow} plain
 */
function insideCells(study, key, plain) {
  const score = study.scores_K[key];
  const own = weight(study.weights_K[key]);
  if (plain) return [numberCell(plain.scores_K[key]), numberCell(score), weight(plain.weights_K[key]), own];
  const masked = study.allowed_K[key] ? numberCell(study.logits_K[key])
    : html`<td title=${exactNumber(study.hidden_score ?? -Infinity)}>${hiddenText(study)}</td>`;
  return [numberCell(score), masked, numberCell(study.exponentials_K[key]), own];
}

/** The switch "divided, without". @param {Words} t @param {function(string): void} choose */
export function makeInsideScale(t, choose) {
  return makeWordSwitch(t, "scale", "inside_scale", "inside_scale", ["with", "without"], choose);
}

/**
 * @param {Words} t
 * @param {CellStudy} study
 * @param {Array<{label: string, kind: string}>} keys
 * @param {number} chosen
 * @param {?PlainRow} plain what stands beside the row: the same without the division
 * @param {function(number): void} pick
 */
function rowTable(t, study, keys, chosen, plain, pick) {
  const columns = INSIDE_COLUMNS[plain ? "without" : "with"];
  const isHard = study.attention === "hard" && !plain;
  const sum = (/** @type {Float32Array} */ weights) => threeDigits(weights.reduce((all, one) => all + one, 0));
  // The Tab key finds the same keys above, as one stop.
  const line = (/** @type {{label: string, kind: string}} */ { label, kind }, /** @type {number} */ key) => html`
    <tr data-key=${key} class="${key === chosen ? "picked" : ""}${study.allowed_K[key] ? "" : " masked"}"
      aria-current=${key === chosen ? "true" : nothing} @click=${() => pick(key)}>
      <th scope="row"><button type="button" class="kind key-name" dir="auto" title=${label} data-kind=${kind} tabindex="-1"
        @click=${press(() => {})}>${label}</button></th>
      ${insideCells(study, key, plain)}</tr>`;
  return html`
    <table class="inside-row${isHard ? " hard" : ""}${plain ? " unscaled" : ""}">
      ${headLine(columns.map((column) => termed(t, `inside_column_${column}`)))}
      <tbody>${keys.map(line)}</tbody>
      <tfoot><tr><th scope="row">${t("inside_sum_word")}</th><td></td><td></td>
        <td>${plain ? sum(plain.weights_K) : shortNumber(study.total)}</td>
        <td class="weight">${sum(study.weights_K)}</td></tr></tfoot>
    </table>`;
}

/** @param {Words} t @param {function(number): void} pick */
export function makeInsideRow(t, pick) {
  const element = elementOf(html`<div class="inside-row-box"></div>`);
  const lines = () => [...element.querySelectorAll("tbody tr")];
  let [wanted, brought] = ["", ""];
  let at = 0;
  return {
    element,
    /**
     * @param {CellStudy} study
     * @param {Array<{label: string, kind: string}>} keys
     * @param {number} chosen
     * @param {?PlainRow} plain
     */
    update(study, keys, chosen, plain) {
      render(rowTable(t, study, keys, chosen, plain, pick), element);
      at = chosen;
      wanted = [chosen, ...keys.map(({ label }) => label)].join("\n");
    },
    /** Brings the chosen key into view, where the box scrolls. */
    follow() {
      if (wanted !== brought) onceLaidOut(element, () => scrollToItem(element, lines()[at]));
      brought = wanted;
    },
  };
}
