// The tree: nodes are buttons, with the token on the edge that leads to each and its score; edges are
// drawn under them. What later steps add is hidden until they come.

import { labelsOf, widthOf } from "../../stage/draw/labels.js";
import { make, makeButton, scrollToItem, setTrait } from "../../stage/page/elements.js";
import { edgeShape, neighbour, pathTo, rowsOfTree } from "./layout.js";
import { fateOf, nats } from "./says.js";

const SPACE = "http://www.w3.org/2000/svg";
const ROW = 25; // CSS pixels at the normal type size, and so below
const TOP = 17; // the number of the step over its column
const GAP = 22;
const SCORE = 42;
const LONGEST = 118; // of a token

/**
 * @param {string} name
 * @param {Record<string, string>} traits
 */
function shape(name, traits) {
  const element = document.createElementNS(SPACE, name);
  for (const [trait, value] of Object.entries(traits)) element.setAttribute(trait, value);
  return element;
}

/**
 * How wide tokens are, the widest of them, within bounds.
 * @param {Label[]} labels
 * @param {any} palette
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
 * @param {{answer: BeamAnswer, labels: Label[], start: string, unit: number, palette: any}} shown
 * @param {function(number): void} choose
 */
function build(t, { answer: { tree, greedy }, labels, start, unit, palette }, choose) {
  const rows = rowsOfTree(tree);
  const width = widestOf(labels, palette, unit) + SCORE * unit;
  const [pitch, row, top] = [width + GAP * unit, ROW * unit, TOP * unit];
  const first = Math.min(LONGEST, 14 + 8.5 * start.length) * unit;
  /** @param {number} at */
  const left = (at) => first + GAP * unit + (tree.step[at] - 1) * pitch;
  /** @param {number} at */
  const middle = (at) => top + (rows[at] + 0.5) * row;
  const [steps, most] = [tree.considered.length, 1 + Math.max(...rows)];
  const size = { width: first + GAP * unit + steps * pitch, height: top + most * row + 2 };
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
  return { svg, edges, ways, nodes, marks, root, size };
}

/**
 * @param {Words} t
 * @param {{choose(place: number): void}} acts
 */
export function makeBeamTree(t, acts) {
  const sheet = make("div", { class: "beam-sheet" });
  const element = make("div", { class: "beam-box", role: "group",
    "aria-label": t("beam_tree_label") }, [sheet]);
  /** @type {ReturnType<typeof build> | null} */
  let built = null;
  let builtOf = /** @type {any[]} */ ([]);
  /** @type {any} */
  let shown = null;

  element.addEventListener("keydown", (event) => {
    if (!/^Arrow/.test(event.key) || !built || !shown) return;
    const at = built.nodes.findIndex((node) => node === document.activeElement);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = neighbour(shown.answer.tree, at, event.key, shown.last);
    acts.choose(next);
    built.nodes[next].focus();
  });

  /**
   * Brings what is new into view: the last step's column, or the chosen node; of another tree the
   * place where greedy decoding and the beam part.
   * @param {boolean} isNew
   */
  function follow(isNew) {
    const { answer: { tree, parting }, last, chosen } = shown;
    if (isNew && built && parting.step !== null) {
      const { offsetLeft } = built.marks[Math.max(0, parting.step - 2)];
      element.scrollTo({ left: built.size.width > element.clientWidth ? offsetLeft - 12 : 0, top: 0 });
      return;
    }
    const at = tree.step[chosen] <= last ? chosen : tree.step.indexOf(last);
    if (built && at >= 0) scrollToItem(element, built.nodes[at]);
  }

  return {
    element,
    /**
     * @param {{answer: BeamAnswer, labels: Label[], start: string, last: number, chosen: number,
     *     unit: number, palette: any}} next `last`: the last step that is drawn
     */
    update(next) {
      const of = [next.answer, next.unit, next.start, next.labels.map(({ label }) => label).join(" ")];
      const isNew = of.some((one, i) => one !== builtOf[i]);
      if (isNew) {
        built = build(t, next, acts.choose);
        sheet.replaceChildren(built.svg, built.root, ...built.marks, ...built.nodes);
        Object.assign(sheet.style, { width: `${built.size.width}px`,
          height: `${built.size.height}px` });
        builtOf = of;
      }
      if (!built) return;
      const moved = !shown || shown.last !== next.last || shown.chosen !== next.chosen;
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
      if (moved || isNew) follow(isNew);
    },
  };
}

/**
 * The labels of all nodes.
 * @param {Words} t
 * @param {BeamAnswer} answer
 * @param {boolean} spelled
 * @returns {Label[]}
 */
export const labelsOfTree = (t, { tokens }, spelled) => labelsOf(tokens, false, spelled, t);
