// What can be done with a decoding now. Pure: knows no page.

import { predicts } from "../anatomy.js";
import { sameBut, sameSource } from "./run.js";

/** @param {{run: ?Run}} state */
export const lastStepOf = ({ run }) => Math.max(0, (run?.steps.length ?? 0) - 1);

/**
 * Puts the cursor at a step. While somebody is `stepping`, the rows after it are still to come; at the
 * end of a finished translation nothing is.
 * @param {State} state
 * @param {number} at
 * @param {boolean} stepping
 */
export function stand(state, at, stepping) {
  const last = lastStepOf(state);
  state.at = Math.max(0, Math.min(at, last));
  state.stepping = stepping && !(state.run?.finished && state.at === last);
}

/** The steps that are shown: those up to the cursor while somebody is stepping, else all. @param {State} state */
export const stepsShown = ({ run, at, stepping }) => (stepping ? at + 1 : run.steps.length);

/** The first step whose successor may be chosen: the last of the prompt. @param {{run: ?Run}} state */
export const firstFreeOf = ({ run }) => Math.max(0, (run?.prompt ?? 1) - 1);

/** @param {State} state @param {function(Recipe, Recipe): boolean} same */
const isUnderWay = ({ busy, run, asked }, same) =>
  busy && run !== null && asked !== null && !same(asked, run.recipe);

/**
 * Whether the answer that is under way is to another sentence or model. While another sentence is
 * read, nothing of the old run is asked: that would drop its answer.
 * @param {State} state
 */
export const isLeaving = (state) =>
  isUnderWay(state, sameBut({ pads: 0 }));

/** @param {State} state */
const canAskOn = (state) =>
  state.canAsk && state.run !== null && !isUnderWay(state, sameSource);

/** @param {State} state */
export const canExtend = (state) => canAskOn(state) && state.run.finished === null;

/** Whether there is a step after the cursor, or one more can be asked for. @param {State} state */
export const canAdvance = (state) => state.at < lastStepOf(state) || canExtend(state);

/** Whether another token can be taken at the cursor. @param {State} state */
export const canForce = (state) => canAskOn(state) && state.run.prompt > 0
  && state.at >= firstFreeOf(state)
  && !(state.run.finished === "limit" && state.at === lastStepOf(state));

/** Whether the translation can be begun by hand. @param {State} state */
export const canBegin = (state) => canForce({ ...state, at: firstFreeOf(state) });

/**
 * Whether there are tokens from a step on that may be chosen otherwise.
 * @param {State} state
 * @param {number} from
 */
export const canChange = (state, from) => canAskOn(state)
  && from < state.run.chosen.length && state.run.recipe.target.length > 0;

/** Whether pads can be added or taken away now. @param {State} state */
export const canAddPads = (state) => state.canAsk && state.run !== null && !isLeaving(state);

/**
 * Whether the model can be edited: no other sentence or model is on its way. Another edit may be; then both are asked.
 * @param {State} state
 */
export const canEdit = (state) => state.canAsk && state.run !== null
  && !isUnderWay(state, sameBut({ pads: 0, edits: [] }));

/**
 * Whether the run can be compared with another one: there is a server, and the room.
 * @param {State} state
 */
export const canCompare = (state) => state.canAsk && state.run !== null && predicts(state.model)
  && state.rooms.some(({ name }) => name === "compare");

/** How many pads the reader may add. @param {{options: PageOptions}} state */
export const mostPads = ({ options }) => options.limits.pads ?? 8;

/** How many pads there are, or will be with the answer that is under way. @param {State} state */
export const padsOf = ({ busy, asked, run }) => (busy ? asked : run?.recipe)?.pads ?? 0;

/** The edits there are, or will be with the answer that is under way. @param {State} state @returns {string[]} */
export const editsOf = ({ busy, asked, run }) => (busy ? asked : run?.recipe)?.edits ?? [];
