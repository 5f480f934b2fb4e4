// One cell of one head as a flow: x to q, k and v, query x key, score, mask, weight, values, output
// projection, residual, norm. Every number is the server's float32, or one division of two that are
// printed; where that is not the model's own number, both stand there with all their digits.

import { exactNumber, shortNumber } from "../../../stage/draw/numbers.js";
import { hide, make, makeButton, setText, setTrait } from "../../../stage/page/elements.js";
import { makeTermed, termed } from "../../../stage/page/terms.js";
import { html, nothing, render } from "../../../stage/page/html.js";
import { singlesFromBase64 } from "../../../stage/run/wire.js";
import {
  insideNorm, insideOutput, insideProduct, insideProject, insideResidual, insideRow, insideSoftmax,
  insideUnscaled, insideValues,
} from "./panels.js";
import { makeInsideRow, makeInsideScale } from "./row.js";
import { productSteps } from "./steps.js";
import { insideLargest, makeVectors } from "../vectors.js";

const INSIDE_PANELS = ["project", "product", "softmax", "values", "output", "residual", "norm"];

/**
 * The values of an answer, those whose name ends in dimensions as arrays.
 * @param {Record<string, any>} values
 * @returns {Record<string, any>}
 */
const unpacked = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) =>
  [name, typeof value === "string" && /_[A-Z]+$/.test(name) ? singlesFromBase64(value) : value]));

/**
 * The answer of the server with its numbers unpacked.
 * @param {any} answer a CellAnswer, a SpreadAnswer, a NormsAnswer or a WayAnswer
 * @returns {CellStudy | SpreadStudy | NormsStudy | WayStudy}
 */
export function insideStudy(answer) {
  const study = unpacked(answer);
  for (const part of ["along", "sublayer", "norm", "lens", "before", "after", "plain", "divided", "layered", "whole", "padded",
    "alone"]) {
    if (answer[part]) study[part] = unpacked(answer[part]);
  }
  if (answer.view === "way") {
    return /** @type {WayStudy} */ ({ ...study, sublayers: answer.sublayers.map(unpacked) });
  }
  if (answer.view === "spread") return /** @type {SpreadStudy} */ (study);
  if (answer.view === "norms") return /** @type {NormsStudy} */ (study);
  return /** @type {CellStudy} */ ({ ...study, K: study.scores_K.length, E: study.q_E.length,
    H: study.shares_HD.length / study.D });
}

/**
 * A link of the chain: its name, and once it is asked for its formula, its shape, a picture and what it comes to.
 * @param {Words} t
 * @param {string} name
 * @param {HTMLElement[]} body
 * @param {function(): void} toggle
 */
function makeInsidePanel(t, name, body, toggle) {
  const step = make("span", { class: "panel-step" }); // where it stands in the order of reading
  const title = makeTermed(t, `inside_${name}`, { class: "panel-name" }, "h3");
  const formula = make("code", { class: "panel-formula", dir: "ltr" });
  const shape = make("span", { class: "panel-shape", dir: "ltr" });
  const result = make("p", { class: "panel-result" });
  const about = make("p", { class: "panel-about" });
  const [first, ...rest] = body;
  const open = makeButton({ class: "as-link panel-open", data: { unfold: name } }, toggle);
  const element = make("section", { class: "inside-panel", data: { panel: name } }, [
    make("header", { class: "panel-head" }, [step, title.element, open, formula, shape]),
    name === "softmax" ? make("div", { class: "panel-line" }, [about, first]) : about,
    ...(name === "softmax" ? rest : body), result,
  ]);
  return {
    element,
    /** @param {number} place from 1 */
    number: (place) => setText(step, String(place)),
    /** @param {boolean} isOpen */
    fold(isOpen) {
      element.classList.toggle("folded", !isOpen);
      setText(open, t(isOpen ? "inside_fold" : "inside_unfold"));
      setTrait(open, "aria-expanded", String(isOpen));
      setTrait(open, "aria-label", `${t(`inside_${name}`)}: ${open.textContent}`);
    },
    /** @param {InsideSays} says @param {boolean} exact */
    say({ formula: written, shape: size, lines, explained, symbols }, exact) {
      setText(formula, written);
      setText(shape, size);
      setTrait(formula, "title", `${written}: ${size}`); // a narrow panel has no room for the shape
      render(html`${termed(t, explained)}${symbols && html`<span class="panel-symbols">${t("sentences_between")}${t(symbols)}</span>`}`, about);
      const texts = lines(exact ? exactNumber : shortNumber, exact);
      const titles = exact ? [] : lines(exactNumber, false);
      render(texts.map((line, i) => html`
        <span class="result-line" title=${titles[i] ?? nothing}>${line}</span>`), result);
    },
  };
}

/**
 * The three matrices between x and q, k, v: an arrow each.
 * @param {{from: string, matrix: string, to: string, shape: string}[]} arrows
 */
const arrowsOf = (arrows) => arrows.map(({ from, matrix, to, shape }) => html`
  <span class="flow" title="${matrix}: ${shape}"><span class="flow-end" title=${from} dir="auto">${from}</span>
    <span class="flow-line"><span>${matrix}</span><span class="flow-shape">${shape}</span></span>
    <span class="flow-end">${to}</span></span>`);

/**
 * What can be chosen in the chain.
 * @typedef {{pickKey: function(number): void, pickHead: ?function(number): void}} ChainActs
 */

/**
 * The vectors of each panel.
 * @param {Words} t
 * @param {ChainActs} acts
 * @param {function("E" | "D"): function(number): void} pointer
 * @param {function(): void} redraw
 * @returns {Record<string, ReturnType<typeof makeVectors>>}
 */
function makeInsideParts(t, { pickKey, pickHead }, pointer, redraw) {
  const key = (/** @type {string} */ id) => pickKey(Number(id));
  const [E, D] = [pointer("E"), pointer("D")];
  return {
    read: makeVectors(t, "read", { point: D }, redraw),
    project: makeVectors(t, "project", { point: E }, redraw),
    product: makeVectors(t, "product", { point: E }, redraw),
    raw: makeVectors(t, "raw", { point: E, pick: key, caption: t("inside_raw") }, redraw),
    values: makeVectors(t, "values", { point: E, pick: key, caption: t("inside_weighted") }, redraw),
    output: makeVectors(t, "output",
      { point: D, pick: pickHead && ((id) => pickHead(Number(id))) }, redraw),
    residual: makeVectors(t, "residual", { point: D }, redraw),
    norm: makeVectors(t, "norm", { point: D }, redraw),
  };
}

/**
 * The links of the chain with what is in each.
 * @param {Words} t
 * @param {Record<string, {element: HTMLElement}>} vectors
 * @param {HTMLElement} arrows
 * @param {HTMLElement} steps
 * @param {HTMLElement[]} softmax
 * @param {function(string): void} toggle
 */
function makePanels(t, vectors, arrows, steps, softmax, toggle) {
  const { read, project, product, raw, values } = vectors;
  /** @type {Record<string, HTMLElement[]>} */
  const bodies = { project: [read.element, arrows, project.element],
    product: [steps, product.element], softmax,
    values: [make("div", { class: "values-pair" }, [raw.element, values.element])] };
  return Object.fromEntries(INSIDE_PANELS.map((name) =>
    [name, makeInsidePanel(t, name, bodies[name] ?? [vectors[name].element], () => toggle(name))]));
}

/**
 * The dimensions of a head and of the model that are pointed at; else those that count most.
 * @param {CellStudy} study
 * @param {number} key
 * @param {Record<"E" | "D", ?number>} pointed
 */
function dimensionsOf({ E, D, head, products_KE, shares_HD }, key, pointed) {
  return { e: Math.min(E - 1, pointed.E ?? insideLargest(insideRow(products_KE, key, E))),
    d: Math.min(D - 1, pointed.D ?? insideLargest(insideRow(shares_HD, head, D))) };
}

/** The links in the order of the model. @param {CellStudy} study */
const orderOf = ({ norm_place: place }) => (place !== "pre" ? INSIDE_PANELS
  : ["norm", ...INSIDE_PANELS.filter((name) => name !== "norm")]);

/** @param {CellStudy} study @returns {?PlainRow} */
const plainOf = ({ unscaled_scores_K: scores_K, unscaled_weights_K: weights_K }) =>
  (scores_K && weights_K ? { scores_K, weights_K } : null);

/**
 * @param {Words} t
 * @param {ChainActs} acts
 * @param {function(): void} redraw
 * @param {string} [scale] "with" or "without" the division
 * @param {string[]} [opened] the panels that are open
 */
export function makeInsideChain(t, acts, redraw, scale = "with", opened = []) {
  /** @type {Record<"E" | "D", ?number>} */
  const dimensions = { E: null, D: null }; // pointed at, or null: the one that counts most
  /** @type {function("E" | "D"): function(number): void} */
  const pointer = (axis) => (place) => {
    if (dimensions[axis] === place) return;
    dimensions[axis] = place;
    redraw();
  };
  const vectors = makeInsideParts(t, acts, pointer, redraw);
  const table = makeInsideRow(t, acts.pickKey);
  const arrows = make("p", { class: "flow-arrows", dir: "ltr" });
  const scaling = makeInsideScale(t, (value) => {
    scale = value;
    redraw();
  });
  const steps = make("div", { class: "product-box" });
  /** @param {string[]} next */
  const open = (next) => {
    opened = next;
    redraw();
  };
  const panels = makePanels(t, vectors, arrows, steps, [scaling.element, table.element],
    (name) => open(opened.includes(name) ? opened.filter((one) => one !== name) : [...opened, name]));
  const every = makeButton({ class: "as-link", data: { act: "formulas" } },
    () => open(opened.length < INSIDE_PANELS.length ? INSIDE_PANELS : []));
  const folding = make("p", { class: "chain-fold" }, [make("span", { text: t("inside_folded") }), every]);
  let isOpen = false; // whether all dimensions of the products are shown
  const toggle = () => {
    isOpen = !isOpen;
    redraw();
  };
  const element = make("div", { class: "inside-chain" },
    [folding, ...INSIDE_PANELS.map((name) => panels[name].element)]);

  /** Whether the vectors of a link are seen: a lesson, a picture and paper have all of them. @param {string} name */
  const isSeen = (name) => opened.includes(name) || element.closest(".stage:is(.picture, .paper, .in-lesson)") !== null;

  /**
   * Says and draws the links that are a sentence and some vectors.
   * @param {Record<string, {say: InsideSays, rows: InsideVector[], at: number}>} links
   * @param {InsideLook} look
   */
  function show(links, look) {
    for (const [name, { say, rows, at }] of Object.entries(links)) {
      panels[name].say(say, look.digits);
      if (isSeen(name)) vectors[name].update({ ...look, rows, at });
    }
  }

  return {
    element,
    /** @param {CellStudy} study @param {InsideLabels} labels @param {number} key @param {InsideLook} look */
    update(study, labels, key, look) {
      const { e, d } = dimensionsOf(study, key, dimensions);
      element.classList.toggle("pre", study.norm_place === "pre");
      element.classList.toggle("whole", opened.length === INSIDE_PANELS.length || element.closest(".stage.in-lesson") !== null);
      orderOf(study).forEach((name, i) => panels[name].number(i + 1));
      for (const name of INSIDE_PANELS) panels[name].fold(opened.includes(name));
      setText(every, t(opened.length < INSIDE_PANELS.length ? "inside_unfold_all" : "inside_fold_all"));
      hide(vectors.product.element, !isOpen);
      render(productSteps(t, study, key, dimensions.E, { isOpen, toggle }), steps);
      for (const part of Object.values(vectors)) part.measure();
      const without = plainOf(study);
      const plain = scale === "with" ? null : without;
      hide(scaling.element, without === null);
      scaling.update(scale);
      const at = { t, study, labels, key, e, d };
      panels.softmax.say(plain ? insideUnscaled(at, plain) : insideSoftmax(at), look.digits);
      table.update(study, labels.keys, key, plain);
      const project = insideProject(at);
      render(arrowsOf(project.arrows), arrows);
      if (isSeen("project")) vectors.read.update({ ...look, rows: project.read, at: d });
      const values = insideValues(at, exactNumber);
      if (isSeen("values")) vectors.raw.update({ ...look, rows: values.raw, at: e });
      show({
        project: { ...project, at: e },
        product: { ...insideProduct(at), at: e },
        values: { ...values, at: e },
        output: { ...insideOutput(at, acts.pickHead !== null), at: d },
        residual: { ...insideResidual(at), at: d },
        norm: { ...insideNorm(at), at: d },
      }, look);
      for (const part of [table, ...Object.values(vectors)]) part.follow();
    },
    scale: () => scale,
    opened: () => opened,
    isWhole: () => element.classList.contains("whole"),
    /** Shows the panels of a picture alone; the function ends it. @param {string} picture */
    only(picture) {
      const isAfter = (/** @type {string} */ name) => ["output", "residual", "norm"].includes(name);
      const hidden = INSIDE_PANELS.filter((name) => isAfter(name) !== (picture === "output"))
        .map((name) => panels[name].element);
      for (const one of hidden) one.hidden = true;
      return () => {
        for (const one of hidden) one.hidden = false;
      };
    },
    destroy: () => Object.values(vectors).forEach((part) => part.destroy()),
  };
}
