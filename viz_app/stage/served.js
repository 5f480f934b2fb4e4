// The stage where a server is: how it asks, and what it fetches of the server while it runs.

import { firstLanguageOf, mountStage } from "./mount.js";

/**
 * How the stage asks the server. What came back without being an answer is undefined.
 * @param {string} address
 * @returns {Transport}
 */
export const askAt = (address) => async (request, signal) => {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify(request);
  const got = await fetch(address, { method: "POST", headers, body, signal });
  const answer = await got.json();
  return got.ok || answer.error ? answer : undefined;
};

/**
 * Fills an empty element with the stage, once the words of the reader's language are there, and the
 * models that were opened since the page was made.
 * @param {HTMLElement} element
 * @param {PageOptions} options
 * @param {Transport} transport
 * @param {StageParts} parts
 * @param {WordsApart} apart
 */
export async function startStage(element, options, transport, parts, apart) {
  const language = firstLanguageOf(options, apart.languages);
  const brought = options.layouts ? transport({ brought: true }).catch(() => null) : null;
  const [words, answer] = await Promise.all([apart.fetched(language), brought]);
  /** @type {Model[]} */
  const models = answer?.models ?? [];
  const known = options.models.map(({ name }) => name);
  options.models.push(...models.filter(({ name }) => !known.includes(name)));
  return mountStage(element, { ...options, words: { [language]: words }, apart }, transport, parts);
}
