// Which numbers LayerNorm averages and which BatchNorm, on what enters the norm of one sub-layer for a
// batch of two sentences, and what both make of one number when the batch is another.

import { makeGrid } from "../../stage/draw/grid.js";
import { labelsOf, quoted } from "../../stage/draw/labels.js";
import { exactNumber, largestOf, shortNumber } from "../../stage/draw/numbers.js";
import { makeWordSwitch } from "../../stage/page/elements.js";
import { headLine } from "../../stage/page/table.js";
import { termed } from "../../stage/page/terms.js";
import { html, makePart, nothing } from "../../stage/page/html.js";

const NORMS = /** @type {const} */ (["before", "layer", "batch"]);
const BAR = 62; // CSS pixels for the printed scale at the normal type size

/**
 * What is chosen; what is null is the page's to choose.
 * @typedef {{row: ?number, feature: ?number, norm: typeof NORMS[number]}} NormsLook
 * @typedef {{name: string, count: number, mean: number, deviation: number, left: number}} NormsLine
 */

/** How many features are there. @param {NormsStudy} study */
const featuresOf = (study) => study.whole.mean_F.length;

/**
 * The feature that shows most: for which it makes most of a difference what else is in the batch.
 * @param {NormsStudy} study
 * @param {number} row
 */
function tellingOf(study, row) {
  const F = featuresOf(study);
  const other = row * F < study.alone.left_NF.length ? study.alone : study.padded;
  let [best, most] = [0, -1];
  for (let feature = 0; feature < F; feature += 1) {
    const at = row * F + feature;
    const apart = Math.abs(study.whole.left_NF[at] - other.left_NF[at]);
    if (apart > most) [best, most] = [feature, apart];
  }
  return best;
}

/**
 * The token and the feature at hand: what is chosen, as far as the study has it.
 * @param {NormsStudy} study
 * @param {NormsLook} look
 * @param {number} query
 */
export function normsPlace(study, { row, feature }, query) {
  const own = study.tokens[0].ids.length;
  const at = row !== null && row < study.is_pad_N.length ? row : Math.min(query, own - 1);
  return { row: at, column: feature !== null && feature < featuresOf(study) ? feature : tellingOf(study, at) };
}

/**
 * One number under both norms: LayerNorm, and BatchNorm with every batch that there is.
 * @param {NormsStudy} study
 * @param {{row: number, column: number}} place
 */
export function normsAt(study, { row, column }) {
  const F = featuresOf(study);
  const at = row * F + column;
  const x = study.entered_NF[at];
  const { layered } = study;
  const isPadded = study.padded.count > study.whole.count;
  const isFirst = at < study.alone.left_NF.length && study.alone.count < study.whole.count;
  /** @type {("whole" | "padded" | "alone")[]} */
  const names = ["whole", ...(isPadded ? /** @type {const} */ (["padded"]) : []),
    ...(isFirst ? /** @type {const} */ (["alone"]) : [])];
  /** @type {NormsLine[]} */
  const batches = names.map((name) => ({ name, count: study[name].count, mean: study[name].mean_F[column],
    deviation: study[name].deviation_F[column], left: study[name].left_NF[at] }));
  return { x, count: layered.count, mean: layered.mean_N[row], deviation: layered.deviation_N[row],
    left: layered.left_NF[at],
    batches: [...batches, { name: "single", count: 1, mean: x, deviation: study.single, left: 0 }] };
}

/** The tokens of the batch, below one another. @param {Words} t @param {NormsStudy} study @param {boolean} isTarget @param {boolean} spelled */
const rowsOf = (t, study, isTarget, spelled) =>
  study.tokens.flatMap((tokens) => labelsOf(tokens, isTarget, spelled, t));

/**
 * The answer of the room: one number under both norms.
 * @param {Words} t
 * @param {ReturnType<typeof normsAt>} at
 * @param {string} token
 * @param {number} feature
 */
function normsAnswer(t, { left, batches }, token, feature) {
  const [whole, alone] = ["whole", "alone"].map((name) => batches.find((one) => one.name === name));
  return t(alone ? "inside_norms_says" : "inside_norms_says_other", { token: quoted(token), feature,
    layer: shortNumber(left), whole: shortNumber(whole?.left ?? 0), alone: shortNumber(alone?.left ?? 0) });
}

/**
 * A norm with the numbers that it takes and what it makes of one.
 * @param {Words} t
 * @param {string} name
 * @param {string} averages what it averages, in words
 * @param {number} x
 * @param {{mean: number, deviation: number, left: number}} by
 */
function panelOf(t, name, averages, x, { mean, deviation, left }) {
  const said = { x: shortNumber(x), mean: shortNumber(mean), spread: shortNumber(deviation), left: shortNumber(left) };
  return html`
    <section class="inside-panel" data-panel="norms-${name}">
      <header class="panel-head"><h3 class="panel-name">${termed(t, `inside_norms_name_${name}`)}</h3></header>
      <p>${averages}</p>
      <p class="norms-result" title=${`${exactNumber(x)}, ${exactNumber(mean)}, ${exactNumber(deviation)}, ${exactNumber(left)}`}>${t("inside_norms_result", said)}</p>
    </section>`;
}

/** The same number with every batch. @param {Words} t @param {ReturnType<typeof normsAt>} at */
function tableOf(t, { left, batches }) {
  const names = ["column_mean", "column_spread", "name_batch", "name_layer"].map((name) => termed(t, `inside_norms_${name}`));
  return html`
    <table class="norms-batches">
      ${headLine([t("inside_norms_column_batch"), ...names])}
      <tbody>${batches.map((one) => html`
        <tr><th scope="row">${t(`inside_norms_of_${one.name}`, { count: one.count })}</th>
          ${[one.mean, one.deviation, one.left, left].map((value, i) => html`
            <td class=${i > 1 ? "norms-left" : ""} title=${exactNumber(value)}>${shortNumber(value)}</td>`)}</tr>`)}</tbody>
    </table>`;
}

/**
 * @param {Words} t
 * @param {NormsLook} chosen
 * @param {function(Partial<NormsLook>): void} choose
 * @param {function(): void} redraw
 */
export function makeInsideNorms(t, chosen, choose, redraw) {
  /** @type {?{row: number, column: number}} */
  let pointed = null;
  const numbers = makeWordSwitch(t, "norm", "inside_norms_numbers", "inside_norms_numbers", NORMS,
    (norm) => choose({ norm: /** @type {NormsLook["norm"]} */ (norm) }));
  const grid = makeGrid(t, { box: "norms-grid", data: { grid: "norms" }, redraw,
    point(place) {
      pointed = place;
      redraw();
    },
    keep({ row, column }) {
      pointed = null;
      choose({ row, feature: column });
    } });
  const { element, update } = makePart((/** @type {unknown} */ beside = nothing, shown = "") => html`
    <div class="inside-norms">
      <section class="inside-panel norms-whole" data-panel="norms">${numbers.element}${grid.element}<p class="panel-about">${shown}</p></section>
      <div class="norms-beside" aria-live="polite">${beside}</div></div>`);
  return {
    element,
    /**
     * @param {NormsStudy} study
     * @param {{query: number, isTarget: boolean, spelled: boolean}} of
     * @param {Look} look
     * @returns {string} the answer
     */
    update(study, { query, isTarget, spelled }, look) {
      const place = normsPlace(study, chosen, query);
      const labels = rowsOf(t, study, isTarget, spelled);
      const F = featuresOf(study);
      const normed = { layer: study.layered.left_NF, batch: study.whole.left_NF };
      const seen = { before: study.entered_NF, ...normed }[chosen.norm];
      const scaled = chosen.norm === "before" ? [seen] : Object.values(normed); // both norms have one scale
      const under = pointed ?? place;
      const at = normsAt(study, under);
      const token = labels[under.row].label;
      const [first] = at.batches;
      numbers.update(chosen.norm);
      update(html`
        ${panelOf(t, "layer", t("inside_norms_layer", { token: quoted(token), D: at.count }), at.x, at)}
        ${panelOf(t, "batch", t("inside_norms_batch", { feature: under.column, count: first.count }), at.x, first)}
        <section class="inside-panel" data-panel="norms-why">
          <header class="panel-head"><h3 class="panel-name">${t("inside_norms_why")}</h3></header>
          ${tableOf(t, at)}
          <p>${t("inside_norms_because")}</p>
        </section>`, t("inside_norms_shown", { F, D: study.D }));
      grid.measure();
      grid.update({ key: [study, chosen.norm], kind: "signed", limit: largestOf(scaled.map(largestOf)), bar: BAR, thin: 2,
        rows: { labels, count: labels.length, title: t("inside_norms_rows") },
        columns: { labels: null, count: F, title: t("inside_norms_axis") },
        value: (row, column) => seen[row * F + column], pointed, kept: place, cross: true,
        label: t("inside_norms_label", { rows: labels.length, F }) }, look);
      return normsAnswer(t, at, token, under.column);
    },
    destroy: grid.destroy,
  };
}
