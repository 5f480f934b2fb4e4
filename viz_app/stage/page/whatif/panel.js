// What the menu "What if" holds: a line for each change of the model's arithmetic.

import { siteOf } from "../../anatomy.js";
import { icon, options } from "../elements.js";
import { html, live } from "../html.js";
import { keepRun } from "./keeping.js";
import { editLabel, ofHead, toggled, valueOf, withOne } from "./edits.js";

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
  const edits = state.run.recipe.edits ?? [];
  const [value] = valueOf(edits, kind).split(".");
  const chosen = values.some(([one]) => one === value) ? value : "";
  return line(t, state, kind, t(`whatif_name_${kind}`), (lacks) => html`
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
  const layers = Array.from({ length: siteOf(run, "encoder")?.layers ?? 0 },
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
 * @param {Words} t
 * @param {Session} session
 * @param {{label: string}[]} tokens labels of the source
 * @param {string} before the translation as it was when the menu was opened, which it may hide
 * @param {function(): void} close
 */
export function whatIfPanel(t, session, tokens, before, close) {
  const now = session.state.run.text;
  return html`
    <div class="whatif-head"><output class="whatif-told" dir="auto">
        ${before === now ? now : t("whatif_told", { before, now })}</output>
      <button type="button" class="tool" aria-label=${t("close")} data-act="close-whatif"
        @click=${close}>${icon("close")}</button></div>
    <p>${t("whatif_about")}</p>
    ${keepRun(t, session)}
    ${lines(t, session, tokens)}`;
}
