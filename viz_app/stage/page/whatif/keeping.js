// The button that keeps the run at hand for the room Compare; pressed while it is the one.

import { canCompare } from "../../run/able.js";
import { makeButton, makeIcon, setTrait } from "../elements.js";

/** @param {Words} t @param {Session} session */
export function makeKeep(t, { state, actions }) {
  const element = makeButton({ class: "quiet keep-run",
    data: { act: "keep-run", about: t("compare_tool_hint") } }, () => actions.keepOther(state.run.recipe),
  [makeIcon("keep"), t("compare_tool")]);
  return {
    element,
    update() {
      element.hidden = !canCompare(state);
      setTrait(element, "aria-pressed", state.other !== null && state.other.b === state.run?.recipe);
    },
  };
}
