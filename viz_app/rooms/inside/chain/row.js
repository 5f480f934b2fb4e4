// The row of the chosen query over all keys, one line per key: score, mask, exponential and weight;
// or its products and weights without the division beside those with it.

import { exactNumber, shortNumber, threeDigits } from "../../../stage/draw/numbers.js";
import {
  make, makeButton, makeWordSwitch, nearest, scrollToItem, setText, setTrait,
} from "../../../stage/page/elements.js";
import { makeTermed } from "../../../stage/page/glossary.js";
import { hiddenText } from "./panels.js";

const INSIDE_COLUMNS = {
  with: ["key", "score", "after_mask", "exponential", "weight"],
  without: ["key", "product", "divided", "plain_weight", "weight"],
};

/**
 * The cells of a line after its key: [text, exact number, share of a bar].
 * @param {CellStudy} study
 * @param {number} key
 * @param {?PlainRow} plain
 * @returns {Array<[string, number, number?]>}
 */
function insideCells(study, key, plain) {
  const allowed = study.allowed_K[key];
  /** @param {number} value @returns {[string, number, number]} */
  const weight = (value) => [threeDigits(value), value, value];
  /** @param {number} value @returns {[string, number]} */
  const number = (value) => [shortNumber(value), value];
  const score = study.scores_K[key];
  const own = weight(study.weights_K[key]);
  if (plain) {
    return [number(plain.scores_K[key]), number(score), weight(plain.weights_K[key]), own];
  }
  return [number(score), allowed ? number(study.logits_K[key]) : [hiddenText(study), study.hidden_score ?? -Infinity],
    number(study.exponentials_K[key]), own];
}

/** The switch "divided, without". @param {Words} t @param {function(string): void} choose */
export function makeInsideScale(t, choose) {
  return makeWordSwitch(t, "scale", "inside_scale", "inside_scale", ["with", "without"], choose);
}

/** @param {Words} t @param {function(number): void} pick */
export function makeInsideRow(t, pick) {
  const body = make("tbody");
  const foot = make("tr", {}, [make("th", { scope: "row", text: t("inside_sum_word") }),
    ...[1, 2, 3, 4].map(() => make("td"))]);
  const heads = Object.fromEntries(Object.entries(INSIDE_COLUMNS).map(([name, columns]) =>
    [name, make("tr", {}, columns.map((column) =>
      makeTermed(t, `inside_column_${column}`, { scope: "col" }, "th").element))]));
  const head = make("thead");
  const table = make("table", { class: "inside-row" }, [head, body, make("tfoot", {}, [foot])]);
  const element = make("div", { class: "inside-row-box" }, [table]);
  body.addEventListener("click", (event) => {
    const line = nearest(event, "tr");
    if (line) pick(Number(line.dataset.key));
  });
  /** @type {HTMLElement[]} */
  let lines = [];
  /** @type {HTMLElement | null} */
  let brought = null;

  /** @param {Array<{label: string, kind: string}>} keys */
  function build(keys) { // the Tab key finds the same keys above, as one stop
    lines = keys.map(({ label, kind }, key) => make("tr", { data: { key } }, [
      make("th", { scope: "row" }, [makeButton({ class: "kind key-name", text: label, dir: "auto",
        title: label, data: { kind }, tabindex: "-1" }, () => pick(key))]),
      ...[1, 2, 3, 4].map(() => make("td", {}, [make("span")])),
    ]));
    body.replaceChildren(...lines);
  }

  /** @param {HTMLElement} line @param {Array<[string, number, number?]>} cells */
  function fill(line, cells) {
    cells.forEach(([text, exact, share], i) => {
      const cell = /** @type {HTMLElement} */ (line.children[i + 1]);
      setText(/** @type {Element} */ (cell.firstElementChild), text);
      setTrait(cell, "title", exactNumber(exact));
      cell.classList.toggle("weight", share !== undefined);
      cell.style.setProperty("--weight", String(share ?? 0));
    });
  }

  return {
    element,
    /**
     * @param {CellStudy} study
     * @param {Array<{label: string, kind: string}>} keys
     * @param {number} chosen
     * @param {?PlainRow} plain what stands beside the row: the same without the division
     */
    update(study, keys, chosen, plain) {
      table.classList.toggle("hard", study.attention === "hard" && !plain);
      table.classList.toggle("unscaled", plain !== null);
      const titles = heads[plain ? "without" : "with"];
      if (head.firstChild !== titles) head.replaceChildren(titles);
      const same = lines.length === keys.length && lines.every((line, i) =>
        line.firstChild?.textContent === keys[i].label);
      if (!same) build(keys);
      lines.forEach((line, key) => {
        line.classList.toggle("picked", key === chosen);
        line.classList.toggle("masked", !study.allowed_K[key]);
        setTrait(line, "aria-current", key === chosen ? "true" : null);
        fill(line, insideCells(study, key, plain));
      });
      if (brought !== lines[chosen]) scrollToItem(element, lines[chosen]); // where the box scrolls
      brought = lines[chosen];
      /** @param {Float32Array} weights */
      const sum = (weights) => weights.reduce((all, one) => all + one, 0);
      setText(foot.children[3], plain ? threeDigits(sum(plain.weights_K))
        : shortNumber(study.total));
      setText(foot.children[4], threeDigits(sum(study.weights_K)));
      foot.children[4].classList.add("weight");
    },
    drawn: () => ({ cells: lines.map((line) =>
      Array.from(line.children, (cell) => cell.textContent)) }),
  };
}
