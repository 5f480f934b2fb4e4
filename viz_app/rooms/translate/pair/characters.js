// What is said where a word is a character: a script without spaces does not show where words end, and the
// core then takes every token as one.

import { IN_COLUMNS } from "../../../stage/draw/labels.js";
import { showsWords } from "../../../stage/run/units.js";

const LETTER = /\p{L}/u;

/** Whether a word is one character of such a script. @param {string} text */
const isCharacter = (text) => [...text].length === 1 && LETTER.test(text) && IN_COLUMNS.test(text);

/** @param {Words} t @param {State} state */
export function charactersSaid(t, state) {
  const { run } = state;
  if (!run || !showsWords(state)) return "";
  const isThere = [run.source, run.target].some(({ texts, kinds, words = [] }) =>
    words.some(([place, ...more]) => more.length === 0 && kinds[place] === "text" && isCharacter(texts[place].trim())));
  return isThere ? t("characters_said") : "";
}
