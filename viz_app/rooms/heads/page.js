// One head's page: what it does, how far it looks, what attracts it, the sentences where it does most
// of it, and what it is worth on this sentence.

import { writes } from "../../stage/anatomy.js";
import { quoted } from "../../stage/draw/labels.js";
import { fixed, largestOf, shareText, threeDigits } from "../../stage/draw/numbers.js";
import { make, makeButton, setText } from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/glossary.js";
import { ofHead, toggled } from "../../stage/page/whatif/edits.js";
import { singlesFromBase64 } from "../../stage/run/decode.js";
import { briefPlace, placeOfHead, spelledMeasure } from "./numbers.js";

/** The measure behind the word of a head. @param {string} word */
const measureOf = (word) => ({ sharp: "largest", spread: "entropy" }[word] ?? word);

/**
 * What is lost on one sentence without a head: its loss, what is added to it, and the token that moves
 * the most.
 * @param {NonNullable<HeadsAnswer["effect"]>} found
 */
export function lostOn({ with_T, zero_T, mean_T, chosen }) {
  const [before, zero] = [with_T, zero_T].map(singlesFromBase64);
  const loss = (/** @type {Float32Array} */ list) =>
    -list.reduce((sum, one) => sum + one, 0) / list.length;
  const added = (/** @type {Float32Array} */ list) => loss(list) - loss(before);
  const moved = Array.from(before, (one, i) => Math.abs(Math.exp(one) - Math.exp(zero[i])));
  const at = moved.indexOf(Math.max(...moved));
  return { before: loss(before), zero: added(zero),
    mean: mean_T ? added(singlesFromBase64(mean_T)) : null,
    most: moved[at] < 0.0005 ? null : { token: chosen.texts[at], before: Math.exp(before[at]),
      after: Math.exp(zero[at]) } };
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
  const change = (/** @type {?number | undefined} */ one) =>
    (one === null || one === undefined ? "" : spelledMeasure("loss_zero", one));
  /** @type {function(string, number | null, any, any): string[]} */
  const line = (name, before, zero, mean) => [t(name, { n: measured.sentences }), number(before),
    change(zero), change(mean)];
  return [
    ...(values.loss_zero === undefined ? [] : [
      line("heads_lost_loss", measured.loss, values.loss_zero, values.loss_mean),
      line("heads_lost_exact", measured.exact, values.exact_zero, values.exact_mean)]),
    ...(here ? [line("heads_lost_here", here.before, here.zero, here.mean)] : []),
  ];
}

/** The part of a head's page that says what is lost without it. @param {Words} t */
function makeLost(t) {
  const table = make("table", { class: "heads-lost" });
  const [most, untouched] = [make("p"), make("p")];
  const element = make("section", { "aria-label": t("heads_lost") },
    [make("h4", { text: t("heads_lost") }), table, untouched, most]);
  return {
    element,
    /** @param {HeadsMeasured} answer @param {Record<string, number>} values @param {boolean} isPossible @param {boolean} edited */
    update(answer, values, isPossible, edited) {
      const { effect } = answer; // undefined: it is not in this page
      const here = effect ? lostOn(effect) : null;
      const lines = linesOf(t, answer, values, here);
      const names = ["", "heads_lost_with", "heads_lost_zero", "heads_lost_mean"];
      table.replaceChildren(make("tr", {}, names.map((name) => (name === "" ? make("td")
        : make("th", { scope: "col", text: t(name), title: t(`${name}_hint`) })))),
      ...lines.map(([name, ...numbers]) => make("tr", {}, [make("th", { scope: "row", text: name }),
        ...numbers.map((text) => make("td", { text }))])));
      setText(untouched, edited ? t("heads_untouched", { n: answer.measured.sentences }) : "");
      table.hidden = lines.length === 0;
      const why = !isPossible ? "" : t(effect === undefined ? "heads_here_alone" : "heads_here_none");
      setText(most, here?.most ? t("heads_here_most", { token: quoted(here.most.token),
        before: threeDigits(here.most.before), after: threeDigits(here.most.after) })
        : here ? "" : why);
      element.hidden = table.hidden && most.textContent === "";
    },
    drawn: () => [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent)),
  };
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
  return Array.from(shares, (share, i) => {
    const bar = make("i");
    bar.style.height = `${(100 * share) / most}%`;
    return make("span", { title: `${i - far}: ${threeDigits(share)}`,
      data: { at: (i - far) % 4 === 0 ? fixed(i - far, 0) : "" } }, [bar]);
  });
}

/** @param {Words} t @param {HeadToken} one */
const tokenOf = (t, one) => make("span", { class: "kind token", dir: "auto", text: `${one.text} `,
  data: { kind: one.kind }, title: t("heads_token_hint",
    { share: shareText(one.share), even: shareText(one.even) }) },
[make("small", { text: `×${fixed(pullOf(one), 1)}` })]);

/** That a head was taught what it does, and which one was not. @param {Words} t @param {Model} model @param {HeadPlace} place */
function taughtOf(t, { taught }, { site, layer, head }) {
  if (site !== "cross" || !taught?.heads.some((one) => one[0] === layer && one[1] === head)) return [];
  const { natural } = taught;
  return [" ", natural ? t("heads_taught_natural", { layer: natural[0] + 1, head: natural[1] + 1 })
    : t("heads_taught")];
}

/** @param {Words} t @param {Session} session @param {{choose: function(HeadPlace): void}} acts */
export function makeHeadPage(t, session, acts) {
  const { state, actions } = session;
  /** @type {?HeadPlace & {about: HeadsMeasured["head"], most: ?HeadPlace}} */
  let now = null;
  const title = make("h3", { "aria-live": "polite" });
  const open = makeButton({ class: "primary", text: t("heads_open"), title: t("heads_open_hint"),
    data: { act: "heads-open" } }, () => actions.enter("translate"));
  const off = makeButton({ text: t("heads_off"), title: t("heads_off_hint"),
    data: { act: "heads-off", asks: "" } }, () => {
    if (now) actions.edit(toggled(state.run.recipe.edits ?? [], ofHead("head-off", now.site, now)));
    actions.enter("translate");
  });
  const like = makeButton({ class: "as-link" }, () => { if (now?.most) acts.choose(now.most); });
  const cosine = make("p");
  const alike = make("section", {}, [make("h4", { text: t("heads_like") }), like, cosine]);
  const does = make("p", { class: "heads-does" });
  const lost = makeLost(t);
  const bars = make("div", { class: "heads-bars", role: "img", "aria-label": t("heads_distances") });
  const tokens = make("div", { class: "heads-tokens" });
  const about = make("h4"); // what the sentences have in common
  const sentences = make("ol", { class: "heads-sentences" });
  const part = (/** @type {string} */ name, /** @type {Node[]} */ children) =>
    make("section", { "aria-label": t(name) }, [make("h4", { text: t(name) }), ...children]);
  const element = make("section", { class: "heads-page" }, [
    make("header", { class: "heads-title" }, [title, open, off]), does,
    make("div", { class: "heads-worth" }, [lost.element, alike]),
    make("div", { class: "heads-facts" }, [
      part("heads_distances", [bars, make("p", { class: "heads-quiet", text: t("heads_distances_axis") })]),
      part("heads_tokens", [tokens])]),
    make("section", {}, [about, sentences]),
  ]);
  return {
    element,
    /** @param {HeadsMeasured} answer @param {MeasuredHead} chosen */
    update(answer, chosen) {
      const { head } = answer;
      if (now?.about === head) return;
      const most = head.like && { site: head.site, layer: head.like[0], head: head.like[1] };
      now = { ...chosen, about: head, most };
      setText(title, placeOfHead(t, chosen));
      const measure = chosen.values[measureOf(head.word)];
      const told = makeTermed(t, `heads_does_${head.word}`);
      told.update({ number: measure === undefined ? "–" : threeDigits(measure) });
      does.replaceChildren(told.element, ...taughtOf(t, state.model, chosen));
      const isPossible = state.run.anatomy.edits.includes("head-off");
      lost.update(answer, chosen.values, isPossible && writes(state.run),
        (state.run.recipe.edits ?? []).length > 0);
      alike.hidden = !most;
      if (most) {
        setText(like, briefPlace(t, most));
        setText(cosine, t("heads_like_cosine", { number: threeDigits(chosen.values.likeness) }));
      }
      off.hidden = !isPossible;
      bars.replaceChildren(...barsOf(head.distances_N));
      tokens.replaceChildren(...[...head.tokens].sort((a, b) => pullOf(b) - pullOf(a))
        .map((one) => tokenOf(t, one)));
      setText(about, titleOfSentences(t, head.word));
      sentences.replaceChildren(...head.sentences.map((one) => make("li", {}, [
        makeButton({ class: "heads-sentence", dir: "auto", text: one.source, title:
          t("heads_sentence_hint"), data: { asks: "" } }, () => {
          actions.type(one.source);
          actions.translate();
        }), make("small", { text: head.word === "spread" ? threeDigits(one.amount)
          : shareText(one.amount) })])));
    },
    drawn: () => (now ? { title: title.textContent, word: now.about.word, does: does.textContent,
      lost: lost.drawn(), sentences: now.about.sentences.length } : null),
  };
}
