// Steps fetched ahead: while nothing is asked, the steps that come next and the likeliest other
// candidates of the step at hand, so that a click on one draws at once. An answer that was fetched
// is the very one that the server would give; without it a step only takes longer.

import { canExtend, canForce, firstFreeOf, lastStepOf } from "./able.js";
import { answerTo, makeAnswers } from "./ask.js";
import { sameSource, stepsHeld } from "./run.js";

const STEPS = 4; // fetched in one call
const FEW = 2; // steps held, below which more are fetched
const OTHERS = 2; // candidates
const SOON_MS = 30; // after the pixels of what was just asked
const DWELL_MS = 1200; // at a step, before its candidates are fetched
const MOST_BYTES = 4e6; // of the answers that are kept
const PAUSE_MS = 5000; // after the server refused

/**
 * What a question is about, whatever the order of its names.
 * @param {Recipe} recipe
 * @param {?number} force
 */
export function keyOf(recipe, force) {
  const { model, source, pads, settings = {}, edits = [], strategy, target } = recipe;
  const drawn = !strategy || strategy.kind === "greedy" ? [] : Object.entries(strategy).sort();
  return JSON.stringify([model, source, pads, Object.entries(settings).sort(), edits, drawn,
    target.map(({ token, how }) => [token, how]), force]);
}

/** A timer that keeps nothing alive by itself. @param {function(): void} call @param {number} ms */
function later(call, ms) {
  const timer = setTimeout(call, ms);
  /** @type {any} */ (timer).unref?.();
  return timer;
}

/**
 * The end of the steps that are here, and how many; null where the translation ends there.
 * @param {import("./ask.js").Answers} held
 * @param {Recipe} recipe
 */
function reachedIn(held, recipe) {
  for (let count = 0; ; count += 1) {
    const answer = held.of(keyOf(recipe, null));
    if (!answer) return { recipe, count };
    if (answer.finished !== null) return null;
    recipe = answer.recipe;
  }
}

/** @typedef {ReturnType<typeof makeAhead>} Ahead */

/**
 * @param {State} state of the decoding
 * @param {any} transport
 * @param {function(Object): Recipe} recipeWith the recipe that would be asked, with some changes
 */
export function makeAhead(state, transport, recipeWith) {
  const held = makeAnswers(MOST_BYTES);
  /** @type {any[]} */
  let timers = [];
  let isAsking = false;
  let refused = -Infinity;

  const mayAsk = () => !isAsking && state.canAsk && transport !== null && !state.busy
    && state.run !== null && !state.run.summed && state.room === "translate"
    && state.strategy.kind !== "beam" && performance.now() - refused > PAUSE_MS
    && !globalThis.document?.hidden;

  /** @param {Recipe} recipe @param {number} have @param {number} next @param {number[]} others */
  async function ask(recipe, have, next, others) {
    isAsking = true;
    const answer = await answerTo(transport, { recipe, have, next, others });
    isAsking = false;
    if (answer.version !== 1 || !answer.next) { // it only would have saved time
      refused = performance.now();
      return;
    }
    let at = recipe;
    const { by } = answer;
    for (const one of answer.next) {
      held.keep(keyOf(at, null), { ...one, by });
      at = one.recipe;
    }
    others.forEach((token, i) => {
      if (answer.others[i]) held.keep(keyOf(recipe, token), { ...answer.others[i], by });
    });
  }

  function fetchSteps() {
    if (!mayAsk() || !canExtend(state) || lastStepOf(state) - state.at > FEW) return;
    const end = reachedIn(held, recipeWith({}));
    if (end === null || end.count >= FEW) return;
    ask(end.recipe, state.run.steps.length + end.count, STEPS, []);
  }

  function fetchOthers() {
    if (!mayAsk() || !canForce(state)) return;
    const { run, at } = state;
    const target = run.recipe.target.slice(0, at - firstFreeOf(state));
    const recipe = recipeWith({ target });
    const others = run.steps[at].candidates.slice(0, OTHERS).map(({ token }) => token)
      .filter((token) => token !== run.chosen[at]?.token && !held.of(keyOf(recipe, token)));
    if (others.length > 0) ask(recipe, stepsHeld(run, recipe), 0, others);
  }

  return {
    /** The answer to a question, where it is here. @param {Recipe} recipe @param {?number} force */
    answer: (recipe, force) => held.of(keyOf(recipe, force)),
    /** A person asks something: nothing else is. */
    drop() {
      timers.forEach(clearTimeout);
      timers = [];
    },
    /** Nothing is asked now: fetch what may come. */
    begin() {
      this.drop();
      held.forget(({ recipe }) => !state.run || !sameSource(recipe, state.run.recipe));
      timers = [later(fetchSteps, SOON_MS), later(fetchOthers, DWELL_MS)];
    },
  };
}
