import assert from "node:assert/strict";
import { test } from "node:test";

import { habitsOf, measureOf, mostFocused, sortedHeads, spreadOf } from "../../../viz_app/stage/run/habits.js";
import { anatomyOf } from "../anatomies.js";

const tokens = (texts, special, pads = 0) => ({
  ids: texts.map((_, i) => i), pieces: texts, texts,
  kinds: texts.map((_, i) => (i === special ? "special"
    : i >= texts.length - pads ? "pad" : "text")),
  unseen: texts.flatMap((_, i) => (i >= texts.length - pads && i !== special ? [i] : [])),
});

/** A run of one layer whose heads hold these maps; `keys` and `queries` are texts. */
function runOf(site, maps, { source, target, pads = 0 }) {
  const steps = site === "encoder" ? [] : maps[0].map(() => ({}));
  const flat = (rows) => Float32Array.from(rows.flat());
  const perStep = steps.map((_, t) => flat(maps.map((map) => map[t])));
  return { recipe: {},
    source: tokens(source, source.length - 1 - pads, pads), target: tokens(target ?? [], 0),
    steps, anatomy: anatomyOf(), prompt: 1, layers: { encoder: 1, decoder: 1, cross: 1 },
    heads: { encoder: maps.length, decoder: maps.length, cross: maps.length },
    blocks: { encoder: flat(maps.flat()), decoder: perStep, cross: perStep },
  };
}

/** A square map that puts `share` on the column of each row, and the rest evenly on the others. */
const looking = (Q, K, column, share = 0.94) => Array.from({ length: Q }, (_, q) =>
  Array.from({ length: K }, (__, k) => (k === Math.max(0, Math.min(K - 1, column(q)))
    ? share : (1 - share) / (K - 1))));
const SOURCE = ["The", "cat", "sleeps", "well", "on", "it", ".", "end"];
const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

test("a head gives its places what it looks at them with", () => {
  const at = [(q) => q - 1, (q) => q, (q) => q + 1, () => 0, () => 7, () => 6];
  const run = runOf("encoder", at.map((column) => looking(8, 8, column)), { source: SOURCE });
  const places = ["previous", "itself", "next", "first", "end", "marks"];
  habitsOf(run, "encoder")[0].forEach(({ shares }, head) => {
    close(shares[places[head]], 0.94); // a row that has no such place does not count
    assert.equal(Math.max(...Object.values(shares)), shares[places[head]]);
  });
});

test("a row with one key only tells nothing of a head of the decoder", () => {
  const map = [[1], [0.9, 0.1], [0.8, 0.1, 0.1], [0.7, 0.1, 0.1, 0.1], [0.8, 0.05, 0.05, 0.05, 0.05]];
  const run = runOf("decoder", [map], { source: SOURCE, target: ["start", "a", "b", "c", "d"] });
  const [habit] = habitsOf(run, "decoder")[0];
  close(habit.shares.start, (0.9 + 0.8 + 0.7 + 0.8) / 4);
  close(habit.shares.itself, (0.1 + 0.1 + 0.1 + 0.05) / 4);
});

test("at the first step no head of the decoder is the most focused", () => {
  const run = runOf("decoder", [[[1]]], { source: SOURCE, target: ["start"] });
  assert.equal(mostFocused(run, "decoder"), null);
});

test("a diagonal is scaled to the lengths of both sentences", () => {
  const twice = looking(15, 8, (q) => Math.round(q / 2));
  const run = runOf("cross", [twice, looking(15, 8, (q) => 7 - Math.round(q / 2))],
    { source: SOURCE, target: Array.from({ length: 15 }, () => "x") });
  const [along, against] = habitsOf(run, "cross")[0].map(({ shares }) => shares.diagonal);
  assert.ok(along > 0.9 && against < 0.5);
});

test("pads change no number", () => {
  const maps = [looking(8, 8, (q) => q - 1), looking(8, 8, () => 7)];
  const wider = maps.map((map) => [...map.map((row) => [...row, 0, 0]),
    ...looking(2, 10, () => 0)]);
  const bare = habitsOf(runOf("encoder", maps, { source: SOURCE }), "encoder");
  const padded = habitsOf(runOf("encoder", wider,
    { source: [...SOURCE, "pad", "pad"], pads: 2 }), "encoder");
  assert.deepEqual(padded, bare);
});

test("heads are sorted by the number that is printed, the most focused first", () => {
  const run = runOf("encoder", [0.5, 0.9, 0.7].map((share) => looking(8, 8, (q) => q - 1, share)),
    { source: SOURCE });
  const [habits] = habitsOf(run, "encoder");
  assert.deepEqual(sortedHeads(habits, "encoder", "place"), [0, 1, 2]);
  assert.deepEqual(sortedHeads(habits, "encoder", "previous"), [1, 2, 0]);
  assert.deepEqual(sortedHeads(habits, "encoder", "entropy"), [1, 2, 0]);
  assert.deepEqual(sortedHeads(habits, "encoder", "diagonal"), [0, 1, 2]); // the site has none
  close(measureOf(habits[1], "previous"), 0.9);
  assert.deepEqual(mostFocused(run, "encoder"), { layer: 0, head: 1 });
});

test("one more step measures its own row and no earlier one again", () => {
  const map = looking(4, 8, (q) => 2 * q, 0.8);
  const words = { source: SOURCE, target: ["start", "a", "b", "c"] };
  const long = runOf("cross", [map], words);
  const short = { ...long, steps: long.steps.slice(0, 3),
    blocks: { ...long.blocks, cross: long.blocks.cross.slice(0, 3) } };
  habitsOf(short, "cross");
  const fresh = habitsOf(runOf("cross", [map], words), "cross");
  assert.deepEqual(habitsOf(long, "cross"), fresh);
  const before = spreadOf(long, "cross", 0, 0, 1);
  long.blocks.cross[1].fill(1 / 8); // nothing on the page does this: it shows who reads the row
  assert.deepEqual(spreadOf(long, "cross", 0, 0, 1), before);
  close(before.largest, 0.8);
});
