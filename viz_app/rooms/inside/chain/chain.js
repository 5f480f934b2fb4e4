// One cell of one head as a flow: x to q, k and v, query x key, score, mask, weight, values, output
// projection, residual, norm. Every number is the server's float32, or one division of two that are
// printed; where that is not the model's own number, both stand there with all their digits.

import { exactNumber, shortNumber } from "../../../stage/draw/numbers.js";
import { hide, press } from "../../../stage/page/elements.js";
import { termed } from "../../../stage/page/terms.js";
import { html, makePart, nothing } from "../../../stage/page/html.js";
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
 * @param {{place: number, isOpen: boolean, says: ?InsideSays, exact: boolean}} now `place` in the order of reading
 * @param {function(unknown): unknown} body gets what explains it
 * @param {function(): void} toggle
 */
function panelOf(t, name, { place, isOpen, says, exact }, body, toggle) {
  const { formula = "", shape = "", explained, symbols } = says ?? {};
  const texts = says?.lines(exact ? exactNumber : shortNumber, exact) ?? [];
  const titles = exact ? [] : says?.lines(exactNumber, false) ?? [];
  const fold = t(isOpen ? "inside_fold" : "inside_unfold");
  const about = html`<p class="panel-about">${explained && termed(t, explained)}${
    symbols && html`<span class="panel-symbols">${t("sentences_between")}${t(symbols)}</span>`}</p>`;
  // A narrow panel has no room for the shape.
  return html`
    <section class="inside-panel${isOpen ? "" : " folded"}" data-panel=${name}>
      <header class="panel-head"><span class="panel-step">${place}</span><h3 class="panel-name">${termed(t, `inside_${name}`)}</h3>
        <button type="button" class="as-link panel-open" data-unfold=${name} aria-expanded=${isOpen} aria-label="${t(`inside_${name}`)}: ${fold}"
          @click=${press(toggle)}>${fold}</button>
        <code class="panel-formula" dir="ltr" title="${formula}: ${shape}">${formula}</code><span class="panel-shape" dir="ltr">${shape}</span></header>
      ${body(about)}
      <p class="panel-result">${texts.map((line, i) => html`<span class="result-line" title=${titles[i] ?? nothing}>${line}</span>`)}</p>
    </section>`;
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
 * @typedef {import("./panels.js").At} At
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
  const scaling = makeInsideScale(t, (value) => {
    scale = value;
    redraw();
  });
  /** @param {string[]} next */
  const open = (next) => {
    opened = next;
    redraw();
  };
  const isWhole = () => opened.length >= INSIDE_PANELS.length;
  let isOpen = false; // whether all dimensions of the products are shown
  const toggle = () => {
    isOpen = !isOpen;
    redraw();
  };

  /** What the links show. @param {At} at @param {?PlainRow} plain */
  const linksOf = (at, plain) => ({ project: insideProject(at), product: insideProduct(at),
    softmax: { say: plain ? insideUnscaled(at, plain) : insideSoftmax(at) }, values: insideValues(at, exactNumber),
    output: insideOutput(at, acts.pickHead !== null), residual: insideResidual(at), norm: insideNorm(at) });

  /** What is in a link. @param {string} name @param {?At} at @param {?ReturnType<typeof linksOf>} links @returns {function(unknown): unknown} */
  function bodyOf(name, at, links) {
    const { read, project, product, raw, values } = vectors;
    if (name === "project") return (about) => html`${about}${read.element}<p class="flow-arrows" dir="ltr">${links && arrowsOf(links.project.arrows)}</p>${project.element}`;
    if (name === "product") return (about) => html`${about}<div class="product-box">${at && productSteps(t, at.study, at.key, dimensions.E, { isOpen, toggle })}</div>${product.element}`;
    if (name === "softmax") return (about) => html`<div class="panel-line">${about}${scaling.element}</div>${table.element}`;
    if (name === "values") return (about) => html`${about}<div class="values-pair">${raw.element}${values.element}</div>`;
    return (about) => html`${about}${vectors[name].element}`;
  }

  const { element, update: draw } = makePart((/** @type {?At} */ at = null, /** @type {?ReturnType<typeof linksOf>} */ links = null, exact = false) => {
    const order = at ? orderOf(at.study) : INSIDE_PANELS;
    return html`
      <div class="inside-chain">
        <p class="chain-fold"><span>${t("inside_folded")}</span>
          <button type="button" class="as-link" data-act="formulas" @click=${press(() => open(isWhole() ? [] : INSIDE_PANELS))}>
            ${t(isWhole() ? "inside_fold_all" : "inside_unfold_all")}</button></p>
        ${INSIDE_PANELS.map((name) => panelOf(t, name, { place: order.indexOf(name) + 1, isOpen: opened.includes(name), exact,
    says: links && links[/** @type {keyof typeof links} */ (name)].say }, bodyOf(name, at, links),
  () => open(opened.includes(name) ? opened.filter((one) => one !== name) : [...opened, name])))}</div>`;
  });

  /** Whether the vectors of a link are seen: a lesson, a picture and paper have all of them. @param {string} name */
  const isSeen = (name) => opened.includes(name) || element.closest(".stage:is(.picture, .paper, .in-lesson)") !== null;

  return {
    element,
    /** @param {CellStudy} study @param {InsideLabels} labels @param {number} key @param {InsideLook} look */
    update(study, labels, key, look) {
      const { e, d } = dimensionsOf(study, key, dimensions);
      const without = plainOf(study);
      const plain = scale === "with" ? null : without;
      const at = { t, study, labels, key, e, d };
      const links = linksOf(at, plain);
      element.classList.toggle("pre", study.norm_place === "pre");
      element.classList.toggle("whole", isWhole() || element.closest(".stage.in-lesson") !== null);
      hide(vectors.product.element, !isOpen);
      hide(scaling.element, without === null);
      scaling.update(scale);
      draw(at, links, look.digits);
      table.update(study, labels.keys, key, plain);
      for (const part of Object.values(vectors)) part.measure();
      /** @param {string} link @param {InsideVector[]} rows @param {number} at @param {string} name of the vectors */
      const show = (link, rows, at, name = link) => {
        if (isSeen(link)) vectors[name].update({ ...look, rows, at });
      };
      show("project", links.project.read, d, "read");
      show("values", links.values.raw, e, "raw");
      for (const name of /** @type {const} */ (["project", "product", "values"])) show(name, links[name].rows, e);
      for (const name of /** @type {const} */ (["output", "residual", "norm"])) show(name, links[name].rows, d);
      for (const part of [table, ...Object.values(vectors)]) part.follow();
    },
    scale: () => scale,
    opened: () => opened,
    isWhole: () => element.classList.contains("whole"),
    /** Shows the panels of a picture alone; the function ends it. @param {string} picture */
    only(picture) {
      const isAfter = (/** @type {string} */ name) => ["output", "residual", "norm"].includes(name);
      const hidden = /** @type {HTMLElement[]} */ (INSIDE_PANELS.filter((name) => isAfter(name) !== (picture === "output"))
        .map((name) => element.querySelector(`[data-panel="${name}"]`)));
      for (const one of hidden) one.hidden = true;
      return () => {
        for (const one of hidden) one.hidden = false;
      };
    },
    destroy: () => Object.values(vectors).forEach((part) => part.destroy()),
  };
}
