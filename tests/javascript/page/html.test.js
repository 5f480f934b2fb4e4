// What templates are made of.

import assert from "node:assert/strict";
import test from "node:test";

import { html, withoutLines } from "../../../viz_app/stage/page/html.js";

test("lines and indentation leave no text between the nodes", () => {
  const read = (/** @type {TemplateStringsArray} */ strings, /** @type {unknown[]} */ ..._) => withoutLines(strings);
  assert.deepEqual(read`
    <p class=${1}
      title=${2}>
      ${3}
      <b>a ${4} b</b> ${5}
    </p>`, ["<p class=", "\n      title=", ">", "<b>a ", " b</b> ", "</p>"]);
});

test("a template that is drawn again is known to be the same", () => {
  const draw = (/** @type {number} */ n) => html`<b>${n}</b>`;
  assert.equal(draw(1).strings, draw(2).strings);
  assert.deepEqual(draw(2).values, [2]);
});
