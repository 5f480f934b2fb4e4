import assert from "node:assert/strict";
import { test } from "node:test";

import { heldAs, holdReading, lacksReading, readingOf, readingToAsk }
  from "../../../viz_app/stage/run/readings.js";
import { translateKeep } from "../../../viz_app/rooms/translate/keep.js";
import { sentenceOf } from "../../../viz_app/rooms/translate/map/reading.js";
import { anatomyOf } from "../anatomies.js";
import { packed } from "../payloads.js";

const [L, H, S, N] = [2, 2, 3, 2];
/** A row of weights that adds up to 1, another for every place. */
function row(keys, ...place) {
  const raw = Array.from({ length: keys }, (_, k) => 1 + ((k + 3 * place[0] + 5 * place[1] + 7 * place[2]) % 4));
  const sum = raw.reduce((a, b) => a + b, 0);
  return raw.map((one) => one / sum);
}
const stepRows = (keys) => Array.from({ length: N }, (_, t) => Float32Array.from(
  [...Array(L * H).keys()].flatMap((at) => row(keys(t), Math.floor(at / H), at % H, t))));
function runOf(edits = []) {
  const anatomy = anatomyOf("encoder-decoder", L, H);
  const counts = { encoder: L, decoder: L, cross: L };
  const heads = { encoder: H, decoder: H, cross: H };
  const encoder = Float32Array.from([...Array(L * H * S).keys()].flatMap((at) =>
    row(S, Math.floor(at / (H * S)), Math.floor(at / S) % H, at % S)));
  return { anatomy, layers: counts, heads, summed: null, held: new Map(), chosen: [{}], prompt: 1,
    recipe: { edits }, source: { ids: [5, 6, 2], kinds: ["text", "text", "special"] },
    target: { ids: [1, 9], kinds: ["special", "text"] }, steps: [{}, {}],
    blocks: { encoder, decoder: stepRows((t) => t + 1), cross: stepRows(() => S) } };
}
const all = (read, Q, K) => Array.from({ length: Q }, (_, q) =>
  Array.from({ length: K }, (_, k) => read.value(q, k)));
const near = (a, b) => a.flat().forEach((one, i) =>
  assert.ok(Math.abs(one - b.flat()[i]) < 1e-6, `${one} and ${b.flat()[i]}`));
const times = (a, b) => a.map((line) => b[0].map((_, k) =>
  line.reduce((sum, one, j) => sum + one * b[j][k], 0)));
const meanAt = (layer, Q, keys) => Array.from({ length: Q }, (_, q) => Array.from({ length: keys(Q) },
  (_, k) => [0, 1].reduce((sum, head) => sum + (row(keys(q), layer, head, q)[k] ?? 0), 0) / H));
const mixed = (layer) => meanAt(layer, S, () => S).map((line, i) =>
  line.map((one, k) => 0.5 * one + (i === k ? 0.5 : 0)));

test("averages are those of the heads, and of all layers", () => {
  const run = runOf();
  const mean = all(readingOf(run, "cross", { layer: 1, head: 0 }, "mean"), N, S);
  near(mean, meanAt(1, N, () => S));
  const both = all(readingOf(run, "cross", { layer: 0, head: 1 }, "mean_all"), N, S);
  near(both, [0, 1].map((q) => [0, 1, 2].map((k) =>
    (meanAt(0, N, () => S)[q][k] + meanAt(1, N, () => S)[q][k]) / 2)));
});

test("rollout is the product of the layers; cross-attention goes back through the encoder", () => {
  const rolled = times(mixed(1), mixed(0));
  near(all(readingOf(runOf(), "encoder", { layer: 1, head: 0 }, "rollout"), S, S), rolled);
  const cross = times(meanAt(0, N, () => S), rolled);
  near(all(readingOf(runOf(), "cross", { layer: 0, head: 0 }, "rollout"), N, S), cross);
  const early = times(meanAt(0, N, () => S), mixed(0));
  near(all(readingOf(runOf(["encoder-layer:1"]), "cross", { layer: 0, head: 0 }, "rollout"), N, S), early);
  const decoder = readingOf(runOf(), "decoder", { layer: 1, head: 0 }, "rollout");
  assert.equal(decoder.hidden(0, 1), "future");
  assert.equal(decoder.value(0, 0), 1);
});

test("a weight times the norm of its value is rounded as the server rounds it", () => {
  const run = runOf();
  const asked = readingToAsk(run, "cross", { layer: 1, head: 1 }, "norms");
  assert.deepEqual(asked, { reading: "norms", site: "cross" });
  const norms = Array.from({ length: L * H * S }, (_, i) => 0.3 + i);
  holdReading(run, asked, { norms: packed(norms) });
  assert.equal(readingToAsk(run, "cross", { layer: 0, head: 0 }, "norms"), null);
  const read = readingOf(run, "cross", { layer: 1, head: 1 }, "norms");
  const [weight, norm] = [Math.fround(row(S, 1, 1, 1)[2]), Math.fround(norms[11])];
  assert.equal(read.value(1, 2), Math.fround(weight * norm));
  assert.equal(read.limit, Math.max(...all(read, N, S).flat()));
});

test("the table of all heads has the numbers of their pictures, the norms where those are shown", () => {
  const run = { ...runOf(), source: { ...runOf().source, texts: ["a", "b", "c"] }, target: { ...runOf().target, texts: ["s", "x"] } };
  holdReading(run, { reading: "norms", site: "cross" }, { norms: packed(Array.from({ length: L * H * S }, (_, i) => i)) });
  const ofAll = (/** @type {object} */ view) => translateKeep.tables("heads", { site: "cross", ...view }, { run })[0].values;
  const { norm_LHQK: norms, weights_LHQK: weights } = ofAll({ reading: "norms" });
  assert.deepEqual(norms, weights.map((weight, i) => Math.fround(weight * (Math.floor(i / (N * S)) * S + (i % S)))));
  assert.equal(ofAll({}).norm_LHQK, undefined);
});

test("words hidden as a whole have one number, and a step without a token has none", () => {
  const run = runOf();
  holdReading(run, { reading: "hidden", site: "cross" },
    { values: packed([-2, -2, 0.5, 0, 0, 0]), words: [[0, 1], [2]] });
  const read = readingOf(run, "cross", { layer: 0, head: 0 }, "hidden");
  assert.deepEqual([read.wordOf(1), read.limit, read.hidden(0), read.hidden(1)],
    [[0, 1], 2, null, "unwritten"]);
});

test("a reading that is not there says why", () => {
  const state = { run: runOf(), site: "cross", canAsk: true, options: {} };
  assert.equal(lacksReading(state, "norms"), null);
  assert.equal(lacksReading({ ...state, site: "encoder" }, "hidden"), "cross");
  assert.equal(lacksReading({ ...state, run: { ...runOf(), readsWhole: true } }, "norms"), "whole");
  assert.equal(lacksReading({ ...state, canAsk: false }, "hidden"), "alone");
  assert.equal(lacksReading({ ...state, canAsk: false }, "rollout"), null);
  const alone = runOf();
  alone.anatomy = { ...alone.anatomy, predicts: false };
  assert.equal(lacksReading({ ...state, run: alone }, "norms"), "values");
  assert.equal(heldAs("mean", "cross", 2), "mean cross 2");
});

test("only of a head that finds the written word is it said what a word was read from", () => {
  const frame = { layer: 0, head: 0, pointed: { row: 0, column: null }, rowsAre: "word", aligns: true, weight: () => 0.5,
    rows: { labels: [{ label: "chat" }] }, columns: { labels: [{ label: "cat" }] },
    read: { reading: "weights", wordOf: () => [0] } };
  assert.equal(sentenceOf(frame, (key) => key), "reading_row_word");
  assert.equal(sentenceOf({ ...frame, aligns: false }, (key) => key), "reading_row_looks");
  const cell = (/** @type {number} */ weight) => sentenceOf({ ...frame, pointed: { row: 0, column: 0 }, hidden: () => null, value: () => weight }, (key) => key);
  assert.deepEqual([cell(0.5), cell(0.001)], ["reading_word", "reading_word_not"]);
});

test("who reads a token is said in the digits of the cells, without those who hardly do, and what the first number is", () => {
  const frame = { layer: 0, head: 0, pointed: { row: null, column: 0 }, rowsAre: "word", aligns: true,
    rows: { count: 3, labels: ["une", "voiture", "rouge"].map((label) => ({ label })) }, columns: { labels: [{ label: "car" }] },
    read: { reading: "weights", wordOf: () => [0] } };
  const t = (key, values) => (key.startsWith("list_item") ? `${key}: ${values.label} ${values.weight}` : values?.list || key);
  const said = (weights) => sentenceOf({ ...frame, weight: (row) => weights[row] }, t);
  assert.equal(said([0.001, 0.9978, 0.041]), "list_item_weight: voiture 1.00list_betweenlist_item_next: rouge 0.04");
  assert.equal(said([0, 0.002, 0.001]), "list_item_weight: voiture 0.002");
  assert.equal(said([0, 0, 0]), "reading_column_none");
});

test("of a token that is not chosen yet it is said so, not that it depends on nothing", () => {
  const label = { label: "…", lead: "chat", kind: "text", pending: true };
  /** @type {function(string, any): any} */
  const frame = (reading, one) => ({ layer: 0, head: 0, pointed: { row: 0, column: null }, rowsAre: "step",
    rows: { labels: [one] }, columns: { labels: [{ label: "cat" }] }, weight: () => 0.5,
    read: { reading, wordOf: () => [0] } });
  const t = (key, values) => [key, values?.query].filter(Boolean).join(" ");
  assert.equal(sentenceOf(frame("hidden", label), t), "title_pending");
  assert.equal(sentenceOf(frame("mean", label), t), "read_row_mean chat → …");
  assert.equal(sentenceOf(frame("hidden", { ...label, label: "dort", pending: false }), t), "read_row_hidden dort");
});
