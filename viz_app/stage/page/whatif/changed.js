// What the reader's last change of the model's arithmetic did to the translation. Pure.

import { heldAs } from "../../run/readings.js";
import { labelOfWord, quoted } from "../../draw/labels.js";
import { shareText, smallShare } from "../../draw/numbers.js";
import { editGroups, groupLabel, wordHidden } from "./groups.js";

/**
 * It in words; null where the last change was another one, or another word is looked at since.
 * @param {Words} t
 * @param {State} state
 * @param {Label[]} source
 */
export function changedText(t, state, source) {
  const changed = lastEdit(state);
  if (!changed || changed.at !== state.at) return null;
  const { came, went, before, now } = changed;
  const groups = editGroups(came.length ? came : went, state.run.source);
  const hidden = came.length > 0 ? wordHidden(groups.flat(), source) : null;
  const what = hidden !== null ? t("changed_hidden", { word: quoted(hidden) })
    : t(came.length ? "changed_with" : "changed_without", { edits: groups.map((group) => groupLabel(t, group, source)).join(t("list_between")) });
  const chance = chanceOf(state);
  return what + (before === now ? t("changed_nothing") : t("changed_words", { before, now }))
    + (chance ? t("changed_chance", { word: quoted(chance.word), was: shareText(chance.was), now: shareText(chance.now) }) : "");
}

/**
 * How many nats a token of the translation loses where the source tokens that an edit hides are hidden;
 * null where that was not measured. Measured was each word, after the tokens that stood before it.
 * @param {Run} run before the edit
 * @param {string[]} came
 * @param {number} step
 */
function lostBy(run, came, step) {
  const changes = run.held.get(heldAs("hidden", "cross", 0));
  if (!changes) return null;
  const isIt = (/** @type {number[]} */ places) =>
    places.length === came.length && places.every((place) => came.includes(`hide:${place + 1}`));
  const word = run.held.get("words").find(isIt);
  if (word) return changes[step * run.source.ids.length + word[0]] ?? null;
  const runs = run.held.get("runs") ?? []; // of characters that are one word
  const at = runs.findIndex(isIt);
  return at < 0 ? null : run.held.get("run_values")[step * runs.length + at] ?? null;
}

/**
 * How likely the word at hand was before the last change, and is after it; null where that is not known.
 * @param {State} state
 */
function chanceOf(state) {
  const { run: was, at } = /** @type {Dropped} */ (state.dropped);
  const { came } = /** @type {NonNullable<ReturnType<typeof lastEdit>>} */ (lastEdit(state));
  const word = (was.target.words ?? []).find((/** @type {number[]} */ places) => places.includes(at + 1)) ?? [at + 1];
  const steps = word.map((/** @type {number} */ place) => place - 1).filter((/** @type {number} */ step) => was.chosen[step]);
  const before = steps.reduce((sum, step) => sum + was.chosen[step].log_probability, 0);
  const lost = steps.reduce((sum, step) => sum + (lostBy(was, came, step) ?? NaN), 0);
  return steps.length === 0 || Number.isNaN(lost) || was.target.kinds[word[0]] !== "text" ? null
    : { word: labelOfWord(word.map((/** @type {number} */ place) => ({ label: was.target.texts[place], piece: was.target.pieces[place] }))), was: Math.exp(before), now: Math.exp(before + lost) };
}

/**
 * Candidates with what they were before the last change, where they follow the same tokens; what was written
 * then is among them, in the last place where it is not one of the best. `note`: what is drawn of it, `numbers`: both.
 * @template {{token: number, log_probability: number, rank: number}} One
 * @param {Words} t
 * @param {State} state
 * @param {One[]} best
 * @returns {(One & Pick<Follower, "lost" | "note" | "numbers"> & {before?: number})[]}
 */
export function withBefore(t, state, best) {
  const changed = lastEdit(state);
  const { run, at, dropped } = state;
  if (!changed || !dropped || changed.at !== at) return best;
  const [was, chosen] = [dropped.run.steps[at], dropped.run.chosen[at]];
  const [fed, now] = [dropped.run, run].map(({ target }) => target.ids.slice(0, at + 1).join());
  if (!was || !chosen || fed !== now) return best;
  const change = lostBy(dropped.run, changed.came, at);
  const isListed = change === null || best.some(({ token }) => token === chosen.token);
  const last = best.length - 1;
  /** @type {any[]} */
  const all = isListed ? best : [...best.slice(0, last), { ...chosen, rank: last, log_probability: chosen.log_probability + change }];
  return all.map((one) => {
    const before = was.candidates.find(({ token }) => token === one.token);
    return before ? { ...one, before: Math.exp(before.log_probability),
      lost: one.token === chosen.token && one.token !== run.chosen[at]?.token,
      note: t("candidates_before"), numbers: t("candidate_before", { was: smallShare(Math.exp(before.log_probability)), now: smallShare(Math.exp(one.log_probability)) }) } : one;
  });
}

/**
 * Where the cursor stands once a change was made: at the first token that is another one now. All that is fed
 * before it is as it was, so what could come next can be compared with what could before.
 * @param {{recipe: Recipe}} before
 * @param {number} at
 * @param {{recipe: Recipe, finished: ?string}} next
 */
export function placeAfter({ recipe: { target: was } }, at, { recipe: { target: now }, finished }) {
  if (!finished) return at;
  const first = now.findIndex(({ token }, place) => was[place]?.token !== token);
  return Math.min(first < 0 ? at : first, now.length - 1);
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
    : { came, went, at: placeAfter(dropped.run, dropped.at, run), ...difference(dropped.run.text, run.text) };
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
  const last = /[.!?。！？]$/u; // the end of the sentence is named where it differs
  const areLast = end === 0 && last.test(before) && before.at(-1) === now.at(-1);
  const [was, is] = [a, b].map((words) => words.slice(from, words.length - end).join(" "))
    .map((text) => (areLast ? text.replace(last, "") : text));
  return { before: was, now: is };
}
