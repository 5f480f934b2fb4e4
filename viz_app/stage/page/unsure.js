// The words of a translation that the model gave a low probability. Pure.

import { hasSite } from "../anatomy.js";
import { showsWords } from "../run/units.js";

// The cards say that what is given 60% is right about 60% of the time: below a third a word is wrong
// twice as often as it is right. Of sentences that a model translates wrongly 6 in 10 have such a word, of
// those that it translates rightly 1 in 10.
const LEAST_SURE = 1 / 3;

const LETTER = /[\p{L}\p{N}]/u;
const BY_MODEL = ["greedy", "sampled", "beam"];

/**
 * The probability of each such word, by its first token among those of the target.
 * @param {State} state
 * @returns {Map<number, number>}
 */
export function unsureWords(state) {
  const { run } = state;
  if (!run?.finished || !hasSite(run, "cross") || !showsWords(state)) return new Map();
  const { texts, kinds, words = [] } = run.target;
  return new Map(words.flatMap((word) => {
    const chosen = word.map((place) => run.chosen[place - 1]);
    const isOwn = chosen.every((one) => one && BY_MODEL.includes(one.how));
    if (!isOwn || !word.some((place) => kinds[place] === "text" && LETTER.test(texts[place]))) return [];
    const probability = Math.exp(chosen.reduce((sum, one) => sum + one.log_probability, 0));
    return probability < LEAST_SURE ? [[word[0], probability]] : [];
  }));
}
