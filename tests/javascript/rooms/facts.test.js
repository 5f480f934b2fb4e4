import assert from "node:assert/strict";
import { test } from "node:test";

import { factsOf, hurtOf, triesOf, whereOf } from "../../../viz_app/rooms/masks/facts.js";

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

const tokens = (...texts) => ({ ids: texts.map((text) => text.length), pieces: texts, texts,
  kinds: texts.map(() => "text") });
const changed = (broken, distance, after) => ({ distance, intact: tokens("a", "bb"), broken,
  intact_probability: [0.9, 0.8], broken_probability: after });

test("a hint stands only where it is so of the masks that are shown, with what the model can have", () => {
  const axes = { rows: labels, columns: labels };
  const model = { anatomy: { edits: ["causal-mask"] } };
  assert.deepEqual(triesOf(answer(), axes, model), { see: "masks_see_decoder", edit: "causal-mask:none" });
  assert.deepEqual(triesOf(answer({ site: "cross" }), axes, model), { see: "masks_see_cross", edit: null });
  const nothing = { see: null, edit: null };
  assert.deepEqual(triesOf(answer({ masks: OPEN }), axes, model), nothing);
  assert.deepEqual(triesOf(answer({ masks: { pad: ["10", "10"], causal: ["11", "11"] } }), axes, model), nothing);
  const ahead = { breaks: ["causal-mask:none"], masks: { pad: ["10", "10"], causal: ["11", "11"] }, leaks: { on_pads: [[0]], on_future: [[0.5]] } };
  const moved = changed(tokens("a", "ccc"), [0, 0.7], [0.9, 0.6]);
  assert.deepEqual(triesOf(answer({ ...ahead, changes: [moved] }), axes, model), { see: null, edit: null, why: "masks_see_ahead" });
  assert.deepEqual(triesOf(answer({ ...ahead, changes: [changed(tokens("a", "bb"), [0, 0.7], [0.9, 0.6])] }), axes, model), nothing);
});

test("the token after which the prediction moved most is named, with what is said now", () => {
  const hurt = (change, breaks = ["causal-mask:none"]) => hurtOf(answer({ breaks, changes: [change],
    predicting: "target", batch: [{ source: tokens("x"), fed: tokens("y", "z") }] }), false, t);
  const other = hurt(changed(tokens("a", "ccc"), [0.1, 0.7], [0.9, 0.6]));
  assert.deepEqual([other.label, other.at, other.key, other.values.own, other.values.now],
    ["z", 1, "masks_hurt_after", "bb", "ccc"]);
  assert.equal(hurt(changed(tokens("a", "bb"), [0.1, 0.7], [0.9, 0.6])).key, "masks_hurt_after_same");
  assert.equal(hurt(changed(tokens("a", "bb"), [0, 1e-8], [0.9, 0.8])), null);
  assert.equal(hurt(changed(tokens("a", "ccc"), [0.1, 0.7], [0.9, 0.6]), []), null);
});

test("a token leads to the head and the key that it reads most and must not", () => {
  const shown = answer({ breaks: ["causal-mask:none"], masks: { combined: ["11", "11"] },
    own: { combined: ["10", "11"] }, rows: "target", predicting: "target", layers: 1, heads: 2, one: null,
    weights: [1, 0, 0.5, 0.5, 0.25, 0.75, 0, 1] });
  assert.deepEqual(whereOf(shown, 0, { layer: 0, head: 0 }), { layer: 0, head: 1, query: 0, key: 1 });
  assert.equal(whereOf(shown, 1, { layer: 0, head: 0 }), null);
  const pads = { ...shown, breaks: ["no-pad-mask"] };
  assert.deepEqual(whereOf(pads, 1, { layer: 0, head: 0 }), { site: "cross" });
});

test("where only another sentence is hurt, it is one press away", () => {
  const changes = [0, 0.4, 0.9].map((distance) => ({ distance: [distance], intact: { ids: [1] },
    broken: { ids: [1] } }));
  const found = facts({ breaks: ["no-pad-mask"], changes, batch: [0, 1, 2].map(sentence),
    verdicts: { pads: null, future: "exact" } }).filter(({ where }) => where);
  assert.deepEqual(found.map(({ where }) => [where.site, where.shown]), [["decoder", 2]]);
});
