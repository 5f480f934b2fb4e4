// One address of a place: where on the screen a row, a column, a cell, a candidate, a head, a control
// or a part of the page is drawn now. What a lesson points at, and what it covers, is found here.

import { gridOn } from "../draw/grid.js";
import { placeOn } from "../draw/place.js";
import { rowUnits, unitAt } from "../run/units.js";

/**
 * A box on the screen, in CSS pixels of the window.
 * @typedef {{left: number, top: number, width: number, height: number}} Box
 */

const AROUND = 8; // CSS pixels over a place that was scrolled to

/** The parts of the page that a lesson names, as selectors; what the first that is there describes counts. @type {Record<string, string[]>} */
const PARTS = {
  map: [".map-box:not([hidden]), .map .table-box:not([hidden])", ".masks-grid", ".compare-maps", ".beam-box", ".inside-body",
    ".positions-three > *", ".positions-panes", ".heads-left", ".training-maps > *"],
  candidates: [".candidates", ".compare-candidates", ".way-right"],
  text: [".beam-says", ".beside-words", ".strip-target > .tokens"],
  sentence: [".pair-said", ".masks-says", ".inside-sentence", ".reading"],
  banner: [".masks-banner", ".masks-banner > *", ".compare-hero", ".beam-says", ".inside-sentence", ".positions-answer", ".heads-says", ".training-says"],
  report: [".positions-report", ".positions-view", ".beam-found, .beam-side", ".heads-body, .heads-find", ".inside-body",
    ".masks-predictions, .masks-below, .masks-summary", ".compare-left, .compare-side, .compare-hero", ".training-curves"],
  heads: [".heads-box", ".compare-heads", ".heads-left"],
  chain: [".inside-chain", ".inside-way", ".inside-spread"],
  last: [".way-stage:last-child"], // of a token's way
  last_two: [".way-stage:nth-last-child(-n+2)"],
  tree: [".beam-box"],
  source: [".source-box"],
  vectors: [".compare-vectors"],
  breaks: [".masks-breaks", ".compare-pick"],
  pad_map: [".masks-map[data-sheet=pad]"],
  causal_map: [".masks-map[data-sheet=causal]"],
  weights_map: [".masks-map[data-sheet=weights]"],
  chosen_key: ["[data-panel=softmax] tr[aria-current=true]"],
  about: ["[data-tool=card]"],
  // what a question of the rooms Inside, Heads, Positions and Training can be about
  lengths: [".stage-size"],
  lens: [".stage-lens"],
  query: [".inside-tokens[data-tokens=query]"],
  products: ["[data-panel=product] :is(.step-bar, .step-bar + td)"],
  score: ["[data-panel=product] .product-sum > span:last-of-type, [data-panel=softmax] :is(td:nth-child(2), td:nth-child(3))"],
  weights: ["[data-panel=softmax] td:nth-child(n+4)"],
  carried: ["[data-vectors=values]"],
  measured: [".heads-left > :not(.heads-picks)"],
  distances: [".heads-bars"],
  alike: [".positions-pair"],
  cosine: [".positions-two"],
  ...Object.fromEntries(["learnt", "loss", "copied", "entropy", "rate"].map((curve) => [curve, [`.training-curve[data-curve=${curve}]`]])),
  exact: [".training-curve[data-curve=score]"],
};

/** Whether something is drawn; a menu that is shut has a place all the same. @param {Element} one */
const isSeen = (one) => one.getClientRects().length > 0 && !one.closest("details:not([open]) > :not(summary)");

/** The elements of the open page that a selector describes. @param {HTMLElement} root @param {string} selector */
const seen = (root, selector) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]
  .filter((one) => isSeen(one) && !one.closest(".lesson-over, .lesson-card")));

/** The elements of a part: the first of its selectors that is there. @param {HTMLElement} root @param {string} name */
export function partsOf(root, name) {
  for (const selector of PARTS[name] ?? [`[data-panel="${window.CSS.escape(name)}"]`]) {
    const found = seen(root, selector);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * A control by what it does, by its name, or by what it chooses; of a row of buttons that has the name all of it.
 * @param {HTMLElement} root
 * @param {string} name
 */
function controlsOf(root, name) {
  const every = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("button, select, input, summary, label"));
  // Whether one is seen lays the page out, and is asked of those with the name alone.
  const seenOf = (/** @type {(one: HTMLElement) => boolean} */ isNamed) => [...every].filter((one) => isNamed(one)
    && isSeen(one) && !one.closest(".lesson-over, .lesson-card, [data-covered]"));
  const found = seenOf((one) => Object.values(one.dataset).includes(name) || one.getAttribute("name") === name
    || one.parentElement?.matches(`details.${window.CSS.escape(name)}`) === true);
  const one = found.find((each) => each.closest(".thumb-bar")) ?? found.find((each) => !each.matches(".as-link")) ?? found[0]
    ?? seenOf((each) => name in each.dataset)[0]?.closest(".switch, .tabs");
  return one ? [one] : [];
}

/** The maps of the open room. @param {HTMLElement} root */
export const mapsOf = (root) => seen(root, ".room:not([hidden]) canvas.map-canvas")
  .flatMap((canvas) => gridOn(canvas) ?? []);

/** A box cut to what of it lies within another; null where nothing does. @param {Box} box @param {Box} within @returns {?Box} */
export function cut(box, within) {
  const left = Math.max(box.left, within.left);
  const top = Math.max(box.top, within.top);
  const width = Math.min(box.left + box.width, within.left + within.width) - left;
  const height = Math.min(box.top + box.height, within.top + within.height) - top;
  return width > 0 && height > 0 ? { left, top, width, height } : null;
}

/**
 * Where an element is drawn, cut to what it is scrolled in; null where that shows nothing of it.
 * @param {HTMLElement} root
 * @param {Element} one
 * @param {Box} [drawn] a part of it
 */
export function boxInSight(root, one, drawn = one.getBoundingClientRect()) {
  /** @type {?Box} */
  let box = drawn;
  for (let around = one.parentElement; box && around && around !== root; around = around.parentElement) {
    const { display, overflowX, overflowY } = window.getComputedStyle(around);
    if (display === "contents") continue; // it has no box, whatever it does with what flows over
    if (overflowX === "auto" || overflowY === "auto") box = cut(box, around.getBoundingClientRect());
  }
  return box;
}

/**
 * What of a box lies outside another: at most four boxes.
 * @param {Box} box
 * @param {Box} other
 * @returns {Box[]}
 */
function beside(box, other) {
  const shared = cut(box, other);
  if (!shared) return [box];
  const [right, bottom] = [shared.left + shared.width, shared.top + shared.height];
  return [
    { ...box, height: shared.top - box.top },
    { ...box, top: bottom, height: box.top + box.height - bottom },
    { ...box, top: shared.top, height: shared.height, width: shared.left - box.left },
    { ...box, top: shared.top, height: shared.height, left: right, width: box.left + box.width - right },
  ].filter(({ width, height }) => width > 0 && height > 0);
}

/** The same places as boxes none of which lies over another. @param {Box[]} boxes */
export const disjoint = (boxes) => boxes.reduce((/** @type {Box[]} */ before, box) =>
  [...before, ...before.reduce((left, one) => left.flatMap((each) => beside(each, one)), [box])], []);

/** @typedef {{one: Element, box: Box}} Drawn an element, and which part of it */

/** The lines of an axis that a place is on: all where it names no token. @param {GridAxis} axis @param {?number} line @param {?number} [token] */
const linesOf = ({ count }, line, token = null) => (token === null ? [0, count - 1] : line === null ? null : [line, line]);

/** The first and the last cell of a map that are those of a row, a column, a cell or a head. @param {GridFrame} map @param {LessonPlace} place */
export function cellsOf(map, place) {
  if (place.kind === "head") return Array(2).fill(map.headOn?.(place) ?? null);
  const { row, column } = placeOn(map, place);
  const [rows, columns] = [linesOf(map.rows, row, place.query), linesOf(map.columns, column, place.key)];
  return [0, 1].map((end) => (rows && columns ? { row: rows[end], column: columns[end] } : null));
}

/**
 * Where a map has cells in sight: its labels stay as it scrolls, and its scale stands beside it.
 * @param {Box} canvas
 * @param {?GridLayout} layout
 * @returns {Box}
 */
export const cellsInSight = (canvas, layout) => (layout === null ? canvas : { left: canvas.left + layout.left, top: canvas.top + layout.top,
  width: layout.view.width - layout.left - layout.bar, height: layout.view.height - layout.top });

/** A place on the maps of the open room. @param {HTMLElement} root @param {LessonPlace} place @returns {Drawn[]} */
function onMaps(root, place) {
  return mapsOf(root).flatMap((map) => {
    const frame = map.frame();
    const [first, last] = !frame || frame.by ? [] : cellsOf(frame, place).map((cell) => cell && map.box(cell.row, cell.column));
    if (!first || !last) return [];
    const at = map.canvas.getBoundingClientRect();
    const box = cut({ left: at.left + first[0], top: at.top + first[1], width: last[0] + last[2] - first[0],
      height: last[1] + last[3] - first[1] }, cellsInSight(at, map.layout()));
    return box ? [{ one: map.canvas, box }] : [];
  });
}

/**
 * The names beside a place on the maps of the open room, which a question about it is answered with: those of all
 * columns, and of its rows.
 * @param {HTMLElement} root
 * @param {LessonPlace} place
 * @returns {Box[]}
 */
export function namesOf(root, place) {
  return onMaps(root, place).flatMap(({ one, box }) => {
    const layout = gridOn(/** @type {HTMLCanvasElement} */ (one))?.layout() ?? null;
    const at = one.getBoundingClientRect();
    if (!layout) return [];
    const cells = cellsInSight(at, layout);
    return [{ ...cells, top: at.top, height: layout.top }, { left: at.left, top: box.top, width: layout.left, height: box.height }];
  });
}

/** The query and the key where a room lists tokens to choose from. @param {HTMLElement} root @param {LessonPlace} place */
const listed = (root, { query, key }) => Object.entries({ query, key }).flatMap(([name, at]) =>
  seen(root, `[data-tokens=${name}] [data-index="${Number(at)}"]`));

/**
 * What is drawn at a place.
 * @param {HTMLElement} root
 * @param {State} state
 * @param {LessonPlace} place
 * @returns {Drawn[]}
 */
function drawnAt(root, state, place) {
  const whole = (/** @type {Element[]} */ elements) => elements.map((one) => ({ one, box: one.getBoundingClientRect() }));
  switch (place.kind) {
    case "row":
    case "column":
    case "cell": return [...onMaps(root, place), ...whole(listed(root, place))];
    case "candidate": return whole(seen(root, `.candidate[data-token="${Number(place.token)}"]`).slice(0, 1));
    case "head": return state.site !== place.site && state.room === "translate" ? []
      : [...whole(seen(root, `.room:not([hidden]) [data-layer="${Number(place.layer)}"][data-head="${Number(place.head)}"]`)
        .filter((one) => !one.closest("[data-covered]")).slice(0, 1)), ...onMaps(root, place)];
    case "stage": return whole(seen(root, ".way-stage").slice(Number(place.step)).slice(0, 1));
    case "control": return whole(controlsOf(root, place.name ?? ""));
    case "part": return whole(partsOf(root, place.name ?? ""));
    default: return [];
  }
}

/**
 * Where a place is drawn: no box where it is not on the screen.
 * @param {HTMLElement} root
 * @param {State} state
 * @param {LessonPlace} place
 * @returns {Box[]}
 */
export const boxesOf = (root, state, place) => drawnAt(root, state, place).flatMap(({ one, box }) => boxInSight(root, one, box) ?? []);

/**
 * Scrolls what a place is drawn in, the window aside, until it begins there.
 * @param {HTMLElement} root
 * @param {State} state
 * @param {LessonPlace} place
 */
export function scrollWithin(root, state, place) {
  const [drawn] = drawnAt(root, state, place);
  let { top, left } = drawn?.box ?? { top: 0, left: 0 };
  for (let around = drawn?.one.parentElement; around && around !== root; around = around.parentElement) {
    const { overflowX, overflowY } = window.getComputedStyle(around);
    const at = around.getBoundingClientRect();
    const before = { top: around.scrollTop, left: around.scrollLeft };
    const isBelow = top < at.top || top + drawn.box.height > at.top + at.height;
    const { width } = drawn.box;
    const beside = width > at.width + 1 ? 0 : Math.min(0, left - at.left) + Math.max(0, left + width - at.left - at.width);
    // To a place and not by so much: on its way it would stop at what is swiped to first.
    around.scrollTo({ behavior: "instant", top: before.top + (overflowY === "auto" && isBelow ? top - at.top - AROUND : 0),
      left: before.left + (overflowX === "auto" ? beside : 0) });
    top -= around.scrollTop - before.top;
    left -= around.scrollLeft - before.left;
  }
}

/**
 * The word of the translation that a row writes, which belongs to what is pointed at.
 * @param {HTMLElement} root
 * @param {State} state
 * @param {LessonPlace} place
 * @returns {Box[]}
 */
export function wordsOf(root, state, { kind, query }) {
  if (state.room !== "translate" || query === undefined || !["row", "cell"].includes(kind) || state.site === "encoder") return [];
  const row = rowUnits(state)[unitAt(rowUnits(state), query) ?? -1] ?? [];
  return seen(root, row.map((at) => `.strip-target .token[data-index="${at + 1}"]`).join(", ") || ".none")
    .map((one) => one.getBoundingClientRect());
}
