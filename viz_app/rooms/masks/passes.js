// One pass beside many steps: the tokens fed in and the tokens predicted, one place apart.

import { quoted } from "../../stage/draw/labels.js";
import { powers, shortProbability } from "../../stage/draw/numbers.js";
import { make, makeDiffers, setSlider, setText, setTrait } from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/terms.js";
import { makeMaskToken } from "./predictions.js";

/**
 * The two rows that are one place apart, over the maps; what is told of them, and `below` the maps what
 * they differ by.
 * @param {Words} t
 * @param {{stepTo: function(number): void}} acts
 */
export function makeMasksPasses(t, { stepTo }) {
  const counts = make("p", { class: "masks-words" });
  const apart = make("p", { class: "masks-words" });
  const shift = make("p", { class: "masks-words", "aria-live": "polite" });
  const table = make("table", { class: "masks-predictions masks-shift" });
  const slider = make("input", { class: "slider", type: "range", min: "1", step: "1",
    "aria-label": t("masks_step"), on: { input: () => stepTo(Number(slider.value)) } });
  const stepOf = make("output", { class: "step-of" });
  const box = make("div", { class: "masks-table-box", tabindex: "0", role: "group",
    "aria-label": t("masks_shift_title") }, [table]);
  const element = make("section", { class: "masks-passes", "aria-label": t("masks_shift_title") }, [
    box, make("div", { class: "scrub" }, [slider, stepOf])]);
  const told = make("section", { class: "masks-told" }, [
    makeTermed(t, "masks_shift_title", {}, "h3").element, shift, counts]);
  const below = make("div", { class: "masks-below" }, [apart]);
  const isOther = makeDiffers();
  /** @type {HTMLTableCellElement[][]} */
  let lines = []; // the rows of the table as lists of cells

  /** @param {PassesHeld} answer @param {Label[]} fed @param {Label[]} predicted */
  function build(answer, fed, predicted) {
    const { once, stepped } = answer.probabilities;
    /** @type {function(number[]): function(any, number): string} */
    const number = (list) => (_, i) => (i < predicted.length ? shortProbability(list[i]) : "");
    /** @type {[string, (string | HTMLElement)[]][]} */
    const contents = [
      ["masks_position", fed.map((_, i) => String(i + 1))],
      ["masks_fed", fed.map(makeMaskToken)],
      ["masks_predicted", fed.map((_, i) => (predicted[i] ? makeMaskToken(predicted[i])
        : t("masks_limit")))],
      ["masks_p_once", fed.map(number(once))],
      ["masks_p_stepped", fed.map(number(stepped))],
    ];
    lines = contents.map(([, cells]) => cells.map((content, i) =>
      make("td", { on: { click: () => stepTo(i + 1) } }, [content])));
    table.replaceChildren(make("tbody", {}, contents.map(([name], i) =>
      make("tr", {}, [make("th", { scope: "row", text: t(name) }), ...lines[i]]))));
  }

  return {
    element,
    told,
    below,
    /** @param {PassesHeld} answer @param {Label[]} fed @param {Label[]} predicted @param {number} step */
    update(answer, fed, predicted, step) {
      if (isOther(answer, fed)) build(answer, fed, predicted);
      const T = fed.length;
      setTrait(slider, "max", T);
      setSlider(slider, step);
      setText(stepOf, t("step_of", { n: step, m: T }));
      setText(counts, t("masks_counts", { rows: T }));
      const found = Object.fromEntries(
        Object.entries(answer.apart).map(([name, value]) => [name, powers(value)]));
      const says = answer.verdict === "differs" ? answer.reads_whole ? "whole" : null : answer.verdict;
      setText(apart, [t("masks_apart", found), ...(says ? [t(`masks_apart_${says}`)] : [])]
        .join(t("sentences_between")));
      const at = step - 1;
      const next = predicted[at];
      const values = next && { n: step, fed: quoted(fed[at].label), predicted: quoted(next.label) };
      setText(shift, !values ? "" : [t("masks_shift"), answer.ended ? t("masks_shift_end") : "",
        t(answer.reads_whole ? "masks_shift_whole" : "masks_shift_row", values),
        at + 1 === T ? t("masks_shift_last") : answer.reads_whole ? "" : t("masks_shift_next")]
        .filter((one) => one).join(t("sentences_between")));
      lines.forEach((cells, line) => cells.forEach((cell, i) => {
        cell.classList.toggle("current", i === at);
        cell.classList.toggle("later", i > at);
        // The same token twice: predicted here, fed in one place on.
        cell.classList.toggle("answer", (line === 2 && i === at) || (line === 1 && i === at + 1));
      }));
      const cell = lines[0][at];
      const left = cell.offsetLeft - table.rows[0].cells[0].offsetWidth;
      if (left < box.scrollLeft) box.scrollLeft = left;
      const over = cell.offsetLeft + 2 * cell.offsetWidth - box.clientWidth;
      if (over > box.scrollLeft) box.scrollLeft = over;
    },
  };
}
