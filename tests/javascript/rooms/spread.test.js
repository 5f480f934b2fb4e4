import assert from "node:assert/strict";
import { test } from "node:test";

import { madeOf } from "../../../viz_app/rooms/inside/chain/panels.js";
import { productOf } from "../../../viz_app/rooms/inside/spread.js";

test("what is divided has the name that it has in the model, and only a softmax is called one", () => {
  assert.deepEqual([null, "dot", "scaled_dot", "bilinear", "additive"].map(productOf),
    ["q · k", "q · k", "q · k", "q W · k", "a · tanh(q + k)"]);
  assert.equal(madeOf("soft", "q · k"), "softmax(q · k)");
  assert.equal(madeOf("hard", "q · k"), "onehot(argmax q · k)");
});
