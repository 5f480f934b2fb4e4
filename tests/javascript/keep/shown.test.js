// What is on the screen, in values.

import assert from "node:assert/strict";
import { test } from "node:test";

import { shownNow } from "../../../viz_app/stage/keep/shown.js";
import { anatomyOf } from "../anatomies.js";

/** @type {any} */
const room = { name: "masks", keep: { pictures: () => [] } };
/** @type {any} */
const state = { room: "masks", rooms: [room], site: "cross", at: 2, spelled: false, options: {}, strategy: { kind: "sample", seed: 7 },
  locks: { cross: { layer: 1, head: 3 } }, cells: { cross: { query: 0, key: 4 } },
  model: { fingerprint: "abc", anatomy: anatomyOf(), lacking: {} },
  run: { recipe: { model: "m", source: "a", target: [{ token: 5 }], strategy: { kind: "greedy" } } } };

test("it has the recipe with the strategy at hand, and what the open room says of itself", () => {
  const { recipe, view } = shownNow(state, { masks: { breaks: ["pads-rows"], cell: null }, inside: { query: 1 } });
  assert.deepEqual(recipe, { ...state.run.recipe, strategy: state.strategy });
  assert.deepEqual(view.choices, { breaks: ["pads-rows"] });
  assert.deepEqual([view.room, view.site, view.layer, view.head, view.at], ["masks", "cross", 1, 3, 2]);
  assert.deepEqual([view.locks, view.cells, view.weights], [state.locks, state.cells, "abc"]);
});
