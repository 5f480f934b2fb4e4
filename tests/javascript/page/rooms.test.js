// What a room says while its questions wait.

import assert from "node:assert/strict";
import { test } from "node:test";

import { askerOf } from "../../../viz_app/stage/page/rooms.js";

test("the end of an overtaken question leaves the line of the newer one alone", async () => {
  const state = { inLine: null, message: null, messageOf: null };
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
