// Which word of the sentence stands at a position: the labels of the rows of a table, and the row that
// is read in a sentence.

import { labelOfWord, labelsOf, quoted } from "../../stage/draw/labels.js";

/**
 * The tokens whose positions the rows of a table are.
 * @typedef {{labels: Label[], words: number[][]}} Places
 */

/**
 * The tokens of the side of a table; of distances there are none.
 * @param {State} state
 * @param {HeldTable} held
 * @param {Words} t
 * @returns {Places}
 */
export function placesOfRows({ run, spelled }, held, t) {
  if (held.offsets.length) return { labels: [], words: [] };
  const isTarget = held.side === "target";
  const tokens = isTarget ? run.target : run.source;
  const labels = labelsOf(tokens, isTarget, spelled, t).slice(0, held.shape[0]);
  return { labels, words: tokens.words ?? labels.map((_, at) => [at]) };
}

/** The labels of the rows: the position, and the token that stands there. @param {Places} places @returns {Label[]} */
export const rowLabels = ({ labels }) => labels.map(({ label, piece }, row) =>
  ({ label: `${row} · ${label}`, piece, kind: "text" }));

/**
 * What stands at a position, in a sentence.
 * @param {Words} t
 * @param {Places} places
 * @param {number} row
 */
export function rowSaid(t, { labels, words }, row) {
  const token = labels[row];
  if (!token) return t("positions_row_none", { row });
  const word = words.find((one) => one.includes(row)) ?? [row];
  const text = quoted(labelOfWord(word.flatMap((at) => labels[at] ?? [])));
  if (token.kind !== "text") return t("positions_row_special", { row, token: quoted(token.label) });
  return word.length > 1 ? t("positions_row_piece", { row, piece: quoted(token.label), word: text })
    : t("positions_row_word", { row, word: text });
}
