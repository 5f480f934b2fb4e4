// The bar at the bottom of a narrow window: a step back, what is read, a step on. Elsewhere the style
// sheet hides it.

import { writes } from "../anatomy.js";
import { make, makeButton, makeIcon, setText } from "../page/elements.js";

/** @param {Words} t @param {Session} session */
export function makeThumbBar(t, { state, actions }) {
  /** A step is about its own row, no longer about the cell that was touched. @param {function(): void} act */
  const go = (act) => () => {
    actions.point(null, null);
    act();
  };
  /** @param {string} name */
  const traits = (name) => ({ class: "thumb", data: { thumb: name }, title: t(`move_${name}_hint`),
    "aria-label": t(`move_${name}`) });
  const back = makeButton(traits("back"), go(actions.back), [makeIcon("back")]);
  const step = makeButton(traits("step"), go(actions.step), [make("span", { text: t("move_step") }),
    makeIcon("step")]);
  const sentence = make("p", { "aria-hidden": "true" }); // spoken where the map says it
  return {
    element: make("div", { class: "thumb-bar", role: "group", "aria-label": t("playback") },
      [back, sentence, step]),
    /** @param {string} text */
    update(text) {
      setText(sentence, text);
      back.hidden = step.hidden = state.run !== null && !writes(state.run);
      back.disabled = state.at === 0;
      step.disabled = !state.run || (state.at >= actions.lastStep() && !actions.canExtend());
    },
  };
}
