// In which order the worker answers what waits.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Line } from "../../../viz_app/live/line.js";

const recipe = { model: "en-fr", source: "The old cat sleeps." };
const AHEAD = { next: 2, recipe }, TREE = { room: "beam", recipe }, ROOM = { room: "inside", recipe };
const WHOLE = { recipe, extend: "end" }, STEP = { recipe, extend: 1 }, FORCED = { recipe, extend: "end", force: 7 };

/** @param {Line} line */
const order = (line) => {
  const ids = [];
  for (let one = line.take(); one; one = line.take()) ids.push(one.id);
  return ids;
};

/** @param {...any} requests */
const lineOf = (...requests) => {
  const line = new Line();
  requests.forEach((request, id) => line.add({ id, request }));
  return line;
};

test("steps go before translations, these before rooms, trees behind and what is asked ahead last", () => {
  assert.deepEqual(order(lineOf(AHEAD, TREE, ROOM, WHOLE, STEP)), [4, 3, 2, 1, 0]);
});

test("of one kind the first that came is answered first", () => {
  assert.deepEqual(order(lineOf(STEP, FORCED, STEP)), [0, 1, 2]);
});

test("what nobody waits for any more leaves the line", () => {
  const line = lineOf(STEP, ROOM, TREE);
  line.drop(1);
  assert.deepEqual(order(line), [0, 2]);
});
