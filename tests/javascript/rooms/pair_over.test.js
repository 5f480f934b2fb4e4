// Labels over the words of the pair: none touches another, and the less important one gives way.

import assert from "node:assert/strict";
import { test } from "node:test";

import { withRoom } from "../../../viz_app/rooms/translate/pair/over.js";

const label = (middle, width, rank = 0) => ({ middle, width, rank });

test("labels that have room all stay, those out of sight never", () => {
  assert.deepEqual(withRoom([label(0, 20), label(40, 20), label(null, 20), label(80, 20)]), [true, true, false, true]);
  assert.deepEqual(withRoom([]), []);
});

test("of two that would touch the more important one stays, wherever it stands, and of equal ones the first", () => {
  assert.deepEqual(withRoom([label(0, 50), label(30, 22, 0.34)]), [false, true]);
  assert.deepEqual(withRoom([label(0, 22, 0.34), label(30, 50)]), [true, false]);
  assert.deepEqual(withRoom([label(0, 22, 0.2), label(20, 22, 0.6), label(40, 22, 0.1)]), [false, true, false]);
  assert.deepEqual(withRoom([label(0, 50), label(30, 50), label(60, 50)]), [true, false, true]);
});

test("whatever stands beside whatever, no two that stay touch", () => {
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let draw = 0; draw < 50; draw += 1) {
    let at = 0;
    const labels = Array.from({ length: 14 }, () => label((at += 12 + 40 * random()), 18 + 40 * random(), random() < 0.5 ? 0 : random()));
    const has = withRoom(labels, 6);
    const kept = labels.filter((_, i) => has[i]);
    for (let i = 1; i < kept.length; i += 1) {
      assert.ok(kept[i].middle - kept[i].width / 2 - kept[i - 1].middle - kept[i - 1].width / 2 >= 6);
    }
    assert.ok(kept.length > 0);
  }
});
