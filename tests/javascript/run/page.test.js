// What the whole page says, whatever room is open.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "../../../viz_app/stage/run/page.js";

test("what a room was told stays behind in it, and what the sentence was told goes along", () => {
  const { state, actions } = openPage({ models: [] },
    { rooms: [], canAsk: true, language: "en", changed() {} });
  actions.tell("no", "compare");
  actions.enter("compare");
  assert.equal(state.message, "no");
  actions.enter("heads");
  assert.deepEqual([state.message, state.messageOf], [null, null]);
  actions.tell("too long");
  actions.enter("masks");
  assert.equal(state.message, "too long");
});
