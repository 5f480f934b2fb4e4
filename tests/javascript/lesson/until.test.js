import assert from "node:assert/strict";
import { test } from "node:test";

import { isMissed, isReached, needsApp } from "../../../viz_app/stage/lesson/until.js";
import { anatomyOf } from "../anatomies.js";

/** A page on three words, of which the second has two pieces. */
function seen(changes = {}, more = {}) {
  const tokens = { ids: [5, 6, 7, 2], kinds: ["text", "text", "text", "special"], words: [[0], [1, 2], [3]] };
  const state = { room: "translate", by: "words", spelled: false, reading: "weights", isPlaybackOpen: false, site: "cross", at: 2,
    locks: { cross: { layer: 2, head: 4 } }, cells: {}, strategy: { kind: "greedy" },
    run: { anatomy: anatomyOf("encoder-decoder"), finished: "end", source: tokens, target: { ...tokens, ids: [1, 8, 9, 4], words: [[0], [1, 2], [3]] },
      steps: [0, 1, 2], chosen: [{}, {}, {}], recipe: { source: "one two", edits: ["hide:2"], target: [{ token: 8 }, { token: 9 }] } },
    ...changes };
  return { state, choices: {}, isAnswered: false, source: "one two", ...more };
}

test("a step waits for the answer, or for the place that it leads to", () => {
  assert.equal(isReached({ kind: "answered" }, seen()), false);
  assert.equal(isReached({ kind: "answered" }, seen({}, { isAnswered: true })), true);
  assert.equal(isReached({ kind: "at", step: 2 }, seen()), true);
  const unwritten = seen();
  unwritten.state.run = { ...unwritten.state.run, chosen: [{}, {}] };
  assert.equal(isReached({ kind: "at", step: 2 }, unwritten), false);
  assert.equal(isReached({ kind: "lock", site: "cross", layer: 2, head: 4 }, seen()), true);
  assert.equal(isReached({ kind: "lock", site: "encoder", layer: 2, head: 4 }, seen()), false);
  assert.equal(isReached({ kind: "room", room: "masks" }, seen()), false);
  assert.equal(isReached({ kind: "room", room: "translate" }, seen()), true);
  assert.equal(isReached({ kind: "target", step: 1, token: 9 }, seen()), true);
  assert.equal(isReached({ kind: "strategy", strategy: "beam" }, seen()), false);
  assert.equal(isReached({ kind: "strategy", strategy: "greedy" }, seen()), true);
  assert.equal(isReached({ kind: "source-changed" }, seen()), false);
  assert.equal(isReached({ kind: "source-changed" }, seen({}, { source: "three" })), true);
});

test("another head than the one that is wanted is a miss, unless the step began with it", () => {
  const wanted = { kind: "lock", site: "cross", layer: 1, head: 0 };
  const began = { cross: { layer: 0, head: 0 } };
  assert.equal(isMissed(wanted, seen(), began), true);
  assert.equal(isMissed(wanted, seen(), { cross: { layer: 2, head: 4 } }), false);
  assert.equal(isMissed({ ...wanted, layer: 2, head: 4 }, seen(), began), false);
  assert.equal(isMissed(wanted, seen({ locks: { cross: null } }), began), false);
  assert.equal(isMissed({ ...wanted, site: "encoder" }, seen(), began), false);
  assert.equal(isMissed({ kind: "room", room: "masks" }, seen(), began), false);
});

test("an edit is known by its kind or by all of it", () => {
  assert.equal(isReached({ kind: "edit", edit: "hide" }, seen()), true);
  assert.equal(isReached({ kind: "edit", edit: "hide:2" }, seen()), true);
  assert.equal(isReached({ kind: "edit", edit: "hide:3" }, seen()), false);
  assert.equal(isReached({ kind: "edits-empty" }, seen()), false);
  const bare = seen();
  bare.state.run.recipe.edits = [];
  assert.equal(isReached({ kind: "edits-empty" }, bare), true);
});

test("a choice of a room is reached as one of several too", () => {
  const masks = (choices) => seen({ room: "masks" }, { choices });
  const until = { kind: "view", room: "masks", field: "breaks", value: "pads-rows" };
  assert.equal(isReached(until, masks({ breaks: ["causal-mask:none", "pads-rows"] })), true);
  assert.equal(isReached(until, masks({})), false);
  assert.equal(isReached({ ...until, field: "shown", value: 2 }, masks({ shown: 2 })), true);
  assert.equal(isReached({ kind: "view", room: "translate", field: "reading", value: "weights" }, seen()), true);
});

test("of words a cell is kept that has the pieces of the wanted one", () => {
  const until = { kind: "kept", query: 0, key: 1 };
  assert.equal(isReached(until, seen()), false);
  assert.equal(isReached(until, seen({ cells: { cross: { query: 1, key: 2 } } })), true);
  assert.equal(isReached(until, seen({ by: "pieces", cells: { cross: { query: 1, key: 2 } } })), false);
});

test("all of several have to hold, and what is unknown never does", () => {
  const all = (...of) => ({ kind: "all", of });
  assert.equal(isReached(all({ kind: "at", step: 2 }, { kind: "answered" }), seen()), false);
  assert.equal(isReached(all({ kind: "at", step: 2 }, { kind: "edit", edit: "hide" }), seen()), true);
  assert.equal(isReached({ kind: "constructor" }, seen()), false);
  assert.equal(isReached(null, seen()), false);
});

test("what changes the run or a room needs a page that computes", () => {
  const all = (...of) => ({ kind: "all", of });
  for (const until of [{ kind: "answered" }, all({ kind: "answered" }, { kind: "lock" }), all()]) assert.equal(needsApp(until), false);
  for (const until of [{ kind: "edit" }, all({ kind: "answered" }, { kind: "view" }), { kind: "source-changed" }]) assert.equal(needsApp(until), true);
});
