// What switches the head on the map off and on again, beside its name.

import { press } from "../../../stage/page/elements.js";
import { html, makePart } from "../../../stage/page/html.js";
import { editsOf } from "../../../stage/run/able.js";
import { ofHead, toggled } from "../../../stage/run/edits.js";
import { readingHere } from "../../../stage/run/readings.js";
import { OF_A_HEAD } from "../heads/thumbnails.js";

/** @param {Words} t @param {Session} session @returns {{element: HTMLElement, update: function(): void}} */
export function makeOff(t, { state, actions }) {
  return makePart(() => {
    const edit = ofHead("head-off", state.site, state.locks[state.site]);
    const isOff = editsOf(state).includes(edit);
    return html`
      <button type="button" class="tool head-off" data-act="head-off" aria-pressed=${isOff}
        title=${t(isOff ? "head_on_hint" : "head_off_hint")} ?hidden=${!actions.canEdit("head-off") || !OF_A_HEAD.includes(readingHere(state))}
        @click=${press(() => actions.edit(toggled(editsOf(state), edit)))}>${t("head_off")}</button>`;
  });
}
