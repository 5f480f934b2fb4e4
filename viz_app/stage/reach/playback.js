// Moving through the steps: buttons and a slider. There is one on the page; the rooms that have steps
// take it over when they are opened.

import { claim, filledTo, icon, press } from "../page/elements.js";
import { html, live, makePart } from "../page/html.js";
import { writes } from "../anatomy.js";
import { canAdvance, canCompare, canExtend, isLeaving, lastStepOf } from "../run/able.js";
import { isStepping } from "../run/units.js";

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
function playback(t, { state, actions }) {
  const { run, at, canAsk } = state;
  const N = run?.steps.length ?? 1;
  const more = canExtend(state);
  const isOver = !canAdvance(state);
  const way = at >= lastStepOf(state) && more ? " way" : ""; // where the translation is not at its end
  const canUndo = actions.canUndo();
  const playing = state.isAutoplaying ? "pause" : "play";
  const text = stepText(state, t);
  /** @param {string} name @param {function(): any} act @param {boolean} disabled */
  const move = (name, act, disabled, { shown = name, hidden = false, more = "" } = {}) => html`
    <button type="button" class="move${more}" aria-label=${t(`move_${shown}`)} title=${t(`move_${name}_hint`)}
      data-act=${name} ?hidden=${hidden} ?disabled=${disabled} @click=${press(act)}>
      ${icon(shown === "redo" ? name : shown)}<span>${t(`move_${shown}`)}</span></button>`;
  return html`
    <section class="playback" aria-label=${t("playback")}
      ?hidden=${!writes(run ?? state.model) || (state.room === "translate" && run !== null && !isStepping(state))}>
      <div class="moves">
        ${move("reset", actions.reset, !run || isLeaving(state) || (at === 0 && run.recipe.target.length === 0),
    { hidden: !canAsk })}
        ${move("back", actions.back, at === 0)}
        ${move("step", actions.step, isOver, { more: way })}
        ${move("play", actions.togglePlay, !run || (N < 2 && !more), { shown: playing })}
        ${move("end", actions.runToEnd, isOver, { more: way })}
        ${move("undo", actions.undo, !canUndo, { shown: actions.undoing(), hidden: !canAsk })}
        ${move("leave", actions.leave, false, { hidden: state.room !== "translate" || !run?.finished })}
        <button type="button" class="move" title=${t("compare_dropped_hint")} data-act="compare-dropped"
          ?hidden=${!canUndo || !canCompare(state)}
          @click=${press(() => actions.compareWith(state.dropped?.run.recipe ?? null))}>${t("compare_dropped")}</button>
      </div>
      <div class="scrub">
        <input type="range" class="slider" min="1" max=${N} step="1" .value=${live(String(at + 1))} ?disabled=${N < 2}
          aria-label=${t("slider")} aria-valuetext=${text} .style=${filledTo(at + 1, 1, N)}
          @input=${(/** @type {any} */ { target }) => actions.moveTo(Number(target.value) - 1)}>
        <output class="step-of">${text}</output>
      </div>
    </section>`;
}

/** @param {Words} t @param {Session} session */
export function makePlayback(t, session) {
  const { element, update } = makePart(() => playback(t, session));
  let isNew = false; // nothing of it was pressed since it came
  // The second click of two that were meant for what stood in its place does nothing.
  element.addEventListener("click", (event) => {
    if (isNew && event.detail > 1) claim(event);
    else isNew = false;
  }, { capture: true });
  return {
    update() {
      const wasHidden = element.hidden;
      update();
      isNew ||= wasHidden && !element.hidden;
    },
    /**
     * Stands at the beginning or the end of a room's element, where it does not already.
     * @param {HTMLElement} parent
     */
    standIn(parent, atEnd = false) {
      if (element.parentElement === parent) return;
      if (atEnd) parent.append(element);
      else parent.prepend(element);
    },
  };
}
