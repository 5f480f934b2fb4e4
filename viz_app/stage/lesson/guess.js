// What the reader guessed beside what the model gives. Nothing is graded: both are said, and both are
// drawn. Pure.

import { plainly } from "../draw/labels.js";

const MOST_LETTERS = 60; // of a token that is typed

/**
 * A number as people type it: with a point or a comma, in digits of full width, as a percentage; null where it is none.
 * @param {string} text
 * @param {number} [answer] what it is compared with: 15% of a share is 0.15, of what is counted in percent 15
 */
export function numberIn(text, answer = 1) {
  const plain = text.normalize("NFKC").replace(/[,。]/, ".").replace("−", "-").trim();
  const [, digits, percent] = /^(-?(?:\d+\.?\d*|\.\d+))\s*(%?)$/.exec(plain) ?? [];
  if (digits === undefined) return null;
  return percent && Math.abs(answer) <= 1 ? Number((Number(digits) / 100).toPrecision(15)) : Number(digits);
}

/**
 * What fills a sentence: special tokens by their names, several values parted as the language does it.
 * @param {string | string[]} value
 * @param {Words} t
 */
export function valueSaid(value, t) {
  const named = [value].flat().map((one) => one.replace(/[^“”]+/g, (token) => plainly(token, t)));
  return new Intl.ListFormat(t.language, { type: "conjunction", style: "narrow" }).format(named);
}

/** A token as people type it; null where nothing is. @param {string} text */
export const tokenIn = (text) => text.normalize("NFC").trim().slice(0, MOST_LETTERS).trim() || null;

/** Whether two places, tokens or words are the same. @param {any} a @param {any} b */
export const isSame = (a, b) => (typeof a === "object" && a !== null
  ? a.query === b?.query && a.key === b?.key : a === b);

/** Whether a question can have been answered so; null: its answer was shown. @param {LessonAsk} ask @param {any} guess */
export function isGuessOf(ask, guess) {
  if (guess === null) return true;
  if (ask.of.length > 0) return ask.of.some(({ value }) => isSame(value, guess));
  if (ask.kind === "number") return Number.isFinite(guess);
  if (ask.kind === "token") return typeof guess === "string" && tokenIn(guess) === guess;
  return [guess?.query, guess?.key].every(Number.isInteger);
}

/**
 * The word that compares a token that was typed with the one that the page shows: capitals are no great matter.
 * @param {string} guess
 * @param {string} answer
 */
function tokenCompared(guess, answer) {
  const [one, other] = [guess, answer].map((text) => tokenIn(text) ?? "");
  if (one === other) return "lesson_same";
  return one.toLowerCase() === other.toLowerCase() ? "lesson_near" : "lesson_other";
}

/**
 * The word that compares a guess with the answer, by its key; null: nothing was guessed.
 * @param {LessonAsk} ask
 * @param {any} guess
 * @param {string} said the answer as the page says it
 */
export function comparedBy(ask, guess, said = ask.shown) {
  if (guess === null) return "lesson_is";
  if (ask.kind === "token") return tokenCompared(guess, said);
  if (ask.kind === "cell") return isSame(guess, ask.answer) ? "lesson_cell_same" : "lesson_cell_other";
  if (isSame(guess, ask.answer) || (ask.kind === "number" && guess === numberIn(ask.shown))) return "lesson_same";
  return ask.kind === "number" && Math.abs(guess - ask.answer) <= (ask.within ?? 0) ? "lesson_near" : "lesson_other";
}

/**
 * The form of the number that a question asks for, as the name of a word: what may miss by a part is no count.
 * @param {Pick<LessonAsk, "within" | "answer">} ask
 */
export const formOf = ({ within, answer }) =>
  (Number.isInteger(answer) && Number.isInteger(within ?? 0) ? "lesson_number_whole" : "lesson_number_part");

/** The round number of one digit, or of 1.5 and 2.5, that is no nearer to 0 than a number. @param {number} value */
function rounded(value) {
  if (value === 0) return 0;
  const unit = 10 ** Math.floor(Math.log10(Math.abs(value)));
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].find((one) => one * unit >= Math.abs(value) * (1 - 1e-9)) ?? 10;
  return Math.sign(value) * Number((step * unit).toPrecision(3));
}

/**
 * Where a guess and the answer stand on a line from 0, or from what is below it, as shares of it; and the round
 * numbers at its ends.
 * @param {number} guess
 * @param {number} answer
 */
export function onLine(guess, answer) {
  const [low, high] = [Math.min(0, guess, answer), Math.max(0, guess, answer)].map(rounded);
  const most = low === 0 && high <= 1 && answer <= 1 ? 1 : high === low ? low + 1 : high;
  const share = (/** @type {number} */ value) => (value - low) / (most - low);
  return { guess: share(guess), answer: share(answer), low, most };
}
