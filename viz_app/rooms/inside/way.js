// The way of one token through the whole model, stage by stage: each can be opened to see what
// enters it, what it adds and what leaves it; beside each, what the model would say if it stopped
// there, and beside them all what it does say.

import { quoted } from "../../stage/draw/labels.js";
import { exactNumber, shortNumber, shortProbability } from "../../stage/draw/numbers.js";
import { make, makeButton, nearest, setText, setTrait } from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/terms.js";
import { markAsking } from "../../stage/page/rooms.js";
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

/** The best token after a stage, and its probability. @param {Words} t */
function makeLens(t) {
  const token = make("span", { class: "kind key-name", dir: "auto" });
  const chance = make("span", { class: "lens-chance" });
  const element = make("span", { class: "stage-lens" }, [token, chance]);
  return {
    element,
    /** @param {InsideStage["lens"]} lens */
    update(lens) {
      element.hidden = !lens;
      if (!lens) return;
      const [best] = lens;
      setText(token, best.label);
      setTrait(token, "data-kind", best.kind);
      setText(chance, shortProbability(best.probability));
      element.style.setProperty("--weight", String(best.probability));
      setTrait(element, "title", lens.map(({ label, logit, probability }) =>
        t("inside_lens_one", { token: quoted(label), logit: exactNumber(logit),
          probability: exactNumber(probability) })).join("\n"));
    },
  };
}

/**
 * What is under the line of an open stage: its vectors, made when it is opened for the first time.
 * @param {Words} t
 * @param {StageActs} acts
 */
function makeUnfolded(t, { pointed, point, redraw }) {
  const shape = make("p", { class: "panel-shape", dir: "ltr" });
  const units = make("p", { class: "panel-about stage-units" });
  const element = make("div", { class: "stage-vectors" }, [shape]);
  /** @type {?Vectors} */
  let vectors = null;
  /** @type {?Vectors} */
  let inner = null;
  return {
    element,
    /** @param {InsideStage} stage @param {InsideLook} look */
    update({ id, rows, hidden_F: hidden, active, activation }, look) {
      if (!vectors) {
        vectors = makeVectors(t, id, { point: point("dimension") }, redraw);
        element.append(vectors.element);
      }
      vectors.update({ ...look, rows,
        at: pointed.dimension ?? insideLargest(rows[rows.length - 1].values) });
      if (!hidden) return;
      if (!inner) {
        inner = makeVectors(t, `${id}.hidden`, { point: point("unit") }, redraw);
        element.append(units, inner.element);
      }
      setText(units, t("inside_units", { F: hidden.length, active, activation }));
      inner.update({ ...look, at: pointed.unit ?? insideLargest(hidden),
        rows: [{ id: "hidden", name: t("inside_hidden"), values: hidden, bars: true }] });
    },
    /** @param {string} text */
    say: (text) => setText(shape, text),
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
 * @param {StageActs} acts
 */
function makeInsideStage(t, { id, title, layer, kind }, acts) {
  const name = makeTermed(t, title, { class: "stage-name" });
  const head = makeButton({ class: "stage-open" }, () => acts.toggle(id),
    [make("span", { class: "stage-mark", "aria-hidden": "true" })]);
  const formula = make("code", { class: "panel-formula", dir: "ltr" });
  const bar = make("span", { class: "stage-bar", "aria-hidden": "true" });
  const length = make("span", { class: "stage-length" });
  const lens = makeLens(t);
  const heads = layer === undefined || kind === undefined || kind === "feed_forward" ? null
    : makeButton({ class: "stage-heads", text: t("inside_heads"), title: t("inside_heads_hint"),
      data: { look: id } }, () => acts.look(id));
  if (heads) markAsking(heads);
  const unfolded = makeUnfolded(t, acts);
  const line = make("div", { class: "stage-line" }, [head, name.element, formula,
    make("span", { class: "stage-size" }, [bar, length]), lens.element, heads]);
  line.addEventListener("click", (event) => {
    if (!nearest(event, "button, .term")) acts.toggle(id);
  });
  const item = make("li", { class: "way-stage", data: { stage: id } }, [line, unfolded.element]);
  return {
    item,
    of: `${id} ${title}`,
    /** @param {InsideStage} stage @param {boolean} isOpen @param {number} most the longest x @param {InsideLook} look */
    update(stage, isOpen, most, look) {
      name.update(stage.values);
      setText(formula, stage.formula);
      unfolded.say(stage.shape);
      setText(length, `‖x‖ = ${shortNumber(stage.length)}`);
      setTrait(length, "title", String(stage.length));
      bar.style.setProperty("--share", String(stage.length / most));
      setTrait(head, "aria-expanded", isOpen);
      setTrait(head, "aria-label", `${t("inside_open")}: ${name.element.textContent}`);
      item.classList.toggle("open", isOpen);
      unfolded.element.hidden = !isOpen;
      lens.update(stage.lens);
      if (isOpen) unfolded.update(stage, look);
    },
    destroy: unfolded.destroy,
  };
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
  /** @type {ReturnType<typeof makeInsideStage>[]} */
  let parts = [];
  /** @type {{way: WayStudy, stages: InsideStage[], open: Set<string>} | null} */
  let last = null;
  const list = make("ol", { class: "way-stages" });
  const about = makeTermed(t, "inside_lens_about", { class: "way-lens panel-about" }, "p").element;
  const end = makeInsideEnd(t);
  const element = make("div", { class: "inside-way" }, [about, list, end.element]);
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
  const clear = () => parts.forEach((part) => part.destroy());

  return {
    element,
    /** @param {WayStudy} way @param {string} label @param {InsideLook} drawing */
    update(way, label, drawing) {
      const stages = insideStages(way, t);
      if (parts.map(({ of }) => of).join() !== stages.map(({ id, title }) => `${id} ${title}`).join()) {
        clear();
        parts = stages.map((stage) => makeInsideStage(t, stage, acts));
        list.replaceChildren(...parts.map(({ item }) => item));
      }
      const open = opens.of(way, stages);
      const most = Math.max(...stages.map((stage) => stage.length));
      about.hidden = !way.lens;
      // The end is laid out first: the vectors fit what it leaves.
      end.update(way, label, drawing);
      stages.forEach((stage, i) => parts[i].update(stage, open.has(stage.id), most, drawing));
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
