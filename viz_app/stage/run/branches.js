// What changes of the reader dropped, which the browser still holds, so going back to it is free. One press brings back
// what the last change dropped, of the translation or of the model's arithmetic, and can be undone in turn. Of the source
// on the screen, continuations that another choice left are branches.

import { firstFreeOf, isLeaving, stand } from "./able.js";
import { recipeWith } from "./recipe.js";
import { sameBut, sameSource, stepsHeld } from "./run.js";

export const MOST_BRANCHES = 6; // of one source with one model and its edits
const MOST_KEPT = 18; // of all sources

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

/** Whether a run has all that another one had. @param {Recipe} recipe @param {Recipe} other */
const holds = (recipe, other) => sameSource(recipe, other) && beginsWith(recipe, other);

/**
 * What can be brought back once `next` has taken the place of the run on the screen.
 * @param {{run: ?Run, at: number, stepping: boolean, dropped: ?Dropped}} state before
 * @param {Run} next
 * @returns {?Dropped}
 */
export function droppedBy({ run, at, stepping, dropped = null }, next) {
  if (!run || !sameBut({ edits: [] })(run.recipe, next.recipe)) return null;
  return holds(next.recipe, run.recipe) ? dropped : { run, at, stepping };
}

/** The run that can be brought back; null where there is none. @param {{run: ?Run, dropped: ?Dropped}} state */
const lostOf = ({ run, dropped = null }) =>
  (!run || !dropped || holds(run.recipe, dropped.run.recipe) ? null : dropped.run);

/**
 * Puts a run that the browser still holds onto the screen.
 * @param {Own} own
 * @param {Dropped} dropped
 * @param {Ways["useRun"]} useRun
 */
function bring(own, { run, at, stepping }, useRun) {
  const { page, state, question } = own;
  question.drop();
  own.moves += 1;
  useRun(own, { ...run, kept: stepsHeld(state.run, run.recipe) });
  stand(state, at, stepping);
  state.strategy = { ...state.strategy, ...run.recipe.strategy };
  page.actions.changed();
}

/**
 * The actions that bring it back.
 * @typedef {import("./decoding.js").Own} Own
 * @typedef {{ask: Function, useRun: function(Own, Run): void}} Ways those of decoding.js
 * @param {Own} own
 * @param {Ways["useRun"]} useRun
 */
export function makeUndo(own, useRun) {
  const { state, playing } = own;
  return {
    canUndo: () => lostOf(state) !== null && !isLeaving(state),
    /** What that is called: what was undone is done again. @returns {"undo" | "redo"} */
    undoing: () => (state.dropped?.isUndone ? "redo" : "undo"),
    undo: playing.byHand(() => {
      const { dropped } = state;
      if (!lostOf(state) || !dropped || isLeaving(state)) return;
      state.dropped = null; // what is left of the present run may take its place
      bring(own, dropped, useRun);
      if (state.dropped) state.dropped = { .../** @type {Dropped} */ (state.dropped), isUndone: !dropped.isUndone };
    }),
  };
}

/** The actions of branches. @param {Own} own @param {Ways} ways */
export function makeBranching(own, { ask, useRun }) {
  const { state, playing } = own;
  return {
    /** Puts a branch onto the screen; what was there becomes one. */
    takeBranch: playing.byHand((/** @type {Dropped} */ branch) => {
      if (isLeaving(state) || !state.branches.includes(branch)) return;
      bring(own, branch, useRun);
    }),
    /** Begins the translation with a text; the model goes on to the end where it had. */
    begin: playing.byHand((/** @type {string} */ begins) => ask(own,
      recipeWith(state, { target: [] }), state.run.finished ? "end" : 0,
      { cursor: (/** @type {Payload} */ { recipe }) => firstFreeOf(state)
        + recipe.target.filter(({ how }) => how === "forced").length }, { begins })),
  };
}
