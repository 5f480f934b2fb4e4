// The way of one token through the whole model, stage by stage: each can be opened to see what
// enters it, what it adds and what leaves it; beside each, what the model would say if it stopped
// there, and beside them all what it does say.

import { quoted } from "../../stage/draw/labels.js";
import { exactNumber, shortNumber, shortProbability } from "../../stage/draw/numbers.js";
import { make, makeButton, nearest, setText, setTrait } from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/glossary.js";
import { markAsking } from "../../stage/page/rooms.js";
import { makeInsideEnd } from "./end.js";
import { insideStages, usuallyOpen } from "./stages.js";
import { insideLargest, makeVectors } from "./vectors.js";

/** One line of the list; its vectors are made when it is opened for the first time. */
function makeInsideStage(t, stage, toggle, lookInside) {
  const name = makeTermed(t, stage.title, { class: "stage-name" });
  const head = makeButton({ class: "stage-open" }, () => toggle(stage.id),
    [make("span", { class: "stage-mark", "aria-hidden": "true" })]);
  const formula = make("code", { class: "panel-formula", dir: "ltr" });
  const bar = make("span", { class: "stage-bar", "aria-hidden": "true" });
  const length = make("span", { class: "stage-length" });
  const token = make("span", { class: "kind key-name", dir: "auto" });
  const chance = make("span", { class: "lens-chance" });
  const lens = make("span", { class: "stage-lens" }, [token, chance]);
  const heads = stage.layer === undefined || stage.kind === "feed_forward" ? null
    : makeButton({ class: "stage-heads", text: t("inside_heads"), title: t("inside_heads_hint"),
      data: { look: stage.id } }, () => lookInside(stage.kind, stage.layer));
  if (heads) markAsking(heads);
  const shape = make("p", { class: "panel-shape", dir: "ltr" });
  const units = make("p", { class: "panel-about stage-units" });
  const body = make("div", { class: "stage-vectors" }, [shape]);
  const line = make("div", { class: "stage-line" }, [head, name.element, formula,
    make("span", { class: "stage-size" }, [bar, length]), lens, heads]);
  line.addEventListener("click", (event) => {
    if (!nearest(event, "button, .term")) toggle(stage.id);
  });
  const item = make("li", { class: "way-stage", data: { stage: stage.id } }, [line, body]);
  return { item, name, head, formula, shape, bar, length, lens, token, chance, units, body,
    vectors: null, hidden: null };
}

/** The line of a stage: its name, its length, its best token. */
function sayInsideStage(t, part, stage, isOpen, most) {
  part.name.update(stage.values);
  setText(part.formula, stage.formula);
  setText(part.shape, stage.shape);
  setText(part.length, `‖x‖ = ${shortNumber(stage.length)}`);
  setTrait(part.length, "title", String(stage.length));
  part.bar.style.setProperty("--share", stage.length / most);
  setTrait(part.head, "aria-expanded", isOpen);
  setTrait(part.head, "aria-label", `${t("inside_open")}: ${part.name.element.textContent}`);
  part.item.classList.toggle("open", isOpen);
  part.body.hidden = !isOpen;
  part.lens.hidden = !stage.lens;
  if (!stage.lens) return;
  const [best] = stage.lens;
  setText(part.token, best.label);
  setTrait(part.token, "data-kind", best.kind);
  setText(part.chance, shortProbability(best.probability));
  part.lens.style.setProperty("--weight", best.probability);
  setTrait(part.lens, "title", stage.lens.map(({ label, logit, probability }) =>
    t("inside_lens_one", { token: quoted(label), logit: exactNumber(logit),
      probability: exactNumber(probability) })).join("\n"));
}

/**
 * @param {Words} t
 * @param {{look: function(string, number): void}} acts
 * @param {function(): void} redraw
 * @param {?number[]} before the stages that are unfolded, by their places in the first list that is
 *     drawn; null: as a reader finds them
 * @param {Object<string, string[]>} opened those of each side that was drawn, by name
 */
export function makeInsideWay(t, { look: lookInside }, redraw, before = null,
  opened = {}) {
  const pointed = { dimension: null, unit: null };
  /** @type {Map<string, Set<string>>} */
  const opens = new Map(Object.entries(opened).map(([side, names]) => [side, new Set(names)]));
  let first = before; // of the first way that is drawn
  let built = [];
  let last = null;
  const list = make("ol", { class: "way-stages" });
  const about = makeTermed(t, "inside_lens_about", { class: "way-lens panel-about" }, "p").element;
  const end = makeInsideEnd(t);
  const element = make("div", { class: "inside-way" }, [about, list, end.element]);
  const point = (axis) => (place) => {
    if (pointed[axis] === place) return;
    pointed[axis] = place;
    redraw();
  };

  function toggle(id) {
    const open = opens.get(last.way.side);
    if (open.has(id)) open.delete(id);
    else open.add(id);
    redraw();
  }

  /** What is under the line of an open stage. */
  function unfold(part, stage, look) {
    const { hidden_F: hidden } = stage;
    if (!part.vectors) {
      part.vectors = makeVectors(t, stage.id, { point: point("dimension") }, redraw);
      part.body.append(part.vectors.element);
      if (hidden) {
        part.hidden = makeVectors(t, `${stage.id}.hidden`, { point: point("unit") }, redraw);
        part.body.append(part.units, part.hidden.element);
      }
    }
    part.vectors.update({ ...look, rows: stage.rows,
      at: pointed.dimension ?? insideLargest(stage.rows[stage.rows.length - 1].values) });
    if (!hidden) return;
    setText(part.units, t("inside_units", { F: hidden.length, active: stage.active,
      activation: stage.activation }));
    part.hidden.update({ ...look, at: pointed.unit ?? insideLargest(hidden),
      rows: [{ id: "hidden", name: t("inside_hidden"), values: hidden, bars: true }] });
  }

  const clear = () => built.forEach(({ part }) => {
    part.vectors?.destroy();
    part.hidden?.destroy();
  });

  return {
    element,
    update(way, label, look) {
      const stages = insideStages(way, t);
      const same = built.length === stages.length
        && built.every(({ stage }, i) => stage === `${stages[i].id} ${stages[i].title}`);
      if (!same) {
        clear();
        built = stages.map((stage) => ({ stage: `${stage.id} ${stage.title}`,
          part: makeInsideStage(t, stage, toggle, lookInside) }));
        list.replaceChildren(...built.map(({ part }) => part.item));
      }
      if (first || !opens.has(way.side)) {
        opens.set(way.side, new Set(first ? first.map((place) => stages[place]?.id)
          : usuallyOpen(way)));
        first = null;
      }
      const open = opens.get(way.side);
      const most = Math.max(...stages.map((stage) => stage.length));
      about.hidden = !way.lens;
      // The end is laid out first: the vectors fit what it leaves.
      end.update(way, label, look);
      stages.forEach((stage, i) => {
        const isOpen = open.has(stage.id);
        sayInsideStage(t, built[i].part, stage, isOpen, most);
        if (isOpen) unfold(built[i].part, stage, look);
      });
      last = { way, stages };
    },
    /** The places of what is unfolded now, where that is not the usual. */
    keep() {
      if (!last) return before;
      const open = opens.get(last.way.side);
      const names = last.stages.map(({ id }) => id).filter((id) => open.has(id));
      const isUsual = names.join() === usuallyOpen(last.way).join();
      return isUsual ? null
        : names.map((name) => last.stages.findIndex(({ id }) => id === name));
    },
    /** The names of what is unfolded, for each side that was drawn. */
    opened: () => Object.fromEntries([...opens].map(([side, names]) => [side, [...names]])),
    drawn() {
      if (!last) return null;
      const { way, stages } = last;
      const open = opens.get(way.side);
      return {
        side: way.side, position: way.position,
        stages: stages.map((stage, i) => ({
          id: stage.id, title: built[i].part.name.element.textContent, formula: stage.formula,
          shape: stage.shape, length: stage.length, open: open.has(stage.id),
          rows: stage.rows.map(({ id, name, values }) =>
            ({ id, name, values: Array.from(values) })),
          hidden: stage.hidden_F ? Array.from(stage.hidden_F) : null,
          units: built[i].part.units.textContent, lens: stage.lens,
          says: [built[i].part.token.textContent, built[i].part.chance.textContent],
        })),
        prediction: end.drawn(way),
      };
    },
    destroy: clear,
  };
}
