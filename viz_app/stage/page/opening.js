// What a question that takes long is waiting for: a model that is being opened, or others in line.

import { html } from "./html.js";
import { titleOfModel } from "./words.js";

export const SLOW_MS = 150; // an answer that takes longer dims the old picture
const WATCH_MS = 400; // until it is asked what that waits for; half as long again each time
const LONGEST_MS = 2000;

/**
 * Asks the server again and again, and ever less often, what a slow question waits for; of the
 * file `drawing` also how many of its pictures are drawn.
 * @param {Transport} transport
 * @param {string} model whose answer is awaited, by name
 * @param {function(): boolean} over whether nobody waits any more
 * @param {function(?Status): void} show called with every answer that is another one
 * @param {string} [drawing]
 */
export async function watchOpening(transport, model, over, show, drawing) {
  let [wait, shown] = [WATCH_MS, ""];
  const pause = () => new Promise((resolve) => {
    setTimeout(resolve, wait);
    wait = Math.min(1.5 * wait, LONGEST_MS);
  });
  await pause();
  while (!over()) {
    let answer = null;
    try {
      answer = await transport({ status: model, drawing });
    } catch {
      // The question itself will say so.
    }
    if (over()) return;
    const status = answer?.status ?? null;
    const said = JSON.stringify(status);
    if (said !== shown) show(status);
    shown = said;
    await pause();
  }
}

/** What is waited for, or "". @param {Words} t @param {State} state */
function wordsOf(t, { inLine: others, opening, run, slow, asked, model, options: { models } }) {
  /** @param {Status} parts */
  const inLine = ({ waiting, at_once: limit }) => t("opening_waiting", { n: waiting, limit });
  if (others && others.waiting > 0) return inLine(others);
  if (!slow || (opening === null && run)) return "";
  const phase = opening?.phase ?? "begin";
  if (opening && phase === "ready" && opening.waiting > 0) return inLine(opening);
  if (phase === "ready" && run) return "";
  const awaited = models.find(({ name }) => name === asked?.model) ?? model;
  return t(`opening_${phase}`, { model: titleOfModel(awaited, t) });
}

/**
 * The line that says it, over the place where the picture will be.
 * @param {Words} t
 * @param {Session} session
 */
export function opening(t, { state }) {
  const text = wordsOf(t, state);
  return html`<p class="opening" role="status" ?hidden=${text === ""}>${text}</p>`;
}
