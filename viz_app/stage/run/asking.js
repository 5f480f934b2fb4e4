// Questions about one decoding, and the recipes that they are about. Only the last one counts: an
// answer to an earlier one is dropped.

import { SLOW_MS, watchOpening } from "../page/opening.js";
import { editsAfter } from "../page/whatif/edits.js";

/**
 * The recipe that is asked for now, with some changes.
 * @param {State} state
 * @param {Partial<Recipe>} changes
 * @returns {Recipe}
 */
export function recipeWith({ run, model, draft, strategy }, changes) {
  const base = run ? run.recipe
    : { version: 1, model: model.name, source: draft, pads: 0, target: [] };
  const others = changes.model && changes.model !== base.model ? { settings: {} } : {};
  return /** @type {Recipe} */ ({ ...base, edits: editsAfter(base, changes), ...others,
    strategy: strategy.kind === "greedy" ? { kind: "greedy" } : { ...strategy }, ...changes });
}

/**
 * What the server answers; where it does not, or not as it should, an error.
 * @param {Transport} transport
 * @param {any} request
 */
async function answerTo(transport, request) {
  let answer = null;
  try {
    answer = await transport(request);
  } catch {
    // A host that lost its server may also answer nothing at all.
  }
  if (!answer) return { error: { code: "network" } };
  return answer.error || answer.version === 1 ? answer : { error: { code: "answer" } };
}

const LONGEST_WAIT = 30; // seconds, for a place in line: as long as a server says at most
const IN_LINE = ["busy", "connections", "pictures_busy"];

/**
 * The answer; where there was no place in line, asked once more when the server says or up to half
 * as long again after that, so that a crowd does not come back as one; unless nobody wants it.
 * @param {function(): Promise<any>} ask
 * @param {function(): boolean} isWanted
 */
export async function answerInTurn(ask, isWanted) {
  const answer = await ask();
  if (!IN_LINE.includes(answer?.error?.code)) return answer;
  const seconds = Math.min(answer.error.values?.seconds ?? 1, LONGEST_WAIT);
  await new Promise((resolve) => { setTimeout(resolve, 1000 * seconds * (1 + Math.random() / 2)); });
  return isWanted() ? ask() : answer;
}

/**
 * @param {State} state of the decoding; its `busy`, `slow`, `asked`, `opening` and `wanted` change
 * @param {Transport} transport
 * @param {function(): void} changed
 */
export function makeQuestions(state, transport, changed) {
  let [ticket, slowTimer] = [0, 0];

  function settle() {
    clearTimeout(slowTimer);
    Object.assign(state, { busy: false, slow: false, opening: null });
  }

  /** @param {number} mine @param {string} model */
  function tellSlow(mine, model) {
    state.slow = true;
    changed();
    watchOpening(transport, model, () => mine !== ticket || !state.slow, (opening) => {
      state.opening = opening;
      changed();
    });
  }

  return {
    /** Forgets what is under way. */
    drop() {
      ticket += 1;
      settle();
      state.wanted = null;
    },
    /**
     * The answer, or null where another question overtook it.
     * @param {any} request
     * @param {{model: string}} recipe what it is about
     */
    async ask(request, recipe = request.recipe) {
      const mine = ++ticket;
      settle();
      Object.assign(state, { busy: true, asked: recipe });
      slowTimer = setTimeout(() => tellSlow(mine, recipe.model), SLOW_MS);
      changed();
      const answer = await answerInTurn(() => answerTo(transport, request), () => mine === ticket);
      if (mine !== ticket) return null;
      settle();
      state.wanted = null;
      return answer;
    },
  };
}
