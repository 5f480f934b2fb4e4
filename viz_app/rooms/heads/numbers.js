// The measures of all heads as an answer brings them, and how their numbers are spelled. Pure.

import { fixed, threeDigits } from "../../stage/draw/numbers.js";
import { singlesFromBase64 } from "../../stage/run/wire.js";

/** Whether a measure is a change, on both sides of 0. @param {string} name */
export const isChange = (name) => /^(loss|exact)_|^(distance|here)$/.test(name);

/**
 * A measure in three digits: a share is a share of 1, as everywhere; a change has its sign.
 * @param {string} name of a measure
 * @param {number} value
 */
export function spelledMeasure(name, value) {
  const sign = isChange(name) && value > 0 ? "+" : "";
  const text = threeDigits(value);
  return /[1-9]/.test(text) ? `${sign}${text}` : text;
}

/**
 * How a measure is written into the cells of a grid, in three digits at most: +.05, 1.93, −12.4
 * @param {string} name of a measure
 * @param {number} most the largest of the grid
 * @returns {function(number): string}
 */
export function measureInCell(name, most) {
  const digits = most < 0.1 ? 3 : most < 10 ? 2 : 1;
  return (value) => {
    const text = fixed(Math.abs(value), digits).replace(/^0\./, ".");
    if (!/[1-9]/.test(text)) return "0";
    return `${value < 0 ? "−" : isChange(name) ? "+" : ""}${text}`;
  };
}

/**
 * What a head is called where there is little room.
 * @param {Words} t
 * @param {{site: string, layer: number, head: number}} one
 * @param {boolean} [isFull] whether it names the attention
 */
export const briefPlace = (t, { site, layer, head }, isFull = true) =>
  t("heads_brief", { site: isFull ? t(`site_${site}`) : "", layer: layer + 1, head: head + 1 }).trim();

/**
 * The end of the key of the sentence that says what a measure is: its own, that of its like, or that of a share.
 * @param {Words} t
 * @param {string} name
 */
export const aboutOf = (t, name) =>
  [name, name.split("_")[0]].find((one) => t.has(`heads_about_${one}`)) ?? "share";

/** All heads with all their measures. @param {Pick<HeadsMeasured, "sites">} answer @returns {MeasuredHead[]} */
export function headsOf(answer) {
  return Object.entries(answer.sites).flatMap(([site, one]) => {
    const lists = Object.entries(one.values).map(([name, packed]) =>
      /** @type {[string, Float32Array]} */ ([name, singlesFromBase64(packed)]));
    return Array.from({ length: one.layers * one.heads }, (_, at) => {
      const [layer, head] = [Math.floor(at / one.heads), at % one.heads];
      return { site: /** @type {Site} */ (site), layer, head, word: one.words[layer][head],
        values: Object.fromEntries(lists.map(([name, list]) => [name, list[at]])) };
    });
  });
}

/** The head at a place. @param {MeasuredHead[]} heads @param {?HeadPlace | undefined} place */
export const headAt = (heads, place) => heads.find(({ site, layer, head }) =>
  place?.site === site && place.layer === layer && place.head === head);

/** The measures that some head has, in the order of the answer. @param {Pick<HeadsMeasured, "sites">} answer */
export const measuresThere = (answer) => [...new Set(Object.values(answer.sites)
  .flatMap(({ values }) => Object.keys(values)))];

/** The columns of the table: what is lost without a head comes first. @param {Pick<HeadsMeasured, "sites">} answer */
export function tableMeasures(answer) {
  const isLost = (/** @type {string} */ name) => /^(loss|exact)_/.test(name);
  const there = measuresThere(answer);
  return [...there.filter(isLost), ...there.filter((name) => !isLost(name))];
}

/**
 * The heads in the order of a column of the table: the largest first, those without it last.
 * @param {MeasuredHead[]} heads
 * @param {string} order "place" or a measure
 */
export function ordered(heads, order) {
  if (order === "place") return heads;
  const value = (/** @type {{values: Record<string, number>}} */ { values }) =>
    values[order] ?? -Infinity;
  return [...heads].sort((a, b) => value(b) - value(a));
}

/**
 * Where a head stands among all, by what is lost without each; null where that was not measured.
 * @param {MeasuredHead[]} heads
 * @param {MeasuredHead} one
 * @param {number} [count] of those that cost most
 */
export function rankOf(heads, one, count = 3) {
  const known = ordered(heads, "loss_zero").filter(({ values }) => values.loss_zero !== undefined);
  const at = known.indexOf(one);
  return at < 0 ? null : { rank: at + 1, of: known.length, most: known.slice(0, count) };
}

/** The measure behind the word of a head. @param {string} word */
export const measureOfWord = (word) => ({ sharp: "largest", spread: "entropy" }[word] ?? word);

const HALF = 0.5; // of the rows, from which on it is said which word a head reads

/**
 * Which word of the source a head reads, where that was measured and it is so in half of the rows: that of the word
 * that is written, "links", or of the one that was fed; null: neither.
 * @param {MeasuredHead["values"]} values
 */
export function wordRead(values) {
  const most = (values.fed ?? 0) > (values.links ?? 0) ? "fed" : "links";
  const share = values[most];
  return share !== undefined && share >= HALF ? /** @type {const} */ ({ most, share }) : null;
}

/**
 * Where a head rests on a sentence: the special token that gets more of its weight than any other, how long a vector
 * it hands over for that, and which share of all that it hands over; null where no special token does.
 * @param {NonNullable<HeadsAnswer["rest"]>} rest
 */
export function restOf({ keys, weights: sentWeights, lengths: sentLengths }) {
  const [weights, lengths] = [sentWeights, sentLengths].map(singlesFromBase64);
  const order = Array.from(weights, (_, at) => at).sort((a, b) => weights[b] - weights[a]);
  const [at] = order;
  if (order.length < 2 || keys.kinds[at] !== "special") return null;
  const handed = Array.from(weights, (weight, one) => weight * lengths[one]);
  const sum = (/** @type {Iterable<number>} */ list) => [...list].reduce((total, one) => total + one, 0);
  return { at, order, weights, lengths, others: (sum(lengths) - lengths[at]) / (order.length - 1),
    share: handed[at] / (sum(handed) || 1) };
}

/**
 * What every head is worth on this sentence, as a measure of all heads, and the losses with ever more off.
 * @param {NonNullable<HeadsMeasured["here"]>} here
 * @param {MeasuredHead[]} heads
 */
export function worthHere({ added, losses_N: packed, order }, heads) {
  const sites = Object.fromEntries(Object.entries(/** @type {Record<string, string>} */ (/** @type {unknown} */ (added)))
    .map(([site, list]) => [site, { list: singlesFromBase64(list), of: heads.filter((one) => one.site === site) }]));
  const valued = heads.map((one) => ({ ...one, values: { here: sites[one.site].list[sites[one.site].of.indexOf(one)] } }));
  const losses = singlesFromBase64(packed);
  const most = valued.reduce((best, one) => (one.values.here > best.values.here ? one : best));
  return { heads: valued, losses, order: /** @type {HeadPlace[]} */ (order), most, spared: sparedOf(losses, 0.1) };
}

/**
 * How many heads can be off before the loss has grown by more than `least`.
 * @param {ArrayLike<number>} losses with 0, 1, 2, ... heads off
 * @param {number} least
 */
export function sparedOf(losses, least) {
  const beyond = Array.from(losses).findIndex((loss) => loss - losses[0] > least);
  return (beyond < 0 ? losses.length : beyond) - 1;
}
