// Two tables: the candidates of a step with all their numbers, and what the search found.

import { labelsOf } from "../../stage/draw/labels.js";
import { fixed, smallShare } from "../../stage/draw/numbers.js";
import { make, makeButton, makeDiffers } from "../../stage/page/elements.js";
import { fateOf, nats, textOfNode } from "./says.js";

/** @param {(string | Node)[]} cells @param {Object<string, any>} [traits] */
const rowOf = (cells, traits = {}) => make("tr", traits, cells.map((cell) =>
  make("td", {}, [cell])));

/** @param {Words} t @param {string[]} columns */
const headOf = (t, columns) => make("thead", {}, [make("tr", {}, columns.map((name) =>
  make("th", { scope: "col", text: t(`beam_column_${name}`) })))]);

/** @param {Words} t @param {function(number): void} choose */
export function makeStepTable(t, choose) {
  const body = make("tbody");
  const element = make("div", { class: "beam-table table-box", tabindex: "0" }, [make("table", {}, [
    headOf(t, ["rank", "text", "probability", "total", "penalty", "score", "fate"]), body])]);
  const isOther = makeDiffers();
  return {
    element,
    /** @param {{answer: BeamAnswer, last: number, chosen: number, spelled: boolean}} shown */
    update({ answer, last, chosen, spelled }) {
      const { tree } = answer;
      if (!isOther(answer, last, chosen, spelled)) return;
      const places = tree.step.flatMap((step, at) => (step === last ? [at] : []));
      body.replaceChildren(...places.map((at) => rowOf([String(tree.rank[at] + 1),
        makeButton({ class: "as-link", dir: "auto", text: textOfNode(t, answer, at, spelled),
          "aria-pressed": String(at === chosen) }, () => choose(at)),
        smallShare(Math.exp(tree.log_probability[at])), nats(tree.total[at]),
        fixed(tree.penalty[at], 3), nats(tree.score[at]), fateOf(t, tree, at)],
      { data: { fate: tree.fate[at], node: at } })));
    },
  };
}

/** @param {Words} t @param {function(number): void} choose */
export function makeFoundTable(t, choose) {
  const title = make("h3", { text: t("beam_found") });
  const body = make("tbody");
  const element = make("section", { class: "beam-found" }, [
    make("div", { class: "beam-found-top" }, [title,
      make("p", { class: "beam-found-measure", text: t("beam_found_measure") })]), make("table", {}, [
    headOf(t, ["rank", "text", "total", "penalty", "score"]), body])]);
  const isOther = makeDiffers();
  return {
    element,
    /** @param {BeamAnswer} answer */
    update(answer) {
      if (!isOther(answer)) return;
      const { found, tree, greedy, parting } = answer;
      title.textContent = t(tree.found.some((at) => tree.fate[at] === "finished")
        ? "beam_found" : "beam_found_none");
      const ends = labelsOf(answer.tokens, false, false, t);
      /** A text, or where it is empty the end token. @param {string} text @param {Label | undefined} end */
      const shown = (text, end) => (text !== "" || !end ? text
        : make("span", { class: "kind beam-token", text: end.label, data: { kind: end.kind } }));
      const rows = found.texts.map((text, i) => rowOf([String(i + 1),
        makeButton({ class: "as-link", dir: "auto", title: text }, () => choose(tree.found[i]),
          [shown(text, ends[tree.found[i]])]), nats(found.total[i]), fixed(found.penalty[i], 3),
        nats(found.score[i])], { class: i === 0 ? "won" : null }));
      const { total, penalty, score } = parting.greedy;
      body.replaceChildren(...rows, rowOf([t("strategy_greedy"),
        shown(greedy.text, labelsOf(greedy.tokens, false, false, t).at(-1)), nats(total),
        fixed(penalty, 3), nats(score)], { class: "beam-greedy-row" }));
    },
  };
}
