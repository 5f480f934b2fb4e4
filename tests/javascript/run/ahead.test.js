// Steps fetched ahead, with a server that answers at once and counts.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { keyOf, makeAhead } from "../../../viz_app/stage/ahead/ahead.js";
import { openDecoding } from "../../../viz_app/stage/run/decoding.js";
import { openPage } from "../../../viz_app/stage/run/page.js";
import { anatomyOf } from "../anatomies.js";

const model = { name: "m", anatomy: anatomyOf(), lacking: {},
  start_on: { site: "cross", layer: 0, head: 0 } };
const words = (ids) => ({ ids, pieces: ids.map(String), texts: ids.map(String),
  kinds: ids.map(() => "text"), unseen: [] });
const zeros = (count) => Buffer.from(new Float32Array(count).buffer).toString("base64");
const END = 9; // the translation ends with this token
const candidates = [4, 5, 6, 7].map((token) => ({ token, log_probability: -token }));

/** A translation that counts upwards: after token n comes n + 1. */
function payload(recipe, have = 0) {
  const target = recipe.target.map(({ token }) => token);
  const steps = target.length + 1 - have;
  const decoder = Array.from({ length: steps }, (_, i) => have + i + 1).reduce((a, b) => a + b, 0);
  return { version: 1, recipe, prompt: 1, source: words([1, 2]), target: words([0, ...target]),
    chosen: recipe.target.map(({ token, how }) => ({ token, how, log_probability: -1 })),
    steps_from: have, steps: Array.from({ length: steps }, (_, i) => ({ index: have + i, candidates })),
    finished: target.at(-1) === END ? "end" : null, text: target.join(" "),
    attention: { encoder: have ? null : { shape: [1, 1, 2, 2], data: zeros(4), best: [[[0, 1]]] },
      decoder: { data: zeros(decoder) }, cross: { data: zeros(2 * steps) } } };
}

const more = (recipe, token, how) => ({ ...recipe, target: [...recipe.target, { token, how }] });
const next = (recipe) => more(recipe, (recipe.target.at(-1)?.token ?? 3) + 1, "greedy");

function answerTo({ recipe, extend, force = null, have, next: steps, others = [] }) {
  if (steps === undefined) {
    return payload(force !== null ? more(recipe, force, "forced") : extend ? next(recipe) : recipe, have);
  }
  const answers = [];
  for (let at = recipe, n = 0; n < steps && answers.at(-1)?.finished !== "end"; n += 1) {
    at = next(at);
    answers.push(payload(at, have + n));
  }
  return { version: 1, next: answers,
    others: others.map((token) => payload(more(recipe, token, "forced"), have)) };
}

function opened({ refuses = false, kind = "greedy" } = {}) {
  const asked = [];
  const transport = async (request) => {
    if (request.status) return {};
    asked.push(request);
    return request.ahead && refuses ? { error: { code: "busy" } } : answerTo(request);
  };
  const page = openPage({ models: [model], limits: { characters: 100 } },
    { rooms: [{ name: "translate", keep: {} }], canAsk: true, language: "en", changed() {} });
  const start = payload({ version: 1, model: "m", source: "A.", pads: 0, target: [],
    ...(kind === "beam" ? { strategy: { kind, width: 3 } } : {}) });
  const decoding = openDecoding(page, transport, { model: "m", payload: start, view: null },
    { arrived() {}, runChanged() {} });
  decoding.actions.bring({ keep: {}, makeAhead });
  return { ...decoding, asked };
}

const turn = () => new Promise((done) => { setImmediate(done); });
async function idle(ms) {
  mock.timers.tick(ms);
  for (let i = 0; i < 6; i += 1) await turn();
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
    assert.equal(asked.filter(({ ahead }) => !ahead).length, 1);
    assert.ok(asked.length <= 3, `${asked.length} calls`);
    await idle(50);
    await actions.step();
    await idle(50);
    assert.equal(state.run.finished, "end");
    assert.equal(state.run.text, "4 5 6 7 8 9");
    assert.equal(asked.filter(({ ahead }) => !ahead).length, 1);
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
    assert.deepEqual(asked.map(({ ahead = false, extend }) => [ahead, extend]),
      [[false, 1], [false, "end"]]);
    await turn();
  }));

test("a server that has no time is left alone for a while, and a beam is never searched ahead",
  async () => {
    await walk({ refuses: true }, async ({ actions, asked }) => {
      await actions.step();
      for (let n = 0; n < 3; n += 1) {
        await idle(50);
        await actions.step();
      }
      assert.equal(asked.filter(({ ahead }) => ahead).length, 1);
      assert.equal(asked.filter(({ ahead }) => !ahead).length, 4);
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
