// The list of the lessons: which is the first or the next, what each is about, how long it takes, and where one
// left off.

import { dialog } from "../page/dialog.js";
import { html, nothing } from "../page/html.js";
import { titleAmong } from "../page/words.js";
import { lessonsHere } from "./leads.js";
import { nextOf, progressOf } from "./progress.js";

/**
 * @param {Words} t
 * @param {State} state
 * @param {?LessonEntry[]} lessons null: they are awaited
 * @param {function(string): string} say
 * @param {function(LessonEntry): void} begin
 * @param {?function(): void} make opens what makes a lesson, whose name is none of the list; null where none can be made
 */
export function list(t, state, lessons, say, begin, make) {
  const { models } = state.options;
  const { offered = null, left = 0 } = lessons ? lessonsHere(lessons, state) : {};
  const areNone = offered?.length === 0 && left === 0;
  const names = (offered ?? []).map(({ name }) => name);
  const [next, done] = [nextOf(names), names.filter((name) => progressOf(name) === "done").length];
  /** @param {LessonEntry} lesson */
  const stands = ({ name }) => {
    const come = progressOf(name);
    if (come === null) return name !== next ? "" : t(done > 0 ? "lesson_following" : "lesson_start");
    return come === "done" ? t("lesson_done") : t("lesson_left", { n: come });
  };
  /** Where it runs on another model than the one at hand. @param {LessonEntry} lesson */
  const other = (lesson) => {
    const model = lesson.models.includes(state.model.name) ? null : models.find(({ name }) => name === lesson.models[0]);
    return model ? t("lesson_with", { model: titleAmong(models, model, t) }) : "";
  };
  return dialog(t, "lesson-list", t("lessons"), html`
    <p class="lesson-about">${t(areNone ? "lessons_none" : "lessons_about")}
      ${done > 0 ? html`<span class="lessons-come">${t("lessons_come", { n: done, m: names.length })}</span>` : nothing}</p>
    ${!offered ? html`<p role="status">${t("lesson_awaited")}</p>` : html`<ol .style=${`--half: ${Math.ceil(names.length / 2)}`}>${offered.map((lesson, i) => html`
      <li><button type="button" class=${lesson.name === next ? "next" : nothing} ?autofocus=${lesson.name === next}
        data-lesson-name=${lesson.name} data-come=${progressOf(lesson.name) ?? ""} @click=${() => begin(lesson)}>
        <span class="lesson-nth" aria-hidden="true">${progressOf(lesson.name) === "done" ? "✓" : i + 1}</span>
        <span class="lesson-title">${say(lesson.title)}</span>
        <span class="lesson-minutes">${stands(lesson) ? html`<strong>${stands(lesson)}</strong> · ` : nothing}${t("lesson_minutes", { n: lesson.minutes })}</span>
        <span class="lesson-what">${say(lesson.about)} ${other(lesson)}</span></button></li>`)}</ol>`}
    ${left > 0 ? html`<p class="lesson-about">${t("lessons_left", { n: left })}</p>` : nothing}
    ${make && offered ? html`<p class="lesson-make"><button type="button" class="as-link" data-lesson="make" title=${t("lesson_make_about")}
      @click=${make}>${t("lesson_make")}</button></p>` : nothing}
`);
}
