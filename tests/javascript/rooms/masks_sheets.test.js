// The sheets of the room Masks where all heads came, and where one did.

import assert from "node:assert/strict";
import test from "node:test";

import { dividedWord } from "../../../viz_app/rooms/masks/maps/axes.js";
import { largeBy, largeSaid } from "../../../viz_app/rooms/masks/maps/equation.js";
import { sheetsOf } from "../../../viz_app/rooms/masks/maps/sheets.js";

const SIDE = 400; // more cells than a function takes arguments

test("one head of a large batch is read from its first number on, however many there are", () => {
  const axes = { rows: Array(SIDE), columns: Array(SIDE) };
  const floats = Float32Array.from({ length: SIDE * SIDE }, (_, i) => i % 7);
  const mask = Array(SIDE).fill("1".repeat(SIDE));
  const masks = { pad: mask, causal: mask, combined: mask };
  const answer = { view: "masks", heads: 12, one: { layer: 5, head: 3 }, scores: floats,
    weights: floats, masks, own: masks, hidden_score: null };
  const sheets = sheetsOf(answer, axes, { layer: 5, head: 3 }, 1, String);
  const scores = sheets.find(({ name }) => name === "scores");
  assert.equal(scores.limit, 6);
  assert.equal(scores.value(3, 2), floats[3 * SIDE + 2]);
  const passes = { view: "passes", heads: 12, one: { layer: 5, head: 3 }, once: floats,
    stepped: floats.map((value) => -value), allowed: mask };
  const [once, , difference] = sheetsOf(passes, axes, { layer: 5, head: 3 }, 9, String);
  assert.equal(once.limit, 12);
  assert.equal(difference.value(0, 6), 12);
  const all = { ...answer, heads: 2, one: null };
  const two = { rows: Array(2), columns: Array(2) };
  const second = sheetsOf(all, two, { layer: 1, head: 1 }, 1, String);
  assert.equal(second.find(({ name }) => name === "weights").value(1, 0), floats[3 * 4 + 2]);
});

test("a link says the large maps that were chosen, and each view takes those that it has", () => {
  const usual = largeBy(null);
  assert.deepEqual(usual, { masks: ["combined", "weights"], passes: ["once", "stepped"] });
  for (const view of ["masks", "passes"]) assert.deepEqual(largeSaid(usual, view), { left: null, right: null });
  const masks = largeBy({ left: "pad", right: "masked" });
  assert.deepEqual(masks, { masks: ["pad", "masked"], passes: ["once", "stepped"] });
  assert.deepEqual(largeSaid(masks, "masks"), { left: "pad", right: "masked" });
  const passes = largeBy({ right: "difference" });
  assert.deepEqual(passes, { masks: ["combined", "weights"], passes: ["once", "difference"] });
  assert.deepEqual(largeSaid(passes, "passes"), { left: null, right: "difference" });
});

test("of an axis the first word is named that is several tokens, and none where each is one", () => {
  const labels = ["start", "The", "sleep", "s", "."].map((label, at) => ({ label, piece: label, kind: at ? "text" : "special" }));
  const sleeps = labels.map((label) => (label.label === "s" ? { ...label, goesOn: true } : label));
  assert.deepEqual(dividedWord(sleeps), { word: "sleeps", tokens: ["sleep", "s"] });
  assert.deepEqual(dividedWord(sleeps.slice(0, 4)), { word: "sleeps", tokens: ["sleep", "s"] });
  assert.equal(dividedWord(sleeps.slice(0, 3)), null); // its end is not fed in
  assert.equal(dividedWord(labels), null);
});
