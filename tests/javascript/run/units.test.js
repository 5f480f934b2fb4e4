// Words, tokens and pieces: which of them can be shown, and so are offered.

import assert from "node:assert/strict";
import { test } from "node:test";

import { showsWords, unitChoices } from "../../../viz_app/stage/run/units.js";
import { anatomyOf } from "../anatomies.js";

const state = (more = {}) => ({ room: "translate", by: "words", spelled: false, reading: "weights", isPlaybackOpen: false,
  run: { anatomy: anatomyOf(), finished: "end" }, ...more });

test("words lead to tokens, and tokens to their pieces and back", () => {
  assert.deepEqual(unitChoices(state()), { chosen: "words", choices: ["words", "plain"] });
  assert.deepEqual(unitChoices(state({ by: "pieces" })), { chosen: "plain", choices: ["words", "plain", "pieces"] });
  assert.deepEqual(unitChoices(state({ spelled: true })), { chosen: "pieces", choices: ["words", "plain", "pieces"] });
});

test("words are offered nowhere that they cannot be shown", () => {
  for (const more of [{ room: "heads" }, { isPlaybackOpen: true }, { reading: "norms" }, { run: { anatomy: anatomyOf(), finished: null } }]) {
    assert.ok(!showsWords(state(more)));
    assert.deepEqual(unitChoices(state(more)), { chosen: "plain", choices: ["plain", "pieces"] });
    assert.deepEqual(unitChoices(state({ ...more, spelled: true })), { chosen: "pieces", choices: ["plain", "pieces"] });
  }
});
