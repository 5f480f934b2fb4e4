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

const LONGEST_WAIT = 10; // seconds, for a place in line

/**
 * The same; where there was no place in line, asked once more when the server says, unless nobody
 * wants it any more.
 * @param {Transport} transport
 * @param {any} request
 * @param {function(): boolean} isWanted
 */
async function answerInTurn(transport, request, isWanted) {
  const answer = await answerTo(transport, request);
  if (answer.error?.code !== "busy") return answer;
  const seconds = Math.min(answer.error.values?.seconds ?? 1, LONGEST_WAIT);
  await new Promise((resolve) => { setTimeout(resolve, 1000 * seconds); });
  return isWanted() ? answerTo(transport, request) : answer;
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
      const answer = await answerInTurn(transport, request, () => mine === ticket);
      if (mine !== ticket) return null;
      settle();
      state.wanted = null;
      return answer;
    },
  };
}
