import assert from "node:assert/strict";
import { test } from "node:test";

import { firstLanguage } from "../../../viz_app/stage/page/words.js";

test("a page begins with what was chosen, else as the browser speaks, else in English", () => {
  /** @param {?string} kept @param {string} browser */
  const first = (kept, browser) => firstLanguage(["en", "zh"], kept, browser);
  assert.equal(first(null, "zh-CN"), "zh");
  assert.equal(first("en", "zh-CN"), "en");
  assert.equal(first("nonsense", "zh-CN"), "zh");
  assert.equal(first(null, "fr-FR"), "en");
  assert.equal(first(null, ""), "en"); // it does not say
});
