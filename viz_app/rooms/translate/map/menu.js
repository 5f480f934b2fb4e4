// Which numbers the large map shows, and the sentence on what these can and cannot say.

import { html, live, nothing } from "../../../stage/page/html.js";
import { CHOICES } from "../../../stage/choices.js";
import { lacksReading, readingHere } from "../../../stage/run/readings.js";

/** @param {Words} t @param {State} state @param {string} reading */
const aboutOf = (t, state, reading) => state.more?.aboutReading(t, state, reading) ?? nothing;

/** @param {Words} t @param {Session} session */
export function readingMenu(t, { state, actions }) {
  const here = state.run ? readingHere(state) : "weights";
  const choose = (/** @type {any} */ { target }) => actions.draw({ reading: target.value });
  return html`
    <label class="reading-shown"><span>${t("read_shown")}</span>
      <select class="order reading-menu" aria-label=${t("read")} title=${aboutOf(t, state, here)} @change=${choose}>
        ${CHOICES.reading.map((reading) => html`
          <option value=${reading} title=${aboutOf(t, state, reading)} ?disabled=${state.run && lacksReading(state, reading) !== null}
            .selected=${live(reading === here)}>${t(`read_${reading}`)}</option>`)}</select></label>`;
}

/** Of another reading than the weights; where the attention has not the one that was chosen, that is said too. @param {Words} t @param {State} state */
export function readingAbout(t, state) {
  const isUsual = !state.run || (state.reading === "weights" && readingHere(state) === "weights");
  return html`<p class="reading-about" ?hidden=${isUsual}>${isUsual ? nothing : aboutOf(t, state, state.reading)}</p>`;
}
