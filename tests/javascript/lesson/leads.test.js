import assert from "node:assert/strict";
import { test } from "node:test";

import { lessonAlone, lessonNamed, lessonsHere } from "../../../viz_app/stage/lesson/leads.js";

test("an address names a lesson after its # or its ?, alone or beside what else it says", () => {
  for (const [address, named] of [["file:///a.html#lesson=pads.3", "pads.3"], ["https://a.b/?lesson=one-head", "one-head"],
    ["file:///a.html#zh&lesson=one-head.2", "one-head.2"], ["https://a.b/?lesson=pads.1#top", "pads.1"]]) {
    assert.equal(lessonNamed(address), named);
  }
  for (const none of ["file:///a.html", "file:///lesson=pads.html", "file:///a.html#lesson=<b>", "file:///a.html#lesson=pads.0",
    "file:///a.html#nolesson=pads.1"]) assert.equal(lessonNamed(none), null);
});

test("a lesson leads to the page itself, to the page of the site that has it, or nowhere", () => {
  const site = { root: "../", pages: {} };
  const lessons = { lessons: [{ name: "roots", pages: { "en-de": "en-de/1.html" } }, { name: "pads", pages: {} }] };
  const answers = [{ room: "lesson", asked: { name: "one-head", model: "en-fr" } }];
  const state = /** @type {any} */ ({ options: { answers, lessons, site }, model: { name: "en-fr" }, language: "en" });
  assert.deepEqual(lessonAlone("one-head.2", state), { view: { lesson: "one-head.2" } });
  assert.deepEqual(lessonAlone("one-head", state), { view: { lesson: "one-head.1" } });
  assert.deepEqual(lessonAlone("roots.2", state), { page: "../en-de/1.html#en&lesson=roots.2" });
  assert.deepEqual(lessonAlone("pads.2", state), {});
});

test("a page has the lessons that it can play", () => {
  const every = /** @type {any[]} */ ([{ name: "roots", pages: { "en-de": "en-de/1.html" } }, { name: "pads", pages: {} }]);
  const here = (/** @type {boolean} */ canAsk, /** @type {any} */ lessons, answers = []) =>
    lessonsHere(every, /** @type {any} */ ({ canAsk, options: { lessons, answers } }));
  assert.deepEqual(here(true, { left: 3 }), { offered: every, left: 0 });
  assert.deepEqual(here(false, { left: 3 }), { offered: [every[0]], left: 4 });
  assert.deepEqual(here(true, undefined), { offered: every, left: 0 });
  const held = { room: "lesson", asked: { name: "pads", model: "en-fr" } };
  assert.deepEqual(here(false, {}, [held]), { offered: every, left: 0 });
});
