// A model and what it answers, for tests of scripts that need no page; and waiting for what is promised.

import { anatomyOf } from "./anatomies.js";

/** Once all that is promised by now has come. */
export const settled = () => new Promise((done) => { setImmediate(done); });

/** Numbers as the server sends them. */
export const packed = (numbers) => Buffer.from(Float32Array.from(numbers).buffer).toString("base64");
const zeros = (count) => packed(Array(count).fill(0));

export const modelNamed = (name) => ({ name, anatomy: anatomyOf(), lacking: {},
  start_on: { site: "cross", layer: 0, head: 0 } });

const words = (ids) => ({ ids, pieces: ids.map(String), texts: ids.map(String),
  kinds: ids.map(() => "text"), unseen: [] });

/** A payload with a source of two tokens and one step more than there are chosen tokens. */
export function payload(recipe, have = 0, finished = null, candidates = []) {
  const target = recipe.target.map(({ token }) => token);
  const steps = Array.from({ length: target.length + 1 - have }, (_, i) => have + i);
  return { version: 1, recipe, prompt: 1, source: words([1, 2]), target: words([0, ...target]),
    chosen: recipe.target.map(({ token, how }) => ({ token, how, log_probability: -1 })),
    steps_from: have, steps: steps.map((index) => ({ index, candidates })), finished, roles: {}, text: target.join(" "),
    attention: { encoder: have ? null : { shape: [1, 1, 2, 2], data: zeros(4), best: [[[0, 1]]] },
      decoder: { data: zeros(steps.reduce((sum, step) => sum + step + 1, 0)) }, cross: { data: zeros(2 * steps.length) } } };
}
