// What can be kept of the room Positions.

import assert from "node:assert/strict";
import test from "node:test";

import { makePositionAnswers, noteOf } from "../../../viz_app/rooms/positions/parts.js";
import { room } from "../../../viz_app/rooms/positions/positions.js";

test("only of sines and cosines in two halves is it said how they are made", () => {
  const said = (/** @type {string} */ kind, own = true) => noteOf({ kind, own, halves: own });
  assert.deepEqual([said("sinusoidal"), said("rotary"), said("rotary", false)],
    ["positions_note_sinusoidal_halves", "positions_note_rotary", "positions_note_rotary_foreign"]);
});

test("of biases by distance there is no picture of how alike two positions are", () => {
  /** @type {function(string, any): string[]} */
  const pictures = (positions, view) => room.keep.pictures(/** @type {any} */ ({ model: { anatomy: { positions } } }),
    { study: "table", column: 0, dimensions: [0], ...view }).map(({ picture }) => picture);
  for (const view of [{}, { kind: "own" }, { kind: "relative" }]) { // what is left open is the model's own
    assert.deepEqual(pictures("relative", view), ["positions", "curves"]);
  }
  const all = ["positions", "curves", "similarity"];
  assert.deepEqual(pictures("relative", { kind: "sinusoidal" }), all);
  assert.deepEqual(pictures("sinusoidal", {}), all);
});

test("what was not answered, or is asked no more, shows and asks nothing", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const state = { message: null, messageOf: null };
  const element = { classList: { add() {}, remove() {} }, hasAttribute: () => false, getAttribute: () => null,
    setAttribute() {}, removeAttribute() {} };
  /** @type {any[]} */
  const asked = [];
  const session = /** @type {any} */ ({ state });
  const answers = makePositionAnswers(session, async (request) => {
    asked.push(request);
    if (request === "refused") Object.assign(state, { message: "no", messageOf: "positions" });
    return request === "refused" ? null : request;
  }, Object.assign(() => {}, { now() {} }), 180);
  const settle = async (/** @type {string} */ key) => {
    answers.of(key, key, /** @type {any} */ (element));
    t.mock.timers.tick(180);
    await new Promise((resolve) => { setImmediate(resolve); });
    return answers.of(key, key, /** @type {any} */ (element));
  };
  assert.equal(await settle("one"), "one");
  assert.equal(await settle("refused"), null); // not the answer before
  answers.of("three", "three", /** @type {any} */ (element));
  answers.stop();
  t.mock.timers.tick(180);
  assert.deepEqual(asked, ["one", "refused"]);
});
