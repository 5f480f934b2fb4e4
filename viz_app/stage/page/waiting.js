// What a question that takes long is waiting for: a model that is being opened, or others in line.

import { isWorkerAwaited, workerSays } from "./worker_status.js";
import { html } from "./html.js";
import { titleOfModel } from "./words.js";

/** What is waited for, or "". @param {Words} t @param {State} state */
function wordsOf(t, { awaits, run, slow, asked, model, options: { models } }) {
  const { phase = "begin", waiting = 0, at_once: limit = 0 } = awaits ?? {};
  if (phase === "ready" && waiting > 0) return t("opening_waiting", { n: waiting, limit });
  if (!slow || (run && (awaits === null || phase === "ready"))) return "";
  const awaited = models.find(({ name }) => name === asked?.model) ?? model;
  return t(`opening_${phase}`, { model: titleOfModel(awaited, t) });
}

/**
 * The line that says it, over the place where the picture will be.
 * @param {Words} t
 * @param {Session} session
 */
export function waiting(t, { state }) {
  const { worker } = state;
  const isAwaited = isWorkerAwaited(worker);
  const text = worker ? "" : wordsOf(t, state);
  return html`<p class="opening" role="status" ?hidden=${text === "" && !isAwaited}>${
    isAwaited ? workerSays(t, worker) : text}</p>`;
}
