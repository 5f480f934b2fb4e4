// Both translations as words, one above the other: what differs is marked.

import { html, nothing } from "../../../stage/page/html.js";

const MANY = 14; // words of a line; more are written smaller

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
 * @param {CompareHeld["words"]} words
 */
function withMarks(words) {
  /** @type {CompareHeld["words"][]} */
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
  <span class="compare-word${isOther ? " other" : ""}${word === null ? " none" : ""}" dir="auto">${word ?? ""}</span>`;

/** @param {string} run */
const badge = (run) => html`<span class="compare-badge" data-run=${run}>${run.toUpperCase()}</span>`;

/**
 * @param {Words} t
 * @param {CompareHeld} answer
 */
export function compareWords(t, { words, runs }) {
  if (words.length === 0) return nothing;
  const [a, b] = runs.map(({ text }) => text);
  return html`
    <div class="compare-words${words.length > MANY ? " many" : ""}" role="img" aria-label=${t("compare_words", { a, b })}>
      <span class="compare-pair badges">${badge("a")}${badge("b")}</span>
      ${withMarks(words).map((pairs) => html`
        <span class="compare-pair">${[0, 1].map((run) => html`<span class="compare-unit">${pairs.map((pair) => written(pair[run], differs(pair)))}</span>`)}</span>`)}</div>`;
}
