// What the reader's last change dropped, so that one press brings it back. One change is remembered;
// bringing it back can be undone in turn. Older ones are branches; see page/branches/.

import { beginsWith, branchesOf } from "../page/branches/branches.js";
import { sameSource, stepsHeld } from "./run.js";

/**
 * What can be brought back once `next` has taken the place of the run on the screen.
 * @param {{run: ?Run, at: number, dropped: ?Dropped}} state before
 * @param {Run} next
 * @returns {?Dropped}
 */
export function droppedBy({ run, at, dropped = null }, next) {
  if (!run || !sameSource(run.recipe, next.recipe)) return null;
  return beginsWith(next.recipe, run.recipe) ? dropped : { run, at };
}

/**
 * The run brought back, as what follows the one on the screen; null where there is none.
 * @param {{run: ?Run, dropped: ?Dropped}} state
 * @returns {?Run}
 */
function broughtBack({ run, dropped = null }) {
  if (!run || !dropped || beginsWith(run.recipe, dropped.run.recipe)) return null;
  return { ...dropped.run, kept: stepsHeld(run, dropped.run.recipe) };
}

/**
 * The actions that bring it back; the browser still holds all of it.
 * @param {any} own of the decoding
 * @param {{isLeaving: function(State): boolean, useRun: function(any, Run): void}} ways
 */
export function makeUndo(own, { isLeaving, useRun }) {
  /** @type {{page: any, state: State, questions: any, playing: any}} */
  const { page, state, questions, playing } = own;
  return {
    canUndo: () => broughtBack(state) !== null && !isLeaving(state),
    undo: playing.byHand(() => {
      const [run, dropped] = [broughtBack(state), state.dropped];
      if (!run || !dropped || isLeaving(state)) return;
      questions.drop();
      own.moves += 1;
      state.dropped = null; // what is left of the present run may take its place
      useRun(own, run);
      state.at = dropped.at;
      state.strategy = { ...state.strategy, ...run.recipe.strategy };
      page.actions.changed();
    }),
  };
}

/**
 * The actions of branches.
 * @param {any} own a decoding, see decoding.js
 * @param {{ask: any, recipeWith: any, useRun: function(any, Run): void, firstFreeOf: any,
 *     canForce: function(State): boolean, isLeaving: function(State): boolean}} ways
 */
export function makeBranching(own, { ask, recipeWith, useRun, firstFreeOf, canForce, isLeaving }) {
  /** @type {{page: any, state: State, questions: any, playing: any}} */
  const { page, state, questions, playing } = own;
  return {
    branches: () => branchesOf(state),
    /** Puts a branch onto the screen; what was there becomes one. */
    takeBranch: playing.byHand((/** @type {Dropped} */ branch) => {
      if (isLeaving(state) || !state.branches.includes(branch)) return;
      questions.drop();
      own.moves += 1;
      useRun(own, { ...branch.run, kept: stepsHeld(state.run, branch.run.recipe) });
      state.at = branch.at;
      state.strategy = { ...state.strategy, ...branch.run.recipe.strategy };
      page.actions.changed();
    }),
    /** Whether the translation can be begun by hand. */
    canBegin: () => canForce({ ...state, at: firstFreeOf(state) }),
    /** Begins the translation with a text; the model goes on to the end where it had. */
    begin: playing.byHand((/** @type {string} */ begins) => ask(own,
      recipeWith(state, { target: [] }), state.run.finished ? "end" : 0, { begins,
        cursor: (/** @type {Payload} */ { recipe }) => firstFreeOf(state)
          + recipe.target.filter(({ how }) => how === "forced").length })),
  };
}
