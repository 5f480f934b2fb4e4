// One line of fields under the source box, for models that have something to set; see fields.js.

import { html } from "../html.js";

/** @param {Words} t @param {Session} session */
export const settings = (t, session) => html`
  <div class="settings" role="group" aria-label=${t("set_controls")}
    ?hidden=${!session.state.canAsk || session.state.model.anatomy.controls.length === 0}>
    ${session.state.more?.settingFields(t, session)}</div>`;
