import assert from "node:assert/strict";
import { test } from "node:test";

import { textSoFar } from "../../../viz_app/stage/page/branches/beginning.js";
import { anatomyOf } from "../anatomies.js";

const of = (kind, texts, prompt) => ({ model: { anatomy: anatomyOf(kind) }, at: texts.length - 2,
  run: { prompt, finished: "end", text: "as the model joins it", target: { texts, pieces: texts,
    kinds: texts.map((text) => (text.startsWith("<") ? "special" : "text")) } } });

test("the beginning of a finished translation is its text as the model joins it", () => {
  assert.equal(textSoFar(of("encoder-decoder", ["<s>", "le", " chat", "</s>"], 1)),
    "as the model joins it");
});

test("after a prompt the beginning leaves the prompt out and keeps the first space", () => {
  assert.equal(textSoFar(of("decoder", ["The", " old", " cat", " sleeps", "</s>"], 2)),
    " cat sleeps");
});

test("where a word comes next, one can be typed at once; where the word goes on, its letters can", () => {
  const upTo = (at, ...texts) => textSoFar({ ...of("encoder-decoder", texts, 1), at });
  assert.equal(upTo(1, "<s>", "le", " vieux", " chat", "</s>"), "le ");
  assert.equal(upTo(2, "<s>", "le", " vieux", " chat", "</s>"), "le vieux ");
  assert.equal(upTo(1, "<s>", "dé", "cution", ".", "</s>"), "dé");
  assert.equal(upTo(0, "<s>", " le", " vieux", "</s>"), "");
});
