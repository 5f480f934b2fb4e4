// Where the hypotheses of a beam search stand: a column per step, the best candidate at the top. Pure.

/** `whole`: the fates without any fold. @typedef {BeamAnswer["tree"] & {whole?: BeamAnswer["tree"]["fate"]}} Tree */

/**
 * The row of each node: how many of its step stand before it, of those that were pruned or of the
 * others.
 * @param {Tree} tree
 */
export function rowsOfTree({ step, fate }) {
  /** @type {Record<string, number>} */
  const seen = {};
  return step.map((at, i) => {
    const kind = `${at} ${fate[i] === "pruned"}`;
    seen[kind] = (seen[kind] ?? -1) + 1;
    return seen[kind];
  });
}

/**
 * The tree at a step, in which what led nowhere stands as what was pruned does: at the last step all but what was
 * found, before it all that no hypothesis grew from which is alive, or found by then; never the path of greedy
 * decoding. Later steps are folded too: they are not seen yet.
 * @param {Tree} tree
 * @param {readonly number[]} greedy places of the nodes of that path
 * @param {number} [last] the step, from 1
 * @returns {Tree}
 */
export function foldedTree(tree, greedy, last = stepsOf(tree)) {
  const { step, fate, found } = tree;
  const alive = last < stepsOf(tree) ? [...step.keys()].filter((at) => step[at] === last && fate[at] !== "pruned") : [];
  const shown = new Set([...greedy, ...[...found, ...alive].flatMap((place) => (step[place] <= last ? pathTo(tree, place) : []))]);
  return { ...tree, whole: fate, fate: fate.map((one, at) => (shown.has(at) && step[at] <= last ? one : "pruned")) };
}

/**
 * In which line each column stands, from 0, where a tree is broken as a text is: into as few lines as there
 * can be, and those of lengths as even as may be. A column wider than the room has a line to itself.
 * @param {number[]} widths of the columns
 * @param {number} gap after each
 * @param {number} room for the columns of a line, CSS pixels; Infinity: one line
 */
export function linesOfColumns(widths, gap, room) {
  /** @param {number} most */
  const broken = (most) => {
    let [line, x] = [0, 0];
    return widths.map((width) => {
      if (x > 0 && x + width > most) [line, x] = [line + 1, 0];
      x += width + gap;
      return line;
    });
  };
  const usual = broken(room);
  const ends = widths.map((_, n) => widths.slice(0, n + 1).reduce((sum, one) => sum + one + gap, -gap));
  const starts = widths.map((width, n) => ends[n] - width);
  // Lengths that a line can have, the shortest first.
  const lengths = starts.flatMap((start, n) => ends.slice(n).map((end) => end - start))
    .filter((length) => length <= room).sort((one, other) => one - other);
  const least = lengths.find((length) => broken(length).at(-1) === usual.at(-1));
  return least === undefined ? usual : broken(least);
}

/**
 * Where everything stands, in CSS pixels. A column is as wide as its widest word, folded or not, so that it stays where
 * it is at every step; what was pruned
 * stands in a band under all other rows of its line, as thin marks, or at one step written out below it.
 * @param {Tree} tree
 * @param {number[]} widths of the nodes, written out
 * @param {?number} opened the step whose pruned candidates are written out
 * @param {{row: number, top: number, gap: number, first: number, band: number, mark: number, word: number,
 *     least: number, room: number}} sizes
 *     of a row, over the first, between columns, of the start, of the band, of a mark, the part of a row
 *     down to the middle of its word, of a column, of a line; `first` is left free in every line
 */
export function placesOfTree(tree, widths, opened, { row, top, gap, first, band, mark, word, least, room }) {
  const { step, fate, considered, whole = fate } = tree;
  const rows = rowsOfTree(tree);
  const isThin = step.map((at, i) => fate[i] === "pruned" && at !== opened);
  const wide = considered.map((_, n) => Math.max(least, ...widths.filter((__, i) => step[i] === n + 1 && (!isThin[i] || whole[i] !== "pruned"))));
  const begins = first + gap;
  const lines = linesOfColumns(wide, gap, room - begins);
  const prunedAt = (/** @type {number} */ n) => step.filter((at, i) => at === n + 1 && fate[i] === "pruned").length;
  // The tree has the best of them only.
  const cutAt = (/** @type {number} */ n) => considered[n] - step.filter((at, i) => at === n + 1 && fate[i] !== "pruned").length;
  let y = 0;
  const heights = Array.from({ length: 1 + Math.max(0, ...lines) }, (_, line) => {
    const from = y;
    const most = 1 + Math.max(0, ...rows.filter((__, i) => fate[i] !== "pruned" && lines[step[i] - 1] === line));
    const under = from + top + most * row;
    y = under + band + (opened !== null && lines[opened - 1] === line ? row * prunedAt(opened - 1) : 0);
    return { top: from, under };
  });
  let x = begins;
  const columns = wide.map((width, n) => {
    if (lines[n] !== (lines[n - 1] ?? 0)) x = begins;
    const column = { left: x, width, pruned: prunedAt(n), cut: cutAt(n), line: lines[n], ...heights[lines[n]] };
    x += width + gap;
    return column;
  });
  const nodes = step.map((at, i) => {
    const { left, width, line, under, top: from } = columns[at - 1];
    const isPruned = fate[i] === "pruned";
    const high = isThin[i] ? under + (rows[i] + 1) * mark
      : isPruned ? under + band + rows[i] * row : from + top + rows[i] * row;
    return { left, width, line, top: high, middle: isThin[i] ? high : high + word * row, isThin: isThin[i] };
  });
  return { nodes, columns, band, lines: heights, width: Math.max(...columns.map(({ left, width }) => left + width)), height: y };
}

/**
 * The places of a hypothesis and of all that it grew from, the first token's first.
 * @param {Tree} tree
 * @param {number} place
 */
export function pathTo({ parent }, place) {
  const path = [];
  for (let at = place; at >= 0; at = parent[at]) path.unshift(at);
  return path;
}

/** How many steps the search took. @param {Tree} tree */
export const stepsOf = ({ considered }) => considered.length;

/**
 * The node that an arrow key leads to: the parent, the best child, or a neighbour of the same step;
 * the node itself where there is none.
 * @param {Tree} tree
 * @param {number} place
 * @param {string} key
 * @param {number} last the last step that is drawn
 */
export function neighbour(tree, place, key, last) {
  const { parent, step } = tree;
  if (key === "ArrowLeft") return parent[place] >= 0 ? parent[place] : place;
  if (key === "ArrowRight") {
    const child = step[place] < last ? parent.indexOf(place) : -1;
    return child >= 0 ? child : place;
  }
  const next = place + (key === "ArrowDown" ? 1 : -1);
  return step[next] === step[place] ? next : place;
}

/**
 * Where a box scrolls to for a column: as little as brings the column wholly into view, with the
 * beginning of a column at the left edge.
 * @param {{start: number, end: number}[]} columns from left to right, CSS pixels
 * @param {number} place of the column
 * @param {number} from where the box is scrolled to
 * @param {number} room the width of the box
 */
export function scrollFor(columns, place, from, room) {
  const { start, end } = columns[place];
  if (start < from) return start;
  if (end - room <= from) return from;
  return Math.min(start, ...columns.map((column) => column.start).filter((at) => at >= end - room)
    .slice(0, 1));
}

/**
 * The shape of an edge from the right end of a word to the left end of another, in CSS pixels.
 * @param {{x: number, turn: number, y: number}} from turn: up to where it is level
 * @param {number} x1
 * @param {number} y1
 */
export function edgeShape({ x, turn, y }, x1, y1) {
  const [a, b, m] = [y, y1, (turn + x1) / 2].map((value) => value.toFixed(1));
  return `M${x.toFixed(1)} ${a}H${turn.toFixed(1)}C${m} ${a} ${m} ${b} ${x1.toFixed(1)} ${b}`;
}

/**
 * The shape of an edge to the line below: level to the end of its own, and on from the beginning of the next
 * at the same row.
 * @param {{x: number, y: number}} from
 * @param {number} end of the line, CSS pixels
 * @param {{x: number, turn: number, y: number}} on where it begins again, as of `edgeShape`
 * @param {number} x1
 * @param {number} y1
 */
export const edgeShapeOn = ({ x, y }, end, on, x1, y1) =>
  `M${x.toFixed(1)} ${y.toFixed(1)}H${end.toFixed(1)}${edgeShape(on, x1, y1)}`;
