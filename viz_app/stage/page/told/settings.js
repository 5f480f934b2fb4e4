// What a model is told besides the sentence: languages, a task, a second sentence. One line of fields
// under the source box, for models that have something to set.

import { make, setTrait } from "../elements.js";

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

/** @param {Words} t @param {Control} control @param {function(string): void} choose */
function makeField(t, control, choose) {
  const { name, kind, choices } = control;
  const shown = (/** @type {string} */ value) => (value === "" ? t("set_prefix_none") : value);
  /** @type {any} */
  const input = kind === "choice"
    ? make("select", {}, choices.map((value) => make("option", { value, text: shown(value) })))
    : make("input", { type: "text", maxlength: "1000", dir: "auto" });
  setTrait(input, "data-setting", name);
  input.addEventListener("change", () => choose(input.value));
  return { control, input, element: make("label", { class: `setting${kind === "choice" ? "" : " written"}`, title: t(`set_${name}_hint`) }, [
    make("span", { text: t(`set_${name}`) }), input]) };
}

/** @param {Words} t @param {Session} session */
export function makeSettings(t, { state, actions }) {
  const element = make("div", { class: "settings", role: "group", "aria-label": t("set_controls") });
  /** @type {?Model} */
  let model = null;
  /** @type {ReturnType<typeof makeField>[]} */
  let fields = [];

  function build() {
    model = state.model;
    fields = model.anatomy.controls.map((control) => makeField(t, control, (value) =>
      actions.set(settingsWith(state.run?.recipe.settings ?? {}, control, value))));
    element.replaceChildren(...fields.map((field) => field.element));
  }

  return {
    element,
    update() {
      if (model !== state.model) build();
      element.hidden = !state.canAsk || fields.length === 0;
      const settings = state.run?.recipe.settings ?? {};
      for (const { control, input } of fields) {
        const value = settings[control.name] ?? control.value;
        if (input !== document.activeElement && input.value !== value) input.value = value;
      }
    },
  };
}
