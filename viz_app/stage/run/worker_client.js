// Answers where no server is: those that came with the page, else those of a worker, which computes them
// with the very program that a server runs. It is begun by the first question that needs it. Pure but
// for the worker, which is given to it.

import { keyOf } from "./ahead.js";
import { lessonAtHand, answerHeld, same, viewAtHand } from "./lessons.js";

const LOST = { error: { code: "engine_lost" } };
const SHOWN_BYTES = 5e5; // what is left is said in such steps

/**
 * What computes in the page: it is "off", is "fetched", "starts", is "ready", or is "lost"; how many
 * bytes are still to be fetched, about; and whether somebody waits for an answer.
 * @typedef {{phase: "off" | "fetched" | "starts" | "ready" | "lost", left: number, asked: boolean}} WorkerState
 * @typedef {{postMessage: function(any): void, terminate: function(): void, onmessage: any,
 *   onerror: any}} WorkerLike
 * @typedef {{post: function(): void, end: function(any): void, isSent: boolean, isAhead: boolean,
 *   isAsked: boolean}} Awaited
 * @typedef {ReturnType<typeof makeWorkerClient>} WorkerClient
 */

/** Whether a visitor does not want to load what nobody asked for. @param {{saveData?: boolean, effectiveType?: string}} [connection] */
export const isMetered = ({ saveData = false, effectiveType = "" } = /** @type {any} */ (navigator).connection ?? {}) =>
  saveData || effectiveType.includes("2g");

/**
 * What gives the answer that came with a page; undefined where none did. Each answers exactly what was
 * asked: a field more, or another recipe, is another question. Of links those of the steps of a lesson
 * are known; any other gives undefined.
 * @param {Payload} payload
 * @param {AnswerAtHand[]} answers
 * @param {?LessonMenu} [menu] the lessons there are
 * @returns {function(any): (function(): Promise<any>) | undefined}
 */
export function recordedWith(payload, answers, menu = null) {
  const own = keyOf(payload.recipe, null);
  const whole = keyOf({ ...payload.recipe, target: [] }, null);
  return ({ room, recipe, extend, force = null, begins, lesson, lessons, link, ...said }) => {
    if (lessons) return menu ? async () => menu : undefined;
    if (lesson) {
      const taught = lesson.model ? lessonAtHand(answers, lesson) : undefined;
      return taught && (() => answerHeld(taught));
    }
    if (link !== undefined) {
      const view = viewAtHand(answers, link);
      return view && (async () => {
        const found = await view();
        return found ? { ...payload, view: found } : undefined;
      });
    }
    if (room === undefined) {
      const isWhole = recipe && ["end", "opening"].includes(extend) && force === null
        && begins === undefined && keyOf(recipe, null) === whole;
      return isWhole ? async () => payload : undefined;
    }
    if (keyOf(recipe, null) !== own) return undefined;
    const found = answers.filter((one) => one.room === room
      && Object.keys({ ...one.asked, ...said }).every((name) => same(one.asked[name], said[name]))).at(-1);
    return found && (() => answerHeld(found));
  };
}

/**
 * @param {Object} how
 * @param {function(): WorkerLike} how.open starts the worker
 * @param {any} how.start what it gets first
 * @param {Record<string, number>} how.sizes bytes that it fetches before it is ready: of its scripts and
 *     parts, and of the model, by name
 * @param {function(any): (function(): Promise<any>) | undefined} how.recorded
 */
export function makeWorkerClient({ open, start, sizes, recorded }) {
  /** @type {?WorkerLike} */
  let worker = null;
  /** Bytes that are still to be fetched, by part. @type {Record<string, number>} */
  let parts = { ...sizes };
  const leftNow = () => SHOWN_BYTES * Math.ceil(Object.values(parts).reduce((a, b) => a + b, 0) / SHOWN_BYTES);
  /** @type {WorkerState} */
  let state = { phase: "off", left: leftNow(), asked: false };
  let computes = ""; // what computes, as files name it
  let isSole = false; // what was recorded is not used
  let last = 0;
  /** @type {Map<number, Awaited>} */
  const awaited = new Map();
  /** @type {Set<function(WorkerState): void>} */
  const listeners = new Set();

  /** @param {WorkerState["phase"]} phase */
  function become(phase) {
    const next = { phase, left: leftNow(), asked: [...awaited.values()].some(({ isAsked }) => isAsked) };
    if (same(next, state)) return;
    state = next;
    for (const listener of listeners) listener(state);
  }

  /** Nothing is answered any more, until something is asked again. */
  function lose() {
    worker?.terminate();
    worker = null;
    parts = { ...sizes };
    for (const { end } of [...awaited.values()]) end(LOST);
    become("lost");
  }

  /** @param {any} said */
  function take({ id, answer, failure, progress, ready, computes: by }) {
    if (progress) {
      parts[progress.model ?? progress.part] = Math.max(0, progress.total - progress.loaded);
      become(state.phase === "ready" ? "ready" : leftNow() > 0 ? "fetched" : "starts");
    } else if (ready) {
      parts = {};
      computes = by;
      become("ready");
      for (const { post } of [...awaited.values()]) post();
    } else if (id === undefined) lose();
    else {
      const isLost = failure?.code === "fetch"; // of a model
      if (isLost) parts = {};
      awaited.get(id)?.end(isLost ? LOST : answer ? { ...answer, by: computes } : { error: failure });
    }
  }

  /** Starts the worker, if it is not. */
  function begin() {
    if (worker) return;
    delete parts.scripts; // which nobody counts while they come
    become("fetched");
    worker = open();
    worker.onmessage = (/** @type {MessageEvent} */ { data }) => take(data);
    worker.onerror = lose;
    worker.postMessage({ start });
  }

  /**
   * What the worker answers; nothing where the question is stale before it is computed.
   * @param {any} request
   * @param {(AbortSignal | undefined)[]} signals
   * @param {boolean} quiet
   */
  const computed = (request, signals, quiet) => new Promise((resolve) => {
    last += 1;
    const id = last;
    const one = {
      isSent: false,
      isAhead: "next" in request,
      isAsked: !quiet && !("next" in request),
      post() {
        if (one.isSent) return;
        one.isSent = true;
        worker?.postMessage({ id, request });
      },
      end(/** @type {any} */ answer) {
        awaited.delete(id);
        resolve(answer);
        become(state.phase);
      },
    };
    awaited.set(id, one);
    const drop = () => {
      if (!awaited.has(id)) return;
      if (one.isSent) worker?.postMessage({ drop: id });
      one.end(undefined);
    };
    if (signals.some((signal) => signal?.aborted)) return drop();
    for (const signal of signals) signal?.addEventListener("abort", drop);
    // What only may be asked makes way for what is.
    if (!one.isAhead) {
      for (const [other, { isAhead, end }] of [...awaited]) {
        if (!isAhead) continue;
        worker?.postMessage({ drop: other });
        end(undefined);
      }
    }
    if (state.phase === "ready") one.post();
    become(state.phase);
  });

  /** @type {Transport} */
  async function transport(request, signal, { stale, quiet = false } = {}) {
    if (request.status !== undefined) return { status: { phase: "ready", waiting: 0, at_once: 1 } };
    const known = isSole && request.recipe ? undefined : recorded(request);
    const answer = known && await known();
    if (answer) return answer;
    if ("next" in request && (state.phase !== "ready" || awaited.size > 0)) return undefined;
    // What nobody asked for waits until the worker is begun for something else.
    if (!quiet && !("next" in request)) begin();
    return computed(request, [signal, stale], quiet);
  }

  return {
    transport,
    begin,
    now: () => state,
    isReady: () => state.phase === "ready",
    /** Whether it computes everything, also what was recorded. @param {boolean} now */
    sole(now) {
      isSole = now;
    },
    /** Calls a function with every new state. @param {function(WorkerState): void} listener @param {AbortSignal} [ends] ends that */
    whenTold(listener, ends) {
      listeners.add(listener);
      ends?.addEventListener("abort", () => listeners.delete(listener));
    },
  };
}
