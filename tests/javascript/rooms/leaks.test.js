import assert from "node:assert/strict";
import { test } from "node:test";

import { factsOf } from "../../../viz_app/rooms/masks/leaks.js";

const t = (key, values = {}) => [key, ...Object.values(values)].join(" ");
const sentence = (pads) => ({ source: { kinds: ["text", ...Array(pads).fill("pad")] } });
const answer = (more = {}) => ({ breaks: [], leaks: { on_pads: [[0]], on_future: [[0]] },
  elsewhere: [], verdicts: { pads: "exact", future: "exact", fill: "exact" }, empty: [], uniform: [],
  changes: [], shown: 0, batch: [sentence(1)], ...more });
const labels = [{ label: "cat", kind: "text" }, { label: "", kind: "pad" }];
const facts = (more) => factsOf(answer(more), { rows: labels, columns: labels }, { layer: 0, head: 0 }, t);
const kinds = (more) => facts(more).map(({ lead, kind }) => [lead.split(" ")[0], kind]);

test("a tick stands where the model's own masks were measured to let nothing through", () => {
  assert.deepEqual(kinds(), [["masks_check_nothing", "fine"]]);
  assert.deepEqual(kinds({ verdicts: { pads: "exact", future: null } }),
    [["masks_check_pads_zero", "fine"]]);
  assert.deepEqual(kinds({ verdicts: { pads: null, future: null } }),
    [["masks_check_pads_none", "plain"]]);
});

test("the model's own masks that leak are said to, and a broken one never gets a tick", () => {
  const leaks = { on_pads: [[0.46]], on_future: [[0]] };
  const verdicts = { pads: "differs", future: "exact", fill: "exact" };
  assert.deepEqual(kinds({ leaks, verdicts }), [["masks_check_pads", "alarm"]]);
  const broken = facts({ breaks: ["no-pad-mask"] });
  assert.equal(broken[0].lead, "masks_check_pads_after");
  assert.ok(broken.every(({ kind }) => kind === "plain"));
  assert.ok(facts({ breaks: ["finite-mask"], verdicts: { pads: null, future: null,
    fill: "differs" } }).every(({ lead }) => lead !== "masks_check_fill"));
});

test("pads that leak at another attention are named, with the sentence that they change most", () => {
  const changes = [0, 0.8, 0.9].map((distance) => ({ distance: [distance], intact: { ids: [1] },
    broken: { ids: [1] } }));
  const [, elsewhere] = facts({ breaks: ["no-pad-mask"], changes,
    batch: [sentence(1), sentence(2), sentence(0)], verdicts: { pads: null, future: "exact" },
    elsewhere: [{ site: "encoder", on_pads: 0.3 }] });
  assert.deepEqual([elsewhere.kind, elsewhere.where.site, elsewhere.where.shown], ["alarm", "encoder", 1]);
});
