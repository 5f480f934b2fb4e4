// The box in which people ask in their own words, and the list of what answers them. The questions are
// fetched when the box is first opened.

import { isComposing } from "../page/elements.js";
import { html, live, makePart, nothing } from "../page/html.js";
import { dialog } from "../page/dialog.js";
import { titleAmong } from "../page/words.js";
import { answerInTurn } from "../run/ask.js";
import { leadsTo, withLessons } from "./asking.js";
import { TYPED_MOST, indexOf, nearestEntries } from "./matching.js";

const EVERY = 9; // of the questions, one in so many is offered before anything is typed

/**
 * What a list of answers is made of.
 * @typedef {{index: import("./matching.js").Index, questions: Question[]}} Known
 * @typedef {{text: string, at: number, known: ?Known, isLost: boolean, isSure: boolean, found: Question[]}} Own
 */

/** Where a question leads, in words. @param {LeadsTo} leads @param {Question} question @param {Words} t @param {State} state */
function whereOf(leads, { near }, t, state) {
  if (leads.lacks) return t(`asking_lacks_${leads.lacks}`, { model: leads.name });
  const values = { room: t(`room_${leads.room}`), text: leads.text,
    model: leads.model ? titleAmong(state.options.models, leads.model, t) : leads.name };
  const where = t(leads.lesson ? "asking_lesson" : leads.isOwn ? "asking_own" : "asking_ours", values);
  return [near && t("asking_near", { where }), leads.isLive && t("asking_live", { where })]
    .find(Boolean) || where;
}

/**
 * @param {Words} t
 * @param {State} state
 * @param {Own} own
 * @param {string} id
 * @param {(question: Question) => void} choose
 * @param {Record<string, (event: any) => void>} on
 */
function asker(t, state, own, id, choose, on) {
  const { known, found, at } = own;
  const language = t.language === "zh" ? "zh" : "en";
  const isOpen = found.length > 0;
  const isAll = found.every((question) => leadsTo(question, state).lacks !== "app"); // no picture is lacking
  const status = own.isLost ? t("error_network") : !known ? t("asking_fetching")
    : own.text.trim() === "" ? t("asking_examples") : !isOpen ? t("asking_none")
      : own.isSure ? t(isAll ? "asking_found" : "asking_found_words", { n: found.length }) : t("asking_unsure");
  /** @param {Question} question @param {number} i */
  const option = (question, i) => {
    const leads = leadsTo(question, state);
    return html`
      <li role="option" id=${`${id}-${i}`} class="asked" data-asked=${question.name} aria-selected=${i === at}
        aria-disabled=${leads.lacks ? "true" : nothing} @click=${() => choose(question)}>
        <strong>${question.asks[language]}</strong><span>${question.says[language]}</span>
        <small>${whereOf(leads, question, t, state)}</small></li>`;
  };
  return dialog(t, "asking", t("asking"), html`
    <p class="asking-said" role="status">${status}</p>
    <ul role="listbox" id=${id} aria-label=${t("asking_list")} ?hidden=${!isOpen}>${found.map(option)}</ul>`,
  { head: html`<input type="text" class="asking-text" role="combobox" autocomplete="off" spellcheck="false"
      maxlength=${TYPED_MOST} enterkeyhint="go" aria-autocomplete="list" aria-expanded=${isOpen} aria-controls=${id}
      aria-activedescendant=${isOpen ? `${id}-${at}` : nothing} aria-label=${t("asking_label")}
      placeholder=${t("asking_placeholder")} .value=${live(own.text)} @input=${on.input} @keydown=${on.keydown}>` });
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {SheetPage} page
 */
export function makeAsking(t, { state }, { questions: fetched, follow, transport }) {
  const id = `asked-${Math.random().toString(36).slice(2)}`;
  /** @type {Own} */
  const own = { text: "", at: 0, known: null, isLost: false, isSure: true, found: [] };

  /** Finds what answers the text, and shows it. */
  function find(chosen = /** @type {?Question} */ (null)) {
    const { known, text } = own;
    if (known) {
      const examples = known.questions.filter((one) => one.list === "questions" && !leadsTo(one, state).lacks)
        .filter((_, i) => i % EVERY === 0);
      const { questions, isSure } = text.trim() === "" ? { questions: examples, isSure: true }
        : nearestEntries(known.index, text);
      Object.assign(own, { found: questions, isSure, at: chosen ? Math.max(0, questions.indexOf(chosen)) : 0 });
    }
    part.update();
  }

  /** @param {Questions} all @param {Question[]} questions */
  const know = (all, questions) => { own.known = { index: indexOf({ ...all, questions }), questions }; };

  /** The list of the lessons, where there is one. @returns {Promise<?LessonMenu>} */
  const lessons = async () => state.options.lessons
    ?? (transport ? answerInTurn(transport, { lessons: true }, () => part.element.open) : null);

  async function learn() {
    if (own.known || !fetched) return;
    try {
      const all = await fetched();
      know(all, all.questions);
      // Which lessons there are is said when it is known: the list does not wait for that.
      lessons().then((menu) => {
        const here = withLessons(all.questions, menu, state);
        if (here.length === all.questions.length && here.every((one, i) => one === all.questions[i])) return;
        know(all, here);
        find(own.found[own.at]); // what is chosen stays so
      });
      own.isLost = false;
    } catch {
      own.isLost = true; // it is fetched again when the box is opened again
    }
  }

  /** @param {Question} question */
  function choose(question) {
    const leads = leadsTo(question, state);
    if (leads.lacks) return;
    part.element.close();
    follow(leads);
  }

  const on = {
    input: (/** @type {any} */ { target }) => {
      own.text = target.value;
      find();
    },
    keydown: (/** @type {any} */ event) => {
      const turn = { ArrowDown: 1, ArrowUp: -1 }[/** @type {string} */ (event.key)];
      const { found } = own;
      if (isComposing(event) || found.length === 0 || (!turn && event.key !== "Enter")) return;
      event.preventDefault();
      if (!turn) {
        choose(found[own.at]);
        return;
      }
      own.at = (own.at + turn + found.length) % found.length;
      part.update();
      part.element.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
    },
  };
  /** @type {{element: HTMLDialogElement, update: function(): void}} */
  const part = makePart(() => asker(t, state, own, id, choose, on));

  /** @param {string} [typed] already, as the box opened */
  async function show(typed) {
    if (part.element.open) return;
    part.element.showModal();
    const text = /** @type {HTMLInputElement} */ (part.element.querySelector(".asking-text"));
    text.focus();
    if (typed) own.text = text.value = typed;
    else text.select();
    await learn();
    find();
  }

  return {
    element: part.element,
    show,
    /** Goes where a question leads, by its name. @param {string} name */
    async open(name) {
      await learn();
      const question = own.known?.questions.find((one) => one.name === name);
      if (question) choose(question);
    },
  };
}
