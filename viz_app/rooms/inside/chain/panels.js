// What each link of the chain says and which vectors it shows, as plain values. Pure: knows no
// page. `lines(n)` are its sentences with numbers as `n` spells them.

import { quoted } from "../../../stage/draw/labels.js";
import { threeDigits } from "../../../stage/draw/numbers.js";

const LARGEST = 5; // products with a bar of their own

/** The width that scores are divided by the root of, as the paper writes it. @param {string} divides */
export const symbolOf = (divides) => (divides === "d_k" ? "dₖ" : divides);

/** What a model makes of a row of scores. @param {?string} attention @param {string} scores */
export const madeOf = (attention, scores) => (attention === "hard" ? `onehot(argmax ${scores})` : `softmax(${scores})`);

/** @typedef {function(number): string} Spell */
/**
 * A cell of the row of a query: its key, and the dimensions of the head and of the model that are read.
 * @typedef {{t: Words, study: CellStudy, labels: InsideLabels, key: number, e: number, d: number}} At
 */

/**
 * Row `i` of a matrix with rows of `width` numbers.
 * @param {Float32Array} matrix
 * @param {number} i
 * @param {number} width
 */
export function insideRow(matrix, i, width) {
  return matrix.subarray(i * width, (i + 1) * width);
}

/** From x to q, k and v: what is read on both sides, what the three matrices make of it. @param {At} at */
export function insideProject({ t, study, labels, key }) {
  const { D, E, query, site } = study;
  const [asks, answers] = [labels.queries[query].label, labels.keys[key].label];
  const bias = study.attention_bias ? " + b" : "";
  const turns = study.positions === "rotary" && site !== "cross";
  /** @param {string} name @param {string} matrix */
  const made = (name, matrix) => (turns && name !== "v" ? `${name} = R(x ${matrix}${bias})`
    : `${name} = x ${matrix}${bias}`);
  return {
    say: {
      formula: [["q", "W_Q"], ["k", "W_K"], ["v", "W_V"]]
        .map(([name, matrix]) => made(name, matrix).replaceAll(" ", "\u00a0")).join("   "), // each on one line
      shape: `d_model = ${D} → dₖ = ${E}`,
      explained: site === "cross" ? "inside_project_cross"
        : study.norm_place === "pre" ? "inside_project_pre" : "inside_project_about",
      symbols: bias ? "inside_project_symbols_bias" : "inside_project_symbols",
      lines: () => (study.key_heads === study.H ? [] : [t("inside_key_head", { head: study.head + 1,
        key_head: study.key_head + 1, n: study.H / study.key_heads, key_heads: study.key_heads })]),
    },
    arrows: [[asks, "W_Q", "q"], [answers, "W_K", "k"], [answers, "W_V", "v"]]
      .map(([from, matrix, to]) => ({ from, matrix, to, shape: `${D} × ${E}` })),
    read: [
      { id: "x_query", name: t("inside_x_of", { token: asks }), values: study.sublayer.read_D },
      { id: "x_key", name: t("inside_x_of", { token: answers }),
        values: insideRow(study.read_KD, key, D) },
    ],
    rows: [
      { id: "q", name: t("inside_q"), values: study.q_E },
      { id: "k", name: t("inside_k"), values: insideRow(study.k_KE, key, E) },
      { id: "v", name: t("inside_v"), values: insideRow(study.v_KE, key, E) },
    ],
  };
}

/** What is said of how query and key are compared. @param {Pick<CellStudy, "similarity" | "positions" | "site">} study */
export function productAbout({ similarity, positions, site }) {
  if (similarity === "bilinear" || similarity === "additive") return `inside_about_${similarity}`;
  return positions === "rotary" && site !== "cross" ? "inside_product_rotary" : "inside_product_about";
}

/** Where query meets key: the products, their sum, the scale. @param {At} at */
export function insideProduct({ t, study, key, e }) {
  const { E, similarity } = study;
  /** @param {"k_KE" | "factor_KE" | "other_KE" | "products_KE"} name */
  const of = (name) => insideRow(study[name], key, E);
  const rows = [
    { id: "q", name: t("inside_q"), values: study.q_E },
    ...(similarity === "bilinear"
      ? [{ id: "qW", name: t("inside_qw"), values: of("factor_KE") }] : []),
    { id: "k", name: t("inside_k"), values: of("k_KE") },
    ...(similarity === "additive" ? [
      { id: "tanh", name: t("inside_tanh"), values: of("other_KE") },
      { id: "a", name: t("inside_a"), values: of("factor_KE") }] : []),
    { id: "product", name: t(`inside_product_${similarity}`), values: of("products_KE"),
      bars: true, rule: true },
  ];
  const [factor, other] = [of("factor_KE")[e], of("other_KE")[e]];
  const sum = study.sums_K[key];
  const scaled = Math.fround(sum / Math.fround(study.divisor));
  const score = study.scores_K[key];
  const off = scaled - score;
  const same = off === 0 ? "same" : study.verdicts.scores === "proven" ? "off" : "apart";
  const total = similarity === "scaled_dot" ? "inside_sum_scaled" : "inside_sum";
  return { rows, say: {
    formula: t(`inside_formula_${similarity}`, { divides: symbolOf(study.divides) }),
    shape: `dₖ = ${E}`,
    explained: productAbout(study),
    lines: /** @param {Spell} n @param {boolean} exact */ (n, exact) => [
      ...(!exact ? [] : [
        t("inside_one_product", { e, factor: n(factor), other: n(other), product: n(of("products_KE")[e]) }),
        // Both sums: added up in order, and as the model adds.
        t(total, { E, under: Math.round(study.divisor ** 2), sum: n(sum), scaled: n(scaled) }),
        t(`inside_score_${same}`, { score: n(score), off: n(off) })]),
    ],
  } };
}

/**
 * The sum of the products as steps from 0: those of the largest products, then of all others at once.
 * @param {CellStudy} study
 * @param {number} key
 * @param {?number} pointed a dimension that is among them in any case
 */
export function insideSteps({ products_KE: products, sums_K: sums, E }, key, pointed) {
  const own = insideRow(products, key, E);
  const order = Array.from(own.keys()).sort((a, b) => Math.abs(own[b]) - Math.abs(own[a]));
  const most = order.slice(0, LARGEST);
  if (pointed !== null && pointed < E && !most.includes(pointed)) most[most.length - 1] = pointed;
  const named = most.sort((a, b) => Math.abs(own[b]) - Math.abs(own[a]));
  let at = 0;
  const steps = named.map((e) => {
    const from = at;
    at += own[e];
    return { e, from, to: at, value: own[e] };
  });
  const rest = { e: null, from: at, to: sums[key], value: sums[key] - at };
  return E > named.length ? [...steps, rest] : steps;
}

/** What the mask puts in the place of a score. @param {CellStudy} study */
export const hiddenText = ({ hidden_score: hidden }) => (hidden === null ? "−∞" : "−1e9");

/** From the scores of a row to its weights. @param {At} at */
export function insideSoftmax({ t, study, labels, key }) {
  const { K } = study;
  const hard = study.attention === "hard";
  const allowed = study.allowed_K[key];
  const { logits_K: logits, bias_K: bias } = study;
  const isEmpty = !study.allowed_K.includes(true);
  const most = Math.max(...logits.filter((_, k) => study.allowed_K[k]));
  const own = study.weights_K[key];
  const quotient = Math.fround(study.exponentials_K[key] / Math.fround(study.total));
  const off = quotient - own;
  const same = off === 0 ? "same" : study.verdicts.weights === "proven" ? "off" : "apart";
  const explained = !allowed ? (own === 0 ? "inside_masked" : "inside_masked_even") : !hard ? "inside_weight"
    : own === 1 ? "inside_hard_best" : "inside_hard_other";
  const best = isEmpty ? "" : quoted(labels.keys[logits.indexOf(most)].label);
  return {
    formula: t(hard ? "inside_formula_hard" : "inside_formula_softmax"),
    shape: t("inside_shape_keys", { K }),
    explained: hard ? "inside_softmax_hard" : "inside_softmax_about",
    lines: /** @param {Spell} n @param {boolean} exact */ (n, exact) => {
      const values = { key: quoted(labels.keys[key].label), K, score: n(logits[key]),
        most: n(most), exponential: n(study.exponentials_K[key]), total: n(study.total),
        quotient: n(exact ? quotient : own), weight: n(own), off: n(off), hidden: hiddenText(study) };
      const biased = bias ? [t("inside_bias_line", { score: n(study.scores_K[key]),
        bias: n(bias[key]), sum: n(logits[key]) })] : [];
      if (hard || !allowed) return [...biased, t(explained, values)];
      return [...biased, ...(exact ? [t(explained, values), t(`inside_weight_${same}`, values),
        t("inside_hard_would", { key: best })] : [])];
    },
  };
}

/** The same row without the division, before and after the softmax. @param {At} at @param {PlainRow} without */
export function insideUnscaled({ t, study, labels, key }, without) {
  const [plain, own] = [without.weights_K, study.weights_K];
  const values = { key: quoted(labels.keys[key].label), under: Math.round(study.divisor ** 2),
    plain: threeDigits(plain[key]), own: threeDigits(own[key]),
    most: threeDigits(Math.max(...plain)), usual: threeDigits(Math.max(...own)) };
  return {
    formula: ["q · k", `q · k / √${symbolOf(study.divides)}`].map((scores) => madeOf(study.attention, scores)).join("   "),
    shape: t("inside_shape_keys", { K: study.K }),
    explained: "inside_unscaled_about",
    lines: /** @param {Spell} n */ (n) => [
      t("inside_unscaled_line", { ...values, sum: n(without.scores_K[key]) }),
      study.attention === "hard" ? t("inside_unscaled_hard")
        : t("inside_unscaled_most", values),
    ],
  };
}

/**
 * What an edit made of a head, as the end of a key of words: "" where it hands on what it summed.
 * @param {CellStudy} study
 * @param {number} head
 */
export const editOf = ({ replaced_H, shares_HD, D }, head) => (!replaced_H[head] ? ""
  : isZero(insideRow(shares_HD, head, D)) ? "_off" : "_mean");

/** @param {Float32Array} vector */
const isZero = (vector) => vector.every((one) => one === 0);

/** The values of all keys, raw and times their weights. @param {At} at @param {Spell} spell */
export function insideValues({ t, study, labels, key, e }, spell) {
  const { K, E } = study;
  /** @param {Float32Array} matrix @param {boolean} prefix */
  const rows = (matrix, prefix) => labels.keys.map(({ label, kind }, k) => ({ id: String(k),
    name: label, kind, values: insideRow(matrix, k, E), picked: k === key, pickable: true,
    note: prefix ? `${label} · ${spell(study.dropped_K[k])}` : label }));
  const [weight, dropped] = [study.weights_K[key], study.dropped_K[key]];
  const value = insideRow(study.v_KE, key, E)[e];
  const edit = editOf(study, study.head);
  const said = { e, K, head: study.head + 1, key: quoted(labels.keys[key].label) };
  return {
    raw: rows(study.v_KE, false),
    rows: [...rows(study.weighted_KE, true),
      ...(edit ? [{ id: "sum", name: "Σ", note: t("inside_sum_word"), values: study.summed_E,
        rule: true }] : []),
      { id: "context", name: "c", note: t("inside_c"), values: study.context_E, rule: true }],
    say: {
      formula: "c = Σₖ wₖ vₖ",
      shape: `${t("inside_shape_keys", { K })} × dₖ = ${E}`,
      explained: "inside_values_about",
      lines: /** @param {Spell} n @param {boolean} exact */ (n, exact) => [
        ...(study.verdicts.dropped === "exact" ? []
          : [t("inside_dropped", { ...said, weight: n(weight), dropped: n(dropped) })]),
        ...(study.zeroed_K[key] ? [t("inside_zeroed", said)] : []),
        ...(!exact ? [] : [t("inside_one_value", { ...said, weight: n(dropped), value: n(value),
          product: n(insideRow(study.weighted_KE, key, E)[e]) }),
        t("inside_context", { ...said, context: n(study.summed_E[e]) })]),
        ...(edit ? [t(`inside_context${edit}`, { ...said, context: n(study.context_E[e]) })] : []),
      ],
    },
  };
}

/** What each head adds to the output of the layer. @param {At} at @param {boolean} pickable */
export function insideOutput({ t, study, d }, pickable) {
  const { D, H, E, head } = study;
  const isEdited = study.verdicts.output === "differs";
  const edit = editOf(study, head);
  const explained = isZero(study.sublayer.made_D) ? "inside_made_off" : "inside_made_dropout";
  const made = { id: "made", name: t("inside_made"), values: study.sublayer.made_D, rule: true };
  const rows = [
    ...Array.from({ length: H }, (_, h) => ({ id: String(h),
      name: t(`inside_head${editOf(study, h)}`, { n: h + 1 }),
      values: insideRow(study.shares_HD, h, D), picked: h === head, pickable })),
    ...(study.output_bias
      ? [{ id: "b", name: t("inside_bias"), values: study.output_bias_D }] : []),
    ...(isEdited ? [{ id: "sum", name: "Σ", note: t("inside_sum_word"), values: study.output_D,
      rule: true }] : []),
    made,
  ];
  return { rows, say: {
    formula: !study.output_projection ? "o = (c₁, …, c_H)"
      : study.output_bias ? "o = Σₕ cₕ W_O[h] + b" : "o = Σₕ cₕ W_O[h]",
    shape: `${H} × dₖ = ${H} × ${E} → d_model = ${D}`,
    explained: study.output_projection ? "inside_output_about" : "inside_output_none",
    symbols: !study.output_projection ? undefined : study.output_bias ? "inside_output_symbols_bias" : "inside_output_symbols",
    lines: /** @param {Spell} n @param {boolean} exact */ (n, exact) => [
      ...(edit ? [t(`inside_share${edit}`, { head: head + 1 })] : []),
      ...(!exact ? [] : [t(study.output_bias ? "inside_share" : "inside_share_plain", { d, H, head: head + 1,
        share: n(insideRow(study.shares_HD, head, D)[d]), made: n(study.output_D[d]) })]),
      ...(isEdited ? [t(explained, { d, made: n(study.sublayer.made_D[d]) })] : [])],
  } };
}

/** What came in, and the output added to it. @param {At} at */
export function insideResidual({ t, study, d }) {
  const { sublayer, D } = study;
  const rows = [
    { id: "x", name: t("inside_x"), values: sublayer.entered_D },
    { id: "made", name: t("inside_made"), values: sublayer.made_D },
    { id: "sum", name: t("inside_residual_name"), values: sublayer.sum_D, rule: true },
  ];
  return { rows, say: {
    formula: "x + o",
    shape: `d_model = ${D}`,
    explained: `inside_residual_${study.norm_place}`,
    symbols: "inside_residual_symbols",
    lines: /** @param {Spell} n @param {boolean} exact */ (n, exact) => (!exact ? []
      : [t("inside_residual_sum", { d, x: n(sublayer.entered_D[d]), made: n(sublayer.made_D[d]),
        sum: n(sublayer.sum_D[d]) })]),
  } };
}

/** The norm, before the sub-layer or after the sum. @param {At} at */
export function insideNorm({ t, study, d }) {
  const { norm: its, norm_place: place, D } = study;
  const before = place === "pre";
  const rows = [
    { id: "x", name: t(before ? "inside_x" : "inside_residual_name"), values: its.entered_D },
    { id: "left", name: t(before ? "inside_read" : "inside_passed"), values: its.left_D,
      rule: true },
  ];
  return { rows, say: {
    formula: t(`inside_formula_${its.kind}`),
    shape: `d_model = ${D}`,
    explained: `inside_norm_${place}`,
    symbols: its.kind === "rms" ? "inside_norm_symbols_rms" : "inside_norm_symbols",
    lines: /** @param {Spell} n @param {boolean} exact */ (n, exact) => {
      if (!exact) return [];
      const [x, gain, bias, left] = [its.entered_D, its.gain_D, its.bias_D, its.left_D]
        .map((vector) => n(vector[d]));
      return [t(its.kind === "rms" ? "inside_norm_rms" : "inside_norm_line", { d, x, gain, bias, left, mean: n(its.mean),
        spread: n(its.spread) })];
    },
  } };
}
