// What a picture says of itself: above all, what computed it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { signatureOf } from "../../../viz_app/stage/picture/signed.js";

const STATE = { model: { name: "m", group: "", fingerprint: "12345678" }, options: { product: "1", site: {} },
  run: { recipe: { model: "m" } } };
const said = (computedBy) => signatureOf(STATE, "title", "#v=3", computedBy).description;

test("a picture names the model, its weights, the program, what computed it, and the link", () => {
  assert.equal(said("NumPy 1 in a browser"),
    "model m; weights 12345678; Attention Visualiser 1; computed by NumPy 1 in a browser; link #v=3");
});

test("where the weights were given, nothing computed it", () => {
  assert.equal(said(""), "model m; weights 12345678; Attention Visualiser 1; link #v=3");
});
