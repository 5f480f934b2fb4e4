// The row of branches under the target, each a button that goes to it.

import { fixed } from "../../draw/numbers.js";
import { icon, press } from "../elements.js";
import { html, makePart, nothing } from "../html.js";
import { canCompare } from "../../run/able.js";
import { branchName, totalOf } from "./branches.js";

/** @param {Words} t @param {Session} session */
function branchRow(t, { state, actions }) {
  /** @type {Dropped[]} */
  const branches = state.run && state.canAsk ? actions.branches() : [];
  return html`
    <div class="branches" role="group" aria-label=${t("branches")} ?hidden=${branches.length === 0}>
      <span class="gutter">${t("branches")}</span>
      ${branches.map((branch) => html`
        <button type="button" class="branch" dir="auto" title=${t("branch_take", { text: branch.run.text,
    nats: fixed(totalOf(branch.run), 2), tokens: branch.run.recipe.target.length })}
          @click=${press(() => actions.takeBranch(branch))}>${branchName(branch.run, state.run.recipe)}</button>
        ${canCompare(state) ? html`
          <button type="button" class="branch" title=${t("compare_branch")} aria-label=${t("compare_branch")}
            data-act="compare-branch" @click=${press(() => actions.compareWith(branch.run.recipe))}>${icon("keep")}</button>`
    : nothing}`)}
    </div>`;
}

/** @param {Words} t @param {Session} session */
export function makeBranchRow(t, session) {
  const { element, update } = makePart(() => branchRow(t, session));
  return {
    element,
    update() {
      update();
      element.parentElement?.classList.toggle("branched", !element.hidden);
    },
  };
}
