// The stages of the way of a token, as plain values. Pure: knows no page.

import { labelsOf } from "../../stage/draw/labels.js";
import { lengthOf } from "../../stage/draw/numbers.js";

/** The stages, in order. @param {WayStudy} way @param {Words} t @returns {InsideStage[]} */
export function insideStages(way, t) {
  const { D, position_D: added, segment_D: segment } = way;
  const sum = `x${segment ? " + S[s]" : ""}${added ? " + P[p]" : ""}`;
  const stack = t(way.side === "source" ? "inside_encoder" : "inside_decoder");
  /** @type {Omit<InsideStage, "length" | "lens">[]} */
  const stages = [{
    id: "embedding", title: "inside_embedding", values: {},
    formula: `x = embedding[token]${way.scaled_embedding ? " · √d_model" : ""}`,
    shape: `d_model = ${D}`,
    rows: [{ id: "x", name: t("inside_embedded"), values: way.embedding_D }],
  }, {
    id: "position", title: `inside_position_${added ? "added" : way.positions}`,
    values: {}, formula: way.embedding_norm ? `Norm(${sum})` : sum, shape: `d_model = ${D}`,
    rows: [
      { id: "x", name: t("inside_embedded"), values: way.embedding_D },
      ...(segment ? [{ id: "s", name: t("inside_segment_row"), values: segment }] : []),
      ...(added ? [{ id: "p", name: t("inside_position_row", { p: way.position }),
        values: added }] : []),
      { id: "sum", name: t(way.embedding_norm ? "inside_passed"
        : way.adds_up === "proven" ? "inside_sum_word" : "inside_sum_edited"),
      values: way.sum_D, rule: true },
    ],
  }, ...way.sublayers.map((sublayer) => subLayerStage(way, sublayer, stack, t))];
  if (way.final_norm) {
    const before = way.sublayers[way.sublayers.length - 1].passed_D;
    stages.push({
      id: "final_norm", title: "inside_final_norm", values: { stack }, formula: "Norm(x)",
      shape: `d_model = ${D}`,
      rows: [{ id: "x", name: t("inside_x"), values: before },
        { id: "left", name: t("inside_passed"), values: way.output_D, rule: true }],
    });
  }
  return stages.map((stage, i) => ({ ...stage, lens: lensOf(way, i, stages.length, t),
    length: lengthOf(stage.rows[stage.rows.length - 1].values) }));
}

/**
 * One sub-layer and what is around it.
 * @param {WayStudy} way
 * @param {WayStudy["sublayers"][number]} sublayer
 * @param {string} stack
 * @param {Words} t
 */
function subLayerStage(way, sublayer, stack, t) {
  const { D, F } = way;
  const [, layer, kind] = sublayer.name.split(".");
  const pre = way.norm_place === "pre";
  const name = /** @type {any} */ ({ self: "SelfAttention", cross: "CrossAttention",
    feed_forward: "FFN" })[kind];
  const hidden = sublayer.hidden_F;
  return {
    id: sublayer.name, title: `inside_stage_${kind}`, values: { stack, layer }, kind,
    layer: Number(layer) - 1,
    formula: pre ? `x + ${name}(Norm(x))` : `Norm(x + ${name}(x))`,
    shape: kind === "feed_forward" ? `d_model = ${D} → d_ff = ${F} → ${D}` : `d_model = ${D}`,
    hidden_F: hidden, active: hidden?.filter((/** @type {number} */ one) => one > 0).length,
    activation: activationName(way.activation ?? ""),
    rows: [
      { id: "x", name: t("inside_x"), values: sublayer.entered_D },
      ...(pre ? [{ id: "read", name: t("inside_read"), values: sublayer.read_D }] : []),
      { id: "made", name: t("inside_made"), values: sublayer.made_D },
      { id: "sum", name: t("inside_residual_name"), values: sublayer.sum_D, rule: true },
      ...(pre ? [] : [{ id: "passed", name: t("inside_passed"), values: sublayer.passed_D,
        rule: true }]),
    ],
  };
}

/**
 * A sub-layer on the way of a token: what it adds is `made` long; the best token then, where one is predicted.
 * @typedef {{name: string, title: string, values: Record<string, string>, made: number, best: ?Label,
 *     probability: number}} Along
 */

/** @param {CellStudy["along"]} along @param {Words} t @returns {Along[]} */
export function placesAlong({ names, made_N: made, best, probability_N: probability }, t) {
  const labels = best ? labelsOf(best, false, false, t) : [];
  return names.map((name, i) => {
    const [stack, layer, kind] = name.split(".");
    return { name, title: `inside_stage_${kind}`, values: { stack: t(`inside_${stack}`), layer }, made: made[i], best: labels[i] ?? null,
      probability: probability?.[i] ?? 0 };
  });
}

/**
 * How an activation is written; one whose units are multiplied by a second projection is gated.
 * @param {string} name
 */
function activationName(name) {
  const kind = name.replace("gated-", "");
  const usual = /** @type {Record<string, string>} */ ({ relu: "ReLU", silu: "SiLU", swish: "SiLU" });
  const written = usual[kind] ?? (kind.startsWith("gelu") ? "GELU" : kind);
  return name.startsWith("gated-") ? `${written}(x G) · x U` : written;
}

/**
 * The best tokens if the model stopped after a stage; null on the way of a source token.
 * @param {WayStudy} way
 * @param {number} place
 * @param {number} count
 * @param {Words} t
 */
function lensOf({ lens, position_D: added }, place, count, t) {
  if (!lens) return null;
  const labels = labelsOf(lens.tokens, false, false, t);
  const at = added || place === 0 ? place : place - 1; // nothing is added: x is as it was
  const R = labels.length / (added ? count : count - 1);
  return Array.from({ length: R }, (_, rank) => ({ ...labels[at * R + rank],
    logit: lens.logit_SR[at * R + rank], probability: lens.probability_SR[at * R + rank] }));
}

/**
 * The stages that are unfolded before the reader chose any, by name.
 * @param {{sublayers: any[]}} way
 * @returns {string[]}
 */
export function usuallyOpen({ sublayers }) {
  return [sublayers[sublayers.length - 1].name];
}
