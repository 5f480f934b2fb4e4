// Which answers the visitor's browser gives where a server is, and when the server gives them after all.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isAnswerable, makeLocal, modelsHere } from "../../../viz_app/stage/run/local.js";
import { settled } from "../payloads.js";

const MODELS = ["a", "b", "c"].map((name) => ({ name, fingerprint: `f-${name}`, examples: ["hello"] }));
const KNOWN = { models: MODELS, others: ["compare"] };
const step = { recipe: { model: "a", source: "hi" }, extend: 1 };

test("a model is answered here only with the very weights and program that the server has", () => {
  const options = { product: "1", models: MODELS };
  const fingerprints = { a: "f-a", b: "another", d: "f-d" };
  assert.deepEqual(modelsHere(options, { version: "1", fingerprints }), ["a"]);
  assert.deepEqual(modelsHere(options, { version: "2", fingerprints }), []);
  assert.deepEqual(modelsHere({ product: "1", models: [{ name: "hub", fingerprint: "" }] },
    { version: "1", fingerprints: { hub: "" } }), []);
});

test("what needs the server, or a model that is not here, is asked of the server", () => {
  const answerable = (request, here = ["a"]) => isAnswerable(request, here, KNOWN);
  assert.ok(answerable(step));
  assert.ok(answerable({ ...step, room: "masks" }));
  for (const request of [{ export: { recipe: step.recipe } }, { link: "#" }, { status: "a" }, { lessons: true },
    { ...step, recipe: { model: "b" } }, { ...step, room: "masks", other: { b: { model: "b" } } }]) {
    assert.ok(!answerable(request), JSON.stringify(request));
  }
  assert.ok(!answerable({ ...step, room: "compare" }), "it may open any of them");
  assert.ok(answerable({ ...step, room: "compare" }, ["a", "b", "c"]));
});

/** The transport over a worker that answers as `answer` says. */
function made(answer) {
  const asked = { server: [], here: [] };
  const own = { isReady: true, told: [], counted: 0 };
  const { sole, transport, warmUp } = makeLocal({
    ask: async (request) => { asked.server.push(request); return "server"; },
    worker: { isReady: () => own.isReady,
      transport: async (request) => { asked.here.push(request); return answer(request); } },
    here: ["a", "b"], known: KNOWN, tell: (names) => own.told.push(names), count: () => { own.counted += 1; } });
  return { sole, transport, warmUp, asked, own };
}

test("the server answers until the browser has taken a step of the model, and from then on the browser", async () => {
  const { transport, asked, own } = made(() => ({ recipe: {} }));
  own.isReady = false;
  assert.equal(await transport(step), "server");
  assert.equal(asked.here.length, 0);
  own.isReady = true;
  assert.equal(await transport(step), "server");
  await settled();
  assert.deepEqual([asked.here.length, own.told, own.counted], [1, [["a"]], 0]);
  assert.deepEqual(await transport(step), { recipe: {} });
  await transport({ recipe: step.recipe, next: 2 });
  assert.deepEqual([asked.server.length, own.counted], [2, 1]);
  assert.deepEqual(await transport({ status: "a" }), { recipe: {} }, "nothing waits there");
  assert.equal(await transport({ status: "a", drawing: "x" }), "server");
  assert.equal(await transport({ ...step, recipe: { model: "b", source: "" } }), "server");
});

test("what the browser cannot compute the server does; what is wrong with a request it says itself", async () => {
  let code = null;
  const { transport, warmUp } = made(() => (code ? { error: { code } } : {}));
  await warmUp("a");
  for (code of ["engine_lost", "engine", "elsewhere", "seconds"]) assert.equal(await transport(step), "server", code);
  code = "characters";
  assert.deepEqual(await transport(step), { error: { code } });
});

test("where one has to answer everything, the server does", async () => {
  const { sole, transport, warmUp } = made(() => ({ recipe: {} }));
  await warmUp("a");
  sole(true);
  assert.equal(await transport(step), "server");
  sole(false);
  assert.deepEqual(await transport(step), { recipe: {} });
});

test("a model that the browser cannot open stays with the server", async () => {
  const { transport, asked, own } = made(() => ({ error: { code: "engine_lost" } }));
  for (let i = 0; i < 3; i += 1) {
    assert.equal(await transport(step), "server");
    await settled();
  }
  assert.deepEqual([asked.here.length, own.told], [1, []]);
});
