// Lessons that came with a page: what gives one, and what the link of a step opens.

import assert from "node:assert/strict";
import { test } from "node:test";

import { recordedWith } from "../../../viz_app/stage/run/worker_client.js";
import { lessonAtHand, viewAtHand } from "../../../viz_app/stage/run/lessons.js";

const STEPS = [{ link: "v=3&model=m&text=a", view: { room: "translate" } },
  { link: "v=3&model=m&text=a&room=masks", view: { room: "masks" } }];
const LESSON = { name: "pads", steps: STEPS };
const ANSWERS = [{ room: "masks", asked: {}, answer: 1 },
  { room: "lesson", asked: { name: "pads", model: "m" }, answer: async () => LESSON }];
const PAYLOAD = { recipe: { model: "m", source: "a", target: [] }, steps: [] };

test("a lesson is found by its name and its model", () => {
  assert.equal(lessonAtHand(ANSWERS, { name: "pads", model: "m" }), ANSWERS[1]);
  assert.equal(lessonAtHand(ANSWERS, { name: "pads" }), ANSWERS[1]);
  assert.equal(lessonAtHand(ANSWERS, { name: "pads", model: "other" }), undefined);
  assert.equal(lessonAtHand(ANSWERS, { name: "leak", model: "m" }), undefined);
});

test("the link of a step opens its view, and no other link does", async () => {
  const view = (/** @type {string} */ link) => viewAtHand(ANSWERS, link)?.();
  assert.deepEqual(await view(`${STEPS[1].link}&lesson=pads.2`), { room: "masks", lesson: "pads.2" });
  assert.equal(await view(`${STEPS[1].link}&lesson=pads.1`), null);
  assert.equal(await view(`${STEPS[1].link}&lesson=pads.9`), null);
  assert.equal(viewAtHand(ANSWERS, STEPS[0].link), undefined);
  assert.equal(viewAtHand(ANSWERS, `${STEPS[0].link}&lesson=leak.1`), undefined);
});

test("a page that may compute gives what it holds of a lesson before anything computes", async () => {
  const menu = { lessons: [], words: {} };
  const recorded = recordedWith(PAYLOAD, ANSWERS, menu);
  assert.equal(await recorded({ lessons: true })(), menu);
  assert.equal(await recorded({ lesson: { name: "pads", model: "m" } })(), LESSON);
  assert.equal(recorded({ lesson: { name: "pads", model: null } }), undefined);
  assert.deepEqual(await recorded({ link: `${STEPS[0].link}&lesson=pads.1` })(),
    { ...PAYLOAD, view: { room: "translate", lesson: "pads.1" } });
  assert.equal(await recorded({ link: `${STEPS[0].link}&pads=1&lesson=pads.1` })(), undefined);
  assert.equal(recorded({ link: STEPS[0].link }), undefined);
  assert.equal(recordedWith(PAYLOAD, ANSWERS)({ lessons: true }), undefined);
});
