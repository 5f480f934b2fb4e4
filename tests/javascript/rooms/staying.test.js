// What Compare and Beam do with an answer when the run on the screen is another one by then.

import assert from "node:assert/strict";
import { test } from "node:test";

import { inquire, leave } from "../../../viz_app/rooms/beam/beam.js";
import { partingSaid } from "../../../viz_app/rooms/beam/says.js";
import { makeComparing } from "../../../viz_app/rooms/compare/question.js";
import { makeQuestion } from "../../../viz_app/stage/run/ask.js";
import { anatomyOf } from "../anatomies.js";

const recipe = (model, target = []) => ({ model, source: "s", target });
const stateOf = (model) => ({ model: { anatomy: anatomyOf() }, site: "cross", message: null,
  run: { recipe: recipe(model), prompt: 1 }, other: null, canAsk: true,
  locks: { cross: { layer: 0, head: 0 } } });
const answerOf = (model) => ({ site: "cross", places: [{ layer: 1, head: 5 }, {}],
  runs: [{ recipe: recipe(model) }, {}], a: null, b: null, difference: null, heads: null });

test("a slow answer of Compare about a run that has left locks nothing and is asked anew", async () => {
  const state = stateOf("one");
  const [locked, asks] = [[], []];
  const actions = { lock: (...place) => locked.push(place) };
  const transport = (request) => new Promise((done) => asks.push({ request, done }));
  const ask = (how) => makeQuestion({ ...how, transport, waits: () => () => {} });
  const inquiry = makeComparing({ state, actions }, ask, null, null);
  inquiry.inquire();
  state.run = { ...state.run, recipe: recipe("two") };
  asks[0].done(answerOf("one"));
  await new Promise(setImmediate);
  assert.deepEqual([inquiry.answer(), locked], [null, []]);
  inquiry.inquire();
  assert.equal(asks[1].request.recipe.model, "two");
  asks[1].done(answerOf("two"));
  await new Promise(setImmediate);
  assert.deepEqual([inquiry.answer().places[0].head, locked], [5, [[1, 5, "cross"]]]);
  state.run = { ...state.run, recipe: recipe("one") };
  assert.equal(inquiry.answer(), null, "the answer about another model is not that of this run");
});

const tree = { step: [1, 1, 2], parent: [-1, -1, 0], fate: ["kept", "kept", "kept"], found: [2] };
const beamOf = (state) => {
  const opened = [];
  let asked = "";
  const trees = { key: () => asked, has: (_, key) => key === asked,
    of: (_, key) => { asked = key; },
    answer: () => ({ tree, taken: 0, tokens: { ids: [7, 8, 9] } }) };
  const own = { session: { state, actions: { open: (to) => opened.push(to) } }, node: null, step: null,
    choices: { width: null, alpha: null, begin: "start" }, trees,
    maps: { of() {} } };
  return { own, opened };
};

test("Beam takes a hypothesis only into the run whose tree it is", () => {
  const { own, opened } = beamOf(stateOf("one"));
  inquire(own);
  leave(own, true);
  assert.deepEqual(opened[0].recipe.target.map(({ token }) => token), [7, 9]);
  own.session.state.run = { ...own.session.state.run, recipe: recipe("two") };
  leave(own, true);
  assert.equal(opened.length, 1);
});

test("Beam lets go of the chosen node when the tree is another one, but not of a link's", () => {
  const { own } = beamOf(stateOf("one"));
  Object.assign(own, { node: 57, step: 3 });
  inquire(own);
  assert.deepEqual([own.node, own.step], [57, 3]);
  own.session.state.run.recipe = recipe("one", [{ token: 4, how: "greedy" }]);
  inquire(own);
  assert.equal(own.node, 57, "tokens that nobody forced make no other tree");
  own.session.state.run.recipe = recipe("one", [{ token: 4, how: "forced" }]);
  inquire(own);
  assert.deepEqual([own.node, own.step], [null, null]);
});

test("what would have been better does not come in behind", () => {
  const t = Object.assign((key) => key, { language: "en", raw: (key) => key });
  const one = { score: -1, total: -1, penalty: 1, log_probability: -1 };
  const said = (outcome) => partingSaid(t, { tree: { ...tree, ending: "all" },
    parting: { outcome, step: 1, dropped: null, beam: one, greedy: one, greedy_token: one,
      beam_token: one }, greedy: { tokens: tokens(2) }, tokens: tokens(3) }, false).after;
  assert.match(said("total"), /beam_stayed/);
  assert.doesNotMatch(said("worse"), /beam_stayed|null/);
});

function tokens(n) {
  const texts = Array.from({ length: n }, (_, i) => `w${i}`);
  return { ids: texts.map((_, i) => i), texts, pieces: texts, kinds: texts.map(() => "text") };
}
