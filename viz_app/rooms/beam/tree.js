// The tree: nodes are buttons, with the token on the edge that leads to each and its score; edges are
// drawn under them. What later steps add is hidden until they come.

import { isOnPaper } from "../../stage/draw/canvas.js";
import { labelsOf, widthOf } from "../../stage/draw/labels.js";
import { onceLaidOut, sizeOf, watchSize } from "../../stage/draw/laid_out.js";
import { claim, fadeEnds, isShortcut, makeDiffers, nearest, press, scrollToItem } from "../../stage/page/elements.js";
import { elementOf, html, render, svg } from "../../stage/page/html.js";
import { edgeShape, edgeShapeOn, foldedTree, neighbour, pathTo, placesOfTree, scrollFor } from "./layout.js";
import { fateOf, nats } from "./says.js";

const ROW = 33; // CSS pixels at the normal type size, and so below: a word, and its score under it
const LOW = 30; // the same in a low window: what was found is in sight under the tree
const FINGER = 44; // the same on a phone; and of what is pressed there
const TOP = 20; // the number of the step over its column
const GAP = 18;
const NARROW_GAP = 10; // the same on a phone, which has room for four or five columns a line
const LONGEST = 118; // of a token
const INNER = 11; // around a word
const LEAST = 28; // of a column
const LEAD = 12; // of the edges before a column, where it stands at the left edge
const WORD = 0.3; // of a row: where the middle of its word is
const MARK = 4; // from a thin mark to the next
const TIP = 10; // how long it is
const BELOW = 80; // CSS pixels for the signs and the steps under the tree
const SCREENS = 1.5; // of a page that scrolls, which the tree may have

/** The style of what stands at a place. @param {Record<string, number>} sides in CSS pixels */
const styleAt = (sides) => Object.entries(sides).map(([side, length]) => `${side}:${length}px`).join(";");

/**
 * How wide the word of each node is, and how wide the node: its score may be wider.
 * @param {Label[]} labels
 * @param {string[]} scores
 * @param {Palette} palette
 * @param {number} unit
 */
function widthsOf(labels, scores, palette, unit) {
  const [mono, sans] = [`600 ${14 * unit}px ${palette.mono ?? "monospace"}`, `600 ${13 * unit}px ${palette.sans ?? "sans-serif"}`];
  return labels.map(({ label, kind }, i) => {
    const word = Math.ceil(INNER * unit + Math.min(LONGEST * unit, widthOf(mono, label) + (kind === "text" ? 0 : 8 * unit)));
    return { word, node: Math.max(word, Math.ceil(INNER * unit + widthOf(sans, scores[i]))) };
  });
}

/**
 * The step whose folded candidates are written out, from 1, where what led to nothing found is folded and where it is not.
 * @typedef {function(boolean): ?number} OpenedIn
 */

/**
 * Where the nodes and edges of an answer stand.
 * @param {Words} t
 * @param {{answer: BeamAnswer, labels: Label[], start: string, last: number, unit: number, palette: any,
 *     isSlim: boolean, isLow: boolean, openedIn: OpenedIn, room: number, high: number}} shown `room`: for a line
 *     of it; `high`: for all of it, or what led to nothing found is folded
 */
function placeTree(t, { answer: { tree, greedy }, labels, start, last, unit, palette, isSlim, isLow, openedIn, room, high }) {
  const scores = tree.score.map(nats);
  const foldedAt = (/** @type {number} */ step) => foldedTree(tree, greedy.places, step);
  const mostOf = (/** @type {BeamAnswer["tree"]} */ { step, fate }) => Math.max(0, ...tree.considered.map((_, n) =>
    step.filter((at, i) => at === n + 1 && fate[i] === "pruned").length));
  const row = (isSlim ? FINGER : isLow ? LOW : ROW) * unit;
  // The word before the tree, and that before each band: with nothing to spare on a phone.
  const before = Math.max(widthOf(`italic ${14 * unit}px ${palette.sans}`, start), widthOf(`${13 * unit}px ${palette.sans}`, t("beam_key_pruned")));
  const first = Math.min(LONGEST * unit, Math.ceil(before + (isSlim ? 4 : 20) * unit));
  const top = TOP * unit;
  const widths = widthsOf(labels, scores, palette, unit);
  /** @param {BeamAnswer["tree"]} drawn @param {?number} opened */
  const placesOf = (drawn, opened) => placesOfTree(drawn, widths.map(({ node }) => node), opened,
    { row, top, gap: (isSlim ? NARROW_GAP : GAP) * unit, first, mark: MARK * unit, word: WORD, least: LEAST * unit, room: room - 2,
      band: Math.max((isSlim ? FINGER : 26) * unit, (mostOf(drawn) + 1.5) * MARK * unit) });
  const isFolded = placesOf(tree, null).height > high;
  const [drawn, opened] = [isFolded ? foldedAt(last) : tree, openedIn(isFolded)];
  const [places, most] = [placesOf(drawn, opened), mostOf(drawn)];
  // While it is stepped through, what stands below the tree stays where it is.
  const isStepped = isFolded && last < tree.considered.length;
  const height = Math.max(places.height, ...(isStepped ? tree.considered.map((_, n) => placesOf(foldedAt(n + 1), null).height) : []));
  const { nodes: at, lines } = places;
  const columns = places.columns.map(({ left, width }, n) =>
    ({ start: n > 0 ? left - LEAD * unit : 0, end: left + width + 2 }));
  const size = { width: places.width + 2, height: height + 2 };
  /** @param {number} node */
  const edgeTo = (node) => {
    const parent = tree.parent[node];
    // It turns where the column ends, so that it crosses no word below its own.
    const from = parent < 0 ? { x: first, turn: first, y: top + WORD * row }
      : { x: at[parent].left + widths[parent].word, turn: at[parent].left + at[parent].width,
        y: at[parent].middle };
    const { left, middle, isThin, line } = at[node];
    const before = parent < 0 ? line : at[parent].line;
    const on = { x: first / 2, turn: first, y: from.y - lines[before].top + lines[line].top };
    const edge = before === line ? edgeShape(from, left, middle) : edgeShapeOn(from, size.width - 2, on, left, middle);
    return `${edge}${isThin ? `h${TIP * unit}` : ""}`;
  };
  const won = new Set(pathTo(tree, tree.found[0]));
  /** Whether a node and what leads to it are thin marks: a line between two marks says nothing. @param {number} node */
  const isInFold = (node) => at[node].isThin && tree.parent[node] >= 0 && at[tree.parent[node]].isThin;
  const kindOf = (/** @type {number} */ node) => `${drawn.fate[node]}${won.has(node) ? " won" : ""}${isInFold(node) ? " folded" : ""}`;
  const order = [...tree.step.keys()].sort((a, b) => Number(won.has(a)) - Number(won.has(b)));
  return {
    size, columns, lines, opened, isFolded,
    edges: order.map((node) => ({ node, path: edgeTo(node), kind: kindOf(node) })),
    ways: greedy.places.map((node) => ({ node, path: edgeTo(node) })),
    nodes: tree.step.map((_, node) => {
      const { left, top: y, width, isThin } = at[node];
      return { isThin, isWon: won.has(node), score: scores[node], words: `${labels[node].label}, ${scores[node]}, ${fateOf(t, tree, node)}`,
        style: styleAt({ left, top: y, width, height: row }) };
    }),
    root: styleAt({ width: first, top, height: 2 * WORD * row }),
    bands: most === 0 ? [] : lines.map(({ under }) => styleAt({ width: first, top: under, height: places.band })),
    marks: places.columns.map(({ left, width, top: over }) => styleAt({ left, top: over, width })),
    strips: places.columns.map(({ left, under, width, pruned, cut }) => ({ pruned, cut, style: styleAt({ left, top: under, width, height: places.band }) })),
  };
}

/** @typedef {ReturnType<typeof placeTree>} Placed */

/**
 * The tree as it is at a step.
 * @param {Words} t
 * @param {{answer: BeamAnswer, labels: Label[], start: string, last: number, chosen: number}} shown
 * @param {Placed} placed
 * @param {{choose(place: number): void, open(step: number, isFolded: boolean): void}} acts
 */
function sheetOf(t, { answer: { tree }, labels, start, last, chosen }, placed, { choose, open }) {
  const { size, edges, ways, nodes, root, bands, marks, strips, opened, isFolded } = placed;
  const path = new Set(pathTo(tree, chosen));
  const later = (/** @type {number} */ step) => (step > last ? " later" : "");
  const dead = (/** @type {number} */ node) => (tree.died[node] > 0 && tree.died[node] <= last ? " dead" : "");
  /** The button over the thin marks of a step, which writes its pruned candidates out. @param {Placed["strips"][number]} strip @param {number} i */
  const stripOf = ({ pruned, cut, style }, i) => {
    const step = i + 1;
    const words = t(`beam_${isFolded ? "fold" : "strip"}${opened === step ? "_close" : ""}`, { n: pruned, m: cut, step });
    return html`
      <button type="button" class="beam-strip${later(step)}" title=${words} aria-label=${words} aria-expanded=${opened === step}
        data-strip=${step} data-step=${step} ?hidden=${pruned === 0} .style=${style}
        @click=${press(() => open(step, isFolded))}><span>${pruned}</span></button>`;
  };
  /** @param {Placed["nodes"][number]} node @param {number} place */
  const nodeOf = ({ isThin, isWon, score, words, style }, place) => html`
    <button type="button" class="beam-node${isWon ? " won" : ""}${later(tree.step[place])}${dead(place)}${path.has(place) ? " path" : ""}"
      title=${words} aria-label=${words} aria-pressed=${place === chosen} tabindex=${place === chosen ? 0 : -1}
      data-node=${place} data-step=${tree.step[place]} data-fate=${tree.fate[place]} ?hidden=${isThin} .style=${style}
      @click=${press(() => choose(place))}>
      <span class="beam-token kind" dir="auto" data-kind=${labels[place].kind}>${labels[place].label}</span>
      <span class="beam-score">${score}</span></button>`;
  return html`
    <svg class="beam-edges" aria-hidden="true" width=${size.width} height=${size.height}>
      ${edges.map(({ node, path: d, kind }) => svg`<path class="beam-edge ${kind}${later(tree.step[node])}${dead(node)}" d=${d}></path>`)}
      ${ways.map(({ node, path: d }) => svg`<path class="beam-edge greedy${later(tree.step[node])}" d=${d}></path>`)}</svg>
    <span class="beam-root" .style=${root}>${start}</span>
    ${bands.map((style) => html`<span class="beam-band" aria-hidden="true" .style=${style}>${t(isFolded ? "beam_key_others" : "beam_key_pruned")}</span>`)}
    ${marks.map((style, i) => html`<span class="beam-mark${i + 1 === last ? " now" : ""}" aria-hidden="true" .style=${style}>${i + 1}</span>`)}
    ${nodes.map(nodeOf)}${strips.map(stripOf)}`;
}

/**
 * Where the box is scrolled to when the last column is in view.
 * @param {Placed} placed
 * @param {number} room the width of the box
 */
const farthest = ({ columns }, room) => scrollFor(columns, columns.length - 1, 0, room);

/**
 * Makes the sheet so wide that its last scroll place, too, begins with a column; not on a phone, which
 * has no room to leave empty.
 * @param {HTMLElement} box
 * @param {HTMLElement} sheet
 * @param {Placed} placed
 * @param {number} room the width of the box
 */
function fit(box, sheet, placed, room) {
  if (room === 0) return;
  const end = box.closest(".slim") || placed.lines.length > 1 ? 0 : farthest(placed, room);
  sheet.style.width = `${end > 0 ? end + room : placed.size.width}px`;
}

/** The nodes in their order. @param {HTMLElement} box */
const nodesIn = (box) => [.../** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(".beam-node"))];

/**
 * Brings what is new into view: the column of the step that is now the last, or the chosen node;
 * another tree opens at its first step.
 * @param {HTMLElement} box
 * @param {Placed} placed
 * @param {{answer: BeamAnswer, last: number, chosen: number}} shown
 * @param {{isNew: boolean, isStep: boolean}} what `isStep`: whether another step is the last
 */
function follow(box, placed, { answer: { tree }, last, chosen }, { isNew, isStep }) {
  const nodes = nodesIn(box);
  if (placed.lines.length > 1) { // all of it is in sight, but on a phone
    const column = isStep && !isNew && box.closest(".slim") ? nodes.filter((node, i) => tree.step[i] === last && !node.hidden) : [];
    for (const node of [column.at(-1), column[0]]) node?.scrollIntoView({ block: "nearest" });
    return;
  }
  const room = box.clientWidth;
  if (isNew && last === placed.columns.length) {
    box.scrollTo({ left: 0, top: 0 });
    return;
  }
  const isChosen = !isNew && !isStep && tree.step[chosen] <= last;
  const step = isChosen ? tree.step[chosen] : last;
  box.scrollLeft = scrollFor(placed.columns, step - 1, box.scrollLeft, room);
  scrollToItem(box, nodes[tree.step[chosen] === step ? chosen : tree.step.indexOf(last)]);
}

/** @param {Words} t @param {{choose(place: number): void, open(step: number, isFolded: boolean): void, redraw: Redraw}} acts */
export function makeBeamTree(t, acts) {
  const sheet = elementOf(html`<div class="beam-sheet"></div>`);
  const element = elementOf(html`
    <div class="beam-box" role="group" aria-label=${t("beam_tree_label")} @keydown=${turn}>${sheet}</div>`);
  /** @type {?Placed} */
  let placed = null;
  const isOther = makeDiffers();
  /** @type {any} */
  let shown = null;
  /** @type {?number} */
  let wanted = null; // the node that a key led to
  let come = () => {};
  let wide = 0; // the box, where the tree that is built was broken into lines
  const fade = fadeEnds(element);

  const around = () => /** @type {HTMLElement} */ (element.parentElement);

  /** How long a line of the tree may be: a picture is as wide as it is. */
  function roomOfLine() {
    [wide] = sizeOf(element);
    return wide === 0 || element.closest(".picture") ? Infinity : wide;
  }
  const watchers = [watchSize(element, () => (wide > 0 ? [wide] : []), acts.redraw)];
  let left = [0, 0]; // the size of what scrolls around it, when it was drawn

  /** How high the tree may be, CSS pixels: what the window leaves it; a page has some screens, a picture and paper no end. @param {number} unit */
  function roomBelow(unit) {
    left = [0, 0];
    if (element.closest(".paper, .picture")) return Infinity;
    if (element.closest(".narrow, .large")) return SCREENS * window.innerHeight;
    left = sizeOf(around()).slice(0, 2);
    return left[1] > 0 ? left[1] - BELOW * unit : Infinity;
  }

  /** @param {KeyboardEvent} event */
  function turn(event) {
    const node = nearest(event, ".beam-node");
    if (!/^Arrow/.test(event.key) || !node || !shown || isShortcut(event)) return;
    claim(event);
    const next = neighbour(shown.answer.tree, Number(node.dataset.node), event.key, shown.last);
    wanted = next;
    acts.choose(next);
  }

  return {
    element,
    /** Watches what scrolls around the tree, once it stands there; drawn anew where the height of the tree was taken from it. */
    watch() {
      watchers.push(watchSize(around(), () => (left[1] > 0 ? left : [around().clientWidth, around().clientHeight]), acts.redraw));
    },
    /**
     * @param {{answer: BeamAnswer, labels: Label[], start: string, last: number, chosen: number,
     *     unit: number, palette: any, openedIn: OpenedIn}} next `last`: the last step that is drawn
     */
    build(next) {
      const isSlim = element.closest(".slim") !== null;
      const isLow = element.closest(".stage.short:not(.large, .paper, .picture)") !== null;
      const [room, high] = [roomOfLine(), roomBelow(next.unit)];
      const isNew = isOther(next.answer, next.unit, isSlim, isLow, room, high, next.start,
        next.labels.map(({ label }) => label).join(" "));
      const isStep = placed?.isFolded && shown?.last !== next.last; // others are folded
      if (isNew || !placed || isStep || next.openedIn(placed.isFolded) !== placed.opened) {
        placed = placeTree(t, { ...next, isSlim, isLow, room, high });
        sheet.style.height = `${placed.size.height}px`;
        fit(element, sheet, placed, wide); // before it is laid out, or that would be done once more
        element.style.scrollPaddingInlineStart = `${LEAD * next.unit}px`;
      }
      render(sheetOf(t, next, placed, acts), sheet);
      return isNew;
    },
    /** What is seen of what is built. @param {any} next as of `build` @param {boolean} isNew */
    update(next, isNew) {
      if (!placed) return;
      if (isOnPaper(element)) fit(element, sheet, placed, element.clientWidth);
      const isStep = shown?.last !== next.last;
      const moved = isStep || shown.chosen !== next.chosen;
      shown = next;
      if (wanted !== null) nodesIn(element)[wanted].focus();
      wanted = null;
      if (moved || isNew) come = () => placed && follow(element, placed, next, { isNew, isStep });
    },
    /** Brings what is new into view, once all is drawn. */
    follow() {
      onceLaidOut(element, () => {
        if (placed) fit(element, sheet, placed, element.clientWidth);
        come();
        come = () => {};
        return fade();
      });
    },
    destroy: () => watchers.forEach((one) => one.disconnect()),
  };
}

/** What the signs of the tree mean, in one line. @param {Words} t @param {boolean} isHidden */
export const treeKey = (t, isHidden) => html`
  <p class="beam-key" ?hidden=${isHidden}>
    ${["kept", "won", "finished", "greedy", "dead"].map((sign) => html`<span class="beam-sign" data-sign=${sign}>${t(`beam_key_${sign}`)}</span>`)}
    <span>${t("beam_key_twice")}</span></p>`;

/**
 * The labels of all nodes.
 * @param {Words} t
 * @param {BeamAnswer} answer
 * @param {boolean} spelled
 * @returns {Label[]}
 */
export const labelsOfTree = (t, { tokens }, spelled) => labelsOf(tokens, false, spelled, t);
