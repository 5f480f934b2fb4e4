// The card of the model at hand: what it is made of, what it learnt from, how good it is, and what
// it cannot do.

import { fixed } from "../../draw/numbers.js";
import { html, makePart, nothing } from "../html.js";
import { dialog } from "../dialog.js";
import { titleAmong, trainingOf } from "../words.js";

/**
 * Numbers with their thousands apart, as the language in use writes them.
 * @param {number} number
 * @param {Words} t
 */
const counted = (number, t) => number.toLocaleString(t.language);

/** @param {(number | null)[]} score and how far off it may be @param {string} percent */
const withInterval = ([value, interval], percent) => `${fixed(value ?? 0, 1)}${percent}${
  interval === null ? "" : ` ± ${fixed(interval, 1)}`}`;

/** @param {unknown} text */
const paragraph = (text) => html`<p>${text}</p>`;

/**
 * A bar of the parts of the model, each as wide as its share of the parameters.
 * @param {Card["parts"]} parts
 * @param {Words} t
 */
function partsBar(parts, t) {
  const total = Object.values(parts).reduce((sum, count) => sum + count, 0);
  const share = (/** @type {number} */ count) => `${fixed((100 * count) / total, count < total / 100 ? 1 : 0)}%`;
  return html`
    <section><h4>${t("card_parameters", { n: counted(total, t) })}</h4>
      <div class="card-bar" aria-hidden="true">${Object.entries(parts).map(([part, count]) => html`
        <span data-part=${part} .style=${`flex-grow: ${count}`}></span>`)}</div>
      <ul class="card-parts">${Object.entries(parts).map(([part, count]) => html`
        <li data-part=${part}><span>${t(`part_${part}`)}</span><b>${share(count)}</b><small>${counted(count, t)}</small></li>`)}</ul>
    </section>`;
}

/** @param {Card} card @param {Model["taught"]} taught @param {Words} t */
function scoresTable({ scores, own, by_hand: byHand, training: { chosen } }, taught, t) {
  if (scores.length === 0) return nothing;
  const names = /** @type {const} */ (["bleu", "chrf", "exact_match"])
    .filter((name) => scores[0][name] !== null);
  const rates = byHand.map(({ kind, rate, pairs }) =>
    t(`card_rate_${kind}`, { rate: fixed(100 * rate, 1), pairs })).join(t("card_between"));
  return html`
    <section><h4>${t("card_scores")}</h4>
      ${chosen ? paragraph(t("card_scores_chosen")) : nothing}
      <table>
        <tr><td></td>${names.map((name) => html`<th>${t(`card_${name}`)}</th>`)}</tr>
        ${scores.map((score) => html`
          <tr><th>${score.width === 1 ? t("strategy_greedy") : t("card_beam", { n: score.width })}</th>
            ${names.map((name) => html`<td>${withInterval(score[name] ?? [], name === "exact_match" ? "%" : "")}</td>`)}</tr>`)}
      </table>
      ${names.includes("bleu") ? paragraph(t("card_interval")) : nothing}
      ${byHand.length === 0 ? nothing : paragraph(t(taught ? "card_alignment_taught" : "card_alignment", { rates }))}
      ${paragraph(t("card_own", { right: own.right, of: own.of }))}
      ${own.wrong.length === 0 ? nothing : html`
        <ul class="card-wrong">${own.wrong.map(([source, output]) => html`<li dir="auto">${source} → ${output || "∅"}</li>`)}</ul>`}
    </section>`;
}

/**
 * How the scores fall with the length of the sentence, a bar for each range of lengths.
 * @param {Card} card
 * @param {Words} t
 */
function lengthsBars({ lengths, usual, scores }, t) {
  if (lengths.length === 0) return nothing;
  const name = lengths[0].bleu ? "bleu" : "exact_match";
  const { width } = scores[scores.length - 1];
  const score = (/** @type {Card["lengths"][number]} */ row) => row[name]?.[0] ?? 0;
  return html`
    <section><h4>${t("card_lengths", { score: t(`card_${name}`),
    how: width === 1 ? t("strategy_greedy") : t("card_beam", { n: width }) })}</h4>
      <ul class="card-lengths">${lengths.map((row) => html`
        <li><span>${row.longest === null ? t("card_from", { n: row.shortest })
    : t("card_span", { n: row.shortest, m: row.longest })}</span><i .style=${`width: ${score(row)}%`}></i>
          <b>${fixed(score(row), 1)}</b><small>${t("card_sentences", { n: row.sentences })}</small></li>`)}</ul>
      ${usual ? paragraph(t("card_usual", { n: usual })) : nothing}
    </section>`;
}

/**
 * Its attentions, of a model of which nothing else is known, or that shares heads of keys.
 * @param {Model} model
 * @param {Words} t
 */
function sitesOf({ anatomy, card, device, dtype }, t) {
  const shares = anatomy.sites.some((one) => one.key_heads < one.heads);
  return card !== null && !shares ? nothing : html`
    <section>${anatomy.sites.map((one) => paragraph(t(one.key_heads < one.heads ? "card_site_shared" : "card_site",
    { ...one, site: t(`site_${one.site}_long`) })))}
      ${device ? paragraph(t("card_device", { device, dtype })) : nothing}</section>`;
}

/** A head as short as it is named anywhere. @param {number[]} place */
const numbered = ([layer, head]) => `L${layer + 1}H${head + 1}`;

/** @param {Model} model @param {Card["training"]} training @param {Words} t */
function aboutModel(model, { data, pairs, updates, begun, minutes, guided }, t) {
  const known = /** @type {const} */ (["norm_place", "positions", "similarity", "attention"])
    .map((name) => t(`kind_${model[name]}`)).join(t("card_between"));
  const learnt = `card_data_${data.split("-")[0]}`;
  const lines = [
    t("card_shape", { ...model, kinds: known }),
    t.has(learnt) ? t(learnt) : null,
    pairs ? t(begun === null ? "card_training" : "card_training_on", { pairs: counted(pairs, t),
      updates: counted(updates, t), begun: counted(begun ?? 0, t), minutes: Math.round(minutes) }) : null,
    guided && model.taught ? t("card_taught", {
      heads: model.taught.heads.map(numbered).join(t("card_between")),
      of: Number(model.decoder_layers) * Number(model.decoder_heads) }) : null,
    model.taught?.natural ? t("card_natural", { head: numbered(model.taught.natural) }) : null,
  ];
  return html`<section>${lines.filter(Boolean).map(paragraph)}</section>`;
}

/**
 * The same model at other updates of its training, where they are kept: a button each.
 * @param {Model[]} models
 * @param {Model} model
 * @param {Words} t
 * @param {function(string): void} choose
 */
function trainingSteps(models, model, t, choose) {
  const steps = trainingOf(models, model);
  return steps.length === 0 ? nothing : html`
    <section class="card-training"><h4>${t("card_earlier")}</h4>
      ${paragraph(t("card_earlier_says"))}
      <div class="switch" role="group" aria-label=${t("card_earlier")}>${steps.map((one) => html`
        <button type="button" class="choice" aria-pressed=${one === model} title=${titleAmong(models, one, t)}
          data-model=${one.name} @click=${() => choose(one.name)}>${counted(one.update, t)}</button>`)}</div></section>`;
}

/**
 * A sentence for each thing in which the model departs from the paper.
 * @param {Model} model
 * @param {Words} t
 */
function unusualOf(model, t) {
  const codes = model.anatomy?.unusual ?? [];
  return codes.length === 0 ? nothing : html`
    <section class="card-unusual"><h4>${t("card_unusual")}</h4>
      <ul>${codes.map((code) => html`<li>${t(`unusual_${code}`)}</li>`)}</ul></section>`;
}

/**
 * The dialog.
 * @param {Words} t
 * @param {Session} session
 */
export function makeCard(t, { state, actions }) {
  let isWanted = false; // it is made when it is looked at

  function choose(/** @type {string} */ name) {
    element.close();
    actions.setModel(name);
  }

  function content() {
    const { model, options: { models } } = state;
    const { card } = model;
    return [
      state.canAsk ? trainingSteps(models, model, t, choose) : nothing,
      sitesOf(model, t),
      unusualOf(model, t),
      card === null ? nothing : [aboutModel(model, card.training, t),
        Object.keys(card.parts).length > 0 ? partsBar(card.parts, t) : nothing, scoresTable(card, model.taught, t),
        lengthsBars(card, t)],
      html`
        <section><h4>${t("card_bring")}</h4>${paragraph(t("card_bring_how"))}
          <pre>python -m viz_app --checkpoints FOLDER</pre></section>`];
  }

  /** @type {{element: HTMLDialogElement, update: function(): void}} */
  const { element, update } = makePart(() => dialog(t, "card", t("card"), isWanted ? content() : nothing, { head: html`
    <h3>${titleAmong(state.options.models, state.model, t)}</h3>
    <code>${state.model.name} · ${state.model.fingerprint}</code>` }));

  function show() {
    isWanted = true;
    update();
    element.showModal();
  }

  return { element, show };
}
