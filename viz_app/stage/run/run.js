// A run: everything the browser holds of one recipe. Values only; knows no page and no server.
//
//   recipe, source, target, chosen, finished, text    as in the payload
//   steps      [{index, candidates}], complete from step 0
//   layers, heads   {encoder, decoder, cross} -> count
//   blocks     encoder: one [L,H,S,S]; decoder: per step [L,H,t+1]; cross: per step [L,H,S]
//   best       encoder's layer, head -> [query, key] to open on
//   capacity   rows the pictures reserve, so that a growing target does not rescale them
//   kept       steps that are the same as in the run before (0: nothing is)

import { cutSteps, singlesFromBase64 } from "./decode.js";

/** @type {Site[]} */
export const SITES = ["encoder", "decoder", "cross"];

/**
 * Whether the same is set before a text is read.
 * @param {Object<string, string>} [a]
 * @param {Object<string, string>} [b]
 */
function sameSettings(a = {}, b = {}) {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/**
 * Whether two recipes read the same source tokens with the same model.
 * @param {Recipe} a
 * @param {Recipe} b
 */
export function sameSource(a, b) {
  return a.model === b.model && a.source === b.source && a.pads === b.pads
    && sameSettings(a.settings, b.settings);
}

/**
 * How many steps of `run` hold for `recipe`. Step t is fed the first t chosen tokens, so a common
 * beginning of p tokens keeps steps 0..p.
 * @param {?Run} run
 * @param {Recipe} recipe
 */
export function stepsHeld(run, recipe) {
  if (!run || !sameSource(run.recipe, recipe)) return 0;
  const mine = run.recipe.target;
  let common = 0;
  while (common < Math.min(mine.length, recipe.target.length)
    && mine[common].token === recipe.target[common].token) common += 1;
  return Math.min(run.steps.length, common + 1);
}

/**
 * The run after a payload arrived.
 * @param {?Run} held the run in the browser when the request left
 * @param {Payload} payload
 * @param {any} model the entry of options.models
 * @returns {Run}
 */
export function mergeRun(held, payload, model) {
  const first = payload.steps_from;
  const count = payload.steps.length;
  if (first > 0 && stepsHeld(held, payload.recipe) < first) {
    throw new Error(`step ${first} arrived, but the steps before it are missing`);
  }
  const S = payload.source.ids.length;
  const encoder = payload.attention.encoder;
  if (!encoder && !(held && first > 0)) throw new Error("the encoder's weights are missing");
  const layers = {
    encoder: encoder ? encoder.shape[0] : /** @type {Run} */ (held).layers.encoder,
    decoder: model.decoder_layers,
    cross: model.decoder_layers,
  };
  const heads = {
    encoder: encoder ? encoder.shape[1] : /** @type {Run} */ (held).heads.encoder,
    decoder: model.decoder_heads,
    cross: model.decoder_heads,
  };
  const perKey = layers.decoder * heads.decoder;
  /** @type {function("decoder" | "cross", function(number): number): Float32Array[]} */
  const arrived = (site, size) =>
    cutSteps(singlesFromBase64(payload.attention[site].data), first, count, size);
  /** @type {function(any[] | undefined): any[]} */
  const before = (list) => (first > 0 && list ? list.slice(0, first) : []);
  const N = first + count;
  const sameBefore = held && first > 1 ? held.capacity : 0; // a decode from the start is measured anew
  return {
    recipe: payload.recipe,
    source: payload.source,
    target: payload.target,
    chosen: payload.chosen,
    finished: payload.finished,
    text: payload.text,
    steps: [...before(held?.steps), ...payload.steps],
    layers,
    heads,
    blocks: {
      encoder: encoder ? singlesFromBase64(encoder.data)
        : /** @type {Run} */ (held).blocks.encoder,
      decoder: [...before(held?.blocks.decoder), ...arrived("decoder", (t) => perKey * (t + 1))],
      cross: [...before(held?.blocks.cross), ...arrived("cross", () => perKey * S)],
    },
    best: encoder ? encoder.best : /** @type {Run} */ (held).best,
    capacity: roomFor(N, payload.finished, S, sameBefore),
    kept: first,
  };
}

/**
 * Rows to reserve for N steps: exactly N for a whole decode, a block more for a growing one.
 * @param {number} N
 * @param {?string} finished
 * @param {number} S
 * @param {number} before
 */
function roomFor(N, finished, S, before) {
  if (before >= N) return before;
  if (finished) return N;
  return before ? N + 6 : Math.max(N, S + 3);
}

/**
 * The run with its target cut back to the first n chosen tokens; needs no server.
 * @param {Run} run
 * @param {number} n
 * @returns {Run}
 */
export function cutRun(run, n) {
  /** @type {function(any): any} */
  const shorter = (tokens) =>
    Object.fromEntries(Object.entries(tokens).map(([name, list]) => [name, list.slice(0, n + 1)]));
  return {
    ...run,
    recipe: { ...run.recipe, target: run.recipe.target.slice(0, n) },
    target: shorter(run.target),
    chosen: run.chosen.slice(0, n),
    steps: run.steps.slice(0, n + 1),
    blocks: {
      encoder: run.blocks.encoder,
      decoder: run.blocks.decoder.slice(0, n + 1),
      cross: run.blocks.cross.slice(0, n + 1),
    },
    finished: null,
    text: n === 0 ? "" : run.text,
    kept: n + 1,
  };
}

/**
 * How many queries (rows) a site has.
 * @param {Run} run
 * @param {Site} site
 */
export function queryCount(run, site) {
  return site === "encoder" ? run.source.ids.length : run.steps.length;
}

/**
 * How many keys (columns) a site has.
 * @param {Run} run
 * @param {Site} site
 */
export function keyCount(run, site) {
  return site === "decoder" ? run.steps.length : run.source.ids.length;
}

/**
 * One row of weights; a decoder row holds the keys up to its own position only.
 * @param {Run} run
 * @param {Site} site
 * @param {number} layer
 * @param {number} head
 * @param {number} query
 * @returns {Float32Array}
 */
export function rowOfWeights(run, site, layer, head, query) {
  const H = run.heads[site];
  if (site === "encoder") {
    const S = run.source.ids.length;
    const at = ((layer * H + head) * S + query) * S;
    return run.blocks.encoder.subarray(at, at + S);
  }
  const keys = site === "decoder" ? query + 1 : run.source.ids.length;
  const at = (layer * H + head) * keys;
  return run.blocks[site][query].subarray(at, at + keys);
}

/**
 * Why a cell can hold no weight: "future", "pad" or null when it may.
 * @param {Run} run
 * @param {Site} site
 * @param {number} query
 * @param {number} key
 */
export function maskedBecause(run, site, query, key) {
  if (site === "decoder") {
    if (key > query) return "future";
    return run.target.kinds[key] === "pad" ? "pad" : null;
  }
  return run.source.kinds[key] === "pad" ? "pad" : null;
}
