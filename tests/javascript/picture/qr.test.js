import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { bytesIn, qrCodeOf, drawnCode } from "../../../viz_app/stage/picture/qr.js";

/** @param {?boolean[][]} modules */
const rowsOf = (modules) => (modules ?? []).map((row) => row.map(Number).join(""));

/** @param {?boolean[][]} modules */
const digestOf = (modules) => createHash("sha256").update(rowsOf(modules).join("")).digest("hex").slice(0, 16);

// Both made with the Python package qrcode 8, level M, byte mode, and the mask named here.
const ATTENTION = `
111111101011101111111
100000101111001000001
101110100011001011101
101110101101001011101
101110100101001011101
100000100011101000001
111111101010101111111
000000001011100000000
101101110001101001011
000011001101111111111
000111101111010101011
010111011001000111000
000000111100101111000
000000001011010010000
111111101101111110000
100000101010000101110
101110100000101101100
101110101111001101010
101110101110101001100
100000100000010010001
111111101110010100100`.trim().split("\n");
/** @type {[number, number, number, string][]} bytes, mask, version and digest */
const DIGESTS = [[20, 0, 2, "703384ad7cc7b967"], [62, 1, 4, "1df6cfca52c8b859"], [115, 2, 7, "32a8010506fc449e"],
  [122, 4, 7, "92798debf8560558"], [197, 5, 10, "3c6e9c83e4cd6528"], [347, 6, 14, "fe52f223d99a489b"],
  [645, 7, 20, "4df166570e4aa723"], [997, 3, 25, "15eaccfefcb9dbb1"]];
const LINK = `https://example.org/#v=3&model=en-fr&text=${"The+old+cat.".repeat(90)}`;

test("a code is that of an independent encoder, module by module", () => {
  assert.deepEqual(rowsOf(qrCodeOf("attention", 3)), ATTENTION);
  for (const [bytes, mask, version, digest] of DIGESTS) {
    const code = qrCodeOf(LINK.slice(0, bytes), mask);
    assert.equal(code?.length, 4 * version + 17);
    assert.equal(digestOf(code), digest, `version ${version}`);
  }
  assert.equal(digestOf(qrCodeOf("注意力", 6)), "adeadc1eaca26d50"); // UTF-8
});

test("the smallest version that holds a text is taken, and none beyond the last", () => {
  // Of level M, by ISO/IEC 18004, table 7.
  assert.deepEqual([1, 9, 10, 20, 25].map(bytesIn), [14, 180, 213, 666, 997]);
  assert.deepEqual([14, 15].map((count) => qrCodeOf("a".repeat(count))?.length), [21, 25]);
  assert.equal(qrCodeOf("a".repeat(998)), null);
});

test("what nobody chose is one of the eight masks", () => {
  const text = "https://example.org/";
  const [code, ...masked] = [qrCodeOf(text), ...Array.from({ length: 8 }, (_, mask) => qrCodeOf(text, mask))].map(digestOf);
  assert.ok(masked.includes(code));
  assert.equal(new Set(masked).size, 8);
});

test("a drawn code has a light margin of four modules", () => {
  const { path, side } = drawnCode([[true, false], [false, true]]);
  assert.deepEqual([path, side], ["M4 4h1v1h-1zM5 5h1v1h-1z", 10]);
});
