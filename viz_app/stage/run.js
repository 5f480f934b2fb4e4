// A run: everything the browser holds of one recipe. Values only; knows no page and no server.
//
//   recipe, source, target, chosen, finished, text    as in the payload
//   steps      [{index, candidates}], complete from step 0
//   layers, heads   {encoder, decoder, cross} -> count
//   blocks     encoder: one [L,H,S,S]; decoder: per step [L,H,t+1]; cross: per step [L,H,S]
//   capacity   rows the pictures reserve, so that a growing target does not rescale them
//   kept       steps that are the same as in the run before (0: nothing is)

const SITES = ["encoder", "decoder", "cross"];

/** Whether two recipes read the same source tokens with the same model. */
function sameSource(a, b) {
  return a.model === b.model && a.source === b.source && a.pads === b.pads;
}

/**
 * How many steps of `run` hold for `recipe`. Step t is fed the first t chosen tokens, so a common
 * beginning of p tokens keeps steps 0..p.
 */
function stepsHeld(run, recipe) {
  if (!run || !sameSource(run.recipe, recipe)) return 0;
  const mine = run.recipe.target;
  let common = 0;
  while (common < Math.min(mine.length, recipe.target.length)
    && mine[common].token === recipe.target[common].token) common += 1;
  return Math.min(run.steps.length, common + 1);
}

/**
 * The run after a payload arrived.
 * @param {Object|null} held the run in the browser when the request left
 * @param {Object} payload
 * @param {Object} model the entry of options.models
 */
function mergeRun(held, payload, model) {
  const first = payload.steps_from;
  const count = payload.steps.length;
  if (first > 0 && stepsHeld(held, payload.recipe) < first) {
    throw new Error(`step ${first} arrived, but the steps before it are missing`);
  }
  const S = payload.source.ids.length;
  const encoder = payload.attention.encoder;
  if (!encoder && first === 0) throw new Error("the encoder's weights are missing");
  const layers = {
    encoder: encoder ? encoder.shape[0] : held.layers.encoder,
    decoder: model.decoder_layers,
    cross: model.decoder_layers,
  };
  const heads = {
    encoder: encoder ? encoder.shape[1] : held.heads.encoder,
    decoder: model.decoder_heads,
    cross: model.decoder_heads,
  };
  const perKey = layers.decoder * heads.decoder;
  const arrived = (site, size) =>
    cutSteps(floatsFromBase64(payload.attention[site].data), first, count, size);
  const before = (list) => (first > 0 ? list.slice(0, first) : []);
  const N = first + count;
  const sameBefore = first > 1 ? held.capacity : 0; // a decode from the start is measured anew
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
      encoder: encoder ? floatsFromBase64(encoder.data) : held.blocks.encoder,
      decoder: [...before(held?.blocks.decoder), ...arrived("decoder", (t) => perKey * (t + 1))],
      cross: [...before(held?.blocks.cross), ...arrived("cross", () => perKey * S)],
    },
    capacity: roomFor(N, payload.finished, S, sameBefore),
    kept: first,
  };
}

/** Rows to reserve for N steps: exactly N for a whole decode, a block more for a growing one. */
function roomFor(N, finished, S, before) {
  if (before >= N) return before;
  if (finished) return N;
  return before ? N + 6 : Math.max(N, S + 3);
}

/** The run with its target cut back to the first n chosen tokens; needs no server. */
function cutRun(run, n) {
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

/** How many queries (rows) a site has. */
function queryCount(run, site) {
  return site === "encoder" ? run.source.ids.length : run.steps.length;
}

/** How many keys (columns) a site has. */
function keyCount(run, site) {
  return site === "decoder" ? run.steps.length : run.source.ids.length;
}

/** One row of weights; a decoder row holds the keys up to its own position only. */
function rowOfWeights(run, site, layer, head, query) {
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

/** Why a cell can hold no weight: "future", "pad" or null when it may. */
function maskedBecause(run, site, query, key) {
  if (site === "decoder") {
    if (key > query) return "future";
    return run.target.kinds[key] === "pad" ? "pad" : null;
  }
  return run.source.kinds[key] === "pad" ? "pad" : null;
}

/** How spread a head is: the mean over its rows of the entropy, in bits. Pad rows do not count. */
function meanEntropy(run, site, layer, head) {
  let sum = 0;
  let rows = 0;
  for (let query = 0; query < queryCount(run, site); query += 1) {
    if (site === "encoder" && run.source.kinds[query] === "pad") continue;
    for (const weight of rowOfWeights(run, site, layer, head, query)) {
      if (weight > 0) sum -= weight * Math.log2(weight);
    }
    rows += 1;
  }
  return rows ? sum / rows : 0;
}
