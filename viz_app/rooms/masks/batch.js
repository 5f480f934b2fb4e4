// The batch of the room Masks: a line of tokens for each sentence, pads dotted, and how to change
// them.

import { labelsOf } from "../../stage/draw/labels.js";
import {
  isComposing, make, makeButton, makeIcon, setText, setTrait,
} from "../../stage/page/elements.js";

const MASKS_MOST_SENTENCES = 6;
const MASKS_MOST_PADS = 4; // at the end of a row; more are counted

/** The batch that teaches: sentences of uneven length, in the model's own language. */
function lessonOf(model) {
  return model.lessons?.batch ?? [];
}

/**
 * @param {{show: function, change: function, redraw: function}} hooks `show(index)` another
 *     sentence; `change(sentences, shown)` the batch
 */
export function makeMasksBatch(t, session, hooks) {
  const { state } = session;
  const about = make("span", { class: "masks-about" });
  const lesson = makeButton({ class: "masks-link", text: t("masks_lesson"),
    title: t("masks_lesson_hint"), data: { act: "masks-lesson" } }, () =>
    // The last is the shortest: it has most pads.
    hooks.change([now.sentences[0], ...lessonOf(state.model)], lessonOf(state.model).length));
  const add = makeButton({ class: "tool masks-add", text: "+", title: t("masks_add"),
    "aria-label": t("masks_add"), data: { act: "masks-add" } }, () => {
    const { sentences } = now;
    const fresh = (state.model.examples || []).find((text) => !sentences.includes(text));
    editing = sentences.length;
    hooks.change([...sentences, fresh ?? sentences[0]], sentences.length);
  });
  const list = make("ol", { class: "masks-sentences" });
  /** @type {?number} */
  let editing = null; // the sentence that is a field
  let sent = false; // whether what was typed is under way
  const element = make("section", { class: "masks-batch", "aria-label": t("masks_batch") }, [
    make("header", { class: "masks-head" }, [make("h3", { text: t("masks_batch") }), about, lesson, add]),
    list,
  ]);
  let now = { sentences: [] };
  let built = [];

  /** One line: what is too long loses its end, its pads never. */
  function strip(labels, isShown) {
    const first = labels.findIndex(({ kind }) => kind === "pad"); // they stand at the end
    const [text, pads] = first < 0 ? [labels, []] : [labels.slice(0, first), labels.slice(first)];
    const token = ({ label, kind }) =>
      make("span", { class: "kind masks-token", text: label, dir: "auto", data: { kind } });
    const many = pads.length > MASKS_MOST_PADS; // one stands for all, and how many they are
    return make("span", { class: "masks-strip", hidden: !isShown }, [
      make("span", { class: "masks-tokens" }, text.map(token)),
      make("span", { class: "masks-run" }, many ? [token(pads[0]), ` × ${pads.length}`]
        : pads.map(token))]);
  }

  function edit(to) {
    editing = to;
    built = [];
    hooks.redraw();
  }

  function field(index) {
    const title = t("masks_edit", { n: index + 1 });
    const input = make("input", { type: "text", class: "masks-edit", dir: "auto",
      spellcheck: "false", value: now.sentences[index], "aria-label": title, title, on: {
        change: () => {
          if (editing !== index) return; // left with Escape
          sent = true; // it stays until the answer is there: it may be refused
          hooks.change(now.sentences.map((one, i) => (i === index ? input.value : one)), index);
        },
        keydown: (event) => {
          if (event.key === "Escape" || event.key === "Enter" && !isComposing(event)) {
            if (event.key === "Escape" || input.value === now.sentences[index]) edit(null);
            else input.blur();
          }
        },
      } });
    return input;
  }

  const tool = (act, icon, title, press) => makeButton({ class: "tool", "aria-label": title, title,
    data: { act: `masks-${act}` } }, press, [makeIcon(icon)]);

  /** To change the sentence that is shown; the first is that of the line above. */
  const tools = (index) => (index === 0 ? [] : [
    tool("edit", "edit", t("masks_change", { n: index + 1 }), () => edit(editing === index ? null : index)),
    tool("remove", "close", t("masks_remove", { n: index + 1 }), () =>
      hooks.change(now.sentences.filter((_, i) => i !== index), Math.max(0, index - 1)))]);

  function build(answer, spelled) {
    const isFed = answer.columns === "target"; // whose tokens are the columns
    list.replaceChildren(...answer.batch.map((entry, index) => {
      const isShown = index === answer.shown;
      const says = t("masks_show", { n: index + 1 });
      const show = makeButton({ class: "masks-sentence", "aria-pressed": isShown,
        "aria-label": `${says}: ${entry.text}`, title: index === 0
          ? `${entry.text}\n${t("masks_first")}` : entry.text,
        data: { sentence: index } }, () => hooks.show(index), [
        strip(labelsOf(entry.source, false, spelled, t), !isFed),
        strip(labelsOf(entry.fed, true, spelled, t), isFed),
      ]);
      const isField = isShown && editing === index;
      return make("li", { class: isShown ? "shown" : null }, [
        isField ? field(index) : show, ...(isShown ? tools(index) : [])]);
    }));
    setText(about, answer.batch.length === 1 ? t("masks_batch_about_one")
      : t(`masks_batch_about_${isFed ? "fed" : "source"}`,
        { n: answer.batch[0][isFed ? "fed" : "source"].ids.length }));
  }

  return {
    element,
    /** `sentences`: what was asked for; `answer`: what is known of them. */
    update(sentences, answer, spelled) {
      now = { sentences };
      const titles = lessonOf(state.model);
      lesson.hidden = titles.length === 0
        || titles.join("\n") === sentences.slice(1).join("\n");
      const most = Math.min(MASKS_MOST_SENTENCES, state.options.limits.sentences ?? Infinity);
      const full = sentences.length >= most;
      add.disabled = full;
      setTrait(add, "title", full ? t("masks_full", { n: most }) : t("masks_add"));
      const parts = [answer.batch, answer.shown, answer.site, spelled, sentences.join("\n")];
      if (parts.every((part, i) => part === built[i])) return;
      if (sent && answer.batch !== built[0]) [editing, sent] = [null, false];
      const byKey = list.contains(document.activeElement);
      const had = list.querySelector(".masks-edit");
      built = parts;
      build(answer, spelled);
      const input = /** @type {?HTMLInputElement} */ (list.querySelector(".masks-edit"));
      const shown = /** @type {?HTMLElement} */ (list.querySelector(
        `[data-sentence="${answer.shown}"]`));
      if (input && (!had || byKey)) input.select();
      else if (byKey) shown?.focus();
    },
  };
}
