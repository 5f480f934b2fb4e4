// What a room says while its questions wait.

import assert from "node:assert/strict";
import { test } from "node:test";

import { askerOf } from "../../../viz_app/stage/page/rooms.js";

test("the end of an overtaken question leaves the line of the newer one alone", async () => {
  const state = { inLine: null, message: null, messageOf: null, room: "masks" };
  const actions = { wait: (line) => { state.inLine = line; }, tell() {} };
  const answers = [];
  const transport = () => new Promise((answer) => { answers.push(answer); });
  const ask = askerOf("masks", { state, actions }, transport, new Map());
  const [first, second] = [ask({ recipe: {}, causal: "none" }), ask({ recipe: {}, causal: "ahead" })];
  state.inLine = { waiting: 2, of: "masks" }; // as the server said of the second
  answers[0]({ late: true });
  assert.equal(await first, null);
  assert.deepEqual(state.inLine, { waiting: 2, of: "masks" });
  answers[1]({ ready: true });
  assert.deepEqual(await second, { ready: true });
  assert.equal(state.inLine, null);
});

test("what a room is refused is told in that room, and over no other", async () => {
  const state = { inLine: null, message: null, messageOf: null, room: "inside" };
  const told = [];
  const actions = { wait() {}, tell: (error) => told.push(error) };
  const answers = [];
  const transport = () => new Promise((answer) => { answers.push(answer); });
  const ask = askerOf("inside", { state, actions }, transport, new Map());
  const error = { code: "row_alone" };
  for (const room of ["inside", "masks"]) {
    const asked = ask({ recipe: {} });
    state.room = room; // where the reader has gone meanwhile
    answers.pop()({ error });
    assert.equal(await asked, null);
  }
  assert.deepEqual(told, [error]);
});
