// Moving through the steps: buttons and a slider. There is one on the page; the rooms that have steps
// take it over when they are opened.

import {
  make, makeButton, makeIcon, setIcon, setSlider, setText, setTrait,
} from "../page/elements.js";
import { writes } from "../anatomy.js";
import { canCompare } from "../run/able.js";

/**
 * How many tokens are written up to the cursor, and of how many where that is known.
 * @param {State} state
 * @param {Words} t
 */
function stepText({ run, at }, t) {
  const n = at + (run?.chosen[at] ? 1 : 0);
  return run?.finished ? t("step_of", { n, m: run.chosen.length }) : t("step_open", { n });
}

/** @param {Words} t @param {Session} session */
export function makePlayback(t, session) {
  const { state, actions } = session;
  /** @type {function(string, function(): any): HTMLButtonElement} */
  const button = (name, act) => makeButton({
    class: "move", "aria-label": t(`move_${name}`),
    title: t(`move_${name}_hint`), data: { act: name },
  }, act, [makeIcon(name), make("span", { text: t(`move_${name}`) })]);
  const reset = button("reset", actions.reset);
  const back = button("back", actions.back);
  const step = button("step", actions.step);
  const play = button("play", actions.togglePlay);
  const end = button("end", actions.runToEnd);
  const undo = button("undo", actions.undo);
  const compare = makeButton({ class: "move", title: t("compare_dropped_hint"),
    data: { act: "compare-dropped" }, text: t("compare_dropped") },
  () => actions.compareWith(state.dropped?.run.recipe ?? null));
  const slider = make("input", { type: "range", min: "1", max: "1", step: "1", value: "1",
    class: "slider", "aria-label": t("slider"), on: {
      input: () => actions.moveTo(Number(slider.value) - 1),
    } });
  const count = make("output", { class: "step-of" });
  const element = make("section", { class: "playback", "aria-label": t("playback") }, [
    make("div", { class: "moves" }, [reset, back, step, play, end, undo, compare]),
    make("div", { class: "scrub" }, [slider, count]),
  ]);
  return {
    /**
     * Stands at the beginning or the end of a room's element, where it does not already.
     * @param {HTMLElement} parent
     */
    standIn(parent, atEnd = false) {
      if (element.parentElement === parent) return;
      if (atEnd) parent.append(element);
      else parent.prepend(element);
    },
    update() {
      element.hidden = !writes(state.run ?? state.model);
      const N = state.run ? state.run.steps.length : 1;
      const atEnd = state.at >= actions.lastStep();
      const more = actions.canExtend();
      reset.hidden = !state.canAsk;
      reset.disabled = !state.run || actions.isLeaving()
        || (state.at === 0 && state.run.recipe.target.length === 0);
      undo.hidden = !state.canAsk;
      undo.disabled = !actions.canUndo();
      compare.hidden = undo.disabled || !canCompare(state);
      back.disabled = state.at === 0;
      step.disabled = !state.run || (atEnd && !more);
      end.disabled = !state.run || (atEnd && !more);
      play.disabled = !state.run || (N < 2 && !more);
      // Where the translation is not at its end, these are the way on.
      for (const way of [step, end]) way.classList.toggle("way", atEnd && more);
      setIcon(play.firstChild, state.playing ? "pause" : "play");
      setText(/** @type {Node} */ (play.lastChild), t(state.playing ? "move_pause" : "move_play"));
      setTrait(play, "aria-label", t(state.playing ? "move_pause" : "move_play"));
      setTrait(slider, "max", N);
      setSlider(slider, state.at + 1);
      slider.disabled = N < 2;
      const text = stepText(state, t);
      setText(count, text);
      setTrait(slider, "aria-valuetext", text);
    },
  };
}
