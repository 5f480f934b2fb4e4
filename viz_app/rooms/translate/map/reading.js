// The sentence under the map: one cell, one row or one column in words.

import { quoted, spoken } from "../../../stage/draw/labels.js";
import { fixed, threeDigits } from "../../../stage/draw/numbers.js";

const MOST_NAMED = 3;
const LEAST_NAMED = 0.02; // weights of a row below say nothing of where it looks mostly

/** @typedef {{label: string, weight: ?number}} Item */

/** Those with a weight, the first in any case. @param {Item[]} list @param {number} [least] */
function strongest(list, least = 0.0005) {
  return list.map(({ label, weight }) => ({ label, weight: weight ?? 0 }))
    .filter(({ weight }) => Math.abs(weight) >= 0.0005)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .filter(({ weight }, i) => i === 0 || Math.abs(weight) >= least).slice(0, MOST_NAMED);
}

/** @param {{label: string, weight: number}[]} items @param {Words} t */
const listed = (items, t) => items.map(({ label, weight }) =>
  t("list_item", { label: quoted(label), weight: threeDigits(weight) })).join(t("list_between"));

/** A weight as the cells of the map have it, unless nothing would be left of it. @param {number} weight */
const asInCells = (weight) => (weight < 0.005 ? threeDigits(weight) : fixed(weight, 2));

/** The same of weights; the first says what the numbers are. @param {{label: string, weight: number}[]} items @param {Words} t */
const listedWeights = (items, t) => items.map(({ label, weight }, i) =>
  t(i === 0 ? "list_item_weight" : "list_item_next", { label: quoted(label), weight: asInCells(weight) })).join(t("list_between"));

/**
 * What the map says at the pointed place, else about the current row.
 * @param {Words} t
 * @param {import("./map.js").MapFrame} frame
 */
export function sentenceOf(frame, t) {
  const where = { layer: frame.layer + 1, head: frame.head + 1 };
  const { row: query, column: key } = frame.pointed;
  const { labels } = frame.rows;
  /** @param {number} row */
  const rowNames = (row) => {
    const { label, lead = label, pending } = labels[row];
    return { ...where, query: quoted(pending ? `${lead} → ${label}` : label), from: quoted(lead) };
  };
  /** @param {number} row */
  const kindOfRow = (row) => (frame.rowsAre === "word" ? (frame.aligns ? "word" : "looks") : frame.rowsAre !== "step" ? "source"
    : labels[row].pending ? "pending" : "step");
  const { reading, norms, weight, wordOf } = frame.read;
  const isOther = reading !== "weights";
  /** @param {number} i */
  const wordAt = (i) => wordOf(i).map((at) => frame.columns.labels[at].label).join("");
  /** @param {number} i */
  const nameOfKey = (i) => quoted(wordAt(i));
  if (query !== null && key !== null) {
    const names = { ...rowNames(query), key: nameOfKey(key) };
    const because = frame.hidden(query, key);
    if (because) return t(`reading_masked_${because}`, names);
    if (isOther) {
      return t(`read_cell_${reading}`, { ...names, value: threeDigits(frame.value(query, key)),
        weight: threeDigits(weight(query, key)), norm: norms && threeDigits(norms[key]) });
    }
    const kind = kindOfRow(query);
    return t(kind === "word" && frame.value(query, key) < LEAST_NAMED ? "reading_word_not" : `reading_${kind}`,
      { ...names, weight: threeDigits(frame.value(query, key)) });
  }
  if (key !== null) {
    const readers = strongest(Array.from({ length: frame.rows.count }, (_, row) => (
      { label: spoken(labels[row]), weight: frame.weight(row, key) })), isOther ? undefined : LEAST_NAMED);
    const names = { ...where, key: nameOfKey(key), list: (isOther ? listed : listedWeights)(readers, t) };
    if (isOther) {
      return t(`read_column_${reading}`, { ...names, norm: norms && threeDigits(norms[key]),
        list: names.list || t("read_nothing") });
    }
    return t(readers.length ? "reading_column" : "reading_column_none", names);
  }
  const row = query ?? frame.current;
  if (row === null) return t(frame.view === "lines" ? "reading_hint_lines" : "reading_hint");
  // Of a word that is hidden as a whole there is one number.
  const read = strongest(frame.columns.labels.flatMap((_, column) => (wordOf(column)[0] === column
    ? [{ label: wordAt(column), weight: frame.weight(row, column) }] : [])),
  isOther ? undefined : LEAST_NAMED);
  if (reading === "hidden" && labels[row].pending) return t("title_pending");
  if (isOther) {
    return t(`read_row_${reading}`, { ...rowNames(row), list: listed(read, t) || t("read_nothing") });
  }
  return t(`reading_row_${kindOfRow(row)}`, { ...rowNames(row), list: listedWeights(read, t) });
}
