// Steps fetched ahead, with a server that answers at once and counts.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { keyOf, makeAhead } from "../../../viz_app/stage/run/ahead.js";
import { openDecoding } from "../../../viz_app/stage/run/decoding.js";
import { openPage } from "../../../viz_app/stage/run/page.js";
import { modelNamed, payload, settled } from "../payloads.js";

const END = 9; // the translation ends with this token
const candidates = [4, 5, 6, 7].map((token) => ({ token, log_probability: -token }));

/** A translation that counts upwards: after token n comes n + 1. */
const counted = (recipe, have = 0) => payload(recipe, have, recipe.target.at(-1)?.token === END ? "end" : null, candidates);

const more = (recipe, token, how) => ({ ...recipe, target: [...recipe.target, { token, how }] });
const next = (recipe) => more(recipe, (recipe.target.at(-1)?.token ?? 3) + 1, "greedy");

function answerTo({ recipe, extend, force = null, have, next: steps, others = [] }) {
  if (steps === undefined) {
    return counted(force !== null ? more(recipe, force, "forced") : extend ? next(recipe) : recipe, have);
  }
  const answers = [];
  for (let at = recipe, n = 0; n < steps && answers.at(-1)?.finished !== "end"; n += 1) {
    at = next(at);
    answers.push(counted(at, have + n));
  }
  return { version: 1, next: answers,
    others: others.map((token) => counted(more(recipe, token, "forced"), have)) };
}

function opened({ refuses = false, kind = "greedy" } = {}) {
  const asked = [];
  const transport = async (request) => {
    if (request.status) return {};
    asked.push(request);
    return request.next !== undefined && refuses ? { error: { code: "busy" } } : answerTo(request);
  };
  const page = openPage({ models: [modelNamed("m")], limits: { characters: 100 } },
    { rooms: [{ name: "translate", keep: {} }], canAsk: true, language: "en", changed() {} });
  const start = counted({ version: 1, model: "m", source: "A.", pads: 0, target: [],
    ...(kind === "beam" ? { strategy: { kind, width: 3 } } : {}) });
  const decoding = openDecoding(page, transport, { model: "m", payload: start, view: null },
    { arrived() {}, runChanged() {} });
  decoding.actions.bring({ keep: {}, makeAhead });
  return { ...decoding, asked };
}

async function idle(ms) {
  mock.timers.tick(ms);
  for (let i = 0; i < 6; i += 1) await settled();
}

async function walk(how, act) {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    await act(opened(how));
  } finally {
    mock.timers.reset();
  }
}

test("steps that were fetched need no answer, and a call fetches several", () => walk({},
  async ({ state, actions, asked }) => {
    await actions.step();
    assert.equal(asked.length, 1);
    for (let n = 0; n < 4; n += 1) {
      await idle(50);
      await actions.step();
    }
    assert.deepEqual(state.run.recipe.target.map(({ token }) => token), [4, 5, 6, 7, 8]);
    assert.equal(asked.filter(({ next }) => next === undefined).length, 1);
    assert.ok(asked.length <= 3, `${asked.length} calls`);
    await idle(50);
    await actions.step();
    await idle(50);
    assert.equal(state.run.finished, "end");
    assert.equal(state.run.text, "4 5 6 7 8 9");
    assert.equal(asked.filter(({ next }) => next === undefined).length, 1);
  }));

test("the likeliest candidates are fetched where the reader stays, and taken at once", () => walk({},
  async ({ state, actions, asked }) => {
    await actions.step();
    await idle(50);
    const before = asked.length;
    await idle(1300);
    assert.deepEqual(asked.at(-1).others, [4, 5]);
    assert.equal(asked.length, before + 1);
    await actions.force(5);
    assert.deepEqual(state.run.recipe.target.map(({ token, how }) => [token, how]),
      [[4, "greedy"], [5, "forced"]]);
    assert.equal(asked.length, before + 1);
    await actions.force(7); // was not among the two
    assert.equal(asked.length, before + 2);
  }));

test("a question of a person ends what waits to be fetched", () => walk({},
  async ({ actions, asked }) => {
    await actions.step();
    actions.runToEnd();
    mock.timers.tick(5000);
    assert.deepEqual(asked.map(({ next, extend }) => [next !== undefined, extend]),
      [[false, 1], [false, "end"]]);
    await settled();
  }));

test("a server that has no time is left alone for a while, and a beam is never searched ahead",
  async () => {
    await walk({ refuses: true }, async ({ actions, asked }) => {
      await actions.step();
      for (let n = 0; n < 3; n += 1) {
        await idle(50);
        await actions.step();
      }
      assert.equal(asked.filter(({ next }) => next !== undefined).length, 1);
      assert.equal(asked.filter(({ next }) => next === undefined).length, 4);
    });
    await walk({ kind: "beam" }, async ({ actions, asked }) => {
      await actions.step();
      await idle(2000);
      assert.equal(asked.some(({ ahead }) => ahead), false);
    });
  });

test("a question is the same whatever the order of its names, and another with other edits", () => {
  const recipe = { model: "m", source: "s", pads: 0, target: [], strategy: { kind: "greedy" } };
  assert.equal(keyOf(recipe, null), keyOf({ ...recipe, edits: [], settings: {}, strategy: undefined }, null));
  assert.notEqual(keyOf(recipe, null), keyOf({ ...recipe, edits: ["hide:1"] }, null));
  assert.notEqual(keyOf(recipe, null), keyOf(recipe, 3));
});
