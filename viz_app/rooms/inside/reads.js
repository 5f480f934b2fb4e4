// What one row of a head does, in words and drawn, before any formula: who asks, which keys its query is
// compared with, what is handed on, and where that goes.

import { columnsOf, siteOf } from "../../stage/anatomy.js";
import { labelOfWord, quoted } from "../../stage/draw/labels.js";
import { shortNumber, threeDigits } from "../../stage/draw/numbers.js";
import { LEAST_SAID } from "../../stage/choices.js";
import { termed } from "../../stage/page/terms.js";
import { elementOf, html, nothing, render } from "../../stage/page/html.js";
import { editOf } from "./chain/panels.js";

const BETWEEN = 3; // letters that two keys stand apart
const FEW = 60; // letters of keys that have room in larger type

/** `words`: which keys make one. @typedef {{study: CellStudy, labels: InsideLabels, words: number[][], key: number, written: ?Label}} Reading */

/** The keys that may be looked at, the best first. @param {CellStudy} study */
const rankedOf = ({ logits_K: logits, allowed_K: allowed }) => [...logits.keys()]
  .filter((key) => allowed[key]).sort((one, other) => logits[other] - logits[one]);

/** Which tokens are asked, as a word of `inside_keys_`. @param {Pick<State, "model">} state @param {CellStudy} study */
function askedOf({ model }, { site, query, allowed_K: allowed }) {
  const { causal } = siteOf(model, site);
  const isUsual = [...allowed].every((isOpen, key) => Boolean(isOpen) === (!causal || key <= query));
  return !isUsual ? "open" : causal ? "before" : columnsOf(model, site);
}

/** That a key is only a part of a word; none where it is all of it. @param {Words} t @param {Reading} reading @param {number} key */
function partSaid(t, { labels: { keys }, words }, key) {
  const word = words.find((one) => one.includes(key)) ?? [key];
  return word.length < 2 ? [] : [t("inside_part", { token: quoted(keys[key].label),
    word: quoted(labelOfWord(word.flatMap((at) => keys[at] ?? []))) })];
}

/**
 * What the row does in two plain sentences, and a third where a key is chosen that is not the best.
 * @param {Words} t
 * @param {Pick<State, "model">} state
 * @param {Reading} reading
 * @returns {string[]}
 */
export function readsSentences(t, state, reading) {
  const { study, labels, key, written } = reading;
  const [best, second] = rankedOf(study);
  const named = (/** @type {number} */ at) => quoted(labels.keys[at].label);
  const query = quoted(labels.queries[study.query].label);
  const here = { query, key: named(key), weight: threeDigits(study.weights_K[key]) };
  const chosen = study.allowed_K[key] ? "inside_chosen"
    : study.weights_K[key] === 0 ? "inside_says_masked" : "inside_says_even";
  if (best === undefined) return [t(chosen, here)];
  const isOnly = second === undefined;
  const asks = t(`inside_asks${study.site === "cross" ? "_cross" : ""}`, { query }); // of two sentences, which may share a word
  const said = { asks, query, best: named(best), score: shortNumber(study.logits_K[best]), weight: threeDigits(study.weights_K[best]),
    written: written ? quoted(written.label) : "", second: isOnly ? "" : named(second),
    other: isOnly ? "" : shortNumber(study.logits_K[second]), keys: t(`inside_keys_${askedOf(state, study)}`) };
  const wins = t(`inside_${isOnly ? "only" : "wins"}${written ? "_step" : ""}`, said);
  return [[wins, ...partSaid(t, reading, best)].join(t("sentences_between")),
    t(`inside_so${editOf(study, study.head) || (isOnly ? "_only" : "")}`, said), ...(key === best ? [] : [t(chosen, here)])];
}

/** What is handed on: the values of the two largest weights. @param {Words} t @param {Reading} reading */
function handedOn(t, { study, labels }) {
  const edit = editOf(study, study.head);
  if (edit) return t(`inside_reads${edit}`);
  const weights = study.dropped_K;
  const [first, second, ...others] = [...weights.keys()].filter((key) => weights[key] > 0)
    .sort((one, other) => weights[other] - weights[one]);
  const shown = weights[second] < LEAST_SAID ? [first] : [first, second];
  const isMore = second !== undefined && (shown.length < 2 || others.length > 0);
  return [...shown.filter((key) => key !== undefined).map((key) => `${threeDigits(weights[key])} × ${quoted(labels.keys[key].label)}`),
    ...(isMore ? ["…"] : [])].join(" + ");
}

/**
 * @param {Words} t
 * @param {ReturnType<typeof import("./tokens.js").makeInsideTokens>} keys
 */
export function makeInsideReads(t, keys) {
  const element = elementOf(html`<div class="inside-reads"></div>`);
  const to = html`<span class="reads-to" aria-hidden="true">→</span>`;
  /** @param {string} name @param {unknown} what @param {string} [kind] */
  const end = (name, what, kind) => html`<p class="reads-end"><span class="reads-name">${termed(t, `inside_reads_${name}`)}</span>
    <strong class="kind" dir="auto" data-kind=${kind ?? nothing}>${what}</strong></p>`;
  return {
    element,
    /** @param {Reading} reading */
    update(reading) {
      const { study, labels, written } = reading;
      element.classList.toggle("few", labels.keys.reduce((all, { label }) => all + label.length + BETWEEN, 0) <= FEW);
      const query = labels.queries[study.query];
      render(html`${end("asks", query.label, query.kind)}${to}${keys.element}${[end("hands", handedOn(t, reading)),
  end("added", query.label, query.kind), ...(written ? [end("writes", written.label, written.kind)] : [])].map((one) => html`
          <div class="reads-step">${to}${one}</div>`)}`, element);
    },
  };
}
