// Two tables: the candidates of a step with all their numbers, and what the search found.

import { labelsOf } from "../../stage/draw/labels.js";
import { fixed, smallShare } from "../../stage/draw/numbers.js";
import { press } from "../../stage/page/elements.js";
import { headLine, kindToken } from "../../stage/page/table.js";
import { termed } from "../../stage/page/terms.js";
import { html, nothing } from "../../stage/page/html.js";
import { fateOf, nats, textOfNode } from "./says.js";

/** @param {Words} t @param {string[]} columns */
const headOf = (t, columns) => headLine(columns.map((name) => termed(t, `beam_column_${name}`)));

/** @param {unknown[]} cells */
const cellsOf = (cells) => cells.map((cell) => html`<td>${cell}</td>`);

/**
 * The candidates of a step.
 * @param {Words} t
 * @param {{answer: BeamAnswer, last: number, chosen: number, spelled: boolean}} shown
 * @param {function(number): void} choose
 */
export function stepTable(t, { answer, last, chosen, spelled }, choose) {
  const { tree } = answer;
  const places = tree.step.flatMap((step, at) => (step === last ? [at] : []));
  const line = (/** @type {number} */ at) => html`
    <tr data-fate=${tree.fate[at]} data-node=${at}>${cellsOf([tree.rank[at] + 1, html`
      <button type="button" class="as-link" dir="auto" aria-pressed=${at === chosen}
        @click=${press(() => choose(at))}>${textOfNode(t, answer, at, spelled)}</button>`,
  smallShare(Math.exp(tree.log_probability[at])), nats(tree.total[at]), fixed(tree.penalty[at], 3),
  nats(tree.score[at]), fateOf(t, tree, at, false)])}</tr>`;
  return html`
    <table>${headOf(t, ["rank", "text", "probability", "total", "penalty", "score", "fate"])}
      <tbody>${places.map(line)}</tbody></table>`;
}

/** What the search found. @param {Words} t @param {BeamAnswer} answer @param {string} after how it ended @param {function(number): void} choose */
export function foundTable(t, { found, tree, tokens, greedy, parting }, after, choose) {
  const isFound = tree.found.some((at) => tree.fate[at] === "finished");
  const ends = labelsOf(tokens, false, false, t);
  /** A text, or where it is empty the end token. @param {string} text @param {Label | undefined} end */
  const shown = (text, end) => (text !== "" || !end ? text : kindToken("beam-token", end));
  const { total, penalty, score } = parting.greedy;
  return html`
    <div class="beam-found-top"><h3>${t(isFound ? "beam_found" : "beam_found_none")}</h3>
      <p>${after}</p><p class="beam-found-measure">${t("beam_found_measure")}</p></div>
    <table>${headOf(t, ["rank", "text", "total", "penalty", "score"])}
      <tbody>
        ${found.texts.map((text, i) => html`
          <tr class=${i === 0 ? "won" : nothing}>${cellsOf([i + 1, html`
            <button type="button" class="as-link" dir="auto" title=${text}
              @click=${press(() => choose(tree.found[i]))}>${shown(text, ends[tree.found[i]])}</button>`,
  nats(found.total[i]), fixed(found.penalty[i], 3), nats(found.score[i])])}</tr>`)}
        <tr class="beam-greedy-row">${cellsOf([t("strategy_greedy"),
    shown(greedy.text, labelsOf(greedy.tokens, false, false, t).at(-1)), nats(total), fixed(penalty, 3),
    nats(score)])}</tr>
      </tbody></table>`;
}
