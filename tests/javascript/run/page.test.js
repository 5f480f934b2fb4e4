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
  actions.tell("no", "heads");
  actions.show("inside"); // where something of that room is looked at
  assert.deepEqual([state.room, state.message], ["inside", null]);
  actions.tell("too long");
  actions.enter("masks");
  assert.equal(state.message, "too long");
});

test("the page is drawn anew where what computes in it gets further, and not for every byte that came", () => {
  let drawn = 0;
  const { state, actions } = openPage({ models: [] },
    { rooms: [], canAsk: true, language: "en", changed() { drawn += 1; } });
  actions.runOn({ phase: "fetched", left: 2e6, asked: false });
  actions.runOn({ phase: "fetched", left: 1e6, asked: false });
  assert.deepEqual([drawn, state.worker.left], [1, 1e6]);
  actions.runOn({ phase: "fetched", left: 1e6, asked: true });
  actions.runOn({ phase: "starts", left: 0, asked: true });
  actions.runOn({ phase: "ready", left: 0, asked: true });
  assert.equal(drawn, 4);
});
