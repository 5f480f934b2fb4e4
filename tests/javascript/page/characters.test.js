// Where it is said that a word is one character.

import assert from "node:assert/strict";
import { test } from "node:test";

import { charactersSaid } from "../../../viz_app/rooms/translate/pair/characters.js";
import { anatomyOf } from "../anatomies.js";

const t = (key) => key;
const sideOf = (...texts) => ({ texts, kinds: texts.map(() => "text"), words: texts.map((_, i) => [i]) });
const saidOf = (source, target, more = {}) =>
  charactersSaid(t, { run: { source, target, anatomy: anatomyOf(), finished: "end" }, room: "translate",
    by: "words", isPlaybackOpen: false, ...more });

test("it is said of a script without spaces, on either side, and of words alone", () => {
  assert.equal(saidOf(sideOf("我", "买"), sideOf("I", "bought")), "characters_said");
  assert.equal(saidOf(sideOf("I", "bought"), sideOf("我", "买")), "characters_said");
  assert.equal(saidOf(sideOf("我"), sideOf("I"), { by: "pieces" }), "");
});

test("a letter by itself, a mark and longer words are no such characters", () => {
  assert.equal(saidOf(sideOf("I", "a", "。"), sideOf("我们", "图书馆")), "");
});
