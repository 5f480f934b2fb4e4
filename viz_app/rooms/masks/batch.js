// The batch of the room Masks: a line of tokens for each sentence, pads dotted, and how to change
// them.

import { labelsOf } from "../../stage/draw/labels.js";
import { icon, isComposing, makeDiffers, press } from "../../stage/page/elements.js";
import { html, makePart, nothing } from "../../stage/page/html.js";
import { maskToken } from "./predictions.js";

const MASKS_MOST_SENTENCES = 6;
const MASKS_MOST_PADS = 4; // at the end of a row; more are counted

/**
 * What the batch holds, for the functions below.
 * @typedef {Object} Own
 * @property {Words} t
 * @property {State} state
 * @property {BatchActs} acts
 * @property {string[]} sentences what was asked for
 * @property {?number} editing the sentence that is a field
 * @property {boolean} sent whether what was typed is under way
 * @property {?MasksHeld} answer what is known of them
 * @property {boolean} spelled
 * @typedef {Object} BatchActs
 * @property {function(number): void} show another sentence
 * @property {function(string[], number): void} change the batch, and which sentence is shown
 * @property {function(): void} redraw
 */

/** The batch that teaches: sentences of uneven length, in the model's own language. @param {State} state */
const lessonOf = ({ model }) => model.lessons?.batch ?? [];

/**
 * One line: what is too long loses its end, its pads never.
 * @param {Label[]} labels
 * @param {boolean} isShown
 */
function strip(labels, isShown) {
  const first = labels.findIndex(({ kind }) => kind === "pad"); // they stand at the end
  const [text, pads] = first < 0 ? [labels, []] : [labels.slice(0, first), labels.slice(first)];
  return html`
    <span class="masks-strip" ?hidden=${!isShown}>
      <span class="masks-tokens">${text.map((label) => html`${maskToken(label)} `)}</span>
      <span class="masks-run">${pads.length > MASKS_MOST_PADS // one stands for all, and how many they are
    ? html`${maskToken(pads[0])} × ${pads.length}` : pads.map(maskToken)}</span></span>`;
}

/** @param {Own} own @param {?number} to the sentence that becomes a field */
function edit(own, to) {
  own.editing = to;
  own.acts.redraw();
}

/** @param {Own} own @param {number} index */
function field(own, index) {
  const title = own.t("masks_edit", { n: index + 1 });
  /** @param {any} event */
  function change({ target }) {
    if (own.editing !== index) return; // left with Escape
    own.sent = true; // it stays until the answer is there: it may be refused
    own.acts.change(own.sentences.map((one, i) => (i === index ? target.value : one)), index);
  }
  /** @param {any} event */
  function key(event) {
    if (event.key !== "Escape" && (event.key !== "Enter" || isComposing(event))) return;
    if (event.key === "Escape" || event.target.value === own.sentences[index]) edit(own, null);
    else event.target.blur();
  }
  return html`
    <input type="text" class="masks-edit" dir="auto" spellcheck="false" .value=${own.sentences[index]} aria-label=${title}
      title=${title} @change=${change} @keydown=${key}>`;
}

/**
 * To change the sentence that is shown; the first is that of the line above.
 * @param {Own} own
 * @param {number} index
 */
function tools(own, index) {
  const { t, acts, sentences } = own;
  /** @type {function(string, string, string, function(): void): unknown} */
  const tool = (act, name, title, does) => html`
    <button type="button" class="tool" aria-label=${title} title=${title} data-act=${`masks-${act}`}
      @click=${press(does)}>${icon(name)}</button>`;
  return html`${tool("edit", "edit", t("masks_change", { n: index + 1 }), () =>
    edit(own, own.editing === index ? null : index))}${tool("remove", "close", t("masks_remove", { n: index + 1 }), () =>
    acts.change(sentences.filter((_, i) => i !== index), Math.max(0, index - 1)))}`;
}

/** A line of the list. @param {Own} own @param {MasksHeld} answer @param {number} index */
function line(own, answer, index) {
  const { t, acts, editing, spelled } = own;
  const { text, source, fed } = answer.batch[index];
  const isFed = answer.columns === "target"; // whose tokens are the columns
  const isShown = index === answer.shown;
  return html`
    <li class=${isShown ? "shown" : nothing}>${isShown && editing === index ? field(own, index) : html`
      <button type="button" class="masks-sentence" aria-pressed=${isShown} data-sentence=${index}
        title=${index === 0 ? `${text}\n${t("masks_first")}` : text} @click=${press(() => acts.show(index))}>
        ${strip(labelsOf(source, false, spelled, t), !isFed)}${strip(labelsOf(fed, true, spelled, t), isFed)}</button>`}
      ${isShown && index > 0 ? tools(own, index) : nothing}</li>`;
}

/** The batch under its name. @param {Own} own */
function batch(own) {
  const { t, state, acts, sentences, answer } = own;
  const lesson = lessonOf(state);
  const shortest = lesson.length; // the last, which has most pads
  const most = Math.min(MASKS_MOST_SENTENCES, state.options.limits.sentences ?? Infinity);
  const isFull = sentences.length >= most;
  const side = answer?.columns === "target" ? "fed" : "source";
  function add() {
    const fresh = state.model.examples?.find((/** @type {string} */ text) => !sentences.includes(text));
    own.editing = sentences.length;
    acts.change([...sentences, fresh ?? sentences[0]], sentences.length);
  }
  return html`
    <section class="masks-batch" aria-label=${t("masks_batch")}>
      <header class="masks-head"><h3>${t("masks_batch")}</h3>
        <span class="masks-about" title=${t("masks_batch_about_hint")}>
          ${answer && t(`masks_batch_about_${side}`, { n: answer.batch[0][side].ids.length })}</span>
        <button type="button" class="as-link" title=${t("masks_lesson_hint")} data-act="masks-lesson"
          ?hidden=${lesson.length === 0 || lesson.join("\n") === sentences.slice(1).join("\n")}
          @click=${press(() => acts.change([sentences[0], ...lesson], shortest))}>${t("masks_lesson")}</button>
        <button type="button" class="tool masks-add" title=${isFull ? t("masks_full", { n: most }) : t("masks_add")}
          aria-label=${t("masks_add")} data-act="masks-add" ?disabled=${isFull} @click=${press(add)}>+</button></header>
      <ol class="masks-sentences">${answer?.batch.map((_, index) => line(own, answer, index))}</ol>
    </section>`;
}

/** @param {Words} t @param {Session} session @param {BatchActs} acts */
export function makeMasksBatch(t, { state }, acts) {
  /** @type {Own} */
  const own = { t, state, acts, sentences: [], editing: null, sent: false, answer: null, spelled: false };
  const { element, update } = makePart(() => batch(own));
  const list = /** @type {HTMLElement} */ (element.lastElementChild);
  const isOther = makeDiffers();
  const fieldNow = () => /** @type {?HTMLInputElement} */ (list.querySelector(".masks-edit"));
  return {
    element,
    /**
     * @param {string[]} sentences what was asked for
     * @param {MasksHeld} answer what is known of them
     * @param {boolean} spelled
     */
    update(sentences, answer, spelled) {
      if (!isOther(answer, spelled, sentences.join("\n"), own.editing)) return;
      if (own.sent && answer.batch !== own.answer?.batch) Object.assign(own, { editing: null, sent: false });
      const [before, byKey] = [fieldNow(), list.contains(document.activeElement)];
      Object.assign(own, { sentences, answer, spelled });
      update();
      const now = fieldNow();
      if (now && now !== before) now.select();
      else if (byKey && !list.contains(document.activeElement)) {
        /** @type {?HTMLElement} */ (list.querySelector(`[data-sentence="${answer.shown}"]`))?.focus();
      }
    },
  };
}
