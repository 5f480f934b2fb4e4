// How a token is told, beside its label.

import assert from "node:assert/strict";
import { test } from "node:test";

import { labelBox, labelOfWord, labelsOf, measureLabel, spellingOf } from "../../../viz_app/stage/draw/labels.js";

const t = Object.assign((key, values = {}) => [key, ...Object.values(values)].join(" "),
  { language: "en" });

test("a single byte is explained, and what only looks like one is not", () => {
  assert.equal(spellingOf("<0xE7>", t), "title_piece <0xE7>\ntitle_byte");
  for (const piece of ["▁cat", "0xE7", "<0xe7>", "<0xE70>", "<unk>"]) {
    assert.equal(spellingOf(piece, t), `title_piece ${piece}`);
  }
});

test("bytes are the characters that they spell, where they are all there", () => {
  const named = (pieces) => labelOfWord(pieces.split(" ").map((piece) => ({ piece, label: piece.replace("▁", "") || "␣" })));
  assert.equal(named("▁ <0xE5> <0x9B> <0xBE> <0xE4> <0xB9> <0xA6>"), "图书");
  assert.equal(named("▁ <0xC5> <0x93> u f"), "œuf");
  assert.equal(named("▁ <0xE5> <0x9B>"), "<0xE5><0x9B>");
  assert.equal(named("▁kit t ens"), "kittens");
  // Of a byte-level token the label says which bytes it ends or begins with.
  assert.equal(labelOfWord([{ piece: "æĪĳå", label: "我<0xE5>" }, { piece: "ĸľ", label: "<0x96><0x9C>" }]), "我喜");
});

test("a label has the room that it takes, with what leads to it and the frame of the end", () => {
  const ruler = { font: "", measureText: (text) => ({ width: 7 * text.length }) };
  globalThis.document = { createElement: () => ({ getContext: () => ruler }) };
  const palette = { mono: "mono" };
  for (const kind of ["text", "end"]) {
    for (const lead of [undefined, "a"]) {
      const label = { label: "end", kind, lead };
      const room = measureLabel(palette)(label, 12);
      const wide = { size: 12, room: 1000, align: "left", x: 0, height: 14 };
      assert.deepEqual(labelBox(palette, label, { ...wide, room }), labelBox(palette, label, wide));
    }
  }
});

test("a token that goes on with the word of the one before says so, however it is written", () => {
  const tokens = { ids: [5, 6, 7, 2], pieces: ["▁sleep", "s", "▁on", "</s>"], texts: ["sleep", "s", "on", ""],
    kinds: ["text", "text", "text", "special"], words: [[0, 1], [2], [3]] };
  const goOn = (spelled, words = tokens.words) => labelsOf({ ...tokens, words }, false, spelled, t).map(({ goesOn = false }) => goesOn);
  assert.deepEqual(goOn(false), [false, true, false, false]);
  assert.deepEqual(goOn(true), [false, true, false, false]);
  assert.deepEqual(goOn(false, null), [false, false, false, false]);
});
