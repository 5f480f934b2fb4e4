// The button that keeps the run at hand for the room Compare; pressed while it is the one.

import { canCompare } from "../../run/able.js";
import { icon, press } from "../elements.js";
import { html } from "../html.js";

/** @param {Words} t @param {Session} session */
export const keepRun = (t, { state, actions }) => html`
  <button type="button" class="quiet keep-run" data-act="keep-run" data-about=${t("compare_tool_hint")}
    ?hidden=${!canCompare(state)} aria-pressed=${state.other !== null && state.other.b === state.run?.recipe}
    @click=${press(() => actions.keepOther(state.run.recipe))}>${icon("keep")}${t("compare_tool")}</button>`;
