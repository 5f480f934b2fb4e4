// What may follow at a step of both runs, side by side, with the change of each probability.

import { labelOf, quoted } from "../../../stage/draw/labels.js";
import { shareText } from "../../../stage/draw/numbers.js";
import { make, makeDiffers, setText } from "../../../stage/page/elements.js";
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
  const isOther = makeDiffers();

  /** @param {?number} share @param {boolean} isTaken */
  function share(share, isTaken) {
    const bar = make("i", { "aria-hidden": "true" });
    bar.style.setProperty("--part", String(share ?? 0));
    return make("td", { class: isTaken ? "taken" : null }, [bar,
      make("span", { text: share === null ? "–" : shareText(share) }),
      isTaken ? make("b", { text: "✓", title: t("compare_taken") }) : null]);
  }

  /** @param {CompareCandidate} one @param {boolean} spelled */
  function line({ text, piece, kind, a, b, taken }, spelled) {
    const label = labelOf({ text, piece, kind }, false, spelled, t);
    return make("tr", {}, [make("th", { scope: "row" }, [
      make("span", { class: "kind compare-token", text: label, dir: "auto", data: { kind } })]),
    share(a, taken[0]), share(b, taken[1]),
    make("td", { text: a === null || b === null ? "–" : signed(a - b) })]);
  }

  /** What stands over the table: which steps these are. @param {CompareStep} step @param {(string | null)[]} names */
  function titleOf({ a, b }, names) {
    const [x, y] = names.map((name) => name && quoted(name));
    if (a === null || b === null) {
      return t("compare_after_one", { n: (a ?? b ?? 0) + 1, x: x ?? y, only: a === null ? "B" : "A" });
    }
    return x === y && a === b ? t("compare_after", { n: a + 1, x })
      : t("compare_after_two", { n: a + 1, m: b + 1, x, y });
  }

  return {
    element,
    /**
     * @param {?CompareStep} step
     * @param {(string | null)[]} names of the tokens fed in there, of A and of B
     * @param {boolean} spelled
     */
    update(step, names, spelled) {
      element.hidden = step === null;
      if (step === null || !isOther(step, spelled)) return;
      setText(title, titleOf(step, names));
      const shown = step.candidates.filter(({ taken }, i) => i < MOST || taken.includes(true));
      body.replaceChildren(...shown.map((one) => line(one, spelled)));
    },
    drawn: () => (element.hidden ? null : { title: title.textContent,
      lines: [...body.rows].map((row) => [...row.cells].map((cell) => cell.textContent)) }),
  };
}
