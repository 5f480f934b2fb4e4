// Moving through the steps: buttons and a slider.

import {
  make, makeButton, makeIcon, setIcon, setText, setTrait,
} from "../../stage/page/elements.js";

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
  const element = make("section", { class: "playback", "aria-label": t("playback") }, [
    make("div", { class: "moves" }, [reset, back, step, play, end]),
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
    },
  };
}
