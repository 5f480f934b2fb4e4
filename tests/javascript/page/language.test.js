import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { firstLanguage } from "../../../viz_app/stage/page/words.js";

const browser = Object.getOwnPropertyDescriptor(globalThis, "navigator");
const speaks = (language) =>
  Object.defineProperty(globalThis, "navigator", { value: { language }, configurable: true });

afterEach(() => Object.defineProperty(globalThis, "navigator", { configurable: true, ...browser }));

test("a page begins with what was chosen, else as the browser speaks, else in English", () => {
  speaks("zh-CN");
  assert.equal(firstLanguage(["en", "zh"], null), "zh");
  assert.equal(firstLanguage(["en", "zh"], "en"), "en");
  assert.equal(firstLanguage(["en", "zh"], "nonsense"), "zh");
  speaks("fr-FR");
  assert.equal(firstLanguage(["en", "zh"], null), "en");
  speaks(undefined);
  assert.equal(firstLanguage(["en", "zh"], null), "en");
});
