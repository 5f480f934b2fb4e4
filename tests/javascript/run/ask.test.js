// What becomes of a question: only the last counts, what is here is not asked again, and what found
// no place or was refused is asked once more.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { weightOf, makeAnswers, makeQuestion, makeWaits, watchStatus } from "../../../viz_app/stage/run/ask.js";
import { settled } from "../payloads.js";

const BUSY = { error: { code: "busy", values: { n: 30, limit: 26, seconds: 2 } } };
const REFUSED = { error: { code: "choice" } };
const DONE = { version: 1 };
const request = (head) => ({ recipe: { model: "m" }, head });

/** A question whose answers arrive when the test says so; what was asked, and what became of it. */
function asking(how = {}) {
  const [asked, states, taken] = [[], [], []];
  const transport = (said) => new Promise((answer, refuse) => { asked.push({ said, answer, refuse }); });
  const question = makeQuestion({ transport, waits: () => () => {}, show: (state) => states.push(state),
    settle: (answer) => { taken.push(answer); }, ...how });
  return { question, asked, states, taken };
}

/** The same, answered at once with these, one after the other. */
function answering(...answers) {
  const asked = [];
  const transport = async (said) => { asked.push(said); return answers.shift(); };
  return { question: makeQuestion({ transport, waits: () => () => {} }), asked };
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

test("the same is asked once, and of answers in reverse order only the last question's counts", async () => {
  const { question, asked, taken } = asking();
  for (const head of [1, 1, 2]) assert.equal(question.of(request(head)), null);
  assert.deepEqual(asked.map(({ said }) => said.head), [1, 2]);
  assert.ok(question.isOpen());
  asked[1].answer("two");
  await settled();
  asked[0].answer("one");
  await settled();
  assert.deepEqual([taken, question.answer(), question.isOpen()], [["two"], "two", false]);
  assert.ok(question.has(request(2)) && !question.has(request(1)));
  assert.equal(question.of(request(2)), "two");
  assert.equal(asked.length, 2);
});

test("whoever computes is told when nobody waits for an answer any more", async () => {
  const told = [];
  const transport = (said, signal, { stale }) => new Promise((answer) => { told.push({ said, stale, answer }); });
  const question = makeQuestion({ transport, waits: () => () => {} });
  question.of(request(1));
  question.of(request(2));
  assert.deepEqual(told.map(({ stale }) => stale.aborted), [true, false]);
  question.drop();
  assert.ok(told[1].stale.aborted);
  told.forEach(({ answer }) => answer(DONE)); // nobody waits, and the test ends
  await settled();
});

test("an answer that was overtaken is kept all the same, and is here when it is wanted again", async () => {
  const { question, asked, taken } = asking({ answers: makeAnswers(), name: "masks" });
  question.of(request(1));
  question.of(request(2));
  asked[0].answer("one");
  asked[1].answer("two");
  await settled();
  assert.equal(question.of(request(1)), "one");
  assert.deepEqual([taken, asked.length], [["two", "one"], 2]);
});

test("rooms do not take each other's answers", async () => {
  const answers = makeAnswers();
  const [masks, inside] = ["masks", "inside"].map((name) => asking({ answers, name }));
  masks.question.of(request(1));
  masks.asked[0].answer("of masks");
  await settled();
  assert.equal(inside.question.of(request(1)), null);
});

test("what was refused is asked again as soon as that may be, not before", async () => {
  let isTold = false;
  const { question, asked, states } = asking({ mayRetry: () => !isTold });
  question.of(request(1));
  isTold = true;
  asked[0].answer(REFUSED);
  await settled();
  assert.equal(question.state(), "failed");
  question.of(request(1));
  assert.equal(asked.length, 1);
  isTold = false;
  question.of(request(1));
  asked[1].answer("one");
  await settled();
  assert.deepEqual([question.answer(), states], ["one", ["asked", "failed", "asked", "ready"]]);
});

test("a server that is gone, or answers nothing, is an error of the network", async () => {
  const arrived = [];
  const { question, asked } = asking({ show: (_, answer) => arrived.push(answer) });
  question.of(request(1));
  asked[0].refuse(new Error("gone"));
  await settled();
  question.of(request(2));
  asked[1].answer(undefined);
  await settled();
  const network = { error: { code: "network" } };
  assert.deepEqual(arrived.filter(Boolean), [network, network]);
});

test("what is dropped is neither taken nor asked once its time has come", () => withTimers(async () => {
  const { question, asked, taken, states } = asking({ after: 180 });
  question.of(request(1));
  mock.timers.tick(179);
  assert.equal(asked.length, 0);
  mock.timers.tick(1);
  question.drop();
  asked[0].answer("late");
  await settled();
  question.of(request(2));
  question.drop();
  mock.timers.tick(1000);
  assert.deepEqual([taken, asked.length, states], [[], 1, ["asked", "none", "asked", "none"]]);
}));

test("an answer is slow after a while, and it is watched what it waits for until it is here",
  () => withTimers(async () => {
    const waits = [];
    const { question, asked, states } = asking({ waits: (_, model) => {
      waits.push(model);
      return () => waits.push("over");
    } });
    question.of(request(1));
    mock.timers.tick(149);
    assert.deepEqual([states, waits], [["asked"], []]);
    mock.timers.tick(1);
    assert.deepEqual([states, waits], [["asked", "slow"], ["m"]]);
    asked[0].answer("one");
    await settled();
    assert.deepEqual([states, waits], [["asked", "slow", "ready"], ["m", "over"]]);
  }));

test("where the server chose a part of the question, the whole is answered too", async () => {
  const { question, asked } = asking({ answers: makeAnswers(),
    settle: (answer) => request(answer.head) });
  question.of(request(undefined));
  asked[0].answer({ head: 5 });
  await settled();
  assert.deepEqual(question.of(request(5)), { head: 5 });
  assert.equal(asked.length, 1);
});

test("answers are kept while there is room; that which was used longest ago goes first", () => {
  const answers = makeAnswers(100);
  answers.keep("a", "x".repeat(40));
  answers.keep("b", "y".repeat(40));
  assert.ok(answers.of("a"));
  answers.keep("c", { data: "z".repeat(36) });
  assert.deepEqual(["a", "b", "c"].map((key) => answers.of(key) !== null), [true, false, true]);
  answers.keep("c", "less");
  answers.keep("d", "w".repeat(56));
  assert.ok(answers.of("a"), "what was replaced takes no room");
  answers.forget((answer) => answer === "less");
  assert.equal(answers.of("c"), null);
  assert.equal(weightOf({ ab: ["xyz", 1, null] }), 2 + 1 + 3 + 1 + 8 + 1 + 8);
});

test("who finds no place asks once more, when the server says", () => withTimers(async () => {
  const { question, asked } = answering(BUSY, DONE);
  const answer = question.ask(request(1), "m");
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
    const { question } = answering({ error: { code, values: { n: 3, seconds: 4 } } }, DONE);
    const answer = question.ask(request(1), "m");
    await settled();
    mock.timers.tick(4000);
    assert.equal(await answer, DONE);
  }));
}

test("a crowd that finds no place does not come back as one", () => withTimers(async () => {
  Math.random.mock.mockImplementation(() => 0.5);
  const { question, asked } = answering(BUSY, DONE);
  const answer = question.ask(request(1), "m");
  await settled();
  mock.timers.tick(2499);
  await settled();
  assert.equal(asked.length, 1);
  mock.timers.tick(1);
  assert.equal(await answer, DONE);
}));

test("who finds no place twice is told", () => withTimers(async () => {
  const { question, asked } = answering(BUSY, BUSY, DONE);
  const answer = question.ask(request(1), "m");
  await settled();
  mock.timers.tick(2000);
  assert.equal(await answer, BUSY);
  assert.equal(asked.length, 2);
}));

test("what nobody wants any more is not asked again", () => withTimers(async () => {
  const { question, asked } = answering(BUSY, DONE);
  const answer = question.ask(request(1), "m");
  await settled();
  question.drop();
  mock.timers.tick(2000);
  assert.equal(await answer, null);
  assert.equal(asked.length, 1);
}));

test("what is waited for is asked ever less often, and what it says again is not shown again",
  () => withTimers(async () => {
    const [line, opened] = [{ phase: "ready", waiting: 9 }, { phase: "ready", waiting: 8 }];
    const [asked, shown] = [[], []];
    let [now, isOver] = [0, false];
    const transport = async () => {
      asked.push(now);
      return { status: now < 3000 ? { ...line } : { ...opened } };
    };
    const watching = watchStatus(transport, "m", () => isOver, (status) => shown.push(status));
    for (; now < 10000; now += 50) {
      await settled();
      mock.timers.tick(50);
    }
    isOver = true;
    mock.timers.tick(2000);
    await watching;
    const gaps = asked.slice(1).map((time, place) => time - asked[place]);
    assert.ok(gaps[0] < gaps[1] && gaps[1] < gaps[2] && gaps.length < 10, String(asked));
    assert.ok(Math.max(...gaps) <= 2050);
    assert.deepEqual(shown, [line, opened]);
  }));

test("several slow questions are watched as one, and its line stands until the last is answered",
  () => withTimers(async () => {
    const [asked, shown] = [[], []];
    const transport = async ({ status }) => {
      asked.push(status);
      return { status: { phase: "ready", waiting: 2 } };
    };
    const waits = makeWaits((status) => shown.push(status?.waiting ?? null));
    const ends = [waits(transport, "m"), waits(transport, "m")];
    mock.timers.tick(400);
    await settled();
    assert.deepEqual([asked, shown], [["m"], [2]]);
    ends[0]();
    mock.timers.tick(600);
    await settled();
    assert.deepEqual([asked, shown], [["m", "m"], [2]]);
    ends[1]();
    mock.timers.tick(5000);
    await settled();
    assert.deepEqual([asked.length, shown], [2, [2, null]]);
  }));
