// What computes in a page: when it is begun, what it is asked and what it is not, and what becomes of a
// question that nobody waits for any more.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isMetered, makeWorkerClient, recordedWith } from "../../../viz_app/stage/run/worker_client.js";
import { settled } from "../payloads.js";

const PARTS = { interpreter: 9e6, packages: 3e6 };
const SIZES = { ...PARTS, scripts: 2e6, m: 1e6 };

/** A client of a worker that does what the test says; `posts` is what the worker was told. */
function made({ recorded = () => undefined } = {}) {
  const [workers, states] = [[], []];
  const open = () => {
    const worker = { posts: [], ended: false, postMessage: (said) => { worker.posts.push(said); },
      terminate() { worker.ended = true; }, say: (data) => worker.onmessage({ data }) };
    workers.push(worker);
    return worker;
  };
  const client = makeWorkerClient({ open, start: { base: "live/", model: "m" }, sizes: SIZES, recorded });
  client.whenTold((state) => states.push(state));
  return { client, workers, states, asks: () => workers.at(-1).posts.filter(({ id }) => id) };
}

const question = (name) => ({ room: "masks", recipe: { model: "m", target: [] }, name });

test("who saves data, or has a slow line, loads nothing that was not asked for", () => {
  const wide = { effectiveType: "4g", saveData: false };
  assert.deepEqual([undefined, wide, { ...wide, saveData: true }, { effectiveType: "slow-2g" }, { effectiveType: "2g" }]
    .map((connection) => isMetered(connection)), [false, false, true, true, true]); // no browser but some says
});

test("what is recorded is answered without a worker", async () => {
  const { client, workers } = made({ recorded: ({ name }) => (name === "known" ? async () => "here" : undefined) });
  assert.equal(await client.transport(question("known")), "here");
  assert.equal(workers.length, 0);
  assert.deepEqual(client.now(), { phase: "off", left: 15e6, asked: false });
});

test("what was recorded can be computed anew, but what is no computation stays as it was recorded", async () => {
  const { client, workers, asks } = made({ recorded: () => async () => "here" });
  client.sole(true);
  const answer = client.transport(question("known"));
  assert.equal(await client.transport({ lessons: true }), "here");
  workers[0].say({ ready: true, computes: "NumPy 1" });
  workers[0].say({ id: asks()[0].id, answer: { says: "so" } });
  assert.deepEqual(await answer, { says: "so", by: "NumPy 1" });
  client.sole(false);
  assert.equal(await client.transport(question("known")), "here");
});

test("a question that nobody waits for any more is not computed", async () => {
  const { client, workers, asks } = made();
  client.begin();
  workers[0].say({ ready: true, computes: "NumPy 1" });
  const left = new AbortController();
  left.abort();
  assert.equal(await client.transport(question("new"), left.signal), undefined);
  assert.deepEqual(asks(), []);
});

test("the first question that is not recorded begins it, and is asked once it is ready", async () => {
  const { client, workers, states, asks } = made();
  const answer = client.transport(question("new"));
  assert.deepEqual(workers[0].posts, [{ start: { base: "live/", model: "m" } }]);
  assert.deepEqual(states.at(-1), { phase: "fetched", left: 13e6, asked: true });
  workers[0].say({ progress: { part: "interpreter", loaded: 8.9e6, total: 9e6 } });
  assert.equal(states.at(-1).left, 4.5e6, "in steps that can be read");
  for (const [part, total] of Object.entries(PARTS)) workers[0].say({ progress: { part, loaded: total, total } });
  workers[0].say({ progress: { part: "model", model: "m", loaded: 1e6, total: 1e6 } });
  assert.deepEqual(states.at(-1), { phase: "starts", left: 0, asked: true });
  assert.equal(asks().length, 0);
  workers[0].say({ ready: true, computes: "NumPy 1" });
  const [{ id, request }] = asks();
  assert.equal(request.name, "new");
  workers[0].say({ id, answer: { says: "so" } });
  assert.deepEqual(await answer, { says: "so", by: "NumPy 1" });
  assert.deepEqual(states.at(-1), { phase: "ready", left: 0, asked: false });
});

test("what nobody asked for begins nothing, and is asked when something else did", async () => {
  const { client, workers, asks } = made();
  const [quiet, ahead] = [client.transport(question("quiet"), undefined, { quiet: true }),
    client.transport({ next: 2, recipe: {} })];
  assert.equal(await ahead, undefined);
  assert.equal(workers.length, 0);
  client.begin();
  workers[0].say({ ready: true });
  assert.deepEqual(asks().map(({ request }) => request.name), ["quiet"]);
  assert.equal(client.now().asked, false);
  workers[0].say({ id: asks()[0].id, answer: { says: 1 } });
  assert.equal((await quiet).says, 1);
});

test("what is stale is never asked, or dropped where it was, and steps ahead make way", async () => {
  const { client, workers, asks } = made();
  const [early, late] = [new AbortController(), new AbortController()];
  const first = client.transport(question("first"), undefined, { stale: early.signal });
  early.abort();
  assert.equal(await first, undefined);
  workers[0].say({ ready: true });
  assert.equal(asks().length, 0);
  const ahead = client.transport({ next: 2, recipe: {} });
  const second = client.transport(question("second"), undefined, { stale: late.signal });
  assert.equal(await ahead, undefined);
  late.abort();
  assert.equal(await second, undefined);
  const [one, two] = asks();
  assert.deepEqual(workers[0].posts.filter(({ drop }) => drop), [{ drop: one.id }, { drop: two.id }]);
});

test("what an answer waits for is said in the page itself, and begins no worker", async () => {
  const { client, workers } = made();
  assert.deepEqual(await client.transport({ status: "m" }), { status: { phase: "ready", waiting: 0, at_once: 1 } });
  assert.equal(workers.length, 0);
});

test("a worker that is lost answers with an error, and the next question begins another", async () => {
  const { client, workers, states } = made();
  const lost = client.transport(question("one"));
  workers[0].say({ failure: { code: "network" } });
  assert.equal((await lost).error.code, "engine_lost");
  assert.deepEqual([workers[0].ended, states.at(-1)], [true, { phase: "lost", left: 15e6, asked: false }]);
  const again = client.transport(question("two"));
  assert.equal(workers.length, 2);
  workers[1].onerror({});
  assert.equal((await again).error.code, "engine_lost");
});

test("another model is fetched when it is asked for; where it does not come, what was asked fails", async () => {
  const { client, workers, states, asks } = made();
  client.begin();
  workers[0].say({ ready: true });
  const other = client.transport(question("other"));
  workers[0].say({ progress: { part: "model", model: "n", loaded: 1e6, total: 3e6 } });
  assert.deepEqual(states.at(-1), { phase: "ready", left: 2e6, asked: true });
  workers[0].say({ id: asks()[0].id, failure: { code: "fetch", message: "404" } });
  assert.equal((await other).error.code, "engine_lost");
  assert.deepEqual([workers[0].ended, states.at(-1)], [false, { phase: "ready", left: 0, asked: false }]);
});

test("an error that the program gives is the answer's own", async () => {
  const { client, workers, asks } = made();
  const refused = client.transport(question("one"));
  workers[0].say({ ready: true });
  workers[0].say({ id: asks()[0].id, failure: { code: "choice", message: "No." } });
  await settled();
  assert.deepEqual(await refused, { error: { code: "choice", message: "No." } });
});

test("an answer that came with the page answers exactly what was asked", async () => {
  const recipe = { model: "m", source: "a", pads: 0, target: [{ token: 3, how: "greedy" }], strategy: { kind: "greedy" } };
  const payload = { recipe };
  const recorded = recordedWith(payload, [
    { room: "masks", asked: { view: "batch", layer: 1 }, answer: "old" },
    { room: "masks", asked: { view: "batch", layer: 1 }, answer: async () => "new" },
  ]);
  const asked = { room: "masks", recipe, view: "batch", layer: 1 };
  assert.equal(await recorded(asked)(), "new");
  assert.equal(await recorded({ ...asked, head: null, recipe: { ...recipe, edits: [] } })(), "new");
  for (const other of [{ head: 2 }, { layer: 2 }, { view: undefined }, { room: "beam" },
    { recipe: { ...recipe, edits: ["hide:1"] } }, { recipe: { ...recipe, target: [] } }]) {
    assert.equal(recorded({ ...asked, ...other }), undefined, JSON.stringify(other));
  }
  const begun = { recipe: { ...recipe, target: [] }, extend: "end", force: null, have: 1 };
  assert.equal(await recorded(begun)(), payload);
  for (const other of [{ extend: 1 }, { force: 4 }, { begins: "Le" }, { recipe: { ...recipe, source: "b", target: [] } }]) {
    assert.equal(recorded({ ...begun, ...other }), undefined);
  }
  assert.equal(recorded({ link: "v=3" }), undefined);
});

test("who has ended hears of no further state", () => {
  const { client } = made();
  const [ends, heard] = [new AbortController(), []];
  client.whenTold(({ phase }) => heard.push(phase), ends.signal);
  client.begin();
  assert.deepEqual(heard, ["fetched"]);
  ends.abort();
  client.transport(question("new"));
  assert.deepEqual([heard, client.now().asked], [["fetched"], true]);
});
