// What is looked for on this sentence, and the heads that are found: buttons that choose one.

import { sitesOf } from "../../stage/anatomy.js";
import { threeDigits } from "../../stage/draw/numbers.js";
import { make, makeButton, makeDiffers, setText, setTrait } from "../../stage/page/elements.js";
import { briefPlace, placeOfHead } from "./numbers.js";
import { FIND_PATTERNS, FIND_SIDE, findHeads, patternsAt, whyNone } from "./find.js";

const FOUND = 8; // heads that are named

/**
 * What is looked for, and what is found.
 * @param {Words} t
 * @param {{pattern: function(?string): void, cells: function(number[]): void,
 *   choose: function(HeadPlace): void}} acts
 */
export function makeFind(t, acts) {
  /** @type {number[]} */
  let drawn = [];
  /** @type {ReturnType<typeof findHeads>} */
  let heads = [];
  const isOther = makeDiffers();
  const patterns = FIND_PATTERNS.map((name) => makeButton({ class: "choice", text:
    t(`habit_${name}`), title: t("heads_pattern_hint"), data: { pattern: name,
    text: t(`habit_${name}`) } }, () => acts.pattern(name)));
  const cells = Array.from({ length: FIND_SIDE * FIND_SIDE }, (_, at) => makeButton({
    class: "heads-cell", "aria-label": t("heads_cell", { row: Math.floor(at / FIND_SIDE) + 1,
      column: (at % FIND_SIDE) + 1 }), data: { cell: at } }, () =>
    acts.cells(drawn.includes(at) ? drawn.filter((one) => one !== at) : [...drawn, at])));
  const map = make("div", { class: "heads-own", role: "group", "aria-label": t("heads_drawn") }, cells);
  const clear = makeButton({ class: "as-link", text: t("heads_clear") }, () => acts.cells([]));
  const hint = make("p", { class: "heads-quiet" });
  const found = make("ol", { class: "heads-found" });
  const own = make("div", { class: "heads-drawing" }, [map, clear]);
  return {
    element: make("section", { class: "heads-find", "aria-label": t("heads_find") }, [
      make("div", { class: "heads-line" }, [make("h4", { text: t("heads_find") }),
        make("div", { class: "switch", role: "group" }, patterns), hint]),
      own, make("div", { class: "heads-line" }, [found])]),
    /** @param {State} state @param {string} pattern @param {number[]} chosen */
    update({ run, model }, pattern, chosen) {
      if (!isOther(run, model, pattern, chosen)) return heads; // its buttons keep focus
      drawn = chosen;
      const there = sitesOf(model).flatMap(patternsAt);
      for (const button of patterns) button.hidden = !there.includes(button.dataset.pattern ?? "");
      for (const button of patterns) setTrait(button, "aria-pressed", button.dataset.pattern === pattern);
      own.hidden = pattern !== "own";
      cells.forEach((cell, at) => setTrait(cell, "aria-pressed", chosen.includes(at)));
      heads = findHeads(run, model, pattern, chosen, FOUND);
      const why = heads.length > 0 ? null : whyNone(run, pattern, chosen);
      setText(hint, t(why ?? "heads_found_hint"));
      found.replaceChildren(...heads.map((one) => make("li", {}, [makeButton({ class: "heads-hit",
        title: t("heads_found", { place: placeOfHead(t, one), number: threeDigits(one.cosine) }),
        text: briefPlace(t, one) }, () => acts.choose(one)),
      make("small", { text: threeDigits(one.cosine) })])));
      return heads;
    },
  };
}
