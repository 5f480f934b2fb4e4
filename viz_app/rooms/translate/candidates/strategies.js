// What the menu of strategies holds: the kinds and their numbers. A choice applies at once.

import { press, setTrait, wordSwitch } from "../../../stage/page/elements.js";
import { canChange } from "../../../stage/run/able.js";
import { termed } from "../../../stage/page/terms.js";
import { html, typed } from "../../../stage/page/html.js";

/**
 * @type {{name: "temperature" | "top_k" | "top_p" | "seed" | "width", of: "sample" | "beam", least: number,
 *     most: number, step: number, whole: boolean}[]}
 */
const NUMBER_FIELDS = [
  { name: "temperature", of: "sample", least: 0.05, most: 5, step: 0.05, whole: false },
  { name: "top_k", of: "sample", least: 0, most: 10000, step: 1, whole: true },
  { name: "top_p", of: "sample", least: 0.01, most: 1, step: 0.01, whole: false },
  { name: "seed", of: "sample", least: 0, most: 2147483647, step: 1, whole: true },
  { name: "width", of: "beam", least: 1, most: 16, step: 1, whole: true },
];

/**
 * A number of the strategy: set while it is typed, decoded anew once it is entered. What belongs to
 * drawing makes it a draw.
 * @param {Words} t
 * @param {Session} session
 * @param {typeof NUMBER_FIELDS[number]} field
 */
function numberField(t, { state, actions }, { name, of, least, most, step, whole }) {
  const { kind, [name]: value } = state.strategy;
  /** @param {any} event */
  const isValid = ({ target: { value: text } }) => text.trim() !== "" && Number(text) >= least
    && Number(text) <= most && (!whole || Number.isInteger(Number(text)));
  return html`
    <label class="field" ?hidden=${of === "beam" && kind !== of}><span>${termed(t, name)}</span>
      <input type="number" min=${least} max=${most} step=${step} name=${name} aria-label=${t(name)}
        inputmode=${whole ? "numeric" : "decimal"} .value=${typed(String(value))}
        @input=${(/** @type {any} */ event) => {
    setTrait(event.target, "aria-invalid", isValid(event) ? null : "true");
    if (isValid(event)) actions.setStrategy({ kind: of, [name]: Number(event.target.value) });
  }}
        @change=${(/** @type {any} */ event) => { if (isValid(event)) actions.decodeAnew(); }}
        @blur=${(/** @type {any} */ { target }) => {
    setTrait(target, "aria-invalid", null);
    target.value = String(state.strategy[name]);
  }}>
      <small>${t(`${name}_hint`, { least, most })}</small></label>`;
}

/** @param {Words} t @param {Session} session */
export function strategyPanel(t, session) {
  const { state, actions } = session;
  const { kind } = state.strategy;
  const widest = state.options.limits.beam_width ?? Infinity;
  const choose = (/** @type {Recipe["strategy"]["kind"]} */ next) => {
    if (next === kind) return;
    actions.setStrategy({ kind: next });
    actions.decodeAnew();
  };
  return html`
    <p class="strategy-about">${termed(t, "strategy_about")}</p>
    <div class="strategy-kind">
      ${wordSwitch(t, "strategy", "strategy", "strategy", ["greedy", "sample", "beam"], kind, choose)}
      <button type="button" title=${t("strategy_anew_hint")} data-act="anew"
        ?disabled=${!canChange(state, 0)} @click=${press(() => actions.decodeAnew(0))}>${t("strategy_anew")}</button>
      <button type="button" title=${t("beam_see_hint")} data-act="see-tree"
        ?hidden=${kind !== "beam" || state.model.lacking.beam !== undefined}
        @click=${press(() => actions.enter("beam"))}>${t("beam_see")}</button></div>
    ${NUMBER_FIELDS.map((field) => numberField(t, session,
    field.name === "width" ? { ...field, most: Math.min(field.most, widest) } : field))}
    <p class="strategy-about">${t("strategy_applies")}</p>`;
}
