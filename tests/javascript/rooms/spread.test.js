import assert from "node:assert/strict";
import { test } from "node:test";

import { madeOf, productAbout } from "../../../viz_app/rooms/inside/chain/panels.js";
import { productOf } from "../../../viz_app/rooms/inside/spread.js";

test("what is divided has the name that it has in the model, and only a softmax is called one", () => {
  assert.deepEqual([null, "dot", "scaled_dot", "bilinear", "additive"].map(productOf),
    ["q · k", "q · k", "q · k", "q W · k", "a · tanh(q + k)"]);
  assert.equal(madeOf("soft", "q · k"), "softmax(q · k)");
  assert.equal(madeOf("hard", "q · k"), "onehot(argmax q · k)");
});

test("how query and key are compared is said as the model does it", () => {
  const about = (similarity, positions = "sinusoidal", site = "encoder") => productAbout({ similarity, positions, site });
  assert.deepEqual(["dot", "scaled_dot", null].map((one) => about(one)), Array(3).fill("inside_product_about"));
  assert.deepEqual(["bilinear", "additive"].map((one) => about(one)), ["inside_about_bilinear", "inside_about_additive"]);
  assert.equal(about("scaled_dot", "rotary"), "inside_product_rotary");
  assert.equal(about("scaled_dot", "rotary", "cross"), "inside_product_about");
});
