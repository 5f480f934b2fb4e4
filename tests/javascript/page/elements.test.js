// What writes to the page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hide, setTrait } from "../../../viz_app/stage/page/elements.js";

test("a trait is written only where it is another, and null takes it away", () => {
  const traits = new Map();
  let set = 0;
  const element = { getAttribute: (name) => traits.get(name) ?? null, removeAttribute: (name) => traits.delete(name),
    setAttribute(name, value) {
      traits.set(name, value);
      set += 1;
    } };
  for (const value of ["step", "step", "page", null, null, "page"]) {
    setTrait(element, "aria-current", value);
    assert.equal(traits.get("aria-current") ?? null, value);
  }
  assert.equal(set, 3);
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
