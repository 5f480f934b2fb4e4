// The stepper for pad tokens after the source.

import { canAddPads, mostPads, padsOf } from "../../run/able.js";
import { press } from "../elements.js";
import { termed } from "../terms.js";
import { html } from "../html.js";

/** @param {Words} t @param {Session} session */
export function pads(t, { state, actions }) {
  const count = padsOf(state);
  const { kind, special } = state.model.anatomy;
  const isFixed = !canAddPads(state);
  return html`
    <div class="pads ${count > 0 ? "some" : "none"}" role="group" aria-label=${t("pads_word")} title=${t("pads_hint")}
      ?hidden=${!state.canAsk || special.pad === null || kind === "decoder"}>
      <span>${count > 0 ? termed(t, "pads_word") : t("pads_word")}</span>
      <button type="button" class="tool" aria-label=${t("pads_fewer")} ?hidden=${count === 0} ?disabled=${isFixed}
        @click=${press(() => actions.addPads(-1))}>−</button>
      <output class="pads-count" ?hidden=${count === 0}>${count}</output>
      <button type="button" class="tool" aria-label=${t("pads_more")} ?disabled=${count >= mostPads(state) || isFixed}
        @click=${press(() => actions.addPads(1))}>+</button>
    </div>`;
}
