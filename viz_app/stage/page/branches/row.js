// The branches under the target, each a button that goes to it.

import { fixed } from "../../draw/numbers.js";
import { icon, press } from "../elements.js";
import { html, nothing } from "../html.js";
import { canCompare } from "../../run/able.js";
import { branchesOf, branchName, totalOf } from "../../run/branches.js";

/** What the row holds; null where there is no branch. @param {Words} t @param {Session} session */
export function branchesShown(t, { state, actions }) {
  /** @type {Dropped[]} */
  const branches = state.run && state.canAsk ? branchesOf(state) : [];
  return branches.length === 0 ? null : html`
    <span class="gutter">${t("branches")}</span>
    ${branches.map((branch) => html`
      <button type="button" class="branch" dir="auto" title=${t("branch_take", { text: branch.run.text,
    nats: fixed(totalOf(branch.run), 2), tokens: branch.run.recipe.target.length })}
        @click=${press(() => actions.takeBranch(branch))}>${branchName(branch.run, state.run.recipe)}</button>
      ${canCompare(state) ? html`
        <button type="button" class="branch" title=${t("compare_branch")} aria-label=${t("compare_branch")}
          data-act="compare-branch" @click=${press(() => actions.compareWith(branch.run.recipe))}>${icon("keep")}</button>`
    : nothing}`)}`;
}
