// A run: everything the browser holds of one recipe, see types.d.ts. Values only; knows no page and no server.

import { columnsOf, hasSite, isStepped, rowsOf, siteOf, sitesOf } from "../anatomy.js";
import { bytesFromBase64, cutSteps, singlesFromBase64 } from "./wire.js";

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
    && sameSettings(a.settings, b.settings) && String(a.edits ?? []) === String(b.edits ?? []);
}

/**
 * Whether two recipes do so, whatever they say of some things.
 * @param {Partial<Recipe>} same the same for both
 * @returns {function(Recipe, Recipe): boolean}
 */
export const sameBut = (same) => (a, b) => sameSource({ ...a, ...same }, { ...b, ...same });

/**
 * How many steps of `run` hold for `recipe`: those of the prompt, and one for each chosen token of
 * a common beginning.
 * @param {?Run} run
 * @param {Recipe} recipe
 */
export function stepsHeld(run, recipe) {
  if (!run || !sameSource(run.recipe, recipe)) return 0;
  const mine = run.recipe.target;
  let common = 0;
  while (common < Math.min(mine.length, recipe.target.length)
    && mine[common].token === recipe.target[common].token) common += 1;
  return Math.min(run.steps.length, common + run.prompt);
}

/**
 * The run after a payload arrived.
 * @param {?Run} held the run in the browser when the request left
 * @param {Payload} payload
 * @param {Model} model
 * @returns {Run}
 */
export function mergeRun(held, payload, model) {
  const first = payload.steps_from;
  const count = payload.steps.length;
  if (first > 0 && stepsHeld(held, payload.recipe) < first) {
    throw new Error(`step ${first} arrived, but the steps before it are missing`);
  }
  const isOther = held !== null && held.by !== payload.by;
  if (first > 0 && isOther) throw new Error("the steps before were computed elsewhere");
  const S = payload.source.ids.length;
  /** @type {any} */
  const [blocks, best, layers, heads, summed] = [{}, {}, {}, {}, {}];
  for (const site of sitesOf(model)) {
    const { layers: L, heads: H } = siteOf(model, site);
    [layers[site], heads[site]] = [L, H];
    /** @type {any} */
    const sent = payload.attention[site];
    if (sent?.small) {
      const [, , height, width] = sent.shape;
      summed[site] = { cells: bytesFromBase64(sent.small), height, width,
        measures: singlesFromBase64(sent.measures) };
      continue;
    }
    if (held?.summed && first > 0) throw new Error("the rows before are not here");
    if (!isStepped(model, site)) {
      if (!sent && !(held && first > 0)) throw new Error(`the weights of ${site} are missing`);
      blocks[site] = sent ? singlesFromBase64(sent.data) : /** @type {Run} */ (held).blocks[site];
      best[site] = sent ? sent.best : /** @type {Run} */ (held).best[site];
      continue;
    }
    const keys = columnsOf(model, site) === "source" ? () => S : (/** @type {number} */ t) => t + 1;
    const before = first > 0 && held ? held.blocks[site].slice(0, first) : [];
    blocks[site] = [...before, ...cutSteps(singlesFromBase64(sent.data), first, count,
      (t) => L * H * keys(t))];
  }
  const N = first + count;
  const kept = isOther ? Math.min(stepsHeld(held, payload.recipe), N) : first;
  const sameBefore = held && kept > 1 ? held.capacity : 0; // a decode from the start is measured anew
  return {
    recipe: payload.recipe,
    source: payload.source,
    target: payload.target,
    chosen: payload.chosen,
    finished: payload.finished,
    by: payload.by,
    readsWhole: payload.reads_whole,
    text: payload.text,
    masked: payload.masked ?? [],
    roles: payload.roles,
    highlight: payload.highlight,
    steps: [...(first > 0 && held ? held.steps.slice(0, first) : []), ...payload.steps],
    anatomy: model.anatomy,
    prompt: payload.prompt,
    layers,
    heads,
    blocks,
    best,
    summed: Object.keys(summed).length > 0 ? summed : null,
    held: new Map(held && first > 0 ? lasting(held) : []),
    capacity: roomFor(N, payload.finished, S, sameBefore),
    kept,
  };
}

/**
 * What is held of a run that further steps do not change: of the source, see readings.js.
 * @param {Run} run
 */
const lasting = (run) => [...run.held ?? []].filter(([name]) => /^norms (encoder|cross)/.test(name));

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
 * The run with its target cut back to the first n chosen tokens and the prompt; needs no server.
 * @param {Run} run
 * @param {number} n
 * @returns {Run}
 */
export function cutRun(run, n) {
  const fed = n + run.prompt; // tokens of the target that are left
  /** @type {function(any): any} */
  const shorter = ({ words, ...tokens }) => ({
    ...Object.fromEntries(Object.entries(tokens).map(([name, list]) => [name, list.slice(0, fed)])),
    words: words?.map((/** @type {number[]} */ word) => word.filter((place) => place < fed))
      .filter((/** @type {number[]} */ word) => word.length > 0),
  });
  const stepped = sitesOf(run).filter((site) => isStepped(run, site));
  // What heads did in the rows that have gone is true of no others.
  const unsaid = stepped.map((site) => [site, run.roles[site]?.map((layer) =>
    layer.map(() => ({ word: null, second: null, key: null })))]);
  return {
    ...run,
    recipe: { ...run.recipe, target: run.recipe.target.slice(0, n) },
    roles: { ...run.roles, ...Object.fromEntries(unsaid) },
    highlight: null,
    target: shorter(run.target),
    chosen: run.chosen.slice(0, fed - 1),
    steps: run.steps.slice(0, fed),
    blocks: { ...run.blocks, ...Object.fromEntries(stepped.filter((site) => run.blocks[site])
      .map((site) => [site, run.blocks[site].slice(0, fed)])) },
    finished: null,
    text: n === 0 ? "" : run.text,
    held: new Map(lasting(run)),
    kept: fed,
  };
}

/** How many queries (rows) a site has. @param {Run} run @param {Site} site */
export function queryCount(run, site) {
  return isStepped(run, site) ? run.steps.length : run[rowsOf(run, site)].ids.length;
}

/** How many keys (columns) a site has. @param {Run} run @param {Site} site */
export function keyCount(run, site) {
  const side = columnsOf(run, site);
  return side === "target" && isStepped(run, site) ? run.steps.length : run[side].ids.length;
}

/** Where the rows of a head are held. @param {Site} site @param {number} layer @param {number} head */
export const rowsKey = (site, layer, head) => `${site} ${layer} ${head}`;

/**
 * Whether the rows of a head are here; of a large decoding they are asked for one head at a time.
 * @param {Run} run
 * @param {Site} site
 * @param {Head} head
 */
export const hasRows = (run, site, { layer, head }) =>
  !run.summed || run.held.has(rowsKey(site, layer, head));

const NO_ROW = new Float32Array(0);

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
  if (run.summed) {
    const rows = run.held.get(rowsKey(site, layer, head)) ?? NO_ROW;
    const K = keyCount(run, site);
    return siteOf(run, site).causal ? rows.subarray((query * (query + 1)) / 2,
      ((query + 1) * (query + 2)) / 2) : rows.subarray(query * K, (query + 1) * K);
  }
  if (!isStepped(run, site)) {
    const K = keyCount(run, site);
    const at = ((layer * H + head) * queryCount(run, site) + query) * K;
    return run.blocks[site].subarray(at, at + K);
  }
  const keys = columnsOf(run, site) === "target" ? query + 1 : run.source.ids.length;
  const at = (layer * H + head) * keys;
  return run.blocks[site][query].subarray(at, at + keys);
}

/**
 * Whether the mask of a step hides a token before it, in a layer or, without one, in all of them.
 * @param {Run} run
 * @param {number} query
 * @param {number} key
 * @param {number} [layer]
 */
function isUnseen(run, query, key, layer) {
  const layers = /** @type {number[][][]} */ (run.steps[query]?.unseen ?? []);
  const hides = (/** @type {number[][]} */ runs) =>
    runs.some(([from, upto]) => from <= key && key < upto);
  if (layers.length < 2 || layer === undefined) return layers.length > 0 && layers.every(hides);
  return hides(layers[layer]);
}

/**
 * Why a cell can hold no weight: "future", "pad", "hidden" (by an edit), "window" (too far back for
 * this layer, or without one for all) or null when it may.
 * @param {Run} run
 * @param {Site} site
 * @param {number} query
 * @param {number} key
 * @param {number} [layer]
 */
export function maskedBecause(run, site, query, key, layer) {
  if (siteOf(run, site).causal && key > query) return "future";
  if (key === query && run.recipe.edits?.includes("causal-mask:behind") && siteOf(run, site).causal) {
    return "hidden";
  }
  const side = columnsOf(run, site);
  const isPad = run[side].kinds[key] === "pad";
  if (side === "target") { // where there is no encoder the source is how the target begins
    const isHidden = !hasSite(run, "encoder") && run.recipe.edits?.includes(`hide:${key + 1}`);
    if (isPad || isHidden) return isPad ? "pad" : "hidden";
    return isUnseen(run, query, key, layer) ? "window" : null;
  }
  return !run.source.unseen?.includes(key) ? null : isPad ? "pad" : "hidden";
}
