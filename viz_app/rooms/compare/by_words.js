// The maps of two runs between words instead of tokens: a word's weight is the sum over its tokens as
// keys and the mean over them as queries, as everywhere. Pure.

/**
 * The lines of the words of an axis, of A and of B, among those of its tokens; null where a run has no
 * such word.
 * @param {(number | null)[][]} pairs of tokens
 * @param {(number[] | null)[][]} words
 */
function linesOf(pairs, words) {
  const lines = [0, 1].map((run) => new Map(pairs.map((pair, line) => [pair[run], line])));
  return words.map((pair) => pair.map((places, run) =>
    places?.map((place) => /** @type {number} */ (lines[run].get(place))) ?? null));
}

/**
 * The place where two maps differ most; null where no cell has a counterpart.
 * @param {Float32Array} difference
 * @param {number} C columns
 */
function mostIn(difference, C) {
  let best = -1;
  difference.forEach((one, at) => {
    if (!Number.isNaN(one) && !(Math.abs(one) <= Math.abs(difference[best]))) best = at;
  });
  return best < 0 ? null : { row: Math.floor(best / C), column: best % C, difference: difference[best] };
}

/**
 * An answer about weights between words. How far rows and heads are apart stays measured token by token.
 * @param {CompareHeld} answer
 * @returns {CompareOfWords}
 */
export function byWords(answer) {
  const { row_pairs: ofRows, column_pairs: ofColumns, row_words: rows, column_words: columns, hidden } = answer;
  const C = ofColumns.length;
  const [queries, keys] = [linesOf(ofRows, rows), linesOf(ofColumns, columns)];
  /**
   * A map of one run, cell by cell of the words.
   * @template Value
   * @param {0 | 1} run
   * @param {function(number[], number[]): Value} valueOf of the lines of a query and of a key
   * @param {Value} none where the run has no such cell
   * @returns {Value[][]}
   */
  const mapOf = (run, valueOf, none) => queries.map(({ [run]: query }) => keys.map(({ [run]: key }) =>
    (query && key ? valueOf(query, key) : none)));
  /** @param {Float32Array} weights @param {0 | 1} run */
  const weightsOf = (weights, run) => Float32Array.from(mapOf(run, (query, key) => {
    let sum = 0;
    for (const row of query) for (const column of key) sum += weights[row * C + column];
    return sum / query.length;
  }, NaN).flat());
  /** A word is hidden where all of it is; a cell that a run lacks is hidden where it says so of all its tokens. @param {string[]} mask @param {0 | 1} run */
  const hiddenIn = (mask, run) => mapOf(run, (query, key) => (query.every((row) =>
    key.every((column) => mask[row][column] === "1")) ? "1" : "0"), "0").map((row) => row.join(""));
  const [a, b] = [weightsOf(answer.a, 0), weightsOf(answer.b, 1)];
  const difference = a.map((one, at) => one - b[at]);
  return { ...answer, row_pairs: rows, column_pairs: columns, a, b, difference, isOfWords: true,
    hidden: { a: hiddenIn(hidden.a, 0), b: hiddenIn(hidden.b, 1) }, most: mostIn(difference, columns.length) };
}
