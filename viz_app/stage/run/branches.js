// Branches: continuations of the source on the screen that another choice left. A branch is a run
// that the browser still holds, so going back to it is free. Pure; the actions are in run/undo.js.

import { sameSource } from "./run.js";

export const MOST_BRANCHES = 6; // of one source with one model and its edits
const MOST_KEPT = 18; // of all sources
const SHOWN = 4; // tokens that a branch is named by

/**
 * Whether a recipe begins with all the tokens of another.
 * @param {Recipe} recipe
 * @param {Recipe} other
 */
export const beginsWith = (recipe, other) =>
  other.target.every(({ token }, i) => recipe.target[i]?.token === token);

/**
 * The branches once `next` has taken the place of the run on the screen, the one left last first.
 * What is the beginning of another branch, or of the run itself, is none.
 * @param {{run: ?Run, at: number, stepping: boolean, branches: Dropped[]}} state before
 * @param {Run} next
 * @returns {Dropped[]}
 */
export function branchesAfter({ run, at, stepping, branches }, next) {
  const left = run && sameSource(run.recipe, next.recipe) ? [{ run, at, stepping }] : [];
  const all = [...left, ...branches];
  const own = all.filter(({ run: { recipe } }) => sameSource(recipe, next.recipe));
  const lasting = own.filter(({ run: { recipe } }, i) => !beginsWith(next.recipe, recipe)
    && !own.some((other, j) => j !== i && beginsWith(other.run.recipe, recipe)
      && (j < i || other.run.recipe.target.length > recipe.target.length)));
  const others = all.filter(({ run: { recipe } }) => !sameSource(recipe, next.recipe));
  return [...lasting.slice(0, MOST_BRANCHES), ...others].slice(0, MOST_KEPT);
}

/**
 * Those that part from the run on the screen: another token at a place that both have.
 * @param {{run: ?Run, branches: Dropped[]}} state
 */
export function branchesOf({ run, branches }) {
  return run === null ? [] : branches.filter(({ run: { recipe } }) =>
    sameSource(recipe, run.recipe) && !beginsWith(recipe, run.recipe));
}

/**
 * What a branch is called: the tokens from the first that differs on.
 * @param {Run} run of the branch
 * @param {Recipe} recipe of the run on the screen
 */
export function branchName({ recipe: own, prompt, target }, recipe) {
  const same = own.target.findIndex(({ token }, i) => token !== recipe.target[i]?.token);
  const first = same + prompt;
  const [texts, kinds, pieces] = [target.texts, target.kinds, target.pieces]
    .map((list) => list.slice(first, first + SHOWN + 1));
  const shown = texts.slice(0, SHOWN).flatMap((text, i) => {
    if (kinds[i] !== "text") return i === 0 ? [text] : [];
    const begins = i > 0 && (/^[▁Ġ]/u.test(pieces[i]) || /^\s/u.test(text));
    return [begins ? ` ${text.trim()}` : text.trim()];
  }).join("");
  const isCut = texts.length > SHOWN && kinds[SHOWN] === "text";
  return `${same > 0 ? "… " : ""}${shown}${isCut ? " …" : ""}`;
}

/** The log-probability of all that a run chose, in nats. @param {Run} run */
export const totalOf = ({ chosen, prompt }) => chosen.slice(Math.max(0, prompt - 1))
  .reduce((sum, { log_probability: nats }) => sum + nats, 0);
