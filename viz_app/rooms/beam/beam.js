// The room Beam: a beam search as a tree, step by step, beside greedy decoding.

import { hasSite } from "../../stage/anatomy.js";
import { saidOnly } from "../../stage/run/view.js";
import { hide } from "../../stage/page/elements.js";
import { elementOf, html, nothing, render } from "../../stage/page/html.js";
import { labelsOf } from "../../stage/draw/labels.js";
import { makeBeamPlayback, makeSearchControls } from "./controls.js";
import { foldedTree, pathTo, stepsOf } from "./layout.js";
import { makeNodePanel } from "./node.js";
import { partingSaid } from "./says.js";
import { foundTable, stepTable } from "./tables.js";
import { labelsOfTree, makeBeamTree, treeKey } from "./tree.js";

/**
 * What a room holds, for the functions below.
 * @typedef {import("../../stage/run/ask.js").Question} Question
 * @typedef {Object} Own
 * @property {Session} session
 * @property {Question} trees about the tree
 * @property {Question} maps about the map of a hypothesis, of a tree that is here
 * @property {Redraw} redraw
 * @property {{width: ?number, alpha: ?number, begin: string}} choices
 * @property {?number} node
 * @property {?number} step the last that is drawn, from 1; null: all
 * @property {string} shown
 * @property {?number} pruned the step whose pruned candidates are written out, from 1
 * @property {HTMLElement} element
 */

/** @param {State} state @returns {Site} */
const siteIn = ({ model }) => (hasSite(model, "cross") ? "cross" : "decoder");

/** The recipe that the room is about: as much of the target as is forced. @param {Run} run */
function recipeOf({ recipe }) {
  const forced = recipe.target.map(({ how }) => how).lastIndexOf("forced") + 1;
  return { ...recipe, target: recipe.target.slice(0, forced) };
}

/** What the tree is asked for. @param {Own} own */
function treeRequest({ session: { state }, choices, node }) {
  const site = siteIn(state);
  const { layer, head } = state.locks[site];
  return { recipe: recipeOf(state.run), ...choices, node, site, layer, head };
}

/** The part of a request that another tree answers. @param {ReturnType<typeof treeRequest>} request */
const keyOfTree = ({ node: _, site: __, layer: ___, head: ____, ...tree }) => JSON.stringify(tree);

/** The last tree that was answered. @param {Own} own @returns {?BeamAnswer} */
const answerOf = ({ trees }) => trees.answer();

/** The chosen node: the best hypothesis where nobody chose one. @param {Own} own */
function nodeOf(own) {
  const [{ node }, answer] = [own, answerOf(own)];
  return answer && node !== null && node < answer.tree.step.length ? node : answer?.tree.found[0] ?? 0;
}

/** What the map is asked for. @param {Own} own */
const mapRequest = (own) => ({ ...treeRequest(own), node: nodeOf(own), part: "node" });

/**
 * The map that came with the tree, where it is that of the chosen hypothesis and of the head at hand;
 * where nobody can be asked, of any head.
 * @param {Own} own
 */
function mapOfTree(own) {
  const { layer, head } = treeRequest(own);
  const map = answerOf(own)?.map;
  const isHead = map?.layer === layer && map.head === head;
  return map?.node === nodeOf(own) && (isHead || !own.session.state.canAsk) ? map : null;
}

/** The map of the chosen hypothesis; null where it is not here. @param {Own} own @returns {?BeamAnswer["map"]} */
const mapNow = (own) => mapOfTree(own)
  ?? (own.maps.has(mapRequest(own)) ? own.maps.answer().map : null);

/** Whether the tree on the screen is that of the run and of what is chosen now. @param {Own} own */
const isCurrent = (own) => own.trees.has(null, keyOfTree(treeRequest(own)));

/**
 * Lets go of the chosen node and step where another tree is asked for: there their numbers mean
 * other hypotheses, or none. What came with a link belongs to the first tree.
 * @param {Own} own
 */
function releaseOf(own) {
  const asked = own.trees.key();
  if (asked !== "" && asked !== keyOfTree(treeRequest(own))) Object.assign(own, { node: null, step: null, pruned: null });
}

/** @param {Own} own */
function lastOf(own) {
  const answer = answerOf(own);
  return answer ? Math.max(1, Math.min(own.step ?? Infinity, stepsOf(answer.tree))) : 1;
}

/** Asks for the tree, or for the map of another node or head, unless it is here. @param {Own} own */
export function inquire(own) {
  releaseOf(own);
  const request = treeRequest(own);
  const isHere = own.trees.of(request, keyOfTree(request)) !== null;
  if (isHere && own.session.state.canAsk && !mapOfTree(own)) own.maps.of(mapRequest(own));
}

/**
 * The recipe of the chosen hypothesis.
 * @param {Own} own
 * @param {boolean} isForced whether its last token is the reader's choice
 */
function recipeOfNode(own, isForced) {
  const { tree, taken, tokens } = /** @type {BeamAnswer} */ (answerOf(own));
  const path = pathTo(tree, nodeOf(own)).map((at) => /** @type {Choice} */ ({ token: tokens.ids[at], how: "beam" }));
  if (isForced) path[path.length - 1].how = "forced";
  const { recipe } = own.session.state.run;
  return { ...recipe, target: [...recipe.target.slice(0, taken), ...path] };
}

/**
 * Shows the chosen hypothesis in Translate, as it is or carried on to its end.
 * @param {Own} own
 * @param {boolean} goesOn
 */
export function leave(own, goesOn) {
  const { session: { state, actions } } = own;
  const answer = answerOf(own);
  if (!answer || !isCurrent(own) || !state.canAsk) return;
  const recipe = recipeOfNode(own, goesOn);
  const at = Math.max(0, state.run.prompt - 1) + recipe.target.length - 1;
  const ended = answer.tree.fate[nodeOf(own)] === "finished";
  actions.open({ recipe, view: { room: "translate", site: siteIn(state), at,
    to_end: goesOn && !ended } });
}

/** What the room says first: what the search wrote, and why greedy decoding ends elsewhere. @param {Words} t @param {BeamAnswer} answer @param {boolean} spelled */
function headOf(t, answer, spelled) {
  const { head, why } = partingSaid(t, answer, spelled);
  return html`
    <p class="beam-winner" dir="auto">${answer.found.texts[0]}</p>
    <p class="beam-head">${head}</p>
    <p class="beam-why">${why}</p>`;
}

/** Whether the chosen hypothesis is seen, and among the folded ones. @param {Own} own @param {boolean} isFolded whether those that led to nothing found are folded too */
function isUnderFold(own, isFolded) {
  const answer = answerOf(own);
  if (!answer) return false;
  const [{ tree, greedy }, node, last] = [answer, nodeOf(own), lastOf(own)];
  const { fate } = isFolded ? foldedTree(tree, greedy.places, last) : tree;
  return tree.step[node] <= last && fate[node] === "pruned";
}

/** The step whose folded candidates are written out: that of the chosen one, or the reader's. @param {Own} own @param {boolean} isFolded */
const openedOf = (own, isFolded) => (isUnderFold(own, isFolded) ? answerOf(own)?.tree.step[nodeOf(own)] ?? null : own.pruned);

/**
 * The room; until it is answered nothing is said, and its boxes are there to be measured.
 * @param {Words} t
 * @param {any} parts
 * @param {boolean} isTree
 * @param {{head?: unknown, steps?: unknown, found?: unknown}} said
 */
const roomOf = (t, parts, isTree, { head = nothing, steps = nothing, found = nothing } = {}) => html`
  <header class="room-top"><div class="beam-says" aria-live="polite">${head}</div></header>
  <div class="beam-body">
    <div class="beam-main">${parts.tree.element}${treeKey(t, !isTree)}
      <div class="beam-table table-box" tabindex="0" ?hidden=${isTree}>${steps}</div>
      ${parts.playback.element}${parts.controls.element}
      <section class="beam-found">${found}</section></div>
    <div class="beam-side">${parts.node.element}</div></div>`;

/** @param {Words} t @param {Own} own @param {any} parts @param {Look} drawing */
function draw(t, own, parts, drawing) {
  const { session: { state }, choices, shown } = own;
  const answer = /** @type {BeamAnswer} */ (answerOf(own));
  const [last, chosen, spelled] = [lastOf(own), nodeOf(own), state.spelled];
  const begun = labelsOf(answer.begun, true, spelled, t);
  const forced = answer.forced > 0
    ? labelsOf(state.run.target, true, spelled, t)[state.run.prompt + answer.forced - 1]?.label : null;
  parts.controls.update({ tree: answer.tree, begin: choices.begin, shown, forced: forced ?? null });
  parts.playback.update();
  const isTree = shown === "tree";
  const labels = labelsOfTree(t, answer, spelled);
  const now = { answer, labels, start: begun.at(-1)?.label ?? t("beam_start"), last, chosen, spelled,
    openedIn: (/** @type {boolean} */ isFolded) => openedOf(own, isFolded),
    ...drawing };
  const node = { answer, chosen, map: mapNow(own), spelled, canAsk: state.canAsk };
  parts.node.say(node);
  hide(parts.tree.element, !isTree);
  render(roomOf(t, parts, isTree, { head: headOf(t, answer, spelled), steps: isTree ? nothing : stepTable(t, now, parts.choose),
    found: foundTable(t, answer, partingSaid(t, answer, spelled).after, parts.choose) }), own.element);
  const isNew = isTree && parts.tree.build(now);
  parts.node.measure();
  if (isTree) parts.tree.update(now, isNew);
  parts.node.draw(node, drawing);
  if (isTree) parts.tree.follow();
}

/** @param {Own} own @param {any} kept */
function begin(own, kept) {
  const { width = null, alpha = null, begin: start = "start", node = null, step = null, pruned = null,
    shown = "tree" } = kept ?? {};
  Object.assign(own, { choices: { width, alpha, begin: start }, node, shown,
    step: step === null ? null : step + 1, pruned: pruned === null ? null : pruned + 1 });
}

/** @param {Words} t @param {Own} own */
function makeParts(t, own) {
  const { session: { state }, redraw } = own;
  /** @param {Partial<Own>} changes */
  const change = (changes) => {
    Object.assign(own, changes);
    redraw();
  };
  /** @param {number} node */
  const choose = (node) => {
    const answer = answerOf(own);
    if (!answer || !isCurrent(own)) return;
    const { step } = answer.tree;
    change({ node, step: step[node] > lastOf(own) ? step[node] : own.step });
  };
  /** Writes out the folded candidates of a step, or no longer. @param {number} step @param {boolean} isFolded whether those that led to nothing found are among them */
  const open = (step, isFolded) => {
    const isOpen = openedOf(own, isFolded) === step;
    change({ pruned: isOpen ? null : step, node: isUnderFold(own, isFolded) ? null : own.node });
  };
  const controls = makeSearchControls(t, state.options.limits.beam_width ?? 16, own.choices, {
    want: (changes) => change({ choices: { ...own.choices, ...changes }, node: null, step: null, pruned: null }),
    show: (shown) => change({ shown }),
  });
  const steps = () => (answerOf(own) ? stepsOf(/** @type {BeamAnswer} */ (answerOf(own)).tree) : 1);
  const playback = makeBeamPlayback(t, { redraw: () => redraw(),
    at: () => ({ last: lastOf(own), steps: steps() }),
    isOpen: () => !own.element.hidden,
    move: (step) => change({ step: answerOf(own) && step >= steps() ? null : Math.max(1, step) }) });
  const node = makeNodePanel(t, { redraw, look: () => leave(own, false),
    take: () => leave(own, true) });
  return { controls, playback, node, tree: makeBeamTree(t, { choose, open, redraw }), choose };
}

/** @type {MakeRoom} */
function makeBeamRoom(t, session, ask, redraw, before = null) {
  const { state } = session;
  const element = elementOf(html`<section class="beam" aria-label=${t("room_beam")}></section>`);
  const own = /** @type {Own} */ (/** @type {any} */ ({ session, redraw, element,
    trees: ask({ element }), maps: ask({ element }) }));
  begin(own, before);
  const parts = makeParts(t, own);
  render(roomOf(t, parts, own.shown === "tree"), element);
  parts.tree.watch();
  return {
    element,
    settle: () => inquire(own),
    update(drawing) {
      if (isCurrent(own)) draw(t, own, parts, drawing);
    },
    moves: parts.playback.moves,
    pictured() {
      const { shown } = own;
      const answer = answerOf(own);
      if (!answer || !isCurrent(own)) return null;
      return { title: t("export_what_beam"), says: partingSaid(t, answer, state.spelled).head,
        parts: () => [...element.querySelectorAll(".beam-winner, .beam-box, .beam-key")],
        show() {
          own.shown = "tree";
          return () => { own.shown = shown; };
        } };
    },
    here: () => ({ site: siteIn(state) }),
    /** What is chosen here, as far as the tree has it; see view.py. */
    keep() {
      const site = siteIn(state);
      const answer = answerOf(own);
      const tree = state.run && answer && isCurrent(own) ? answer.tree : null;
      const step = own.step === null || (tree && own.step > stepsOf(tree)) ? null : own.step - 1;
      const node = own.node === null || (tree && own.node >= tree.step.length) ? null : own.node;
      const pruned = own.pruned === null || (tree && own.pruned > stepsOf(tree)) ? null : own.pruned - 1;
      const { width, alpha, begin: start } = own.choices;
      return saidOnly({ site, layer: state.locks[site]?.layer, head: state.locks[site]?.head, width,
        alpha, begin: start, node, step, pruned, shown: own.shown });
    },
    destroy() {
      for (const question of [own.trees, own.maps]) question.drop();
      parts.playback.destroy();
      parts.tree.destroy();
      parts.node.destroy();
    },
  };
}

/** What can be kept of the room. @param {State} _ @param {any} view */
const beamPictures = (_, view) => [{ picture: "beam", view }];

export const room = { name: "beam", make: makeBeamRoom, keep: { pictures: beamPictures } };
