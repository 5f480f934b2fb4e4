// The stage where a server is: how it asks, and what it fetches of the server while it runs.

import { firstLanguageOf, mountStage } from "./mount.js";
import { useFaces } from "./page/faces.js";

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

const PATIENCE_MS = 1500; // with the faces; what is drawn by then keeps its looks

/**
 * Puts a style into the page. Styles stand there in the order of their places, whenever each arrives.
 * @param {number} place
 * @param {string} text
 */
export function put(place, text) {
  const placeOf = (/** @type {HTMLElement} */ one) => Number(one.dataset.stagePlace);
  /** @type {NodeListOf<HTMLElement>} */
  const found = document.head.querySelectorAll("style[data-stage-place]");
  const there = [...found];
  if (there.some((one) => placeOf(one) === place)) return;
  const style = Object.assign(document.createElement("style"), { textContent: text });
  style.dataset.stagePlace = String(place);
  document.head.insertBefore(style, there.find((one) => placeOf(one) > place) ?? null);
}

/** @typedef {ReturnType<typeof fetching>} Fetched */

/**
 * What is fetched of the server: each part once, unless that failed; its words are said in every language that
 * the page speaks.
 * @param {{parts: Record<string, string>, rooms: string[], words: Record<string, string>, titles: string[],
 *     faces: string, questions: string, cuts: [string, number, number, number][]}} files
 * @param {Object} modules what the parts' scripts use
 * @param {function(string): Promise<{part: PartScript}>} load
 * @param {function(string): Promise<Response>} ask
 */
export function fetching(files, modules, load, ask) {
  /** @type {Record<string, Promise<any>>} */
  const asked = {};
  /** @type {Record<string, Record<string, string>>[]} */
  const said = [];
  /** @type {Record<string, Record<string, string>>} */
  const tables = {};
  const read = async (/** @type {string} */ name) => {
    const answer = await ask(name);
    if (!answer.ok) throw new Error(answer.statusText);
    return answer;
  };
  const arrives = async (/** @type {string} */ name) => {
    const [{ part }] = await Promise.all([load(files.parts[name]), name === "shared" ? null : fetched("shared")]);
    return part(modules, put, (words) => {
      said.push(words);
      for (const [language, table] of Object.entries(tables)) Object.assign(table, words[language]);
    });
  };
  /** @param {string} name @returns {Promise<any>} */
  const fetched = (name) => {
    asked[name] ??= arrives(name).catch((error) => {
      delete asked[name];
      throw error;
    });
    return asked[name];
  };
  return {
    rooms: files.rooms,
    later: /** @type {LaterParts} */ (Object.fromEntries(Object.keys(files.parts).map((name) =>
      [name, () => fetched(name)]))),
    apart: {
      languages: Object.keys(files.words),
      titles: files.titles,
      /** @param {string} language @returns {Promise<Record<string, string>>} */
      async fetched(language) {
        const own = await (await read(files.words[language])).json();
        tables[language] = Object.assign(own, ...said.map((words) => words[language]));
        return own;
      },
      questions: async () => (await read(files.questions)).json(),
    },
    async faces() {
      const all = new Uint8Array(await (await read(files.faces)).arrayBuffer());
      return files.cuts.map(([family, weight, from, to]) => ({ family, weight, file: all.slice(from, to) }));
    },
  };
}

/**
 * A room whose script is fetched when it is first asked for.
 * @param {string} name
 * @param {function(): Promise<RoomScript>} fetched
 * @returns {RoomScript}
 */
function laterRoom(name, fetched) {
  const script = /** @type {RoomScript} */ (/** @type {unknown} */ ({ name,
    keep: { pictures: () => [] } }));
  script.arrives = async () => {
    Object.assign(script, await fetched());
    delete script.arrives;
  };
  return script;
}

/** Sets the page in its faces, where they come in time. @param {Fetched["faces"]} fetched @returns {Promise<void>} */
async function facesInTime(fetched) {
  let isLate = false;
  const come = fetched().then((faces) => (isLate ? null : useFaces(faces))).catch(() => {});
  await Promise.race([come, new Promise((done) => { setTimeout(done, PATIENCE_MS); })]);
  isLate = true;
}

/**
 * What lets the visitor's browser answer, where the server offers that, and asks by what it gives from then on.
 * @param {Transport} ask
 * @param {string} address
 * @param {PageOptions} options
 * @param {Fetched} fetched
 */
function makeTurning(ask, address, options, { later }) {
  let now = ask;
  let sole = (/** @type {boolean} */ _) => {};
  return {
    /** Whether the server answers everything. @param {boolean} isSole */
    sole: (isSole) => sole(isSole),
    /** @type {Transport} */
    transport: (request, signal, more) => now(request, signal, more),
    /** @param {function(string[]): void} tell */
    async begin(tell) {
      const { begin } = await later.local();
      const made = await begin(address, options, ask, tell);
      if (made) ({ transport: now, sole } = made);
    },
  };
}

/**
 * Fills an empty element with the stage, once the words of the reader's language are there, and the
 * models that were opened since the page was made.
 * @param {HTMLElement} element
 * @param {PageOptions} options
 * @param {Transport} transport
 * @param {StageParts} parts
 * @param {WordsApart} apart
 * @param {?Fetched} fetched null: all parts are here
 * @param {string} address where the server is asked
 */
export async function startStage(element, options, transport, parts, apart, fetched = null, address = "") {
  const here = new Map(parts.rooms.map((room) => [room.name, room]));
  const later = fetched?.later ?? parts.later;
  const rooms = fetched?.rooms.map((name) => here.get(name) ?? laterRoom(name, fetched.later[name])) ?? parts.rooms;
  const linked = new URLSearchParams(window.location.hash.slice(1)).get("room");
  const opens = rooms.find(({ name }) => name === linked)?.arrives?.().catch(() => {});
  const language = firstLanguageOf(options, apart.languages);
  const brought = options.layouts ? transport({ brought: true }).catch(() => null) : null;
  const [words, answer] = await Promise.all([apart.fetched(language), brought, opens,
    fetched && facesInTime(fetched.faces)]);
  /** @type {Model[]} */
  const models = answer?.models ?? [];
  const known = options.models.map(({ name }) => name);
  options.models.push(...models.filter(({ name }) => !known.includes(name)));
  const turning = options.local && fetched ? makeTurning(transport, address, options, fetched) : null;
  return mountStage(element, { ...options, words: { [language]: words }, apart, begins: turning?.begin, sole: turning?.sole },
    turning?.transport ?? transport, { ...parts, rooms, later });
}
