// What a room asks, and when it asks again.

import assert from "node:assert/strict";
import { test } from "node:test";

import { makeQuestion } from "../../../viz_app/stage/page/question.js";

const answered = () => new Promise((resolve) => { setImmediate(resolve); });

/** A question of the room "masks", and what was asked with it. */
function asking() {
  const state = { message: null, messageOf: null };
  const asked = [];
  const ask = (request) => new Promise((answer) => { asked.push({ request, answer }); });
  const traits = new Set();
  const element = { classList: { add() {}, remove() {} }, hasAttribute: (name) => traits.has(name),
    getAttribute: () => null, setAttribute: (name) => traits.add(name),
    removeAttribute: (name) => traits.delete(name) };
  const taken = [];
  const question = makeQuestion("masks", { state }, ask, Object.assign(() => {}, { now() {} }));
  const put = (request) => question.put(request, element, (answer) => { taken.push(answer); });
  return { state, asked, taken, traits, question, put };
}

test("the same is asked once, and only the last answer is taken", async () => {
  const { asked, taken, traits, question, put } = asking();
  put({ head: 1 });
  put({ head: 1 });
  put({ head: 2 });
  assert.deepEqual(asked.map(({ request }) => request), [{ head: 1 }, { head: 2 }]);
  assert.ok(question.busy() && traits.has("aria-busy"));
  asked[1].answer("two");
  asked[0].answer("one");
  await answered();
  assert.deepEqual(taken, ["two"]);
  assert.ok(!question.busy() && !traits.has("aria-busy"));
  put({ head: 2 });
  assert.equal(asked.length, 2);
});

test("what was refused is asked again when its message is closed, and what is here is not awaited",
  async () => {
    const { state, asked, taken, question, put } = asking();
    put({ head: 1 });
    Object.assign(state, { message: "no", messageOf: "masks" });
    asked[0].answer(null);
    await answered();
    assert.ok(question.missing());
    put({ head: 1 });
    assert.equal(asked.length, 1);
    state.message = null;
    put({ head: 1 });
    assert.equal(asked.length, 2);
    question.skip("kept");
    asked[1].answer("late");
    await answered();
    assert.deepEqual([taken, question.busy(), question.is("kept")], [[], false, true]);
  });
