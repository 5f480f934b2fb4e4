// What writes to the page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hide, setText } from "../../../viz_app/stage/page/elements.js";

/** An element that holds a text, and how often its children were made anew. @param {string} text */
function holding(text) {
  const all = [{ nodeType: 3, nodeValue: text }];
  return { made: 0,
    get firstChild() { return all[0] ?? null; },
    get lastChild() { return all.at(-1) ?? null; },
    get textContent() { return all.map(({ nodeValue }) => nodeValue).join(""); },
    set textContent(next) {
      this.made += 1;
      all.splice(0, all.length, ...(next ? [{ nodeType: 3, nodeValue: next }] : []));
    } };
}

test("another text is written into the node that is there, and the same one not at all", () => {
  const element = holding("0.12");
  const node = element.firstChild;
  for (const text of ["0.34", "0.34", "0.56"]) setText(element, text);
  assert.equal(element.textContent, "0.56");
  assert.equal(element.firstChild, node);
  assert.equal(element.made, 0);
  setText(element, "");
  assert.equal(element.firstChild, null); // no node, as where nothing was ever written
  setText(element, "0.78");
  assert.equal(element.textContent, "0.78");
});

test("what is hidden is not hidden again", () => {
  let [isHidden, set] = [false, 0];
  const element = { get hidden() { return isHidden; }, set hidden(next) { [isHidden, set] = [next, set + 1]; } };
  for (const next of [false, true, true, false, false]) {
    hide(element, next);
    assert.equal(isHidden, next);
  }
  assert.equal(set, 2);
});
