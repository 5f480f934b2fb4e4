// The list of the lessons: what each is about, how long it takes, and where one left off.

import { sheet } from "../page/sheet.js";
import { html, nothing } from "../page/html.js";
import { titleAmong } from "../page/words.js";
import { lessonsHere } from "./leads.js";
import { progressOf } from "./progress.js";

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
  /** @param {LessonEntry} lesson */
  const stands = (lesson) => {
    const come = progressOf(lesson.name);
    return come === null ? "" : come === "done" ? t("lesson_done") : t("lesson_left", { n: come });
  };
  /** Where it runs on another model than the one at hand. @param {LessonEntry} lesson */
  const other = (lesson) => {
    const model = lesson.models.includes(state.model.name) ? null : models.find(({ name }) => name === lesson.models[0]);
    return model ? t("lesson_with", { model: titleAmong(models, model, t) }) : "";
  };
  return sheet(t, "lesson-list", t("lessons"), html`
    <p class="lesson-about">${t(areNone ? "lessons_none" : "lessons_about")}</p>
    ${!offered ? html`<p role="status">${t("lesson_awaited")}</p>` : html`<ol>${offered.map((lesson, i) => html`
      <li><button type="button" data-lesson-name=${lesson.name} data-come=${progressOf(lesson.name) ?? ""} @click=${() => begin(lesson)}>
        <span class="lesson-nth" aria-hidden="true">${i + 1}</span>
        <span class="lesson-title">${say(lesson.title)}</span>
        <span class="lesson-minutes">${[t("lesson_minutes", { n: lesson.minutes }), stands(lesson), other(lesson)].filter(Boolean).join(" · ")}</span>
        <span class="lesson-what">${say(lesson.about)}</span></button></li>`)}</ol>`}
    ${left > 0 ? html`<p class="lesson-about">${t("lessons_left", { n: left })}</p>` : nothing}
    ${make && offered ? html`<p class="lesson-make"><button type="button" class="as-link" data-lesson="make" title=${t("lesson_make_about")}
      @click=${make}>${t("lesson_make")}</button></p>` : nothing}
`);
}
