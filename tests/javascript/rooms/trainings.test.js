import assert from "node:assert/strict";
import { test } from "node:test";

import { leftText, noteBeside, runTitle, stateText, usualSettings } from "../../../viz_app/rooms/training/live/runs.js";
import { headline } from "../../../viz_app/rooms/training/says.js";
import { lackOf } from "../../../viz_app/stage/anatomy.js";

/** Words by their keys, with what they are given. */
const t = Object.assign((key, values = {}) => `${key} ${JSON.stringify(values)}`, { language: "en" });
const trains = { languages: ["text", "reversed"], choices: { norm: ["pre", "post"], heads: [1, 4], leak: [false, true] },
  updates: {}, most_seed: 9 };
const run = { name: "run-3", settings: usualSettings(trains), state: "running", update: 100, updates: 800, loss: 1.5,
  per_second: 2.5, seconds_left: 280, noted: true, can_keep: false, kept: null, why: null };

test("a training is called by its number and by what sets it apart", () => {
  assert.equal(runTitle(t, trains, run), 'trains_run {"n":"3"}');
  const apart = { ...run, settings: { norm: "post", heads: 1, leak: true, seed: 7 } };
  const sets = ["trains_apart_norm_post {}", "trains_apart_leak_true {}", 'trains_apart_seed {"n":7}'].join(t("list_between"));
  assert.equal(runTitle(t, trains, apart), t("trains_run_apart", { name: 'trains_run {"n":"3"}', apart: sets }));
});

test("it says how far it is, how fast, and when the machine is too slow for it", () => {
  const said = stateText(t, run);
  assert.match(said, /running {"update":"100","updates":"800","loss":"1.500"/);
  assert.match(said, /pace {"pace":"2.5","left":"trains_left_minutes {\\"n\\":\\"5\\"}"}/);
  assert.doesNotMatch(said, /slow/);
  assert.match(stateText(t, { ...run, seconds_left: 7200 }), /slow/);
  assert.match(stateText(t, { ...run, update: 0, loss: null, per_second: null, seconds_left: null }), /starting/);
  const early = stateText(t, { ...run, update: 3, per_second: null, seconds_left: null });
  assert.ok(early.startsWith("trains_state_running") && !early.includes("pace"));
  assert.match(stateText(t, { ...run, update: 800, seconds_left: null }), /measuring/);
  assert.match(stateText(t, { ...run, state: "paused" }), /paused {"update":"100"/);
  assert.match(stateText(t, { ...run, state: "failed", why: "The loss is nan." }), /"why":"The loss is nan."/);
  assert.match(leftText(t, 99), /seconds {"n":99}/);
});

test("beside an update stands the last note that is not later", () => {
  assert.deepEqual([0, 5, 10, 99].map((update) => noteBeside([0, 1, 10], update)), [0, 1, 2, 2]);
});

test("of a training that goes on it is not said what never came", () => {
  const history = { updates: [0], curves: { copied: Float32Array.of(0.1) }, named: { copied: "copied" }, over_half: null };
  assert.match(headline(t, history, 0).join(), /never/);
  assert.doesNotMatch(headline(t, history, 0, false).join(), /never/);
});

test("where trainings are begun, the room is there beside models of their kind", () => {
  const model = { lacking: { training: "history", inside: "site_cross" }, languages: ["text", "reversed"] };
  const lacks = (options, of = model) => lackOf({ model: of, options }, "training");
  assert.equal(lacks({}), "history");
  assert.equal(lacks({ trains: null }), "history");
  assert.equal(lacks({ trains }), null);
  assert.equal(lacks({ trains }, { ...model, languages: ["en", "fr"] }), "history");
  assert.equal(lackOf({ model, options: { trains } }, "inside"), "site_cross");
});
