// The row of branches under the target, each a button that goes to it.

import { fixed } from "../../draw/numbers.js";
import { make, makeButton, makeDiffers, makeIcon } from "../elements.js";
import { canCompare } from "../../run/able.js";
import { nameOf, totalOf } from "./branches.js";

/** @param {Words} t @param {Session} session */
export function makeBranchRow(t, { state, actions }) {
  const element = make("div", { class: "branches", role: "group", "aria-label": t("branches"),
    hidden: true });
  const isOther = makeDiffers();
  return {
    element,
    update() {
      /** @type {Dropped[]} */
      const branches = state.run && state.canAsk ? actions.branches() : [];
      element.hidden = branches.length === 0;
      element.parentElement?.classList.toggle("branched", !element.hidden);
      if (!isOther(state.run?.recipe, ...branches)) return;
      element.replaceChildren(make("span", { class: "gutter", text: t("branches") }),
        ...branches.flatMap((branch) => [makeButton({ class: "branch", dir: "auto",
          text: nameOf(branch.run, state.run.recipe), title: t("branch_take", {
            text: branch.run.text, nats: fixed(totalOf(branch.run), 2),
            tokens: branch.run.recipe.target.length }) }, () => actions.takeBranch(branch)),
        ...(canCompare(state) ? [makeButton({ class: "branch", title: t("compare_branch"),
          "aria-label": t("compare_branch"), data: { act: "compare-branch" } },
        () => actions.compareWith(branch.run.recipe), [makeIcon("keep")])] : [])]));
    },
  };
}
