// What the room Compare shows between two answers.

import assert from "node:assert/strict";
import { test } from "node:test";

import { makeComparing } from "../../../viz_app/rooms/compare/question.js";
import { makeQuestion } from "../../../viz_app/stage/run/ask.js";
import { anatomyOf } from "../anatomies.js";
import { settled } from "../payloads.js";

test("an answer about the run before an edit is marked as old until the next one is here", async () => {
  const recipe = { version: 1, model: "m", source: "a", pads: 0, target: [] };
  /** @type {any} */
  const state = { model: { name: "m", anatomy: anatomyOf() }, site: "cross", other: null,
    locks: { cross: { layer: 0, head: 0 } }, run: { recipe } };
  /** @type {any} */
  const session = { state, actions: { lock() {} } };
  const transport = async (/** @type {any} */ request) => ({ a: null, b: null, difference: null,
    heads: null, site: "cross", places: [{ layer: 0, head: 0 }], runs: [{ recipe: request.recipe }] });
  const ask = (/** @type {any} */ how) => makeQuestion({ ...how, transport, waits: () => () => {} });
  const inquiry = makeComparing(session, ask, null, /** @type {any} */ (null));
  assert.equal(inquiry.isOld(), false); // there is none
  inquiry.inquire();
  await settled();
  assert.equal(inquiry.isOld(), false);
  for (const changes of [{ edits: ["no-scale"] }, { pads: 2 }]) {
    state.run = { recipe: { ...recipe, ...changes } };
    assert.notEqual(inquiry.answer(), null);
    assert.equal(inquiry.isOld(), true);
    inquiry.inquire();
    await settled();
    assert.equal(inquiry.isOld(), false);
  }
  state.run = { recipe: { ...recipe, source: "b" } };
  assert.deepEqual([inquiry.answer(), inquiry.isOld()], [null, false]); // another sentence shows nothing
});
