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
const RESTS_MS = 2000; // after its first picture a page rests; then it fetches the rooms

/**
 * A room whose script is fetched when it is first asked for.
 * @param {string} name
 * @param {FetchedRooms} rooms
 * @returns {RoomScript}
 */
function laterRoom(name, { fetched }) {
  /** @type {?Promise<void>} */
  let asked = null;
  const script = /** @type {RoomScript} */ (/** @type {unknown} */ ({ name,
    keep: { pictures: () => [] } }));
  script.arrives = () => {
    asked ??= fetched(name).then((room) => {
      Object.assign(script, room);
      delete script.arrives;
    }, (error) => {
      asked = null; // so that it is asked for again
      throw error;
    });
    return asked;
  };
  return script;
}

/** Fetches one room after the other. @param {RoomScript[]} rooms @returns {Promise<void>} */
async function fetchAll([room, ...others]) {
  await room?.arrives?.();
  if (others.length > 0) await fetchAll(others);
}

/** Sets the page in its faces, where they come in time. @param {FetchedRooms["faces"]} fetched @returns {Promise<void>} */
async function facesInTime(fetched) {
  let isLate = false;
  const come = fetched().then((faces) => (isLate ? null : useFaces(faces))).catch(() => {});
  await Promise.race([come, new Promise((done) => { setTimeout(done, PATIENCE_MS); })]);
  isLate = true;
}

/**
 * Fills an empty element with the stage, once the words of the reader's language are there, and the
 * models that were opened since the page was made.
 * @param {HTMLElement} element
 * @param {PageOptions} options
 * @param {Transport} transport
 * @param {StageParts} parts
 * @param {WordsApart} apart
 * @param {?FetchedRooms} later the rooms that are fetched; null: all are here
 */
export async function startStage(element, options, transport, parts, apart, later = null) {
  const here = new Map(parts.rooms.map((room) => [room.name, room]));
  const rooms = later?.names.map((name) => here.get(name) ?? laterRoom(name, later)) ?? parts.rooms;
  const linked = new URLSearchParams(window.location.hash.slice(1)).get("room");
  const opens = rooms.find(({ name }) => name === linked)?.arrives?.().catch(() => {});
  const language = firstLanguageOf(options, apart.languages);
  const brought = options.layouts ? transport({ brought: true }).catch(() => null) : null;
  const [words, answer] = await Promise.all([apart.fetched(language), brought, opens,
    later && facesInTime(later.faces)]);
  /** @type {Model[]} */
  const models = answer?.models ?? [];
  const known = options.models.map(({ name }) => name);
  options.models.push(...models.filter(({ name }) => !known.includes(name)));
  setTimeout(() => fetchAll(rooms).catch(() => {}), RESTS_MS); // each is asked for again when opened
  return mountStage(element, { ...options, words: { [language]: words }, apart }, transport,
    { ...parts, rooms, drawing: later?.drawing ?? parts.drawing, asking: later?.asking ?? parts.asking });
}
