// What a lesson has shown stays shown.

import assert from "node:assert/strict";
import { test } from "node:test";

import { coveredPlaces, rowsSeen } from "../../../viz_app/stage/lesson/seen.js";

const row = (query) => ({ kind: "row", query });
const link = (text, at) => `https://example.org/#v=3&model=en-fr&text=${text}&site=cross&cross=2.4&by=pieces&at=${at}`;
const step = (point, over = {}) => ({ link: link("A+dog.", point[0].query), cover: ["row", "sentence"], point, ...over });
const open = { isOpen: true };
const shut = { isOpen: false };

test("a row that was guessed stays shown where another one is asked about", () => {
  const steps = [step([row(4)]), step([row(4), row(5)])];
  assert.deepEqual(rowsSeen(steps, 1, [open, shut]), [4]);
  assert.deepEqual(rowsSeen(steps, 1, [shut, shut]), []);
  assert.deepEqual(coveredPlaces(steps[1], "row", [4]), [row(5)]);
  assert.deepEqual(coveredPlaces(steps[1], "row", []), [row(4), row(5)]);
});

test("rows of another sentence or head, and rows that were never covered, are not seen", () => {
  const asks = step([row(4), row(5)]);
  for (const before of [step([row(4)], { link: link("A+cat.", 4) }), step([row(4)], { link: link("A+dog.", 4).replace("2.4", "2.3") }),
    step([row(4)], { cover: [] })]) {
    assert.deepEqual(rowsSeen([before, asks], 1, [open, shut]), []);
  }
});

test("a step that asks about a row that was seen covers it all the same", () => {
  assert.deepEqual(coveredPlaces(step([row(4)]), "row", [4]), [row(4)]);
  assert.deepEqual(coveredPlaces({ point: [{ kind: "cell", query: 4, key: 1 }, row(5)] }, "row", [5]), [{ kind: "cell", query: 4, key: 1 }]);
});
