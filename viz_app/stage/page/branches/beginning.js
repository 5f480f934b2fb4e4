// The box in which the reader types how the translation begins; it stands where the tokens stood.

import { hasSite } from "../../anatomy.js";
import { canBegin } from "../../run/able.js";
import { sameSource } from "../../run/run.js";
import { claim, hide, isComposing, make, makeButton, makeIcon } from "../elements.js";

/**
 * The text of the target up to the cursor, for who wants to change it. Where the source is a prompt,
 * it is what follows the prompt, with the space that it may begin with.
 * @param {State} state
 */
export function textSoFar({ model, run, at }) {
  const isAfterPrompt = !hasSite(model, "cross");
  const { texts, pieces, kinds } = run.target;
  const upTo = Math.min(at + 1, texts.length);
  if (!isAfterPrompt && run.finished && upTo >= texts.length - 1) return run.text;
  const text = texts.slice(0, upTo).map((text, i) => (i < run.prompt || kinds[i] !== "text" ? ""
    : `${/^[▁Ġ]/u.test(pieces[i]) && !/^\s/u.test(text) ? " " : ""}${text}`)).join("");
  return isAfterPrompt ? text : text.trim();
}

/** @param {Words} t @param {Session} session @param {HTMLElement} strip of the target */
export function makeBeginning(t, { state, actions }, strip) {
  const input = make("input", { type: "text", class: "begin-text", dir: "auto",
    "aria-label": t("begin"), maxlength: state.options.limits.characters, on: {
      /** @param {KeyboardEvent} event */
      keydown(event) {
        if (isComposing(event) || !["Enter", "Escape"].includes(event.key)) return;
        claim(event);
        if (event.key === "Enter") take();
        else close();
      },
    } });
  const box = make("div", { class: "begin-box", role: "group", "aria-label": t("begin"),
    hidden: true }, [input,
    makeButton({ class: "begin-take", text: t("begin_take"), data: { act: "begin-take" } }, take),
    makeButton({ class: "quiet", title: t("begin_leave"), "aria-label": t("begin_leave"),
      data: { act: "begin-leave" } }, () => close(), [makeIcon("close")])]);
  const button = makeButton({ class: "quiet begin", title: t("begin_hint"),
    "aria-label": t("begin"), data: { act: "begin" } }, open, [makeIcon("edit")]);
  strip.querySelector(".tokens")?.after(box);

  /** @type {?Recipe} what the open box is about */
  let about = null;

  function open() {
    about = state.run.recipe;
    input.value = textSoFar(state);
    box.hidden = false;
    strip.classList.add("begun");
    input.focus();
  }

  function close(isFocused = true) {
    box.hidden = true;
    strip.classList.remove("begun");
    if (isFocused) button.focus({ preventScroll: true });
  }

  /** What cannot be taken stays in the box, under the message that says why. */
  async function take() {
    if (await actions.begin(input.value) && !box.hidden) close();
  }

  return {
    button,
    update() {
      hide(button, !state.canAsk);
      button.disabled = !canBegin(state);
      const isOther = about && state.run && !sameSource(about, state.run.recipe);
      if (!box.hidden && isOther) close(box.contains(document.activeElement));
      if (!box.hidden && button.disabled && !state.busy) close();
    },
  };
}
