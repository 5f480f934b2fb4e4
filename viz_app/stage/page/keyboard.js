// The keys of the whole stage. They stay out of fields, of open dialogs and of shortcuts with a
// modifier, and out of the rest of the page. Those of a single character can be switched off: who
// speaks to a computer, or presses keys by accident, would set them off.

import { isComposing, isShortcut, OVER } from "./elements.js";
import { ofHead, toggled } from "../run/edits.js";
import { remembered } from "../keep/remembered.js";
import { editsOf, lastStepOf } from "../run/able.js";

const STEPPING = ["ArrowLeft", "ArrowRight", "Home", "End", " "];

/**
 * Listens on the document until `signal` aborts.
 * @param {HTMLElement} root the stage
 * @param {Session} session
 * @param {Record<string, function(): any>} parts order, candidates, moves, showHelp, showExport, showAsking
 * @param {AbortSignal} signal
 */
export function listenToKeys(root, { state, actions }, parts, signal) {
  /** @param {number} turn */
  function nextHead(turn) {
    const order = parts.order();
    const lock = state.locks[state.site];
    const at = order.findIndex((/** @type {Head} */ { layer, head }) => layer === lock.layer && head === lock.head);
    const next = order[at + turn];
    if (next) actions.lock(next.layer, next.head);
  }

  /** @param {number} place */
  function take(place) {
    const candidate = parts.candidates()[place];
    if (candidate) actions.force(candidate.token);
  }

  /** @type {Record<string, function(): void>} */
  const moves = {
    ArrowLeft: () => actions.back(),
    ArrowRight: () => actions.step(),
    ArrowUp: () => nextHead(-1),
    ArrowDown: () => nextHead(1),
    Home: () => (state.room === "translate" ? actions.walk() : actions.moveTo(0, state.stepping)),
    End: () => actions.moveTo(lastStepOf(state), false),
    Enter: () => take(0),
    " ": () => actions.togglePlay(),
    "?": () => parts.showHelp(),
    e: () => parts.showExport(),
    "/": () => parts.showAsking(),
    x: () => {
      const edit = ofHead("head-off", state.site, state.locks[state.site]);
      if (actions.canEdit("head-off")) actions.edit(toggled(editsOf(state), edit));
    },
  };

  /** @param {any} event */
  const isUndo = (event) => event.key.toLowerCase() === "z" && !event.shiftKey && !event.altKey
    && (event.ctrlKey || event.metaKey);

  /** @param {any} event */
  function isOurs(event) {
    if (event.defaultPrevented) return false;
    if (isShortcut(event) && !isUndo(event)) return false;
    if (isComposing(event) || root.getClientRects().length === 0) return false;
    const at = event.target instanceof Element ? event.target : document.body;
    // Until the next frame the focus stays in a dialog that has just been closed.
    const target = at.closest("dialog:not([open])") ? root : at;
    if (target !== document.body && !root.contains(target)) return false;
    if (target.closest("input, select, textarea, [contenteditable], dialog")) return false;
    // Buttons keep Enter and Space; a scrolling box keeps the keys that scroll it.
    if (target.closest("button, summary, a") && (event.key === "Enter" || event.key === " ")) {
      return false;
    }
    return !target.closest(".table-box") || !/^(Arrow|Home|End| )/.test(event.key);
  }

  document.addEventListener("keydown", (event) => {
    if (!isOurs(event)) return;
    if (isUndo(event)) {
      if (!actions.canUndo()) return;
      event.preventDefault();
      actions.undo();
      return;
    }
    if (event.key === "Escape") {
      if (root.querySelector(OVER) || state.lesson !== null || state.room !== "translate" || !state.isPlaybackOpen || !state.run?.finished) return;
      event.preventDefault();
      actions.leave();
      return;
    }
    if (/^[^ ]$/u.test(event.key) && remembered("shortcuts") === "no") return;
    const key = /^[A-Z]$/.test(event.key) ? event.key.toLowerCase() : event.key; // with Shift or Caps Lock
    const here = state.room === "translate" || (state.room === "compare" && STEPPING.includes(key));
    const own = here || ["?", "e", "/"].includes(key) ? moves : parts.moves();
    if (Object.hasOwn(own, key)) {
      event.preventDefault();
      own[key]();
    } else if (own === moves && /^[1-9]$/.test(event.key)) {
      event.preventDefault();
      take(Number(event.key) - 1);
    }
  }, { signal });
}
