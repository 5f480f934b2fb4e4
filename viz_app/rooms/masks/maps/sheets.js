// What the maps of the room Masks show, out of the server's answer: a sheet a map, as grid.js
// describes it, and the axes that all of them share.

import { labelsOf, quoted } from "../../../stage/draw/labels.js";
import { fixed, shortNumber, threeDigits } from "../../../stage/draw/numbers.js";
import { maskPlaces } from "./grid.js";

/** The six sheets of one head, or the three of two readings of it; see grid.js. */
export function sheetsOf(answer, axes, { layer, head }, step, isHard, t) {
  const [Q, K] = [axes.rows.length, axes.columns.length];
  const at = answer.one ? 0 : (layer * answer.heads + head) * Q * K;
  const cut = (floats) => floats.subarray(at, at + Q * K);
  const none = () => null;
  const titled = (key, values = {}) => ({ title: t(key, values), says: key, values,
    sign: key.replace("map", "sign") });
  if (answer.view === "passes") {
    const hidden = (q, k) => answer.allowed[q][k] === "0";
    const [once, stepped] = [cut(answer.once), cut(answer.stepped)];
    const apart = (q, k) => once[q * K + k] - stepped[q * K + k];
    const most = once.reduce((so, value, i) => Math.max(so, Math.abs(value - stepped[i])), 1e-9);
    const sheet = (name, kind, value, reached) => ({ name, kind, value, hidden, mark: none, reached,
      limit: most, fill: null, ...titled(`masks_map_${name}`, { n: step, m: Q }) });
    return [
      sheet("once", "weight", (q, k) => once[q * K + k], Q),
      sheet("stepped", "weight", (q, k) => stepped[q * K + k], step),
      sheet("difference", "signed", apart, step),
    ];
  }
  const [scores, weights] = [cut(answer.scores), cut(answer.weights)];
  const { masks, own } = answer;
  const markOf = (name) => (q, k) => (!masks[name] || masks[name][q][k] === own[name][q][k] ? null
    : masks[name][q][k] === "1" ? "opened" : "closed");
  const hidden = (q, k) => masks.combined[q][k] === "0";
  const fill = answer.hidden_score ?? -Infinity;
  const most = scores.reduce((so, value) => Math.max(so, Math.abs(value)), 1e-9);
  const ofMask = (name) => ({ name, kind: "mask", ...titled(`masks_map_${name}`), reached: Q,
    value: (q, k) => Number(masks[name][q][k]), hidden: (q, k) => masks[name][q][k] === "0",
    mark: markOf(name) });
  const score = (q, k) => scores[q * K + k];
  return [
    ofMask("pad"), ofMask("causal"), ofMask("combined"),
    { name: "scores", kind: "signed", ...titled("masks_map_scores"), value: score, reached: Q,
      limit: most, hidden: () => false, mark: none, fill: null },
    { name: "masked", kind: "signed", ...titled("masks_map_masked"), reached: Q, limit: most, hidden,
      value: (q, k) => (hidden(q, k) ? fill : score(q, k)), mark: none,
      fill: shortNumber(fill) },
    { name: "weights", kind: "weight", reached: Q, hidden, mark: none, fill: null,
      ...titled(isHard ? "masks_map_weights_hard" : "masks_map_weights"),
      value: (q, k) => weights[q * K + k] },
  ];
}

/** What a cell is, in a sentence: the same cell in every map. */
export function readingOf(answer, axes, sheets, cell, step, t) {
  const { query, key } = cell;
  const names = { query: quoted(axes.rows[query].label), key: quoted(axes.columns[key].label) };
  const valueOf = (name) => sheets.find((sheet) => sheet.name === name).value(query, key);
  if (answer.view === "passes") {
    return t(query < step ? "masks_reading_once" : "masks_reading_later", { ...names,
      once: fixed(valueOf("once"), 6), stepped: fixed(valueOf("stepped"), 6),
      difference: shortNumber(valueOf("difference")) });
  }
  const combined = sheets[2];
  const values = { ...names, score: shortNumber(valueOf("scores")),
    weight: threeDigits(valueOf("weights")),
    fill: shortNumber(answer.hidden_score ?? -Infinity) };
  if (!combined.hidden(query, key)) {
    return t(combined.mark(query, key) ? "masks_reading_opened" : "masks_reading_open", values);
  }
  const why = sheets[0].hidden(query, key)
    ? answer.breaks.pads === "rows" ? "row" : "pad" : key > query ? "future"
      : key < query ? "window" : "itself";
  return t("masks_reading_hidden", { ...values, why: t(`masks_why_${why}`) });
}

/** Labels and places of both axes, and the tokens fed in and predicted. */
export function maskAxesOf(answer, spelled, unfolded, t) {
  const { view, shown } = answer;
  const entry = view === "passes" ? answer : answer.batch[shown];
  const source = labelsOf(entry.source, false, spelled, t);
  const fed = labelsOf(entry.fed, true, spelled, t);
  const rows = answer.rows === "source" ? source : fed;
  const columns = answer.columns === "target" ? fed : source;
  return { rows, columns, rowPlaces: maskPlaces(rows, unfolded),
    columnPlaces: maskPlaces(columns, unfolded), fed,
    predicted: labelsOf(entry.predicted, false, spelled, t) };
}

/**
 * What a cell of a map is in the room Inside a head: {recipe, cell}, or {why} where that room cannot
 * show it. The recipe has the pads that the cell needs.
 */
export function maskCellInside(answer, axes, cell, recipes, mostPads, t) {
  const { view, shown, rows: ofRows, columns: ofColumns } = answer;
  if (!cell) return { recipe: null, cell: null };
  const onPad = (/** @type {string} */ side, /** @type {any} */ token) =>
    side === "target" && token.kind === "pad";
  if (onPad(ofRows, axes.rows[cell.query]) || onPad(ofColumns, axes.columns[cell.key])) {
    return { why: t("masks_look_pad_row") };
  }
  const source = view === "passes" ? answer.source : answer.batch[shown].source;
  const real = source.kinds.filter((kind) => kind !== "pad").length;
  const last = Math.max(ofRows === "source" ? cell.query : 0, ofColumns === "source" ? cell.key : 0);
  const pads = Math.max(0, last + 1 - real);
  if (pads > mostPads) return { why: t("masks_look_many_pads", { limit: mostPads }) };
  return { cell, recipe: { ...recipes[shown], pads } };
}
