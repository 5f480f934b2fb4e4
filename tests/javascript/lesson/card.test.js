// The card of a lesson, where there may be two stages in one document.

import assert from "node:assert/strict";
import { test } from "node:test";

import { card } from "../../../viz_app/stage/lesson/card.js";

const t = Object.assign((key) => key, { language: "en" });
const step = { id: "a", until: { kind: "answered" }, says: { say: { word: "say" }, ask: { word: "ask" } }, point: [], cover: [],
  ask: { kind: "number", of: [], answer: 1, shown: "1" } };
const shown = { lesson: { name: "a", title: "title", steps: [step] }, at: 0, canAsk: true, say: (said) => said?.word ?? "",
  note: { isOpen: false, guess: null, isRefused: false, hints: 0, depth: null, isReached: false, isMissed: false, isKept: false } };

/** All that a template is made of. @param {any} part @returns {any[]} */
const partsOf = (part) => (Array.isArray(part) ? part.flatMap(partsOf)
  : part?.strings ? [...part.strings, ...part.values.flatMap(partsOf)] : [part]);

test("no id of a card is one of another stage's", () => {
  const parts = partsOf(card(t, shown, {}, { corner: "right", id: "lesson-x" })).filter((part) => typeof part === "string");
  assert.deepEqual(parts.filter((part) => /\b(id|for|aria-\w+by)="[^"]/.test(part)), []);
  assert.deepEqual([...new Set(parts.flatMap((part) => part.match(/lesson-x-\w+/g) ?? []))].sort(),
    ["lesson-x-ask", "lesson-x-name", "lesson-x-say"]);
});

test("of a cell it is said first whether it is the one, and which one is", () => {
  const said = Object.assign((key, values) => JSON.stringify([key, values]), { language: "en" });
  const ask = { kind: "cell", of: [], answer: { query: 1, key: 2 }, shown: "red" };
  const compared = (guess) => partsOf(card(said, { ...shown, lesson: { ...shown.lesson, steps: [{ ...step, ask }] },
    note: { ...shown.note, isOpen: true, guess } }, {}, { corner: "right", id: "lesson-x" }))
    .filter((part) => typeof part === "string" && part.startsWith('["lesson_cell')).map((part) => JSON.parse(part));
  assert.deepEqual(compared({ query: 1, key: 2 }).map(([key, { answer }]) => [key, answer]), [["lesson_cell_same", "red"]]);
  assert.deepEqual(compared({ query: 1, key: 0 }).map(([key, { answer }]) => [key, answer]), [["lesson_cell_other", "red"]]);
});
