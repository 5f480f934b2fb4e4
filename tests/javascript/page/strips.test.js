// What the strip of the target says of a word.

import assert from "node:assert/strict";
import { test } from "node:test";

import { choicesSaid } from "../../../viz_app/stage/page/strips.js";

test("of a word of several tokens each has its own probability, and not the word that of the first", () => {
  const t = Object.assign((key, { probability }) => `${key} ${probability}`, { language: "en" });
  const chosen = [["greedy", 0.5], ["forced", 0.25], ["greedy", 1]].map(([how, p]) => ({ how, log_probability: Math.log(p) }));
  const run = { target: { texts: ["<s>", " Va", "-", " "] }, chosen };
  assert.deepEqual(choicesSaid(t, run, [1]), ["title_greedy 0.500"]);
  assert.deepEqual(choicesSaid(t, run, [1, 2, 3]), ["Va: title_greedy 0.500", "-: title_forced 0.250", "␣: title_greedy 1.000"]);
});
