// Where the way of a token ends: a target token at the logits and what they make of the next token,
// a source token as the encoder's output.

import { labelsOf, quoted } from "../../stage/draw/labels.js";
import { exactNumber, shortNumber } from "../../stage/draw/numbers.js";
import { make, setText } from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/glossary.js";

/** @param {Words} t */
export function makeInsideEnd(t) {
  const candidates = make("tbody");
  const title = makeTermed(t, "inside_logits", { class: "panel-name" }, "h3");
  const shape = make("span", { class: "panel-shape", dir: "ltr" });
  const about = make("p", { class: "panel-about" });
  const result = make("p", { class: "panel-result" });
  const end = make("section", { class: "inside-panel way-end" }, [
    make("header", { class: "panel-head" }, [title.element,
      make("code", { class: "panel-formula", dir: "ltr", text: "z = y W,  p = softmax(z)" }),
      shape]),
    about,
    make("table", { class: "inside-row logits" }, [
      make("thead", {}, [make("tr", {}, ["token", "logit", "probability"].map((name) =>
        makeTermed(t, `inside_column_${name}`, { scope: "col" }, "th").element))]),
      candidates]),
    result,
  ]);
  const memory = make("p", { class: "way-memory" });

  /** @param {NonNullable<WayStudy["prediction"]>} prediction @param {Label[]} labels */
  const lines = ({ candidates: { ids }, chosen, probabilities, logits }, labels) =>
    labels.map(({ label: name, kind }, i) => {
      const cell = make("td", { class: "weight", text: shortNumber(probabilities[i]),
        title: exactNumber(probabilities[i]) });
      cell.style.setProperty("--weight", String(probabilities[i]));
      return make("tr", { class: ids[i] === chosen ? "picked" : null }, [
        make("th", { scope: "row" }, [make("span", { class: "kind key-name", dir: "auto", text: name,
          title: name, data: { kind } })]),
        make("td", { text: shortNumber(logits[i]), title: exactNumber(logits[i]) }), cell]);
    });

  return {
    element: make("div", { class: "way-right" }, [end, memory]),
    /** @param {WayStudy} way @param {string} label @param {{digits: boolean}} look */
    update(way, label, { digits }) {
      const { prediction } = way;
      end.hidden = !prediction;
      memory.hidden = Boolean(prediction);
      if (!prediction) {
        setText(memory, t(way.alone ? "inside_memory_alone" : "inside_memory", { token: quoted(label), D: way.D }));
        return;
      }
      const labels = labelsOf(prediction.candidates, false, false, t);
      setText(shape, `(D) · (D × V) → (V), V = ${prediction.V}`);
      setText(about, t(way.alone ? "inside_logits_here" : "inside_logits_about", { token: quoted(label), V: prediction.V,
        n: prediction.candidates.ids.length }));
      candidates.replaceChildren(...lines(prediction, labels));
      const n = digits ? exactNumber : shortNumber;
      setText(result, t("inside_probability", { token: quoted(labels[0].label),
        logit: n(prediction.logits[0]), log_sum: n(prediction.log_sum), V: prediction.V,
        probability: n(prediction.probabilities[0]) }));
    },
    /** @param {WayStudy} way */
    drawn: ({ prediction }) => prediction && {
      ...prediction,
      shown: Array.from(candidates.children, (line) =>
        Array.from(line.children, (cell) => cell.textContent)),
      result: result.textContent,
    },
  };
}
