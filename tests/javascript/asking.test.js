// Questions to a server that has no place in line: asked once more, when it says, if still wanted.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { makeQuestions } from "../../viz_app/stage/run/asking.js";

const BUSY = { error: { code: "busy", values: { n: 30, limit: 26, seconds: 2 } } };
const DONE = { version: 1 };
const REQUEST = { recipe: { model: "m" } };
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

/** The questions of a page whose server answers so, one after the other, and what it was asked. */
function asking(...answers) {
  const asked = [];
  const transport = async (request) => { asked.push(request); return answers.shift(); };
  return { questions: makeQuestions({}, transport, () => {}), asked };
}

async function withTimers(work) {
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(Math, "random", () => 0);
  try {
    await work();
  } finally {
    mock.timers.reset();
    mock.restoreAll();
  }
}

test("who finds no place asks once more, when the server says", () => withTimers(async () => {
  const { questions, asked } = asking(BUSY, DONE);
  const answer = questions.ask(REQUEST);
  await settled();
  mock.timers.tick(1999);
  await settled();
  assert.equal(asked.length, 1);
  mock.timers.tick(1);
  assert.equal(await answer, DONE);
  assert.equal(asked.length, 2);
}));

for (const code of ["connections", "pictures_busy"]) {
  test(`who finds no place for other reasons asks once more too: ${code}`, () => withTimers(async () => {
    const { questions, asked } = asking({ error: { code, values: { n: 3, seconds: 4 } } }, DONE);
    const answer = questions.ask(REQUEST);
    await settled();
    mock.timers.tick(3999);
    await settled();
    assert.equal(asked.length, 1);
    mock.timers.tick(1);
    assert.equal(await answer, DONE);
  }));
}

test("a crowd that finds no place does not come back as one", () => withTimers(async () => {
  Math.random.mock.mockImplementation(() => 0.5);
  const { questions, asked } = asking(BUSY, DONE);
  const answer = questions.ask(REQUEST);
  await settled();
  mock.timers.tick(2499);
  await settled();
  assert.equal(asked.length, 1);
  mock.timers.tick(1);
  assert.equal(await answer, DONE);
}));

test("who finds no place twice is told", () => withTimers(async () => {
  const { questions, asked } = asking(BUSY, BUSY, DONE);
  const answer = questions.ask(REQUEST);
  await settled();
  mock.timers.tick(2000);
  assert.equal(await answer, BUSY);
  assert.equal(asked.length, 2);
}));

test("what nobody wants any more is not asked again", () => withTimers(async () => {
  const { questions, asked } = asking(BUSY, DONE);
  const answer = questions.ask(REQUEST);
  await settled();
  questions.drop();
  mock.timers.tick(2000);
  assert.equal(await answer, null);
  assert.equal(asked.length, 1);
}));
