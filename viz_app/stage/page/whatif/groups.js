// Edits as a reader counts them: what hides the tokens of one word is one. Pure.

import { labelOfWord } from "../../draw/labels.js";
import { editLabel } from "../../run/edits.js";

const UNSPACED = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]+$/u;

/** @typedef {Partial<Pick<Tokens, "texts" | "words">>} Source */
/** @typedef {Pick<Label, "label" | "piece">[]} Named labels of the source */

/** The place of a source token that an edit hides, counted from 1; 0 where it is another edit. @param {string} [edit] */
const placeOf = (edit = "") => Number(/^hide:(\d+)$/.exec(edit)?.[1] ?? 0);

/**
 * The edits of a recipe, those together that hide neighbouring tokens of one word, in the order of the sentence.
 * In a script without spaces every character is a word of the sentence, and neighbours are one here.
 * @param {string[]} edits
 * @param {?Source} source
 */
export function editGroups(edits, source) {
  const { texts = [], words = [] } = source ?? {};
  /** @type {string[][]} */
  const groups = [];
  for (const edit of [...edits].sort((a, b) => placeOf(a) && placeOf(b) && placeOf(a) - placeOf(b))) {
    const last = groups.at(-1);
    const pair = [placeOf(last?.at(-1)) - 1, placeOf(edit) - 1];
    const isNext = pair[0] >= 0 && pair[1] === pair[0] + 1;
    if (last && isNext && (words.some((word) => pair.every((at) => word.includes(at)))
      || pair.every((at) => UNSPACED.test(texts[at])))) last.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

/** The word that a group hides; null where it is another edit. @param {string[]} group @param {Named} tokens */
export const wordHidden = (group, tokens) => (group.every(placeOf)
  ? labelOfWord(group.map((edit) => tokens[placeOf(edit) - 1])) : null);

/** What edits that are one to the reader are called. @param {Words} t @param {string[]} group @param {Named} tokens */
export const groupLabel = (t, group, tokens) => (group.length > 1 ? t("edit_hide", { token: wordHidden(group, tokens) })
  : editLabel(t, group[0], tokens));

/** What all edits are called, a word at a time. @param {Words} t @param {string[]} edits @param {?Source} source @param {Named} tokens */
export const editsNamed = (t, edits, source, tokens) => editGroups(edits, source).map((group) => groupLabel(t, group, tokens));
