// What is drawn at the step on the screen: from its payload where that says so, else from all its
// log-probabilities, which the server is asked for once a step.

import { singlesFromBase64 } from "../../../stage/run/wire.js";
import { drawingOfAll, drawingOfStep, isMadeWith, rankedTokens } from "./sampling.js";

/** What an answer is for; it is for all temperatures. @param {DrawSettings} strategy */
const settingsOf = ({ seed, top_k, top_p }) => JSON.stringify([seed, top_k, top_p]);

/** @param {State} state @param {Ask} ask */
export function makeDrawings(state, ask) {
  const question = ask();
  /** @type {WeakMap<Step, {ranked: Ranked, darts: Map<number, number>, hits: Map<number, Named>}>} */
  const known = new WeakMap(); // what was answered; darts by seed, tokens that were hit by id
  let isAwaited = false;
  /** @type {?{step: Step, drawing: Drawing}} */
  let last = null;

  /** Asks for the numbers of a step; gives whether they are known now. @param {Step} step @param {number} at */
  function learn(step, at) {
    const { seed, top_k, top_p, temperature } = state.strategy;
    const recipe = { ...state.run.recipe, target: state.run.recipe.target.slice(0, at) };
    /** @type {?StepNumbers} */
    const answer = question.of({ at, recipe: { ...recipe, strategy:
      { kind: "sample", seed, top_k, top_p, temperature } } },
    JSON.stringify([at, { ...recipe, strategy: settingsOf(state.strategy) }]));
    if (!answer) return false;
    const one = known.get(step)
      ?? { ranked: rankedTokens(singlesFromBase64(answer.log_probabilities_V), answer.never),
        darts: new Map(), hits: new Map() };
    one.darts.set(answer.seed, answer.dart);
    for (const hit of answer.hits) one.hits.set(hit.token, hit);
    known.set(step, one);
    return true;
  }

  /** @param {Step} step @param {?Payload["chosen"][number]} chosen */
  function drawingOf(step, chosen) {
    const { strategy } = state;
    const one = known.get(step);
    const { sampling } = step;
    const dart = one?.darts.get(strategy.seed)
      ?? (sampling?.seed === strategy.seed ? sampling.dart : undefined);
    if (one && dart !== undefined) {
      const made = drawingOfAll(one.ranked, strategy, dart);
      return { ...made, named: one.hits.get(made.hit ?? -1) ?? null };
    }
    if (!sampling || !isMadeWith(sampling, strategy)) return null;
    const drawing = drawingOfStep(step, chosen);
    return chosen && !drawing?.partOf(chosen.token) ? null : drawing;
  }

  return {
    /** Asks for what is not known of the drawing at the cursor by the strategy at hand. */
    settle() {
      const { run, at, strategy } = state;
      const step = run?.steps[at];
      isAwaited = false;
      if (!step || strategy.kind !== "sample") return;
      const chosen = run.chosen[at] ?? null;
      let drawing = drawingOf(step, chosen);
      const isNamed = drawing && (drawing.named
        || step.candidates.some(({ token }) => token === drawing?.hit));
      const mayAsk = state.canAsk && !state.busy && state.room === "translate";
      if (!isNamed && mayAsk && learn(step, at)) drawing = drawingOf(step, chosen);
      if (drawing) last = { step, drawing };
      else isAwaited = true;
    },
    /** That drawing; the last one of the step while the answer is awaited. */
    now: () => (state.strategy.kind === "sample" && last?.step === state.run?.steps[state.at]
      ? last?.drawing ?? null : null),
    /** Whether it is not yet that of the strategy at hand. */
    isAwaited: () => isAwaited,
  };
}
