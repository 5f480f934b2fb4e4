// What computes in the page where no server is: what it waits for, in words.

import { fixed } from "../draw/numbers.js";
import { html, nothing } from "./html.js";

const MEGABYTE = 1e6;

/** Whether it is about to answer, or says what it waits for. @param {NonNullable<State["worker"]>} worker */
const isIdle = ({ phase, left }) => phase === "ready" && left === 0;

/**
 * What is said of it, for a line that is read out when it changes; how much is left is not.
 * @param {Words} t
 * @param {?State["worker"]} worker
 */
export function workerSays(t, worker) {
  if (!worker) return nothing;
  const { phase, left } = worker;
  const n = fixed(left / MEGABYTE, 1);
  const isMore = phase === "ready" && left > 0; // another model
  return html`${t(`engine_${isMore ? "more" : phase}`, { n })}${isMore || phase === "fetched"
    ? html`<span aria-live="off">${t("engine_left", { n })}</span>` : nothing}`;
}

/** Whether somebody who asked waits for more than an answer. @param {?State["worker"]} worker */
export const isWorkerAwaited = (worker) => Boolean(worker?.asked) && worker !== null && !isIdle(worker);

/** That this browser answers in place of the server, of the model at hand. @param {Words} t @param {State} state */
export const answersHere = (t, { local, model }) => html`<p class="made" role="status"
  ?hidden=${!local.includes(model.name)}>${t("local_ready")}</p>`;
