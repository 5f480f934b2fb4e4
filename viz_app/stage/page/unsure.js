// The words of a translation that the model gave a low probability. Pure.

import { hasSite } from "../anatomy.js";
import { showsWords } from "../run/units.js";

// By their cards our models are right about as often as they say, within a tenth: below a third a
// token is wrong about twice as often as it is right. Of the forty sentences of five models, 6 in 10 of those
// translated wrongly had such a word, and 1 in 10 of those translated rightly.
const LEAST_SURE = 1 / 3;

const LETTER = /[\p{L}\p{N}]/u;
const BY_MODEL = ["greedy", "sampled", "beam"];

/** Whether a word is one, and no mark. @param {Run["target"]} target @param {number[]} word */
const hasLetter = ({ texts, kinds }, word) =>
  word.some((place) => kinds[place] === "text" && LETTER.test(texts[place]));

/**
 * The probability of each such word, by its first token among those of the target.
 * @param {State} state
 * @returns {Map<number, number>}
 */
export function unsureWords(state) {
  const { run } = state;
  if (!run?.finished || !hasSite(run, "cross") || !showsWords(state)) return new Map();
  const { words = [] } = run.target;
  return new Map(words.flatMap((word) => {
    const chosen = word.map((place) => run.chosen[place - 1]);
    const isOwn = chosen.every((one) => one && BY_MODEL.includes(one.how));
    if (!isOwn || !hasLetter(run.target, word)) return [];
    const probability = Math.exp(chosen.reduce((sum, one) => sum + one.log_probability, 0));
    return probability < LEAST_SURE ? [[word[0], probability]] : [];
  }));
}

/** How many of its words the model was not sure of: "some", "most", or null where of none. @param {State} state */
export function howUnsure(state) {
  const unsure = unsureWords(state).size;
  if (unsure === 0 || !state.run) return null;
  const { target } = state.run;
  const all = (target.words ?? []).filter((/** @type {number[]} */ word) => hasLetter(target, word)).length;
  return 2 * unsure > all ? "most" : "some";
}
