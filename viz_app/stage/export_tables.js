// The numbers of a view as tables, from what a page without a server holds: the same tables as
// viz_app/export/translation.py and rooms.py make of it on a server, less the scores of Translate.
//
// A table is {name, axes, values}; an axis {name, start, length, tokens}, a value a flat list over
// all axes, by a name that ends in its dimensions.

const tableAxis = (name, length, start = 1) => ({ name, start, length, tokens: null });
const tokenAxis = (name, tokens) => ({ name, start: 1, length: tokens.length, tokens });

/** The answer in the page that the open room shows, or undefined. */
function answerHere(state, fits) {
  return (state.options.answers ?? []).filter(({ room }) => room === state.room)
    .findLast(({ request }) => fits(request))?.answer;
}

const ofStudy = (study) => (request) => request.study === study;
const ofView = (view) => (request) => request.view === view;
/** Which answer a view needs; a view of Translate needs none. */
const ANSWER_OF_VIEW = {
  masks: ofView("masks"), scores: ofView("masks"), broken: ofView("masks"),
  passes: ofView("passes"), positions: ofStudy("table"), curves: ofStudy("table"),
  similarity: ofStudy("table"), sum: ofStudy("sum"), order: ofStudy("order"),
  rotary: ofStudy("rotary"), head: ofView("cell"), output: ofView("cell"), way: ofView("way"),
};

/** Whether the page holds the numbers of a view. */
function isHere(view, state) {
  return !Object.hasOwn(ANSWER_OF_VIEW, view)
    || answerHere(state, ANSWER_OF_VIEW[view]) !== undefined;
}

/** Rows named by the token fed in or by the one predicted. */
function queryTexts({ run }, site, rows) {
  if (site === "encoder") return run.source.texts;
  const N = run.steps.length;
  return rows === "predicted" ? Array.from({ length: N }, (_, i) =>
    run.target.texts[i + 1] ?? PENDING_MARK) : run.target.texts.slice(0, N);
}

function keyTexts({ run }, site) {
  return site === "decoder" ? run.target.texts.slice(0, run.steps.length) : run.source.texts;
}

/** All weights of some heads, [layer, head] each; what is masked is 0. */
function weightsOf({ run }, site, heads) {
  const [Q, K] = [queryCount(run, site), keyCount(run, site)];
  const allowed = [];
  const weights = [];
  for (const [layer, head] of heads) {
    for (let query = 0; query < Q; query += 1) {
      const row = rowOfWeights(run, site, layer, head, query);
      for (let key = 0; key < K; key += 1) {
        const may = maskedBecause(run, site, query, key) === null;
        allowed.push(may);
        weights.push(may ? row[key] : 0);
      }
    }
  }
  return { allowed, weights };
}

function headTable(state, { site, layer, head, rows }) {
  const { allowed, weights } = weightsOf(state, site, [[layer - 1, head - 1]]);
  return [{ name: site, axes: [tokenAxis("query", queryTexts(state, site, rows)),
    tokenAxis("key", keyTexts(state, site))],
  values: { allowed_QK: allowed, weights_QK: weights } }];
}

/** The rows of 0s and 1s of a mask. */
const cellsOfMask = (rows) => rows.flatMap((row) => [...row].map((cell) => cell === "1"));

/** The axes of the room Masks and one head of its (L, H, Q, K) numbers. */
function masksPlace(answer, { layer, head }) {
  const { site } = answer;
  const { source, fed } = answer.view === "passes" ? answer : answer.batch[answer.shown];
  const [queries, keys] = [site === "encoder" ? source : fed, site === "decoder" ? fed : source];
  const axes = [tokenAxis("query", queries.texts), tokenAxis("key", keys.texts)];
  const size = queries.texts.length * keys.texts.length;
  const from = ((layer - 1) * answer.heads + head - 1) * size;
  return { axes, of: (numbers) => [...singlesFromBase64(numbers).subarray(from, from + size)] };
}

/** Numbers of an answer by name, unpacked, under the names of their tables. */
function unpackedOf(answer, names, dimensions = "") {
  return Object.fromEntries(names.map((name) =>
    [`${name}${dimensions}`, [...singlesFromBase64(answer[name])]]));
}

const TABLES_OF_VIEW = {
  encoder: headTable,
  decoder: headTable,
  cross: headTable,
  lines: headTable,
  heads(state, { site, rows }) {
    const [L, H] = [state.run.layers[site], state.run.heads[site]];
    const heads = Array.from({ length: L * H }, (_, i) => [Math.floor(i / H), i % H]);
    const { allowed, weights } = weightsOf(state, site, heads);
    return [{ name: site, axes: [tableAxis("layer", L), tableAxis("head", H),
      tokenAxis("query", queryTexts(state, site, rows)), tokenAxis("key", keyTexts(state, site))],
    values: { allowed_LHQK: allowed, weights_LHQK: weights } }];
  },
  candidates({ run }, { step }) {
    const { candidates } = run.steps[step - 1];
    const chosen = run.chosen[step - 1]?.token;
    return [{ name: "candidates", axes: [tokenAxis("rank", candidates.map(({ text }) => text))],
      values: {
        token_id: candidates.map(({ token }) => token),
        log_probability: candidates.map((one) => one.log_probability),
        probability: candidates.map((one) => Math.exp(one.log_probability)),
        chosen: candidates.map(({ token }) => token === chosen),
      } }];
  },
  masks(state, view, answer) {
    const values = Object.fromEntries(Object.entries(answer.masks)
      .filter(([, rows]) => rows !== null).map(([name, rows]) => [`${name}_QK`, cellsOfMask(rows)]));
    return [{ name: "masks", axes: masksPlace(answer, view).axes, values }];
  },
  scores(state, view, answer) {
    const { axes, of } = masksPlace(answer, view);
    return [{ name: "scores", axes, values: { allowed_QK: cellsOfMask(answer.masks.combined),
      scores_QK: of(answer.scores), weights_QK: of(answer.weights) } }];
  },
  broken(state, view, answer) {
    const { fed } = answer.batch[answer.shown];
    const change = answer.changes[answer.shown];
    return [{ name: "broken",
      axes: [tokenAxis("after", fed.texts.slice(0, change.distance.length))],
      values: { distance_T: change.distance, own_best: change.intact.texts,
        own_probability_T: change.intact_probability, broken_best: change.broken.texts,
        broken_probability_T: change.broken_probability } }];
  },
  passes(state, view, answer) {
    const { axes, of } = masksPlace(answer, view);
    return [{ name: "passes", axes, values: { allowed_QK: cellsOfMask(answer.allowed),
      once_QK: of(answer.once), stepped_QK: of(answer.stepped) } }];
  },
  positions(state, view, answer) {
    const [P, D] = answer.shape;
    return [{ name: "positions", axes: [tableAxis("position", P, 0), tableAxis("dimension", D, 0)],
      values: { value_PD: [...singlesFromBase64(answer.table)] } }];
  },
  curves(state, { dimensions }, answer) {
    const [P, D] = answer.shape;
    const numbers = singlesFromBase64(answer.table);
    return [{ name: "curves",
      axes: [tableAxis("position", P, 0), tokenAxis("dimension", dimensions.map(String))],
      values: { value_PD: Array.from({ length: P }, (_, row) =>
        dimensions.map((dimension) => numbers[row * D + dimension])).flat() } }];
  },
  similarity(state, view, answer) {
    const [P] = answer.shape;
    return [{ name: "similarity",
      axes: [tableAxis("position", P, 0), tableAxis("other_position", P, 0)],
      values: { similarity_PP: [...singlesFromBase64(answer.similarity)] } }];
  },
  sum(state, view, answer) {
    return [{ name: "sum",
      axes: [tokenAxis("token", answer.tokens.texts), tableAxis("dimension", answer.shape[1], 0)],
      values: unpackedOf(answer, ["embedding", "position", "sum"], "_TD") }];
  },
  order(state, view, answer) {
    const { source, target, site } = answer;
    return [{ name: "order", axes: [
      tokenAxis("query", (site === "encoder" ? source : target).texts),
      tokenAxis("key", (site === "decoder" ? target : source).texts)],
    values: unpackedOf(answer[view.positions_off ? "off" : "on"],
      ["before", "after", "difference"], "_QK") }];
  },
  rotary(state, view, answer) {
    const { texts } = answer.tokens;
    const P = answer.positions;
    return [
      { name: "scores", axes: [tokenAxis("query", texts), tokenAxis("key", texts)],
        values: unpackedOf(answer, ["scores", "turned_scores"], "_QQ") },
      { name: "placed",
        axes: [tableAxis("query_position", P, 0), tableAxis("key_position", P, 0)],
        values: unpackedOf(answer, ["placed_scores"], "_PP") },
      { name: "vectors", axes: [tokenAxis("query", texts),
        tableAxis("dimension", answer.shape[1], 0)],
      values: unpackedOf(answer, ["q", "k", "turned_q", "turned_k"], "_QE") },
    ];
  },
  head(state, view, answer) {
    const byKey = tokenAxis("key", answer.keys.texts);
    const byDimension = tableAxis("dimension", singlesFromBase64(answer.q_E).length, 0);
    return [
      { name: "row", axes: [byKey], values: { allowed_K: answer.allowed_K,
        ...unpackedOf(answer, ["sums_K", "scores_K", "exponentials_K", "weights_K"]) } },
      { name: "dimensions", axes: [byKey, byDimension], values: unpackedOf(answer,
        ["k_KE", "factor_KE", "other_KE", "products_KE", "v_KE", "weighted_KE"]) },
      { name: "query", axes: [byDimension], values: unpackedOf(answer, ["q_E", "context_E"]) },
    ];
  },
  output(state, view, answer) {
    const { sublayer, norm, D } = answer;
    const byDimension = tableAxis("dimension", D, 0);
    const shares = [...singlesFromBase64(answer.shares_HD)];
    const bias = [...singlesFromBase64(answer.output_bias_D)];
    return [
      { name: "heads", axes: [tableAxis("head", shares.length / D), byDimension],
        values: { share_HD: shares } },
      { name: "sublayer", axes: [byDimension], values: { bias_D: bias,
        ...unpackedOf(sublayer, ["entered_D", "read_D", "made_D", "sum_D", "passed_D"]) } },
      { name: "norm", axes: [byDimension],
        values: unpackedOf(norm, ["entered_D", "gain_D", "bias_D", "left_D"]) },
    ];
  },
  way(state, view, answer, t) {
    const stages = insideStages(insideStudy(answer), "", t)
      .filter(({ id }) => id !== "position" || answer.position_D !== null);
    const vectors = stages.map(({ rows }) => [...rows.at(-1).values]);
    return [{ name: "way", axes: [
      tokenAxis("stage", stages.map(({ title, values }) => t(title, values))),
      tableAxis("dimension", vectors[0].length, 0)],
    values: { value_SD: vectors.flat() } }];
  },
};

/** The tables of a view of which `isHere` holds. */
function tablesHere(view, state, t) {
  const answer = Object.hasOwn(ANSWER_OF_VIEW, view.view)
    ? answerHere(state, ANSWER_OF_VIEW[view.view]) : null;
  return TABLES_OF_VIEW[view.view](state, view, answer, t);
}
