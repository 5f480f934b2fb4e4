// What the reader guessed beside what the model gives. Nothing is graded: both are said, and both are
// drawn. Pure.

/** A number as people type it, with a point or a comma; null where it is none. @param {string} text */
export function numberIn(text) {
  const plain = text.trim().replace(",", ".").replace("−", "-");
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
}

/** Whether two places, tokens or words are the same. @param {any} a @param {any} b */
export const isSame = (a, b) => (typeof a === "object" && a !== null
  ? a.query === b?.query && a.key === b?.key : a === b);

/** Whether a question can have been answered so; null: its answer was shown. @param {LessonAsk} ask @param {any} guess */
export function isGuessOf(ask, guess) {
  if (guess === null) return true;
  if (ask.of.length > 0) return ask.of.some(({ value }) => isSame(value, guess));
  if (ask.kind === "number") return Number.isFinite(guess);
  return [guess?.query, guess?.key].every(Number.isInteger);
}

/**
 * The word that compares a guess with the answer, by its key; null: nothing was guessed.
 * @param {LessonAsk} ask
 * @param {any} guess
 */
export function comparedBy(ask, guess) {
  if (guess === null) return "lesson_is";
  if (ask.kind === "cell") return isSame(guess, ask.answer) ? "lesson_cell_same" : "lesson_cell_other";
  if (isSame(guess, ask.answer) || (ask.kind === "number" && guess === numberIn(ask.shown))) return "lesson_same";
  return ask.kind === "number" && Math.abs(guess - ask.answer) <= (ask.within ?? 0) ? "lesson_near" : "lesson_other";
}

/**
 * Where a guess and the answer stand on a line from 0, or from what is below it, as shares of it.
 * @param {number} guess
 * @param {number} answer
 */
export function onLine(guess, answer) {
  const [low, high] = [Math.min(0, guess, answer), Math.max(0, guess, answer)];
  const most = Math.abs(answer) <= 1 && answer >= 0 && high <= 1 ? 1 : low + 1.15 * (high - low || 1);
  const share = (/** @type {number} */ value) => (value - low) / (most - low);
  return { guess: share(guess), answer: share(answer) };
}
