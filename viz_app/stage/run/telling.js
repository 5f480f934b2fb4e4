// What a translation opens on: a head that finds the word being written, a step that tells something.
// Knows no page.

import { hasSite } from "../anatomy.js";
import { lastStepOf } from "./able.js";
import { rowOfWeights } from "./run.js";

const WORD = /\p{L}/u;

/** Whether a token is (a piece of) a word. @param {Tokens} tokens @param {number} i */
const isWord = (tokens, i) => tokens.kinds[i] === "text" && WORD.test(tokens.texts[i]);

/**
 * What a head of cross-attention finds of the word that a step writes: the weight of the same word
 * in the source where it is there, else that of the word it reads most; 0 where none is written.
 * @param {Run} run
 * @param {Head} head
 * @param {number} step
 */
function found(run, { layer, head }, step) {
  const { source, target } = run;
  if (step + 1 >= target.ids.length || !isWord(target, step + 1)) return 0;
  const words = Array.from(rowOfWeights(run, "cross", layer, head, step), (weight, key) =>
    ({ weight, text: source.texts[key].trim(), isOne: isWord(source, key) }))
    .filter(({ isOne }) => isOne);
  const same = words.filter(({ text }) => text === target.texts[step + 1].trim());
  return same.length ? same.reduce((sum, { weight }) => sum + weight, 0)
    : Math.max(0, ...words.map(({ weight }) => weight));
}

/**
 * The head of cross-attention that finds most of the words that the run writes, for a model of which
 * nobody measured that over a corpus.
 * @param {Run} run
 * @returns {Head}
 */
export function finder(run) {
  let best = { layer: 0, head: 0, sum: -1 };
  for (let layer = 0; layer < run.layers.cross; layer += 1) {
    for (let head = 0; head < run.heads.cross; head += 1) {
      const sum = run.steps.reduce((all, _, step) => all + found(run, { layer, head }, step), 0);
      if (sum > best.sum) best = { layer, head, sum };
    }
  }
  return { layer: best.layer, head: best.head };
}

/**
 * The step at which a head finds its word and the model had a choice of words: where the weight
 * times the entropy of the candidates is largest; the last step where no word is written.
 * @param {Run} run
 * @param {Head} head
 */
export function tellingStep(run, head) {
  const worth = run.steps.map(({ candidates }, step) => {
    const entropy = candidates.reduce((sum, { log_probability: log }) =>
      sum - Math.exp(log) * log, 0);
    return found(run, head, step) * entropy;
  });
  const most = Math.max(...worth);
  return most > 0 ? worth.indexOf(most) : run.steps.length - 1;
}

/**
 * The step that a whole translation is first shown at; of a model that was not on the screen before,
 * with the head that finds the word being written.
 * @param {State} state whose lock of cross-attention changes, where the model is new
 * @param {boolean} isNew
 */
export function openOn(state, isNew) {
  if (!hasSite(state.model, "cross") || state.run.summed) return lastStepOf(state);
  // Measured over a corpus where the model's folder says so, else over this sentence.
  if (isNew && state.model.start_on?.rows !== "predicted") state.locks.cross = finder(state.run);
  return state.site === "cross" ? tellingStep(state.run, state.locks.cross) : lastStepOf(state);
}
