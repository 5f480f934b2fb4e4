// How the next token is chosen: the kind and its numbers. A choice applies at once.

import { closeByItself, make, makeButton, makeWordSwitch, setText, setTrait } from "../../../stage/page/elements.js";
import { makeTermed } from "../../../stage/page/glossary.js";

/**
 * @type {{name: "temperature" | "top_k" | "top_p" | "seed" | "width", of: string, least: number,
 *     most: number, step: number, whole: boolean}[]}
 */
const NUMBER_FIELDS = [
  { name: "temperature", of: "sample", least: 0.05, most: 5, step: 0.05, whole: false },
  { name: "top_k", of: "sample", least: 0, most: 10000, step: 1, whole: true },
  { name: "top_p", of: "sample", least: 0.01, most: 1, step: 0.01, whole: false },
  { name: "seed", of: "sample", least: 0, most: 2147483647, step: 1, whole: true },
  { name: "width", of: "beam", least: 1, most: 16, step: 1, whole: true },
];

/** @param {Words} t @param {Session} session */
export function makeStrategy(t, { state, actions }) {
  const kinds = makeWordSwitch(t, "strategy", "strategy", "strategy", ["greedy", "sample", "beam"], (kind) => {
    if (kind === state.strategy.kind) return;
    actions.setStrategy({ kind });
    actions.decodeAnew();
  });
  const widest = state.options.limits.beam_width;
  const fields = NUMBER_FIELDS.map((field) => {
    const most = field.name === "width" ? Math.min(field.most, widest ?? field.most) : field.most;
    const input = make("input", { type: "number", min: field.least, max: most,
      step: field.step, name: field.name, "aria-label": t(field.name),
      inputmode: field.whole ? "numeric" : "decimal" });
    const isValid = () => input.value.trim() !== "" && Number.isFinite(Number(input.value))
      && Number(input.value) >= field.least && Number(input.value) <= most
      && (!field.whole || Number.isInteger(Number(input.value)));
    input.addEventListener("input", () => {
      setTrait(input, "aria-invalid", isValid() ? null : "true");
      if (isValid()) actions.setStrategy({ [field.name]: Number(input.value) });
    });
    // Number by number while it is typed; decoded anew once it is entered.
    input.addEventListener("change", () => {
      if (isValid()) actions.decodeAnew();
    });
    input.addEventListener("blur", () => {
      setTrait(input, "aria-invalid", null);
      input.value = String(state.strategy[field.name]);
    });
    return { ...field, input, element: make("label", { class: "field" }, [
      makeTermed(t, field.name).element, input,
      make("small", { text: t(`${field.name}_hint`,
        { least: field.least, most }) }),
    ]) };
  });
  const anew = makeButton({ class: "strategy-anew", text: t("strategy_anew"),
    title: t("strategy_anew_hint"), data: { act: "anew" } }, () => actions.decodeAnew(0));
  const tree = makeButton({ class: "strategy-anew", text: t("beam_see"), title: t("beam_see_hint"),
    data: { act: "see-tree" } }, () => actions.enter("beam"));
  const summary = make("summary", { title: t("strategy") });
  const element = make("details", { class: "strategy" }, [
    summary,
    make("div", { class: "strategy-panel", tabindex: "-1" }, [
      makeTermed(t, "strategy_about", { class: "strategy-about" }, "p").element,
      kinds.element, ...fields.map((field) => field.element),
      make("p", { class: "strategy-about", text: t("strategy_applies") }),
      anew, tree,
    ]),
  ]);
  closeByItself(element, summary);
  return {
    element,
    update() {
      const { kind, temperature, width } = state.strategy;
      element.hidden = !state.canAsk;
      kinds.update(kind);
      anew.disabled = !actions.canDecodeAnew(0);
      tree.hidden = kind !== "beam" || state.model.lacking.beam !== undefined;
      setText(summary, kind === "greedy" ? t("strategy_greedy")
        : kind === "beam" ? t("strategy_beam_at", { width })
          : t("strategy_sample_at", { temperature }));
      for (const field of fields) {
        field.input.disabled = kind !== field.of;
        if (field.input !== document.activeElement
          && field.input.value !== String(state.strategy[field.name])) {
          field.input.value = String(state.strategy[field.name]);
        }
      }
    },
  };
}
