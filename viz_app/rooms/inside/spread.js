// Why scores are divided: all products of the head as a histogram, before and after, and what the
// softmax makes of the row at hand in both cases.

import { makeNumberChart } from "../../stage/draw/chart.js";
import { quoted } from "../../stage/draw/labels.js";
import { largestAt, shareText, shortNumber, smallShare, threeDigits } from "../../stage/draw/numbers.js";
import { headLine, numberCell, kindToken, weightCell } from "../../stage/page/table.js";
import { termed } from "../../stage/page/terms.js";
import { elementOf, html, render } from "../../stage/page/html.js";
import { insideRow, madeOf, symbolOf } from "./chain/panels.js";

const PRODUCTS = /** @type {Record<string, string>} */ ({ bilinear: "q W · k", additive: "a · tanh(q + k)" });

/** What a score is before it is divided, in the letters of the model. @param {?string} similarity */
export const productOf = (similarity) => PRODUCTS[similarity ?? ""] ?? "q · k";

const HALVES = /** @type {const} */ (["before", "after"]);
/** @typedef {typeof HALVES[number]} Half */

/**
 * What every sentence here needs: what is divided by, both spreads, and the keys that lead.
 * @param {SpreadStudy} study
 * @param {InsideLabels} labels
 */
function saidOf({ divides, divisor, d_k: dk, before, after, plain, divided, pairs, query, similarity }, labels) {
  const [first, second] = [plain, divided].map(({ weights_K: weights }) => largestAt(weights));
  return { product: productOf(similarity), left: similarity === "bilinear" ? "q W" : "q",
    root: `√${symbolOf(divides)}`, under: Math.round(divisor ** 2), divisor: shortNumber(divisor), d_k: dk, pairs,
    before: shortNumber(before.deviation), after: shortNumber(after.deviation),
    theory: shortNumber(Math.sqrt(dk)), query: quoted(labels.queries[query].label),
    plain_key: quoted(labels.keys[first].label), key: quoted(labels.keys[second].label),
    plain: shareText(plain.largest), own: shareText(divided.largest),
    plain_slope: smallShare(plain.slope), slope: smallShare(divided.slope) };
}

/**
 * The answer of the room: what the division does to the row at hand.
 * @param {Words} t
 * @param {SpreadStudy} study
 * @param {InsideLabels} labels
 */
export const spreadAnswer = (t, study, labels) => t(study.attention === "hard" ? "inside_spread_hard"
  : study.is_divided ? "inside_spread_says" : "inside_spread_would", saidOf(study, labels));

/** @param {Words} t @param {SpreadStudy} study @param {Half} half @param {?number} at a bar */
function pointedAt(t, study, half, at) {
  if (at === null) return "";
  const [from, count] = [study.edges_B[at], study[half].counts_B[at]];
  return t("inside_spread_bar", { from: shortNumber(from), to: shortNumber(from + study.step), count,
    pairs: study.pairs });
}

/** The bars with a number in them, in either half: the axis of both. @param {SpreadStudy} study */
function endsOf({ edges_B: edges, step, before, after }) {
  const filled = Array.from(edges).filter((_, i) => before.counts_B[i] || after.counts_B[i]);
  return [Math.min(0, ...filled), Math.max(0, ...filled) + step];
}

/**
 * @param {Words} t
 * @param {SpreadStudy} study
 * @param {Half} half
 * @param {?number} pointed
 */
function frameOf(t, study, half, pointed) {
  const { mean, deviation } = study[half];
  return { x: study.edges_B, y: study[half].counts_B, width: study.step, across: endsOf(study), pointed,
    bracket: { from: mean - deviation, to: mean + deviation,
      text: t("inside_spread_bracket", { spread: shortNumber(deviation) }) },
    title: t(`inside_spread_axis_${half}`, { product: productOf(study.similarity), root: `√${symbolOf(study.divides)}` }),
    label: t(`inside_spread_label_${half}`, { ...study, product: productOf(study.similarity), root: `√${symbolOf(study.divides)}`,
      spread: shortNumber(deviation), mean: shortNumber(mean) }) };
}

/** @param {Words} t @param {SpreadStudy} study @param {InsideLabels} labels */
function rowTable(t, study, labels) {
  const { plain, divided, allowed_K: allowed, products_QK: products, scores_QK: scores } = study;
  const K = labels.keys.length;
  const [product, score] = [products, scores].map((matrix) => insideRow(matrix, study.query, K));
  const [root, best, name] = [`√${symbolOf(study.divides)}`, largestAt(divided.weights_K), productOf(study.similarity)];
  const number = (/** @type {number} */ value, /** @type {number} */ k) => (allowed[k] ? numberCell(value) : html`<td>–</td>`);
  /** @type {[string, string, string][]} */
  const sums = [["inside_spread_most", shareText(plain.largest), shareText(divided.largest)],
    ["inside_spread_bits", threeDigits(plain.bits), threeDigits(divided.bits)],
    ["inside_spread_slope", smallShare(plain.slope), smallShare(divided.slope)]];
  return html`
    <table class="inside-row spread-row">
      ${headLine([termed(t, "inside_column_key"), ...[name, `${name} / ${root}`].flatMap((one) => [one, madeOf(study.attention, one)])])}
      <tbody>${labels.keys.map((label, k) => html`
        <tr class="${k === best ? "picked" : ""}${allowed[k] ? "" : " masked"}">
          <th scope="row">${kindToken("key-name", label)}</th>
          ${number(product[k], k)}${weightCell(plain.weights_K[k], shareText(plain.weights_K[k]), "plain")}
          ${number(score[k], k)}${weightCell(divided.weights_K[k], shareText(divided.weights_K[k]), "own")}</tr>`)}</tbody>
      <tfoot>${sums.map(([name, one, other]) => html`
        <tr><th scope="row" colspan="2">${termed(t, name)}</th><td>${one}</td><td class="spread-other" colspan="2">${other}</td></tr>`)}</tfoot>
    </table>`;
}

/** @param {Words} t @param {function(): void} redraw */
export function makeInsideSpread(t, redraw) {
  /** @type {Record<Half, ?number>} */
  const pointed = { before: null, after: null };
  const charts = /** @type {Record<Half, ReturnType<typeof makeNumberChart>>} */ (Object.fromEntries(
    HALVES.map((half) => [half, makeNumberChart("spread-chart", { point(at) {
      if (pointed[half] === at) return;
      pointed[half] = at;
      redraw();
    } }, redraw)])));
  const element = elementOf(html`<div class="inside-spread"></div>`);
  return {
    element,
    /** @param {SpreadStudy} study @param {InsideLabels} labels @param {InsideLook} look */
    update(study, labels, look) {
      const [said, isHard] = [saidOf(study, labels), study.attention === "hard"];
      render(html`
        <section class="inside-panel spread-all" data-panel="spread">
          <header class="panel-head"><h3 class="panel-name">${t("inside_spread_all", said)}</h3></header>
          <p class="panel-about">${t("inside_spread_symbols", said)}</p>
          ${HALVES.map((half) => html`
            <div class="spread-half"><p class="spread-formula" dir="ltr">${half === "before" ? said.product : `${said.product} / ${said.root}`}</p>
              <p class="spread-number">${said[half]}</p>
              ${charts[half].element}</div>`)}
          <p class="panel-about" aria-live="polite">${HALVES.map((half) => pointedAt(t, study, half, pointed[half]))}</p>
        </section>
        <section class="inside-panel" data-panel="spread-row">
          <header class="panel-head"><h3 class="panel-name">${t(`inside_spread_row${isHard ? "_hard" : ""}`, said)}</h3></header>
          <div class="inside-row-box">${rowTable(t, study, labels)}</div>
        </section>
        <section class="inside-panel spread-why" data-panel="why">
          <header class="panel-head"><h3 class="panel-name">${t("inside_spread_why")}</h3></header>
          <p>${t(`inside_spread_theory${study.similarity === "additive" ? "_additive" : ""}`, said)}</p>
          <p>${t(isHard ? "inside_spread_hard_about" : "inside_spread_learn", said)}</p>
        </section>`, element);
      for (const half of HALVES) charts[half].update(frameOf(t, study, half, pointed[half]), look);
    },
    destroy: () => HALVES.forEach((half) => charts[half].destroy()),
  };
}
