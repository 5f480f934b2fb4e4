import assert from "node:assert/strict";
import { test } from "node:test";

import { changedText, difference, lastEdit, placeAfter, withBefore } from "../../../viz_app/stage/page/whatif/changed.js";
import { droppedBy, makeUndo } from "../../../viz_app/stage/run/branches.js";

const choices = (tokens) => tokens.map((token) => ({ token, log_probability: Math.log(0.9) }));
const run = (tokens, edits = [], source = "s") => ({ text: tokens.join(" "), finished: "end",
  prompt: 1, steps: choices(tokens).map((one) => ({ candidates: [one] })), chosen: choices(tokens),
  source: { ids: [1, 2, 3] }, held: new Map(),
  target: { ids: ["<s>", ...tokens], pieces: ["<s>", ...tokens], texts: ["", ...tokens], kinds: ["special", ...tokens.map(() => "text")] }, recipe: { model: "m", source, pads: 0, edits,
    target: tokens.map((token) => ({ token })) } });
const canUndo = (state) => makeUndo({ state, playing: { byHand: (act) => act } }, () => {}).canUndo();
const after = (before, next) =>
  ({ run: next, dropped: droppedBy({ run: before, at: 2, stepping: false }, next) });

test("a change of the model's arithmetic can be taken back, even where it changed no token", () => {
  for (const tokens of [["a"], ["a", "b", "c"]]) {
    const state = after(run(["a", "b", "c"]), run(tokens, ["hide:2"]));
    assert.deepEqual(state.dropped.run.recipe.edits, []);
    assert.equal(canUndo(state), true);
  }
  assert.equal(canUndo(after(run(["a"]), run(["a", "b"]))), false); // it only went on
  assert.equal(canUndo(after(run(["a"]), run(["b"], [], "another"))), false);
});

test("the last edit is told by what came or went, and by the words that it changed", () => {
  const [plain, hidden] = [run(["a", "red", "car."]), run(["a", "car."], ["hide:2"])];
  const { came, went, before, now, at } = lastEdit(after(plain, hidden));
  assert.deepEqual([came, went, at], [["hide:2"], [], 1]);
  assert.deepEqual([before, now], ["a red", "a"]);
  assert.deepEqual(lastEdit(after(hidden, plain)).went, ["hide:2"]);
  assert.equal(lastEdit(after(plain, run(["a", "blue"]))), null); // another choice, no edit
});

test("a hidden word is said to be gone, any other change by its name, until another word is looked at", () => {
  const t = (key, values = {}) => [key, ...Object.values(values)].join(" ");
  const source = [{ label: "a" }, { label: "red" }, { label: "car" }];
  const [plain, hidden, unscaled] = [[], ["hide:2", "hide:3"], ["no-scale"]].map((edits) => run(["a", "car."], edits));
  const state = { ...after(plain, hidden), at: 1 };
  assert.equal(changedText(t, state, source), "changed_hidden redcarchanged_nothing");
  assert.equal(changedText(t, { ...state, at: 0 }, source), null);
  assert.equal(changedText(t, { ...after(plain, unscaled), at: 1 }, source), "changed_with edit_no-scale changed_nothing");
  assert.match(changedText(t, { ...after(hidden, plain), at: 1 }, source), /^changed_without /);
});

test("what a word that was hidden did is told in numbers, and the candidates have those before", () => {
  const t = (key, { word, was, now } = {}) => [key, word, was, now].join(" ");
  const source = [{ label: "a" }, { label: "red" }, { label: "car" }];
  const [plain, hidden, unscaled] = [["hide:2"], ["no-scale"]].reduce((runs, edits) => [...runs, run(["a", "car."], edits)], [run(["a", "red", "car."])]);
  plain.held = new Map([["hidden cross", new Float32Array([0, 0, 0, 0, Math.log(0.1), 0, 0, 0, 0])], ["words", [[0], [1], [2]]]]);
  const shown = (next) => ({ run: next, at: 1, dropped: { run: plain, at: 1, stepping: false } });
  assert.match(changedText(t, shown(hidden), source), /changed_chance red 0.900 0.090/);
  assert.doesNotMatch(changedText(t, shown(unscaled), source), /changed_chance/); // not measured
  const here = [{ token: "car.", log_probability: 0, rank: 0 }, { token: "bus", log_probability: -9, rank: 1 }];
  const [first, last] = withBefore(t, shown(hidden), here);
  assert.deepEqual([first.token, first.before, last.token, last.lost], ["car.", undefined, "red", true]);
  assert.deepEqual([last.before, Math.exp(last.log_probability)].map((one) => one.toFixed(2)), ["0.90", "0.09"]);
  assert.deepEqual(withBefore(t, shown(unscaled), here), here); // not measured, and not among the best
  assert.deepEqual(withBefore(t, /** @type {any} */ ({ run: null, dropped: null, at: 0 }), []), []); // nothing is there yet
  assert.equal(withBefore(t, shown(run(["b", "car."], ["hide:2"])), here), here); // it reads another token
});

test("a change takes the cursor to the first word that became another", () => {
  const [plain, later, both, shorter] = [["a", "b", "c"], ["a", "x", "c"], ["a", "x", "y"], ["a"]].map((tokens) => run(tokens));
  assert.deepEqual([0, 1, 2].map((at) => placeAfter(plain, at, later)), [1, 1, 1]);
  assert.equal(placeAfter(plain, 2, both), 1); // where what was fed is the same, and not where the cursor stood
  assert.equal(placeAfter(plain, 2, plain), 2);
  assert.equal(placeAfter(plain, 2, shorter), 0);
  assert.equal(placeAfter(plain, 2, { ...later, finished: null }), 2);
});

test("what differs between two texts is told with a word on both sides of the arrow", () => {
  assert.deepEqual(difference("a b c", "a b c"), { before: "", now: "" });
  assert.deepEqual(difference("a b c", "a x c"), { before: "b", now: "x" });
  assert.deepEqual(difference("a b.", "a x."), { before: "b", now: "x" });
  assert.deepEqual(difference("a b.", "a b!"), { before: "b.", now: "b!" });
  assert.deepEqual(difference("a b b c", "a b c"), { before: "b b", now: "b" });
  assert.deepEqual(difference("a", "a a"), { before: "a", now: "a a" });
});
