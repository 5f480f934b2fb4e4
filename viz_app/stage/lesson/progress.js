// How far the reader came in each lesson: remembered like the page's other small choices.

import { remembered } from "../keep/remembered.js";

const DONE = "done";
const nameOf = (/** @type {string} */ lesson) => `lesson-${lesson}`;

/** The step to go on with, counted from 1, or "done"; null where nobody began. @param {string} lesson */
export function progressOf(lesson) {
  const said = remembered(nameOf(lesson));
  return said === DONE ? DONE : /^[1-9]\d*$/.test(said ?? "") ? Number(said) : null;
}

/** @param {string} lesson @param {number | "done"} step counted from 1 */
export const keepProgress = (lesson, step) => { remembered(nameOf(lesson), String(step)); };

/** A lesson and its step in a link: "first-look.3". @param {?string} said */
export function placeIn(said) {
  const found = /^([a-z0-9-]+)(?:\.([1-9]\d{0,2}))?$/.exec(said ?? "");
  return found ? { name: found[1], step: Number(found[2] ?? 1) } : null;
}

/** @param {string} name @param {number} step counted from 1 */
export const placeOfStep = (name, step) => `${name}.${step}`;
