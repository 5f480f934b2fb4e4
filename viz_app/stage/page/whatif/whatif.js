// "What if": the menu of edits, and the row of those that are in force, each with a button that takes
// it out again.

import { siteOf } from "../../anatomy.js";
import { closeBehind, closeByKey, icon, options, press, shut } from "../elements.js";
import { html, live, makePart, noChange, nothing } from "../html.js";
import { canCompare } from "../../run/able.js";
import { keepRun } from "./keeping.js";
import { editLabel, ofHead, toggled, valueOf, withOne, withoutEdits } from "./edits.js";

const SWITCHES = ["no-scale", "no-embedding-scale", "no-positions", "no-pad-mask", "pads-rows",
  "finite-mask", "no-split-transpose", "no-transpose"];
const SEEDS = ["1", "2", "3"];

/**
 * A line of the menu: a control, its name, and what it does to the arithmetic.
 * @param {Words} t
 * @param {State} state
 * @param {string} kind
 * @param {unknown} name
 * @param {function(boolean): unknown} control given whether the model lacks what is to be changed
 */
function line(t, { run }, kind, name, control) {
  const lacks = !run.anatomy.edits.includes(kind);
  return html`
    <label class="whatif-line" data-edit=${kind}>${control(lacks)}<span class="whatif-name">${name}</span>
      <small>${lacks ? t(`edit_${kind}_lacks`, { model: run.recipe.model }) : t(`edit_${kind}_about`)}</small></label>`;
}

/**
 * A choice of one value of a kind, or of none.
 * @param {Words} t
 * @param {Session} session
 * @param {string} kind
 * @param {string[][]} values value and name
 */
function choice(t, { state, actions }, kind, values) {
  const edits = state.run.recipe.edits ?? [];
  const [value] = valueOf(edits, kind).split(".");
  const chosen = values.some(([one]) => one === value) ? value : "";
  return line(t, state, kind, t(`edit_${kind}_name`), (lacks) => html`
    <select ?disabled=${lacks}
      @change=${(/** @type {any} */ { target }) => actions.edit(withOne(edits, kind, target.value))}>
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
  const edits = state.run.recipe.edits ?? [];
  return line(t, state, kind, name, (lacks) => html`
    <input type="checkbox" ?disabled=${lacks} .checked=${live(edits.includes(edit))}
      @change=${() => actions.edit(toggled(edits, edit))}>`);
}

/**
 * All lines of the menu.
 * @param {Words} t
 * @param {Session} session
 * @param {{label: string}[]} tokens labels of the source
 */
function lines(t, session, tokens) {
  const { run, site, locks } = session.state;
  const stack = site === "encoder" ? "encoder" : "decoder";
  const part = `sublayer-off:${stack}.${locks[site].layer + 1}.${site === "cross" ? "cross" : "self"}`;
  const ofTokens = tokens.map(({ label }, at) => [String(at + 1), label]);
  const layers = Array.from({ length: Math.max(1, siteOf(run, "encoder")?.layers ?? 1) - 1 },
    (_, at) => [String(at + 1), t("layer_short", { n: at + 1 })]);
  /** @param {string} kind @param {string} edit */
  const named = (kind, edit) => box(t, session, kind, edit, editLabel(t, edit, tokens));
  return [
    ...["head-off", "head-mean"].map((kind) => named(kind, ofHead(kind, site, locks[site]))),
    named("sublayer-off", part),
    ...["hide", "zero-value"].map((kind) => choice(t, session, kind, ofTokens)),
    ...SWITCHES.map((kind) => box(t, session, kind, kind, t(`edit_${kind}`))),
    choice(t, session, "causal-mask", ["none", "ahead", "behind"].map((how) => [how, t(`causal_${how}`)])),
    choice(t, session, "encoder-layer", layers),
    choice(t, session, "dropout", SEEDS.map((seed) => [seed, t("edit_dropout", { value: seed })])),
  ];
}

/**
 * The edits that are in force.
 * @param {Words} t
 * @param {Session} session
 * @param {function(): {label: string}[]} tokens labels of the source
 */
function editsInForce(t, { state, actions }, tokens) {
  const edits = state.run?.recipe.edits ?? [];
  return html`
    <div class="edits" role="group" aria-label=${t("edits")} ?hidden=${edits.length === 0}>
      <span class="gutter">${t("edits")}</span>
      ${edits.map((/** @type {string} */ edit) => {
    const label = editLabel(t, edit, tokens());
    return html`
          <button type="button" class="edit-chip" data-edit=${edit} ?disabled=${!state.canAsk} title=${t("edit_remove")}
            aria-label="${label}: ${t("edit_remove")}" @click=${press(() => actions.edit(toggled(edits, edit)))}>
            ${label}${icon("close")}</button>`;
  })}
      <button type="button" class="quiet edits-clear" ?disabled=${!state.canAsk} data-act="untouched"
        @click=${press(() => actions.edit([]))}>${t("edits_clear")}</button>
      ${canCompare(state) ? html`
        <button type="button" class="quiet" data-act="compare-untouched"
          @click=${press(() => actions.compareWith(withoutEdits(state.run.recipe)))}>${t("compare_untouched")}</button>` : nothing}
    </div>`;
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {function(): {label: string}[]} tokens labels of the source
 */
export function makeWhatIf(t, session, tokens) {
  const { state } = session;
  let before = ""; // the translation as it was when the panel was opened, which the panel may hide
  let isOpen = false; // what is closed is not kept up to date

  function panel() {
    const now = state.run.text;
    return html`
      <div class="whatif-head"><output class="whatif-told" dir="auto">
          ${before === now ? now : t("whatif_told", { before, now })}</output>
        <button type="button" class="tool" aria-label=${t("close")} data-act="close-whatif"
          @click=${() => shut(menu.element)}>${icon("close")}</button></div>
      <p>${t("whatif_about")}</p>
      ${keepRun(t, session)}
      ${lines(t, session, tokens())}`;
  }
  /** @type {{element: HTMLDetailsElement, update: function(): void}} */
  const menu = makePart(() => {
    const edits = state.run?.recipe.edits ?? [];
    const isPossible = state.canAsk && ((state.run?.anatomy.edits ?? []).length > 0 || canCompare(state));
    return html`
      <details class="whatif" data-edits=${edits.length || nothing} ?hidden=${!isPossible}
        @keydown=${closeByKey} @focusout=${closeBehind} @toggle=${toggle}>
        <summary title=${t("whatif_hint")}>${t("whatif")}</summary>
        <div class="whatif-panel" tabindex="-1">${isOpen ? panel() : noChange}</div>
      </details>`;
  });
  const row = makePart(() => editsInForce(t, session, tokens));

  function toggle() {
    isOpen = menu.element.open;
    if (isOpen) before = state.run.text;
    menu.update();
  }
  return {
    menu: menu.element,
    row: row.element,
    update() {
      menu.update();
      row.update();
      row.element.parentElement?.classList.toggle("edited", !row.element.hidden);
    },
  };
}
