// When the stage is drawn.

import assert from "node:assert/strict";
import { test } from "node:test";

import { makeTurns } from "../../../viz_app/stage/draw/turns.js";

const nothing = () => {};

/** A clock that is set by hand, with frames of 16 ms. */
function clocked(t) {
  let [time, next] = [0, null];
  t.mock.timers.enable({ apis: ["setTimeout"] });
  t.mock.method(performance, "now", () => time);
  Object.assign(globalThis, { window: {}, requestAnimationFrame: (turn) => { next = turn; return 1; },
    cancelAnimationFrame: () => { next = null; } });
  t.after(() => ["window", "requestAnimationFrame", "cancelAnimationFrame"].forEach((name) =>
    delete globalThis[name]));
  return () => {
    const turn = next;
    [time, next] = [time + 16, null];
    turn?.();
    t.mock.timers.tick(16);
  };
}

test("a draw awaits an answer for a while, however many questions follow", async (t) => {
  const frame = clocked(t);
  let drawn = 0;
  let answer = (_) => {};
  const turns = makeTurns(nothing, () => { drawn += 1; });
  const ask = turns.awaiting(() => new Promise((resolve) => { answer = resolve; }));
  ask({});
  turns.soon();
  frame();
  assert.equal(drawn, 0);
  for (let i = 0; i < 4; i += 1) { // a slider that is dragged asks with every frame
    ask({});
    turns.soon();
    frame();
  }
  assert.equal(drawn, 1);
  const last = ask({});
  turns.soon();
  answer(null);
  await last;
  frame();
  assert.equal(drawn, 2);
});

test("what is pressed is drawn at once, and what it asks for with the answer", async (t) => {
  const frame = clocked(t);
  let drawn = 0;
  let answer = (_) => {};
  const turns = makeTurns(nothing, () => { drawn += 1; });
  const press = async () => {
    window.event = { type: "click", target: {} };
    turns.soon();
    window.event = undefined;
    await Promise.resolve();
  };
  await press();
  assert.equal(drawn, 1);
  const asked = turns.awaiting(() => new Promise((resolve) => { answer = resolve; }))({});
  await press();
  assert.equal(drawn, 1);
  answer(null);
  await asked;
  frame();
  assert.equal(drawn, 2);
});

test("what is asked for what was pressed is drawn once, with its answer", async (t) => {
  const frame = clocked(t);
  const [drawn, asked] = [[], []];
  let answer = (_) => {};
  const ask = (request) => turns.awaiting(() => new Promise((resolve) => { answer = resolve; }))(request);
  const turns = makeTurns(() => { if (asked.length === 0) asked.push(ask({})); }, () => drawn.push(asked.length));
  window.event = { type: "click", target: {} };
  turns.soon();
  window.event = undefined;
  await Promise.resolve();
  assert.deepEqual([asked.length, drawn, turns.isWaiting()], [1, [], true]);
  answer(null);
  await asked[0];
  frame();
  assert.deepEqual([drawn, turns.isWaiting()], [[1], false]);
});

test("a press is drawn when it ends, also where a frame was awaited for what the pointer passed", async (t) => {
  const frame = clocked(t);
  let drawn = 0;
  const turns = makeTurns(nothing, () => { drawn += 1; });
  turns.soon();
  window.event = { type: "pointerdown", target: {} };
  turns.soon();
  window.event = undefined;
  await Promise.resolve();
  assert.equal(drawn, 1);
  frame();
  assert.equal(drawn, 1);
});

test("letters that are typed fast are drawn together, and anything else draws them at once", (t) => {
  const frame = clocked(t);
  let drawn = 0;
  const turns = makeTurns(nothing, () => { drawn += 1; });
  const type = () => {
    window.event = { type: "input", target: { localName: "textarea" } };
    turns.soon();
    window.event = undefined;
    frame();
  };
  type();
  type();
  assert.equal(drawn, 0);
  t.mock.timers.tick(200);
  assert.equal(drawn, 1);
  type();
  turns.soon();
  frame();
  assert.equal(drawn, 2);
  t.mock.timers.tick(200);
  assert.equal(drawn, 2);
});
