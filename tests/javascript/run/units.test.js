// Words, tokens and pieces: which of them are shown, and which can be chosen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { showsWords, unitChoices } from "../../../viz_app/stage/run/units.js";
import { anatomyOf } from "../anatomies.js";

const state = (more = {}) => ({ room: "translate", by: "words", spelled: false, reading: "weights", isPlaybackOpen: false,
  run: { anatomy: anatomyOf(), finished: "end" }, ...more });

const ALL = ["words", "plain", "pieces"];
/** What is chosen, what is offered, and which of it can be taken. @param {any} now @param {boolean} [canBeWords] */
function offered(now, canBeWords) {
  const { chosen, choices, can } = unitChoices(now, canBeWords);
  return [chosen, choices, choices.filter(can)];
}

test("words, tokens and pieces are offered in this order whatever is shown", () => {
  assert.deepEqual(offered(state()), ["words", ALL, ALL]);
  assert.deepEqual(offered(state({ by: "pieces" })), ["plain", ALL, ALL]);
  assert.deepEqual(offered(state({ spelled: true })), ["pieces", ALL, ALL]);
  assert.deepEqual(offered(state({ room: "compare" }), true), ["words", ALL, ALL]);
});

test("words stay where they are and cannot be taken while a row is a token", () => {
  for (const more of [{ isPlaybackOpen: true }, { reading: "norms" }, { run: { anatomy: anatomyOf(), finished: null } }]) {
    assert.ok(!showsWords(state(more)));
    assert.deepEqual(offered(state(more)), ["plain", ALL, ALL.slice(1)]);
    assert.deepEqual(offered(state({ ...more, spelled: true })), ["pieces", ALL, ALL.slice(1)]);
  }
  assert.deepEqual(offered(state({ room: "compare" }), false), ["plain", ALL, ALL.slice(1)]);
});

test("a room without words offers none", () => {
  assert.ok(!showsWords(state({ room: "heads" })));
  assert.deepEqual(offered(state({ room: "heads" })), ["plain", ALL.slice(1), ALL.slice(1)]);
});
