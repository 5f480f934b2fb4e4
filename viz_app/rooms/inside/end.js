// Where the way of a token ends: a target token at the logits and what they make of the next token,
// a source token as the encoder's output.

import { labelsOf, quoted } from "../../stage/draw/labels.js";
import { exactNumber, shortNumber } from "../../stage/draw/numbers.js";
import { headLine, numberCell, kindToken, weightCell } from "../../stage/page/table.js";
import { termed } from "../../stage/page/terms.js";
import { elementOf, html, nothing, render } from "../../stage/page/html.js";

const COLUMNS = ["token", "logit", "probability"];

/** A candidate: its token, its logit and its probability. @param {NonNullable<WayStudy["prediction"]>} prediction */
const lineOf = ({ candidates: { ids }, chosen, probabilities, logits }) =>
  (/** @type {Label} */ label, /** @type {number} */ i) => html`
    <tr class=${ids[i] === chosen ? "picked" : nothing}>
      <th scope="row">${kindToken("key-name", label)}</th>${numberCell(logits[i])}
      ${weightCell(probabilities[i], shortNumber(probabilities[i]))}</tr>`;

/** @param {Words} t @param {WayStudy} way @param {string} label @param {{digits: boolean}} look */
function insideEnd(t, { prediction, alone, D }, label, { digits }) {
  const token = quoted(label);
  if (!prediction) return html`<p class="way-memory">${t(alone ? "inside_memory_alone" : "inside_memory", { token, D })}</p>`;
  const { candidates, V } = prediction;
  const labels = labelsOf(candidates, false, false, t);
  const n = digits ? exactNumber : shortNumber;
  return html`
    <section class="inside-panel way-end">
      <header class="panel-head"><h3 class="panel-name">${termed(t, "inside_logits")}</h3>
        <code class="panel-formula" dir="ltr">z = y W,  p = softmax(z)</code>
        <span class="panel-shape" dir="ltr">d_model = ${D} → ${t("inside_shape_vocabulary", { V })}</span></header>
      <p class="panel-about">${t(alone ? "inside_logits_here" : "inside_logits_about", { token, V, n: candidates.ids.length })}</p>
      <table class="inside-row logits">
        ${headLine(COLUMNS.map((name) => termed(t, `inside_column_${name}`)))}
        <tbody>${labels.map(lineOf(prediction))}</tbody></table>
      <p class="panel-result">${t("inside_probability", { token: quoted(labels[0].label), logit: n(prediction.logits[0]),
    log_sum: n(prediction.log_sum), V, probability: n(prediction.probabilities[0]) })}</p>
    </section>`;
}

/** @param {Words} t */
export function makeInsideEnd(t) {
  const element = elementOf(html`<div class="way-right"></div>`);
  return {
    element,
    /** @param {WayStudy} way @param {string} label @param {{digits: boolean}} look */
    update: (way, label, look) => { render(insideEnd(t, way, label, look), element); },
  };
}
