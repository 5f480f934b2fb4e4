// Edits as a reader counts them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { editGroups, editsNamed, wordHidden } from "../../../viz_app/stage/page/whatif/groups.js";

const t = (key, values = {}) => [key, ...Object.values(values)].join(" ");
const LIBRARY = { texts: [..."我的妹妹喜欢在图书馆里看书。", ""], words: Array.from({ length: 15 }, (_, at) => [at]) };
const labelled = (texts) => texts.map((label) => ({ label, piece: label }));

test("hidden characters of a Chinese word are one edit, those that others stand between are two", () => {
  const hides = [8, 9, 10].map((place) => `hide:${place}`).sort(); // as a recipe sorts them: 10, 8, 9
  assert.deepEqual(editGroups(hides, LIBRARY), [["hide:8", "hide:9", "hide:10"]]);
  assert.deepEqual(editsNamed(t, hides, LIBRARY, labelled(LIBRARY.texts)), ["edit_hide 图书馆"]);
  assert.equal(wordHidden(editGroups(hides, LIBRARY)[0], labelled(LIBRARY.texts)), "图书馆");
  assert.deepEqual(editGroups(["hide:1", "hide:3", "hide:4"], LIBRARY), [["hide:1"], ["hide:3", "hide:4"]]);
  assert.deepEqual(editGroups(["hide:13", "hide:14"], LIBRARY), [["hide:13"], ["hide:14"]]); // no mark is of a word
  assert.deepEqual(editGroups(["hide:10", "hide:8"], LIBRARY), [["hide:8"], ["hide:10"]]);
});

test("pieces of a word are one edit, neighbouring words and other edits stay apart", () => {
  const source = { texts: ["The", "cat", "sleep", "s", "."], words: [[0], [1], [2, 3], [4]] };
  const edits = ["hide:4", "hide:2", "hide:3", "scramble:1", "dropout:2"];
  assert.deepEqual(editGroups(edits, source), [["hide:2"], ["hide:3", "hide:4"], ["scramble:1"], ["dropout:2"]]);
  assert.deepEqual(editGroups(["hide:4", "hide:2"], null), [["hide:2"], ["hide:4"]]);
  assert.equal(wordHidden(["hide:3", "hide:4"], labelled(source.texts)), "sleeps");
  assert.equal(wordHidden(["dropout:2"], labelled(source.texts)), null);
});
