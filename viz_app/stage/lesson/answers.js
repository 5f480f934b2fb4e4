// What the reader guessed in a lesson, as a file of the reader's own: it is made in the page, and no
// server hears of it.

import { csvCell, csvFile } from "../keep/csv.js";
import { saveFile } from "../keep/saved.js";
import { spelled } from "./card.js";
import { isSame } from "./guess.js";

/** @typedef {import("./card.js").Shown} Shown */

/** A guess or an answer as a cell of the file. @param {Words} t @param {LessonAsk} ask @param {any} value @param {Shown["say"]} say */
function cellOf(t, ask, value, say) {
  if (ask.kind === "cell") return t("lesson_cell", { row: value.query + 1, column: value.key + 1 });
  return ask.kind === "number" && !isSame(value, ask.answer) ? value : spelled(t, ask, value, say);
}

/**
 * A line for each question: the lesson, the step from 1, what is asked, the guess, and what the model
 * gives, once the reader has seen that.
 * @param {Words} t
 * @param {Lesson} lesson
 * @param {LessonNote[]} notes what was done at each step; a step that was never seen has none
 * @param {Shown["say"]} say
 */
export function answersFile(t, lesson, notes, say) {
  const title = say({ word: lesson.title });
  const rows = lesson.steps.flatMap(({ ask, says }, at) => {
    if (!ask) return [];
    const { isOpen = false, guess = null } = notes[at] ?? {};
    return [[title, at + 1, say(says.ask), guess === null ? "" : cellOf(t, ask, guess, say),
      isOpen ? cellOf(t, ask, ask.answer, say) : ""]];
  });
  const head = ["lesson", "step", "question", "guess", "model"].map((name) => t(`lesson_saved_${name}`));
  return csvFile([head, ...rows].map((row) => row.map(csvCell)));
}

/** Gives that file to the reader. @param {Words} t @param {Lesson} lesson @param {LessonNote[]} notes @param {Shown["say"]} say */
export const saveAnswers = (t, lesson, notes, say) => saveFile({ name: `${lesson.name}-${lesson.model}.csv`,
  type: "text/csv", text: answersFile(t, lesson, notes, say) });
