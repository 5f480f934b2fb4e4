// Which branches part from the run on the screen, and what they are called.

import { labelOfWord } from "../../draw/labels.js";
import { beginsWith } from "../../run/branches.js";
import { sameSource } from "../../run/run.js";

/**
 * Those that part from the run on the screen: another token at a place that both have.
 * @param {{run: ?Run, branches: Dropped[]}} state
 */
export function branchesOf({ run, branches }) {
  return run === null ? [] : branches.filter(({ run: { recipe } }) =>
    sameSource(recipe, run.recipe) && !beginsWith(recipe, run.recipe));
}

/**
 * Some tokens of a target as they are written, with a space before each that begins a word.
 * @param {Run["target"]} target
 * @param {number} from
 * @param {number} to not included
 */
const written = ({ texts, kinds, pieces }, from, to) => labelOfWord(texts.slice(from, to).flatMap((text, i) => {
  const at = from + i;
  if (kinds[at] !== "text") return i === 0 ? [{ label: text, piece: "" }] : [];
  const begins = i > 0 && (/^[▁Ġ]/u.test(pieces[at]) || /^\s/u.test(text));
  return [{ label: begins ? ` ${text.trim()}` : text.trim(), piece: /^[▁Ġ]+$/u.test(pieces[at]) && begins ? "" : pieces[at] }];
})).trim();

/**
 * What branches are called: the word that differs from the run on the screen, at which step; more
 * of what follows where two would have one name.
 * @param {Run[]} runs of the branches
 * @param {Recipe} recipe of the run on the screen
 * @returns {{text: string, step: number}[]} `step` from 1
 */
export function branchNames(runs, recipe) {
  const parts = runs.map(({ recipe: own, prompt, target }) => {
    const step = own.target.findIndex(({ token }, i) => token !== recipe.target[i]?.token) + prompt;
    const word = target.words?.find((places) => places.includes(step)) ?? [step];
    return { target, step, from: word[0], to: word[word.length - 1] + 1 };
  });
  const textOf = (/** @type {number} */ at, more = 0) => written(parts[at].target, parts[at].from, parts[at].to + more);
  return parts.map(({ step, target, to }, at) => {
    const others = parts.flatMap((other, i) => (i !== at && other.step === step ? [i] : []));
    let more = 0;
    while (to + more < target.texts.length && others.some((other) => textOf(other, more) === textOf(at, more))) more += 1;
    return { text: textOf(at, more), step };
  });
}

/** The log-probability of all that a run chose, in nats. @param {Run} run */
export const totalOf = ({ chosen, prompt }) => chosen.slice(Math.max(0, prompt - 1))
  .reduce((sum, { log_probability: nats }) => sum + nats, 0);
