// What the reader's last change dropped, so that one press brings it back. One change is remembered;
// bringing it back can be undone in turn.

import { sameSource, stepsHeld } from "./run.js";

/**
 * Whether a recipe begins with all the tokens of another.
 * @param {Recipe} recipe
 * @param {Recipe} other
 */
const beginsWith = (recipe, other) =>
  other.target.every(({ token }, i) => recipe.target[i]?.token === token);

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
export function broughtBack({ run, dropped = null }) {
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
