// The candidates of a step: which begin a word, and where the chosen token stands.

import assert from "node:assert/strict";
import { test } from "node:test";

import { followersOf } from "../../../viz_app/rooms/translate/candidates/candidates.js";
import { candidatePlace } from "../../../viz_app/rooms/translate/candidates/places.js";
import { nothing } from "../../../viz_app/stage/page/html.js";

const t = Object.assign((/** @type {string} */ key) => key, { language: "en", has: () => false, raw: (/** @type {string} */ key) => key });
const PIECES = ["▁chat", "s", "▁", "</s>", "<0xE2>", "▁le", "b", "c", "d", "e"];
const candidates = PIECES.map((piece, token) => ({ token, piece, text: piece.replace("▁", " "),
  kind: piece === "</s>" ? "special" : "text", log_probability: -1 - token }));
const stateWith = (/** @type {any} */ changes = {}) => /** @type {any} */ ({ at: 0, spelled: false, more: null, canAsk: true,
  strategy: { kind: "greedy" }, run: { chosen: [], steps: [{ candidates }] }, ...changes });

/** What a template draws, as text. @param {any} one @returns {string} */
function drawn(one) {
  if (Array.isArray(one)) return one.map(drawn).join("");
  if (one?.strings) return one.strings.map((/** @type {string} */ text, /** @type {number} */ i) => text + drawn(one.values[i])).join("");
  return one === nothing || one === undefined || typeof one === "function" ? "" : String(one);
}

/** Every candidate in its place. @param {any} state */
function placesOf(state) {
  const shown = followersOf(t, state, null);
  const here = { able: true, isSeen: true, marked: shown.some(({ begins }) => begins) };
  return shown.map((one, place) => drawn(candidatePlace(t, state, place, one, here, { take() {}, watch() {} })));
}

test("a candidate says whether it begins a word, unless pieces with a mark of their own are shown", () => {
  const begin = followersOf(t, stateWith(), null).map(({ begins }) => begins);
  assert.deepEqual(begin, PIECES.map((piece) => ["▁chat", "▁le"].includes(piece)));
  for (const spelled of [false, true]) {
    placesOf(stateWith({ spelled })).forEach((place, i) => {
      const isText = PIECES[i] !== "</s>";
      assert.equal(place.includes('class="begins"'), isText && !begin[i] && !spelled, PIECES[i]);
      assert.equal(place.includes("word_begins"), isText && begin[i], PIECES[i]);
      assert.equal(place.includes("word_goes_on"), isText && !begin[i], PIECES[i]);
    });
  }
  const letters = candidates.map((one) => ({ ...one, piece: one.piece.replace("▁", "") }));
  const none = placesOf(stateWith({ run: { chosen: [], steps: [{ candidates: letters }] } }));
  assert.ok(none.every((place) => !/begins|word_/.test(place))); // a tokenizer of letters marks none
});

test("the chosen token is among them, in the last place where it is not one of the ten best", () => {
  const chosen = { token: 99, piece: "▁x", text: " x", kind: "text", log_probability: -9, rank: 40 };
  const shown = followersOf(t, stateWith({ run: { chosen: [chosen], steps: [{ candidates }] } }), null);
  assert.equal(shown.length, 10);
  assert.deepEqual([shown[9].token, shown[9].rank, shown[9].chosen], [99, 40, true]);
  assert.match(placesOf(stateWith({ run: { chosen: [chosen], steps: [{ candidates }] } }))[9], /#41/);
});
