// What the room Masks asks the server, and what the reader chose there: of a link, of the answer
// before, or since.

import { placeOf } from "../../stage/keep/tables.js";
import { singlesFromBase64 } from "../../stage/run/wire.js";
import { batchAfter, requestOf, choicesFor, choicesOf } from "./chosen.js";

/**
 * What is chosen in the maps of an answer.
 * @typedef {{cell: ?Cell, step: ?number, unfolded: boolean}} Places a step that is null is usual
 * @typedef {ReturnType<typeof makeInquiry>} Inquiry
 */

/**
 * An answer with its numbers; the batch of the one before stays where it is the same, and so does
 * its list.
 * @param {MasksAnswer | PassesAnswer} next
 * @param {?MasksHeld} before
 * @returns {MasksHeld}
 */
function heldOf(next, before) {
  const batch = JSON.stringify(next.batch) === JSON.stringify(before?.batch)
    ? /** @type {MasksHeld} */ (before).batch : next.batch;
  return "once" in next
    ? { ...next, batch, view: "passes", once: singlesFromBase64(next.once),
      stepped: singlesFromBase64(next.stepped) }
    : { ...next, batch, view: "masks", scores: singlesFromBase64(next.scores),
      weights: singlesFromBase64(next.weights) };
}

/** @param {MasksHeld} answer from 1 */
const usualStep = (answer) => (answer.view === "passes" ? answer.usual_step + 1 : 1);

/** What was chosen before, as far as the answer has it. @param {MasksHeld} answer @param {Places} before */
function placesIn(answer, { cell, step, unfolded }) {
  const { source, fed } = answer.view === "passes" ? answer : answer.batch[answer.shown];
  const [S, T] = [source.ids.length, fed.ids.length];
  const has = cell && cell.query < (answer.rows === "source" ? S : T)
    && cell.key < (answer.columns === "target" ? T : S);
  return { cell: has ? cell : null, unfolded,
    step: answer.view === "passes" && step !== null ? Math.min(step + 1, T) : usualStep(answer) };
}

/** What of an answer the maps show, for comparison. @param {MasksHeld} answer */
const shownIn = ({ site, view, batch, shown }) => JSON.stringify([site, view, batch[shown]]);

/**
 * What a link, or the page before, had chosen in the maps.
 * @param {any} before as view.py has it
 * @returns {?Places}
 */
const givenBy = (before) => before && { step: before.step ?? null, unfolded: before.unfolded ?? false,
  cell: before.cell && { query: before.cell[0], key: before.cell[1] } };

/**
 * What is chosen here, see view.py; sentences that were chosen for another model are not.
 * @param {State} state
 * @param {MasksChoices} choices
 * @param {?string} model whose sentences these are
 * @param {?Places} places
 */
function viewOf(state, { view, site, breaks, ...batch }, model, places) {
  const { cell = null, step, unfolded } = places ?? {};
  return { ...placeOf(state, site), view, breaks: breaks.length > 0 ? breaks : null,
    ...(state.run && model === state.run.recipe.model ? batch : {}),
    cell: cell && [cell.query, cell.key], step, unfolded: unfolded || null };
}

/**
 * @param {Session} session
 * @param {Ask} ask
 * @param {Redraw} redraw
 * @param {HTMLElement} element dimmed while the server is asked
 * @param {any} before as view.py has it
 */
export function makeInquiry(session, ask, redraw, element, before) {
  const { state } = session;
  const question = ask({ element, settle: take });
  const choices = choicesOf(state.model, before);
  /** @type {?MasksHeld} */
  let answer = null;
  let model = before && state.run?.recipe.model; // whose sentences these are
  let given = givenBy(before); // taken over with the first answer
  /** @type {{cell: ?Cell, step: number, unfolded: boolean}} */
  const places = { cell: null, step: 1, unfolded: false };

  const request = (wanted = choices) =>
    requestOf(state, wanted, Boolean(answer?.one || state.run.summed));

  /** @param {MasksAnswer | PassesAnswer} said */
  function take(said) {
    const [next, was] = [heldOf(said, answer), answer];
    answer = next;
    const kept = was && shownIn(next) === shownIn(was) ? {} : { cell: null, unfolded: false };
    Object.assign(places, given ? placesIn(next, given) : { step: usualStep(next), ...kept });
    given = null;
    return next.one ? { ...request(), ...next.one } : null;
  }

  const sentences = () => choices.sentences ?? answer?.batch.map(({ text }) => text) ?? [];

  /** The batch follows the sentence and the model on the screen; its other sentences stay. */
  function follow() {
    const { model: name, source } = state.run.recipe;
    if (model !== name) {
      model = name;
      Object.assign(choices, { sentences: null, shown: null });
    } else if (sentences().length && sentences()[0] !== source) {
      const { shown, ...batch } = batchAfter(sentences(), choices.shown ?? 0, source);
      Object.assign(choices, batch, choices.shown === null ? {} : { shown });
    }
  }

  /** The places in the maps; the step only where it is not the one that a reader finds. */
  function placesNow() {
    if (given) return given;
    if (!answer || !question.has(request())) return null;
    const { cell, step, unfolded } = places;
    const isUsual = answer.view === "masks" || step === usualStep(answer);
    return { cell, unfolded, step: isUsual ? null : step - 1 };
  }

  /** What is chosen, as far as the model on the screen has it. */
  const chosen = () => choicesFor(state.model, choices);

  return {
    chosen,
    places,
    request,
    sentences,
    answer: () => answer,
    busy: question.isOpen,
    /** @param {Partial<MasksChoices>} changes */
    want(changes) {
      Object.assign(choices, choicesFor(state.model, { ...choices, ...changes }));
      redraw();
    },
    /** @param {boolean} isFresh whether the room was just opened, or the run changed */
    settle(isFresh) {
      if (isFresh) follow();
      question.of(request());
    },
    view: () => viewOf(state, chosen(), model, placesNow()),
    destroy: question.drop,
  };
}
