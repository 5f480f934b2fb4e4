// Which lessons a page has, and where a lesson leads from a page that computes nothing. Pure.

import { pageIn } from "../page/site.js";
import { lessonAtHand } from "../run/lessons.js";

/**
 * The lesson and its step that an address names, after its # or its ?; null where it names none.
 * @param {string} address
 */
export const lessonNamed = (address) =>
  /[#?&]lesson=([a-z0-9-]+(?:\.[1-9]\d?)?)(?=[#&]|$)/.exec(address)?.[1] ?? null;

/**
 * The lessons of a list that can be played here, and how many cannot. Where the page can ask it has them all;
 * where nothing can compute, those that came with it and those of the other pages of its site.
 * @param {LessonEntry[]} lessons
 * @param {Pick<State, "canAsk" | "options">} state
 */
export function lessonsHere(lessons, { canAsk, options: { answers = [], lessons: recorded = null } }) {
  if (canAsk) return { offered: lessons, left: 0 };
  const offered = lessons.filter(({ name, pages = {} }) => Object.keys(pages).length > 0 || lessonAtHand(answers, { name }));
  return { offered, left: (recorded?.left ?? 0) + lessons.length - offered.length };
}

/**
 * Where a lesson leads: to a view of the page itself, to the page of the site that has it, or nowhere.
 * @param {string} lesson with its step
 * @param {State} state
 * @returns {Pick<LeadsTo, "view" | "page">}
 */
export function lessonAlone(lesson, { options: { answers = [], lessons = null, site }, model, language }) {
  const [name, step = "1"] = lesson.split(".");
  if (lessonAtHand(answers, { name, model: model.name })) return { view: { lesson: `${name}.${step}` } };
  const pages = lessons?.lessons.find((one) => one.name === name)?.pages ?? {};
  const page = pages[model.name] ?? Object.values(pages)[0];
  return site && page ? { page: `${pageIn(site, page, language)}&lesson=${name}.${step}` } : {};
}
