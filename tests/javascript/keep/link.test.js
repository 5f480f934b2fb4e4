// Which links others can open.

import assert from "node:assert/strict";
import { test } from "node:test";

import { publicLink } from "../../../viz_app/stage/keep/link.js";

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
