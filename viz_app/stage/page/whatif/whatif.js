// "What if": the menu of edits, and the row of those that are in force, each with a button that takes
// it out again.

import { siteOf } from "../../anatomy.js";
import {
  closeByItself, fillSelect, make, makeButton, makeDiffers, makeIcon, setText, setTrait,
} from "../elements.js";
import { canCompare } from "../../run/able.js";
import { labelOf, ofHead, toggled, valueOf, withOne, withoutEdits } from "./edits.js";

const SWITCHES = ["no-scale", "no-embedding-scale", "no-positions", "no-pad-mask", "pads-rows",
  "finite-mask", "no-transpose"];
const SEEDS = ["1", "2", "3"];

/**
 * A line of the menu: a control, its name, and what it does to the arithmetic.
 * @param {Words} t
 * @param {string} kind
 * @param {HTMLElement} control
 */
function makeLine(t, kind, control) {
  const name = make("span", { class: "whatif-name" });
  const about = make("small");
  const element = make("label", { class: "whatif-line", data: { edit: kind } },
    [control, name, about]);
  return {
    element,
    name,
    /** @param {?string} lacking the model that has not what is to be changed */
    allow(lacking) {
      setTrait(control, "disabled", lacking !== null);
      setText(about, lacking === null ? t(`edit_${kind}_about`)
        : t(`edit_${kind}_lacks`, { model: lacking }));
    },
  };
}

/**
 * A choice of one value of a kind, or of none.
 * @param {Words} t
 * @param {Session} session
 * @param {string} kind
 * @param {function(): string[][]} optionsOf value and name; the first is "" for none
 */
function makeChoice(t, { state, actions }, kind, optionsOf) {
  const select = make("select", { on: { change: () =>
    actions.edit(withOne(state.run.recipe.edits ?? [], kind, select.value)) } });
  const { element, name, allow } = makeLine(t, kind, select);
  setText(name, t(`edit_${kind}_name`));
  return {
    kind,
    element,
    allow,
    /** @param {string[]} edits */
    update(edits) {
      fillSelect(select, optionsOf(), valueOf(edits, kind).split(".")[0]);
      if (select.selectedIndex < 0) select.selectedIndex = 0;
    },
  };
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {string} kind
 * @param {function(): string} spelled the edit that the box is for
 * @param {function(): string} called
 */
function makeSwitch(t, { state, actions }, kind, spelled, called) {
  const box = make("input", { type: "checkbox", on: { change: () =>
    actions.edit(toggled(state.run.recipe.edits ?? [], spelled())) } });
  const { element, name, allow } = makeLine(t, kind, box);
  return {
    kind,
    element,
    allow,
    /** @param {string[]} edits */
    update(edits) {
      box.checked = edits.includes(spelled());
      setText(name, called());
    },
  };
}

/**
 * All lines of the menu.
 * @param {Words} t
 * @param {Session} session
 * @param {function(): {label: string}[]} tokens labels of the source
 */
function makeLines(t, session, tokens) {
  const { state } = session;
  const none = ["", t("edit_none")];
  /** @param {string} kind */
  const headEdit = (kind) => () => ofHead(kind, state.site, state.locks[state.site]);
  const part = () => {
    const stack = state.site === "encoder" ? "encoder" : "decoder";
    const name = state.site === "cross" ? "cross" : "self";
    return `sublayer-off:${stack}.${state.locks[state.site].layer + 1}.${name}`;
  };
  /** @param {function(): string} spelled */
  const called = (spelled) => () => labelOf(t, spelled(), tokens());
  const ofTokens = () => [none, ...tokens().map(({ label }, at) => [String(at + 1), label])];
  const layers = () => [none, ...Array.from(
    { length: Math.max(1, siteOf(state.run, "encoder")?.layers ?? 1) - 1 },
    (_, at) => [String(at + 1), t("layer_short", { n: at + 1 })])];
  return [
    ...["head-off", "head-mean"].map((kind) =>
      makeSwitch(t, session, kind, headEdit(kind), called(headEdit(kind)))),
    makeSwitch(t, session, "sublayer-off", part, called(part)),
    ...["hide", "zero-value"].map((kind) => makeChoice(t, session, kind, ofTokens)),
    ...SWITCHES.map((kind) => makeSwitch(t, session, kind, () => kind, () => t(`edit_${kind}`))),
    makeChoice(t, session, "causal-mask", () => [none, ...["none", "ahead", "behind"].map((how) =>
      [how, t(`causal_${how}`)])]),
    makeChoice(t, session, "encoder-layer", layers),
    makeChoice(t, session, "dropout", () => [none, ...SEEDS.map((seed) =>
      [seed, t("edit_dropout", { value: seed })])]),
  ];
}

/**
 * What the panel begins with: the translation as it was when the panel was opened and as it is now,
 * which the panel may hide, and a way to close it.
 * @param {Words} t
 * @param {State} state
 * @param {function(): void} close
 */
function makeTold(t, state, close) {
  const told = make("output", { class: "whatif-told", dir: "auto" });
  /** @type {?string} */
  let before = null;
  return {
    element: make("div", { class: "whatif-head" }, [told, makeButton({ class: "tool",
      "aria-label": t("close"), data: { act: "close-whatif" } }, close, [makeIcon("close")])]),
    begin() {
      before = state.run.text;
    },
    update() {
      const { text } = state.run;
      setText(told, before === null || before === text ? text
        : t("whatif_told", { before, now: text }));
    },
  };
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {function(): {label: string}[]} tokens labels of the source
 */
export function makeWhatIf(t, session, tokens) {
  const { state, actions } = session;
  const lines = makeLines(t, session, tokens);
  const summary = make("summary", { title: t("whatif_hint"), text: t("whatif") });
  const told = makeTold(t, state, () => close());
  const menu = make("details", { class: "whatif" }, [summary,
    make("div", { class: "whatif-panel", tabindex: "-1" }, [ // a press beside a line keeps it open
      told.element, make("p", { text: t("whatif_about") }), ...lines.map(({ element }) => element)])]);
  const close = closeByItself(menu, summary);
  const row = make("div", { class: "edits", role: "group", "aria-label": t("edits") });
  const isOther = makeDiffers();

  /** @param {string[]} edits */
  function buildRow(edits) {
    const chips = edits.map((edit) => {
      const label = labelOf(t, edit, tokens());
      return makeButton({ class: "edit-chip", data: { edit }, disabled: !state.canAsk,
        title: t("edit_remove"), "aria-label": `${label}: ${t("edit_remove")}` },
      () => actions.edit(toggled(edits, edit)), [label, makeIcon("close")]);
    });
    row.replaceChildren(make("span", { class: "gutter", text: t("edits") }), ...chips,
      makeButton({ class: "quiet edits-clear", text: t("edits_clear"), disabled: !state.canAsk,
        data: { act: "untouched" } }, () => actions.edit([])),
      ...(canCompare(state) ? [makeButton({ class: "quiet", text: t("compare_untouched"),
        data: { act: "compare-untouched" } }, () =>
        actions.compareWith(withoutEdits(state.run.recipe)))] : []));
  }

  function update() {
    const edits = state.run?.recipe.edits ?? [];
    const possible = /** @type {string[]} */ (state.run?.anatomy.edits ?? []);
    menu.hidden = !state.canAsk || possible.length === 0;
    row.hidden = edits.length === 0;
    row.parentElement?.classList.toggle("edited", !row.hidden);
    setTrait(menu, "data-edits", edits.length || null);
    if (isOther(edits.join(), tokens().length)) buildRow(edits);
    if (!menu.open) return;
    told.update();
    for (const line of lines) {
      line.allow(possible.includes(line.kind) ? null : state.run.recipe.model);
      line.update(edits);
    }
  }
  menu.addEventListener("toggle", () => {
    if (menu.open) told.begin();
    update(); // what is closed is not kept up to date
  });
  return { menu, row, update };
}
