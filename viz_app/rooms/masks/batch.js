// The batch of the room Masks: its sentences as rows of tokens, pads dotted, and how to change
// them.

import { labelsOf } from "../../stage/draw/labels.js";
import {
  isComposing, make, makeButton, makeIcon, scrollToItem, setText, setTrait,
} from "../../stage/page/elements.js";

const MASKS_MOST_SENTENCES = 6;
const MASKS_MOST_PADS = 4; // at the end of a row; more are counted

/** The batch that teaches: sentences of uneven length, in the model's own language. */
function lessonOf(model) {
  return model.lessons?.batch ?? [];
}

/**
 * @param {{show: function, change: function}} hooks `show(index)` another sentence;
 *     `change(sentences, shown)` the batch
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
    hooks.change([...sentences, fresh ?? sentences[0]], sentences.length);
  });
  const list = make("ol", { class: "masks-sentences" });
  const element = make("section", { class: "masks-batch", "aria-label": t("masks_batch") }, [
    make("header", { class: "masks-head" }, [make("h3", { text: t("masks_batch") }), about, lesson, add]),
    list,
  ]);
  let now = { sentences: [] };
  let built = [];

  function strip(word, labels) {
    const pads = labels.filter(({ kind }) => kind === "pad").length; // they stand at the end
    const shown = pads > MASKS_MOST_PADS ? labels.slice(0, labels.length - pads + 1) : labels;
    const nodes = shown.map(({ label, kind }) =>
      make("span", { class: "masks-token", text: label, dir: "auto", data: { kind } }));
    if (shown !== labels) { // the one pad that stands for all, and how many they are
      nodes.push(make("span", { class: "masks-run" }, [nodes.pop(), ` × ${pads}`]));
    }
    return make("span", { class: "masks-strip" }, [
      make("span", { class: "masks-gutter", text: word }), ...nodes]);
  }

  function editor(index) {
    if (index === 0) return make("p", { class: "masks-first", text: t("masks_first") });
    const field = make("input", { type: "text", class: "masks-edit", dir: "auto",
      spellcheck: "false", value: now.sentences[index],
      "aria-label": t("masks_edit", { n: index + 1 }), title: t("masks_edit", { n: index + 1 }),
      on: {
        change: () => hooks.change(now.sentences.map((one, i) => (i === index ? field.value : one)),
          index),
        keydown: (event) => {
          if (event.key === "Escape") field.value = now.sentences[index];
          if (event.key === "Enter" && !isComposing(event)) field.blur();
        },
      } });
    const remove = makeButton({ class: "tool", "aria-label": t("masks_remove", { n: index + 1 }),
      title: t("masks_remove", { n: index + 1 }), data: { act: "masks-remove" } },
    () => hooks.change(now.sentences.filter((_, i) => i !== index), Math.max(0, index - 1)),
    [makeIcon("close")]);
    return make("span", { class: "masks-editor" }, [field, remove]);
  }

  function build(answer, spelled) {
    list.replaceChildren(...answer.batch.map((entry, index) => {
      const isShown = index === answer.shown;
      const show = makeButton({ class: "masks-sentence", "aria-pressed": isShown,
        "aria-label": `${t("masks_show", { n: index + 1 })}: ${entry.text}`,
        data: { sentence: index } }, () => hooks.show(index), [
        strip(t("masks_source"), labelsOf(entry.source, false, spelled, t)),
        strip(t("masks_fed"), labelsOf(entry.fed, true, spelled, t)),
      ]);
      return make("li", { class: isShown ? "shown" : null }, [
        show, ...(isShown ? [editor(index)] : []),
      ]);
    }));
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
      const parts = [answer.batch, answer.shown, spelled, sentences];
      if (parts.every((part, i) => part === built[i])) return;
      built = parts;
      setText(about, sentences.length === 1 ? t("masks_batch_about_one")
        : t("masks_batch_about", {
          source: answer.batch[0].source.ids.length, target: answer.batch[0].fed.ids.length }));
      const byKey = list.contains(document.activeElement);
      build(answer, spelled);
      scrollToItem(list, list.children[answer.shown]);
      /** @type {?HTMLElement} */
      const chosen = list.querySelector(`[data-sentence="${answer.shown}"]`);
      if (byKey) chosen.focus();
    },
  };
}
