// Answers of the visitor's own browser, on a page that a server answers: those that a worker can give, of the
// same weights and the same program. Everything else, and all before it is ready, the server answers.

import { isMetered, makeWorkerClient } from "./worker_client.js";

// An answer that is none: nothing was computed, for a reason that the server does not have.
const UNDONE = ["engine_lost", "engine", "elsewhere", "seconds"];
const MOST_TOLD = 1000; // answers, at a time

/** @typedef {import("./worker_client.js").WorkerClient} WorkerClient */

/**
 * What the server offers, see viz_app/live/offering.py: of which program and which weights it is.
 * @typedef {{base: string, version: string, fingerprints: Record<string, string>, others: string[], limits: string,
 *   sizes: {shared: Record<string, number>, models: Record<string, number>}}} Offered
 */

/**
 * The models of a page whose weights are those that are offered; none of another version of the program.
 * @param {PageOptions} options
 * @param {Offered} offered
 */
export function modelsHere({ models, product }, { version, fingerprints }) {
  const same = models.filter(({ name, fingerprint }) => fingerprint && fingerprints[name] === fingerprint);
  return version === product ? same.map(({ name }) => name) : [];
}

/** The models that a request names, wherever. @param {any} request @returns {string[]} */
function namedIn(request) {
  if (request === null || typeof request !== "object") return [];
  const inside = Object.values(request).flatMap(namedIn);
  return typeof request.model === "string" ? [request.model, ...inside] : inside;
}

/**
 * Whether a worker with these models can answer: decodings and rooms. Which others a room opens by itself
 * may depend on all models there are.
 * @param {any} request
 * @param {string[]} here
 * @param {{models: Model[], others: string[]}} known
 */
export function isAnswerable(request, here, { models, others }) {
  return "recipe" in request && namedIn(request).every((name) => here.includes(name))
    && (!others.includes(request.room) || models.every(({ name }) => here.includes(name)));
}

/**
 * A transport that asks the worker what it can answer, and the server the rest. Of every model the worker first
 * takes a step that nobody waits for: until then the server answers.
 * @param {Object} how
 * @param {Transport} how.ask asks the server
 * @param {WorkerClient} how.worker
 * @param {string[]} how.here the models that it can have
 * @param {{models: Model[], others: string[]}} how.known
 * @param {function(string[]): void} how.tell hears the models that the worker answers for
 * @param {function(): void} how.count hears of every answer of the worker that somebody asked for
 */
export function makeLocal({ ask, worker, here, known, tell, count }) {
  /** @type {string[]} */
  const warm = [];
  /** @type {Set<string>} */
  const asked = new Set();
  let isSole = false;
  const isDone = (/** @type {any} */ answer) => answer && !UNDONE.includes(answer.error?.code);

  /** Lets the worker fetch and open a model. @param {string} name */
  async function warmUp(name) {
    const source = known.models.find((one) => one.name === name)?.examples[0];
    if (!worker.isReady() || asked.has(name) || !source) return;
    asked.add(name);
    if (!isDone(await worker.transport({ recipe: { model: name, source }, extend: 1 }, undefined, { quiet: true }))) return;
    warm.push(name);
    tell([...warm]);
  }

  /** @type {Transport} */
  async function transport(request, signal, more) {
    // What an answer waits for, which comes from here.
    if (warm.includes(request.status) && !request.drawing) return worker.transport(request);
    const names = !isSole && isAnswerable(request, here, known) ? namedIn(request) : [];
    for (const name of names) void warmUp(name);
    if (names.length === 0 || !worker.isReady() || !names.every((name) => warm.includes(name))) {
      return ask(request, signal, more);
    }
    const answer = await worker.transport(request, signal, more);
    if (answer !== undefined && !isDone(answer)) return ask(request, signal, more);
    if (answer && !("next" in request)) count();
    return answer;
  }
  return {
    transport,
    warmUp,
    /** Whether the server answers everything. @param {boolean} now */
    sole(now) {
      isSole = now;
    },
  };
}

/**
 * Tells the server what it cannot see: that this page answers, and in the end how often it did.
 * @param {WorkerClient} worker
 * @param {URL} address
 */
function reporting(worker, address) {
  let [isUp, answers] = [false, 0];
  const report = (/** @type {number} */ local) => navigator.sendBeacon(address,
    new Blob([JSON.stringify({ local })], { type: "application/json" }));
  worker.whenTold(({ phase }) => {
    if (phase === "ready" && !isUp) report(0);
    isUp ||= phase === "ready";
  });
  window.addEventListener("pagehide", () => {
    if (answers > 0) report(Math.min(answers, MOST_TOLD));
    answers = 0;
  });
  return () => { answers += 1; };
}

/**
 * Lets the browser answer, if the server offers it now; resolves to what asks from then on and to what lets the
 * server alone answer, or to null.
 * @param {string} address where the server is asked
 * @param {PageOptions} options
 * @param {Transport} ask
 * @param {function(string[]): void} tell hears the models that are answered here
 * @returns {Promise<?Pick<ReturnType<typeof makeLocal>, "transport" | "sole">>}
 */
async function begin(address, options, ask, tell) {
  const at = new URL(address, window.location.href);
  const root = new URL("../", at);
  const asked = isMetered() || !canCompute() ? null : await fetch(new URL("local/about", root));
  if (!asked?.ok) return null;
  /** @type {Offered} */
  const offered = await asked.json();
  const here = modelsHere(options, offered);
  const first = here.includes(options.model) ? options.model : here[0];
  if (first === undefined) return null;
  const base = new URL(offered.base, root).href;
  const [whole] = first.split("@"); // of a snapshot
  const { sizes: { shared, models }, limits, others } = offered;
  const worker = makeWorkerClient({ open: () => new window.Worker(`${base}worker.js`, { type: "module" }),
    start: { base, model: whole, limits }, sizes: { ...shared, [whole]: models[whole] }, recorded: () => undefined });
  const made = makeLocal({ ask, worker, here, known: { models: options.models, others }, tell,
    count: reporting(worker, at) });
  worker.whenTold(() => void made.warmUp(first));
  worker.begin();
  return made;
}

/** Whether this browser can. */
const canCompute = () => typeof WebAssembly === "object" && typeof window.Worker === "function";

export const local = { begin };
