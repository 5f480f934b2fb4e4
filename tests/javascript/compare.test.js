// What the room Compare says, and what it can compare with.

import assert from "node:assert/strict";
import { test } from "node:test";

import { byWords } from "../../viz_app/rooms/compare/by_words.js";
import { eyeOf, sheetOf } from "../../viz_app/rooms/compare/drawn/maps.js";
import { keysOf, shownKey, vectorsSaid } from "../../viz_app/rooms/compare/drawn/vectors.js";
import { lengthsOf, pathStages } from "../../viz_app/rooms/compare/drawn/path.js";
import { byUpdate, comparable, differencesOf, wayName, waysOf } from "../../viz_app/rooms/compare/ways.js";
import {
  alignmentOf, digitsTogether, distanceOf, jointLabels, leadOf, mostMoved, percentText, nearestSaid, readingOfRuns, signed, summaryOf, stepToShow, tokensOfA,
} from "../../viz_app/rooms/compare/says.js";
import { anatomyOf } from "./anatomies.js";

const OURS = anatomyOf();

const t = Object.assign((key, values = {}) => (key === "sentences_between" ? " " : [key, ...Object.values(values)].join(" ")),
  { language: "en" });
const tokens = (...texts) => ({ ids: texts.map((_, i) => i), pieces: texts, texts,
  kinds: texts.map(() => "text") });
/** A has rows "the cat", B "the old cat"; both one column, and B another one. */
const answer = () => ({
  rows: "target", columns: "source", align: "text", numbers: "weights", unfed: null, stale: false,
  runs: [["the", "cat"], ["the", "old", "cat"]].map((texts, i) => ({ target: tokens(...texts), prompt: 1, recipe: { strategy: { kind: "sample" } },
    source: i ? tokens("le", "vieux") : tokens("le"), steps: texts.length, finished: "end" })),
  fed: false, row_pairs: [[0, 0], [null, 1], [1, 2]], column_pairs: [[0, 0], [null, 1]],
  a: Float32Array.of(1, NaN, NaN, NaN, 1, NaN),
  b: Float32Array.of(0.75, 0.25, 0.5, 0.5, 0.5, 0.5),
  difference: Float32Array.of(0.25, NaN, NaN, NaN, 0.5, NaN),
  hidden: { a: ["00", "00", "00"], b: ["00", "00", "00"] },
  row_distance: [0.25, null, 0.5], most: { row: 2, column: 0, difference: 0.5 },
  parting: { a: 0, b: 0, probabilities: [[0.75, 0.25], [0.125, 0.875]] },
  steps: [{ a: 0, b: 0, candidates: [{ text: "cat", piece: "cat", kind: "text", a: 0.75, b: 0.125 }] }],
});

test("the cursor goes to where the runs part, and where they do not only from A's end or a step that B lacks", () => {
  const one = (a, b, far = 0) => ({ a, b, candidates: [{ a: 0.5, b: 0.5 + far }] });
  const steps = [one(0, 0), one(1, 1, 0.25), one(null, 2), one(2, null), one(3, 3)];
  const parted = { parting: { a: 0 }, steps };
  assert.deepEqual([0, 1, 2, 3].map((at) => stepToShow(parted, at, 3)), [0, 0, 0, 0]);
  assert.deepEqual([0, 1, 2, 3].map((at) => stepToShow({ parting: null, steps }, at, 3)), [null, null, 1, 1]);
  assert.equal(stepToShow({ parting: null, steps: [one(0, 0)] }, 0, 0), null);
});

test("with a row comes the column where A and B differ most, or the first", () => {
  const far = Float32Array.of(NaN, 0.1, -0.4, NaN, NaN, NaN);
  assert.deepEqual([0, 1].map((row) => eyeOf(far, row, 3)), [2, 0]);
});

test("an axis is named by both runs, and a token of one alone by that one", () => {
  const labels = (/** @type {any} */ of, axis) => jointLabels(of, axis, false, t).map(({ label }) => label);
  assert.deepEqual(labels(answer(), "row"), ["the", "old", "cat"]);
  const beside = { ...answer(), row_pairs: [[0, 0], [1, 1], [null, 2]] };
  assert.deepEqual(labels(beside, "row"), ["the", "cat | old", "cat"]);
});

test("a row that is a step names what it reads and what each run writes", () => {
  /** @type {any} */
  const stepped = { ...answer(), stepped: true };
  const rows = jointLabels(stepped, "row", false, t);
  assert.deepEqual(rows.map(({ lead, label }) => [lead, label]),
    [["the", "cat | old"], ["old", "cat"], ["cat", "…"]]);
  const columns = jointLabels(stepped, "column", false, t);
  assert.ok(columns.every((one) => !("lead" in one)));
  assert.equal(readingOfRuns(stepped, { rows, columns }, { row: 0, column: 0 }, t),
    "compare_reading the → cat | old le 1.000000 0.750000 +0.250000");
  assert.deepEqual([0, 0.0276, 0.138].map(percentText), ["0%", "2.8%", "14%"]);
  assert.deepEqual([1e-6, 0.0005, 0.994, 0.996, 1].map(percentText), ["<0.1%", "0.1%", "99%", ">99%", "100%"]);
});

/** A writes "he sleep|s" and B "he sleeps", both from "il dor|t": tokens differ, words do not. */
const spelledApart = () => {
  const source = { ...tokens("il", "dor", "t"), pieces: ["▁il", "▁dor", "t"] };
  return { ...answer(), stepped: true,
    runs: [["<s>", "he", "sleep", "s"], ["<s>", "he", "sleeps"]].map((texts) => ({ ...answer().runs[0], source, target: tokens(...texts) })),
    row_pairs: [[0, 0], [1, 1], [2, null]], column_pairs: [[0, 0], [1, 1], [2, 2]],
    row_words: [[[0], [0]], [[1, 2], [1]]], column_words: [[[0], [0]], [[1, 2], [1, 2]]],
    a: Float32Array.of(0.5, 0.25, 0.25, 0.25, 0.5, 0.25, 0.75, 0.25, 0), b: Float32Array.of(0.5, 0.25, 0.25, 0, 0.5, 0.5, NaN, NaN, NaN),
    hidden: { a: ["001", "011", "000"], b: ["011", "000", "000"] } };
};

test("between words weights are summed over the tokens of a key and meant over those of a query", () => {
  const words = byWords(spelledApart());
  assert.deepEqual([...words.a], [0.5, 0.5, 0.5, 0.5]);
  assert.deepEqual([...words.b], [0.5, 0.5, 0, 1]);
  assert.deepEqual(words.most, { row: 1, column: 0, difference: 0.5 });
  assert.deepEqual(words.hidden, { a: ["00", "00"], b: ["01", "00"] }); // a word is hidden where all of it is
  assert.deepEqual(jointLabels(words, "row", false, t).map(({ label, lead }) => [label, lead]), [["he", undefined], ["sleeps", undefined]]);
  assert.deepEqual(jointLabels(words, "column", false, t).map(({ label }) => label), ["il", "dort"]);
  assert.deepEqual(tokensOfA(words.row_pairs), [[0], [1, 2]]);
  assert.match(alignmentOf(words, t), /whole 2 2 2 2/);
});

test("a word that one run alone has is absent from the other", () => {
  const words = byWords({ ...spelledApart(), row_words: [[[0], [0]], [[1, 2], null], [null, [1]]] });
  assert.deepEqual([...words.a], [0.5, 0.5, 0.5, 0.5, NaN, NaN]);
  assert.deepEqual([...words.b], [0.5, 0.5, NaN, NaN, 0, 1]);
  assert.deepEqual(words.hidden.a, ["00", "00", "00"]);
  assert.equal(byWords({ ...spelledApart(), row_words: [[[0], null], [null, [1]]] }).most, null);
});

test("what has no counterpart is absent, not zero", () => {
  const [a, apart] = ["a", "difference"].map((name) => sheetOf(answer(), name, 2));
  assert.equal(a.mark(1, 0), "absent");
  assert.equal(a.mark(0, 0), null);
  assert.equal(apart.limit, 0.5); // of the numbers that there are
  assert.equal(apart.mark(2, 1), "absent");
  const hidden = { a: ["10", "00", "00"], b: ["00", "00", "00"] };
  assert.equal(sheetOf({ ...answer(), hidden }, "difference", 2).hidden(0, 0), false);
  assert.equal(sheetOf({ ...answer(), hidden: { a: hidden.a, b: hidden.a } }, "difference", 2)
    .hidden(0, 0), true);
  // A later token that B alone has: B hides it from this row, and A has no such cell.
  const later = sheetOf({ ...answer(), hidden: { a: ["00", "00", "00"], b: ["01", "00", "00"] } }, "difference", 2);
  assert.deepEqual([later.hidden(0, 1), later.mark(0, 1)], [false, "absent"]);
});

test("the sentences name the numbers of the answer", () => {
  const labels = { rows: jointLabels(answer(), "row", false, t),
    columns: jointLabels(answer(), "column", false, t) };
  assert.deepEqual(distanceOf(answer()), { mean: 0.375, rows: 2, row: 2, most: 0.5 });
  assert.equal(mostMoved(answer()).change, 0.625);
  assert.deepEqual(leadOf(answer(), t, null), ["compare_parts 1 cat old 0.750 0.875"]);
  const said = summaryOf(answer(), labels, t);
  assert.match(said[0], /^compare_most_weights cat le 1.000 0.500 compare_distance 2 38% 50% cat$/);
  for (const numbers of ["vectors", "path"]) assert.deepEqual(summaryOf({ ...answer(), numbers }, labels, t), said);
  assert.equal(said[1], "compare_moved 1 cat 0.750 0.125");
  for (const numbers of ["vectors", "path"]) { // beside them the maps show weights
    assert.match(summaryOf({ ...answer(), numbers }, labels, t)[0], /^compare_most_weights /);
  }
  const begun = answer();
  begun.runs[0].finished = null;
  assert.equal(leadOf(begun, t, null)[1], "compare_unfinished 2");
  assert.equal(readingOfRuns(answer(), labels, { row: 0, column: 0 }, t),
    "compare_reading the le 1.000000 0.750000 +0.250000");
  assert.equal(readingOfRuns(answer(), labels, { row: 1, column: 0 }, t),
    "compare_reading_one old le B 0.500000");
  assert.match(alignmentOf(answer(), t), /^compare_aligned_textcompare_aligned_part 2 3 1 2 2 1$/);
  assert.equal(signed(-0.0001), "0.000");
});

test("a run is compared with itself untouched, by another strategy, and with models like it", () => {
  const model = { name: "m", anatomy: OURS };
  const alien = { name: "x", anatomy: { ...OURS, sites: [] } };
  const other = { ...model, name: "n" };
  const unopened = { name: "y", closed: true };
  assert.deepEqual(comparable([model, other, alien, unopened], model), [other]);
  /** @type {any} */
  const recipe = { model: "m", source: "A.", pads: 0, edits: ["no-scale"], strategy: { kind: "beam" },
    target: [{ token: 5, how: "forced" }, { token: 6, how: "beam" }] };
  const ways = waysOf(recipe, model, [model, other], { width: 5 });
  assert.deepEqual(ways.map(({ value }) => value), ["untouched", "greedy", "same", "model:n"]);
  assert.deepEqual(ways[0].recipe.edits, []);
  assert.deepEqual(ways[0].recipe.target, [{ token: 5, how: "forced" }]); // the rest is chosen anew
  assert.equal(ways[1].recipe.strategy.kind, "greedy");
});

test("B can be one edit away, or the same model at another update of its training", () => {
  const anatomy = { ...OURS, edits: ["head-off", "no-positions"] };
  const models = [{ name: "m", of: null, update: 800, anatomy }, { name: "m@50", of: "m", update: 50,
    anatomy }, { name: "m@200", of: "m", update: 200, anatomy }, { name: "n", of: null, anatomy }];
  const [whole, early] = models;
  /** @type {any} */
  const recipe = { model: "m", source: "A.", pads: 0, edits: ["no-positions"], target: [] };
  const place = { site: "cross", layer: 0, head: 1 };
  const ways = waysOf(recipe, whole, models, { width: 5, place });
  const inGroup = (/** @type {string} */ name) => ways.filter(({ group }) => group === name);
  const [off] = ways.filter(({ edit }) => edit);
  assert.deepEqual(off.recipe.edits, ["no-positions", "head-off:cross.1.2"]); // what A has stays
  assert.equal(ways.filter(({ edit }) => edit).length, 1);
  assert.deepEqual(inGroup("training").map((way) => [way.recipe.model, wayName(way, models, t)]),
    [["m@50", "compare_way_update 50"], ["m@200", "compare_way_update 200"]]);
  assert.deepEqual(inGroup("models").map((way) => way.model.name), ["n"]); // and no snapshot
  assert.deepEqual(waysOf(recipe, early, models, { width: 5 })
    .filter(({ group }) => group !== "run").map((way) => way.model.name), ["m@200", "m", "n"]);
});

test("it is said in what two runs differ, and that nothing does", () => {
  const anatomy = OURS;
  const models = [{ name: "m", of: null, update: 800, anatomy },
    { name: "m@50", of: "m", update: 50, anatomy }];
  /** @type {any} */
  const a = { model: "m", source: "A.", pads: 0, edits: [], target: [] };
  const forced = [{ token: 5, how: "forced" }];
  assert.equal(differencesOf(a, a, models, t), "compare_differs_nothing");
  assert.equal(differencesOf(a, { ...a, strategy: { kind: "greedy" } }, models, t), "compare_differs_nothing");
  assert.equal(differencesOf(a, { ...a, model: "m@50" }, models, t),
    "compare_differs compare_differs_update 800 50");
  const run = { ...a, target: [{ token: 5, how: "greedy" }] };
  assert.deepEqual(byUpdate(run, models[1]).target, forced); // what A wrote is fed to it
  assert.equal(byUpdate(run, models[0]), run);
  assert.match(differencesOf(run, byUpdate(run, models[1]), models, t, 1, [], null, true), /update 800 50.*compare_differs_fed/);
  for (const [about, changes] of Object.entries({ source: { source: "B." }, pads: { pads: 2 },
    edits: { edits: ["no-scale"] }, strategy: { strategy: { kind: "beam" } }, forced: { target: forced } })) {
    assert.match(differencesOf(a, { ...a, .../** @type {any} */ (changes) }, models, t),
      new RegExp(`^compare_differs compare_differs_${about}( [^;]*)?$`));
  }
});

test("what was forced in one run alone is named with its step", () => {
  /** @type {any} */
  const greedy = { model: "m", source: "A.", pads: 0, edits: [], target: [5, 6].map((token) => ({ token, how: "greedy" })) };
  const forced = { ...greedy, target: [greedy.target[0], { token: 9, how: "forced" }] };
  const written = [["le", "bal"], ["le", "toit"]];
  assert.equal(differencesOf(forced, greedy, [], t, 1, written),
    "compare_differs compare_differs_forcedcompare_forced_tokens compare_forced_at bal 2");
});

test("that B cannot be fed is said where it was asked for", () => {
  /** @type {any} */
  const other = { ...answer(), unfed: { because: "vocabulary", token: "aient" } };
  assert.deepEqual([null, "own", "a"].map((feed) => leadOf(other, t, feed).length), [1, 1, 2]);
  assert.equal(leadOf(other, t, "a")[1], "compare_unfed_vocabulary aient");
  assert.equal(leadOf(answer(), t, "a").length, 1);
});

test("where B is fed it is said what it would have written otherwise", () => {
  /** @type {any} */
  const fed = { ...answer(), fed: true, parting: null };
  const one = (/** @type {number} */ b, taken = false) => ({ text: "x", piece: "x", kind: "text", a: 0.5, b, taken: [true, taken] });
  fed.steps = [{ a: 0, b: 0, candidates: [one(0.2, true), one(0.6)] }, { a: 1, b: 1, candidates: [one(0.7, true), one(0.1)] }];
  assert.match(leadOf(fed, t, "a")[0], /^compare_lead_fed 1 1 compare_apart/);
});

test("scores have one scale for both runs, and what is masked is no missing cell", () => {
  /** @type {any} */
  const scores = { ...answer(), numbers: "scores", a: Float32Array.of(-3, NaN, NaN, NaN, 1, NaN),
    hidden: { a: ["01", "00", "00"], b: ["00", "00", "00"] } };
  const [a, b] = ["a", "b"].map((/** @type {any} */ name) => sheetOf(scores, name, 2));
  assert.deepEqual([a.kind, a.limit, b.limit], ["signed", 3, 3]);
  assert.deepEqual([a.mark(0, 1), a.mark(1, 0)], [null, "absent"]);
  const lengths = sheetOf({ ...answer(), numbers: "norms" }, "a", 2);
  assert.deepEqual([lengths.kind, lengths.range], ["weight", [0, 1]]);
});

test("runs that part in any way are never called the same", () => {
  /** @type {any} */
  const greedy = { model: "m", source: "A.", pads: 0, edits: [],
    target: [5, 6, 7].map((token) => ({ token, how: "greedy" })) };
  const forcedLater = { ...greedy, target: [...greedy.target.slice(0, 2), { token: 9, how: "forced" }] };
  assert.match(differencesOf(forcedLater, greedy, [], t), /compare_differs_forced/);
  /** @param {number} seed @returns {any} */
  const drawn = (seed) => ({ ...greedy, strategy: { kind: "sample", temperature: 1, top_k: 0, top_p: 1, seed } });
  assert.match(differencesOf(drawn(1), drawn(2), [], t), /compare_differs_strategy compare_by_sample_set.* 1 .* 2$/);
  assert.equal(differencesOf(drawn(1), drawn(1), [], t), "compare_differs_nothing");
});

test("runs of one strategy that took other tokens say from which step on", () => {
  /** @param {[number, string][]} taken @param {any} [more] @returns {any} */
  const run = (taken, more) => ({ model: "m", source: "A.", pads: 0, edits: [],
    target: taken.map(([token, how]) => ({ token, how })), ...more });
  const strategy = { kind: "sample", temperature: 1.8, top_k: 0, top_p: 1, seed: 1 };
  const drawn = run([[5, "sampled"], [6, "sampled"], [7, "sampled"]], { strategy });
  const begun = run([[5, "greedy"], [6, "greedy"], [7, "greedy"]], { strategy });
  assert.equal(differencesOf(begun, drawn, [], t), "compare_differs compare_differs_tokens 1");
  const greedy = run([[5, "greedy"], [6, "greedy"]]);
  assert.equal(differencesOf(run([[5, "sampled"], [6, "greedy"]]), greedy, [], t),
    "compare_differs compare_differs_tokens 1");
  assert.equal(differencesOf(run([[5, "greedy"], [8, "greedy"]]), greedy, [], t, 3),
    "compare_differs compare_differs_tokens 4");
  assert.equal(differencesOf(run([[5, "greedy"]]), greedy, [], t),
    "compare_differs compare_differs_length 1 2"); // what starting over leaves
});

test("what a model is told besides the sentence is a difference", () => {
  /** @type {any} */
  const french = { model: "m", source: "A.", target: [], settings: { target_language: "fr" } };
  const german = { ...french, settings: { target_language: "de" } };
  assert.equal(differencesOf(french, german, [], t), "compare_differs compare_differs_settings "
    + "set_target_language: fr set_target_language: de");
  assert.match(differencesOf(french, { ...french, settings: {} }, [], t), /fr compare_unset$/);
  assert.equal(differencesOf(french, { ...french, settings: { ...french.settings } }, [], t),
    "compare_differs_nothing");
});

test("the nearest head says of how many, and that it is not alike where most of a row is elsewhere", () => {
  /** @param {number} distance @returns {any} */
  const beside = (distance) => ({ alike: { layer: 1, head: 4, distance }, row_distance: [distance],
    places: [{}, { layers: 3, heads: 8, layer: 1, head: 4 }] });
  assert.equal(nearestSaid("alike", beside(0.5), t), "compare_alike 24 2 5 50%");
  assert.equal(nearestSaid("nearest", beside(0.51), t), "compare_nearest_far 24 2 5 51%");
  const one = /** @type {any} */ ({ ...beside(0.01), row_distance: [null, 0.01, null] }); // the others stand alone
  assert.equal(nearestSaid("nearest", one, t), "compare_nearest 24 2 5 1.0%compare_nearest_rows 1");
});

test("maps are the same to the last bit only where nothing stands alone", () => {
  /** @type {any} */
  const same = { ...answer(), parting: null, row_distance: [0, null, 0], most: { row: 0, column: 0, difference: 0 } };
  const labels = { rows: jointLabels(same, "row", false, t), columns: jointLabels(same, "column", false, t) };
  assert.equal(summaryOf(same, labels, t)[0], "compare_same_rows");
  /** @type {any} */
  const whole = { ...same, row_pairs: [[0, 0], [1, 1]], column_pairs: [[0, 0]], row_distance: [0, 0] };
  assert.equal(summaryOf(whole, labels, t)[0], "compare_same_maps");
});

test("the tokens that both write leave out the prompt of each", () => {
  /** @type {any} */
  const same = { ...answer(), parting: null };
  same.runs = [3, 2].map((prompt) => ({ ...same.runs[1], prompt,
    target: tokens("a", "b", "c", "d", "e") }));
  assert.equal(leadOf(same, t, null)[0], "compare_same_tokens 2 compare_apart_both 2 38%"); // a row is A's alone
  same.row_distance = same.row_distance.filter((/** @type {?number} */ one) => one !== null);
  assert.equal(leadOf(same, t, null)[0], "compare_same_tokens 2 compare_apart 38%");
});

test("where one run ends its end token is named as everywhere", () => {
  const ends = answer();
  ends.runs[1].target = { ids: [0, 1], pieces: ["the", "</s>"], texts: ["the", "</s>"], kinds: ["text", "special"] };
  assert.equal(leadOf(ends, t, null)[0], "compare_parts 1 cat token_end 0.750 0.875");
});

test("what B would not have written by itself is counted where it chooses greedily", () => {
  const labels = { rows: jointLabels(answer(), "row", false, t), columns: jointLabels(answer(), "column", false, t) };
  /** @param {string} kind */
  const said = (kind, prompt = 1) => {
    /** @type {any} */
    const fed = { ...answer(), parting: null };
    fed.runs = fed.runs.map((/** @type {any} */ run) => ({ ...run, prompt,
      recipe: { ...run.recipe, strategy: { kind } } }));
    const one = (/** @type {number} */ b, taken = false) => ({ text: "x", piece: "x", kind: "normal", a: 0.5, b,
      taken: [true, taken] });
    fed.steps = [{ a: 0, b: 0, candidates: [one(0.2, true), one(0.6)] },
      { a: 1, b: 1, candidates: [one(0.7, true), one(0.1)] }];
    return summaryOf(fed, labels, t);
  };
  assert.equal(said("greedy")[0], "compare_fed 1");
  assert.doesNotMatch(said("greedy", 2).join(), /compare_fed/); // what was typed nobody writes
  assert.doesNotMatch(said("sample").join(), /compare_fed/);
});

test("the stages of two paths stand in one order, and what one lacks is no length", () => {
  const names = [["embedding", "sum", "decoder.1.self", "decoder.2.self"],
    ["embedding", "decoder.1.self", "decoder.1.cross", "decoder.2.self", "output"]];
  assert.deepEqual(pathStages(names), ["embedding", "sum", "decoder.1.self", "decoder.1.cross", "decoder.2.self", "output"]);
  assert.deepEqual(pathStages([names[1], []]), names[1]);
  const paths = names.map((list, run) => ({ names: list, norm_place: "post",
    stream_ST: Float32Array.from({ length: 2 * list.length }, (_, i) => 100 * run + i),
    made_ST: Float32Array.from({ length: 2 * list.length }, (_, i) => (i < 4 ? NaN : i)) }));
  const stages = lengthsOf(paths, [0, 1]);
  assert.deepEqual(stages[1].lengths, [{ after: 2, adds: NaN }, null]);
  assert.deepEqual(stages[2].lengths, [{ after: 4, adds: 4 }, { after: 103, adds: NaN }]);
  assert.deepEqual(lengthsOf(paths, [null, 5]).flatMap(({ lengths }) => lengths).filter(Boolean), []);
});

test("of every key of a row there are its weight, cosine and lengths; the darkest is shown", () => {
  const vectors = { cosine_QK: Float32Array.of(0.5, -0.5, 0.9), k_length_K: Float32Array.of(2, 3, 4),
    v_length_K: Float32Array.of(5, 6, 7) };
  const answer = { row_pairs: [[0, null]], column_pairs: [[0, 0], [1, null], [2, 1]], hidden: { a: ["010"], b: ["000"] },
    a: Float32Array.of(0.7, 0, 0.3), b: Float32Array.of(NaN, NaN, NaN) };
  const both = [0, 1].map((run) => keysOf(answer, vectors, run, 0));
  assert.deepEqual(both[0].map((one) => one && [one.k, one.v, Math.round(10 * one.weight)]), [[2, 5, 7], null, [4, 7, 3]]);
  assert.deepEqual(both[1], [null, null, null]);
  assert.deepEqual([shownKey(both, null), shownKey(both, 2), shownKey(both, 9)], [0, 2, 0]);
  const said = vectorsSaid((name, values) => `${name} ${values.key} ${values.most} ${values.length}`, both,
    ["x", "y", "z"].map((label) => ({ label })), [2.5, NaN]);
  assert.deepEqual(said, ["compare_vectors_fits z x 2.500", "compare_vectors_none undefined undefined undefined"]);
});

test("a difference is that of the numbers as they are written", () => {
  assert.equal(digitsTogether(0.952, 0.896), 3);
  const [a, b] = [0.05749, 0.05051]; // 0.057, 0.051 and +0.007
  const digits = digitsTogether(a, b);
  assert.equal(digits, 4); // 0.0575, 0.0505 and +0.0070
  assert.equal(digitsTogether(b, a), digits);
  assert.equal(digitsTogether(0.2, 0.2), 3);
});
