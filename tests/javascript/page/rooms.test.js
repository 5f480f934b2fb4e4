// What a room says of its questions.

import assert from "node:assert/strict";
import { test } from "node:test";

import { questionsOf } from "../../../viz_app/stage/page/rooms.js";
import { makeAnswers } from "../../../viz_app/stage/run/ask.js";
import { settled } from "../payloads.js";


test("what a room is refused is told in that room, and over no other", async () => {
  const state = { message: null, messageOf: null, room: "inside", canAsk: true };
  const [told, answers] = [[], []];
  const actions = { tell: (error) => told.push(error) };
  const transport = () => new Promise((answer) => { answers.push(answer); });
  const ask = questionsOf("inside", { state, actions }, transport,
    { answers: makeAnswers(), waits: () => () => {} }, { now() {} });
  const error = { code: "row_alone" };
  for (const room of ["inside", "masks"]) {
    const question = ask();
    question.of({ recipe: { model: "m" } });
    state.room = room; // where the reader has gone meanwhile
    answers.pop()({ error });
    await settled();
    assert.equal(question.state(), "failed");
  }
  assert.deepEqual(told, [error]);
});

test("an element is busy while any question about it is open, and waits while one is slow", async () => {
  const state = { message: null, messageOf: null, room: "beam", canAsk: true };
  const answers = [];
  const ask = questionsOf("beam", { state, actions: {} }, () => new Promise((answer) => { answers.push(answer); }),
    { answers: makeAnswers(), waits: () => () => {} }, { now() {} });
  const traits = {};
  const element = { classList: { toggle: (name, on) => { traits[name] = on; }, add() {} },
    hasAttribute: (name) => Boolean(traits[name]), getAttribute: (name) => traits[name] ?? null,
    setAttribute: (name, value) => { traits[name] = value; }, removeAttribute: (name) => { delete traits[name]; } };
  const [map, tree] = [ask({ element }), ask({ element })];
  map.of({ recipe: { model: "m" }, part: "node" });
  tree.of({ recipe: { model: "m" }, width: 3 });
  answers[0]({ node: 1 });
  await settled();
  assert.equal(traits["aria-busy"], "true"); // the tree is still awaited
  answers[1]({ tree: {} });
  await settled();
  assert.equal(traits["aria-busy"], undefined);
});
