// What another order changed: attention and predictions, as tables.

import { labelOf } from "../../../stage/draw/labels.js";
import { powers, shortNumber, shortProbability } from "../../../stage/draw/numbers.js";
import { options } from "../../../stage/page/elements.js";
import { html, makePart, nothing } from "../../../stage/page/html.js";
import { SITES } from "../../../stage/anatomy.js";

/** @typedef {"on" | "off"} Mode with positions, or without */
const MODES = /** @type {Mode[]} */ (["on", "off"]);

const rough = (/** @type {number} */ number) => (number >= 0.0005 ? shortNumber(number) : powers(number, 0));
/**
 * What an encoder alone predicts stands at its tokens; other models predict the next one.
 * @param {Words} t
 * @param {PositionOrder} held
 * @param {string} name
 */
const said = (t, held, name) => t(`positions_${name}${held.predicting === "source" ? "_at" : ""}`);

/**
 * A change of the largest number; one that is 0 by proof says so.
 * @param {Words} t
 * @param {{largest: number, verdict: string} | undefined} change
 * @param {number} columns
 */
function changeCell(t, change, columns = 1) {
  if (!change) return html`<td></td>`;
  const [isSure, value] = [change.verdict === "proven", rough(change.largest)];
  return html`
    <td class=${isSure ? "sure" : nothing} title=${isSure ? t("positions_sure") : nothing}
      colspan=${columns > 1 ? columns : nothing}>${isSure ? t("positions_same", { value }) : value}</td>`;
}

/**
 * What changed: one row per site, one column per layer, with positions and without.
 * @param {Words} t
 * @param {PositionOrder} held
 */
function changesTable(t, held) {
  const layers = Array.from({ length: Math.max(...held.on.changes.map(({ layer }) => layer)) + 1 }, (_, layer) => layer);
  const ofSite = (/** @type {Site} */ site) => MODES.map((mode) => layers.map((layer) =>
    changeCell(t, held[mode].changes.find((one) => one.site === site && one.layer === layer))));
  const { at } = held;
  return html`
    <table class="positions-changes"><caption>${t("positions_changes")}</caption>
      <thead>
        <tr><td></td>${MODES.map((mode) => html`
          <th scope="colgroup" colspan=${layers.length > 1 ? layers.length : nothing}>${t(`positions_${mode}`)}</th>`)}</tr>
        <tr><td></td>${MODES.map(() => layers.map((layer) => html`<th scope="col">${t("layer_short", { n: layer + 1 })}</th>`))}</tr>
      </thead>
      <tbody>
        ${SITES.filter((site) => held.on.changes.some((one) => one.site === site)).map((site) => html`
          <tr><th scope="row">${t(`site_${site}`)}</th>${ofSite(site)}</tr>`)}
        ${at === null ? nothing : html`
          <tr><th scope="row">${said(t, held, "prediction")}</th>${MODES.map((mode) => changeCell(t,
    { largest: held[mode].predictions[at], verdict: held[mode].predictions_verdict }, layers.length))}</tr>`}
      </tbody></table>`;
}

/** What may be written before and after the change. @param {Words} t @param {string} title @param {Likely[]} list */
const guesses = (t, title, list) => html`
  <div><h4>${t(title)}</h4>${list.map((item) => html`
    <p class="positions-guess"><span class="positions-guess-text" dir="auto">${labelOf(item, false, false, t)}</span>
      <span class="number">${shortProbability(item.probability)}</span></p>`)}</div>`;

/**
 * What changed, as a table; the predictions under it.
 * @param {Words} t
 * @param {{mode: Mode, at: ?number}} look see order.js
 * @param {Redraw} redraw
 */
export function makeOrderReport(t, look, redraw) {
  function choose(/** @type {any} */ { target }) {
    look.at = Number(target.value);
    redraw();
  }

  /** @param {PositionOrder} held @param {Label[]} target */
  const report = (held, target) => html`
    ${changesTable(t, held)}
    <section ?hidden=${held.at === null}>
      <header class="positions-bar"><h3>${said(t, held, "next")}</h3>
        <select class="positions-select" aria-label=${t("positions_after")} data-pick="at" data-asks="" @change=${choose}>
          ${options(target.map(({ label }, i) => [i, `${i} · ${label}`]), look.at ?? held.at ?? 0)}</select></header>
      <div class="positions-guesses">${held.at === null ? nothing : [
    guesses(t, "positions_map_before", held[look.mode].candidates_before),
    guesses(t, "positions_after_change", held[look.mode].candidates_after)]}</div></section>
    <p class="positions-quiet">${t("positions_sure_mark")}</p>`;

  return makePart((/** @type {?PositionOrder} */ held = null, /** @type {Label[]} */ target = []) => html`
    <div class="positions-report">${held && report(held, target)}</div>`);
}
