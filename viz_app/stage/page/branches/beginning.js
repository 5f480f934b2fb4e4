// The box in which the reader types how the translation begins; it stands where the tokens stood.

import { hasSite } from "../../anatomy.js";
import { canBegin } from "../../run/able.js";
import { sameSource } from "../../run/run.js";
import { claim, icon, isComposing, press } from "../elements.js";
import { html, makePart } from "../html.js";

/** Whether the source is a prompt, after which the text begins with a space or without. @param {Model} model */
const isPrompted = (model) => !hasSite(model, "cross");

/**
 * The text of the target up to the cursor, for who wants to change it. Where the source is a prompt,
 * it is what follows the prompt, with the space that it may begin with. Where a word comes next, one can
 * be typed at once.
 * @param {State} state
 */
export function textSoFar({ model, run, at }) {
  const isAfterPrompt = isPrompted(model);
  const { texts, pieces, kinds } = run.target;
  const upTo = Math.min(at + 1, texts.length);
  if (!isAfterPrompt && run.finished && upTo >= texts.length - 1) return run.text;
  const text = texts.slice(0, upTo).map((text, i) => (i < run.prompt || kinds[i] !== "text" ? ""
    : `${/^[▁Ġ]/u.test(pieces[i]) && !/^\s/u.test(text) ? " " : ""}${text}`)).join("");
  if (isAfterPrompt) return text;
  const goesOn = upTo < texts.length - 1 && /^[▁Ġ\s]/u.test(pieces[upTo] ?? ""); // with a word of its own
  return `${text.trim()}${goesOn && text.trim() ? " " : ""}`;
}

/** @param {Words} t @param {Session} session @param {HTMLElement} strip of the target */
export function makeBeginning(t, { state, actions }, strip) {
  /** @type {?Recipe} what the open box is about */
  let about = null;
  /** @param {KeyboardEvent} event */
  function key(event) {
    if (isComposing(event) || !["Enter", "Escape"].includes(event.key)) return;
    claim(event);
    if (event.key === "Enter") take();
    else close();
  }
  const box = makePart(() => html`
    <div class="begin-box" role="group" aria-label=${t("begin")} ?hidden=${about === null}>
      <input type="text" class="begin-text" dir="auto" aria-label=${t("begin")} maxlength=${state.options.limits.characters} @keydown=${key}>
      <button type="button" class="begin-take" data-act="begin-take" @click=${press(take)}>${t("begin_take")}</button>
      <button type="button" class="quiet" title=${t("begin_leave")} aria-label=${t("begin_leave")} data-act="begin-leave"
        @click=${press(() => close())}>${icon("close")}</button></div>`);
  const button = makePart(() => html`
    <button type="button" class="quiet begin" title=${t("begin_hint")} aria-label=${t("begin")} data-act="begin" ?hidden=${!state.canAsk}
      ?disabled=${!canBegin(state)} @click=${press(open)}>${icon("edit")}</button>`);
  const input = /** @type {HTMLInputElement} */ (box.element.firstElementChild);
  strip.querySelector(".tokens")?.after(box.element);

  /** @param {?Recipe} next */
  function show(next) {
    about = next;
    box.update();
    strip.classList.toggle("begun", about !== null);
  }

  function open() {
    input.value = textSoFar(state);
    show(state.run.recipe);
    input.focus();
  }

  function close(isFocused = true) {
    show(null);
    if (isFocused) button.element.focus({ preventScroll: true });
  }

  /** What cannot be taken stays in the box, under the message that says why. */
  async function take() {
    if (await actions.begin(isPrompted(state.model) ? input.value : input.value.trim()) && about) close();
  }

  return {
    button: button.element,
    update() {
      button.update();
      if (about && state.run && !sameSource(about, state.run.recipe)) close(box.element.contains(document.activeElement));
      if (about && !canBegin(state) && !state.busy) close();
    },
  };
}
