// How a token is told, beside its label.

import assert from "node:assert/strict";
import { test } from "node:test";

import { spellingOf } from "../../../viz_app/stage/draw/labels.js";

const t = Object.assign((key, values = {}) => [key, ...Object.values(values)].join(" "),
  { language: "en" });

test("a single byte is explained, and what only looks like one is not", () => {
  assert.equal(spellingOf("<0xE7>", t), "title_piece <0xE7>\ntitle_byte");
  for (const piece of ["▁cat", "0xE7", "<0xe7>", "<0xE70>", "<unk>"]) {
    assert.equal(spellingOf(piece, t), `title_piece ${piece}`);
  }
});
