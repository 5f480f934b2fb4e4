// The branches under the target, each a button that goes to it.

import { quoted } from "../../draw/labels.js";
import { fixed } from "../../draw/numbers.js";
import { icon, press } from "../elements.js";
import { html, nothing } from "../html.js";
import { canCompare } from "../../run/able.js";
import { branchesOf, branchNames, totalOf } from "./names.js";

/** What the row holds; null where there is no branch. @param {Words} t @param {Session} session */
export function branchesShown(t, { state, actions }) {
  /** @type {Dropped[]} */
  const branches = state.run && state.canAsk ? branchesOf(state) : [];
  const names = state.run ? branchNames(branches.map(({ run }) => run), state.run.recipe) : [];
  return branches.length === 0 ? null : html`
    <span class="gutter">${t("branches")}</span>
    ${branches.map((branch, i) => html`
      <button type="button" class="branch" dir="auto" title=${t("branch_take", { text: branch.run.text,
    nats: fixed(totalOf(branch.run), 2), tokens: branch.run.recipe.target.length })}
        @click=${press(() => actions.takeBranch(branch))}>${t("branch_name", { ...names[i], text: quoted(names[i].text) })}</button>
      ${canCompare(state) ? html`
        <button type="button" class="branch" title=${t("compare_branch")} aria-label=${t("compare_branch")}
          data-act="compare-branch" @click=${press(() => actions.compareWith(branch.run.recipe))}>${icon("keep")}</button>`
    : nothing}`)}`;
}
