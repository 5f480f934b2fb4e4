// The batch of the room Masks: a line of tokens for each sentence, pads dotted, and how to change
// them.

import { labelsOf } from "../../stage/draw/labels.js";
import {
  isComposing, make, makeButton, makeIcon, setText, setTrait,
} from "../../stage/page/elements.js";

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
 * @property {unknown[]} built what the list was built from
 * @typedef {Object} BatchActs
 * @property {function(number): void} show another sentence
 * @property {function(string[], number): void} change the batch, and which sentence is shown
 * @property {function(): void} redraw
 */

/** The batch that teaches: sentences of uneven length, in the model's own language. @param {State} state */
const lessonOf = ({ model }) => model.lessons?.batch ?? [];

/** @param {Label} label */
const makeToken = ({ label, kind }) =>
  make("span", { class: "kind masks-token", text: label, dir: "auto", data: { kind } });

/**
 * One line: what is too long loses its end, its pads never.
 * @param {Label[]} labels
 * @param {boolean} isShown
 */
function makeStrip(labels, isShown) {
  const first = labels.findIndex(({ kind }) => kind === "pad"); // they stand at the end
  const [text, pads] = first < 0 ? [labels, []] : [labels.slice(0, first), labels.slice(first)];
  const many = pads.length > MASKS_MOST_PADS; // one stands for all, and how many they are
  return make("span", { class: "masks-strip", hidden: !isShown }, [
    make("span", { class: "masks-tokens" }, text.flatMap((label) => [makeToken(label), " "])),
    make("span", { class: "masks-run" }, many ? [makeToken(pads[0]), ` × ${pads.length}`]
      : pads.map(makeToken))]);
}

/** @param {Own} own @param {?number} to the sentence that becomes a field */
function edit(own, to) {
  Object.assign(own, { editing: to, built: [] });
  own.acts.redraw();
}

/** @param {Own} own @param {number} index */
function makeField(own, index) {
  const { t, sentences, acts } = own;
  const title = t("masks_edit", { n: index + 1 });
  const input = make("input", { type: "text", class: "masks-edit", dir: "auto",
    spellcheck: "false", value: sentences[index], "aria-label": title, title, on: {
      change: () => {
        if (own.editing !== index) return; // left with Escape
        own.sent = true; // it stays until the answer is there: it may be refused
        acts.change(own.sentences.map((one, i) => (i === index ? input.value : one)), index);
      },
      keydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Escape" || event.key === "Enter" && !isComposing(event)) {
          if (event.key === "Escape" || input.value === own.sentences[index]) edit(own, null);
          else input.blur();
        }
      },
    } });
  return input;
}

/**
 * To change the sentence that is shown; the first is that of the line above.
 * @param {Own} own
 * @param {number} index
 */
function makeTools(own, index) {
  const { t, acts } = own;
  /** @type {function(string, string, string, function(): void): HTMLElement} */
  const tool = (act, icon, title, press) => makeButton({ class: "tool", "aria-label": title, title,
    data: { act: `masks-${act}` } }, press, [makeIcon(icon)]);
  return index === 0 ? [] : [
    tool("edit", "edit", t("masks_change", { n: index + 1 }), () =>
      edit(own, own.editing === index ? null : index)),
    tool("remove", "close", t("masks_remove", { n: index + 1 }), () =>
      acts.change(own.sentences.filter((_, i) => i !== index), Math.max(0, index - 1)))];
}

/**
 * A line of the list.
 * @param {Own} own
 * @param {MasksHeld} answer
 * @param {number} index
 * @param {boolean} spelled
 */
function makeLine(own, answer, index, spelled) {
  const { t, acts, editing } = own;
  const { text, source, fed } = answer.batch[index];
  const isFed = answer.columns === "target"; // whose tokens are the columns
  const isShown = index === answer.shown;
  const show = makeButton({ class: "masks-sentence", "aria-pressed": isShown,
    title: index === 0 ? `${text}\n${t("masks_first")}` : text,
    data: { sentence: index } }, () => acts.show(index), [
    makeStrip(labelsOf(source, false, spelled, t), !isFed),
    makeStrip(labelsOf(fed, true, spelled, t), isFed),
  ]);
  return make("li", { class: isShown ? "shown" : null }, [
    isShown && editing === index ? makeField(own, index) : show,
    ...(isShown ? makeTools(own, index) : [])]);
}

/**
 * The lines, where they are others than those of before; the focus stays.
 * @param {Own} own
 * @param {HTMLElement} list
 * @param {MasksHeld} answer
 * @param {boolean} spelled
 */
function fill(own, list, answer, spelled) {
  const parts = [answer.batch, answer.shown, answer.site, spelled, own.sentences.join("\n")];
  if (parts.every((part, i) => part === own.built[i])) return;
  if (own.sent && answer.batch !== own.built[0]) Object.assign(own, { editing: null, sent: false });
  const byKey = list.contains(document.activeElement);
  const had = list.querySelector(".masks-edit");
  own.built = parts;
  list.replaceChildren(...answer.batch.map((_, index) => makeLine(own, answer, index, spelled)));
  const input = /** @type {?HTMLInputElement} */ (list.querySelector(".masks-edit"));
  const shown = /** @type {?HTMLElement} */ (list.querySelector(`[data-sentence="${answer.shown}"]`));
  if (input && (!had || byKey)) input.select();
  else if (byKey) shown?.focus();
}

/** @param {Words} t @param {Session} session @param {BatchActs} acts */
export function makeMasksBatch(t, { state }, acts) {
  /** @type {Own} */
  const own = { t, state, acts, sentences: [], editing: null, sent: false, built: [] };
  const about = make("span", { class: "masks-about", title: t("masks_batch_about_hint") });
  const lesson = makeButton({ class: "as-link", text: t("masks_lesson"),
    title: t("masks_lesson_hint"), data: { act: "masks-lesson" } }, () =>
    // The last is the shortest: it has most pads.
    acts.change([own.sentences[0], ...lessonOf(state)], lessonOf(state).length));
  const add = makeButton({ class: "tool masks-add", text: "+", title: t("masks_add"),
    "aria-label": t("masks_add"), data: { act: "masks-add" } }, () => {
    const { sentences } = own;
    const fresh = state.model.examples?.find((/** @type {string} */ text) => !sentences.includes(text));
    own.editing = sentences.length;
    acts.change([...sentences, fresh ?? sentences[0]], sentences.length);
  });
  const list = make("ol", { class: "masks-sentences" });
  const element = make("section", { class: "masks-batch", "aria-label": t("masks_batch") }, [
    make("header", { class: "masks-head" }, [make("h3", { text: t("masks_batch") }), about, lesson, add]),
    list,
  ]);
  return {
    element,
    /**
     * @param {string[]} sentences what was asked for
     * @param {MasksHeld} answer what is known of them
     * @param {boolean} spelled
     */
    update(sentences, answer, spelled) {
      own.sentences = sentences;
      const titles = lessonOf(state);
      lesson.hidden = titles.length === 0 || titles.join("\n") === sentences.slice(1).join("\n");
      const most = Math.min(MASKS_MOST_SENTENCES, state.options.limits.sentences ?? Infinity);
      const full = sentences.length >= most;
      add.disabled = full;
      setTrait(add, "title", full ? t("masks_full", { n: most }) : t("masks_add"));
      const side = answer.columns === "target" ? "fed" : "source";
      setText(about, t(`masks_batch_about_${side}`, { n: answer.batch[0][side].ids.length }));
      fill(own, list, answer, spelled);
    },
  };
}
