import assert from "node:assert/strict";
import { test } from "node:test";

import { cornerFor, scrollTo } from "../../../viz_app/stage/lesson/placing.js";

const CARD = { width: 480, height: 320 };
const WINDOW = { wide: 1440, high: 900 };
const box = (/** @type {number} */ left, /** @type {number} */ top, width = 60, height = 40) => ({ left, top, width, height });
const map = box(0, 400, 700, 480);

test("the card stands where it hides nothing that is to be pressed", () => {
  assert.equal(cornerFor(CARD, WINDOW, [], []), "right");
  assert.equal(cornerFor(CARD, WINDOW, [map], []), "right");
  assert.equal(cornerFor(CARD, WINDOW, [map, box(1200, 700)], []), "middle");
  assert.equal(cornerFor(CARD, WINDOW, [map, box(800, 700), box(1200, 700)], []), "left");
});

test("what is covered may lie under it, and the first place of a step comes before the others", () => {
  const maps = [box(0, 400, 700, 480), box(740, 400, 700, 480)];
  assert.equal(cornerFor(CARD, WINDOW, [...maps, { ...box(1200, 820), isCover: true }], []), "right");
  assert.equal(cornerFor(CARD, WINDOW, [maps[1], maps[0]], []), "left");
});

test("it makes way for a menu that is open", () => {
  assert.equal(cornerFor(CARD, WINDOW, [map], [box(900, 300, 500, 500)]), "left");
  assert.equal(cornerFor(CARD, WINDOW, [map, box(20, 700)], [box(900, 300, 500, 500)]), "left");
});

test("what a step is about is scrolled out from under the card, its first place first", () => {
  const card = box(946, 560, 480, 320);
  assert.equal(scrollTo([box(100, 300)], 900, card), 0);
  assert.equal(scrollTo([box(100, 700)], 900, card), 0); // beside it
  assert.ok(scrollTo([box(100, 1200)], 900, card) > 0);
  assert.ok(scrollTo([box(100, -200)], 900, card) < 0);
  const head = box(1200, 700);
  const by = scrollTo([box(100, 300), head], 900, card);
  assert.ok(by > 0 && head.top + head.height - by < card.top && 300 - by > 0);
  assert.equal(scrollTo([box(100, 20), head], 900, card), 0); // the first would be lost
  assert.ok(-100 - scrollTo([box(100, 80), box(100, -100)], 900, card) > 0); // what is above it too
  assert.equal(scrollTo([box(100, 300), box(100, 0, 60, 2000)], 900, card), 0); // never all of it
  assert.ok(scrollTo([box(100, 300, 60, 2000)], 900, card) < 300); // it begins at the top
});
