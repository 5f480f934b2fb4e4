import assert from "node:assert/strict";
import { test } from "node:test";

import { factsOf, triesOf } from "../../../viz_app/rooms/masks/leaks.js";

const t = (key, values = {}) => [key, ...Object.values(values)].join(" ");
const sentence = (pads) => ({ source: { kinds: ["text", ...Array(pads).fill("pad")] } });
const CLOSED = { pad: ["10", "10"], causal: ["10", "11"] };
const OPEN = { pad: ["11", "11"], causal: ["10", "11"] };
const answer = (more = {}) => ({ breaks: [], leaks: { on_pads: [[0]], on_future: [[0]] },
  masks: CLOSED, site: "decoder", elsewhere: [], verdicts: { pads: "exact", future: "exact", fill: "exact" }, empty: [], uniform: [],
  changes: [], shown: 0, batch: [sentence(1)], ...more });
const labels = [{ label: "cat", kind: "text" }, { label: "", kind: "pad" }];
const facts = (more) => factsOf(answer(more), { rows: labels, columns: labels }, { layer: 0, head: 0 }, t);
const kinds = (more) => facts(more).map(({ lead, kind }) => [lead.split(" ")[0], kind]);

test("a tick stands where the model's own masks were measured to let nothing through", () => {
  assert.deepEqual(kinds(), [["masks_check_nothing", "fine"]]);
  const [said] = facts({ verdicts: { pads: "exact", future: null } });
  assert.deepEqual([said.lead, said.kind], ["masks_check_nothing masks_check_pads_zero", "fine"]);
  assert.deepEqual(kinds({ verdicts: { pads: null, future: null } }),
    [["masks_check_pads_none", "plain"]]);
});

test("the model's own masks that leak are said to, and a broken one never gets a tick", () => {
  const leaks = { on_pads: [[0.46]], on_future: [[0]] };
  const verdicts = { pads: "differs", future: "exact", fill: "exact" };
  assert.deepEqual(kinds({ leaks, verdicts }), [["masks_check_pads", "alarm"]]);
  const broken = facts({ breaks: ["no-pad-mask"], masks: OPEN });
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

test("where a mask of pads is open, by whatever it was opened, nothing is said of all that leaks", () => {
  const elsewhere = [{ site: "encoder", on_pads: 0.2 }];
  for (const breaks of [[], ["no-pad-mask"]]) {
    assert.deepEqual(kinds({ breaks, masks: OPEN, elsewhere }),
      [["masks_check_pads_after", "plain"], ["masks_check_elsewhere", "alarm"],
        ...(breaks.length ? [["masks_check_no_predictions", "plain"]] : [])]);
  }
  assert.deepEqual(kinds({ verdicts: { pads: null, future: "exact" }, elsewhere }),
    [["masks_check_future_zero", "plain"], ["masks_check_elsewhere", "alarm"]]);
});

test("a hint stands only where it is so of the masks that are shown", () => {
  const axes = { rows: labels, columns: labels };
  assert.equal(triesOf(answer(), axes), "masks_see_decoder");
  assert.equal(triesOf(answer({ masks: OPEN }), axes), null);
  assert.equal(triesOf(answer({ masks: { pad: ["10", "10"], causal: ["11", "11"] } }), axes), null);
});

test("where only another sentence is hurt, it is one press away", () => {
  const changes = [0, 0.4, 0.9].map((distance) => ({ distance: [distance], intact: { ids: [1] },
    broken: { ids: [1] } }));
  const found = facts({ breaks: ["no-pad-mask"], changes, batch: [0, 1, 2].map(sentence),
    verdicts: { pads: null, future: "exact" } }).filter(({ where }) => where);
  assert.deepEqual(found.map(({ where }) => [where.site, where.shown]), [["decoder", 2]]);
});
