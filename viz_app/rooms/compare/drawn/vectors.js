// q, k and v of one row and one key in both heads, and how long they are for every key: q·k is the
// length of q times that of k times their cosine.

import { makeMaps, scaleOf } from "../../../stage/draw/maps.js";
import { fixed, largestOf, shortNumber, smallShare } from "../../../stage/draw/numbers.js";
import { hide } from "../../../stage/page/elements.js";
import { html, makePart } from "../../../stage/page/html.js";
import { picker } from "./path.js";

/** @typedef {NonNullable<CompareHeld["vectors"]>[number]} Vectors */
/** @typedef {{weight: number, cosine: number, k: number, v: number}} KeyOf */

const RUNS = /** @type {const} */ (["a", "b"]);
const NUMBERS = ["weight", "cosine", "k", "v"];

/**
 * What every key of a row is in one run; null where the run has no such row or key.
 * @param {CompareHeld} answer
 * @param {Vectors} vectors
 * @param {number} run
 * @param {number} row
 * @returns {(KeyOf | null)[]}
 */
export function keysOf({ row_pairs: rows, column_pairs: columns, hidden, ...maps }, vectors, run, row) {
  const query = rows[row][run];
  const K = vectors.k_length_K.length;
  return columns.map((pair, column) => {
    const key = pair[run];
    if (query === null || key === null || hidden[RUNS[run]][row][column] === "1") return null;
    return { weight: maps[RUNS[run]][row * columns.length + column], k: vectors.k_length_K[key],
      cosine: vectors.cosine_QK[query * K + key], v: vectors.v_length_K[key] };
  });
}

/** The key with the largest; -1 where there is none. @param {(KeyOf | null)[]} keys @param {"weight" | "cosine"} what */
function foremost(keys, what) {
  return keys.reduce((best, one, i) => (one && (best < 0 || one[what] > (keys[best]?.[what] ?? -2)) ? i : best), -1);
}

/** The key that is shown: the chosen one, or the darkest of A's row, or of B's. @param {(KeyOf | null)[][]} both @param {?number} chosen */
export const shownKey = (both, chosen) => (chosen !== null && chosen < both[0].length ? chosen
  : both.map((keys) => foremost(keys, "weight")).find((at) => at >= 0) ?? 0);

/**
 * What is to be seen, a sentence for each run.
 * @param {Words} t
 * @param {(KeyOf | null)[][]} both
 * @param {Label[]} columns
 * @param {number[]} lengths of the query in each run
 */
export const vectorsSaid = (t, both, columns, lengths) => both.map((keys, run) => {
  const [fits, most] = [foremost(keys, "cosine"), foremost(keys, "weight")];
  if (most < 0) return t("compare_vectors_none", { run: "AB"[run] });
  return t(fits === most ? "compare_vectors_both" : "compare_vectors_fits", { run: "AB"[run],
    length: shortNumber(lengths[run]), key: columns[fits].label, cosine: fixed(keys[fits]?.cosine ?? 0, 2), most: columns[most].label,
    weight: smallShare(keys[most]?.weight ?? 0) });
});

/**
 * The three vectors of a run; null where it has no such row or key.
 * @param {Vectors} vectors
 * @param {(number | null)[]} pair the places of the row
 * @param {(number | null)[]} key
 * @param {number} run
 */
function threeOf({ q_QE: q, k_KE: k, v_KE: v, k_length_K: { length: K } }, pair, key, run) {
  const [query, at] = [pair[run], key[run]];
  if (query === null || at === null) return null;
  const E = k.length / K;
  const of = (/** @type {Float32Array} */ all, /** @type {number} */ place) => all.subarray(place * E, (place + 1) * E);
  return [of(q, query), of(k, at), of(v, at)];
}

/** The vectors of both runs, each as a map of three rows. @param {Words} t @param {Redraw} redraw */
function makeStrips(t, redraw) {
  /** @type {(?GridPlace)[]} */
  const pointed = [null, null];
  const all = makeMaps(t, "compare-strips", [0, 1], { redraw, acts: (run) => ({ point(place) {
    pointed[run] = place;
    redraw();
  } }) });
  /** The number under the pointer. @param {Float32Array[]} three @param {string[]} names @param {?GridPlace} at */
  const readingOf = (three, names, at) => (at && at.row !== null && at.column !== null && at.column < three[0].length
    ? `${names[at.row]}[${at.column}] = ${fixed(three[at.row][at.column], 3)}` : "");
  return { elements: all.maps.map(({ element }) => element), destroy: all.destroy,
    /** @param {(Float32Array[] | null)[]} both @param {string[]} names @param {Look} look */
    update(both, names, look) {
      const strips = both.map((three, run) => three && { three, limit: largestOf(three.map(largestOf)),
        said: t("compare_vectors_map", { run: "AB"[run], count: three[0].length }) });
      all.maps.forEach(({ element }, run) => { hide(element, strips[run] === null); });
      all.entitle(strips.map((one, run) => ({ title: one?.said, reading: one ? readingOf(one.three, names, pointed[run]) : "",
        scale: one ? scaleOf("compare-bar", "signed", [-one.limit, one.limit].map(shortNumber), look.palette) : "" })));
      all.update(strips.map((one, run) => one && { kind: "signed", limit: one.limit,
        key: [...one.three.map(({ byteOffset }) => byteOffset), one.three[0].buffer, names.join()],
        rows: { count: 3, labels: names.map((label) => ({ label, piece: "", kind: "text" })) },
        columns: { count: one.three[0].length, labels: null }, most: [18, 24], bar: 0, longest: 130,
        value: (row, column) => one.three[row][column], pointed: pointed[run], kept: null, label: one.said }), look);
    } };
}

/** @param {KeyOf | null} one */
const numbersOf = (one) => (one ? [smallShare(one.weight), fixed(one.cosine, 2), shortNumber(one.k), shortNumber(one.v)]
  : NUMBERS.map(() => "–")).map((text) => html`<td>${text}</td>`);

/**
 * @param {Words} t
 * @param {{walk: function(number): void, pick: function(number): void, redraw: Redraw}} acts of a row, of a key
 */
export function makeCompareVectors(t, { walk, pick, redraw }) {
  const strips = makeStrips(t, redraw);
  const part = makePart((/** @type {(KeyOf | null)[][]} */ both = [], /** @type {string[]} */ says = [],
    /** @type {CompareLabels} */ { rows, columns } = { rows: [], columns: [] }, row = 0, key = 0,
  ) => html`
    <section class="compare-vectors" aria-label=${t("compare_numbers_vectors")}>
      <div class="compare-picks">
        ${picker(t, "row", "compare_path_token", rows.map(({ label, lead }, i) => [i, lead ?? label]), row, walk)}
        ${picker(t, "key", "compare_vectors_key", columns.map(({ label }, i) => [i, label]), key, pick)}</div>
      <div aria-live="polite">${says.map((text) => html`<p>${text}</p>`)}</div>
      <div class="compare-strips">${strips.elements}</div>
      <div class="compare-path-box">
        <table>
          <thead><tr><td></td>${["A", "B"].map((name) => html`
            <th scope="colgroup" colspan=${NUMBERS.length}>${name}</th>`)}</tr>
            <tr><th scope="col">${t("compare_vectors_key")}</th>${both.map(() => NUMBERS.map((name) => html`
            <th scope="col">${t(`compare_vectors_${name}`)}</th>`))}</tr></thead>
          <tbody>${columns.map(({ label }, i) => html`
            <tr class=${i === key ? "now" : ""}><th scope="row"><button type="button" class="as-link" aria-pressed=${i === key}
              @click=${() => pick(i)}>${label}</button></th>${both.map((keys) => numbersOf(keys[i]))}</tr>`)}</tbody>
        </table></div>
    </section>`);

  return {
    element: part.element,
    /** @param {CompareHeld} answer @param {Vectors[]} vectors @param {CompareLabels} labels @param {{row: number, column: ?number}} at @param {Look} look */
    update(answer, vectors, labels, { row, column }, look) {
      const { rows, columns } = labels;
      const both = vectors.map((one, run) => keysOf(answer, one, run, row));
      const key = shownKey(both, column);
      const lengths = vectors.map((one, run) => one.q_length_Q[answer.row_pairs[row][run] ?? -1]);
      part.update(both, vectorsSaid(t, both, columns, lengths), labels, row, key);
      const query = rows[row].lead ?? rows[row].label;
      const names = [`q ${query}`, `k ${columns[key].label}`, `v ${columns[key].label}`];
      strips.update(vectors.map((one, run) => threeOf(one, answer.row_pairs[row], answer.column_pairs[key], run)), names, look);
    },
    destroy: strips.destroy,
  };
}
