// The first line (title, rooms, scheme, size, language, help) and the source box under it.

import { predicts } from "../anatomy.js";
import { hide, isComposing, make, makeButton, makeIcon, makeTool, options, setText, setTrait } from "./elements.js";
import { html, makePart } from "./html.js";
import { remembered } from "../keep/remembered.js";
import { makeRoomTabs } from "./rooms.js";
import { isElsewhere, leaveFor, makeSiteLinks } from "./site.js";
import { isWorkerAwaited } from "./worker_status.js";
import { countCharacters, langOf, wordsOfError } from "./words.js";

/**
 * The first line. On a phone the help and the tools that take something away stand beside the model.
 * @param {HTMLElement} root
 * @param {Words} t
 * @param {Session} session
 * @param {function(?string): void} speak
 * @param {function(): void} showHelp
 * @param {HTMLElement} modelLine
 */
export function makeHeader(root, t, { state, actions }, speak, showHelp, modelLine) {
  const rooms = makeRoomTabs(t, { state, actions });

  const scheme = makeTool("scheme", t("scheme"), () => {
    const next = getComputedStyle(root).colorScheme === "dark" ? "light" : "dark";
    root.classList.remove("auto-scheme"); // from now on the reader decides, not the system
    useScheme(next);
    remembered("scheme", next);
  });
  const large = makeTool("large", t("large"), () => setLarge(!root.classList.contains("large")));
  const help = makeTool("help", t("help"), showHelp);

  const other = t.languages.find((one) => one !== t.language) ?? null;
  // The button speaks the language it leads to.
  const language = makeButton({ class: "tool tool-language", lang: langOf(other ?? t.language),
    "aria-label": t("language_switch_hint"), title: t("language_switch_hint"),
    text: t("language_switch"), data: { tool: "language" } }, () => speak(other));
  hide(language, other === null);

  /** @param {boolean} on */
  function setLarge(on) {
    root.classList.toggle("large", on);
    setTrait(large, "aria-pressed", on);
    remembered("large", on ? "yes" : "no");
    actions.changed();
  }

  const scheming = remembered("scheme");
  if (scheming) {
    root.classList.remove("auto-scheme");
    useScheme(scheming);
  }
  const isLarge = remembered("large") === "yes";
  root.classList.toggle("large", isLarge);
  setTrait(large, "aria-pressed", isLarge);

  // What makes everything larger is the last: the next press finds it where it was.
  const tools = make("div", { class: "tools" }, [scheme, language, help, large]);
  /** @type {HTMLElement[]} */
  const leaving = [];
  let isSlim = false;
  const element = make("header", { class: "head-line" }, [
    make("div", { class: "name" }, [make("h1", { text: t("title") }),
      make("p", { class: "tagline", text: t("tagline") })]),
    rooms.element,
    tools,
  ]);
  return {
    element,
    /** Places what is no room beside the rooms. @param {HTMLElement} button */
    addBeside: (button) => rooms.element.before(button),
    /** Places what is wider than a tool before all of them. @param {HTMLElement} box */
    addBox: (box) => tools.before(box),
    /** Places a tool of another part before those of the page. @param {HTMLElement} button */
    addTool(button) {
      leaving.unshift(button);
      tools.prepend(button);
    },
    update() {
      rooms.update();
      if (root.classList.contains("slim") === isSlim) return;
      isSlim = !isSlim;
      if (isSlim) modelLine.append(...leaving, help);
      else {
        tools.prepend(...leaving);
        large.before(help);
      }
    },
  };
}

/**
 * The scheme of the whole page; the class always changes, so that watchScheme sees it.
 * @param {string} scheme
 */
function useScheme(scheme) {
  document.body.classList.toggle("dark", scheme === "dark");
  document.body.classList.toggle("light", scheme === "light");
}

/**
 * One line, up to three; where room is short the box grows over the page, and only in use.
 * @param {HTMLTextAreaElement} text
 * @param {HTMLElement} element
 */
function growBox(text, element) {
  text.style.height = "";
  const style = getComputedStyle(text);
  const inUse = document.activeElement === text;
  if (inUse || style.getPropertyValue("--grows").trim() !== "in-use") {
    const edges = text.offsetHeight - text.clientHeight;
    const padding = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
    const most = 3 * parseFloat(style.lineHeight) + padding + edges;
    text.style.height = "0";
    text.style.height = `${Math.min(text.scrollHeight + edges, most)}px`;
  }
  if (!inUse) text.scrollTop = 0; // a sentence is read from its beginning
  // A message never covers the words it is about, nor do they cover it.
  const over = Math.max(0, text.offsetHeight - (text.parentElement?.offsetHeight ?? 0));
  element.style.setProperty("--message-top", `${over}px`);
}

/**
 * Translates one of the examples, or in a site of several pages goes to its own.
 * @param {Words} t
 * @param {Session} session
 * @param {string} chosen
 */
function takeExample(t, { state, actions }, chosen) {
  if (isElsewhere(state, state.model.name)) return leaveFor(state, t, state.model.name, chosen);
  actions.type(chosen);
  return actions.translate();
}

/** A sentence as it is quoted in another one: whole, or its first 48 characters or so. @param {string} sentence */
const begunWith = (sentence) => sentence.replace(/^(.{47}\S?)..+$/su, "$1 …");

/** @param {Words} t @param {Session} session @param {HTMLElement} modelLine */
export function makeSource(t, { state, actions }, modelLine) {
  const limit = state.options.limits.characters;
  const count = make("span", { class: "count", "aria-live": "polite" });
  const text = make("textarea", { class: "source-text", rows: "1", spellcheck: "false", dir: "auto",
    "aria-label": t("source"), placeholder: t("source_placeholder", { limit }), on: {
      input: () => actions.type(text.value),
      keydown: (/** @type {any} */ event) => {
        if (event.key !== "Enter" || isComposing(event) || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        if (event.shiftKey) actions.stepByStep();
        else actions.translate();
        // What the keyboard on a phone's screen covers is the answer.
        if (text.closest(".slim")) text.blur();
      },
    } });
  /** @param {any} event */
  const take = ({ target }) => {
    const chosen = state.model.examples?.[Number(target.value)];
    target.value = "";
    if (chosen !== undefined) takeExample(t, { state, actions }, chosen);
  };
  const examples = makePart(() => {
    const list = state.model.examples ?? [];
    return html`
      <select class="examples" aria-label=${t("examples")} ?hidden=${list.length === 0 || !(state.canAsk || state.options.site)} @change=${take}>
        ${options([["", t("examples")], ...list.map((text, i) => [i, text])], "")}</select>`;
  });
  const translate = makeButton({ class: "primary", text: t("translate"),
    title: t("translate_hint"), data: { act: "translate" } }, () => actions.translate());
  const words = make("span", { class: "message-text" });
  const close = makeButton({ class: "tool", "aria-label": t("close") },
    () => actions.tell(null), [makeIcon("close")]);
  const message = make("div", { class: "message", role: "alert", hidden: true }, [words, close]);
  const box = make("div", { class: "source-box" }, [text, count]);
  const element = make("div", { class: "source-line" }, [modelLine, box, examples.element, translate,
    ...makeSiteLinks(t, state.options.site), message]);

  const grow = () => growBox(text, element);
  text.addEventListener("focus", grow);
  text.addEventListener("blur", grow);
  let grown = "";

  return {
    element,
    /** @param {number} width @param {number} unit */
    update(width, unit) {
      if (text.value !== state.draft) text.value = state.draft;
      const shape = `${width} ${unit} ${state.draft}`;
      if (shape !== grown && width > 0) {
        grow();
        grown = shape;
      }
      const length = countCharacters(state.draft.trim()); // as it is read
      setText(count, state.canAsk && length > 0.8 * limit ? t("count", { n: length, limit }) : "");
      count.classList.toggle("over", length > limit);
      setTrait(text, "aria-invalid", length > limit ? "true" : null);
      examples.update();
      text.readOnly = !state.canAsk;
      hide(box, !predicts(state.model)); // nothing was typed for weights without a model
      hide(translate, !state.canAsk);
      const { kind } = state.model.anatomy;
      const isUsual = kind === "encoder-decoder";
      setText(translate, t(isUsual ? "translate" : `translate_${kind}`));
      setTrait(translate, "title", t(isUsual ? "translate_hint" : `translate_${kind}_hint`));
      // The picture belongs to the old sentence until the new one is translated.
      translate.classList.toggle("fresh", !state.run || state.run.recipe.source !== state.draft.trim());
      const isOther = !state.busy && state.run !== null && state.run.recipe.source !== state.draft.trim();
      // Where it is tried again, what is waited for is said instead.
      const hasMessage = state.message !== null
        && !(/** @type {any} */ (state.message).code === "engine_lost" && isWorkerAwaited(state.worker));
      // It is said as long as the refused sentence stands above the other one's translation.
      const isBelow = isOther && (hasMessage ? state.messageOf === null : state.refused === state.draft.trim());
      setText(words, [hasMessage ? wordsOfError(state.message, t) : "",
        isBelow ? t("still_below", { source: begunWith(state.run.recipe.source) }) : ""].filter(Boolean).join(t("sentences_between")));
      hide(message, !hasMessage && !isBelow);
      message.classList.toggle("lasting", !hasMessage);
      hide(close, !hasMessage);
    },
  };
}
