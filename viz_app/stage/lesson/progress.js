// How far the reader came in each lesson, and what was guessed there: remembered like the page's other
// small choices.

import { remembered } from "../keep/remembered.js";
import { isGuessOf } from "./guess.js";

const DONE = "done";
const nameOf = (/** @type {string} */ lesson) => `lesson-${lesson}`;

/** The step to go on with, counted from 1, or "done"; null where nobody began. @param {string} lesson */
export function progressOf(lesson) {
  const said = remembered(nameOf(lesson));
  return said === DONE ? DONE : /^[1-9]\d*$/.test(said ?? "") ? Number(said) : null;
}

/**
 * The lesson to go on with, of these in their order: one that was begun, else the first that was not; null where all
 * are done.
 * @param {string[]} lessons
 */
export function nextOf(lessons) {
  const come = lessons.map((name) => ({ name, at: progressOf(name) }));
  const next = come.find(({ at }) => typeof at === "number") ?? come.find(({ at }) => at === null);
  return next?.name ?? null;
}

/** @param {string} lesson @param {number | "done"} step counted from 1 */
export const keepProgress = (lesson, step) => { remembered(nameOf(lesson), String(step)); };

/** Where the guesses of a lesson lie; its answers are of one model. @param {Lesson} lesson */
const guessesAt = ({ name, model }) => `${nameOf(name)}-guesses-${model}`;

/** What is kept, which anybody can write. @param {Lesson} lesson @returns {Map<string, any>} by the step's id */
function keptOf(lesson) {
  try {
    const said = JSON.parse(remembered(guessesAt(lesson)) || "{}");
    return new Map(Object.entries(said ?? {}));
  } catch {
    return new Map();
  }
}

/**
 * The guesses that were kept of a lesson, by the ids of its steps: null where the answer was only shown.
 * @param {Lesson} lesson
 * @returns {Map<string, any>}
 */
export function guessesOf(lesson) {
  const kept = keptOf(lesson);
  return new Map(lesson.steps.flatMap(({ id, ask }) => (ask && kept.has(id) && isGuessOf(ask, kept.get(id))
    ? [/** @type {[string, any]} */ ([id, kept.get(id)])] : [])));
}

/** Keeps what was guessed at a step. @param {Lesson} lesson @param {string} id @param {any} guess null: it was shown */
export const keepGuess = (lesson, id, guess) => {
  remembered(guessesAt(lesson), JSON.stringify({ ...Object.fromEntries(guessesOf(lesson)), [id]: guess }));
};

/** The lesson as nobody has begun it. @param {Lesson} lesson */
export const forgetGuesses = (lesson) => { remembered(guessesAt(lesson), ""); };

/** A lesson and its step in a link: "first-look.3". @param {?string} said */
export function placeIn(said) {
  const found = /^([a-z0-9-]+)(?:\.([1-9]\d{0,2}))?$/.exec(said ?? "");
  return found ? { name: found[1], step: Number(found[2] ?? 1) } : null;
}

/** @param {string} name @param {number} step counted from 1 */
export const placeOfStep = (name, step) => `${name}.${step}`;

const MADE = "lesson-made";

/** The lesson that was made here: its name and the text of its file; null where there is none. */
export function lessonMade() {
  const [name, written] = [remembered(`${MADE}-name`), remembered(MADE)];
  return name && written ? { name, written } : null;
}

/** @param {?{name: string, written: string}} made null: it is thrown away */
export function keepMade(made) {
  remembered(`${MADE}-name`, made?.name ?? "");
  remembered(MADE, made?.written ?? "");
}
