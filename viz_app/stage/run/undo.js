// What the reader's last change dropped, of the translation or of the model's arithmetic, so that one
// press brings it back. One change is remembered; bringing it back can be undone in turn. Older
// translations are branches; see branches.js.

import { firstFreeOf, isLeaving, stand } from "./able.js";
import { beginsWith } from "./branches.js";
import { recipeWith } from "./recipe.js";
import { sameSource, stepsHeld } from "./run.js";

/** Whether a run has all that another one had. @param {Recipe} recipe @param {Recipe} other */
const holds = (recipe, other) => sameSource(recipe, other) && beginsWith(recipe, other);

/**
 * Whether two recipes read the same tokens with the same model, whatever was changed in it.
 * @param {Recipe} a
 * @param {Recipe} b
 */
const sameButEdits = (a, b) => sameSource({ ...a, edits: [] }, { ...b, edits: [] });

/**
 * What can be brought back once `next` has taken the place of the run on the screen.
 * @param {{run: ?Run, at: number, stepping: boolean, dropped: ?Dropped}} state before
 * @param {Run} next
 * @returns {?Dropped}
 */
export function droppedBy({ run, at, stepping, dropped = null }, next) {
  if (!run || !sameButEdits(run.recipe, next.recipe)) return null;
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
    undo: playing.byHand(() => {
      const { dropped } = state;
      if (!lostOf(state) || !dropped || isLeaving(state)) return;
      state.dropped = null; // what is left of the present run may take its place
      bring(own, dropped, useRun);
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
