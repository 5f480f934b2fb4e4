// One cell of one head as a chain: query x key, score, mask, weight, values, output projection,
// residual, norm. Every number is the server's float32, or one division of two that are printed; where
// that is not the model's own number, both stand there.

import { quoted } from "../../stage/draw/labels.js";
import { exactNumber, shortNumber, threeDigits } from "../../stage/draw/numbers.js";
import { make, makeButton, nearest, setText, setTrait } from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/glossary.js";
import { singlesFromBase64 } from "../../stage/run/decode.js";
import { insideLargest, makeVectors } from "./vectors.js";

const INSIDE_ARRAYS = ["q_E", "k_KE", "factor_KE", "other_KE", "products_KE", "sums_K", "scores_K",
  "exponentials_K", "weights_K", "v_KE", "weighted_KE", "context_E", "shares_HD", "output_bias_D"];

/** The answer of the server with its numbers unpacked; a name ends in its dimensions. */
export function insideStudy(answer) {
  const unpacked = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) =>
    [name, typeof value === "string" && /_[A-Z]+$/.test(name) ? singlesFromBase64(value) : value]));
  const study = { ...answer, ...unpacked(answer) };
  if (answer.sublayer) study.sublayer = unpacked(answer.sublayer);
  if (answer.norm) study.norm = unpacked(answer.norm);
  if (answer.sublayers) study.sublayers = answer.sublayers.map(unpacked);
  if (answer.view === "cell") {
    study.K = study.scores_K.length;
    study.E = study.q_E.length;
    study.H = study.shares_HD.length / study.D;
  }
  return study;
}

/** Row `i` of a matrix with rows of `width` numbers. */
function insideRow(matrix, i, width) {
  return matrix.subarray(i * width, (i + 1) * width);
}

/** A link of the chain: its name, its formula, its shape, a picture and what it comes to. */
function makeInsidePanel(t, name, body) {
  const title = makeTermed(t, `inside_${name}`, { class: "panel-name" }, "h3");
  const formula = make("code", { class: "panel-formula", dir: "ltr" });
  const shape = make("span", { class: "panel-shape", dir: "ltr" });
  const result = make("p", { class: "panel-result" });
  const about = make("p", { class: "panel-about" });
  const element = make("section", { class: "inside-panel", data: { panel: name } }, [
    make("header", { class: "panel-head" }, [title.element, formula, shape]),
    about, ...body, result,
  ]);
  return {
    element,
    say({ formula: written, shape: size, lines, told }) {
      setText(formula, written);
      setText(shape, size);
      if (about.dataset.says !== told) {
        about.dataset.says = told;
        about.replaceChildren(makeTermed(t, told).element);
      }
      while (result.children.length > lines.length) result.lastChild.remove();
      lines.forEach((line, i) => {
        if (!result.children[i]) result.append(make("span", { class: "result-line" }));
        setText(result.children[i], line);
      });
    },
    drawn: () => ({ name: title.element.textContent, formula: formula.textContent,
      shape: shape.textContent, lines: Array.from(result.children, (line) => line.textContent) }),
  };
}

/**
 * @param {function(string, Object=): string} t words
 * @param {{pickKey: function(number): void, pickHead: ?function(number): void}} acts
 * @param {function(): void} redraw
 */
export function makeInsideChain(t, acts, redraw) {
  const { pickKey, pickHead } = acts;
  const dimensions = { E: null, D: null }; // pointed at, or null: the one that counts most
  const pointer = (axis) => (place) => {
    if (dimensions[axis] === place) return;
    dimensions[axis] = place;
    redraw();
  };
  const vectors = {
    product: makeVectors(t, "product", { point: pointer("E") }, redraw),
    values: makeVectors(t, "values",
      { point: pointer("E"), pick: (id) => pickKey(Number(id)) }, redraw),
    output: makeVectors(t, "output",
      { point: pointer("D"), pick: pickHead && ((id) => pickHead(Number(id))) }, redraw),
    residual: makeVectors(t, "residual", { point: pointer("D") }, redraw),
    norm: makeVectors(t, "norm", { point: pointer("D") }, redraw),
  };
  const table = makeInsideRow(t, pickKey);
  const panels = Object.fromEntries(Object.entries({ ...vectors, softmax: table }).map(
    ([name, part]) => [name, makeInsidePanel(t, name, [part.element])]));
  const element = make("div", { class: "inside-chain" },
    ["product", "softmax", "values", "output", "residual", "norm"].map((name) =>
      panels[name].element));
  let last = null;

  /** Where query meets key: the products, their sum, the scale. */
  function product(study, key, e) {
    const { E, similarity } = study;
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
    const isScaled = similarity === "scaled_dot";
    const off = scaled - score;
    panels.product.say({
      formula: t(`inside_formula_${similarity}`),
      shape: `(E) · (E) → (1), E = ${E}`,
      told: study.positions === "rotary" && study.site !== "cross"
        ? "inside_product_rotary" : "inside_product_about",
      lines: [
        t("inside_one_product", { e, factor: exactNumber(factor), other: exactNumber(other),
          product: exactNumber(of("products_KE")[e]) }),
        t(isScaled ? "inside_sum_scaled" : "inside_sum", { E, sum: exactNumber(sum),
          scaled: exactNumber(scaled) }),
        off === 0 ? t("inside_score_same", { score: exactNumber(score) })
          : t("inside_score_off", { score: exactNumber(score), off: exactNumber(off) }),
      ],
    });
    return rows;
  }

  function softmax(study, labels, key) {
    const { K } = study;
    const hard = study.attention === "hard";
    const allowed = study.allowed_K[key];
    const most = Math.max(...study.scores_K.filter((_, k) => study.allowed_K[k]));
    const own = study.weights_K[key];
    const quotient = Math.fround(study.exponentials_K[key] / Math.fround(study.total));
    const off = quotient - own;
    const values = { key: quoted(labels.keys[key].label), K,
      score: exactNumber(study.scores_K[key]), most: exactNumber(most),
      exponential: exactNumber(study.exponentials_K[key]), total: exactNumber(study.total),
      quotient: exactNumber(quotient), weight: exactNumber(own), off: exactNumber(off) };
    panels.softmax.say({
      formula: t(hard ? "inside_formula_hard" : "inside_formula_softmax"),
      shape: `(K) → (K), K = ${K}`,
      told: hard ? "inside_softmax_hard" : "inside_softmax_about",
      lines: [t(!allowed ? "inside_masked" : hard
        ? (own === 1 ? "inside_hard_best" : "inside_hard_other")
        : "inside_weight", values),
      ...(hard || !allowed ? [] : [
        t(off === 0 ? "inside_weight_same" : "inside_weight_off", values),
        t("inside_hard_would", {
        key: quoted(labels.keys[study.scores_K.indexOf(most)].label) })])],
    });
    table.update(study, labels.keys, key);
  }

  function values(study, labels, key, e) {
    const { K, E } = study;
    panels.values.say({
      formula: "c = Σₖ wₖ vₖ",
      shape: `(K) · (K × E) → (E), K = ${K}, E = ${E}`,
      told: "inside_values_about",
      lines: [
        t("inside_one_value", { e, key: quoted(labels.keys[key].label),
          weight: exactNumber(study.weights_K[key]),
          value: exactNumber(insideRow(study.v_KE, key, E)[e]),
          product: exactNumber(insideRow(study.weighted_KE, key, E)[e]) }),
        t("inside_context", { e, K, context: exactNumber(study.context_E[e]) }),
      ],
    });
    return [
      ...labels.keys.map(({ label, kind }, k) => ({ id: String(k), name: label, kind,
        values: insideRow(study.weighted_KE, k, E), picked: k === key, pickable: true,
        note: `${label} · ${exactNumber(study.weights_K[k])}` })),
      { id: "context", name: t("inside_c"), values: study.context_E, rule: true },
    ];
  }

  function output(study, d) {
    const { D, H, E, head } = study;
    const share = insideRow(study.shares_HD, head, D)[d];
    panels.output.say({
      formula: !study.output_projection ? "o = (c₁, …, c_H)"
        : study.output_bias ? "o = Σₕ cₕ W_O[h] + b" : "o = Σₕ cₕ W_O[h]",
      shape: `${H} × (E) → (D), E = ${E}, D = ${D}`,
      told: study.output_projection ? "inside_output_about" : "inside_output_none",
      lines: [t(study.output_bias ? "inside_share" : "inside_share_plain", { d, H,
        head: head + 1, share: exactNumber(share),
        made: exactNumber(study.sublayer.made_D[d]) })],
    });
    return [
      ...Array.from({ length: H }, (_, h) => ({ id: String(h),
        name: t("inside_head", { n: h + 1 }), values: insideRow(study.shares_HD, h, D),
        picked: h === head, pickable: pickHead !== null })),
      ...(study.output_bias
        ? [{ id: "b", name: t("inside_bias"), values: study.output_bias_D }] : []),
      { id: "made", name: t("inside_made"), values: study.sublayer.made_D, rule: true },
    ];
  }

  function residual(study, d) {
    const { sublayer, D } = study;
    panels.residual.say({
      formula: "x + o",
      shape: `(D) + (D) → (D), D = ${D}`,
      told: `inside_residual_${study.norm_place}`,
      lines: [t("inside_residual_sum", { d, x: exactNumber(sublayer.entered_D[d]),
        made: exactNumber(sublayer.made_D[d]), sum: exactNumber(sublayer.sum_D[d]) })],
    });
    return [
      { id: "x", name: t("inside_x"), values: sublayer.entered_D },
      { id: "made", name: t("inside_made"), values: sublayer.made_D },
      { id: "sum", name: t("inside_residual_name"), values: sublayer.sum_D, rule: true },
    ];
  }

  function norm(study, d) {
    const { norm: its, norm_place: place, D } = study;
    const [x, gain, bias, left] = ["entered_D", "gain_D", "bias_D", "left_D"]
      .map((name) => exactNumber(its[name][d]));
    panels.norm.say({
      formula: t(`inside_formula_${its.kind}`),
      shape: `(D) → (D), D = ${D}`,
      told: `inside_norm_${place}`,
      lines: [
        t("inside_norm_line", { d, x, gain, bias, left, mean: exactNumber(its.mean),
          spread: exactNumber(its.spread) }),
      ],
    });
    const before = place === "pre";
    return [
      { id: "x", name: t(before ? "inside_x" : "inside_residual_name"), values: its.entered_D },
      { id: "left", name: t(before ? "inside_read" : "inside_passed"), values: its.left_D,
        rule: true },
    ];
  }

  return {
    element,
    /** @param {{palette, unit, scheme}} look */
    update(study, labels, key, look) {
      last = { study, key };
      const { E, D, head } = study;
      const e = Math.min(E - 1,
        dimensions.E ?? insideLargest(insideRow(study.products_KE, key, E)));
      const d = Math.min(D - 1,
        dimensions.D ?? insideLargest(insideRow(study.shares_HD, head, D)));
      element.classList.toggle("pre", study.norm_place === "pre");
      softmax(study, labels, key);
      vectors.product.update({ ...look, rows: product(study, key, e), at: e });
      vectors.values.update({ ...look, rows: values(study, labels, key, e), at: e });
      vectors.output.update({ ...look, rows: output(study, d), at: d });
      vectors.residual.update({ ...look, rows: residual(study, d), at: d });
      vectors.norm.update({ ...look, rows: norm(study, d), at: d });
    },
    drawn() {
      if (!last) return null;
      const { study, key } = last;
      return {
        site: study.site, layer: study.layer, head: study.head, query: study.query, key,
        ...Object.fromEntries(INSIDE_ARRAYS.map((name) => [name, Array.from(study[name])])),
        divisor: study.divisor, allowed_K: study.allowed_K,
        panels: Object.fromEntries(Object.entries(panels).map(([name, panel]) =>
          [name, { ...panel.drawn(), ...(vectors[name]?.drawn() ?? table.drawn()) }])),
      };
    },
    destroy: () => Object.values(vectors).forEach((part) => part.destroy()),
  };
}

/** The row of the chosen query over all keys, one line a key: score, mask, exponential, weight. */
function makeInsideRow(t, pick) {
  const body = make("tbody");
  const foot = make("tr");
  const heads = ["key", "score", "after_mask", "exponential", "weight"].map((name) =>
    makeTermed(t, `inside_column_${name}`, { scope: "col" }, "th").element);
  const table = make("table", { class: "inside-row" }, [
    make("thead", {}, [make("tr", {}, heads)]), body, make("tfoot", {}, [foot]),
  ]);
  const element = make("div", { class: "inside-row-box" }, [table]);
  body.addEventListener("click", (event) => {
    const line = nearest(event, "tr");
    if (line) pick(Number(line.dataset.key));
  });
  let cells = [];

  function build(keys) {
    cells = keys.map(({ label, kind }, key) => {
      const line = make("tr", { data: { key } }, [
        make("th", { scope: "row" }, [makeButton({ class: "key-name", text: label, dir: "auto",
          title: label, data: { kind } }, () => pick(key))]),
        make("td"), make("td"), make("td"), make("td", { class: "weight" }, [make("span")]),
      ]);
      return line;
    });
    body.replaceChildren(...cells);
  }

  return {
    element,
    update(study, keys, chosen) {
      const hard = study.attention === "hard";
      table.classList.toggle("hard", hard);
      const same = cells.length === keys.length && cells.every((line, i) =>
        line.firstChild.textContent === keys[i].label);
      if (!same) build(keys);
      cells.forEach((line, key) => {
        const allowed = study.allowed_K[key];
        const [, score, masked, exponential, weight] = line.children;
        line.classList.toggle("picked", key === chosen);
        line.classList.toggle("masked", !allowed);
        setTrait(line, "aria-current", key === chosen ? "true" : null);
        setText(score, shortNumber(study.scores_K[key]));
        setTrait(score, "title", exactNumber(study.scores_K[key]));
        setText(masked, allowed ? shortNumber(study.scores_K[key]) : "−∞");
        setText(exponential, shortNumber(study.exponentials_K[key]));
        setTrait(exponential, "title", exactNumber(study.exponentials_K[key]));
        setText(weight.firstChild, threeDigits(study.weights_K[key]));
        setTrait(weight, "title", exactNumber(study.weights_K[key]));
        weight.style.setProperty("--weight", study.weights_K[key]);
      });
      const sum = study.weights_K.reduce((all, one) => all + one, 0);
      if (!foot.children.length) {
        foot.append(make("th", { scope: "row", text: t("inside_sum_word") }), make("td"),
          make("td"), make("td"), make("td", { class: "weight" }));
      }
      setText(foot.children[3], shortNumber(study.total));
      setText(foot.children[4], threeDigits(sum));
    },
    drawn: () => ({ cells: cells.map((line) =>
      Array.from(line.children, (cell) => cell.textContent)) }),
  };
}
