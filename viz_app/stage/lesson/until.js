// When a step of a lesson is done: a closed list of questions about what the page shows. Pure.

import { columnUnits, rowUnits, unitAt } from "../run/units.js";

/**
 * What the page shows, as far as a lesson asks for it.
 * @typedef {Object} Seen
 * @property {State} state
 * @property {Record<string, any>} choices the view of the open room
 * @property {boolean} isAnswered whether the reader has answered, or was shown the answer
 * @property {string} source the sentence that the step began with
 */

/** @param {?Head} lock @param {Head} head */
const isHead = (lock, { layer, head }) => lock?.layer === layer && lock.head === head;

/** Whether a cell that was kept is this one, or stands for the same words. @param {State} state @param {Cell} cell */
function isKept(state, { query, key }) {
  const kept = state.cells[state.site];
  if (!kept) return false;
  const [rows, columns] = [rowUnits(state), columnUnits(state)];
  return unitAt(rows, kept.query) === unitAt(rows, query) && unitAt(columns, kept.key) === unitAt(columns, key);
}

/** @type {Record<string, (until: any, seen: Seen) => boolean>} */
const REACHED = {
  answered: (_, { isAnswered }) => isAnswered,
  at: ({ step }, { state }) => state.at === step && state.run.chosen.length > step, // and what it writes is chosen
  kept: (cell, { state }) => isKept(state, cell),
  lock: ({ site, ...head }, { state }) => state.site === site && isHead(state.locks[/** @type {Site} */ (site)], head),
  room: ({ room }, { state }) => state.room === room,
  view: ({ room, field, value }, { state, choices }) => {
    const now = (room === "translate" ? /** @type {any} */ (state)[field] : choices[field]) ?? null;
    return state.room === room && (Array.isArray(now) ? now : [now]).some((one) => String(one) === String(value));
  },
  edit: ({ edit }, { state }) => (state.run.recipe.edits ?? [])
    .some((one) => one === edit || one.startsWith(`${edit}:`)),
  "edits-empty": (_, { state }) => (state.run.recipe.edits ?? []).length === 0,
  "source-changed": (_, { state, source }) => state.run.recipe.source !== source,
  target: ({ step, token }, { state }) => state.run.recipe.target[step]?.token === token,
  strategy: ({ strategy }, { state }) => state.strategy.kind === strategy,
  all: ({ of }, seen) => of.every((/** @type {any} */ one) => isReached(one, seen)),
};

const ALONE = ["answered", "at", "kept", "lock", "room"]; // what a page that computes nothing can come to

/** Whether a step leads where only a page that computes can come. @param {any} until @returns {boolean} */
export const needsApp = ({ kind, of = [] }) => (kind === "all" ? of.some(needsApp) : !ALONE.includes(kind));

/**
 * Whether the reader has gone elsewhere than a step leads: to another head than where it began.
 * @param {any} until
 * @param {Pick<Seen, "state">} seen
 * @param {State["locks"]} began the heads that the step began with
 */
export function isMissed({ kind, site, ...head }, { state }, began) {
  if (kind !== "lock" || state.site !== site) return false;
  const [lock, first] = [state.locks, began].map((locks) => locks[/** @type {Site} */ (site)]);
  return lock !== null && !isHead(lock, head) && (first === null || !isHead(lock, first));
}

/**
 * Whether the page is where a step leads. What is not on the list never is.
 * @param {any} until
 * @param {Seen} seen
 */
export function isReached(until, seen) {
  return seen.state.run !== null && Object.hasOwn(REACHED, until?.kind ?? "") && REACHED[until.kind](until, seen);
}
