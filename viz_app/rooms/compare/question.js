// What the room Compare asks the server, and its answer.

import { sitesOf } from "../../stage/anatomy.js";
import { singlesFromBase64 } from "../../stage/run/wire.js";

/**
 * What the reader chose beside B: the attention, B's head, and how both are aligned.
 * @param {any} before
 * @returns {CompareChoices}
 */
const choicesOf = (before) => ({ site: before?.site ?? null, other_layer: before?.other_layer ?? null,
  other_head: before?.other_head ?? null, align: before?.align ?? null, feed: before?.feed ?? null,
  numbers: before?.numbers ?? "weights", row: before?.row ?? null, column: before?.column ?? null });

/** @param {CompareAnswer} answer @returns {CompareHeld} */
const heldOf = (answer) => ({ ...answer, a: singlesFromBase64(answer.a), b: singlesFromBase64(answer.b),
  difference: singlesFromBase64(answer.difference),
  heads: answer.heads === null ? null : singlesFromBase64(answer.heads),
  vectors: answer.vectors?.map((one) => /** @type {any} */ (Object.fromEntries(
    Object.entries(one).map(([name, sent]) => [name, singlesFromBase64(sent)])))) ?? null,
  paths: answer.paths?.map((one) => ({ ...one, stream_ST: singlesFromBase64(one.stream_ST),
    made_ST: singlesFromBase64(one.made_ST) })) ?? null });

/**
 * What the room asks, and its answer.
 * @param {Session} session
 * @param {Ask} ask
 * @param {any} before
 * @param {HTMLElement} element
 */
export function makeComparing(session, ask, before, element) {
  const { state, actions } = session;
  const question = ask({ element, settle: take });
  const choices = choicesOf(before);
  if (before) actions.keepOther(before.b ?? null, before.weights ?? null);
  /** @type {?CompareHeld} */
  let answer = null;
  let answered = ""; // the recipe of A that the answer is about

  /** What is chosen here, as view.py has it. */
  function viewNow() {
    const there = sitesOf(state.model);
    const site = there.find((one) => one === choices.site)
      ?? there.find((one) => one === state.site) ?? there[0];
    return { ...choices, site, ...state.locks[site],
      b: state.other?.b ?? null, weights: state.other?.weights ?? null };
  }

  /**
   * Takes an answer, but not one about a run that has left the screen meanwhile.
   * @param {CompareAnswer} next
   * @param {{recipe: Recipe}} request what it answers
   */
  function take(next, request) {
    if (JSON.stringify(request.recipe) !== JSON.stringify(state.run.recipe)) return null;
    answer = heldOf(next);
    answered = JSON.stringify(request.recipe);
    choices.site = next.site;
    const { layer, head } = next.places[0];
    const lock = state.locks[next.site];
    if (lock.layer !== layer || lock.head !== head) actions.lock(layer, head, next.site);
    return { recipe: request.recipe, ...viewNow() };
  }

  /** The answer, while its A has the model and the sentence of the run on the screen; else null. */
  function answerNow() {
    const [mine, now] = [answer?.runs[0].recipe, state.run?.recipe];
    return mine && now && mine.model === now.model && mine.source === now.source ? answer : null;
  }

  /** Asks what is not answered yet. */
  const inquire = () => question.of({ recipe: state.run.recipe, ...viewNow() });

  return {
    choices,
    view: viewNow,
    answer: answerNow,
    /** Whether the answer is about A as it was before an edit, pads or another token. */
    isOld: () => answerNow() !== null && answered !== JSON.stringify(state.run.recipe),
    isBusy: question.isOpen,
    inquire,
    stop: question.drop,
  };
}
