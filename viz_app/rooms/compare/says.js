// What the room Compare says of two runs, in sentences computed from the answer. Pure.

import { labelOf, labelOfWord, labelsOf, PENDING_MARK, quoted } from "../../stage/draw/labels.js";
import { fixed, shareText, threeDigits } from "../../stage/draw/numbers.js";

/**
 * One label per place of an axis: that of the token or the word of A, of B, or both where they are
 * others. A row that is a step names what it writes, of tokens also what it reads.
 * @param {CompareAnswer | CompareShown} answer
 * @param {"row" | "column"} axis
 * @param {boolean} spelled
 * @param {Words} t
 * @returns {Label[]}
 */
export function jointLabels(answer, axis, spelled, t) {
  const isTarget = answer[/** @type {const} */ (`${axis}s`)] === "target";
  const tokens = answer.runs.map(({ source, target }) =>
    labelsOf(isTarget ? target : source, isTarget, spelled, t));
  /** @type {Label} */
  const pending = { label: PENDING_MARK, piece: "", kind: "text" };
  /** @param {Label[]} labels of one word, or of one token */
  const oneOf = (labels) => (labels.length === 1 ? labels[0] : { ...labels[0], label: labelOfWord(labels) });
  /** @type {function(number): Label[]} */
  const joint = (later) => answer[/** @type {const} */ (`${axis}_pairs`)].map((pair) => {
    const [mine, its] = pair.map((places, run) =>
      (places === null ? null : oneOf([places].flat().map((at) => tokens[run][at + later] ?? pending))));
    if (!mine || !its || (mine.label === its.label && mine.kind === its.kind)) return mine ?? its ?? pending;
    return { ...mine, label: `${mine.label} | ${its.label}`, kind: "text" };
  });
  if (axis === "column" || !answer.stepped) return joint(0);
  if ("isOfWords" in answer) return joint(1);
  const read = joint(0);
  return joint(1).map((written, i) => ({ ...written, lead: read[i].label }));
}

/**
 * The tokens of A that the lines of an axis show: each one, those of a word, or none where B stands alone.
 * @param {(number | number[] | null)[][]} pairs
 */
export const tokensOfA = (pairs) => pairs.map(([a]) => (a === null ? [] : [a].flat()));

/** A label inside a sentence, with what leads to it. @param {Label} label */
const nameOf = ({ label, lead }) => (lead ? `${quoted(lead)} → ${quoted(label)}` : quoted(label));

/** A share of 1 as a percentage, 0 or 100 only where it is so exactly; a small one has a decimal. @param {number} share */
export function percentText(share) {
  if (share > 0 && share < 0.0005) return "<0.1%";
  return share < 1 && share >= 0.995 ? ">99%" : `${fixed(100 * share, share > 0 && share < 0.0995 ? 1 : 0)}%`;
}

/**
 * How many digits two numbers and their difference are written with, so that it is the difference of what is written.
 * @param {number} a
 * @param {number} b
 */
export function digitsTogether(a, b) {
  for (let digits = 3; digits <= READ; digits += 1) {
    const [x, y, apart] = [a, b, a - b].map((number) =>
      Math.sign(number) * Math.round(Number(fixed(Math.abs(number), digits)) * 10 ** digits));
    if (x - y === apart) return digits;
  }
  return 3;
}

/** A number with its sign. @param {number} number @param {number} [digits] */
export function signed(number, digits = 3) {
  const text = fixed(number, digits);
  return number > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

const READ = 6; // digits of a cell in both runs and of their difference
const UNLIKE = 0.5; // of a row's attention that lies elsewhere: from here on the nearest head is not alike

/**
 * What is said of the head of B that is nearest to A's: of how many, how far, and whether it is alike.
 * @param {"alike" | "nearest"} about
 * @param {CompareHeld} answer
 * @param {Words} t
 */
export function nearestSaid(about, { alike: { layer, head, distance }, places: [, its], row_distance: rows }, t) {
  const far = distance ?? 0;
  const n = rows.filter((one) => one !== null).length;
  return t(`compare_${about}${far > UNLIKE ? "_far" : ""}`, { of: its.layers * its.heads,
    layer: layer + 1, head: head + 1, far: percentText(far) })
    + (about === "nearest" && n < rows.length ? t("compare_nearest_rows", { n }) : "");
}

/**
 * How far two rows are apart on average, and where most; null where no row has a counterpart.
 * @param {CompareHeld} answer
 */
export function distanceOf({ row_distance: far }) {
  const known = far.filter((one) => one !== null);
  if (known.length === 0) return null;
  const most = Math.max(...known);
  const sum = known.reduce((total, one) => total + one, 0);
  return { mean: sum / known.length, rows: known.length, row: far.indexOf(most), most };
}

/**
 * What is said over the maps: where the runs part, and what else one has to know.
 * @param {CompareHeld} answer
 * @param {Words} t
 * @param {?string} feed which tokens B was to read
 * @returns {string[]}
 */
export function leadOf(answer, t, feed) {
  const { unfed, stale } = answer;
  return [partingOf(answer, t) ?? apartSaid(answer, t), unfinishedOf(answer, t),
    feed === "a" && unfed !== null ? t(`compare_unfed_${unfed.because}`, { token: quoted(unfed.token ?? "") }) : null, stale ? t("compare_stale") : null]
    .filter((text) => text !== null);
}

/**
 * The sentences that are one press away: what differs most, and how far all is apart.
 * @param {CompareHeld} answer
 * @param {CompareLabels} labels
 * @param {Words} t
 * @param {{answer: CompareShown, labels: CompareLabels}} [shown] what the maps show of it
 * @returns {string[]}
 */
export function summaryOf(answer, labels, t, shown = { answer, labels }) {
  return [fedOf(answer, t), mostOf(answer, labels, t, shown), followerOf(answer, t)]
    .filter((text) => text !== null);
}

/** How far the two heads are apart. @param {CompareHeld} answer @param {Words} t */
function apartSaid(answer, t) {
  const far = distanceOf(answer);
  const isWhole = far?.rows === answer.row_distance.length;
  if (!far) return null;
  const mean = percentText(far.mean);
  return isWhole ? t("compare_apart", { mean }) : t("compare_apart_both", { n: far.rows, mean });
}

/**
 * The token whose probability differs most between two steps side by side; null without one.
 * @param {CompareHeld} answer
 * @returns {?{step: number, one: CompareCandidate & {a: number, b: number}, change: number}}
 */
export function mostMoved({ steps }) {
  const moved = steps.flatMap(({ a: step, candidates }) => candidates.flatMap((one) => {
    const { a, b } = one;
    return step === null || a === null || b === null || a === b ? []
      : [{ step, one: { ...one, a, b }, change: a - b }];
  }));
  return moved.length === 0 ? null
    : moved.reduce((most, one) => (Math.abs(one.change) > Math.abs(most.change) ? one : most));
}

/** @param {CompareHeld} answer @param {Words} t @returns {?string} */
function followerOf(answer, t) {
  const most = mostMoved(answer);
  if (most === null) return null;
  const { step, one } = most;
  return t("compare_moved", { n: step + 1, x: quoted(labelOf(one, false, false, t)),
    a: shareText(one.a), b: shareText(one.b) });
}

/**
 * What of the tokens that it is fed B would not have written by itself; null where all of them.
 * @param {CompareHeld} answer
 * @param {Words} t
 * @returns {?string}
 */
function fedOf(answer, t) {
  if (answer.fed || answer.runs[1].recipe.strategy.kind !== "greedy") return null;
  const n = otherwise(answer);
  return n === 0 ? null : t("compare_fed", { n });
}

/** At how many steps another token than the one that B is fed is likelier in B. @param {CompareHeld} answer */
function otherwise({ steps, runs: [, { prompt }] }) {
  return steps.filter(({ b, candidates }) => {
    if ((b ?? 0) < prompt - 1) return false; // it is fed what the reader typed
    const least = candidates.find(({ taken }) => taken[1])?.b ?? Infinity;
    return candidates.some((one) => (one.b ?? 0) > least);
  }).length;
}

/** Where A goes on and B is whole. @param {CompareHeld} answer @param {Words} t */
const unfinishedOf = ({ runs: [a, b] }, t) => (a.steps > 0 && !a.finished && b.finished
  ? t("compare_unfinished", { n: a.steps }) : null);

/** @param {CompareHeld} answer @param {Words} t @returns {?string} */
function partingOf(answer, t) {
  const { parting, runs } = answer;
  const [a, b] = runs;
  if (a.steps === 0 || b.steps === 0) return null;
  if (parting === null) {
    const ends = a.finished && b.finished;
    const same = answer.fed ? t("compare_lead_fed", { n: a.target.ids.length - a.prompt, other: otherwise(answer) }) : t(ends ? "compare_same_tokens" : "compare_same_so_far",
      { n: Math.min(a.target.ids.length - a.prompt, b.target.ids.length - b.prompt) });
    return [same, apartSaid(answer, t)].filter(Boolean).join(t("sentences_between"));
  }
  const [x, y] = [parting.a, parting.b].map((step, i) =>
    quoted(labelsOf(runs[i].target, true, false, t)[step + 1].label));
  const [[of_a], [, of_b]] = /** @type {number[][]} */ (parting.probabilities);
  return t("compare_parts", { n: parting.a + 1, x, y, px: shareText(of_a), py: shareText(of_b) });
}

/**
 * The cell of the maps that differs most, and how far rows of tokens are apart.
 * @param {CompareHeld} answer
 * @param {CompareLabels} labels
 * @param {Words} t
 * @param {{answer: CompareShown, labels: CompareLabels}} shown
 * @returns {?string}
 */
function mostOf(answer, { rows: tokens }, t, { answer: { most, a, b, numbers }, labels: { rows, columns } }) {
  const far = distanceOf(answer);
  if (most === null || far === null) return t("compare_nothing_beside");
  if (far.most === 0 && most.difference === 0) return t(besides(answer).isWhole ? "compare_same_maps" : "compare_same_rows");
  const at = most.row * columns.length + most.column;
  const what = numbers === "scores" || numbers === "norms" ? numbers : "weights"; // beside vectors and paths too
  return [
    t(`compare_most_${what}`, { query: nameOf(rows[most.row]), key: quoted(columns[most.column].label),
      a: threeDigits(a[at]), b: threeDigits(b[at]) }),
    t("compare_distance", { n: far.rows, mean: percentText(far.mean), most: percentText(far.most),
      row: nameOf(tokens[far.row]) }),
  ].join(t("sentences_between"));
}

/**
 * The step of A that the cursor goes to where other runs are laid side by side: that at which they part. Where they
 * never do it stays, but from A's end or a step that B lacks it goes where a candidate's probability differs most.
 * @param {CompareHeld} answer
 * @param {number} at
 * @param {number} last of A's steps
 * @returns {?number}
 */
export function stepToShow(answer, at, last) {
  if (answer.parting) return answer.parting.a;
  const here = answer.steps.find(({ a }) => a === at);
  return at < last && here?.b !== null ? null : mostMoved(answer)?.step ?? null;
}

/**
 * How many rows and columns A and B have, and how many have a counterpart; whether all have.
 * @param {CompareShown} answer
 */
function besides(answer) {
  const [rows, columns] = [answer.row_pairs, answer.column_pairs].map((pairs) => {
    /** @param {number} of */
    const count = (of) => pairs.filter((pair) => pair[of] !== null).length;
    return { a: count(0), b: count(1), both: pairs.filter((pair) => !pair.includes(null)).length };
  });
  const isWhole = [rows, columns].every(({ a, b, both }) => a === both && b === both);
  return { rows, columns, isWhole };
}

/**
 * How the two stand beside each other, and how much of each has no counterpart.
 * @param {CompareShown} answer
 * @param {Words} t
 */
export function alignmentOf(answer, t) {
  const { rows, columns, isWhole } = besides(answer);
  const values = { ar: rows.a, br: rows.b, ac: columns.a, bc: columns.b, rows: rows.both,
    columns: columns.both };
  return t(`compare_aligned_${answer.align}`)
    + t(isWhole ? "compare_aligned_whole" : "compare_aligned_part", values);
}

/**
 * What a cell is in both, in a sentence.
 * @param {CompareShown} answer
 * @param {CompareLabels} labels
 * @param {{row: number, column: number}} cell
 * @param {Words} t
 */
export function readingOfRuns(answer, { rows, columns }, { row, column }, t) {
  const at = row * columns.length + column;
  const names = { query: nameOf(rows[row]), key: quoted(columns[column].label) };
  const [a, b] = [answer.a[at], answer.b[at]];
  const { hidden } = answer;
  if ([hidden.a, hidden.b].every((mask) => mask[row][column] === "1")) return t("compare_reading_hidden", names);
  if (Number.isNaN(a) && Number.isNaN(b)) return t("compare_reading_neither", names);
  if (Number.isNaN(a) || Number.isNaN(b)) {
    const only = Number.isNaN(a) ? "B" : "A";
    return t("compare_reading_one", { ...names, only, weight: fixed(only === "A" ? a : b, READ) });
  }
  return t("compare_reading", { ...names, a: fixed(a, READ), b: fixed(b, READ),
    difference: signed(answer.difference[at], READ) });
}
