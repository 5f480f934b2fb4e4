// Which of the shipped faces a picture carries.

import assert from "node:assert/strict";
import { test } from "node:test";
import { facesIn, useFaces } from "../../../viz_app/stage/page/faces.js";

/** @type {any[]} */
const added = [];

/** A face as browsers make it. */
class FontFace {
  /** @param {string} family @param {ArrayBuffer} bytes @param {any} traits */
  constructor(family, bytes, traits) {
    Object.assign(this, { family, bytes, traits, loaded: Promise.resolve() });
  }
}

const bytes = new Uint8Array(4);
const faces = ["Inter", "JetBrains Mono"].flatMap((family) =>
  [400, 600].map((weight) => ({ family, weight, file: bytes })));

test("a family lends the other what it lacks, and a page adds its faces once", async () => {
  Object.assign(globalThis, { window: { FontFace }, document: { fonts: { add: (/** @type {any} */ one) => added.push(one) } } });
  await useFaces(faces);
  await useFaces(faces);
  assert.equal(added.length, 8);
  const lent = added.filter(({ traits }) => traits.unicodeRange);
  assert.deepEqual(lent.map(({ family }) => family), ["JetBrains Mono", "JetBrains Mono", "Inter", "Inter"]);
});

test("a picture carries those that it is set in", () => {
  /** @param {string} svg */
  const names = (svg) => facesIn(svg).map(({ family, weight }) => `${family} ${weight}`);
  assert.deepEqual(names('<text font-family="Inter">a</text>'), ["Inter 400"]);
  assert.deepEqual(names('<svg font-family="Inter"><text font-weight="600">a</text></svg>'), ["Inter 400", "Inter 600"]);
  assert.deepEqual(names("<text>a</text>"), []);
});
