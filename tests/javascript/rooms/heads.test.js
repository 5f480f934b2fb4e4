import assert from "node:assert/strict";
import { test } from "node:test";

import { changeText, longestSaid } from "../../../viz_app/rooms/heads/page.js";

const t = (key, { change }) => `${key} ${change}`;

test("a change says whether it is for the worse: of a loss a rise is, of a share that is right a fall", () => {
  assert.equal(changeText(t, 0.0261, 1), "heads_worse +0.026");
  assert.equal(changeText(t, -0.0034, 1), "heads_better −0.003");
  assert.equal(changeText(t, 0.012, -1), "heads_better +0.012");
  assert.equal(changeText(t, -0.012, -1), "heads_worse −0.012");
  assert.equal(changeText(t, 0.0002, 1), "0.000"); // neither, to these digits
  assert.equal(changeText(t, undefined, 1), "");
});

test("what is said of a head has the place of the longest that is said of any", () => {
  const said = (key, values = {}) => ({ heads_does_next: "On average it looks at the next token, with {number}.",
    heads_does_end: "At the end, {number}.", heads_reads_links: "That it writes, {n}%.", heads_taught: "Taught.",
    sentences_between: " " }[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const head = (word, head, values = {}) => ({ site: "cross", layer: 0, head, word, values });
  const heads = [head("next", 0), head("end", 1, { links: 0.86, fed: 0.1 }), head("end", 2)];
  const model = { taught: { heads: [[0, 1]], natural: null } };
  assert.deepEqual(longestSaid(said, model, heads),
    { does: "On average it looks at the next token, with 0.000.", about: "That it writes, 86%. Taught." });
  assert.equal(longestSaid(said, model, heads.slice(0, 1)).about, ""); // nothing more is said of any
});
