// What a question that takes long is waiting for: a model that is being opened, or others in line.

import { make, setText } from "./elements.js";
import { titleOfModel } from "./words.js";

export const SLOW_MS = 150; // an answer that takes longer dims the old picture
const WATCH_MS = 400;

/**
 * Asks the server again and again what a slow question waits for.
 * @param {Transport} transport
 * @param {string} model whose answer is awaited, by name
 * @param {function(): boolean} over whether nobody waits any more
 * @param {function(?Status): void} show called with every answer
 */
export async function watchOpening(transport, model, over, show) {
  const pause = () => new Promise((resolve) => { setTimeout(resolve, WATCH_MS); });
  await pause();
  while (!over()) {
    let answer = null;
    try {
      answer = await transport({ status: model });
    } catch {
      // The question itself will say so.
    }
    if (over()) return;
    show(answer?.status ?? null);
    await pause();
  }
}

/**
 * The line that says it, over the place where the picture will be.
 * @param {Words} t
 * @param {Session} session
 */
export function makeOpening(t, { state }) {
  const element = make("p", { class: "opening", role: "status", hidden: true });

  /** @param {Status} parts */
  const inLine = ({ waiting, at_once: limit }) => t("opening_waiting", { n: waiting, limit });

  function words() {
    const { inLine: others, opening, options: { models } } = state;
    if (others && others.waiting > 0) return inLine(others);
    if (!state.slow || (opening === null && state.run)) return "";
    const phase = opening?.phase ?? "begin";
    if (opening && phase === "ready" && opening.waiting > 0) return inLine(opening);
    if (phase === "ready" && state.run) return "";
    const asked = models.find(({ name }) => name === state.asked?.model) ?? state.model;
    return t(`opening_${phase}`, { model: titleOfModel(asked, t) });
  }

  return {
    element,
    update() {
      const text = words();
      setText(element, text);
      element.hidden = text === "";
    },
    drawn: () => (element.hidden ? null : element.textContent),
  };
}
