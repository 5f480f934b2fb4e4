import assert from "node:assert/strict";
import { test } from "node:test";
import { filesOf } from "../../../viz_app/live/archive.js";
import { woven } from "../../../viz_app/live/fetching.js";

/** An entry of a zip that is not compressed. @param {string} name @param {string} text */
function entry(name, text, method = 0) {
  const [named, content] = [name, text].map((one) => new TextEncoder().encode(one));
  const made = new Uint8Array(30 + named.length + content.length), view = new DataView(made.buffer);
  view.setUint32(0, 0x04034b50, true);
  view.setUint16(8, method, true);
  view.setUint32(18, content.length, true);
  view.setUint16(26, named.length, true);
  made.set(named, 30);
  made.set(content, 30 + named.length);
  return made;
}

test("an archive gives its files by name, up to its directory", () => {
  const directory = new Uint8Array(40).fill(7);
  const archive = new Uint8Array([...entry("a/é.py", "one"), ...entry("b.txt", ""), ...directory]);
  const found = [...filesOf(archive)].map(([name, content]) => [name, new TextDecoder().decode(content)]);
  assert.deepEqual(found, [["a/é.py", "one"], ["b.txt", ""]]);
  assert.throws(() => [...filesOf(entry("c", "packed", 8))], /compressed/);
});

test("planes are woven into numbers, and what is left over stays behind them", () => {
  const parted = new Uint8Array([1, 3, 5, 2, 4, 6, 9]);
  assert.deepEqual([...woven(parted, 2)], [1, 2, 3, 4, 5, 6, 9]);
  assert.deepEqual([...woven(new Uint8Array([1, 5, 2, 6, 3, 7, 4, 8]), 4)], [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.equal(woven(parted, 1), parted);
});
