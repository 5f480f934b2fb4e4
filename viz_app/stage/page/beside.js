// Two texts as words, one above the other: what differs is marked.

import { html } from "./html.js";

const MANY = 14; // words of a line; more are written smaller

/** The words of two texts that stand beside each other. @typedef {[string | null, string | null][]} WordPairs */

/**
 * Whether a place of the two lines differs.
 * @param {(string | null)[]} pair
 */
export const differs = ([a, b]) => a !== b;

const MARK = /^[.,…。，、）)]+$/; // no space stands before it

/** @param {(string | null)[]} pair */
const isMark = (pair) => pair.every((word) => word === null || MARK.test(word));

/**
 * The places, each with the marks after it: they stay on its line.
 * @param {WordPairs} words
 */
function withMarks(words) {
  /** @type {WordPairs[]} */
  const groups = [];
  for (const pair of words) {
    const last = groups.at(-1);
    if (last && isMark(pair)) last.push(pair);
    else groups.push([pair]);
  }
  return groups;
}

/** @param {string | null} word @param {boolean} isOther */
const written = (word, isOther) => html`
  <span class="beside-word${isOther ? " other" : ""}${word === null ? " none" : ""}" dir="auto">${word ?? ""}</span>`;

/**
 * @param {WordPairs} words
 * @param {[unknown, unknown]} names what stands before each line
 * @param {string} label what both say, for the ear
 */
export const besideWords = (words, names, label) => html`
  <div class="beside-words${words.length > MANY ? " many" : ""}" role="img" aria-label=${label}>
    <span class="beside-pair names">${names}</span>
    ${withMarks(words).map((pairs) => html`
      <span class="beside-pair">${[0, 1].map((line) => html`<span class="beside-unit">${pairs.map((pair) => written(pair[line], differs(pair)))}</span>`)}</span>`)}</div>`;
