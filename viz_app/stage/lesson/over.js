// What a lesson lays over the live page: what hides a part of it until the reader has guessed, what rings
// the places that a step is about, the cells that can be picked, and what dims the rest. It is drawn
// anew with the page, and none of it is part of a picture that is kept.

import { partsAt, placeOn } from "../draw/place.js";
import { hide, isShortcut, setTrait } from "../page/elements.js";
import { elementOf, html, nothing, render } from "../page/html.js";
import { coveredPlaces } from "./seen.js";
import { disjoint, boxesOf, boxInSight, cellsInSight, cut, mapsOf, namesOf, partsOf, scrollWithin, wordsOf } from "./places.js";

/** @typedef {import("./places.js").Box} Box */

/**
 * Where the reader is in a step: whether nothing is covered any more, whether something was done on the
 * page that it asks for, the guess, and the rows that steps before it have shown.
 * @typedef {{isOpen: boolean, isDone: boolean, guess: any, seen?: number[]}} Laid
 *
 * Where everything is, on the screen: the page itself, covers, rings, the guess, all of the page that is not dimmed, and
 * what the step is about; `cells` are those to pick.
 * @typedef {{at: Box, isOpen: boolean, covered: Box[], rings: Box[], guessed: Box[], holes: Box[], about: Box[], cells: unknown}} Measured
 */

const EDGE = 4; // CSS pixels between a place and its ring

/** What says the same as a part that is covered, and is hidden with it. @type {Record<string, string[]>} */
const ALSO = {
  row: [".arcs", ".pair-said", ".map-foot", ".heads-box", ".map-entropy", ".thumb-bar p", ".map .table-box", ".look-inside",
    ".masks-says", ".masks-equation", ".room:not([hidden]) > .reading"],
  candidates: [".candidates .places", ".candidates-heading", ".machine"],
  text: [".arcs", ".pair-said", ".said", ".room[data-room='translate'] > :is(.map, .candidates, .machine)", ".branches", ".whatif-changed",
    ".strip-target > .tokens", ".thumb-bar p"],
  sentence: [".map-foot", ".thumb-bar p"],
  ...Object.fromEntries(["product", "softmax", "values", "output", "query"].map((part) => [part, [".inside-sentence"]])),
  weights: [".inside-sentence", "[data-panel=softmax] .panel-result"],
  products: ["[data-panel=product] .vectors"],
  lengths: [".inside-sentence", ".stage-vectors"],
  measured: [".heads-rank", ".heads-says .reading", ".heads-on"],
  learnt: [".training-mistake"],
  loss: [".training-mistake"],
  copied: [".training-says", "[data-training=jump]"],
  heads: [".compare-lead", ".compare-alike", ".compare-nearest"],
  breaks: [".compare-more"],
  report: [".inside-sentence", ".heads-title", ".heads-says", ".heads-on", ".masks-findings", ".positions-changes"],
};
const OF_MAP = ["row", "cell", "map"];
const OF_GRID = ["row", "column", "cell"];

/** Whether covers hide the weights of a map, in all that says them. @param {string[]} covers */
export const hidesWeights = (covers) => covers.some((kind) => OF_MAP.includes(kind));

/**
 * What of the page a cover hides, and which of it keeps its place with a word on it. Small maps that are to be
 * pressed stay.
 * @param {HTMLElement} root
 * @param {string} kind
 * @param {LessonStep} step
 */
function hiddenBy(root, kind, { point }) {
  const main = ["row", "cell"].includes(kind) ? [] : partsOf(root, kind);
  const also = ALSO[OF_MAP.includes(kind) ? "row" : kind] ?? [];
  const open = also.length > 0 ? [...root.querySelectorAll(also.join(", "))] : [];
  const isOfHeads = point.some((place) => place.kind === "head" || place.name === "heads");
  return { main, all: [...main, ...open.filter((one) => !one.closest(".lesson-over, .lesson-card")
    && !(isOfHeads && one.matches(".heads-box")))] };
}

/** @param {Box} box @param {Box} at */
const styleOf = ({ left, top, width, height }, at) =>
  `left: ${left - at.left}px; top: ${top - at.top}px; width: ${width}px; height: ${height}px`;

/** @param {Box} box @param {number} by @returns {Box} */
const grown = ({ left, top, width, height }, by) =>
  ({ left: left - by, top: top - by, width: width + 2 * by, height: height + 2 * by });

/** Boxes of one width that stand one below the other, as one. @param {Box[]} boxes */
const stacked = (boxes) => boxes.reduce((/** @type {Box[]} */ made, { left, top, width, height }) => {
  const above = made.find((one) => Math.abs(one.left - left) < EDGE && Math.abs(one.width - width) < EDGE
    && Math.abs(one.top + one.height - top) < height);
  if (above) above.height = top + height - above.top;
  else made.push({ left, top, width, height });
  return made;
}, []);

/** Whether a box lies within another, an edge aside. @param {Box} one @param {Box} box */
const holds = (one, box) => box.left > one.left - 2 * EDGE && box.top > one.top - 2 * EDGE
  && box.left + box.width < one.left + one.width + 2 * EDGE && box.top + box.height < one.top + one.height + 2 * EDGE;

/** What of a box is above a bar that lies over the foot of the page; all of it where there is no bar. @param {Box} box @param {Box} bar @returns {Box[]} */
const aboveOf = (box, bar) => (bar.height === 0 || box.top + box.height <= bar.top ? [box]
  : box.top < bar.top ? [{ left: box.left, top: box.top, width: box.width, height: bar.top - box.top }] : []);

/** How much of a box is in the window, in pixels. @param {Box} box */
const inSight = ({ top, width, height }) => width * Math.max(0, Math.min(top + height, window.innerHeight) - Math.max(top, 0));

/** Whether the words on a cover fit into it. @param {Box} box */
const hasRoom = ({ width, height }) => width > 200 || (width > 110 && height > 90);

/** @param {Box} box @returns {Box} */
const turned = ({ left, top, width, height }) => ({ left: top, top: left, width: height, height: width });

/**
 * The cell of tokens at a place of a map; of words, that of the answer where it is among theirs; null where
 * the place shows no token.
 * @param {GridFrame} frame
 * @param {GridCell} place
 * @param {Cell} answer
 * @returns {?Cell}
 */
export function cellPicked(frame, place, answer) {
  const { row, column } = placeOn(frame, answer);
  const { query, key } = row === place.row && column === place.column ? answer : partsAt(frame, place);
  return query === null || key === null ? null : { query, key };
}

/** The same of those of one height beside each other: a table is one box. @param {Box[]} boxes */
const joined = (boxes) => stacked(stacked(boxes).map(turned)).map(turned);

/**
 * @param {HTMLElement} root
 * @param {Words} t
 * @param {Session} session
 * @param {function(Cell): void} pick
 */
export function makeLessonOver(root, t, { state }, pick) {
  const element = elementOf(html`<div class="lesson-over" hidden></div>`);
  /** @type {(ReturnType<typeof hiddenBy> & {kind: string})[]} */
  let parts = []; // what is covered
  /** @type {Set<Element>} */
  let hidden = new Set();
  /** @type {Set<Element>} */
  let closed = new Set();

  /** Marks elements, and those no more that were before. @param {Set<Element>} before @param {Set<Element>} now @param {function(Element, boolean): void} mark */
  function mark(before, now, mark) {
    for (const one of before) if (!now.has(one)) mark(one, false);
    for (const one of now) mark(one, true);
    return now;
  }

  /** The cells that can be picked: of the rows that are pointed at, else of every row. @param {LessonStep} step @param {Box} at */
  function cellsToPick(step, at) {
    const [map] = mapsOf(root);
    const frame = map?.frame();
    if (!frame || frame.by) return null;
    const queries = step.point.flatMap(({ kind, query }) => (["row", "cell"].includes(kind) && query !== undefined ? [query] : []));
    const rows = [...new Set(queries.map((query) => placeOn(frame, { query }).row))].filter((row) => row !== null);
    const layout = map.canvas.getBoundingClientRect();
    const every = rows.length > 0 ? rows : Array.from({ length: frame.rows.count }, (_, row) => row);
    const label = (/** @type {GridAxis} */ axis, /** @type {number} */ i) => axis.labels?.[i]?.label ?? String(i + 1);
    const sight = cellsInSight(layout, map.layout());
    const boxAt = (/** @type {number} */ row, /** @type {number} */ column) => {
      const [left, top, width, height] = map.box(row, column) ?? [0, 0, 0, 0];
      const box = { left: layout.left + left, top: layout.top + top, width, height };
      return cut(box, sight) ?? { ...sight, top: box.top, width: 0, height: 0 }; // keys still come to it
    };
    const cells = every.flatMap((row) => Array.from({ length: frame.columns.count }, (_, column) => ({ row, column,
      cell: cellPicked(frame, { row, column }, step.ask?.answer), box: boxAt(row, column) })))
      .filter(({ row, column, cell }) => cell && !frame.hidden?.(row, column));
    return html`<div class="lesson-cells" role="group" data-rows=${every.length} aria-label=${t("lesson_pick_cell")} @keydown=${turn}>
      ${cells.map(({ row, column, cell, box }, i) => html`<button type="button" class="lesson-pick"
        tabindex=${i === 0 ? "0" : "-1"} data-row=${row} data-column=${column} .style=${styleOf(box, at)} aria-label=${t("lesson_cell", { row: label(frame.rows, row),
    column: label(frame.columns, column) })} @click=${() => pick(/** @type {Cell} */ (cell))}></button>`)}</div>`;
  }

  /** The arrow keys among the cells. @param {KeyboardEvent} event */
  function turn(event) {
    const now = event.target;
    if (!(now instanceof HTMLElement) || !event.key.startsWith("Arrow") || isShortcut(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const [row, column] = [Number(now.dataset.row), Number(now.dataset.column)];
    const steps = /** @type {Record<string, number[]>} */ ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] });
    const [down, right] = steps[event.key];
    /** @type {?HTMLElement} */
    const next = element.querySelector(`[data-row="${row + down}"][data-column="${column + right}"]`);
    if (!next) return;
    setTrait(now, "tabindex", "-1");
    setTrait(next, "tabindex", "0");
    next.focus();
  }

  /** The boxes of a cell. @param {?Cell} cell */
  const boxesOfCell = (cell) => (cell ? boxesOf(root, state, { kind: "cell", ...cell }) : []);

  const over = {
    element,
    /** Hides what a step covers, before anything is measured. @param {?LessonStep} step null: nothing lies over the page @param {Laid} how */
    cover(step, { isOpen }) {
      hide(element, step === null);
      const covers = step === null || isOpen ? [] : step.cover;
      parts = covers.map((kind) => ({ kind, ...hiddenBy(root, kind, /** @type {LessonStep} */ (step)) }));
      hidden = mark(hidden, new Set(parts.flatMap(({ all }) => all)),
        (one, is) => setTrait(one, "data-covered", is ? "" : null));
      const inert = [...(hidesWeights(covers) ? root.querySelectorAll(".room:not([hidden]) :is(.map-box, .table-box)") : []),
        ...(covers.includes("candidates") ? root.querySelectorAll(".strip-target > .tokens") : [])];
      closed = mark(closed, new Set(inert), (one, is) => setTrait(one, "inert", is ? "" : null));
    },
    /**
     * Where all that a step covers and points at is now, and what it is about, the first things first. It only reads: what
     * is written meanwhile would have the browser lay out the page again.
     * @param {?LessonStep} step
     * @param {Laid} how
     * @returns {?Measured}
     */
    measure(step, { isOpen, isDone, guess, seen }) {
      if (step === null) return null;
      const isOfCell = step.ask?.kind === "cell";
      const at = root.getBoundingClientRect();
      // A sentence says what its picture shows: one cover is enough.
      const covers = parts.filter(({ kind }) => kind !== "sentence" || parts.length === 1);
      const covered = covers.flatMap(({ kind, main }) => (main.length > 0
        ? joined(main.flatMap((one) => boxInSight(root, one) ?? []))
        : coveredPlaces(step, kind, seen).flatMap((place) => boxesOf(root, state, place))))
        .map((box) => ({ ...box, isCover: true }));
      const pointed = step.point.flatMap((place) => boxesOf(root, state, place)
        .map((box) => grown(box, OF_GRID.includes(place.kind) ? 1 : EDGE)));
      const rings = pointed.filter((ring) => !covered.some((box) => holds(box, ring)));
      const guessed = boxesOfCell(isOpen && isOfCell ? guess : null);
      const answered = boxesOfCell(isOpen && isOfCell ? step.ask?.answer : null);
      const words = step.point.flatMap((place) => wordsOf(root, state, place));
      const holes = [...rings, ...covered, ...guessed, ...answered, ...words];
      // What is covered within a place that is pointed at comes before that place; what was covered
      // is to be looked at now.
      const within = covered.filter((box) => rings.some((ring) => holds(ring, box)));
      const revealed = (isOpen ? step.cover : []).flatMap((kind) => partsOf(root, kind))
        .map((one) => one.getBoundingClientRect());
      const bar = root.querySelector(".thumb-bar")?.getBoundingClientRect();
      // The names of rows and columns stand around what is pointed at.
      const maps = step.point.some(({ kind }) => OF_GRID.includes(kind)) ? mapsOf(root) : [];
      const around = maps.flatMap(({ canvas }) => boxInSight(root, canvas) ?? []);
      const about = [...(isDone ? revealed : []), ...within, ...holes, ...revealed, ...around];
      const names = step.point.filter(({ kind }) => OF_GRID.includes(kind)).flatMap((place) => namesOf(root, place));
      // Nothing is drawn over the bar but the ring of what is in it.
      const shown = (/** @type {Box[]} */ boxes) => boxes.flatMap((box) => (bar && !holds(bar, box) ? aboveOf(box, bar) : box));
      return { at, isOpen, covered: shown(covered), rings: shown([...rings, ...answered]), guessed: shown(guessed),
        holes: disjoint(shown([...holes, ...names])),
        cells: isOfCell && !isOpen ? cellsToPick(step, at) : null,
        about: about.filter((box) => !bar || !holds(bar, box)) }; // it is always in sight
    },
    /** Lays that over the page. @param {?Measured} measured */
    lay(measured) {
      if (measured === null) {
        render(nothing, element);
        return;
      }
      const { at, isOpen, covered, rings, guessed, holes, cells } = measured;
      const largest = covered.reduce((/** @type {?Box} */ most, one) => (most && inSight(most) >= inSight(one) ? most : one), null);
      const dimmed = holes.length === 0 ? "" : `M0 0H${at.width}V${at.height}H0Z${holes.map((box) =>
        `M${box.left - at.left} ${box.top - at.top}h${box.width}v${box.height}h${-box.width}Z`).join("")}`;
      render(html`
        <svg class=${`lesson-veil${isOpen ? " light" : ""}`} aria-hidden="true" width=${at.width} height=${at.height}>
          <path fill-rule="evenodd" d=${dimmed}></path></svg>
        <div class="lesson-layer">${covered.map((box) => html`<div class="lesson-cover" .style=${styleOf(box, at)}>
          <span aria-hidden="true">${box === largest && hasRoom(box) ? t("lesson_covered") : "?"}</span></div>`)}
        ${rings.map((box) => html`<div class="lesson-ring" .style=${styleOf(box, at)}></div>`)}
        ${guessed.map((box) => html`<div class="lesson-ring yours" .style=${styleOf(grown(box, 3), at)}></div>`)}
        ${cells}</div>`, element);
    },
    /** All three. @param {?LessonStep} step @param {Laid} how @returns {Box[]} what the step is about */
    update(step, how) {
      over.cover(step, how);
      const measured = over.measure(step, how);
      over.lay(measured);
      return measured?.about ?? [];
    },
    /** Scrolls what the page scrolls by itself until it shows what a step is about. @param {LessonStep} step @param {Laid} how */
    bringIn(step, { isDone }) {
      const revealed = step.cover.filter((kind) => partsOf(root, kind).length > 0).map((name) => ({ kind: "part", name }));
      const [first] = [...(isDone ? revealed : []), ...step.point, ...revealed];
      if (first) scrollWithin(root, state, first);
    },
    /** Everything is as without a lesson. */
    clear: () => over.update(null, { isOpen: true, isDone: true, guess: null }),
  };
  return over;
}
