import assert from "node:assert/strict";
import { test } from "node:test";

import { curvesOf, headline, mistake, modelAt, otherEnd, othersOf, placesOf, readingOfMaps, ticksAt, valueText } from "../../../viz_app/rooms/training/says.js";

/** Words by their keys, with what they are given. */
const t = Object.assign((key, values = {}) => `${key} ${JSON.stringify(values)}`, { language: "en" });
const history = { updates: [0, 1, 10, 100], score: "exact", broken: "ahead", guided: false, named: { copied: "copied" }, over_half: 2,
  curves: { learnt: Float32Array.of(NaN, 5, 2, 0), loss: Float32Array.of(6, 6, 7, 12), score: Float32Array.of(0, 0, 12.5, 100),
    rate: Float32Array.of(0, 1e-5, 1e-4, 0), entropy: Float32Array.of(3, 3, 1, 0), copied: Float32Array.of(0.1, 0.2, 0.6, 0.9) } };

test("a headline says how much is copied and when more than half was first noted", () => {
  assert.match(headline(t, history, 1)[0], /says_copied .*"n":"1","share":"0?\.2/);
  assert.match(headline(t, history, 1)[1], /says_half {"n":"10"}/);
  assert.match(headline(t, { ...history, over_half: null }, 3)[1], /says_never/);
  const other = { ...history, curves: { ...history.curves, copied: null } };
  assert.match(headline(t, other, 2).join(), /says_entropy .*"bits":"1.000","first":"3.000"/);
});

test("of a translation it says how far the linked words are read, and that heads were taught then", () => {
  const learnt = { ...history, score: "chrf", guided: true, named: { copied: "linked" } };
  assert.match(headline(t, learnt, 2)[0], /says_linked .*"n":"10","share":"0?\.6/);
  assert.doesNotMatch(headline(t, learnt, 2).join(), /says_guided/);
  assert.match(headline(t, learnt, 3)[2], /says_guided/);
});

test("beside the map of a note stands the last, and beside that the first", () => {
  assert.deepEqual([0, 1, 2, 3].map((note) => otherEnd(note, 3, true)), [3, 3, 3, 0]);
  assert.deepEqual([0, 3].map((note) => otherEnd(note, 3, false)), [0, 0]); // while it goes on
});

test("a head that came to half by being taught is not said to have come there before", () => {
  const taught = { ...history, score: "chrf", guided: true, named: { copied: "linked" }, over_half: 3 };
  assert.match(headline(t, taught, 1)[1], /says_half_taught {"n":"100"}/);
  assert.match(headline(t, taught, 3).join(), /says_half_taught {"n":"100"}.*says_as_it_is/);
  assert.doesNotMatch(headline(t, taught, 3).join(), /says_guided/);
  assert.match(headline(t, { ...taught, guided: false }, 3)[1], /says_half {"n":"100"}/);
});

test("the curves of the other heads stand behind that of the head", () => {
  const two = { updates: [0, 1], place: { layer: 1, head: 0 }, of_heads: { entropy: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), copied: null } };
  assert.deepEqual(othersOf(two, "entropy", 2).map((one) => [...one]), [[1, 2], [3, 4], [7, 8]]);
  assert.deepEqual(othersOf(two, "copied", 2), []);
  assert.deepEqual(othersOf(two, "loss", 2), []);
});

test("a mistake is told with what the model writes alone in the end", () => {
  assert.equal(mistake(t, history), 'training_says_broken_ahead {"score":"100"}');
  assert.equal(mistake(t, { ...history, broken: "" }), "");
});

test("numbers are said as what they are", () => {
  assert.equal(valueText("score", 12.5), "12.5");
  assert.equal(valueText("score", 0), "0");
  assert.equal(valueText("learnt", NaN), "–");
  assert.deepEqual(curvesOf(history).map(([name]) => name), ["learnt", "loss", "score", "copied", "entropy", "rate"]);
});

test("updates stand ever closer, and powers of ten are written", () => {
  const places = placesOf(history.updates);
  assert.equal(places[0], 0);
  assert.deepEqual(ticksAt(history.updates).map(([, text]) => text), ["0", "1", "10", "100"]);
  assert.deepEqual(ticksAt(history.updates.slice(1)).map(([, text]) => text), ["1", "10", "100"]);
  ticksAt(history.updates).forEach(([at], i) => assert.equal(at, places[i]));
});

test("the model as it was then is a snapshot at that update or the next, or the model itself", () => {
  const whole = { name: "m", of: null, update: 800 };
  const models = [whole, { name: "m@50", of: "m", update: 50 }, { name: "m@100", of: "m", update: 100 },
    { name: "other@60", of: "other", update: 60 }];
  assert.equal(modelAt(models, whole, 32).name, "m@50");
  assert.equal(modelAt(models, whole, 60).name, "m@100");
  assert.equal(modelAt(models, whole, 400), null); // it is open
  assert.equal(modelAt(models, models[1], 400).name, "m");
  assert.equal(modelAt(models, models[1], 50), null);
});

test("a cell is read in both maps where both have it", () => {
  const t = (key, { query = "", weight = "", other = "" } = {}) => [key, query, weight, other].filter(Boolean).join(" ");
  const frame = (label, weight) => /** @type {any} */ ({ rows: { labels: [{ label }] }, columns: { labels: [{ label: "b" }] }, value: () => weight });
  const read = (place, other) => readingOfMaps(t, place, [frame("a", 0.25), other], ["then", "now"]);
  assert.equal(read(null, frame("a", 1)), "training_point");
  assert.equal(read({ row: 0, column: 0 }, frame("a", 1)), "training_reading_both a 0.25 1.00");
  assert.equal(read({ row: 0, column: 0 }, frame("c", 1)), "training_reading a 0.25 1.00"); // another sentence: its number is not said
  assert.equal(read({ row: 1, column: 0 }, frame("a", 1)), "training_point");
  const steps = Array.from({ length: 256 }, (_, level) => readingOfMaps(t, { row: 0, column: 0 }, [frame("a", level / 255), frame("c", 0)], ["", ""]));
  assert.ok(steps.every((said) => /^training_reading a [01]\.\d\d 0\.00$/.test(said))); // no digit that a 255th part does not give
});
