// What the tokens on the screen are called, and so the rows and columns of the shown site.

import { columnsOf, isStepped, rowsOf } from "../anatomy.js";
import { labelsOf, PENDING_MARK } from "./labels.js";

/**
 * The labels of a session. They keep their identity while they say the same, so that nothing is
 * rebuilt for nothing.
 * @param {Words} t
 * @param {State} state
 * @returns {function(): {source: Label[], target: Label[], rows: Label[], columns: Label[]}}
 */
export function makeAxes(t, state) {
  /** @type {any} */
  let labels = { key: [] };
  return () => {
    const key = [state.run, state.spelled, state.site];
    if (key.every((part, i) => part === labels.key[i])) return labels;
    const same = key[0] === labels.key[0] && key[1] === labels.key[1];
    const ofSource = same ? labels.source : labelsOf(state.run.source, false, state.spelled, t);
    const ofTarget = same ? labels.target : labelsOf(state.run.target, true, state.spelled, t);
    const N = state.run.steps.length;
    const pending = { label: PENDING_MARK, piece: "", kind: "text", pending: true };
    // A row of the target is a step: the token that goes in leads to the one that comes out.
    labels = {
      key,
      source: ofSource,
      target: ofTarget,
      rows: !isStepped(state.run, state.site)
        ? rowsOf(state.run, state.site) === "source" ? ofSource : ofTarget
        : ofTarget.slice(0, N).map((/** @type {Label} */ { label }, /** @type {number} */ i) =>
          ({ ...(ofTarget[i + 1] ?? pending), lead: label })),
      columns: columnsOf(state.run, state.site) === "source" ? ofSource
        : isStepped(state.run, state.site) ? ofTarget.slice(0, N) : ofTarget,
    };
    return labels;
  };
}
