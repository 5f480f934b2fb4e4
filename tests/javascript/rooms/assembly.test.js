import assert from "node:assert/strict";
import { test } from "node:test";

import { partsOfWord, stagesOf } from "../../../viz_app/rooms/translate/pair/assembly.js";

const merge = { left: "a", right: "t", number: 7, symbols: ["c", "at"] };
const assembly = { kind: "merges", learnt: 9, parts: [
  { places: [0], symbols: ["A"], merges: [] },
  { places: [1, 2], symbols: ["c", "a", "t"], merges: [merge] },
  { places: [3], symbols: ["."], merges: [] }] };

test("a word has the parts that its tokens are of", () => {
  assert.deepEqual(partsOfWord(assembly, [2, 3]), assembly.parts.slice(1));
  assert.deepEqual(partsOfWord(assembly, [4]), []); // the end
});

test("a part is told from its letters to its pieces", () => {
  assert.deepEqual(stagesOf(assembly.parts[1]), [{ symbols: ["c", "a", "t"], merge: null },
    { symbols: ["c", "at"], merge }]);
});
