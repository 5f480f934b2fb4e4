// The controls of a search: width, length penalty, where it begins; and of its playback.

import { fixed } from "../../stage/draw/numbers.js";
import { quoted } from "../../stage/draw/labels.js";
import { filledTo, icon, press, switched, wordSwitch } from "../../stage/page/elements.js";
import { html, live, makePart } from "../../stage/page/html.js";

const PLAY_MS = 650;

/** A length penalty. @param {number} value in hundredths */
const spelledAlpha = (value) => fixed(value / 100, value % 10 ? 2 : 1);

/**
 * A slider with its name and its number.
 * @param {Words} t
 * @param {string} name
 * @param {{value: number, least: number, most: number, step: number}} range what a model has of its own
 *     may lie beyond it, or between
 * @param {function(number): string} spell
 * @param {{turn: function(?number): void, enter: function(number): void}} does `turn`: null where it is left
 */
function slider(t, name, { value, least, most, step }, spell, { turn, enter }) {
  const [low, high] = [Math.min(least, value), Math.max(most, value)];
  return html`
    <label class="beam-control" title=${t(`beam_${name}_hint`)}><span>${t(`beam_${name}`)}</span>
      <input type="range" class="slider" min=${low} max=${high} step=${step} aria-label=${t(`beam_${name}`)}
        data-beam=${name} .value=${live(String(value))} .style=${filledTo(value, low, high)}
        @input=${(/** @type {any} */ { target }) => turn(Number(target.value))} @blur=${() => turn(null)}
        @change=${(/** @type {any} */ { target }) => enter(Number(target.value))}>
      <output>${spell(value)}</output></label>`;
}

/**
 * @param {Words} t
 * @param {number} widest
 * @param {{width: ?number, alpha: ?number}} choices
 * @param {{want(changes: Object): void, show(shown: string): void}} acts
 */
export function makeSearchControls(t, widest, choices, acts) {
  /** @type {Record<string, ?number>} */
  const turned = {}; // the numbers of sliders that have the focus
  /** @type {{tree: ?BeamAnswer["tree"], begin: string, shown: string, forced: ?string}} */
  let now = { tree: null, begin: "start", shown: "", forced: null };

  /** @param {string} name */
  const does = (name) => ({
    turn(/** @type {?number} */ value) {
      turned[name] = value;
      update();
    },
    enter: (/** @type {number} */ value) => acts.want({ [name]: value }),
  });

  const { element, update } = makePart(() => {
    const { tree, begin, shown, forced } = now; // no tree: a refused search is mended here
    const alpha = tree ? Math.round(100 * tree.alpha) : choices.alpha ?? 60;
    const width = tree?.width ?? choices.width ?? Math.min(5, widest);
    return html`
      <div class="beam-controls" role="group" aria-label=${t("beam_controls")}>
        <div class="beam-asking" data-asks="">
          ${slider(t, "width", { value: turned.width ?? width, least: 1, most: widest, step: 1 }, String, does("width"))}
          ${slider(t, "alpha", { value: turned.alpha ?? alpha, least: 0, most: 200, step: 10 }, spelledAlpha, does("alpha"))}
          <small class="beam-formula">${tree && t(`beam_formula_${tree.formula}`, { alpha: spelledAlpha(alpha) })}</small>
          ${forced === null ? "" : switched("begin", t("beam_begin"), ["start", "forced"].map((name) =>
    [name, t(`beam_begin_${name}`, { token: quoted(forced) }), t(`beam_begin_${name}_hint`)]), begin,
  (value) => acts.want({ begin: value }))}
        </div>
        ${wordSwitch(t, "shown", "beam_shown", "beam_shown", ["tree", "table"], shown, acts.show)}
      </div>`;
  });
  return {
    element,
    /** @param {{tree: BeamAnswer["tree"], begin: string, shown: string, forced: ?string}} next */
    update(next) {
      now = next;
      update();
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
  const { element, update } = makePart(() => {
    const { last, steps } = acts.at();
    /** @param {string} name */
    const isOff = (name) => (["reset", "back"].includes(name) ? last <= 1 : name !== "play" && last >= steps);
    return html`
      <div class="beam-playback" role="group" aria-label=${t("beam_steps")}>
        <div class="moves">${Object.entries(moves).map(([name, act]) => {
    const isPause = name === "play" && timer !== 0;
    return html`
          <button type="button" class="move" title=${t(`beam_${name}`)} data-beam-act=${name} ?disabled=${isOff(name)}
            aria-label=${t(isPause ? "move_pause" : `beam_${name}`)} @click=${press(act)}>
            ${icon(isPause ? "pause" : name)}</button>`;
  })}</div>
        <input type="range" class="slider" min="1" max=${steps} step="1" aria-label=${t("beam_steps")}
          .value=${live(String(last))} .style=${filledTo(last, 1, steps)}
          @input=${(/** @type {any} */ { target }) => go(Number(target.value))}>
        <output class="beam-step-of">${t("step_of", { n: last, m: steps })}</output>
      </div>`;
  });
  return {
    element,
    update,
    moves: { ArrowLeft: moves.back, ArrowRight: moves.step, Home: moves.reset, End: moves.end,
      " ": toggle },
    destroy: () => window.clearInterval(timer),
  };
}
