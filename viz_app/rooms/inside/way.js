// The way of one token through the whole model, stage by stage: each can be opened to see what
// enters it, what it adds and what leaves it.

import { labelsOf, quoted } from "../../stage/draw/labels.js";
import { exactNumber, shortNumber } from "../../stage/draw/numbers.js";
import { make, makeButton, nearest, setText, setTrait } from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/glossary.js";
import { markAsking } from "../../stage/page/rooms.js";
import { insideLargest, makeVectors } from "./vectors.js";

/** The stages of a way, as plain values: {id, title, formula, shape, rows, length, opens}. */
export function insideStages(way, label, t) {
  const { D, F, side } = way;
  const source = side === "source";
  const length = (vector) => Math.sqrt(vector.reduce((sum, one) => sum + one * one, 0));
  const stack = t(source ? "inside_encoder" : "inside_decoder");
  const stages = [{
    id: "embedding", title: "inside_embedding", values: {},
    formula: way.scaled_embedding ? "x = E[token] · √D" : "x = E[token]",
    shape: `(1) → (D), D = ${D}`,
    rows: [{ id: "x", name: t("inside_embedded"), values: way.embedding_D }],
  }, {
    id: "position", title: `inside_position_${way.position_D ? "added" : way.positions}`,
    values: {}, formula: way.position_D ? "x + P[p]" : "x", shape: `(D) → (D), D = ${D}`,
    rows: [
      { id: "x", name: t("inside_embedded"), values: way.embedding_D },
      ...(way.position_D ? [{ id: "p", name: t("inside_position_row", { p: way.position }),
        values: way.position_D }] : []),
      { id: "sum", name: t("inside_sum_word"), values: way.sum_D, rule: true },
    ],
  }];
  for (const sublayer of way.sublayers) {
    const [, layer, kind] = sublayer.name.split(".");
    const pre = way.norm_place === "pre";
    const inner = kind === "feed_forward" ? "(D) → (F) → (D)" : "(D) → H × (E) → (D)";
    const name = { self: "SelfAttention", cross: "CrossAttention", feed_forward: "FFN" }[kind];
    stages.push({
      id: sublayer.name, title: `inside_stage_${kind}`, values: { stack, layer }, kind,
      layer: Number(layer) - 1,
      formula: pre ? `x + ${name}(Norm(x))` : `Norm(x + ${name}(x))`,
      shape: `${inner}, D = ${D}${kind === "feed_forward" ? `, F = ${F}` : ""}`,
      rows: [
        { id: "x", name: t("inside_x"), values: sublayer.entered_D },
        ...(pre ? [{ id: "read", name: t("inside_read"), values: sublayer.read_D }] : []),
        { id: "made", name: t("inside_made"), values: sublayer.made_D },
        { id: "sum", name: t("inside_residual_name"), values: sublayer.sum_D, rule: true },
        ...(pre ? [] : [{ id: "passed", name: t("inside_passed"), values: sublayer.passed_D,
          rule: true }]),
      ],
    });
  }
  if (way.final_norm) {
    const before = way.sublayers[way.sublayers.length - 1].passed_D;
    stages.push({
      id: "final_norm", title: "inside_final_norm", values: { stack }, formula: "Norm(x)",
      shape: `(D) → (D), D = ${D}`,
      rows: [{ id: "x", name: t("inside_x"), values: before },
        { id: "left", name: t("inside_passed"), values: way.output_D, rule: true }],
    });
  }
  for (const stage of stages) stage.length = length(stage.rows[stage.rows.length - 1].values);
  return stages;
}

/** The stages that are unfolded before the reader chose any, by name. */
function usuallyOpen({ sublayers }) {
  return ["position", sublayers[sublayers.length - 1].name];
}

/**
 * @param {?number[]} before the stages that are unfolded, by their places in the first list that is
 *     drawn; null: as a reader finds them
 */
export function makeInsideWay(t, { look: lookInside }, redraw, before = null) {
  let dimension = null;
  let open = null; // null until the first way is here
  let built = [];
  let last = null;
  const list = make("ol", { class: "way-stages" });
  const candidates = make("tbody");
  const title = makeTermed(t, "inside_logits", { class: "panel-name" }, "h3");
  const shape = make("span", { class: "panel-shape", dir: "ltr" });
  const about = make("p", { class: "panel-about" });
  const result = make("p", { class: "panel-result" });
  const end = make("section", { class: "inside-panel way-end" }, [
    make("header", { class: "panel-head" }, [title.element,
      make("code", { class: "panel-formula", dir: "ltr", text: "z = y W,  p = softmax(z)" }),
      shape]),
    about,
    make("table", { class: "inside-row logits" }, [
      make("thead", {}, [make("tr", {}, ["token", "logit", "probability"].map((name) =>
        makeTermed(t, `inside_column_${name}`, { scope: "col" }, "th").element))]),
      candidates]),
    result,
  ]);
  const memory = make("p", { class: "way-memory" });
  const element = make("div", { class: "inside-way" }, [list, end, memory]);

  function toggle(id) {
    if (open.has(id)) open.delete(id);
    else open.add(id);
    redraw();
  }

  /** One line of the list; its vectors are made when it is opened for the first time. */
  function makeStage(stage) {
    const name = makeTermed(t, stage.title, { class: "stage-name" });
    const head = makeButton({ class: "stage-open" },
      () => toggle(stage.id), [make("span", { class: "stage-mark", "aria-hidden": "true" })]);
    const formula = make("code", { class: "panel-formula", dir: "ltr" });
    const shapes = make("span", { class: "panel-shape", dir: "ltr" });
    const bar = make("span", { class: "stage-bar", "aria-hidden": "true" });
    const length = make("span", { class: "stage-length" });
    const heads = stage.layer === undefined || stage.kind === "feed_forward" ? null
      : makeButton({ class: "stage-heads", text: t("inside_heads"),
        data: { look: stage.id } }, () => lookInside(stage.kind, stage.layer));
    if (heads) markAsking(heads);
    const body = make("div", { class: "stage-vectors" });
    const line = make("div", { class: "stage-line" }, [head, name.element, formula, shapes,
      make("span", { class: "stage-size" }, [bar, length]), heads]);
    line.addEventListener("click", (event) => {
      if (!nearest(event, "button, .term")) toggle(stage.id);
    });
    const item = make("li", { class: "way-stage", data: { stage: stage.id } }, [line, body]);
    return { item, name, head, formula, shapes, bar, length, body, vectors: null };
  }

  function updateStage(part, stage, isOpen, most, look) {
    part.name.update(stage.values);
    setText(part.formula, stage.formula);
    setText(part.shapes, stage.shape);
    setText(part.length, `‖x‖ = ${shortNumber(stage.length)}`);
    setTrait(part.length, "title", String(stage.length));
    part.bar.style.setProperty("--share", stage.length / most);
    setTrait(part.head, "aria-expanded", isOpen);
    setTrait(part.head, "aria-label", `${t("inside_open")}: ${part.name.element.textContent}`);
    part.item.classList.toggle("open", isOpen);
    part.body.hidden = !isOpen;
    if (!isOpen) return;
    if (!part.vectors) {
      part.vectors = makeVectors(t, stage.id, { point(place) {
        if (dimension === place) return;
        dimension = place;
        redraw();
      } }, redraw);
      part.body.append(part.vectors.element);
    }
    part.vectors.update({ ...look, rows: stage.rows,
      at: dimension ?? insideLargest(stage.rows[stage.rows.length - 1].values) });
  }

  function updateEnd(way, label) {
    const { prediction } = way;
    end.hidden = !prediction;
    memory.hidden = Boolean(prediction);
    if (!prediction) {
      setText(memory, t("inside_memory", { token: quoted(label), D: way.D }));
      return;
    }
    const labels = labelsOf(prediction.candidates, false, false, t);
    setText(shape, `(D) · (D × V) → (V), V = ${prediction.V}`);
    setText(about, t("inside_logits_about", { token: quoted(label), V: prediction.V,
      n: prediction.candidates.ids.length }));
    candidates.replaceChildren(...labels.map(({ label: name, kind }, i) => {
      const taken = prediction.candidates.ids[i] === prediction.chosen;
      const cell = make("td", { class: "weight",
        text: shortNumber(prediction.probabilities[i]),
        title: String(prediction.probabilities[i]) });
      cell.style.setProperty("--weight", prediction.probabilities[i]);
      return make("tr", { class: taken ? "picked" : null }, [
        make("th", { scope: "row" }, [make("span", { class: "key-name", dir: "auto", text: name,
          title: name, data: { kind } })]),
        make("td", { text: shortNumber(prediction.logits[i]),
          title: exactNumber(prediction.logits[i]) }), cell]);
    }));
    const [logit, probability] = [prediction.logits[0], prediction.probabilities[0]];
    setText(result, t("inside_probability", { token: quoted(labels[0].label),
      logit: exactNumber(logit), log_sum: exactNumber(prediction.log_sum), V: prediction.V,
      probability: exactNumber(probability) }));
  }

  return {
    element,
    update(way, label, look) {
      const stages = insideStages(way, label, t);
      const same = built.length === stages.length
        && built.every(({ stage }, i) => stage === `${stages[i].id} ${stages[i].title}`);
      if (!same) {
        for (const { part } of built) part.vectors?.destroy();
        built = stages.map((stage) => ({ stage: `${stage.id} ${stage.title}`,
          part: makeStage(stage) }));
        list.replaceChildren(...built.map(({ part }) => part.item));
      }
      open ??= new Set(before ? before.map((place) => stages[place]?.id)
        : usuallyOpen(way));
      const most = Math.max(...stages.map((stage) => stage.length));
      stages.forEach((stage, i) =>
        updateStage(built[i].part, stage, open.has(stage.id), most, look));
      updateEnd(way, label);
      last = { way, stages };
    },
    /** The places of what is unfolded now, where that is not the usual. */
    keep() {
      if (!last) return before;
      const names = last.stages.map(({ id }) => id).filter((id) => open.has(id));
      const isUsual = names.join() === usuallyOpen(last.way).join();
      return isUsual ? null
        : names.map((name) => last.stages.findIndex(({ id }) => id === name));
    },
    drawn() {
      if (!last) return null;
      const { way, stages } = last;
      return {
        side: way.side, position: way.position,
        stages: stages.map((stage, i) => ({
          id: stage.id, title: built[i].part.name.element.textContent, formula: stage.formula,
          shape: stage.shape, length: stage.length, open: open.has(stage.id),
          rows: stage.rows.map(({ id, name, values }) =>
            ({ id, name, values: Array.from(values) })),
        })),
        prediction: way.prediction && {
          ...way.prediction,
          shown: Array.from(candidates.children, (line) =>
            Array.from(line.children, (cell) => cell.textContent)),
          result: result.textContent,
        },
      };
    },
    destroy: () => built.forEach(({ part }) => part.vectors?.destroy()),
  };
}
