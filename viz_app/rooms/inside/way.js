// The way of one token through the whole model, stage by stage: each can be opened to see what
// enters it, what it adds and what leaves it; beside each, what the model would say if it stopped
// there, and beside them all what it does say.

import { quoted } from "../../stage/draw/labels.js";
import { exactNumber, shortNumber, shortProbability } from "../../stage/draw/numbers.js";
import { nearest, press } from "../../stage/page/elements.js";
import { html, makePart, nothing } from "../../stage/page/html.js";
import { termed } from "../../stage/page/terms.js";
import { makeInsideEnd } from "./end.js";
import { insideStages, usuallyOpen } from "./stages.js";
import { insideLargest, makeVectors } from "./vectors.js";

/**
 * What can be done on a line, and the dimension and the unit that are pointed at.
 * @typedef {Object} StageActs
 * @property {function(string): void} toggle
 * @property {function(string): void} look to the cells of a sub-layer's heads
 * @property {Record<"dimension" | "unit", ?number>} pointed
 * @property {function("dimension" | "unit"): function(number): void} point
 * @property {function(): void} redraw
 * @typedef {ReturnType<typeof makeVectors>} Vectors
 */

/** The best token after a stage, and its probability. @param {Words} t @param {InsideStage["lens"]} lens */
function lensOf(t, lens) {
  const [best] = lens ?? [];
  const said = lens?.map(({ label, logit, probability }) => t("inside_lens_one", { token: quoted(label),
    logit: exactNumber(logit), probability: exactNumber(probability) })).join("\n");
  return html`
    <span class="stage-lens" title=${said ?? nothing} .style=${`--weight: ${best?.probability ?? 0}`} ?hidden=${!best}>
      <span class="kind key-name" dir="auto" data-kind=${best?.kind ?? nothing}>${best?.label}</span>
      <span class="lens-chance">${best && shortProbability(best.probability)}</span></span>`;
}

/**
 * What is under the line of an open stage: its vectors, made when it is opened for the first time.
 * @param {Words} t
 * @param {StageActs} acts
 */
function makeUnfolded(t, { pointed, point, redraw }) {
  /** @type {?Vectors} */
  let vectors = null;
  /** @type {?Vectors} */
  let inner = null;
  const { element, update: draw } = makePart((isOpen = false, shape = "", units = "") => html`
    <div class="stage-vectors" ?hidden=${!isOpen}><p class="panel-shape" dir="ltr">${shape}</p>${vectors?.element}
      ${inner ? html`<p class="panel-about stage-units">${units}</p>${inner.element}` : nothing}</div>`);
  return {
    element,
    /** @param {InsideStage} stage @param {boolean} isOpen @param {InsideLook} look */
    update({ id, rows, shape: said, hidden_F: hidden, active, activation }, isOpen, look) {
      if (isOpen) vectors ??= makeVectors(t, id, { point: point("dimension") }, redraw);
      if (isOpen && hidden) inner ??= makeVectors(t, `${id}.hidden`, { point: point("unit") }, redraw);
      draw(isOpen, said, hidden ? t("inside_units", { F: hidden.length, active, activation }) : "");
      if (!isOpen) return;
      vectors?.update({ ...look, rows,
        at: pointed.dimension ?? insideLargest(rows[rows.length - 1].values) });
      if (hidden) inner?.update({ ...look, at: pointed.unit ?? insideLargest(hidden),
        rows: [{ id: "hidden", name: t("inside_hidden"), values: hidden, bars: true }] });
    },
    destroy() {
      vectors?.destroy();
      inner?.destroy();
    },
  };
}

/**
 * One stage: its line, and what is under it while it is open.
 * @param {Words} t
 * @param {InsideStage} stage
 * @param {{isOpen: boolean, most: number, unfolded: HTMLElement}} now `most`: the longest x
 * @param {StageActs} acts
 */
function stageOf(t, { id, title, values, layer, kind, formula, length, lens }, { isOpen, most, unfolded }, acts) {
  const toggle = () => acts.toggle(id);
  return html`
    <li class="way-stage${isOpen ? " open" : ""}" data-stage=${id}>
      <div class="stage-line" @click=${(/** @type {Event} */ event) => { if (!nearest(event, "button, .term")) toggle(); }}>
        <button type="button" class="stage-open" aria-expanded=${isOpen} aria-label=${`${t("inside_open")}: ${t(title, values)}`}
          @click=${press(toggle)}><span class="stage-mark" aria-hidden="true"></span></button>
        <span class="stage-name">${termed(t, title, values)}</span>
        <code class="panel-formula" dir="ltr">${formula}</code>
        <span class="stage-size"><span class="stage-bar" aria-hidden="true" .style=${`--share: ${length / most}`}></span>
          <span class="stage-length" title=${length}>‖x‖ = ${shortNumber(length)}</span></span>
        ${lensOf(t, lens)}
        ${layer === undefined || kind === undefined || kind === "feed_forward" ? nothing : html`
          <button type="button" class="stage-heads" title=${t("inside_heads_hint")} data-look=${id} data-asks=""
            @click=${press(() => acts.look(id))}>${t("inside_heads")}</button>`}</div>
      ${unfolded}</li>`;
}

/**
 * Which stages are unfolded, by name, for each side whose way was drawn.
 * @param {?number[]} before those of the first way that is drawn, by their places; null: the usual
 * @param {Record<string, string[]>} opened those of each side
 */
function makeOpened(before, opened) {
  let first = before;
  const opens = new Map(Object.entries(opened).map(([side, names]) => [side, new Set(names)]));
  return {
    /** @param {WayStudy} way @param {InsideStage[]} stages @returns {Set<string>} */
    of(way, stages) {
      const names = first?.flatMap((place) => stages[place]?.id ?? [])
        ?? (opens.has(way.side) ? null : usuallyOpen(way));
      first = null;
      if (names) opens.set(way.side, new Set(names));
      return /** @type {Set<string>} */ (opens.get(way.side));
    },
    /** @param {string} side @param {string} id */
    toggle(side, id) {
      const open = opens.get(side);
      if (!open?.delete(id)) open?.add(id);
    },
    /** That one alone. @param {string} side @param {string} id */
    only: (side, id) => opens.set(side, new Set([id])),
    all: () => Object.fromEntries([...opens].map(([side, names]) => [side, [...names]])),
  };
}

/**
 * @param {Words} t
 * @param {{look: function(string): void}} acts
 * @param {function(): void} redraw
 * @param {?number[]} before the stages that are unfolded, by their places in the first list that is
 *     drawn; null: as a reader finds them
 * @param {Record<string, string[]>} opened those of each side that was drawn, by name
 */
export function makeInsideWay(t, { look }, redraw, before = null, opened = {}) {
  const opens = makeOpened(before, opened);
  /** @type {Map<string, ReturnType<typeof makeUnfolded>>} */
  let unfolded = new Map();
  /** @type {{way: WayStudy, stages: InsideStage[], open: Set<string>} | null} */
  let last = null;
  const end = makeInsideEnd(t);
  /** @type {StageActs} */
  const acts = {
    look,
    redraw,
    pointed: { dimension: null, unit: null },
    point: (axis) => (place) => {
      if (acts.pointed[axis] === place) return;
      acts.pointed[axis] = place;
      redraw();
    },
    toggle(id) {
      if (last) opens.toggle(last.way.side, id);
      redraw();
    },
  };
  const clear = () => unfolded.forEach((one) => one.destroy());
  const { element, update } = makePart((/** @type {?WayStudy} */ way = null, /** @type {InsideStage[]} */ stages = [],
    /** @type {Set<string>} */ open = new Set()) => {
    const most = Math.max(...stages.map((stage) => stage.length));
    return html`
      <div class="inside-way">
        <p class="way-lens panel-about" ?hidden=${!way?.lens}>${termed(t, "inside_lens_about")}</p>
        <ol class="way-stages">${stages.map((stage) => stageOf(t, stage, { most, isOpen: open.has(stage.id),
    unfolded: /** @type {any} */ (unfolded.get(stage.id)).element }, acts))}</ol>
        ${end.element}</div>`;
  });

  return {
    element,
    /** @param {WayStudy} way @param {string} label @param {InsideLook} drawing */
    update(way, label, drawing) {
      const stages = insideStages(way, t);
      if (String([...unfolded.keys()]) !== String(stages.map(({ id }) => id))) {
        clear();
        unfolded = new Map(stages.map(({ id }) => [id, makeUnfolded(t, acts)]));
      }
      const open = opens.of(way, stages);
      update(way, stages, open);
      // The end is laid out first: the vectors fit what it leaves.
      end.update(way, label, drawing);
      for (const stage of stages) unfolded.get(stage.id)?.update(stage, open.has(stage.id), drawing);
      last = { way, stages, open };
    },
    /** The places of what is unfolded now, as it was unfolded; null: the usual, unless that was chosen. */
    keep() {
      if (!last) return before;
      const { way, stages, open } = last;
      const places = [...open].map((name) => stages.findIndex(({ id }) => id === name));
      const names = stages.map(({ id }) => id).filter((id) => open.has(id));
      return !before && names.join() === usuallyOpen(way).join() ? null : places.filter((place) => place >= 0);
    },
    unfold: opens.only,
    /** The names of what is unfolded, for each side that was drawn. */
    opened: opens.all,
    destroy: clear,
  };
}
