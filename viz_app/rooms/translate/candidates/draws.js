// What is drawn at the step on the screen: from its payload where that says so, else from all its
// log-probabilities, which the server is asked for once a step.

import { isTold } from "../../../stage/page/rooms.js";
import { singlesFromBase64 } from "../../../stage/run/decode.js";
import { drawingOfAll, drawingOfStep, isMadeWith, rankedTokens } from "./sampling.js";

/** What an answer is for; it is for all temperatures. @param {DrawSettings} strategy */
const settingsOf = ({ seed, top_k, top_p }) => JSON.stringify([seed, top_k, top_p]);

/** @param {State} state @param {function(Object): Promise<?StepNumbers>} ask @param {Redraw} redraw */
export function makeDrawings(state, ask, redraw) {
  /** @type {WeakMap<Step, {ranked: Ranked, darts: Map<number, number>, hits: Map<number, Named>}>} */
  const known = new WeakMap(); // what was asked for; darts by seed, tokens that were hit by id
  /** @type {?{step: Step, asked: string}} */
  let wanted = null; // what was asked for and not answered
  let isAwaited = false;
  /** @type {?{step: Step, drawing: Drawing}} */
  let last = null;
  /** @type {WeakMap<Step, Set<string>>} */
  const tried = new WeakMap(); // settings whose hits were asked for

  /** @param {Step} step @param {number} at */
  async function learn(step, at) {
    const { seed, top_k, top_p, temperature } = state.strategy;
    const asked = settingsOf(state.strategy);
    if (wanted?.step === step && wanted.asked === asked) return;
    const mine = { step, asked };
    wanted = mine;
    const { run } = state;
    const answer = await ask({ at, recipe: { ...run.recipe, target: run.recipe.target.slice(0, at),
      strategy: { kind: "sample", seed, top_k, top_p, temperature } } });
    if (wanted === mine) wanted = null;
    if (!answer) return;
    const one = known.get(step)
      ?? { ranked: rankedTokens(singlesFromBase64(answer.log_probabilities_V), answer.never),
        darts: new Map(), hits: new Map() };
    one.darts.set(answer.seed, answer.dart);
    for (const hit of answer.hits) one.hits.set(hit.token, hit);
    tried.set(step, (tried.get(step) ?? new Set()).add(asked));
    known.set(step, one);
    redraw.now();
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
    /** The drawing at the cursor by the strategy at hand; the last one while the answer is awaited. */
    now() {
      const { run, at, strategy } = state;
      const step = run?.steps[at];
      isAwaited = false;
      if (!step || strategy.kind !== "sample") return null;
      const drawing = drawingOf(step, run.chosen[at] ?? null);
      const mayAsk = state.canAsk && !state.busy && state.room === "translate"
        && !isTold(state, "translate");
      if (drawing) {
        last = { step, drawing };
        const listed = step.candidates.some(({ token }) => token === drawing.hit);
        const isNameless = !listed && !drawing.named && !tried.get(step)?.has(settingsOf(strategy));
        if (mayAsk && isNameless) learn(step, at);
        return drawing;
      }
      isAwaited = true;
      if (mayAsk) learn(step, at);
      return last?.step === step ? last.drawing : null;
    },
    /** Whether what was given last is not yet that of the strategy at hand. */
    isAwaited: () => isAwaited,
  };
}
