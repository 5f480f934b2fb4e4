// The card of a lesson: what is to be seen, a question, a way to answer it, and what came of it.

import { plainly } from "../draw/labels.js";
import { icon } from "../page/elements.js";
import { html, nothing } from "../page/html.js";
import { comparedBy, formOf, isSame, numberIn, onLine, tokenIn } from "./guess.js";
import { needsApp } from "./until.js";

/** The levels below the story that a step may have. */
const DEPTHS = /** @type {const} */ (["numbers", "formula"]);

/**
 * What the card shows; `canAsk`: whether the page computes what is done on it.
 * @typedef {{lesson: Lesson, at: number, note: LessonNote, canAsk: boolean, say: function(?LessonWords): string}} Shown
 * @typedef {{back(): void, next(): void, end(): void, again(): void, hint(): void, show(): void, guess(value: any): void,
 *   refuse(): void, deepen(depth: string): void, save(): void}} Acts
 */

/** What a choice is called. @param {Words} t @param {LessonChoice} choice @param {Shown["say"]} say */
const nameOf = (t, { text, word }, say) => (text === undefined ? say(word ? { word } : null) : plainly(text, t));

/** A guess or an answer in words. @param {Words} t @param {LessonAsk} ask @param {any} value @param {Shown["say"]} say */
export function spelled(t, ask, value, say) {
  const choice = ask.of.find((one) => isSame(one.value, value));
  if (choice) return nameOf(t, choice, say);
  if (ask.kind === "token") return plainly(String(value), t);
  return isSame(value, ask.answer) ? ask.shown : String(value);
}

/** The guess and the answer on one line. @param {LessonAsk} ask @param {any} guess */
function line(ask, guess) {
  if (ask.kind !== "number" || guess === null || typeof ask.answer !== "number" || guess === ask.answer) return nothing;
  const at = onLine(guess, ask.answer);
  return html`<div class="lesson-line" aria-hidden="true">
    <span>${at.low}</span>
    <div><span class="lesson-mark yours" .style=${`left: ${100 * at.guess}%`}></span>
      <span class="lesson-mark" .style=${`left: ${100 * at.answer}%`}></span></div>
    <span>${at.most}</span></div>`;
}

/** How the reader answers. @param {Words} t @param {Shown} shown @param {Acts} acts @param {string} id that of the question */
function answering(t, { lesson, at, note, say }, acts, id) {
  const { ask } = lesson.steps[at];
  if (!ask) return nothing;
  if (ask.kind === "number" || ask.kind === "token") {
    const isNumber = ask.kind === "number";
    const send = (/** @type {any} */ event) => {
      event.preventDefault();
      const typed = new FormData(event.target).get("guess")?.toString() ?? "";
      const value = isNumber ? numberIn(typed, ask.answer) : tokenIn(typed);
      if (value === null) acts.refuse();
      else acts.guess(value);
    };
    return note.isOpen ? nothing : html`<form class="lesson-number" @submit=${send}>
      <input name="guess" type="text" inputmode=${isNumber ? "decimal" : "text"} autocomplete="off" autocapitalize="off" spellcheck="false"
        aria-label=${t(isNumber ? "lesson_number" : "lesson_token")} placeholder=${isNumber ? t(formOf(ask)) : nothing}
        aria-invalid=${note.isRefused ? "true" : nothing} aria-describedby=${id}>
      <button type="submit" class="plain">${t("lesson_guess")}</button>
      ${note.isRefused ? html`<span class="lesson-refused" role="alert">${t(isNumber ? "lesson_no_number" : "lesson_no_token")}</span>` : nothing}</form>`;
  }
  if (ask.of.length === 0) return note.isOpen ? nothing : html`<p class="lesson-how">${t("lesson_pick_cell")}</p>`;
  return html`<div class="lesson-choices" role="group" aria-labelledby=${id}>
    ${ask.of.map((choice) => {
    const isYours = note.guess !== null && isSame(choice.value, note.guess);
    const isIt = note.isOpen && isSame(choice.value, ask.answer);
    return html`<button type="button" class=${`plain${isYours ? " yours" : ""}${isIt ? " it" : ""}`} ?disabled=${note.isOpen}
      aria-pressed=${isYours} @click=${() => acts.guess(choice.value)}>${nameOf(t, choice, say)}</button>`;
  })}</div>`;
}

/** What came of it. @param {Words} t @param {Shown} shown */
function outcome(t, { lesson, at, note, canAsk, say }) {
  const { ask, says, until } = lesson.steps[at];
  const isOver = ask ? note.isOpen : note.isReached;
  const isBeyond = !canAsk && needsApp(until); // of what this page can do
  const answer = ask && note.isOpen ? spelled(t, ask, ask.answer, say) : "";
  const compared = ask && note.isOpen ? comparedBy(ask, note.guess, answer) : null;
  return html`<div class="lesson-outcome" role="status">
    ${compared && ask ? html`<p class="lesson-compared">${t(compared, { guess: spelled(t, ask, note.guess, say), answer })}</p>
      ${line(ask, note.guess)}` : nothing}
    ${isOver && says.then ? html`<p class="lesson-then">${say(says.then)}</p>` : nothing}
    ${ask && !note.isReached && (note.isOpen || isBeyond) ? html`<p class="lesson-how">${t(isBeyond ? "lesson_try_app" : "lesson_try")}</p>` : nothing}
    ${isOver && !ask && !says.then && until.of?.length !== 0 ? html`<p class="lesson-then">${t("lesson_reached")}</p>` : nothing}
    ${!isOver && note.isMissed ? html`<p class="lesson-compared">${t(until.kind === "lock" ? "lesson_missed_head" : "lesson_missed_sentence")}</p>` : nothing}
    ${isOver ? nothing : (says.hints ?? []).slice(0, note.hints).map((hint) => html`<p class="lesson-hint">${say(hint)}</p>`)}</div>`;
}

/** The deeper levels. @param {Words} t @param {Shown} shown @param {Acts} acts */
function deeper(t, { lesson, at, note, say }, acts) {
  const { says, ask } = lesson.steps[at];
  const there = DEPTHS.filter((depth) => says[depth]);
  if (there.length === 0 || (ask && !note.isOpen)) return nothing;
  return html`<div class="lesson-depths">
    ${there.map((depth) => html`<button type="button" class="as-link" aria-expanded=${note.depth === depth}
      @click=${() => acts.deepen(depth)}>${t(`lesson_${depth}`)}</button>`)}
    ${there.map((depth) => (note.depth === depth ? html`<p class=${`lesson-deep ${depth}`}>${say(says[depth] ?? null)}</p>` : nothing))}</div>`;
}

/**
 * The card.
 * @param {Words} t
 * @param {?Shown} shown null: the lesson is awaited
 * @param {Acts} acts
 * @param {{corner: string, id: string}} place where it stands, and how the ids of its parts begin
 */
export function card(t, shown, acts, { corner, id }) {
  const step = shown?.lesson.steps[shown.at];
  const count = shown?.lesson.steps.length ?? 0;
  const { note, at = 0 } = shown ?? {};
  const isOver = Boolean(note?.isReached);
  const hints = step?.says.hints ?? [];
  return html`<section class="lesson-card" tabindex="-1" data-place=${corner} data-step=${shown ? at + 1 : nothing} aria-labelledby=${`${id}-name`}
    aria-describedby=${`${id}-say ${id}-ask`} aria-busy=${shown ? nothing : "true"}>
    <header class="lesson-head"><p id=${`${id}-name`}>${shown && step ? html`<strong>${shown.say({ word: shown.lesson.title })}</strong> ${count > 1 ? html`<span>${t("lesson_step", { n: at + 1, m: count })}</span>` : nothing}`
    : t("lesson_awaited")}</p>
      <button type="button" class="tool" data-lesson="end" aria-label=${t("lesson_end")} title=${t("lesson_end")} @click=${acts.end}>${icon("close")}</button></header>
    ${shown && step ? html`<div class="lesson-body" tabindex=${note?.isOpen ? "0" : nothing}>
      <p class="lesson-say" id=${`${id}-say`}>${shown.say(step.says.say)}</p>
      <p class="lesson-ask" id=${`${id}-ask`} ?hidden=${!step.says.ask}>${shown.say(step.says.ask)}</p>
      ${answering(t, shown, acts, `${id}-ask`)}
      ${outcome(t, shown)}
      ${deeper(t, shown, acts)}</div>
    <footer class="lesson-foot">
      <button type="button" class="as-link" data-lesson="back" ?disabled=${at === 0} @click=${acts.back}>${t("lesson_back")}</button>
      <span class="lesson-dots" aria-hidden="true">${shown.lesson.steps.map((_, i) => html`<i class=${i === at ? "now" : i < at ? "past" : ""}></i>`)}</span>
      ${!isOver && !note?.isOpen && (note?.hints ?? 0) < hints.length ? html`<button type="button" class="as-link" data-lesson="hint" @click=${acts.hint}>${t("lesson_hint")}</button>` : nothing}
      ${note?.isKept ? html`<button type="button" class="as-link" data-lesson="again" title=${t("lesson_again_about")} @click=${acts.again}>${t("lesson_again")}</button>` : nothing}
      ${step.ask && !note?.isOpen ? html`<button type="button" class="as-link" data-lesson="show" @click=${acts.show}>${t("lesson_show")}</button>` : nothing}
      ${at + 1 === count && (isOver || note?.isOpen) ? html`<button type="button" class="as-link" data-lesson="save" title=${t("lesson_save_hint")} @click=${acts.save}>${t("lesson_save")}</button>` : nothing}
      <button type="button" class=${`lesson-next${isOver ? " primary fresh" : " as-link"}`} data-lesson="next" @click=${acts.next}>
        ${t(at + 1 < count ? "lesson_next" : "lesson_finish")}</button></footer>` : nothing}
  </section>`;
}

/**
 * What offers, once a lesson is over, what the page showed before it.
 * @param {Words} t
 * @param {function(boolean): void} take whether the reader wants that
 */
export const wayBack = (t, take) => html`<div class="lesson-return" role="status">
  <button type="button" class="plain" data-lesson="return" @click=${() => take(true)}>${t("lesson_return")}</button>
  <button type="button" class="tool" data-lesson="stay" aria-label=${t("lesson_stay")} title=${t("lesson_stay")} @click=${() => take(false)}>${icon("close")}</button></div>`;
