// One number under both norms, and which one is shown where nobody chose.

import assert from "node:assert/strict";
import test from "node:test";

import { normsAt, normsPlace } from "../../../viz_app/rooms/inside/norms.js";

// Two sentences of three and two tokens; the shorter has a pad.
const STUDY = { tokens: [{ ids: [5, 6, 2] }, { ids: [7, 2, 0] }], is_pad_N: [false, false, false, false, false, true],
  entered_NF: Float32Array.from({ length: 12 }, (_, i) => i), single: 0.003,
  layered: { count: 24, mean_N: [1, 2, 3, 4, 5, 6], deviation_N: [1, 1, 1, 1, 1, 1], left_NF: Array(12).fill(0.5) },
  whole: { count: 5, mean_F: [1, 2], deviation_F: [3, 4], left_NF: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
  padded: { count: 6, mean_F: [5, 6], deviation_F: [7, 8], left_NF: [0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0] },
  alone: { count: 3, mean_F: [2, 4], deviation_F: [1, 1], left_NF: [0, 1, 1, 0, 0, 3] } };
const OPEN = { row: null, feature: null, norm: "before" };

test("the token is the query, and the feature the one that another batch changes most", () => {
  assert.deepEqual(normsPlace(STUDY, OPEN, 1), { row: 1, column: 0 });
  assert.deepEqual(normsPlace(STUDY, OPEN, 2), { row: 2, column: 1 });
  assert.deepEqual(normsPlace(STUDY, OPEN, 9), { row: 2, column: 1 }); // of the first sentence
  assert.deepEqual(normsPlace(STUDY, { ...OPEN, row: 3 }, 0), { row: 3, column: 0 });
  assert.deepEqual(normsPlace(STUDY, { ...OPEN, row: 99, feature: 99 }, 0), { row: 0, column: 1 });
});

test("BatchNorm is said with every batch that there is, LayerNorm once", () => {
  const first = normsAt(STUDY, { row: 2, column: 1 });
  assert.deepEqual(first.batches.map(({ name, count }) => [name, count]),
    [["whole", 5], ["padded", 6], ["alone", 3], ["single", 1]]);
  assert.equal(first.batches[2].left, 3);
  assert.deepEqual(first.batches[3], { name: "single", count: 1, mean: 5, deviation: 0.003, left: 0 });
  assert.deepEqual([first.x, first.mean, first.left], [5, 3, 0.5]);
  const second = normsAt(STUDY, { row: 3, column: 0 }); // the other sentence is not alone
  assert.deepEqual(second.batches.map(({ name }) => name), ["whole", "padded", "single"]);
  const bare = normsAt({ ...STUDY, padded: { ...STUDY.padded, count: 5 } }, { row: 0, column: 0 });
  assert.deepEqual(bare.batches.map(({ name }) => name), ["whole", "alone", "single"]);
});
