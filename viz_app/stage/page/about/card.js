// The card of the model at hand: what it is made of, what it learnt from, how good it is, and what
// it cannot do.

import { fixed } from "../../draw/numbers.js";
import { make, makeButton, makeSheet, makeTool, setText } from "../elements.js";
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

/**
 * A bar of the parts of the model, each as wide as its share of the parameters.
 * @param {ModelCard["parts"]} parts
 * @param {Words} t
 */
function makeBar(parts, t) {
  const total = Object.values(parts).reduce((sum, count) => sum + count, 0);
  const list = Object.entries(parts).map(([part, count]) => ({ part, count, name: t(`part_${part}`),
    share: `${fixed((100 * count) / total, count < total / 100 ? 1 : 0)}%` }));
  return make("section", {}, [
    make("h4", { text: t("card_parameters", { n: counted(total, t) }) }),
    make("div", { class: "card-bar", "aria-hidden": "true" }, list.map(({ part, count }) =>
      make("span", { data: { part }, style: { flexGrow: String(count) } }))),
    make("ul", { class: "card-parts" }, list.map(({ part, count, name, share }) =>
      make("li", { data: { part } }, [make("span", { text: name }),
        make("b", { text: share }), make("small", { text: counted(count, t) })]))),
  ]);
}

/** @param {ModelCard} card @param {Words} t */
function makeScores({ scores, own, by_hand: byHand, training: { chosen } }, t) {
  if (scores.length === 0) return null;
  const names = /** @type {const} */ (["bleu", "chrf", "exact_match"])
    .filter((name) => scores[0][name] !== null);
  return make("section", {}, [
    make("h4", { text: t("card_scores") }),
    chosen ? make("p", { text: t("card_scores_chosen") }) : null,
    make("table", {}, [
      make("tr", {}, [make("th"), ...names.map((name) => make("th", { text: t(`card_${name}`) }))]),
      ...scores.map((score) => make("tr", {}, [
        make("th", { text: score.width === 1 ? t("strategy_greedy") : t("card_beam", { n: score.width }) }),
        ...names.map((name) => make("td", { text: withInterval(score[name] ?? [],
          name === "exact_match" ? "%" : "") }))])),
    ]),
    names.includes("bleu") ? make("p", { text: t("card_interval") }) : null,
    byHand.length === 0 ? null : make("p", { text: t("card_alignment", {
      rates: byHand.map(({ kind, rate, pairs }) =>
        t(`card_rate_${kind}`, { rate: fixed(100 * rate, 1), pairs })).join(t("card_between")) }) }),
    make("p", { text: t("card_own", { right: own.right, of: own.of }) }),
    own.wrong.length === 0 ? null : make("ul", { class: "card-wrong" }, own.wrong.map(
      ([source, output]) => make("li", { dir: "auto", text: `${source} → ${output || "∅"}` }))),
  ]);
}

/**
 * How the scores fall with the length of the sentence, a bar for each range of lengths.
 * @param {ModelCard} card
 * @param {Words} t
 */
function makeLengths({ lengths, usual, scores }, t) {
  if (lengths.length === 0) return null;
  const name = lengths[0].bleu ? "bleu" : "exact_match";
  const { width } = scores[scores.length - 1];
  const score = (/** @type {ModelCard["lengths"][number]} */ row) => row[name]?.[0] ?? 0;
  return make("section", {}, [
    make("h4", { text: t("card_lengths", { score: t(`card_${name}`),
      how: width === 1 ? t("strategy_greedy") : t("card_beam", { n: width }) }) }),
    make("ul", { class: "card-lengths" }, lengths.map((row) => make("li", {}, [
      make("span", { text: row.longest === null ? t("card_from", { n: row.shortest })
        : t("card_span", { n: row.shortest, m: row.longest }) }),
      make("i", { style: { width: `${score(row)}%` } }),
      make("b", { text: fixed(score(row), 1) }),
      make("small", { text: t("card_sentences", { n: row.sentences }) }),
    ]))),
    usual ? make("p", { text: t("card_usual", { n: usual }) }) : null,
  ]);
}

/**
 * Its attentions, of a model of which nothing else is known, or that shares heads of keys.
 * @param {Model} model
 * @param {Words} t
 */
function makeSites({ anatomy, card, device, dtype }, t) {
  const shares = anatomy.sites.some((one) => one.key_heads < one.heads);
  return card !== null && !shares ? null : make("section", {}, [
    ...anatomy.sites.map((one) =>
      make("p", { text: t(one.key_heads < one.heads ? "card_site_shared" : "card_site",
        { ...one, site: t(`site_${one.site}_long`) }) })),
    device ? make("p", { text: t("card_device", { device, dtype }) }) : null,
  ]);
}

/** @param {Model} model @param {ModelCard["training"]} training @param {Words} t */
function makeAbout(model, { data, pairs, updates, minutes, guided }, t) {
  const known = /** @type {const} */ (["norm_place", "positions", "similarity", "attention"])
    .map((name) => t(`kind_${model[name]}`)).join(t("card_between"));
  const learnt = `card_data_${data.split("-")[0]}`;
  const lines = [
    t("card_shape", { ...model, kinds: known }),
    t.has(learnt) ? t(learnt) : null,
    pairs ? t("card_training",
      { pairs: counted(pairs, t), updates: counted(updates, t), minutes: Math.round(minutes) }) : null,
    guided && model.taught ? t("card_taught", {
      heads: model.taught.heads.map(([layer, head]) => `${layer + 1}.${head + 1}`).join(t("card_between")),
      of: Number(model.decoder_layers) * Number(model.decoder_heads) }) : null,
  ];
  return make("section", {}, lines.filter(Boolean).map((text) => make("p", { text })));
}

/**
 * The same model at other updates of its training, where they are kept: a button each.
 * @param {Model[]} models
 * @param {Model} model
 * @param {Words} t
 * @param {function(string): void} choose
 */
function makeTraining(models, model, t, choose) {
  const steps = trainingOf(models, model);
  return steps.length === 0 ? null : make("section", { class: "card-training" }, [
    make("h4", { text: t("card_earlier") }),
    make("p", { text: t("card_earlier_says") }),
    make("div", { class: "switch", role: "group", "aria-label": t("card_earlier") }, steps.map(
      (one) => makeButton({ class: "choice", "aria-pressed": String(one === model),
        text: counted(one.update, t), title: titleAmong(models, one, t), data: { model: one.name } },
      () => choose(one.name))))]);
}

/**
 * A sentence for each thing in which the model departs from the paper.
 * @param {Model} model
 * @param {Words} t
 */
function makeUnusual(model, t) {
  const codes = model.anatomy?.unusual ?? [];
  return codes.length === 0 ? null : make("section", { class: "card-unusual" }, [
    make("h4", { text: t("card_unusual") }),
    make("ul", {}, codes.map((code) => make("li", { text: t(`unusual_${code}`) })))]);
}

/**
 * The tool that opens the card, and the dialog.
 * @param {Words} t
 * @param {Session} session
 * @returns {{button: HTMLElement, element: HTMLDialogElement}}
 */
export function makeCard(t, { state, actions }) {
  const [title, weights] = [make("h3"), make("code")];
  const element = makeSheet(t, "card", t("card"), [], [title, weights]);

  function show() {
    const { model, options } = state;
    setText(title, titleAmong(options.models, model, t));
    setText(weights, `${model.name} · ${model.fingerprint}`);
    element.replaceChildren(...[
      element.firstChild,
      state.canAsk ? makeTraining(options.models, model, t, (name) => {
        element.close();
        actions.setModel(name);
      }) : null,
      makeSites(model, t),
      makeUnusual(model, t),
      ...(model.card === null ? [] : [
        makeAbout(model, model.card.training, t),
        Object.keys(model.card.parts).length > 0 ? makeBar(model.card.parts, t) : null,
        makeScores(model.card, t),
        makeLengths(model.card, t),
      ]),
      make("section", {}, [make("h4", { text: t("card_bring") }),
        make("p", { text: t("card_bring_how") }),
        make("pre", { text: "python -m viz_app --checkpoints FOLDER" })]),
    ].filter((part) => part !== null));
    element.showModal();
  }

  return { button: makeTool("card", t("card"), show), element };
}
