// A decoding with a transport that answers when the test says so.

import assert from "node:assert/strict";
import { test } from "node:test";

import { canExtend, stepsShown } from "../../../viz_app/stage/run/able.js";
import { cellOf } from "../../../viz_app/stage/run/cells.js";
import { openDecoding } from "../../../viz_app/stage/run/decoding.js";
import { openPage } from "../../../viz_app/stage/run/page.js";
import { modelNamed, payload, settled } from "../payloads.js";

const chosen = (...tokens) => tokens.map((token) => ({ token, how: "greedy" }));

const recipe = { version: 1, model: "m", source: "A.", pads: 0, target: chosen(5, 6) };

function pageOf() {
  const options = { models: [modelNamed("m"), modelNamed("n")], limits: { characters: 100 } };
  const rooms = ["translate", "masks", "inside"].map((name) => ({ name }));
  return openPage(options, { rooms, canAsk: true, language: "en", changed() {} });
}

function opened(page = pageOf(), arrived = () => {}) {
  const asked = [];
  const transport = (request) => new Promise((answer) => {
    if (!request.status && request.next === undefined) asked.push({ request, answer }); // ahead: whenever there is time
  });
  const decoding = openDecoding(page, transport, { model: "m", payload: payload(recipe), view: null },
    { arrived, runChanged() {} });
  return { ...decoding, page, asked };
}

test("a step pressed while a new sentence is translated does not drop that translation", async () => {
  const { state, actions, asked } = opened();
  actions.type("B.");
  actions.translate();
  actions.step();
  actions.force(7);
  actions.reset();
  assert.equal(canExtend(state), false);
  assert.equal(asked.length, 1);
  asked[0].answer(payload({ ...asked[0].request.recipe, target: chosen(8) }, 0, "end"));
  await settled();
  assert.equal(state.run.recipe.source, "B.");
  assert.equal(state.busy, false);
});

test("a step pressed while pads are added does not drop the pads", async () => {
  const { state, actions, asked } = opened();
  actions.addPads(1);
  actions.step();
  actions.addPads(1);
  assert.deepEqual(asked.map(({ request }) => request.recipe.pads), [1, 2]);
  asked[1].answer(payload(asked[1].request.recipe));
  await settled();
  assert.equal(state.run.recipe.pads, 2);
});

test("the model on the screen can be chosen again while another one is on its way", async () => {
  const { state, actions, asked } = opened();
  const draft = () => [state.draft, state.wanted, state.busy];
  actions.setModel("n");
  assert.deepEqual([draft(), asked.length], [["A.", "n", true], 1]);
  actions.type("");
  actions.setModel("m");
  assert.deepEqual(draft(), ["A.", null, false]);
  asked[0].answer(payload({ ...asked[0].request.recipe, target: chosen(8) }, 0, "end"));
  await settled();
  assert.deepEqual([state.model.name, state.run.recipe.model, asked.length], ["m", "m", 1]);
});

test("an edit keeps what was forced after a prompt, and decodes as far as before", () => {
  const { state, actions, asked } = opened();
  const [given, forced, own] = ["given", "forced", "greedy"].map((how) => ({ token: 5, how }));
  state.run = { ...state.run, prompt: 3, anatomy: { ...state.run.anatomy, edits: ["no-scale"] },
    steps: Array(6).fill({}), chosen: [given, given, forced, own, own], recipe: { ...recipe, target: [forced, own, own] } };
  actions.edit(["no-scale"]);
  assert.deepEqual([asked[0].request.recipe.target, asked[0].request.extend], [[forced], 2]);
});

test("an answer to an overtaken question is dropped", async () => {
  const { state, actions, asked } = opened();
  actions.type("B.");
  actions.translate();
  actions.type("C.");
  actions.translate();
  asked[1].answer(payload({ ...asked[1].request.recipe, target: chosen(8) }, 0, "end"));
  asked[0].answer(payload({ ...asked[0].request.recipe, target: chosen(9) }, 0, "end"));
  await settled();
  assert.equal(state.run.recipe.source, "C.");
});

test("playback stops where another room is opened", () => {
  const { state, actions } = opened();
  actions.moveTo(0);
  for (const leave of [() => actions.enter("masks"),
    () => actions.lookInside({ site: "cross", layer: 0, head: 0 })]) {
    actions.enter("translate");
    actions.togglePlay();
    assert.equal(state.isAutoplaying, true);
    leave();
    assert.equal(state.isAutoplaying, false);
  }
  actions.close();
});

test("a chosen cell that the run does not have gives way to the best one", () => {
  const { state, actions } = opened();
  actions.keepCell(1, 1, "encoder");
  assert.deepEqual(cellOf(state, "encoder"), { query: 1, key: 1 });
  actions.keepCell(9, 9, "encoder");
  assert.deepEqual(cellOf(state, "encoder"), { query: 0, key: 1 });
  assert.deepEqual(state.cells.encoder, { query: 9, key: 9 }, "asking for it changes nothing");
});

test("a translation is shown whole, and in part only to who steps through it", async () => {
  const { state, actions, asked } = opened();
  const seen = () => [state.at, state.stepping, stepsShown(state)];
  actions.translate();
  asked[0].answer(payload({ ...asked[0].request.recipe, target: chosen(8, 9) }, 0, "end"));
  await settled();
  assert.deepEqual(seen(), [2, false, 3]);
  actions.back(); // another row is looked at, and none goes
  assert.deepEqual(seen(), [1, false, 3]);
  actions.moveTo(0, true);
  assert.deepEqual(seen(), [0, true, 1]);
  await actions.step();
  assert.deepEqual(seen(), [1, true, 2]);
  await actions.step(); // nothing is left to come
  assert.deepEqual(seen(), [2, false, 3]);
  actions.togglePlay();
  assert.deepEqual(seen(), [0, true, 1]);
  await actions.step();
  actions.togglePlay(); // on from there
  assert.deepEqual(seen(), [1, true, 2]);
  await actions.runToEnd();
  assert.deepEqual(seen(), [2, false, 3]);
  actions.close();
});

test("what was dropped comes back as it was seen: whole, or stepped through", async () => {
  const { state, actions, asked } = opened();
  actions.translate();
  asked[0].answer(payload({ ...asked[0].request.recipe, target: chosen(8, 9) }, 0, "end"));
  await settled();
  actions.back();
  actions.reset();
  assert.deepEqual([state.at, state.stepping, state.run.steps.length], [0, true, 1]);
  actions.undo();
  assert.deepEqual([state.at, state.stepping, state.run.steps.length], [1, false, 3]);
  actions.moveTo(1, true);
  actions.reset();
  actions.undo();
  assert.deepEqual([state.at, state.stepping], [1, true]);
});

test("what was undone can be done again, and is called so until the reader changes something else", async () => {
  const { state, actions, asked } = opened();
  actions.force(9);
  asked[0].answer(payload({ ...asked[0].request.recipe, target: chosen(9) }));
  await settled();
  const targets = [];
  for (const name of ["undo", "redo", "undo"]) {
    assert.equal(actions.undoing(), name);
    actions.undo();
    targets.push(state.run.recipe.target);
  }
  assert.deepEqual(targets, [recipe.target, chosen(9), recipe.target]);
  assert.equal(actions.undoing(), "redo");
  actions.force(8);
  asked[1].answer(payload({ ...asked[1].request.recipe, target: chosen(8) }));
  await settled();
  assert.equal(actions.undoing(), "undo");
});

test("what a link takes away was no change of the reader's: it is not told, and Undo has none of it", async () => {
  const { state, actions, asked } = opened();
  actions.force(9);
  asked[0].answer(payload({ ...asked[0].request.recipe, target: chosen(9) }));
  await settled();
  assert.deepEqual([actions.canUndo(), state.dropped?.run.recipe.target], [true, recipe.target]);
  const opens = actions.openLink("v=3&model=m&text=A.");
  asked[1].answer({ ...payload({ ...recipe, target: [] }), view: {} });
  await opens;
  assert.deepEqual([state.run.recipe.target, actions.canUndo(), state.dropped], [[], false, null]);
  actions.force(9);
  asked[2].answer(payload({ ...asked[2].request.recipe, target: chosen(9) }));
  await settled();
  actions.reset();
  assert.deepEqual(state.dropped?.run.recipe.target, chosen(9));
  await actions.open({ recipe: state.run.recipe, view: {} }); // a room shows it
  assert.equal(actions.canUndo(), true);
  await actions.open({ recipe: state.run.recipe, view: {} }, null); // so does an entry of the history
  assert.equal(actions.canUndo(), false);
});

test("what a link leaves out is as usual, whatever the page showed before it", async () => {
  const { state, actions, asked } = opened();
  actions.draw({ by: "pieces", reading: "norms", view: "lines" });
  actions.spell(true);
  actions.openLink("v=3&model=m&text=A.&view=table");
  asked[0].answer({ ...payload(recipe), view: { view: "table" } });
  await settled();
  assert.deepEqual([state.by, state.reading, state.view, state.spelled], ["words", "weights", "table", false]);
});

test("a link shows what its page showed: whole, or the steps so far", async () => {
  const { state, actions } = opened();
  await actions.open({ recipe, view: { at: 1, stepping: true } });
  assert.deepEqual([state.at, stepsShown(state)], [1, 2]);
  await actions.open({ recipe, view: { at: 1 } });
  assert.deepEqual([state.at, stepsShown(state)], [1, 3]);
  await actions.open({ recipe, view: {} });
  assert.equal(stepsShown(state), 3);
});

test("two decodings on one page step for themselves", async () => {
  const page = pageOf();
  const [one, two] = [opened(page), opened(page)];
  one.actions.moveTo(0);
  two.actions.lock(0, 0, "encoder");
  two.actions.type("B.");
  two.actions.translate();
  assert.deepEqual([one.state.at, two.state.at], [0, 2]);
  assert.deepEqual([one.state.busy, two.state.busy], [false, true]);
  one.actions.force(7);
  one.asked[0].answer(payload({ ...one.asked[0].request.recipe, target: chosen(7) }, 1));
  two.asked[0].answer(payload({ ...two.asked[0].request.recipe, target: chosen(8) }, 0, "end"));
  await settled();
  assert.deepEqual([one, two].map(({ state }) => [state.run.recipe.source,
    state.run.recipe.target.map(({ token }) => token)]), [["A.", [7]], ["B.", [8]]]);
});

test("decodings share their page, and none writes to it", () => {
  const page = pageOf();
  const [one, two] = [opened(page), opened(page)];
  two.actions.togglePlay();
  one.actions.enter("masks");
  one.actions.spell(true);
  for (const { state } of [one, two]) {
    assert.deepEqual([state.room, state.spelled, state.isAutoplaying], ["masks", true, false]);
    assert.throws(() => { state.room = "inside"; }, TypeError);
  }
});

test("a view chooses what there is, and nothing else changes", async () => {
  const { state, actions } = opened();
  const view = { room: "cellar", spelled: true, site: "decoder", layer: 4, rows: "predicted", at: 1 };
  assert.equal(await actions.open({ recipe, view }), true);
  assert.deepEqual([state.room, state.spelled, state.site, state.locks.decoder.layer, state.rows,
    state.at], ["translate", true, "decoder", 0, "predicted", 1]);
});

test("another strategy decodes from the cursor on and keeps the tokens before it", async () => {
  const { state, actions, asked } = opened();
  assert.equal(actions.decodeAnew(), false); // nothing is chosen at the cursor yet
  actions.moveTo(1);
  actions.setStrategy({ kind: "sample", temperature: 3 });
  actions.decodeAnew();
  const { request, answer } = asked[0];
  assert.deepEqual([request.recipe.target, request.extend], [chosen(5), 1]);
  assert.equal(request.recipe.strategy.temperature, 3);
  answer(payload({ ...request.recipe, target: chosen(5, 9) }, request.have));
  await settled();
  assert.deepEqual([state.at, state.run.recipe.target], [1, chosen(5, 9)]);
  actions.decodeAnew(0);
  assert.deepEqual(asked.at(-1).request.recipe.target, []); // what is asked ahead may come before
});

test("a sentence that is refused is remembered until another one is translated", async () => {
  const { state, actions, asked } = opened();
  actions.type("x".repeat(101));
  actions.translate();
  assert.equal(state.refused, "x".repeat(101));
  assert.equal(asked.length, 0);
  actions.tell(null); // its message is closed; the other translation still stands there
  assert.equal(state.refused, "x".repeat(101));
  actions.type("B.");
  actions.translate();
  asked[0].answer({ error: { code: "unknown_word" } });
  await settled();
  assert.equal(state.refused, "B.");
  actions.type("C.");
  actions.translate();
  asked[1].answer(payload({ ...asked[1].request.recipe, target: chosen(8) }, 0, "end"));
  await settled();
  assert.equal(state.refused, null);
});

test("what opens is drawn as its view says, and with what changes beside it", async () => {
  const drawn = [];
  const { state, page, actions, asked } = opened(pageOf(), () => drawn.push([state.run.recipe.source, state.room,
    state.at, state.other?.b.source]));
  const other = { ...recipe, source: "B." };
  actions.open({ recipe: other, view: { room: "masks", at: 1 } }, () => page.actions.keepOther(recipe));
  asked[0].answer(payload(other));
  await settled();
  actions.openLink("v=3&text=C.");
  asked[1].answer({ ...payload({ ...recipe, source: "C." }), view: { room: "translate", at: 0 } });
  await settled();
  assert.deepEqual(drawn, [["B.", "masks", 1, "A."], ["C.", "translate", 0, "A."]]);
});
