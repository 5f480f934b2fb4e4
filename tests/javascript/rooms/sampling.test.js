// What sampling makes of a step, by the definitions.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  drawingOfAll, drawingOfStep, isMadeWith, rankedTokens, sharesOf,
} from "../../../viz_app/rooms/translate/candidates/sampling.js";

const NEVER = [0, 1];
// The two that are never drawn are the best; two are equal.
const LOGS = Float32Array.from([-0.1, -0.2, -3, -1, -2.5, -1, -30, -4]);
const ranked = rankedTokens(LOGS, NEVER);
const settings = (changes) => ({ temperature: 1, top_k: 0, top_p: 1, seed: 0, ...changes });
const near = (a, b) => assert.ok(Math.abs(a - b) <= 1e-12 * Math.max(1, Math.abs(b)), `${a} ${b}`);

test("tokens are ranked, of equals the lower id first, without those never drawn", () => {
  assert.deepEqual([...ranked.tokens], [3, 5, 4, 2, 7, 6]);
});

test("shares are the softmax of what is divided by T", () => {
  for (const temperature of [0.05, 0.5, 1, 3]) {
    const { shares, logTotal } = sharesOf(ranked, settings({ temperature }));
    const powers = [...ranked.logs].map((log) => Math.exp(log / temperature));
    const total = powers.reduce((a, b) => a + b);
    shares.forEach((share, i) => near(share, powers[i] / total));
    near(logTotal, Math.log(total));
  }
});

test("top-k keeps the best, top-p the fewest of these that reach p", () => {
  assert.equal(sharesOf(ranked, settings({ top_k: 3 })).shares.length, 3);
  const all = sharesOf(ranked, settings({})).shares;
  const { shares } = sharesOf(ranked, settings({ top_p: all[0] + all[1] / 2 }));
  assert.equal(shares.length, 2);
  near(shares[0] + shares[1], 1);
  assert.equal(sharesOf(ranked, settings({ top_p: 1e-9 })).shares.length, 1);
  // Of a tie with p, the token that reaches it is the last.
  assert.equal(sharesOf(ranked, settings({ top_k: 2, top_p: 0.5 })).shares.length, 1);
});

test("the parts divide 0 to 1, and the dart hits one of them", () => {
  const chosen = settings({ temperature: 2, top_k: 5, top_p: 0.85 });
  for (let i = 0; i < 50; i += 1) {
    const drawing = drawingOfAll(ranked, chosen, i / 50);
    const { begin, share, cut } = drawing.partOf(drawing.hit);
    assert.ok(cut === null && begin <= i / 50 && i / 50 < begin + share + 1e-12);
  }
  const drawing = drawingOfAll(ranked, chosen, 0);
  const cuts = [...ranked.tokens, 0].map((token) => drawing.partOf(token).cut);
  assert.equal(drawing.kept, 4);
  assert.deepEqual(cuts, [null, null, null, null, "top_p", "top_k", "never"]);
  assert.equal(drawing.partOf(6).share, 0);
});

test("a step that says what was drawn says the same as all its numbers", () => {
  const made = settings({ temperature: 2, top_k: 5, top_p: 0.85, seed: 4 });
  for (const [dart, chosen] of [[0.05, { token: 3, rank: 2 }], [0.97, { token: 2, rank: 5 }]]) {
    const all = drawingOfAll(ranked, made, dart);
    const shown = [0, 1, 3, 5]; // best first, as a payload has them
    const beyond = shown.includes(chosen.token) ? null
      : { token: chosen.token, ...all.partOf(chosen.token) };
    const step = { index: 0, candidates: shown.map((token) => ({ token })), sampling: { ...made,
      dart, kept: all.kept, log_total: all.logTotal, beyond,
      hit: { token: all.hit, piece: "▁a", text: " a", kind: "text" },
      shares: shown.map((token) => (NEVER.includes(token) ? null : all.partOf(token).share)) } };
    const drawing = drawingOfStep(step, chosen);
    for (const token of [...shown, chosen.token]) {
      const [mine, theirs] = [drawing.partOf(token), all.partOf(token)];
      near(mine.begin, theirs.begin);
      assert.deepEqual([mine.share, mine.cut], [theirs.share, theirs.cut]);
    }
    assert.deepEqual([drawing.hit, drawing.kept], [all.hit, all.kept]);
    assert.equal(drawing.named, step.sampling.hit);
    assert.equal(drawingOfStep(step, { token: 7, rank: 6 }).partOf(7), null);
    assert.equal(isMadeWith(step.sampling, made), true);
    assert.equal(isMadeWith(step.sampling, { ...made, temperature: 2.05 }), false);
  }
  assert.equal(drawingOfStep({ index: 0, candidates: [] }, null), null);
});
