// The tree: nodes are buttons, with the token on the edge that leads to each and its score; edges are
// drawn under them. What later steps add is hidden until they come.

import { isOnPaper } from "../../stage/draw/canvas.js";
import { labelsOf, widthOf } from "../../stage/draw/labels.js";
import { onceLaidOut, sizeOf, watchSize } from "../../stage/draw/laid_out.js";
import { claim, fadeEnds, hide, isShortcut, make, makeButton, makeDiffers, scrollToItem, setTrait } from "../../stage/page/elements.js";
import { edgeShape, edgeShapeOn, foldedTree, neighbour, pathTo, placesOfTree, scrollFor } from "./layout.js";
import { fateOf, nats } from "./says.js";

const SPACE = "http://www.w3.org/2000/svg";
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

/** @param {string} name @param {Record<string, string>} traits */
function shape(name, traits) {
  const element = document.createElementNS(SPACE, name);
  for (const [trait, value] of Object.entries(traits)) element.setAttribute(trait, value);
  return element;
}

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
 * The button over the thin marks of a step, which writes its pruned candidates out.
 * @param {Words} t
 * @param {number} step
 * @param {{pruned: number, cut: number}} column
 * @param {{isOpen: boolean, isFolded: boolean}} how `isFolded`: whether what led to nothing found is among them
 * @param {function(number, boolean): void} open
 */
function stripOf(t, step, { pruned: n, cut: m }, { isOpen, isFolded }, open) {
  const words = t(`beam_${isFolded ? "fold" : "strip"}${isOpen ? "_close" : ""}`, { n, m, step });
  return makeButton({ class: "beam-strip", title: words, "aria-label": words, "aria-expanded": String(isOpen),
    data: { strip: step, step } }, () => open(step, isFolded), [make("span", { text: String(n) })]);
}

/**
 * The step whose folded candidates are written out, from 1, where what led to nothing found is folded and where it is not.
 * @typedef {function(boolean): ?number} OpenedIn
 */

/**
 * The nodes and edges of an answer.
 * @param {Words} t
 * @param {{answer: BeamAnswer, labels: Label[], start: string, unit: number, palette: any,
 *     isSlim: boolean, isLow: boolean, openedIn: OpenedIn, room: number, high: number}} shown `room`: for a line
 *     of it; `high`: for all of it, or what led to nothing found is folded
 * @param {{choose(place: number): void, open(step: number, isFolded: boolean): void}} acts
 */
function build(t, { answer: { tree, greedy }, labels, start, unit, palette, isSlim, isLow, openedIn, room, high },
  { choose, open }) {
  const scores = tree.score.map(nats);
  const folded = foldedTree(tree, greedy.places);
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
  const [drawn, opened] = [isFolded ? folded : tree, openedIn(isFolded)];
  const [places, most] = [placesOf(drawn, opened), mostOf(drawn)];
  const { nodes: at, lines } = places;
  const columns = places.columns.map(({ left, width }, n) =>
    ({ start: n > 0 ? left - LEAD * unit : 0, end: left + width + 2 }));
  const size = { width: places.width + 2, height: places.height + 2 };
  const svg = shape("svg", { width: String(size.width), height: String(size.height),
    class: "beam-edges", "aria-hidden": "true" });
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
  const edges = tree.step.map((_, node) => shape("path", { d: edgeTo(node), class:
    `beam-edge ${drawn.fate[node]}${won.has(node) ? " won" : ""}${isInFold(node) ? " folded" : ""}` }));
  const ways = greedy.places.map((node) => shape("path", { d: edgeTo(node), class: "beam-edge greedy" }));
  const order = [...edges.keys()].sort((a, b) => Number(won.has(a)) - Number(won.has(b)));
  svg.append(...order.map((node) => edges[node]), ...ways);
  const nodes = tree.step.map((step, place) => {
    const { label, kind } = labels[place];
    const { left, top: y, width, isThin } = at[place];
    const words = `${label}, ${scores[place]}, ${fateOf(t, tree, place)}`;
    const node = makeButton({ class: `beam-node${won.has(place) ? " won" : ""}`, title: words, hidden: isThin,
      "aria-label": words, tabindex: "-1", data: { node: place, step, fate: tree.fate[place] } },
    () => choose(place), [make("span", { class: "beam-token kind", text: label, dir: "auto",
      data: { kind } }), make("span", { class: "beam-score", text: scores[place] })]);
    Object.assign(node.style, { left: `${left}px`, top: `${y}px`, width: `${width}px`, height: `${row}px` });
    return node;
  });
  const strips = places.columns.map((column, n) => {
    const strip = stripOf(t, n + 1, column, { isOpen: opened === n + 1, isFolded }, open);
    hide(strip, column.pruned === 0);
    Object.assign(strip.style, { left: `${column.left}px`, top: `${column.under}px`, width: `${column.width}px`, height: `${places.band}px` });
    return strip;
  });
  const root = make("span", { class: "beam-root", text: start, style: { width: `${first}px`,
    top: `${top}px`, height: `${2 * WORD * row}px` } });
  const names = lines.map(({ under }) => make("span", { class: "beam-band", text: t(isFolded ? "beam_key_others" : "beam_key_pruned"),
    "aria-hidden": "true", style: { width: `${first}px`, top: `${under}px`, height: `${places.band}px` } }));
  for (const name of names) hide(name, most === 0);
  const marks = places.columns.map(({ left, width, top: over }, n) => make("span", { class: "beam-mark", text: String(n + 1),
    "aria-hidden": "true", style: { left: `${left}px`, top: `${over}px`, width: `${width}px` } }));
  return { svg, edges, ways, nodes, strips, marks, root, names, size, columns, lines, opened, isFolded };
}

/** @typedef {ReturnType<typeof build>} Built */

/**
 * Where the box is scrolled to when the last column is in view.
 * @param {Built} built
 * @param {number} room the width of the box
 */
const farthest = ({ columns }, room) => scrollFor(columns, columns.length - 1, 0, room);

/**
 * Makes the sheet so wide that its last scroll place, too, begins with a column; not on a phone, which
 * has no room to leave empty.
 * @param {HTMLElement} box
 * @param {HTMLElement} sheet
 * @param {Built} built
 */
function fit(box, sheet, built) {
  const room = box.clientWidth;
  if (room === 0) return;
  const end = box.closest(".slim") || built.lines.length > 1 ? 0 : farthest(built, room);
  sheet.style.width = `${end > 0 ? end + room : built.size.width}px`;
}

/**
 * Brings what is new into view: the column of the step that is now the last, or the chosen node;
 * another tree opens at its first step.
 * @param {HTMLElement} box
 * @param {Built} built
 * @param {{answer: BeamAnswer, last: number, chosen: number}} shown
 * @param {{isNew: boolean, isStep: boolean}} what `isStep`: whether another step is the last
 */
function follow(box, built, { answer: { tree }, last, chosen }, { isNew, isStep }) {
  if (built.lines.length > 1) { // all of it is in sight, but on a phone
    const column = isStep && !isNew && box.closest(".slim") ? built.nodes.filter((node, i) => tree.step[i] === last && !node.hidden) : [];
    for (const node of [column.at(-1), column[0]]) node?.scrollIntoView({ block: "nearest" });
    return;
  }
  const room = box.clientWidth;
  if (isNew && last === built.columns.length) {
    box.scrollTo({ left: 0, top: 0 });
    return;
  }
  const isChosen = !isNew && !isStep && tree.step[chosen] <= last;
  const step = isChosen ? tree.step[chosen] : last;
  box.scrollLeft = scrollFor(built.columns, step - 1, box.scrollLeft, room);
  scrollToItem(box, built.nodes[tree.step[chosen] === step ? chosen : tree.step.indexOf(last)]);
}

/** @param {Words} t @param {{choose(place: number): void, open(step: number, isFolded: boolean): void, redraw: Redraw}} acts */
export function makeBeamTree(t, acts) {
  const sheet = make("div", { class: "beam-sheet" });
  const element = make("div", { class: "beam-box", role: "group",
    "aria-label": t("beam_tree_label") }, [sheet]);
  /** @type {?Built} */
  let built = null;
  const isOther = makeDiffers();
  /** @type {any} */
  let shown = null;
  /** @type {?number} */
  let wanted = null; // the node that a key led to
  let come = () => {};
  let wide = 0; // the box, where the tree that is built was broken into lines
  const fade = fadeEnds(element);

  /** How long a line of the tree may be: a picture is as wide as it is. */
  function roomOfLine() {
    [wide] = sizeOf(element);
    return wide === 0 || element.closest(".picture") ? Infinity : wide;
  }
  const watchers = [watchSize(element, () => (wide > 0 ? [wide] : []), acts.redraw)];
  let left = [0, 0]; // the size of what scrolls around it, when it was drawn

  /** How high the tree may be, CSS pixels: what the window leaves it; a page has some screens, a picture and paper no end. @param {number} unit */
  function roomBelow(unit) {
    const around = element.parentElement;
    if (!around || element.closest(".paper, .picture")) return Infinity;
    if (element.closest(".narrow, .large")) return SCREENS * window.innerHeight;
    watchers[1] ??= watchSize(around, () => (left[1] > 0 ? left : []), acts.redraw);
    left = sizeOf(around).slice(0, 2);
    return left[1] > 0 ? left[1] - BELOW * unit : Infinity;
  }

  element.addEventListener("keydown", (event) => {
    if (!/^Arrow/.test(event.key) || !built || !shown) return;
    const at = built.nodes.findIndex((node) => node === document.activeElement);
    if (at < 0 || isShortcut(event)) return;
    claim(event);
    const next = neighbour(shown.answer.tree, at, event.key, shown.last);
    wanted = next;
    acts.choose(next);
  });

  /** Which node or strip has the focus, so that another drawing gives it back. */
  const focused = () => {
    const { node, strip } = /** @type {any} */ (document.activeElement)?.dataset ?? {};
    return element.contains(document.activeElement) && (node ?? strip) !== undefined ? { node, strip } : null;
  };

  return {
    element,
    /**
     * @param {{answer: BeamAnswer, labels: Label[], start: string, last: number, chosen: number,
     *     unit: number, palette: any, openedIn: OpenedIn}} next `last`: the last step that is drawn
     */
    build(next) {
      const isSlim = element.closest(".slim") !== null;
      const isLow = element.closest(".tall, .narrow, .large, .paper, .picture") === null;
      const [room, high] = [roomOfLine(), roomBelow(next.unit)];
      const isNew = isOther(next.answer, next.unit, isSlim, isLow, room, high, next.start,
        next.labels.map(({ label }) => label).join(" "));
      if (isNew || !built || next.openedIn(built.isFolded) !== built.opened) {
        const had = focused();
        built = build(t, { ...next, isSlim, isLow, room, high }, acts);
        sheet.replaceChildren(built.svg, built.root, ...built.names, ...built.marks, ...built.nodes, ...built.strips);
        if (had) (had.strip ? built.strips[Number(had.strip) - 1] : built.nodes[Number(had.node)]).focus();
        sheet.style.height = `${built.size.height}px`;
        element.style.scrollPaddingInlineStart = `${LEAD * next.unit}px`;
      }
      return isNew;
    },
    /** Marks what is built. @param {any} next as of `build` @param {boolean} isNew */
    update(next, isNew) {
      if (!built) return;
      if (isOnPaper(element)) fit(element, sheet, built);
      const isStep = shown?.last !== next.last;
      const moved = isStep || shown.chosen !== next.chosen;
      shown = next;
      const { tree, greedy } = next.answer;
      const path = new Set(pathTo(tree, next.chosen));
      built.nodes.forEach((node, at) => {
        const later = tree.step[at] > next.last;
        node.classList.toggle("later", later);
        node.classList.toggle("dead", tree.died[at] > 0 && tree.died[at] <= next.last);
        node.classList.toggle("path", path.has(at));
        setTrait(node, "aria-pressed", at === next.chosen);
        setTrait(node, "tabindex", at === next.chosen ? "0" : "-1");
        built?.edges[at].classList.toggle("later", later);
        built?.edges[at].classList.toggle("dead", tree.died[at] > 0 && tree.died[at] <= next.last);
      });
      built.marks.forEach((mark, i) => mark.classList.toggle("now", i + 1 === next.last));
      built.ways.forEach((way, i) =>
        way.classList.toggle("later", tree.step[greedy.places[i]] > next.last));
      built.strips.forEach((strip, i) => strip.classList.toggle("later", i + 1 > next.last));
      if (wanted !== null) built.nodes[wanted].focus();
      wanted = null;
      if (moved || isNew) come = () => built && follow(element, built, next, { isNew, isStep });
    },
    /** Brings what is new into view, once all is drawn. */
    follow() {
      onceLaidOut(element, () => {
        if (built) fit(element, sheet, built);
        come();
        come = () => {};
        return fade();
      });
    },
    destroy: () => watchers.forEach((one) => one.disconnect()),
  };
}

/** What the signs of the tree mean, in one line. @param {Words} t */
export const makeTreeKey = (t) => make("p", { class: "beam-key" }, [
  ...["kept", "won", "finished", "greedy", "dead"].map((sign) =>
    make("span", { class: "beam-sign", text: t(`beam_key_${sign}`), data: { sign } })),
  make("span", { text: t("beam_key_twice") })]);

/**
 * The labels of all nodes.
 * @param {Words} t
 * @param {BeamAnswer} answer
 * @param {boolean} spelled
 * @returns {Label[]}
 */
export const labelsOfTree = (t, { tokens }, spelled) => labelsOf(tokens, false, spelled, t);
