import assert from "node:assert/strict";
import { test } from "node:test";

import { platformAround, reportTo } from "../../../viz_app/files/platform.js";

/** A platform that notes what it is told. @param {Record<string, string>} [values] @param {Record<string, any>} [others] */
function standIn(values = { "cmi.core.lesson_status": "not attempted" }, others = {}) {
  /** @type {string[][]} */
  const calls = [];
  const api = /** @type {any} */ ({
    LMSInitialize: (/** @type {string} */ said) => { calls.push(["LMSInitialize", said]); return "true"; },
    LMSGetValue: (/** @type {string} */ name) => values[name] ?? "",
    LMSSetValue: (/** @type {string} */ name, /** @type {string} */ value) => { values[name] = value; calls.push([name, value]); return "true"; },
    LMSCommit: (/** @type {string} */ said) => { calls.push(["LMSCommit", said]); return "true"; },
    LMSFinish: (/** @type {string} */ said) => { calls.push(["LMSFinish", said]); return "true"; },
    ...others,
  });
  return { api, calls };
}

test("a lesson is incomplete until it is finished, and a platform hears nothing else", () => {
  const { api, calls } = standIn();
  const report = reportTo(api, true);
  report.finish();
  report.finish();
  report.leave();
  report.leave();
  assert.deepEqual(calls, [["LMSInitialize", ""], ["cmi.core.lesson_status", "incomplete"], ["LMSCommit", ""],
    ["cmi.core.lesson_status", "completed"], ["LMSCommit", ""], ["LMSFinish", ""]]);
});

test("a page without a lesson is done once it is open", () => {
  const { api, calls } = standIn();
  reportTo(api, false).leave();
  assert.deepEqual(calls.filter(([name]) => name.startsWith("cmi")), [["cmi.core.lesson_status", "completed"]]);
});

test("what an earlier visit or a teacher has said stays", () => {
  for (const status of ["completed", "passed", "failed"]) {
    const { api, calls } = standIn({ "cmi.core.lesson_status": status });
    const report = reportTo(api, true);
    report.finish();
    report.leave();
    assert.deepEqual(calls, [["LMSInitialize", ""], ["LMSFinish", ""]]);
  }
});

test("a platform that refuses, breaks or is not there changes nothing", () => {
  const refusing = standIn({}, { LMSInitialize: () => "false" });
  const broken = standIn({}, { LMSInitialize: () => { throw new Error("closed"); } });
  for (const { api, calls } of [refusing, broken, { api: null, calls: [] }]) {
    const report = reportTo(api, true);
    report.finish();
    report.leave();
    assert.deepEqual(calls, []);
  }
});

test("a platform is looked for around the page and around the window that opened it", () => {
  const { api } = standIn();
  const alone = /** @type {any} */ ({ opener: null });
  alone.parent = alone;
  assert.equal(platformAround(alone), null);
  const outer = /** @type {any} */ ({ API: api });
  outer.parent = outer;
  const frame = { parent: { parent: outer } };
  assert.equal(platformAround({ parent: frame }), api);
  assert.equal(platformAround({ ...alone, parent: alone, opener: frame }), api);
  const foreign = { get API() { throw new Error("another origin"); } };
  assert.equal(platformAround({ parent: foreign, opener: outer }), api);
  const deep = Array.from({ length: 30 }).reduce((/** @type {any} */ parent) => ({ parent }), outer);
  assert.equal(platformAround(deep), null);
});
