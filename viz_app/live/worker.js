// The app in a worker of the page. It gets
//   { start: { base, model, limits } }   where the pieces lie, which model is wanted first, and whose limits hold
//   { id, request }              a request of the stage
//   { drop: id }                 that nobody waits for an answer any more
// and sends
//   { progress: { part: "interpreter" | "packages" | "model" | "page", loaded, total, model? } }   in bytes
//   { ready: true, computes }    once requests are answered, and by what
//   { id, answer }, or { id, failure: { code, message } }; a failure without an id is one of the start.

import { Interpreter } from "./interpreter.js";
import { fetched, listed, Unfetched } from "./fetching.js";
import { Line } from "./line.js";

/** @typedef {import("./fetching.js").Piece} Piece */

const ELSEWHERE = ["export", "brought"]; // what a browser is not asked for
const MADE = ["npz", "json", "csv", "html"]; // but for these files
const line = new Line();
/** @type {{ base: string, pieces: any, interpreter: Interpreter | null }} */
const own = { base: "", pieces: null, interpreter: null };
/** @type {Map<string, Promise<Record<string, Uint8Array>>>} */
const coming = new Map(); // models
let isWorking = false;

self.onmessage = ({ data }) => {
  if (data.start) void start(data.start);
  else if ("drop" in data) line.drop(data.drop);
  else ask(data);
};

/** @param {{ base: string, model?: string, limits?: string }} from */
async function start({ base, model, limits }) {
  try {
    own.base = new URL(base.endsWith("/") ? base : `${base}/`, location.href).href;
    own.pieces = await listed(own.base);
    const { interpreter: files, packages, lock } = own.pieces;
    const names = Object.keys(packages);
    const [[script, wasm, library], contents] = await Promise.all([
      counted("interpreter", [files.script, files.wasm, files.library]),
      counted("packages", names.map((name) => packages[name])),
    ]);
    // While that starts, the model comes; whoever asks for it hears of its failure.
    if (model && model in own.pieces.models) modelFiles(model).catch(() => {});
    const python = await interpreted(script, wasm, library, lock);
    const interpreter = await Interpreter.in(python,
      /** @type {any} */ (Object.fromEntries(names.map((name, number) => [name, contents[number]]))), limits);
    if (model && coming.has(model)) await modelFiles(model).then((files) => interpreter.add(model, files), () => {});
    own.interpreter = interpreter;
    postMessage({ ready: true, computes: interpreter.computes() });
    void work();
  } catch (error) {
    postMessage({ failure: failureOf(error) });
  }
}

/** The interpreter of these bytes. It asks for its files by address; they are here already.
 * @param {Uint8Array} script @param {Uint8Array} wasm @param {Uint8Array} library @param {any} lock */
async function interpreted(script, wasm, library, lock) {
  const { fetch } = self;
  const given = new Map([
    [`${own.base}pyodide.asm.wasm`, () => response(wasm, "application/wasm")],
    [`${own.base}python_stdlib.zip`, () => response(library, "application/zip")],
  ]);
  const address = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (script)], { type: "text/javascript" }));
  self.fetch = async (what, how) => given.get(String(what))?.() ?? fetch(what, how);
  try {
    await import(address);
    const { loadPyodide } = await import(`${own.base}pyodide.mjs`);
    const lockFileContents = JSON.stringify({ info: lock, packages: {} });
    return await loadPyodide({ indexURL: own.base, packageBaseUrl: own.base, lockFileContents });
  } finally {
    self.fetch = fetch;
    URL.revokeObjectURL(address);
  }
}

/** @param {Uint8Array} content @param {string} type */
function response(content, type) {
  return new Response(/** @type {BodyInit} */ (content), { headers: { "content-type": type } });
}

/** @param {{ id: number | string, request: any }} one */
function ask(one) {
  const kind = ELSEWHERE.find((name) => name in one.request);
  if (kind && !MADE.includes(one.request.export?.format)) {
    postMessage({ id: one.id, failure: { code: "elsewhere", message: `There is no ${kind} without a server.` } });
  } else {
    line.add(one);
    void work();
  }
}

/** Answer what waits, one after the other; what was dropped meanwhile is heard in between. */
async function work() {
  if (isWorking || !own.interpreter) return;
  isWorking = true;
  for (let one = line.take(); one; one = line.take()) {
    answer(own.interpreter, one);
    await heard();
  }
  isWorking = false;
}

/** @param {Interpreter} interpreter @param {import("./line.js").Waiting} one */
function answer(interpreter, one) {
  try {
    const { bring: brought, export: file } = one.request;
    if (file?.format === "html" && !interpreter.makesPages) {
      void bringPage(interpreter, one);
      return;
    }
    const answered = brought ? interpreter.bring(brought) : interpreter.answer(one.request);
    if (typeof answered.absent === "string") void bring(interpreter, answered.absent, one);
    else if (answered.error?.code === "bug") postMessage({ id: one.id, failure: { ...answered.error, code: "engine" } });
    else postMessage({ id: one.id, answer: answered });
  } catch (error) {
    postMessage({ id: one.id, failure: failureOf(error) });
  }
}

/** Fetch a model, then answer what asked for it.
 * @param {Interpreter} interpreter @param {string} model @param {import("./line.js").Waiting} one */
async function bring(interpreter, model, one) {
  try {
    interpreter.add(model, await modelFiles(model));
    ask(one);
  } catch (error) {
    postMessage({ id: one.id, failure: failureOf(error) });
  }
}

/** Fetch what pages are made of, then answer what asked for one.
 * @param {Interpreter} interpreter @param {import("./line.js").Waiting} one */
async function bringPage(interpreter, one) {
  try {
    const [archive] = await counted("page", [own.pieces.page]);
    interpreter.addPage(archive);
    ask(one);
  } catch (error) {
    postMessage({ id: one.id, failure: failureOf(error) });
  }
}

/** The files of a model, which are fetched once; again where that failed.
 * @param {string} model */
function modelFiles(model) {
  const known = coming.get(model);
  if (known) return known;
  const pieces = own.pieces.models[model] ?? {};
  const names = Object.keys(pieces);
  const files = counted("model", Object.values(pieces), model).then(
    (contents) => Object.fromEntries(names.map((name, number) => [name, contents[number]])));
  coming.set(model, files);
  files.catch(() => coming.delete(model));
  return files;
}

/** The contents of pieces, while how far they have come is sent.
 * @param {string} part @param {Piece[]} pieces @param {string} [model] */
function counted(part, pieces, model) {
  const total = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
  const progress = { part, loaded: 0, total, ...(model ? { model } : {}) };
  postMessage({ progress: { ...progress } });
  return fetched(own.base, pieces, (bytes) => {
    progress.loaded += bytes;
    postMessage({ progress: { ...progress } });
  });
}

/** Resolves when messages that have come were heard. */
function heard() {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** @param {unknown} error */
function failureOf(error) {
  const message = error instanceof Error ? error.message : String(error);
  return { code: error instanceof Unfetched ? "fetch" : "engine", message };
}
