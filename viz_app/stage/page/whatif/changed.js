// What the reader's last change of the model's arithmetic did to the translation. Pure.

import { quoted } from "../../draw/labels.js";
import { editLabel } from "./edits.js";

/**
 * It in words; null where the last change was another one, or another word is looked at since.
 * @param {Words} t
 * @param {State} state
 * @param {{label: string}[]} source
 */
export function changedText(t, state, source) {
  const changed = lastEdit(state);
  if (!changed || changed.at !== state.at) return null;
  const { came, went, before, now } = changed;
  const edits = came.length ? came : went;
  const hidden = came.map((edit) => /^hide:(\d+)$/.exec(edit)?.[1]);
  const what = came.length > 0 && hidden.every(Boolean)
    ? t("changed_hidden", { word: quoted(hidden.map((place) => source[Number(place) - 1].label).join("")) })
    : t(came.length ? "changed_with" : "changed_without", { edits: edits.map((edit) => editLabel(t, edit, source)).join(", ") });
  return what + (before === now ? t("changed_nothing") : t("changed_words", { before, now }));
}

/**
 * The edits that came and went with the last change, and the cursor's place then; null where the last
 * change was another one.
 * @param {{run: ?Run, dropped: ?Dropped}} state
 */
export function lastEdit({ run, dropped }) {
  if (!run || !dropped || !run.finished || !dropped.run.finished) return null;
  const [before, now] = [dropped.run.recipe.edits ?? [], run.recipe.edits ?? []];
  const came = now.filter((edit) => !before.includes(edit));
  const went = before.filter((edit) => !now.includes(edit));
  return came.length + went.length === 0 ? null
    : { came, went, at: Math.min(dropped.at, run.steps.length - 1), ...difference(dropped.run.text, run.text) };
}

/**
 * Of two texts the words from the first that differs to the last; both "" where none does.
 * @param {string} before
 * @param {string} now
 */
export function difference(before, now) {
  const [a, b] = [before.split(" "), now.split(" ")];
  const least = Math.min(a.length, b.length);
  let same = 0;
  while (same < least && a[same] === b[same]) same += 1;
  if (same === a.length && same === b.length) return { before: "", now: "" };
  let end = 0;
  while (end < least - same && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  // Where nothing is left of one of them, the word before it says where that was.
  const from = same + end >= least ? Math.max(0, same - 1) : same;
  const last = /[.!?]$/u; // the end of the sentence is told where it differs
  const areLast = end === 0 && last.test(before) && before.at(-1) === now.at(-1);
  const [was, is] = [a, b].map((words) => words.slice(from, words.length - end).join(" "))
    .map((text) => (areLast ? text.replace(last, "") : text));
  return { before: was, now: is };
}
