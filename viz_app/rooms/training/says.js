// What the room Training says: where the training stands, and what the head had learnt by then.

import { wholeOf } from "../../stage/anatomy.js";
import { quoted } from "../../stage/draw/labels.js";
import { fixed, shareText, shortNumber, threeDigits } from "../../stage/draw/numbers.js";
import { singlesFromBase64 } from "../../stage/run/wire.js";

/** The curves in the order in which they stand. */
export const CURVES = /** @type {const} */ (["learnt", "loss", "score", "copied", "entropy", "rate"]);
/** @typedef {typeof CURVES[number]} Curve */

/**
 * The answer with its arrays as numbers.
 * @param {TrainingAnswer} answer
 * @returns {TrainingHistory}
 */
export function historyOf({ noted, weights_NQK: weights, ...rest }) {
  const numbers = (/** @type {Record<string, ?string>} */ packed) => Object.fromEntries(Object.entries(packed).map(([name, text]) =>
    [name, text === null ? null : singlesFromBase64(text)]));
  const curves = /** @type {TrainingHistory["curves"]} */ (numbers(noted.curves));
  const ofHeads = /** @type {TrainingHistory["of_heads"]} */ (numbers(noted.of_heads));
  return { ...rest, ...noted, curves, of_heads: ofHeads, weights: singlesFromBase64(weights) };
}

/**
 * The curves of the other heads of the site; none where a curve is not of a head.
 * @param {TrainingHistory} history
 * @param {Curve} curve
 * @param {number} heads of a layer
 */
export function othersOf({ of_heads: ofHeads, updates, place }, curve, heads) {
  const all = curve === "entropy" || curve === "copied" ? ofHeads[curve] : null;
  const N = updates.length;
  return Array.from({ length: all ? all.length / N : 0 }, (_, i) => i).filter((i) => i !== place.layer * heads + place.head)
    .map((i) => /** @type {Float32Array} */ (all).subarray(i * N, (i + 1) * N));
}

/** A count of updates. @param {number} n */
export const countText = (n) => n.toLocaleString("en-US");

/** A number of a curve. @param {Curve} curve @param {number} value */
export function valueText(curve, value) {
  if (!Number.isFinite(value)) return "–";
  if (curve === "copied") return shareText(value);
  if (curve === "score") return percentText(value);
  return curve === "rate" ? shortNumber(value) : threeDigits(value);
}

/** Of a hundred; whole where it is none or all. @param {number} value */
const percentText = (value) => (value % 100 === 0 ? String(value) : value.toFixed(1));

/** Where updates stand on an axis, each as far from the next as it is of its size. @param {number[]} updates */
export const placesOf = (updates) => updates.map((update) => Math.log10(1 + update));

/** What is written on that axis: powers of ten, and 0 where it begins there. @param {number[]} updates @returns {[number, string][]} */
export function ticksAt(updates) {
  const most = Math.floor(Math.log10(Math.max(1, ...updates)));
  const round = Array.from({ length: most + 1 }, (_, power) => 10 ** power);
  return [...(updates[0] === 0 ? [0] : []), ...round].map((update) => [Math.log10(1 + update), countText(update)]);
}

/** The curves that there are, with their numbers. @param {TrainingHistory} history @returns {[Curve, Float32Array][]} */
export const curvesOf = ({ curves }) => CURVES.flatMap((curve) => {
  const values = curves[curve];
  return values ? [/** @type {[Curve, Float32Array]} */ ([curve, values])] : [];
});

/** When a note was taken. @param {Words} t @param {number} update */
export const whenText = (t, update) => (update === 0 ? t("training_before") : t("training_after", { n: countText(update) }));

/**
 * The note whose map stands beside that of another: the last, and beside that the first, which it came from.
 * @param {number} note
 * @param {number} last
 * @param {boolean} isOver whether the training came to its end
 */
export const otherEnd = (note, last, isOver) => (isOver && note < last ? last : 0);

/**
 * What the head had learnt by a note, and then, a sentence each, when that was half, and what came after it.
 * @param {Words} t
 * @param {TrainingHistory} history
 * @param {number} note
 * @param {boolean} [isOver] whether the training came to its end, so that what is not there never came
 * @returns {string[]}
 */
export function headline(t, history, note, isOver = true) {
  const { updates, curves, over_half: half } = history;
  const n = countText(updates[note]);
  if (!curves.copied) {
    return [t("training_says_entropy", { n, bits: threeDigits(curves.entropy[note]), first: threeDigits(curves.entropy[0]) })];
  }
  const share = t(`training_says_${history.named.copied}`, { n, share: shareText(curves.copied[note]) });
  if (half === null && !isOver) return [share];
  const last = updates.length - 1;
  const isTaught = history.guided && half === last; // it came to half by being taught, and not before
  const when = half === null ? t("training_says_never")
    : t(`training_says_half${isTaught ? "_taught" : ""}`, { n: countText(updates[half]) });
  const then = history.guided && note === last ? [t(`training_says_${isTaught ? "as_it_is" : "guided"}`)] : [];
  return [share, when, ...then];
}

/**
 * The cell that is pointed at, in both maps where both have it. Two digits: weights are kept in parts of 255.
 * @param {Words} t
 * @param {?GridPlace} pointed
 * @param {GridFrame[]} frames
 * @param {string[]} whens
 */
export function readingOfMaps(t, pointed, frames, whens) {
  const [now, other] = frames.map(({ rows, columns, value }) => {
    const { row, column } = pointed ?? { row: null, column: null };
    if (row === null || column === null) return null;
    const [query, key] = [rows.labels?.[row], columns.labels?.[column]];
    return query && key ? { query: quoted(query.label), key: quoted(key.label), weight: fixed(value(row, column), 2) } : null;
  });
  if (!now) return t("training_point");
  const isSame = other?.query === now.query && other.key === now.key;
  return t(isSame ? "training_reading_both" : "training_reading", { ...now, when: whens[0], other: other?.weight ?? "", then: whens[1] });
}

/** What was wrong while it learnt; "" where nothing was. @param {Words} t @param {TrainingHistory} history */
export const mistake = (t, { broken, curves }) => (broken === "" ? ""
  : t(`training_says_broken_${broken}`, { score: percentText(/** @type {number} */ (curves.score.at(-1))) }));

/**
 * The model as it was at a note, or soon after: a snapshot that is kept, or the model itself.
 * @param {Model[]} models
 * @param {Model} model that is open
 * @param {number} update
 * @returns {?Model} null: it is open
 */
export function modelAt(models, model, update) {
  const kept = models.filter((one) => wholeOf(one) === wholeOf(model));
  const [next] = kept.filter((one) => one.update >= update).sort((a, b) => a.update - b.update);
  return !next || next.name === model.name ? null : next;
}
