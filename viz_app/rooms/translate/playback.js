// Moving through the steps: buttons, slider, and how the next token is chosen.

import {
  make, makeButton, makeIcon, makeSwitch, setIcon, setText, setTrait,
} from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/glossary.js";

export function makePlayback(t, session) {
  const { state, actions } = session;
  const button = (name, act, worded) => makeButton({
    class: worded ? "move worded" : "move", "aria-label": t(`move_${name}`),
    title: t(`move_${name}_hint`), data: { act: name },
  }, act, [makeIcon(name), worded ? make("span", { text: t(`move_${name}`) }) : null]);
  const reset = button("reset", actions.reset);
  const back = button("back", actions.back);
  const step = button("step", actions.step, true);
  const play = button("play", actions.togglePlay, true);
  const end = button("end", actions.runToEnd);
  const slider = make("input", { type: "range", min: "1", max: "1", step: "1", value: "1",
    class: "slider", "aria-label": t("slider"), on: {
      input: () => actions.moveTo(Number(slider.value) - 1),
    } });
  const count = make("output", { class: "step-of" });
  const strategy = makeStrategy(t, session);
  const element = make("section", { class: "playback", "aria-label": t("playback") }, [
    make("div", { class: "moves" }, [reset, back, step, play, end, strategy.element]),
    make("div", { class: "scrub" }, [slider, count]),
  ]);
  return {
    element,
    update() {
      const N = state.run ? state.run.steps.length : 1;
      const atEnd = state.at >= actions.lastStep();
      const more = actions.canExtend();
      reset.hidden = !state.canAsk;
      reset.disabled = !state.run || actions.isLeaving()
        || (state.at === 0 && state.run.recipe.target.length === 0);
      back.disabled = state.at === 0;
      step.disabled = !state.run || (atEnd && !more);
      end.disabled = !state.run || (atEnd && !more);
      play.disabled = !state.run || (N < 2 && !more);
      setIcon(play.firstChild, state.playing ? "pause" : "play");
      setText(play.lastChild, t(state.playing ? "move_pause" : "move_play"));
      setTrait(play, "aria-label", t(state.playing ? "move_pause" : "move_play"));
      setTrait(slider, "max", N);
      if (slider.value !== String(state.at + 1)) slider.value = state.at + 1;
      slider.disabled = N < 2;
      slider.style.setProperty("--filled", `${N > 1 ? (100 * state.at) / (N - 1) : 0}%`);
      const text = t("step_of", { n: state.at + 1, m: N });
      setText(count, text);
      setTrait(slider, "aria-valuetext", text);
      strategy.update();
    },
  };
}

const NUMBER_FIELDS = [
  { name: "temperature", of: "sample", least: 0.05, most: 5, step: 0.05, whole: false },
  { name: "top_k", of: "sample", least: 0, most: 10000, step: 1, whole: true },
  { name: "top_p", of: "sample", least: 0.01, most: 1, step: 0.01, whole: false },
  { name: "seed", of: "sample", least: 0, most: 2147483647, step: 1, whole: true },
  { name: "width", of: "beam", least: 1, most: 16, step: 1, whole: true },
];

function makeStrategy(t, { state, actions }) {
  const kinds = makeSwitch("strategy", t("strategy"), ["greedy", "sample", "beam"].map((kind) =>
    [kind, t(`strategy_${kind}`), t(`strategy_${kind}_hint`)]),
  (kind) => actions.setStrategy({ kind }));
  const widest = state.options.limits.beam_width;
  const fields = NUMBER_FIELDS.map((field) => {
    const most = field.name === "width" ? Math.min(field.most, widest ?? field.most) : field.most;
    const input = make("input", { type: "number", min: field.least, max: most,
      step: field.step, name: field.name, "aria-label": t(field.name), inputmode: field.whole ? "numeric" : "decimal" });
    const isValid = () => input.value.trim() !== "" && Number.isFinite(Number(input.value))
      && Number(input.value) >= field.least && Number(input.value) <= most
      && (!field.whole || Number.isInteger(Number(input.value)));
    input.addEventListener("input", () => {
      setTrait(input, "aria-invalid", isValid() ? null : "true");
      if (isValid()) actions.setStrategy({ [field.name]: Number(input.value) });
    });
    input.addEventListener("blur", () => {
      setTrait(input, "aria-invalid", null);
      input.value = state.strategy[field.name];
    });
    return { ...field, input, element: make("label", { class: "field" }, [
      makeTermed(t, field.name).element, input,
      make("small", { text: t(`${field.name}_hint`,
        { least: field.least, most }) }),
    ]) };
  });
  const summary = make("summary", { title: t("strategy") });
  const element = make("details", { class: "strategy" }, [
    summary,
    make("div", { class: "strategy-panel" }, [
      makeTermed(t, "strategy_about", { class: "strategy-about" }, "p").element,
      kinds.element, ...fields.map((field) => field.element),
    ]),
  ]);
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && element.open) {
      element.open = false;
      summary.focus();
    }
  });
  element.addEventListener("focusout", (event) => {
    const { relatedTarget: next } = event;
    if (next instanceof Node && !element.contains(next)) element.open = false;
  });
  return {
    element,
    update() {
      const { kind, temperature, width } = state.strategy;
      element.hidden = !state.canAsk;
      kinds.update(kind);
      setText(summary, kind === "greedy" ? t("strategy_greedy")
        : kind === "beam" ? t("strategy_beam_at", { width })
          : t("strategy_sample_at", { temperature }));
      for (const field of fields) {
        field.input.disabled = kind !== field.of;
        if (field.input !== document.activeElement
          && field.input.value !== String(state.strategy[field.name])) {
          field.input.value = state.strategy[field.name];
        }
      }
    },
  };
}
