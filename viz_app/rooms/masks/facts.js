// What breaking a mask leads to, as facts of a few words each; which token it hurts most, and where that
// token reads what it must not. Pure: knows no page.

import { labelsOf, quoted } from "../../stage/draw/labels.js";
import { largestAt, powers, shareText, shortProbability, threeDigits } from "../../stage/draw/numbers.js";
import { breakOf, canBreak, opensOrHides } from "./breaks.js";

const MASKS_MOST_NAMED = 4; // rows that a sentence names before it only counts them
const SEEN = 0.0005; // of a probability: less shows in no digit

/**
 * What there is to say, and how: "fine" is ticked, and was measured here under the model's own masks.
 * `brief`: the same, where there are many facts in one line. `head` is there where one stands out,
 * `where` where another attention shows more.
 * @typedef {{lead: string, more: string, kind: "fine" | "plain" | "alarm",
 *   brief?: {lead: string, more: string}, head?: Head & {text: string},
 *   where?: {text: string, site: Site, shown: number}}} Fact
 * @typedef {{rows: GridLabel[], columns: GridLabel[]}} Axes
 *
 * The token that a break hurts most, at its place, and the words that say how.
 * @typedef {{key: string, values: Record<string, string>, label: string, kind: string, at: number}} Hurt
 */

/** @param {number[]} list */
function meanOf(list) {
  return list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);
}

/** The largest of an (L, H) table. @param {number[][]} table_LH */
function largestHead(table_LH) {
  let best = { layer: 0, head: 0, value: -1 };
  table_LH.forEach((row, layer) => row.forEach((value, head) => {
    if (value > best.value) best = { layer, head, value };
  }));
  return best;
}

/**
 * The rows that a sentence is about, in words.
 * @param {number[]} rows
 * @param {GridLabel[]} labels
 * @param {Words} t
 */
function rowsText(rows, labels, t) {
  const names = rows.slice(0, MASKS_MOST_NAMED).map((row) => `“${quoted(labels[row].label)}”`);
  if (rows.length === 1) return t("masks_check_rows_one", { label: quoted(labels[rows[0]].label) });
  if (rows.length > MASKS_MOST_NAMED) names.push("…");
  return t("masks_check_rows_many", { n: rows.length, labels: names.join(t("list_between")) });
}

/**
 * The same in brief: several rows are only counted.
 * @param {number[]} rows
 * @param {GridLabel[]} labels
 * @param {Words} t
 */
function countText(rows, labels, t) {
  return rows.length === 1 ? rowsText(rows, labels, t)
    : t("masks_check_rows_count", { n: rows.length });
}

/**
 * How far the predictions of some sentences moved, taken together.
 * @param {MasksAnswer["changes"]} changes
 */
function movedBy(changes) {
  const distances = changes.flatMap((change) => change.distance);
  return {
    most: Math.max(0, ...distances),
    mean: meanOf(distances),
    changed: changes.reduce((sum, { intact, broken }) =>
      sum + intact.ids.filter((id, i) => id !== broken.ids[i]).length, 0),
    positions: distances.length,
  };
}

/**
 * Whether the mask of pads lets some token look at a pad, whatever it gets.
 * @param {Pick<BatchHeld, "masks">} answer
 * @param {Axes} axes
 */
function opensPads({ masks }, { rows, columns }) {
  return masks.pad.some((row, q) => rows[q].kind !== "pad"
    && columns.some(({ kind }, k) => kind === "pad" && row[k] === "1"));
}

/**
 * Whether a causal mask, where there is one, is the usual triangle.
 * @param {Pick<BatchHeld, "masks">} answer
 */
const isTriangle = ({ masks: { causal } }) => causal === null
  || causal.every((row, q) => [...row].every((cell, k) => (cell === "1") === (k <= q)));

/**
 * What to look at, why seeing more does not help, and what to break there: the key of the words, where they are so, and the edit, where
 * the model can have it.
 * @param {BatchHeld} answer
 * @param {Axes} axes
 * @param {{anatomy: Anatomy}} model
 * @returns {{see: ?string, edit: ?string, why?: string}}
 */
export function triesOf(answer, axes, model) {
  const { breaks, leaks, changes, shown } = answer;
  const readsAhead = breaks.some((edit) => edit.startsWith("causal-mask")) && leaks.on_future.flat().some((mean) => mean > 0);
  if (readsAhead && changes.length > 0 && movedBy([changes[shown]]).changed > 0) return { see: null, edit: null, why: "masks_see_ahead" };
  if (opensPads(answer, axes) || !isTriangle(answer)) return { see: null, edit: null };
  const edit = answer.site === "decoder" ? "causal-mask:none" : "no-pad-mask";
  return { see: `masks_see_${answer.site}`, edit: canBreak(model, edit) ? edit : null };
}

/**
 * What of the reading lies where it must not: pads, and what comes later.
 * @param {BatchHeld} answer
 * @param {Axes} axes
 * @param {Head} lock
 * @param {Words} t
 * @returns {Fact[]}
 */
function leaksOf({ breaks, leaks, verdicts, elsewhere, masks }, axes, lock, t) {
  const tables = Object.entries({ pads: leaks.on_pads, future: leaks.on_future });
  /** @type {Fact[]} */
  const facts = tables.flatMap(([name, table]) => {
    const most = largestHead(table);
    if (most.value <= 0) return [];
    const mean = shareText(meanOf(table.flat()));
    return [{ lead: t(`masks_check_${name}`, { mean }), kind: "alarm",
      more: t("masks_check_here", { here: shareText(table[lock.layer][lock.head]) }),
      brief: { lead: t(`masks_check_${name}_brief`, { mean }), more: "" },
      head: { ...most, text: t("masks_check_most",
        { layer: most.layer + 1, head: most.head + 1, most: shareText(most.value) }) } }];
  });
  if (facts.length) return facts;
  const { pads, future } = verdicts;
  // Pads that get nothing though their mask is open owe it to the causal mask.
  const name = pads && opensPads({ masks }, axes) ? "pads_after" : pads && future ? "both"
    : pads ? "pads_zero" : future ? "future_zero" : "pads_none";
  const isWhole = !["pads_after", "pads_none"].includes(name) && elsewhere.length === 0;
  const said = t(`masks_check_${name}`);
  return [{ lead: isWhole ? t("masks_check_nothing", { said }) : said,
    kind: isWhole && !opensOrHides(breaks) ? "fine" : "plain",
    more: name === "pads_after" ? t("masks_check_pads_after_more") : "" }];
}

/**
 * What leaks at another attention than the one on the screen, and the sentence that is hurt: this one
 * where a token of it changes, else the one that moves most.
 * @param {BatchHeld} answer
 * @param {Words} t
 * @returns {Fact[]}
 */
function elsewhereOf({ elsewhere, changes, shown, batch }, t) {
  /** @param {number} index */
  const moved = (index) => Math.max(0, ...changes[index]?.distance ?? []);
  const isHurt = changes.length > 0 && movedBy([changes[shown]]).changed > 0;
  /** @param {number} index */
  const isPadded = (index) => batch[index].source.kinds.includes("pad");
  const worst = isHurt ? shown
    : batch.reduce((most, _, i) => (isPadded(i) && moved(i) > moved(most) ? i : most), shown);
  return elsewhere.map(({ site, on_pads: mean }) => ({ kind: "alarm",
    lead: t("masks_check_elsewhere", { mean: shareText(mean), site: t(`site_${site}_long`) }), more: "",
    where: { text: t("masks_check_elsewhere_see"), site, shown: worst } }));
}

/**
 * How the predictions moved; nothing where they did not.
 * @param {BatchHeld} answer
 * @param {Words} t
 * @returns {Fact[]}
 */
function movesOf({ changes, shown, site }, t) {
  if (changes.length === 0) return [];
  const { most, mean, changed, positions } = movedBy([changes[shown]]);
  const rest = movedBy(changes.filter((_, index) => index !== shown));
  if (most === 0 && rest.most === 0) return [];
  const farthest = changes.reduce((best, { distance }, i) =>
    (Math.max(0, ...distance) > Math.max(0, ...changes[best].distance) ? i : best), shown);
  const others = changes.length === 1 ? "" : t("masks_check_others",
    { ...rest, most: shareText(rest.most) });
  return [
    { lead: t(changed === 1 ? "masks_check_changed_one" : "masks_check_changed",
      { changed, positions }), more: others, kind: "alarm",
    ...(most === 0 ? { where: { text: t("masks_check_others_see", { n: farthest + 1 }), site,
        shown: farthest } } : {}) },
    { lead: t("masks_check_change", { most: shareText(most) }), kind: "alarm",
      more: t("masks_check_change_more", { mean: shareText(mean) }),
      brief: { lead: t("masks_check_change", { most: shareText(most) }),
        more: t("masks_check_change_brief", { mean: shareText(mean) }) } },
  ];
}

/**
 * @param {BatchHeld} answer
 * @param {Axes} axes
 * @param {Head} lock the head on the screen
 * @param {Words} t
 * @returns {Fact[]}
 */
export function factsOf(answer, axes, lock, t) {
  const { breaks, verdicts } = answer;
  const facts = [...leaksOf(answer, axes, lock, t), ...elsewhereOf(answer, t)];
  const empty = answer.empty.filter((row) => !answer.uniform.includes(row));
  if (empty.length) {
    facts.push({ lead: t("masks_check_empty", { rows: rowsText(empty, axes.rows, t) }),
      more: t("masks_check_empty_more"), kind: "alarm",
      brief: { lead: t("masks_check_empty", { rows: countText(empty, axes.rows, t) }),
        more: t("masks_check_empty_brief") } });
  }
  if (answer.uniform.length) {
    const keys = axes.columns.length;
    facts.push({ lead: t("masks_check_uniform", { rows: rowsText(answer.uniform, axes.rows, t) }),
      more: t("masks_check_uniform_more", { keys, part: threeDigits(1 / keys) }), kind: "alarm",
      brief: { lead: t("masks_check_uniform", { rows: countText(answer.uniform, axes.rows, t) }),
        more: t("masks_check_uniform_brief", { keys, part: threeDigits(1 / keys) }) } });
  }
  if (breaks.includes("finite-mask") && verdicts.fill === "exact") {
    facts.push({ lead: t("masks_check_fill"), more: t("masks_check_fill_more"), kind: "plain" });
  }
  const moves = movesOf(answer, t);
  if (moves.length || !opensOrHides(breaks)) return [...facts, ...moves];
  const same = answer.changes.length ? "masks_check_same" : "masks_check_no_predictions";
  return [...facts, { lead: t(same), more: "", kind: "plain" }];
}

/**
 * The token after which, or at which, the prediction moved most; null where none is seen to.
 * @param {BatchHeld} answer
 * @param {boolean} spelled
 * @param {Words} t
 * @returns {?Hurt}
 */
export function hurtOf({ breaks, changes, shown, batch, predicting }, spelled, t) {
  const change = changes[shown];
  if (!change || breaks.length === 0) return null;
  const { distance, intact, broken, intact_probability: before, broken_probability: after } = change;
  const at = largestAt(distance);
  const isOther = intact.ids[at] !== broken.ids[at];
  if (at < 0 || (!isOther && Math.abs(before[at] - after[at]) < SEEN)) return null;
  const isTarget = predicting === "target";
  const { label, kind } = labelsOf(isTarget ? batch[shown].fed : batch[shown].source, isTarget, spelled, t)[at];
  const [own, now] = [intact, broken].map((best) => quoted(labelsOf(best, false, spelled, t)[at].label));
  return { label, kind, at, key: `masks_hurt_${isTarget ? "after" : "at"}${isOther ? "" : "_same"}`,
    values: { own, now, before: shortProbability(before[at]), after: shortProbability(after[at]) } };
}

/**
 * Where a token reads what the model's own mask hides: the head and the key that get most; the
 * attention at which its prediction is read off, where this one lets it read nothing; null where
 * nothing leaks.
 * @param {BatchHeld} answer
 * @param {number} at its place
 * @param {Head} lock the head whose numbers came, where not all did
 * @returns {(Head & Cell) | {site: Site} | null}
 */
export function whereOf({ breaks, masks, own, weights, one, layers, heads, site, rows, predicting }, at, lock) {
  const [Q, K] = [masks.combined.length, masks.combined[0].length];
  const leaks = Array.from({ length: K }, (_, key) => key).filter((key) =>
    rows === predicting && masks.combined[at][key] === "1" && own.combined[at][key] === "0");
  if (leaks.length === 0) {
    const home = breakOf(breaks, "pads") && predicting === "target" ? "cross" : "decoder";
    return home === site || predicting === "source" ? null : { site: home };
  }
  let best = { ...lock, query: at, key: leaks[0] };
  let most = -1;
  for (let at_head = 0; at_head < (one ? 1 : layers * heads); at_head += 1) {
    for (const key of leaks) {
      const value = weights[(at_head * Q + at) * K + key];
      if (value <= most) continue;
      most = value;
      best = { ...best, key, ...(one ?? { layer: Math.floor(at_head / heads), head: at_head % heads }) };
    }
  }
  return best;
}

/**
 * What one pass beside many steps shows, as the fact that is the answer.
 * @param {PassesHeld} answer
 * @param {Words} t
 * @returns {Fact[]}
 */
export function passFacts({ verdict, reads_whole: isWhole, apart, fed }, t) {
  const isSame = verdict !== "differs";
  return [{ lead: t(`masks_passes_${isSame ? "same" : isWhole ? "whole" : "apart"}`,
    { n: fed.ids.length, most: powers(apart.weights) }), more: "", kind: isSame ? "fine" : "plain" }];
}
