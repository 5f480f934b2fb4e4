// Edits as a reader counts them: what hides the tokens of one word is one. Pure.

import { labelOfWord } from "../../draw/labels.js";
import { editLabel } from "../../run/edits.js";

const UNSPACED = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]+$/u;

/** The place of a source token that an edit hides, counted from 1; 0 where it is another edit. @param {string} edit */
const placeOf = (edit) => Number(/^hide:(\d+)$/.exec(edit)?.[1] ?? 0);

/**
 * Places next to each other, apart where a word of the sentence begins; in a script without spaces every
 * character is a word of the sentence, and neighbours are one here.
 * @param {number[]} places from 1
 * @param {Partial<Pick<Tokens, "texts" | "words">>} source
 * @returns {number[][]}
 */
function wordsAmong(places, { texts = [], words = [] }) {
  const wordOf = (/** @type {number} */ place) => words.find((word) => word.includes(place - 1)) ?? place;
  const isUnspaced = (/** @type {number} */ place) => UNSPACED.test(texts[place - 1] ?? "");
  /** @type {number[][]} */
  const found = [];
  for (const place of places) {
    const before = found.at(-1)?.at(-1);
    const goesOn = before === place - 1 && (wordOf(before) === wordOf(place) || (isUnspaced(before) && isUnspaced(place)));
    if (goesOn) found.at(-1)?.push(place);
    else found.push([place]);
  }
  return found;
}

/**
 * The edits, those together that hide neighbouring tokens of one word, in the order of the sentence.
 * @param {string[]} edits
 * @param {?Partial<Pick<Tokens, "texts" | "words">>} source
 * @returns {string[][]}
 */
export function editGroups(edits, source) {
  const places = edits.map(placeOf).filter(Boolean).sort((a, b) => a - b);
  const hides = wordsAmong(places, source ?? {}).map((word) => word.map((place) => `hide:${place}`));
  const first = edits.findIndex(placeOf);
  const others = edits.filter((edit) => !placeOf(edit)).map((edit) => [edit]);
  return first < 0 ? others : [...others.slice(0, first), ...hides, ...others.slice(first)];
}

/**
 * What edits that are one to the reader are called.
 * @param {Words} t
 * @param {string[]} group
 * @param {Pick<Label, "label" | "piece">[]} tokens labels of the source
 */
export const groupLabel = (t, group, tokens) => (group.length === 1 ? editLabel(t, group[0], tokens)
  : t("edit_hide", { token: labelOfWord(group.map((edit) => tokens[placeOf(edit) - 1])) }));

/**
 * What all edits are called, a word at a time.
 * @param {Words} t
 * @param {string[]} edits
 * @param {?Partial<Pick<Tokens, "texts" | "words">>} source
 * @param {Pick<Label, "label" | "piece">[]} tokens labels of the source
 */
export const editsNamed = (t, edits, source, tokens) => editGroups(edits, source).map((group) => groupLabel(t, group, tokens));

/**
 * The word that edits hide, in the order of the sentence; null where one of them does something else.
 * @param {string[]} edits
 * @param {Pick<Label, "label" | "piece">[]} tokens labels of the source
 */
export const wordHidden = (edits, tokens) => (edits.length === 0 || !edits.every(placeOf) ? null
  : labelOfWord([...edits].sort((a, b) => placeOf(a) - placeOf(b)).map((edit) => tokens[placeOf(edit) - 1])));
