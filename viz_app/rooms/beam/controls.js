// The controls of a search: width, length penalty, where it begins; and of its playback.

import { fixed } from "../../stage/draw/numbers.js";
import { quoted } from "../../stage/draw/labels.js";
import {
  make, makeButton, makeIcon, makeSwitch, makeWordSwitch, setIcon, setSlider, setText, setTrait,
} from "../../stage/page/elements.js";

const PLAY_MS = 650;

/**
 * A slider with its name and its number.
 * @param {Words} t
 * @param {string} name
 * @param {{least: number, most: number, step: number}} range
 * @param {function(number): void} enter when it is let go
 * @param {function(number): string} spell
 */
function makeSlider(t, name, { least, most, step }, enter, spell) {
  const number = make("output");
  /** @param {number} value */
  const show = (value) => {
    setText(number, spell(value));
    setSlider(slider, value);
  };
  const slider = make("input", { type: "range", class: "slider", min: least, max: most, step,
    "aria-label": t(`beam_${name}`), data: { beam: name }, on: {
      input: () => show(Number(slider.value)),
      change: () => enter(Number(slider.value)),
    } });
  const element = make("label", { class: "beam-control", title: t(`beam_${name}_hint`) },
    [make("span", { text: t(`beam_${name}`) }), slider, number]);
  return {
    element,
    /** @param {number} value what a model has of its own may lie beyond the range, or between */
    update(value) {
      setTrait(slider, "min", Math.min(least, value));
      setTrait(slider, "max", Math.max(most, value));
      show(slider === document.activeElement ? Number(slider.value) : value);
    },
  };
}

/**
 * @param {Words} t
 * @param {number} widest
 * @param {{width: ?number, alpha: ?number}} wish
 * @param {{want(changes: Object): void, show(shown: string): void}} acts
 */
export function makeSearchControls(t, widest, wish, acts) {
  const width = makeSlider(t, "width", { least: 1, most: widest, step: 1 },
    (value) => acts.want({ width: value }), String);
  /** @param {number} value in hundredths */
  const spelled = (value) => fixed(value / 100, value % 10 ? 2 : 1);
  const alpha = makeSlider(t, "alpha", { least: 0, most: 200, step: 10 },
    (value) => acts.want({ alpha: value }), spelled);
  const formula = make("small", { class: "beam-formula" });
  const begin = makeSwitch("begin", t("beam_begin"), ["start", "forced"].map((name) =>
    [name, t(`beam_begin_${name}`, { token: "" }), t(`beam_begin_${name}_hint`)]),
  (value) => acts.want({ begin: value }));
  begin.element.hidden = true;
  width.update(wish.width ?? Math.min(5, widest)); // a refused search is mended here
  alpha.update(wish.alpha ?? 60);
  const shown = makeWordSwitch(t, "shown", "beam_shown", "beam_shown", ["tree", "table"], acts.show);
  const asking = make("div", { class: "beam-asking" }, [width.element, alpha.element, formula,
    begin.element]);
  return {
    element: make("div", { class: "beam-controls", role: "group",
      "aria-label": t("beam_controls") }, [asking, shown.element]),
    asking,
    /** @param {{tree: BeamAnswer["tree"], begin: string, shown: string, forced: ?string}} now */
    update(now) {
      width.update(now.tree.width);
      alpha.update(Math.round(100 * now.tree.alpha));
      setText(formula, t(`beam_formula_${now.tree.formula}`,
        { alpha: spelled(Math.round(100 * now.tree.alpha)) }));
      begin.element.hidden = now.forced === null;
      const button = begin.element.querySelector("[data-begin=forced]");
      if (button) setText(button, t("beam_begin_forced", { token: quoted(now.forced ?? "") }));
      begin.update(now.begin);
      shown.update(now.shown);
    },
  };
}

/**
 * @param {Words} t
 * @param {{move(step: number): void, at(): {last: number, steps: number}, redraw(): void,
 *     isOpen(): boolean}} acts `at` counts from 1
 */
export function makeBeamPlayback(t, acts) {
  let timer = 0;

  function stop() {
    window.clearInterval(timer);
    timer = 0;
    acts.redraw();
  }

  function tick() {
    const { last, steps } = acts.at();
    if (!acts.isOpen() || last >= steps) stop();
    else acts.move(last + 1);
  }

  function toggle() {
    const { last, steps } = acts.at();
    if (timer) {
      stop();
      return;
    }
    if (last >= steps) acts.move(1);
    timer = window.setInterval(tick, PLAY_MS);
    acts.redraw();
  }

  /** @param {number} step */
  function go(step) {
    window.clearInterval(timer);
    timer = 0;
    acts.move(step);
  }
  const moves = { reset: () => go(1), back: () => go(acts.at().last - 1),
    step: () => go(acts.at().last + 1), play: toggle, end: () => go(acts.at().steps) };
  const buttons = Object.fromEntries(Object.entries(moves).map(([name, act]) => [name,
    makeButton({ class: "move", title: t(`beam_${name}`), "aria-label": t(`beam_${name}`),
      data: { beamAct: name } }, act, [makeIcon(name)])]));
  const slider = make("input", { type: "range", class: "slider", min: "1", max: "1", step: "1",
    "aria-label": t("beam_steps"), on: { input: () => go(Number(slider.value)) } });
  const count = make("output", { class: "beam-step-of" });
  return {
    element: make("div", { class: "beam-playback", role: "group", "aria-label": t("beam_steps") },
      [make("div", { class: "moves" }, Object.values(buttons)), slider, count]),
    moves: { ArrowLeft: moves.back, ArrowRight: moves.step, Home: moves.reset, End: moves.end,
      " ": toggle },
    update() {
      const { last, steps } = acts.at();
      setTrait(slider, "max", steps);
      setSlider(slider, last);
      setText(count, t("step_of", { n: last, m: steps }));
      buttons.reset.disabled = last <= 1;
      buttons.back.disabled = last <= 1;
      buttons.step.disabled = last >= steps;
      buttons.end.disabled = last >= steps;
      setIcon(buttons.play.firstChild, timer ? "pause" : "play");
      setTrait(buttons.play, "aria-label", t(timer ? "move_pause" : "beam_play"));
    },
    destroy: () => window.clearInterval(timer),
  };
}
