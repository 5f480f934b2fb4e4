// What may follow at a step of both runs, side by side, with the change of each probability.

import { labelOf, quoted } from "../../../stage/draw/labels.js";
import { shareText } from "../../../stage/draw/numbers.js";
import { make, setText } from "../../../stage/page/elements.js";
import { signed } from "../says.js";

const MOST = 6; // rows

/** @param {Words} t */
export function makeCompareCandidates(t) {
  const title = make("h3", {});
  const body = make("tbody");
  const heads = ["candidate", "a", "b", "change"].map((name) =>
    make("th", { scope: "col", text: t(`compare_${name}`) }));
  const element = make("section", { class: "compare-candidates", "aria-label": t("compare_candidates") },
    [title, make("table", {}, [make("thead", {}, [make("tr", {}, heads)]), body])]);
  /** @type {any[]} */
  let built = [];

  /** @param {?number} share @param {boolean} isTaken */
  function share(share, isTaken) {
    const bar = make("i", { "aria-hidden": "true" });
    bar.style.setProperty("--part", String(share ?? 0));
    return make("td", { class: isTaken ? "taken" : null }, [bar,
      make("span", { text: share === null ? "–" : shareText(share) }),
      isTaken ? make("b", { text: "✓", title: t("compare_taken") }) : null]);
  }

  /** @param {any} one */
  function line({ text, piece, kind, a, b, taken }, /** @type {boolean} */ spelled) {
    const label = labelOf({ text, piece, kind }, false, spelled, t);
    return make("tr", {}, [make("th", { scope: "row" }, [
      make("span", { class: "kind compare-token", text: label, dir: "auto", data: { kind } })]),
    share(a, taken[0]), share(b, taken[1]),
    make("td", { text: a === null || b === null ? "–" : signed(a - b) })]);
  }

  /** What stands over the table: which steps these are. @param {any} step @param {any[]} names */
  function titleOf(step, names) {
    const [x, y] = names.map((name) => name && quoted(name));
    if (step.a === null || step.b === null) {
      return t("compare_after_one", { n: (step.a ?? step.b) + 1, x: x ?? y,
        only: step.a === null ? "B" : "A" });
    }
    return x === y && step.a === step.b ? t("compare_after", { n: step.a + 1, x })
      : t("compare_after_two", { n: step.a + 1, m: step.b + 1, x, y });
  }

  return {
    element,
    /**
     * @param {any} step as the answer has it; null without one
     * @param {any[]} names of the tokens fed in there, of A and of B
     * @param {boolean} spelled
     */
    update(step, names, spelled) {
      element.hidden = step === null;
      if (step === null || (built[0] === step && built[1] === spelled)) return;
      built = [step, spelled];
      setText(title, titleOf(step, names));
      const shown = step.candidates.filter((/** @type {any} */ one, /** @type {number} */ i) =>
        i < MOST || one.taken.includes(true));
      body.replaceChildren(...shown.map((/** @type {any} */ one) => line(one, spelled)));
    },
    drawn: () => (element.hidden ? null : { title: title.textContent,
      lines: [...body.rows].map((row) => [...row.cells].map((cell) => cell.textContent)) }),
  };
}
