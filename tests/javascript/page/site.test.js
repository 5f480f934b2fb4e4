// What a page of a site leads away from, and what it computes itself.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isElsewhere, isModelElsewhere } from "../../../viz_app/stage/page/site.js";

const here = ({ ready = false, ...changes } = {}) => ({ canAsk: true, busy: false, draft: "The cat. ",
  options: { site: { pages: { one: ["one/1.html"], of_others: ["of_others/1.html"] }, worker: { isReady: () => ready },
    computed: ["one"] },
    payload: { recipe: { source: "The cat." } } }, ...changes });

test("another page shows what is chosen, as long as nothing computes here", () => {
  assert.ok(isElsewhere(here(), "one") && isModelElsewhere(here(), "one"));
  assert.ok(!isElsewhere(here({ ready: true }), "one"));
  assert.ok(!isElsewhere(here(), "one@50"), "a snapshot has no page");
  assert.ok(!isElsewhere({ options: {} }, "one"));
});

test("a sentence that the reader typed stays where it was typed when another model is chosen", () => {
  assert.ok(!isModelElsewhere(here({ draft: "My dog." }), "one"));
  assert.ok(!isModelElsewhere(here({ busy: true }), "one"));
});

test("a model that no page computes is shown by its own pages alone", () => {
  for (const ready of [false, true]) assert.ok(isModelElsewhere(here({ ready, draft: "My dog." }), "of_others"));
});
