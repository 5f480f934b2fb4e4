import assert from "node:assert/strict";
import { test } from "node:test";

import { branchesOf, branchNames } from "../../../viz_app/stage/page/branches/names.js";
import { branchesAfter, MOST_BRANCHES } from "../../../viz_app/stage/run/branches.js";

const run = (target, source = "s") => ({ prompt: 1,
  recipe: { model: "m", source, pads: 0, target: target.map((token) => ({ token })) },
  target: { texts: ["<s>", ...target.map((token) => `w${token}`)],
    pieces: ["<s>", ...target.map((token) => `▁w${token}`)],
    kinds: ["special", ...target.map(() => "text")] } });
const put = (state, next) => ({ run: next, at: 0, branches: branchesAfter(state, next) });
const targets = (branches) => branches.map(({ run: { recipe } }) =>
  recipe.target.map(({ token }) => token));
const opened = (target) => ({ run: run(target), at: 0, branches: [] });

test("another choice leaves a branch, which going back to takes out of the list", () => {
  const first = opened([1, 2, 3]);
  const forced = put(first, run([1, 9]));
  const grown = put(forced, run([1, 9, 8]));
  assert.deepEqual(targets(grown.branches), [[1, 2, 3]]);
  const back = put(grown, first.run);
  assert.deepEqual(targets(back.branches), [[1, 9, 8]]);
  assert.deepEqual(targets(branchesOf(back)), [[1, 9, 8]]);
});

test("what only goes on, or is cut, is no branch until it parts", () => {
  const cut = put(opened([1, 2, 3]), run([]));
  assert.deepEqual(branchesOf(cut), []);
  const same = put(cut, run([1]));
  assert.deepEqual(branchesOf(same), []);
  const parted = put(same, run([1, 7]));
  assert.deepEqual(targets(branchesOf(parted)), [[1, 2, 3]]);
  assert.deepEqual(targets(put(parted, run([1, 2, 3, 4])).branches), [[1, 7]]);
});

test("branches belong to their sentence, and the oldest goes first", () => {
  let state = opened([0]);
  for (let token = 1; token <= MOST_BRANCHES + 2; token += 1) state = put(state, run([token]));
  assert.deepEqual(targets(branchesOf(state)), [7, 6, 5, 4, 3, 2].map((token) => [token]));
  const other = put(state, run([5], "another"));
  assert.deepEqual(branchesOf(other), []);
  assert.deepEqual(targets(branchesOf(put(other, run([8])))), targets(branchesOf(state)));
});

test("a branch is named by the word that differs, and its step", () => {
  const recipe = run([1, 2, 3]).recipe;
  assert.deepEqual(branchNames([run([1, 5, 6]), run([4, 5, 6])], recipe), [{ text: "w5", step: 2 }, { text: "w4", step: 1 }]);
  const chaton = { ...run([1, 2, 5, 6]), target: { texts: ["<s>", "le", "chat", "ons", "."], pieces: ["<s>", "▁le", "▁chat", "ons", "."],
    kinds: ["special", "text", "text", "text", "text"], words: [[0], [1], [2, 3], [4]] } };
  assert.deepEqual(branchNames([chaton], recipe), [{ text: "chatons", step: 3 }]); // with the piece before it
});

test("two branches of one word at one step are told apart by what follows", () => {
  const recipe = run([1, 2, 3]).recipe;
  assert.deepEqual(branchNames([run([1, 5, 6, 7]), run([1, 5, 8]), run([4])], recipe).map(({ text }) => text), ["w5 w6", "w5 w8", "w4"]);
});
