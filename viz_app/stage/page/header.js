// The first line (title, rooms, scheme, size, language, help) and the source box under it.

import { predicts } from "../anatomy.js";
import { icon, isComposing, options, press, tool } from "./elements.js";
import { html, live, makePart, nothing } from "./html.js";
import { remembered } from "../keep/remembered.js";
import { makeRoomTabs } from "./rooms.js";
import { isElsewhere, leaveFor, siteLinks } from "./site.js";
import { isWorkerAwaited } from "./worker_status.js";
import { countCharacters, langOf, wordsOfError } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {Words} t
 * @param {Session} session
 * @param {{speak: function(?string): void, ask: ?function(): void, lessons: unknown, taking: function(): unknown,
 *     help: function(): unknown}} parts what changes the language and asks, and what opens the lessons, takes something away
 *     and helps; on a phone the last two stand beside the model
 */
export function makeHeader(root, t, session, { speak, ask, lessons, taking, help }) {
  const { actions } = session;
  const rooms = makeRoomTabs(t, session);
  const isSlim = () => root.classList.contains("slim");
  const isLarge = () => root.classList.contains("large");

  function turnScheme() {
    const next = getComputedStyle(root).colorScheme === "dark" ? "light" : "dark";
    root.classList.remove("auto-scheme"); // from now on the reader decides, not the system
    useScheme(next);
    remembered("scheme", next);
  }
  function turnLarge() {
    root.classList.toggle("large", !isLarge());
    remembered("large", isLarge() ? "yes" : "no");
    actions.changed();
  }

  const scheming = remembered("scheme");
  if (scheming) {
    root.classList.remove("auto-scheme");
    useScheme(scheming);
  }
  root.classList.toggle("large", remembered("large") === "yes");

  const other = t.languages.find((one) => one !== t.language) ?? null;
  // The button speaks the language it leads to; what makes everything larger is the last: the next press finds it where it was.
  const { element, update } = makePart(() => html`
    <header class="head-line">
      <div class="name"><h1>${t("title")}</h1><p class="tagline">${t("tagline")}</p></div>
      ${lessons}${rooms.element}
      ${ask && html`<button type="button" class="ask" title=${t("asking_hint")} aria-haspopup="dialog" data-tool="ask" @click=${press(ask)}>
        <span>${t("asking_open")}</span><kbd aria-hidden="true">/</kbd></button>`}
      <div class="tools">${isSlim() ? nothing : taking()}${tool("scheme", t("scheme"), turnScheme)}
        <button type="button" class="tool tool-language" lang=${langOf(other ?? t.language)} ?hidden=${other === null} title=${t("language_switch_hint")}
          aria-label=${t("language_switch_hint")} data-tool="language" @click=${press(() => speak(other))}>${t("language_switch")}</button>
        ${isSlim() ? nothing : help()}${tool("large", t("large"), turnLarge, t("large"), isLarge())}</div>
    </header>`);
  return {
    element,
    update() {
      rooms.update();
      update();
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

/** What is said under the sentence of the one above, or of a translation that is not its. @param {Words} t @param {State} state */
function messageOf(t, { busy, run, draft, message, messageOf, refused, worker }) {
  const isOther = !busy && run !== null && run.recipe.source !== draft.trim();
  // Where it is tried again, what is waited for is said instead.
  const isSaid = message !== null && !(/** @type {any} */ (message).code === "engine_lost" && isWorkerAwaited(worker));
  // It is said as long as the refused sentence stands above the other one's translation.
  const isBelow = isOther && (isSaid ? messageOf === null : refused === draft.trim());
  const text = [isSaid ? wordsOfError(message, t) : "", isBelow ? t("still_below", { source: begunWith(run.recipe.source) }) : ""]
    .filter(Boolean).join(t("sentences_between"));
  return { text, isSaid, isShown: isSaid || isBelow };
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {HTMLElement} modelLine
 * @param {function(): unknown} below what is said under it
 */
export function makeSource(t, session, modelLine, below) {
  const { state, actions } = session;
  const limit = state.options.limits.characters;
  /** @param {any} event */
  function key(event) {
    if (event.key !== "Enter" || isComposing(event) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (event.shiftKey) actions.stepByStep();
    else actions.translate();
    // What the keyboard on a phone's screen covers is the answer.
    if (event.target.closest(".slim")) event.target.blur();
  }
  /** @param {any} event */
  function take({ target }) {
    const chosen = state.model.examples?.[Number(target.value)];
    target.value = "";
    if (chosen !== undefined) takeExample(t, session, chosen);
  }
  const { element, update } = makePart(() => {
    const { draft, model, run, canAsk } = state;
    const examples = model.examples ?? [];
    const length = countCharacters(draft.trim()); // as it is read
    const { kind } = model.anatomy;
    const act = kind === "encoder-decoder" ? "translate" : `translate_${kind}`;
    // The picture belongs to the old sentence until the new one is translated.
    const isFresh = !run || run.recipe.source !== draft.trim();
    const message = messageOf(t, state);
    return html`
      <div class="source-line">${modelLine}
        <div class="source-box" ?hidden=${!predicts(model)}>
          <textarea class="source-text" rows="1" spellcheck="false" dir="auto" aria-label=${t("source")} placeholder=${t("source_placeholder", { limit })}
            aria-invalid=${length > limit || nothing} ?readonly=${!canAsk} .value=${live(draft)}
            @input=${(/** @type {any} */ { target }) => actions.type(target.value)} @keydown=${key} @focus=${grow} @blur=${grow}></textarea>
          <span class="count${length > limit ? " over" : ""}" aria-live="polite">${
            canAsk && length > 0.8 * limit ? t("count", { n: length, limit }) : ""}</span></div>
        <select class="examples" aria-label=${t("examples")} ?hidden=${examples.length === 0 || !(canAsk || state.options.site)} @change=${take}>
          ${options([["", t("examples")], ...examples.map((text, i) => [i, text])], "")}</select>
        <button type="button" class="primary${isFresh ? " fresh" : ""}" title=${t(`${act}_hint`)} ?hidden=${!canAsk} data-act="translate"
          @click=${press(() => actions.translate())}>${t(act)}</button>
        ${siteLinks(t, state.options.site)}
        <div class="message${message.isSaid ? "" : " lasting"}" role="alert" ?hidden=${!message.isShown}>
          <span class="message-text">${message.text}</span>
          <button type="button" class="tool" aria-label=${t("close")} ?hidden=${!message.isSaid} @click=${press(() => actions.tell(null))}>
            ${icon("close")}</button></div>
        ${below()}</div>`;
  });
  const text = /** @type {HTMLTextAreaElement} */ (element.querySelector("textarea"));
  function grow() {
    growBox(text, element);
  }
  let grown = "";

  return {
    element,
    /** @param {number} width @param {number} unit */
    update(width, unit) {
      update();
      const shape = `${width} ${unit} ${state.draft}`;
      if (shape !== grown && width > 0) {
        grow();
        grown = shape;
      }
    },
  };
}
