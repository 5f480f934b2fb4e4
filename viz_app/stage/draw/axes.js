// What the tokens on the screen are called, and so the rows and columns of the shown site.

import { columnsOf, isStepped, rowsOf } from "../anatomy.js";
import { columnUnits, rowUnits, showsWords, unitsOf } from "../run/units.js";
import { labelOfWord, labelsOf, PENDING_MARK } from "./labels.js";

/**
 * The labels of some tokens as those of their units: a word is written as one.
 * @param {Label[]} labels
 * @param {import("../run/units.js").Units} units
 * @returns {Label[]}
 */
const joined = (labels, units) => units.map((places) => (places.length === 1 ? labels[places[0]]
  : { ...labels[places[0]],
    label: labelOfWord(places.map((place) => labels[place])),
    piece: places.map((place) => labels[place].piece).join(" ") }));

/**
 * The labels of a session. They keep their identity while they say the same, so that nothing is
 * rebuilt for nothing.
 * @param {Words} t
 * @param {State} state
 * @returns {function(): Axes} `words`: both sentences by their units, see run/units.js
 */
export function makeAxes(t, state) {
  /** @type {any} */
  let labels = { key: [] };
  return () => {
    const isOfWords = showsWords(state);
    const key = [state.run, state.spelled, state.site, isOfWords];
    if (key.every((part, i) => part === labels.key[i])) return labels;
    const same = key[0] === labels.key[0] && key[1] === labels.key[1];
    const ofSource = same ? labels.source : labelsOf(state.run.source, false, state.spelled, t);
    const ofTarget = same ? labels.target : labelsOf(state.run.target, true, state.spelled, t);
    const N = state.run.steps.length;
    const pending = { label: PENDING_MARK, piece: "", kind: "text", pending: true };
    // A row of the target is a step: the token that goes in leads to the one that comes out. A word is
    // written by the steps of its pieces.
    const rows = !isStepped(state.run, state.site)
      ? rowsOf(state.run, state.site) === "source" ? ofSource : ofTarget
      : ofTarget.slice(0, N).map((/** @type {Label} */ { label }, /** @type {number} */ i) =>
        ({ ...(ofTarget[i + 1] ?? pending), ...(isOfWords ? {} : { lead: label }) }));
    const columns = columnsOf(state.run, state.site) === "source" ? ofSource
      : isStepped(state.run, state.site) ? ofTarget.slice(0, N) : ofTarget;
    labels = {
      key,
      source: ofSource,
      target: ofTarget,
      words: { source: joined(ofSource, unitsOf(state, "source")), target: joined(ofTarget, unitsOf(state, "target")) },
      rows: joined(rows, rowUnits(state)),
      columns: joined(columns, columnUnits(state)),
    };
    return labels;
  };
}
