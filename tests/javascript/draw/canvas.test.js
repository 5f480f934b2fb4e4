// When canvases are painted.

import assert from "node:assert/strict";
import { test } from "node:test";

import { paintOn, writeThenPaint } from "../../../viz_app/stage/draw/canvas.js";

test("canvases are painted once all is written, each once", () => {
  const [first, second] = [{}, {}];
  const done = [];
  writeThenPaint(() => {
    paintOn(first, () => done.push("first, of before"));
    done.push("written");
    writeThenPaint(() => {
      paintOn(second, () => done.push("second"));
      done.push("written too");
    });
    paintOn(first, () => done.push("first"));
  });
  assert.deepEqual(done, ["written", "written too", "first", "second"]);
  paintOn(first, () => done.push("alone"));
  assert.equal(done.at(-1), "alone");
});

test("what fails while it is written keeps nothing from being painted later", () => {
  const done = [];
  assert.throws(() => writeThenPaint(() => {
    paintOn({}, () => done.push("painted"));
    throw new Error("not written");
  }));
  paintOn({}, () => done.push("alone"));
  assert.deepEqual(done, ["painted", "alone"]);
});
