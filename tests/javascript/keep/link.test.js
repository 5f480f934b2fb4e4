// Which links others can open, and what of a link a page does not show.

import assert from "node:assert/strict";
import { test } from "node:test";

import { publicLink } from "../../../viz_app/stage/keep/link.js";
import { unshown } from "../../../viz_app/stage/keep/unshown.js";

test("an address that means the reader's own machine is no link for others", () => {
  for (const place of ["http://127.0.0.1:7860", "http://localhost:7860", "http://[::1]:7860",
    "http://0.0.0.0:8000", "https://127.1.2.3", "http://a.localhost"]) {
    assert.equal(publicLink(`${place}/#v=3&model=en-fr`), null, place);
  }
  assert.equal(publicLink("file:///home/ana/cat.html#v=3"), null);
  assert.equal(publicLink(null), null);
});

test("the address of a server is one, on the network of a class too", () => {
  for (const place of ["https://a.example/attention", "http://192.168.1.7:7860",
    "https://localhost.example"]) {
    assert.equal(publicLink(`${place}/#v=3`), `${place}/#v=3`);
  }
});

test("what a link asks for and the page does not show is known by its name in the link", () => {
  const now = { room: "masks", site: "cross", layer: 1, head: 0, at: 3, spelled: true,
    locks: { encoder: { layer: 0, head: 2 } }, cells: { cross: { query: 1, key: 0 } },
    choices: { view: "masks", shown: 0, cell: [1, 0], breaks: [] } };
  assert.deepEqual(unshown(now, now), []);
  assert.deepEqual(unshown({ room: "masks", at: null, spelled: false, choices: { unfolded: false } }, now), []);
  assert.deepEqual(unshown({ room: "masks", choices: { spelled: true } }, now), []);
  assert.deepEqual(unshown({ room: "masks", layer: 0, at: 4, locks: { encoder: { layer: 0, head: 1 } },
    cells: { decoder: { query: 0, key: 0 } }, choices: { shown: 2, cell: [0, 1], step: 0 } }, now),
  ["layer", "at", "encoder", "cell_decoder", "masks.shown", "masks.cell", "masks.step"]);
});
