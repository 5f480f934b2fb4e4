// What the menu "What if" holds: a line for each change of the model's arithmetic.

import { siteOf, sublayerOf } from "../../anatomy.js";
import { EDITS } from "../../choices.js";
import { icon, options, press } from "../elements.js";
import { html, live, nothing } from "../html.js";
import { canCompare, editsOf } from "../../run/able.js";
import { editLabel, kindOf, ofHead, toggled, valueOf, withOne } from "../../run/edits.js";

const SEEDS = ["1", "2", "3"];

/**
 * A line of the menu: a control, its name, and what it does to the arithmetic.
 * @param {Words} t
 * @param {State} state
 * @param {string} kind
 * @param {unknown} name
 * @param {function(boolean): unknown} control given whether the model lacks what is to be changed
 * @param {string} [shape] its class
 */
function line(t, { run }, kind, name, control, shape = "") {
  const lacks = !run.anatomy.edits.includes(kind);
  return html`
    <label class="whatif-line ${shape}" data-edit=${kind}>${control(lacks)}<span class="whatif-name">${name}</span>
      <small>${lacks ? t(`whatif_lacks_${kind}`, { model: run.recipe.model }) : t(`whatif_about_${kind}`)}</small></label>`;
}

/**
 * A choice of one value of a kind, or of none.
 * @param {Words} t
 * @param {Session} session
 * @param {string} kind
 * @param {string[][]} values value and name
 */
function choice(t, { state, actions }, kind, values) {
  const edits = editsOf(state);
  const [value] = valueOf(edits, kind).split(".");
  const chosen = values.some(([one]) => one === value) ? value : "";
  return line(t, state, kind, t(`whatif_name_${kind}`), (lacks) => html`
    <select ?disabled=${lacks}
      @change=${(/** @type {any} */ { target }) => actions.edit(withOne(editsOf(state), kind, target.value))}>
      ${options([["", t("edit_none")], ...values], chosen)}</select>`);
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {string} kind
 * @param {string} edit that the box is for
 * @param {string} name
 */
function box(t, { state, actions }, kind, edit, name) {
  const edits = editsOf(state);
  return line(t, state, kind, name, (lacks) => html`
    <input type="checkbox" ?disabled=${lacks} .checked=${live(edits.includes(edit))}
      @change=${() => actions.edit(toggled(editsOf(state), edit))}>`, "whatif-box");
}

/**
 * The line of a kind of edit, as what may follow its name asks for: a box for the edit of the place on the map
 * or of the whole model, else a choice.
 * @param {Words} t
 * @param {Session} session
 * @param {{label: string}[]} tokens labels of the source
 * @param {string} kind
 * @param {string[]} forms
 */
function lineOf(t, session, tokens, kind, [form = "", ...others]) {
  const { run, site, locks } = session.state;
  if (form === "") return box(t, session, kind, kind, t(`edit_${kind}`));
  if (form === "site.layer.head" || form.endsWith(".layer.part")) {
    const edit = form === "site.layer.head" ? ofHead(kind, site, locks[site])
      : `${kind}:${sublayerOf(site, locks[site].layer)}`;
    return box(t, session, kind, edit, editLabel(t, edit, tokens));
  }
  /** @type {Record<string, () => string[][]>} value and name */
  const values = {
    token: () => tokens.map(({ label }, at) => [String(at + 1), label]),
    layer: () => Array.from({ length: siteOf(run, "encoder")?.layers ?? 0 },
      (_, at) => [String(at + 1), t("layer_short", { n: at + 1 })]),
    seed: () => SEEDS.map((seed) => [seed, editLabel(t, `${kind}:${seed}`, tokens)]),
  };
  return choice(t, session, kind, values[form]?.() ?? [form, ...others].map((how) => [how, t(`causal_${how}`)]));
}

/** What keeps the run at hand for the room Compare; pressed while it is the one. @param {Words} t @param {Session} session */
const keepRun = (t, { state, actions }) => html`
  <button type="button" class="quiet keep-run" data-act="keep-run" data-about=${t("compare_tool_hint")}
    ?hidden=${!canCompare(state)} aria-pressed=${state.other !== null && state.other.b === state.run?.recipe}
    @click=${press(() => actions.keepOther(state.run.recipe))}>${icon("keep")}${t("compare_tool")}</button>`;

/**
 * @param {Words} t
 * @param {Session} session
 * @param {{label: string}[]} tokens labels of the source
 * @param {string} before the translation as it was when the menu was opened, which it may hide
 * @param {function(): void} close
 */
export function whatIfPanel(t, session, tokens, before, close) {
  const { run } = session.state;
  /** @param {Record<string, string[]>} kinds how many edits of them are in force */
  const inForce = (kinds) => (run.recipe.edits ?? []).filter((/** @type {string} */ edit) => kindOf(edit) in kinds).length;
  return html`
    <div class="whatif-head"><output class="whatif-changed" dir="auto">
        ${before === run.text ? run.text : t("whatif_told", { before, now: run.text })}</output>
      <button type="button" class="tool" aria-label=${t("close")} data-act="close-whatif"
        @click=${close}>${icon("close")}</button></div>
    <p>${t("whatif_about")}</p>
    ${Object.entries(EDITS).map(([name, kinds], at) => html`
      <details class="whatif-group" data-group=${name} ?open=${at < 2}>
        <summary>${t(`whatif_group_${name}`)}${inForce(kinds) > 0 ? html`<b>${inForce(kinds)}</b>` : nothing}</summary>
        ${Object.entries(kinds).map(([kind, forms]) => lineOf(t, session, tokens, kind, forms))}</details>`)}
    ${keepRun(t, session)}`;
}
