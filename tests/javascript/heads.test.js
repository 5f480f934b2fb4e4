import assert from "node:assert/strict";
import { test } from "node:test";

import { tablesOf } from "../../viz_app/rooms/heads/charts.js";
import { findHeads, likeness, patternMap, whyNone } from "../../viz_app/rooms/heads/find.js";
import { aboutOf, headAt, sparedOf, measureInCell, ordered, rankOf, restOf, spelledMeasure, tableMeasures, wordRead, worthHere } from "../../viz_app/rooms/heads/numbers.js";
import { hundredthsOf, lostOn } from "../../viz_app/rooms/heads/page.js";
import { namedPoints, pointsNear } from "../../viz_app/rooms/heads/scatter.js";
import { anatomyOf } from "./anatomies.js";
import { packed } from "./payloads.js";

const S = 4; // three words and the end
const ANATOMY = anatomyOf("encoder-decoder", 1, 2);
const model = { anatomy: ANATOMY };

/** A run whose encoder has one head on the diagonal and one on the first token. */
function run() {
  const diagonal = Array.from({ length: S * S }, (_, at) => (at % (S + 1) ? 0 : 1));
  const first = Array.from({ length: S * S }, (_, at) => (at % S ? 0 : 1));
  const tokens = { ids: [7, 8, 9, 2], texts: ["a", "b", "c", "</s>"],
    kinds: ["text", "text", "text", "special"] };
  return { anatomy: ANATOMY, source: { ...tokens, unseen: [] },
    target: { ids: [1], texts: ["<s>"], kinds: ["special"] }, steps: [], recipe: { edits: [] },
    layers: { encoder: 1 }, heads: { encoder: 2 }, summed: null,
    blocks: { encoder: Float32Array.from([...diagonal, ...first]) } };
}

test("a head on the diagonal is exactly like it, and not like the first token", () => {
  const here = run();
  const map = patternMap(here, "encoder", "itself", []);
  assert.equal(likeness(here, "encoder", 0, 0, map), 1);
  assert.equal(likeness(here, "encoder", 0, 1, map), 1 / S);
  const first = patternMap(here, "encoder", "first", []);
  assert.equal(likeness(here, "encoder", 0, 1, first), 1);
});

test("the most alike come first, and a map of one's own is stretched over the sentence", () => {
  const here = run();
  const found = findHeads(here, model, "first", [], 8);
  assert.deepEqual(found.map(({ head }) => head), [1, 0]);
  const leftmost = Array.from({ length: 8 }, (_, row) => [8 * row, 8 * row + 1]).flat();
  assert.deepEqual([...patternMap(here, "encoder", "own", leftmost)],
    [...patternMap(here, "encoder", "first", [])]);
  for (let cell = 0; cell < 64; cell += 1) { // also where the sentence has fewer rows than the map
    const lit = patternMap(here, "encoder", "own", [cell]);
    assert.deepEqual([...lit ?? []].map((value, at) => (value > 0 ? at : -1)).filter((at) => at >= 0),
      [Math.floor(cell / 16) * S + Math.floor((cell % 8) / 2)]);
  }
  assert.equal(patternMap(here, "encoder", "own", []), null);
  assert.equal(patternMap(here, "encoder", "diagonal", []), null); // there it is the token itself
  assert.deepEqual([["own", []], ["own", [0]], ["next", []]].map(([name, cells]) => whyNone(here, model, name, cells)),
    ["heads_draw", "heads_find_unlike", "heads_find_unlike"]);
  assert.equal(whyNone(here, model, "diagonal", []), "heads_find_none");
});

test("a head that never looks there is not found", () => {
  const here = run();
  assert.deepEqual(findHeads(here, model, "next", [], 8), []);
  const likenesses = ["itself", "first"].flatMap((name) => findHeads(here, model, name, [], 8).map(({ cosine }) => cosine));
  assert.ok(likenesses.length > 0 && likenesses.every((one) => one > 0));
});

test("a change has its sign where it is seen, a share of outputs is one of 1", () => {
  assert.equal(spelledMeasure("loss_zero", 0.0514), "+0.051");
  assert.deepEqual([0.004, -0.012, 0, 0.0001].map((one) => spelledMeasure("exact_mean", one)),
    ["+0.004", "−0.012", "0.000", "0.000"]);
  assert.equal(spelledMeasure("entropy", 1.5), "1.500");
  const t = Object.assign(() => "", { has: (key) => ["heads_about_loss", "heads_about_links"].includes(key) });
  assert.deepEqual(["loss_mean", "previous", "links"].map((name) => aboutOf(t, name)), ["loss", "share", "links"]);
});

test("a cell of the grid has as many digits as its measure needs, and a change its sign", () => {
  assert.deepEqual([0.0514, -0.0012, 0.0001].map(measureInCell("loss_zero", 0.0514)),
    ["+.051", "−.001", "0"]);
  assert.deepEqual([0.618, 2.9271].map(measureInCell("entropy", 3.02)), [".62", "2.93"]);
  assert.deepEqual([-12.44, 3].map(measureInCell("distance", 12.44)), ["−12.4", "+3.0"]);
});

test("no name of a point covers another point or name, and a press finds all that are there", () => {
  const places = [{ x: 100, y: 100 }, { x: 103, y: 104 }, { x: 300, y: 100 }, { x: 310, y: 112 }];
  assert.deepEqual(namedPoints(places, 1), [false, true, false, true]);
  assert.deepEqual(namedPoints(places, 1, 0), [true, false, false, true]); // the chosen one before all
  assert.deepEqual(pointsNear(places, { x: 102, y: 103 }, 10), [1, 0]);
  assert.deepEqual(pointsNear(places, { x: 200, y: 100 }, 10), []);
});

test("a head without which nothing changes moves no token, and one that does is named", () => {
  const same = packed([-1, -2]);
  const lost = (zero) => lostOn({ with_T: same, zero_T: zero, mean_T: null });
  assert.deepEqual(lost(same), { before: 1.5, zero: 0, mean: null, most: null });
  const { zero, most } = lost(packed([-1, -3]));
  assert.equal(zero, 0.5);
  assert.deepEqual(most, { at: 1, before: Math.exp(-2), after: Math.exp(-3) });
});

test("a share of the rows is 100 of 100 only where it is all of them", () => {
  assert.deepEqual([0.5, 0.865, 0.994, 0.998, 0.99999, 1].map(hundredthsOf), ["50", "87", "99", "99.8", "99.9", "100"]);
});

test("a table is sorted by the largest, and heads without the measure come last", () => {
  const heads = [{ values: { a: 1 } }, { values: {} }, { values: { a: 3 } }];
  assert.deepEqual(ordered(heads, "a").map(({ values }) => values.a), [3, 1, undefined]);
  assert.equal(ordered(heads, "place"), heads);
});

test("heads are spared as long as the loss has not grown beyond what is allowed, together", () => {
  assert.equal(sparedOf([0.4, 0.39, 0.45, 0.49, 0.6, 0.45], 0.1), 3);
  assert.equal(sparedOf([0.4, 0.6], 0.1), 0);
  assert.equal(sparedOf([0.4, 0.41, 0.42], 0.1), 2);
});

test("what a head is worth here finds its own head, whatever site it is of", () => {
  const heads = [["encoder", 0], ["encoder", 1], ["cross", 0]].map(([site, head]) =>
    ({ site, layer: 0, head, word: "end", values: {} }));
  const order = [heads[1], heads[0], heads[2]].map(({ site, layer, head }) => ({ site, layer, head }));
  const worth = worthHere({ loss: 0.5, added: { encoder: packed([0.25, -0.5]), cross: packed([2]) }, order,
    losses_N: packed([0.5, 0, 0.25, 9]) }, heads);
  assert.deepEqual(worth.heads.map(({ values }) => values.here), [0.25, -0.5, 2]);
  assert.equal(headAt(worth.heads, order[2]), worth.most);
  assert.equal(worth.spared, 2);
});

test("the table begins with what is lost without a head", () => {
  const sites = { encoder: { values: { entropy: "", loss_zero: "" } }, cross: { values: { fed: "", exact_zero: "" } } };
  assert.deepEqual(tableMeasures({ sites }), ["loss_zero", "exact_zero", "entropy", "fed"]);
});

test("on paper each attention has a table, of what its heads have", () => {
  const heads = [["cross", { entropy: 1, links: 2 }], ["encoder", { entropy: 3 }], ["cross", { entropy: 4, links: 0 }]]
    .map(([site, values], head) => ({ site, layer: 0, head, values }));
  assert.deepEqual(tablesOf(heads, ["entropy", "links"], false), [{ site: null, heads, names: ["entropy", "links"] }]);
  assert.deepEqual(tablesOf(heads, ["entropy", "links"], true).map(({ site, heads: own, names }) => [site, own.length, names]),
    [["encoder", 1, ["entropy"]], ["cross", 2, ["entropy", "links"]]]);
});

test("a head stands where what is lost without it puts it, among those of which that is known", () => {
  const heads = [0.25, undefined, -1, 3, 0.5].map((lost, head) => ({ site: "cross", layer: 0, head, word: "end",
    values: lost === undefined ? {} : { loss_zero: lost } }));
  assert.deepEqual(rankOf(heads, heads[0], 2), { rank: 3, of: 4, most: [heads[3], heads[4]] });
  assert.equal(rankOf(heads, heads[3], 2)?.rank, 1);
  assert.equal(rankOf(heads, heads[1]), null);
});

test("a head rests where a special token gets most of its weight, and what it hands over from there is told", () => {
  const keys = { ids: [0, 1, 2], pieces: ["a", "b", "</s>"], texts: ["a", "b", "</s>"], kinds: ["text", "text", "special"], spans: [null, null, null] };
  const rest = /** @type {any} */ ((/** @type {number[]} */ weights) => ({ keys, weights: packed(weights), lengths: packed([4, 2, 0.5]) }));
  const found = restOf(rest([0.25, 0.25, 0.5]));
  assert.deepEqual([found?.at, found?.order, found?.others], [2, [2, 0, 1], 3]);
  assert.ok(Math.abs((found?.share ?? 0) - 0.25 / 1.75) < 1e-6);
  assert.equal(restOf(rest([0.5, 0.25, 0.25])), null); // a word gets more
});

test("a head reads the word that it writes or the one that was fed, whichever it agrees with in half of the rows", () => {
  assert.deepEqual([{ links: 0.7, fed: 0.2 }, { links: 0.2, fed: 0.5 }, { links: 0.4, fed: 0.3 }, {}].map((values) => wordRead(/** @type {any} */ (values))),
    [{ most: "links", share: 0.7 }, { most: "fed", share: 0.5 }, null, null]);
});
