// One head's page: what it does, how far it looks, what attracts it, the sentences where it does most
// of it, and what it is worth on this sentence.

import { writes } from "../../stage/anatomy.js";
import { labelsOf, placeOfHead, quoted } from "../../stage/draw/labels.js";
import { fixed, largestAt, largestOf, shareText, threeDigits } from "../../stage/draw/numbers.js";
import { press } from "../../stage/page/elements.js";
import { termed } from "../../stage/page/terms.js";
import { elementOf, html, nothing, render } from "../../stage/page/html.js";
import { ofHead, toggled } from "../../stage/run/edits.js";
import { editsOf } from "../../stage/run/able.js";
import { singlesFromBase64 } from "../../stage/run/wire.js";
import { briefPlace, measureOfWord, rankOf, restOf, spelledMeasure, wordRead } from "./numbers.js";

const MOST_RESTS = 6; // tokens that are drawn

/**
 * What is lost on one sentence without a head: its loss, what is added to it, and the token that moves
 * the most.
 * @param {NonNullable<HeadsAnswer["effect"]>} found
 */
export function lostOn({ with_T, zero_T, mean_T }) {
  const [before, zero] = [with_T, zero_T].map(singlesFromBase64);
  const loss = (/** @type {Float32Array} */ list) =>
    -list.reduce((sum, one) => sum + one, 0) / list.length;
  const added = (/** @type {Float32Array} */ list) => loss(list) - loss(before);
  const moved = Array.from(before, (one, i) => Math.abs(Math.exp(one) - Math.exp(zero[i])));
  const at = largestAt(moved);
  return { before: loss(before), zero: added(zero),
    mean: mean_T ? added(singlesFromBase64(mean_T)) : null,
    most: moved[at] < 0.0005 ? null : { at, before: Math.exp(before[at]), after: Math.exp(zero[at]) } };
}

/**
 * A change with whether the model does worse or better then; `worse`: the sign of a change for the worse.
 * @param {Words} t
 * @param {?number | undefined} value
 * @param {1 | -1} worse
 */
export function changeText(t, value, worse) {
  if (value === null || value === undefined) return "";
  const text = spelledMeasure("loss_zero", value);
  return /[1-9]/.test(text) ? t(worse * value > 0 ? "heads_worse" : "heads_better", { change: text }) : text;
}

/**
 * What is lost without a head: a line for each number, with it, without it, and with its mean.
 * @param {Words} t
 * @param {HeadsMeasured} answer
 * @param {Record<string, number>} values
 * @param {?ReturnType<typeof lostOn>} here
 */
function linesOf(t, { measured }, values, here) {
  const number = (/** @type {?number | undefined} */ one) => (one === null || one === undefined ? "" : threeDigits(one));
  /** @type {function(string, number | null, any, any, 1 | -1=): string[]} */
  const line = (name, before, zero, mean, worse = 1) => [t(name, { n: measured.sentences }), number(before),
    changeText(t, zero, worse), changeText(t, mean, worse)];
  return [
    ...(values.loss_zero === undefined ? [] : [
      line("heads_lost_loss", measured.loss, values.loss_zero, values.loss_mean),
      line("heads_lost_exact", measured.exact, values.exact_zero, values.exact_mean, -1)]),
    ...(here ? [line("heads_lost_here", here.before, here.zero, here.mean)] : []),
  ];
}

/**
 * The part of a head's page that says what is lost without it.
 * @param {Words} t
 * @param {HeadsMeasured} answer
 * @param {Record<string, number>} values
 * @param {State} state
 */
function lostPart(t, answer, values, { run }) {
  const { effect } = answer; // undefined: it is not in this page
  const here = effect ? lostOn(effect) : null;
  const lines = linesOf(t, answer, values, here);
  const isPossible = run.anatomy.edits.includes("head-off") && writes(run);
  const why = !isPossible ? "" : t(effect === undefined ? "heads_here_alone" : "heads_here_none");
  const most = effect && here?.most ? t("heads_here_most", { token: quoted(labelsOf(effect.chosen, false, false, t)[here.most.at].label),
    before: threeDigits(here.most.before), after: threeDigits(here.most.after) }) : here ? "" : why;
  const isEdited = (run.recipe.edits ?? []).length > 0;
  return html`
    <section aria-label=${t("heads_lost")} ?hidden=${lines.length === 0 && most === ""}><h4>${t("heads_lost")}</h4>
      <table class="heads-lost" ?hidden=${lines.length === 0}>
        <tr><td></td>${["heads_lost_with", "heads_lost_zero", "heads_lost_mean"].map((name) => html`
          <th scope="col" title=${t(`${name}_hint`)}>${t(name)}</th>`)}</tr>
        ${lines.map(([name, ...numbers]) => html`
          <tr><th scope="row">${name}</th>${numbers.map((text) => html`<td>${text}</td>`)}</tr>`)}</table>
      <p>${isEdited ? t("heads_untouched", { n: answer.measured.sentences }) : ""}</p>
      <p>${most}</p></section>`;
}

/** What the sentences of a head have in common, by its word. @param {Words} t @param {string} word */
const titleOfSentences = (t, word) => (word === "sharp" || word === "spread"
  ? t(`heads_sentences_${word}`) : t("heads_sentences", { place: t(`heads_measure_${word}`) }));

/** How many times as much a token gets as from a head that looks at all alike. @param {HeadToken} one */
const pullOf = ({ share, even }) => share / Math.max(even, 1e-9);

/** A bar for every distance; each says its share. @param {string} packed */
function barsOf(packed) {
  const shares = singlesFromBase64(packed);
  const [most, far] = [largestOf(shares), (shares.length - 1) / 2];
  return Array.from(shares, (share, i) => html`
    <span title="${fixed(i - far, 0)}: ${threeDigits(share)}" data-at=${(i - far) % 4 === 0 ? fixed(i - far, 0) : ""}>
      <i .style=${`height: ${(100 * share) / most}%`}></i></span>`);
}

/** @param {Words} t @param {HeadToken} one */
const tokenOf = (t, one) => html`
  <span class="kind token" dir="auto" data-kind=${one.kind}
    title=${t("heads_token_hint", { share: shareText(one.share), even: shareText(one.even) })}>
    ${`${one.text} `}<small>×${fixed(pullOf(one), 1)}</small></span>`;

/** That a head was taught what it does, and which one was not. @param {Words} t @param {Model} model @param {HeadPlace} place */
export function taughtOf(t, { taught }, { site, layer, head }) {
  if (site !== "cross" || !taught?.heads.some((one) => one[0] === layer && one[1] === head)) return [];
  const { natural } = taught;
  return [natural ? t("heads_taught_natural", { layer: natural[0] + 1, head: natural[1] + 1 }) : t("heads_taught")];
}

/** Of a hundred, whole; 100 only where it is all of them. @param {number} share */
export function hundredthsOf(share) {
  const rounded = Math.round(100 * share);
  return rounded === 100 && share < 1 ? fixed(Math.min(99.9, 100 * share), 1) : String(rounded);
}

/** Which word of the source it reads, where that is known. @param {Words} t @param {MeasuredHead["values"]} values */
function readsOf(t, values) {
  const read = wordRead(values);
  return read ? [t(`heads_reads_${read.most}`, { n: hundredthsOf(read.share) })] : [];
}

/**
 * Why a head can rest on a special token: beside its weight how long a vector it hands over, and those of others.
 * @param {Words} t
 * @param {HeadsMeasured} answer
 */
function restPart(t, { rest }) {
  const found = rest ? restOf(rest) : null;
  if (!rest || !found) return nothing;
  const { at, order, weights, lengths, others, share } = found;
  const labels = labelsOf(rest.keys, false, false, t);
  const most = { weights: largestOf(weights) || 1, lengths: largestOf(lengths) || 1 };
  const said = [t("heads_rest", { token: quoted(labels[at].label), weight: threeDigits(weights[at]), length: threeDigits(lengths[at]),
    others: threeDigits(others), share: threeDigits(share) }), ...(share < weights[at] / 2 ? [t("heads_rest_nothing")] : [])];
  /** @param {"weights" | "lengths"} name @param {number} value */
  const bar = (name, value) => html`<td class="heads-rest-bar"><i .style=${`width: ${(60 * value) / most[name]}%`}></i>${threeDigits(value)}</td>`;
  return html`
    <section aria-label=${t("heads_rest_title")}><h4>${t("heads_rest_title")}</h4>
      <p>${said.join(t("sentences_between"))}</p>
      <table class="heads-rest"><tr><td></td><th scope="col">${t("heads_rest_weight")}</th><th scope="col">${t("heads_rest_length")}</th></tr>
        ${order.slice(0, MOST_RESTS).map((key) => html`
          <tr><th scope="row"><span class="kind" dir="auto" data-kind=${labels[key].kind}>${labels[key].label}</span></th>${
  bar("weights", weights[key])}${bar("lengths", lengths[key])}</tr>`)}</table></section>`;
}

/** Beside what was counted, all that is said of a head in words. @param {Words} t @param {Model} model @param {MeasuredHead} one */
const aboutOf = (t, model, one) => [...readsOf(t, one.values), ...taughtOf(t, model, one)].join(t("sentences_between"));

/**
 * The longest that is said of any head, whose place what is said of one has: what is below never moves.
 * @param {Words} t
 * @param {Model} model
 * @param {MeasuredHead[]} heads
 */
export function longestSaid(t, model, heads) {
  const longest = (/** @type {string[]} */ texts) => texts.reduce((most, text) => (text.length > most.length ? text : most), "");
  const words = [...new Set(heads.map(({ word }) => word))];
  return { does: longest(words.map((word) => t(`heads_does_${word}`, { number: threeDigits(0) }))),
    about: longest(heads.map((one) => aboutOf(t, model, one))) };
}

/**
 * What the room says first: what the head does, and where it stands among all by what is lost without each.
 * @param {Words} t
 * @param {Model} model
 * @param {HeadsMeasured} answer
 * @param {MeasuredHead} chosen
 * @param {MeasuredHead[]} heads
 * @param {function(HeadPlace): void} choose
 */
function headSays(t, model, { head }, chosen, heads, choose) {
  const measure = chosen.values[measureOfWord(head.word)];
  const most = longestSaid(t, model, heads);
  const place = rankOf(heads, chosen);
  return html`
    <h3 aria-live="polite">${placeOfHead(t, chosen)}</h3>
    <p class="heads-does" data-longest=${most.does}><span>${termed(t, `heads_does_${head.word}`,
    { number: measure === undefined ? "–" : threeDigits(measure) })}</span></p>
    ${place === null ? nothing : html`<p class="heads-rank"><span>${t("heads_rank", place)}</span>
      ${place.most.map((one) => html`<button type="button" class="as-link" data-rank="" @click=${press(() => choose(one))}
        aria-current=${one === chosen ? "true" : nothing}>${`${briefPlace(t, one)} ${spelledMeasure("loss_zero", one.values.loss_zero)}`}</button>`)}</p>`}
    <p class="heads-reads" data-longest=${most.about} ?hidden=${most.about === ""}><span>${aboutOf(t, model, chosen)}</span></p>`;
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {HeadsMeasured} answer
 * @param {MeasuredHead} chosen
 * @param {function(HeadPlace): void} choose
 */
function headPage(t, { state, actions }, answer, chosen, choose) {
  const { head } = answer;
  const { values } = chosen;
  const most = head.like && { site: head.site, layer: head.like[0], head: head.like[1] };
  const turnOff = () => {
    actions.edit(toggled(editsOf(state), ofHead("head-off", chosen.site, chosen)));
    actions.enter("translate");
  };
  const show = (/** @type {string} */ source) => {
    actions.type(source);
    actions.translate();
  };
  const byPull = [...head.tokens].sort((a, b) => pullOf(b) - pullOf(a));
  return html`
    <p class="heads-acts">
      <button type="button" class="primary" title=${t("heads_open_hint")} data-act="heads-open"
        @click=${press(() => actions.enter("translate"))}>${t("heads_open")}</button>
      <button type="button" title=${t("heads_off_hint")} data-act="heads-off" data-asks=""
        ?hidden=${!state.run.anatomy.edits.includes("head-off")} @click=${press(turnOff)}>${t("heads_off")}</button></p>
    <div class="heads-worth">
      ${lostPart(t, answer, values, state)}
      <section ?hidden=${!most}><h4>${t("heads_like")}</h4>
        <button type="button" class="as-link" @click=${press(() => { if (most) choose(most); })}>${most && briefPlace(t, most)}</button>
        <p>${most && t("heads_like_cosine", { number: threeDigits(values.likeness) })}</p></section></div>
    ${restPart(t, answer)}
    <div class="heads-facts">
      <section aria-label=${t("heads_distances")}><h4>${t("heads_distances")}</h4>
        <div class="heads-bars" role="img" aria-label=${t("heads_distances")}>${barsOf(head.distances_N)}</div>
        <p class="heads-quiet">${t("heads_distances_axis")}</p></section>
      <section aria-label=${t("heads_tokens")} ?hidden=${byPull.length === 0}><h4>${t("heads_tokens")}</h4>
        <div class="heads-tokens">${byPull.map((one) => tokenOf(t, one))}</div></section></div>
    <section><h4>${titleOfSentences(t, head.word)}</h4>
      <ol class="heads-sentences">${head.sentences.map((one) => html`
        <li><button type="button" class="heads-sentence" dir="auto" title=${t("heads_sentence_hint")} data-asks=""
          @click=${press(() => show(one.source))}>${one.source}</button>
          <small>${head.word === "spread" ? threeDigits(one.amount) : shareText(one.amount)}</small></li>`)}</ol></section>`;
}

/** @param {Words} t @param {Session} session @param {{choose: function(HeadPlace): void}} acts */
export function makeHeadPage(t, session, { choose }) {
  const says = elementOf(html`<header class="heads-title"></header>`);
  const element = elementOf(html`<section class="heads-page"></section>`);
  /** @type {?HeadsMeasured["head"]} */
  let shown = null;
  return {
    says,
    element,
    /** @param {HeadsMeasured} answer @param {MeasuredHead} chosen @param {MeasuredHead[]} heads */
    update(answer, chosen, heads) {
      if (shown === answer.head) return;
      shown = answer.head;
      render(headSays(t, session.state.model, answer, chosen, heads, choose), says);
      render(headPage(t, session, answer, chosen, choose), element);
    },
    /** What the head does, in a sentence. */
    does: () => says.querySelector(".heads-does")?.textContent ?? "",
    /** The chart of how far the head looks. */
    distances: () => element.querySelector(".heads-facts > section"),
  };
}
