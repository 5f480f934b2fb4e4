// What a picture says of itself: above all, whether a browser computed it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { signatureOf } from "../../../viz_app/stage/keep/signed.js";

const STATE = { model: { name: "m", group: "", fingerprint: "12345678" }, options: { product: "1", site: {} },
  run: { recipe: { model: "m" } }, engine: null, local: [] };
const said = (changes) => signatureOf({ ...STATE, ...changes }, "title", "#v=3").description;

test("a picture names the model, its weights, the program and the link", () => {
  assert.equal(said({}), "model m; weights 12345678; Attention Visualiser 1; link #v=3");
  assert.equal(said({ engine: { phase: "fetched" }, local: ["another"] }), said({}));
});

test("where a browser may have computed it, it says so", () => {
  for (const changes of [{ engine: { phase: "ready" } }, { local: ["m"] }]) {
    assert.match(said(changes), /; computed by torch or NumPy in the browser; link #v=3$/);
  }
  const own = { engine: { phase: "ready" }, model: { ...STATE.model, group: "imported" } };
  assert.match(said(own), /; computed by NumPy in the browser; /);
});
