// One head's page: what it does, how far it looks, what attracts it, the sentences where it does most
// of it, and what it is worth on this sentence.

import { writes } from "../../stage/anatomy.js";
import { quoted } from "../../stage/draw/labels.js";
import { fixed, largestOf, shareText, threeDigits } from "../../stage/draw/numbers.js";
import { make, makeButton, setText } from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/glossary.js";
import { ofHead, toggled } from "../../stage/page/whatif/edits.js";
import { singlesFromBase64 } from "../../stage/run/decode.js";
import { placeOfHead, spelledMeasure } from "./numbers.js";

/** What is lost over the corpus. @param {Words} t @param {Record<string, number>} values */
function toldEffect(t, values) {
  const said = (/** @type {string} */ how) => ({ [how]: spelledMeasure("loss_zero", values[`loss_${how}`]),
    exact: spelledMeasure("exact_zero", values[`exact_${how}`]) });
  if (values.loss_zero === undefined) return "";
  return [t("heads_effect", said("zero")),
    ...(values.loss_mean === undefined ? [] : [t("heads_effect_mean", said("mean"))])].join(" · ");
}

/**
 * What a head is worth on this sentence, and where it moves a token the most.
 * @param {Words} t
 * @param {HeadsAnswer["effect"]} found undefined: it is not in this page
 * @param {boolean} isPossible
 */
export function toldHere(t, found, isPossible) {
  if (found === undefined) return isPossible ? t("heads_here_alone") : "";
  if (!found) return isPossible ? t("heads_here_none") : "";
  const [before, zero] = [found.with_T, found.zero_T].map(singlesFromBase64);
  const mean = found.mean_T ? singlesFromBase64(found.mean_T) : null;
  const loss = (/** @type {Float32Array} */ list) =>
    -list.reduce((sum, one) => sum + one, 0) / list.length;
  const moved = Array.from(before, (one, i) => Math.abs(Math.exp(one) - Math.exp(zero[i])));
  const at = moved.indexOf(Math.max(...moved));
  const change = (/** @type {Float32Array} */ list) =>
    spelledMeasure("loss_zero", loss(list) - loss(before));
  return [t("heads_here", { before: threeDigits(loss(before)), zero: change(zero) }),
    ...(mean ? [t("heads_here_mean", { mean: change(mean) })] : []),
    ...(moved[at] < 0.0005 ? [] : [t("heads_here_most", { token: quoted(found.chosen.texts[at]),
      before: threeDigits(Math.exp(before[at])), after: threeDigits(Math.exp(zero[at])) })]),
  ].join(" · ");
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
  const effect = make("p", { class: "heads-effect" });
  const here = make("p", { class: "heads-effect" });
  const bars = make("div", { class: "heads-bars", role: "img", "aria-label": t("heads_distances") });
  const tokens = make("div", { class: "heads-tokens" });
  const about = make("h4"); // what the sentences have in common
  const sentences = make("ol", { class: "heads-sentences" });
  const part = (/** @type {string} */ name, /** @type {Node[]} */ children) =>
    make("section", { "aria-label": t(name) }, [make("h4", { text: t(name) }), ...children]);
  const element = make("section", { class: "heads-page" }, [
    make("header", { class: "heads-title" }, [title, open, off]), effect, here,
    make("p", { class: "heads-effect" }, [like]),
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
      const lost = toldEffect(t, chosen.values);
      effect.replaceChildren(t("heads_over_corpus"), makeTermed(t, `habit_${head.word}`).element,
        lost && ` · ${lost}`);
      setText(here, toldHere(t, answer.effect, writes(state.run)
        && state.run.anatomy.edits.includes("head-off")));
      like.hidden = !most;
      if (most) {
        setText(like, t("heads_like", { place: placeOfHead(t, most),
          number: threeDigits(chosen.values.likeness) }));
      }
      off.hidden = !state.run.anatomy.edits.includes("head-off");
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
    drawn: () => (now ? { title: title.textContent, word: now.about.word, effect: effect.textContent,
      here: here.textContent, sentences: now.about.sentences.length } : null),
  };
}
