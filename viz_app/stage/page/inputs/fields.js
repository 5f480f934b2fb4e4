// What a model gets besides the sentence, of those that have something to set: languages, a task, a second sentence.

import { options } from "../elements.js";
import { html, typed } from "../html.js";

/** @typedef {{name: string, kind: string, choices: string[], value: string}} Control */

/**
 * The settings with one of them changed; what is as the model has it is not said.
 * @param {Record<string, string>} settings
 * @param {Control} control
 * @param {string} value
 */
function settingsWith(settings, { name, value: usual }, value) {
  const { [name]: _, ...others } = settings;
  return value === usual ? others : { ...others, [name]: value };
}

/** One line of fields; null where there are none. @param {Words} t @param {Session} session */
export function settingFields(t, { state, actions }) {
  const { controls } = state.model.anatomy;
  if (!state.canAsk || controls.length === 0) return null;
  const chosen = state.run?.recipe.settings ?? {};
  const shown = (/** @type {string} */ value) => (value === "" ? t("set_prefix_none") : value);

  /** @param {Control} control */
  function field(control) {
    const { name, kind, choices } = control;
    const value = chosen[name] ?? control.value;
    const choose = (/** @type {any} */ { target }) => actions.set(settingsWith(chosen, control, target.value));
    return html`
      <label class="setting${kind === "choice" ? "" : " written"}" title=${t(`set_${name}_hint`)}>
        <span>${t(`set_${name}`)}</span>
        ${kind === "choice" ? html`
          <select data-setting=${name} @change=${choose}>
            ${options(choices.map((one) => [one, shown(one)]), value, typed)}</select>` : html`
          <input type="text" maxlength="1000" dir="auto" data-setting=${name} .value=${typed(value)} @change=${choose}>`}
      </label>`;
  }

  return controls.map(field);
}
