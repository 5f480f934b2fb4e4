import assert from "node:assert/strict";
import { test } from "node:test";

import { cornerFor, footOf, scrollTo } from "../../../viz_app/stage/lesson/placing.js";

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

test("within a step it stays where it stands, unless it hides far more there", () => {
  const maps = [box(0, 400, 700, 480), box(740, 400, 700, 480)];
  assert.equal(cornerFor(CARD, WINDOW, [maps[1], maps[0]], []), "left");
  assert.equal(cornerFor(CARD, WINDOW, [maps[1], maps[0]], [], "right"), "right");
  assert.equal(cornerFor(CARD, WINDOW, [map], [], "left"), "right");
  assert.equal(cornerFor(CARD, WINDOW, [], [], "left"), "left");
});

test("what is covered may lie under it, and the first place of a step comes before the others", () => {
  const maps = [box(0, 400, 700, 480), box(740, 400, 700, 480)];
  assert.equal(cornerFor(CARD, WINDOW, [...maps, { ...box(1200, 820), isCover: true }], []), "right");
  assert.equal(cornerFor(CARD, WINDOW, [maps[1], maps[0]], []), "left");
});

test("it makes way for a menu that is open", () => {
  assert.equal(cornerFor(CARD, WINDOW, [map], [box(900, 300, 500, 500)]), "left");
  assert.equal(cornerFor(CARD, WINDOW, [map, box(20, 700)], [box(900, 300, 500, 500)]), "left");
  // Where it is in the way everywhere, it stands where it hides least of it.
  assert.equal(cornerFor({ width: 550, height: 460 }, { wide: 1280, high: 720 }, [box(610, 283, 113, 48)], [box(119, 335, 600, 378)]), "right");
});

test("on a phone the row that is written is scrolled out from behind the bar above the card too", () => {
  const [card, bar] = [box(0, 580, 390, 264), box(0, 520, 390, 60)];
  const page = (/** @type {{left: number, top: number, width: number, height: number}} */ one) => Object.create({ get left() { return one.left; },
    get top() { return one.top; }, get width() { return one.width; }, get height() { return one.height; } }); // as the browser's boxes are
  const row = box(20, 530, 340, 24);
  assert.equal(scrollTo([row], 844, card), 0);
  assert.equal(scrollTo([row], 844, footOf(page(card), page(bar)), { scrolled: 200 }), 530 + 24 - 520 + 8);
  assert.deepEqual(footOf(card, { ...bar, height: 0 }), card);
  assert.equal(footOf(null, bar), null);
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
  assert.equal(scrollTo([{ ...map, top: 430, width: 1400 }], 900, card), 430 + 480 + 8 - 560); // the card would hide its lower half
  assert.equal(scrollTo([{ ...map, top: 400, width: 990 }], 900, card), 0); // of its edge a little
});

test("the page stays as near to its top as a step allows, and is not moved for what is seen", () => {
  const button = box(900, 570, 113, 48);
  const card = box(946, 580, 480, 320);
  assert.equal(scrollTo([button], 900, card), 570 + 48 + 8 - 580); // no farther than the card asks
  const scrolled = { scrolled: 200 };
  assert.equal(scrollTo([box(100, 300)], 900, card, scrolled), 0);
  assert.equal(scrollTo([box(100, 300)], 900, card, { ...scrolled, isNew: true }), -200);
  assert.equal(scrollTo([box(100, -50)], 900, card, scrolled), -200);
  assert.equal(scrollTo([box(100, 700)], 900, card, { scrolled: 500, isNew: true }), 700 + 40 + 8 - 900);
});
