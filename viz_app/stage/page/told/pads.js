// The stepper for pad tokens after the source.

import { mostPads, padsOf } from "../../run/able.js";
import { make, makeButton, setText } from "../elements.js";
import { makeTermed } from "../glossary.js";

/** @param {Words} t @param {Session} session */
export function makePads(t, { state, actions }) {
  /** @param {number} by */
  const turn = (by) => () => actions.addPads(by);
  const fewer = makeButton({ class: "tool", text: "−", "aria-label": t("pads_fewer") }, turn(-1));
  const more = makeButton({ class: "tool", text: "+", "aria-label": t("pads_more") }, turn(1));
  const count = make("output", { class: "pads-count" });
  const element = make("div", { class: "pads", role: "group", "aria-label": t("pads"),
    title: t("pads_hint") }, [makeTermed(t, "pads_word").element, fewer, count, more]);
  return {
    element,
    update() {
      const pads = padsOf(state);
      const { kind, special } = state.model.anatomy;
      element.hidden = !state.canAsk || special.pad === null || kind === "decoder";
      setText(count, String(pads));
      fewer.disabled = pads === 0 || !actions.canAddPads();
      more.disabled = pads >= mostPads(state) || !actions.canAddPads();
    },
  };
}
