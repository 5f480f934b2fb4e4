// The tree: nodes are buttons, with the token on the edge that leads to each and its score; edges are
// drawn under them. What later steps add is hidden until they come.

import { labelsOf, widthOf } from "../../stage/draw/labels.js";
import { claim, fadeEnds, make, makeButton, makeDiffers, scrollToItem, setTrait } from "../../stage/page/elements.js";
import { edgeShape, neighbour, pathTo, rowsOfTree, scrollFor } from "./layout.js";
import { fateOf, nats } from "./says.js";

const SPACE = "http://www.w3.org/2000/svg";
const ROW = 25; // CSS pixels at the normal type size, and so below
const FINGER = 44; // the same on a phone
const TOP = 17; // the number of the step over its column
const GAP = 22;
const SCORE = [13, 7]; // of a score: around it, and for each character
const LONGEST = 118; // of a token
const LEAD = 12; // of the edges before a column, where it stands at the left edge

/** @param {string} name @param {Record<string, string>} traits */
function shape(name, traits) {
  const element = document.createElementNS(SPACE, name);
  for (const [trait, value] of Object.entries(traits)) element.setAttribute(trait, value);
  return element;
}

/**
 * How wide tokens are, the widest of them, within bounds.
 * @param {Label[]} labels
 * @param {Palette} palette
 * @param {number} unit
 */
function widestOf(labels, palette, unit) {
  const context = make("canvas").getContext("2d");
  const font = `${13.5 * unit}px ${palette.mono ?? "monospace"}`;
  const most = Math.max(...labels.map(({ label }) => (context ? widthOf(context, font, label) : 60)));
  return Math.min(LONGEST * unit, Math.max(24 * unit, most + 10 * unit));
}

/**
 * The nodes and edges of an answer.
 * @param {Words} t
 * @param {{answer: BeamAnswer, labels: Label[], start: string, unit: number, palette: any,
 *     pitchY: number}} shown `pitchY`: of a row
 * @param {function(number): void} choose
 */
function build(t, { answer: { tree, greedy }, labels, start, unit, palette, pitchY }, choose) {
  const rows = rowsOfTree(tree);
  const longest = Math.max(...tree.score.map((score) => nats(score).length));
  const width = widestOf(labels, palette, unit) + (SCORE[0] + SCORE[1] * longest) * unit;
  const [pitch, row, top] = [width + GAP * unit, pitchY * unit, TOP * unit];
  const first = Math.min(LONGEST, 14 + 8.5 * start.length) * unit;
  /** @param {number} at */
  const left = (at) => first + GAP * unit + (tree.step[at] - 1) * pitch;
  /** @param {number} at */
  const middle = (at) => top + (rows[at] + 0.5) * row;
  const [steps, most] = [tree.considered.length, 1 + Math.max(...rows)];
  const columns = tree.considered.map((_, i) => {
    const x = first + GAP * unit + i * pitch;
    return { start: i > 0 ? x - LEAD * unit : 0, end: x + width + 2 };
  });
  const size = { width: columns[steps - 1].end, height: top + most * row + 2 };
  const svg = shape("svg", { width: String(size.width), height: String(size.height),
    class: "beam-edges", "aria-hidden": "true" });
  /** @param {number} at */
  const edgeTo = (at) => {
    const parent = tree.parent[at];
    return edgeShape(parent < 0 ? first : left(parent) + width, parent < 0 ? top + row / 2 : middle(parent),
      left(at), middle(at));
  };
  const won = new Set(pathTo(tree, tree.found[0]));
  const edges = tree.step.map((_, at) => shape("path", { d: edgeTo(at), class:
    `beam-edge ${tree.fate[at]}${won.has(at) ? " won" : ""}` }));
  const ways = greedy.places.map((at) => shape("path", { d: edgeTo(at), class: "beam-edge greedy" }));
  const order = [...edges.keys()].sort((a, b) => Number(won.has(a)) - Number(won.has(b)));
  svg.append(...order.map((at) => edges[at]), ...ways);
  const nodes = tree.step.map((step, at) => {
    const { label, kind } = labels[at];
    const words = `${label}, ${nats(tree.score[at])}, ${fateOf(t, tree, at)}`;
    const node = makeButton({ class: `beam-node${won.has(at) ? " won" : ""}`, title: words,
      "aria-label": words, tabindex: "-1", data: { node: at, step, fate: tree.fate[at] } },
    () => choose(at), [make("span", { class: "beam-token kind", text: label, dir: "auto",
      data: { kind } }), make("span", { class: "beam-score", text: nats(tree.score[at]) })]);
    Object.assign(node.style, { left: `${left(at)}px`, top: `${top + rows[at] * row}px`,
      width: `${width}px`, height: `${row}px` });
    return node;
  });
  const root = make("span", { class: "beam-root", text: start, style: { width: `${first}px`,
    top: `${top}px`, height: `${row}px` } });
  const marks = tree.considered.map((_, i) => make("span", { class: "beam-mark", text: String(i + 1),
    "aria-hidden": "true", style: { left: `${first + GAP * unit + i * pitch}px`,
      width: `${width}px` } }));
  return { svg, edges, ways, nodes, marks, root, size, columns, top, row };
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
  const end = box.closest(".slim") ? 0 : farthest(built, room);
  sheet.style.width = `${end > 0 ? end + room : built.size.width}px`;
  cutBetweenRows(box, sheet, built);
}

/**
 * Where the box is lower than the tree, it ends between two rows.
 * @param {HTMLElement} box
 * @param {HTMLElement} sheet
 * @param {Built} built
 */
function cutBetweenRows(box, sheet, { size, top, row }) {
  box.style.maxHeight = "";
  if (sheet.offsetTop + size.height <= box.clientHeight) return;
  const beyond = (box.clientHeight - sheet.offsetTop - top) % row;
  box.style.maxHeight = `${box.offsetHeight - beyond}px`;
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

/** @param {Words} t @param {{choose(place: number): void}} acts */
export function makeBeamTree(t, acts) {
  const sheet = make("div", { class: "beam-sheet" });
  const element = make("div", { class: "beam-box", role: "group",
    "aria-label": t("beam_tree_label") }, [sheet]);
  /** @type {?Built} */
  let built = null;
  const isOther = makeDiffers();
  /** @type {any} */
  let shown = null;
  const fade = fadeEnds(element);

  element.addEventListener("keydown", (event) => {
    if (!/^Arrow/.test(event.key) || !built || !shown) return;
    const at = built.nodes.findIndex((node) => node === document.activeElement);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    claim(event);
    const next = neighbour(shown.answer.tree, at, event.key, shown.last);
    acts.choose(next);
    built.nodes[next].focus();
  });

  return {
    element,
    /**
     * @param {{answer: BeamAnswer, labels: Label[], start: string, last: number, chosen: number,
     *     unit: number, palette: any}} next `last`: the last step that is drawn
     */
    update(next) {
      const pitchY = element.closest(".slim") ? FINGER : ROW;
      const isNew = isOther(next.answer, next.unit, pitchY, next.start,
        next.labels.map(({ label }) => label).join(" "));
      if (isNew) {
        built = build(t, { ...next, pitchY }, acts.choose);
        sheet.replaceChildren(built.svg, built.root, ...built.marks, ...built.nodes);
        sheet.style.height = `${built.size.height}px`;
        element.style.scrollPaddingInlineStart = `${LEAD * next.unit}px`;
      }
      if (!built) return;
      fit(element, sheet, built);
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
      if (moved || isNew) follow(element, built, next, { isNew, isStep });
      fade();
    },
  };
}

/** What the signs of the tree mean, in one line. @param {Words} t */
export const makeTreeKey = (t) => make("p", { class: "beam-key" }, [
  ...["kept", "won", "finished", "pruned", "greedy", "dead"].map((sign) =>
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
