import assert from "node:assert/strict";
import test from "node:test";

import { bringRequest } from "../../../viz_app/stage/page/about/bring.js";

const EMPTY = { path: " /a/b.pt ", layout: "", tokenizers: "", heads: "", settings: "" };

test("what is left open is left out", () => {
  assert.deepEqual(bringRequest(EMPTY), { path: "/a/b.pt" });
});

test("tokenizers are lines, heads a number, settings stand apart", () => {
  const typed = { ...EMPTY, layout: "hkproj", tokenizers: "/a/en.json\n\n  /a/it.json ", heads: "4",
    settings: " norm_place=pre positions=rotary" };
  assert.deepEqual(bringRequest(typed), { path: "/a/b.pt", layout: "hkproj",
    tokenizers: ["/a/en.json", "/a/it.json"], heads: 4,
    settings: ["norm_place=pre", "positions=rotary"] });
});
