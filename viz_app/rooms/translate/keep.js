// What can be kept of the translation: its pictures and their tables.

import { PENDING_MARK } from "../../stage/draw/labels.js";
import { placeOf, tableAxis, tokenAxis } from "../../stage/keep/tables.js";
import { columnsOf, isStepped, rowsOf, writes } from "../../stage/anatomy.js";
import { keyCount, maskedBecause, queryCount, rowOfWeights } from "../../stage/run/run.js";
import { readingHere, readingOf } from "../../stage/run/readings.js";
import { hasArcs } from "../../stage/run/units.js";

/**
 * Tokens as they are on the screen: as texts, or as the tokenizer spells them.
 * @param {Tokens} tokens
 * @param {{spelled?: boolean}} view
 */
const namesOf = (tokens, { spelled }) => (spelled ? tokens.pieces : tokens.texts);

/** Rows named by the token fed in or by the one predicted. @param {State} state @param {any} view */
function queryTexts({ run }, view) {
  if (!isStepped(run, view.site)) return namesOf(run[rowsOf(run, view.site)], view);
  const [N, names] = [run.steps.length, namesOf(run.target, view)];
  return view.rows === "predicted" ? Array.from({ length: N }, (_, i) =>
    names[i + 1] ?? PENDING_MARK) : names.slice(0, N);
}

/** @param {State} state @param {any} view */
function keyTexts({ run }, view) {
  return namesOf(run[columnsOf(run, view.site)], view).slice(0, keyCount(run, view.site));
}

/**
 * All weights of some heads, [layer, head] each; what is masked is 0.
 * @param {State} state
 * @param {Site} site
 * @param {number[][]} heads
 */
function weightsOf({ run }, site, heads) {
  const [Q, K] = [queryCount(run, site), keyCount(run, site)];
  const allowed = [];
  const weights = [];
  for (const [layer, head] of heads) {
    for (let query = 0; query < Q; query += 1) {
      const row = rowOfWeights(run, site, layer, head, query);
      for (let key = 0; key < K; key += 1) {
        const may = maskedBecause(run, site, query, key, layer) === null;
        allowed.push(may);
        weights.push(may ? row[key] : 0);
      }
    }
  }
  return { allowed, weights };
}

/** @param {State} state @param {any} view */
function headTable(state, view) {
  const { site, layer, head, reading = "weights" } = view;
  const { allowed, weights } = weightsOf(state, site, [[layer, head]]);
  return [{ name: site, axes: [tokenAxis("query", queryTexts(state, view)),
    tokenAxis("key", keyTexts(state, view))],
  values: { allowed_QK: allowed, weights_QK: weights,
    ...(reading === "weights" ? {} : readingValues(state, view)) } }];
}

/** What the numbers of each reading are called in a table. @type {Record<string, string>} */
const ARRAYS = { norms: "norm_QK", rollout: "rollout_QK", mean: "mean_QK", mean_all: "mean_QK",
  hidden: "change_QK" };

/**
 * The numbers of a reading as readings.py has them in a table, and which cells have one.
 * @param {State} state
 * @param {any} view
 * @returns {Record<string, unknown[]>}
 */
function readingValues({ run }, { site, layer, head, reading }) {
  const [Q, K] = [queryCount(run, site), keyCount(run, site)];
  const { value, hidden, norms } = readingOf(run, site, { layer, head }, reading);
  const places = Array.from({ length: Q * K }, (_, at) => [Math.floor(at / K), at % K]);
  return { allowed_QK: places.map(([query, key]) => hidden(query, key) === null),
    ...(norms ? { value_norm_QK: places.map(([, key]) => norms[key]) } : {}),
    [ARRAYS[reading]]: places.map(([query, key]) => value(query, key)) };
}

/** The pictures of the room, the one on the screen first: [{picture, view}]. @param {State} state */
function translatePictures(state) {
  const { site, at, stepping, run, rows } = state;
  const isStep = isStepped(run, site);
  // Left open it is words in pictures, and tokens in numbers.
  const place = { ...placeOf(state, site), rows, ...(state.by === "words" ? {} : { by: "pieces" }) };
  const view = isStep ? { ...place, at, stepping } : place;
  const reading = readingHere(state);
  const read = reading === "weights" ? view : { ...view, reading };
  const isSigned = reading === "hidden"; // which is no line
  const heads = [{ picture: site, view: read }, 
    { picture: "lines", view: { ...(isSigned ? view : read), view: "lines" } }];
  if (state.view === "lines" && !isSigned) heads.reverse();
  const candidates = writes(run) ? [{ picture: "candidates", view: { site, at } }] : [];
  const ofAll = stepping ? view : place;
  const pair = hasArcs(state) ? [{ picture: "pair", view: read }] : [];
  return [...heads, ...pair, { picture: "heads", view: reading === "norms" && !run.summed ? { ...ofAll, reading } : ofAll }, ...candidates];
}

/** @type {Record<string, function(State, any): Object[]>} */
const TRANSLATE_TABLES = {
  encoder: headTable,
  decoder: headTable,
  cross: headTable,
  lines: headTable,
  pair: headTable,
  /** @param {State} state @param {any} view */
  heads(state, view) {
    /** @type {Site} */
    const site = view.site;
    const [L, H] = [state.run.layers[site], state.run.heads[site]];
    const heads = Array.from({ length: L * H }, (_, i) => [Math.floor(i / H), i % H]);
    const { allowed, weights } = weightsOf(state, site, heads);
    const norms = view.reading === "norms" ? { norm_LHQK: heads.flatMap(([layer, head]) =>
      readingValues(state, { ...view, layer, head }).norm_QK) } : {};
    return [{ name: site, axes: [tableAxis("layer", L), tableAxis("head", H),
      tokenAxis("query", queryTexts(state, view)), tokenAxis("key", keyTexts(state, view))],
    values: { allowed_LHQK: allowed, weights_LHQK: weights, ...norms } }];
  },
  /** @param {State} state @param {any} view */
  candidates({ run }, { at, spelled }) {
    const { candidates, sampling } = run.steps[at];
    const chosen = run.chosen[at]?.token;
    return [{ name: "candidates", axes: [tokenAxis("rank", candidates.map(({ text, piece }) =>
      (spelled ? piece : text)))],
      values: {
        token_id: candidates.map(({ token }) => token),
        log_probability: candidates.map((one) => one.log_probability),
        probability: candidates.map((one) => Math.exp(one.log_probability)),
        ...(sampling ? { share: sampling.shares.map((share) => share ?? 0) } : {}),
        chosen: candidates.map(({ token }) => token === chosen),
      } }];
  },
};

export const translateKeep = { pictures: translatePictures,
  /** @param {string} picture @param {any} view @param {State} state */
  tables: (picture, view, state) => TRANSLATE_TABLES[picture](state, view) };
