import assert from "node:assert/strict";
import { test } from "node:test";

import { placeBlocks } from "../../../viz_app/rooms/translate/heads/plan.js";
import { leastHeight } from "../../../viz_app/rooms/translate/heads/room.js";
import { anatomyOf } from "../anatomies.js";

const model = (encoder, decoder, place = "post") =>
  ({ anatomy: { sites: anatomyOf().sites.map((one) =>
    ({ ...one, layers: one.site === "encoder" ? encoder : decoder })) }, norm_place: place });

test("every sub-layer of the model has its block, in the order in which data passes", () => {
  const { blocks } = placeBlocks(model(3, 2), 400);
  assert.equal(blocks.filter(({ part }) => part === "encoder").length, 6);
  const decoder = blocks.filter(({ part }) => part === "decoder");
  assert.deepEqual(decoder.map(({ kind }) => kind),
    ["self", "cross", "feed_forward", "self", "cross", "feed_forward"]);
  decoder.slice(1).forEach((block, i) => assert.ok(block.y + block.height <= decoder[i].y));
});

test("the norm stands after each block, or before it, as the model has it", () => {
  for (const { y, norm } of placeBlocks(model(2, 2, "post"), 300).blocks) assert.ok(norm < y);
  for (const { y, norm } of placeBlocks(model(2, 2, "pre"), 300).blocks) assert.ok(norm > y);
});

test("the encoder's output goes into every cross-attention", () => {
  const { arrows, blocks } = placeBlocks(model(6, 4), 400);
  const crosses = blocks.filter(({ site }) => site === "cross");
  const ends = arrows.filter(({ kind }) => kind.startsWith("memory"))
    .map(({ path }) => Number(/V([\d.]+)H\d+m/.exec(path)[1]));
  assert.deepEqual(ends, crosses.map(({ y, height }) => y + height / 2));
});

test("the drawing fits the height it is given, from the least on", () => {
  for (const layers of [1, 3, 6]) {
    const least = leastHeight(model(layers, layers));
    for (const height of [least, least + 37, 4 * least]) {
      const placed = placeBlocks(model(layers, layers), height);
      assert.ok(placed.height <= height);
      assert.ok(placed.blocks.every(({ y }) => y >= 0 && y <= placed.height));
    }
  }
});
