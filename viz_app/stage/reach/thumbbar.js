// The bar at the bottom of a narrow window: a step back, what is read, a step on, and the way out of
// stepping. Elsewhere the style sheet hides it.

import { writes } from "../anatomy.js";
import { canAdvance } from "../run/able.js";
import { isStepping } from "../run/units.js";
import { icon, press } from "../page/elements.js";
import { html, makePart } from "../page/html.js";

/** Whether it is there: while somebody steps, or touches what a sentence is about. @param {State} state */
const isHere = (state) => state.run === null || isStepping(state) || state.pointed.query !== null
  || state.pointed.key !== null;

/** Whether there is a whole translation to go back to. @param {State} state */
const canLeave = (state) => Boolean(state.run?.finished) && isStepping(state);

/** @param {Words} t @param {Session} session @param {string} sentence */
function thumbBar(t, { state, actions }, sentence) {
  const { run, at, by } = state;
  const isFirst = isStepping(state) && at === 0 && by === "words"; // words have become tokens
  /** @param {string} name @param {function(): void} act @param {boolean} disabled @param {unknown} content */
  const thumb = (name, act, disabled, content) => html`
    <button type="button" class="thumb" data-thumb=${name} title=${t(`move_${name}_hint`)} aria-label=${t(`move_${name}`)}
      ?hidden=${(run !== null && !writes(run)) || (name === "leave" && !canLeave(state))} ?disabled=${disabled} @click=${press(() => {
    actions.point(null, null); // a step is about its own row, no longer about the cell that was touched
    act();
  })}>${content}${icon(name)}</button>`;
  // The sentence is spoken where the map says it.
  return html`
    <div class="thumb-bar" role="group" aria-label=${t("playback")} ?hidden=${!isHere(state)}>
      ${thumb("back", actions.back, at === 0, "")}
      <p aria-hidden="true">${isFirst ? t("step_each").split("\n").join(t("sentences_between")) : sentence}</p>
      ${thumb("step", actions.step, !canAdvance(state), html`<span>${t("move_step")}</span>`)}
      ${thumb("leave", actions.leave, false, "")}
    </div>`;
}

/** @param {Words} t @param {Session} session */
export function makeThumbBar(t, session) {
  let sentence = "";
  const part = makePart(() => thumbBar(t, session, sentence));
  return {
    element: part.element,
    /** @param {string} text */
    update(text) {
      sentence = text;
      part.update();
      const { classList } = /** @type {Element} */ (part.element.closest(".stage"));
      classList.toggle("thumbed", !part.element.hidden);
      classList.toggle("stepped", isStepping(session.state));
    },
  };
}
