// One decoding at hand: its rows so far, its cursor, its heads, and every action that changes it. No
// element in here: the parts of the stage read `state` and call the actions. Two decodings on one
// page are two of these.

import { branchesAfter, droppedBy, makeBranching, makeUndo } from "./branches.js";
import { countCharacters } from "../page/words.js";
import {
  canAddPads, canAdvance, canChange, canEdit, canExtend, canForce, firstFreeOf, isLeaving, lastStepOf, mostPads, padsOf, stand,
} from "./able.js";
import { isSelf, isStepped, siteOf, sitesOf } from "../anatomy.js";
import { isOpen, makeQuestion } from "./ask.js";
import { forcedOf } from "./edits.js";
import { mostFocused } from "./habits.js";
import { makeLooking } from "./looking.js";
import { withPage } from "./page.js";
import { makePlaying } from "./playing.js";
import { recipeWith, sourceFor } from "./recipe.js";
import { cutRun, mergeRun, sameSource, stepsHeld } from "./run.js";
import { applyView, openOn, UNSAID } from "./view.js";

/**
 * What a decoding holds. `arrived` is called after a change that came with an answer; `runChanged`
 * before it when the run is another one.
 * @typedef {{page: Page, transport: ?Transport, state: State, hooks: Hooks, moves: number,
 *   question: import("./ask.js").Question, ahead: Pick<import("./ahead.js").Ahead, "answer" | "drop" | "begin">,
 *   playing: ReturnType<typeof makePlaying>}} Own
 * @typedef {ReturnType<typeof import("./page.js").openPage>} Page
 * @typedef {{arrived: function(): void, runChanged: function(Run): void}} Hooks
 * @typedef {{model: string, payload: ?Payload, view: any}} Start `view`: what a page alone has numbers of
 */

/** What of a decoding can change, before there is a run. @param {Page} page @returns {State} */
function emptyState(page) {
  return /** @type {any} */ (withPage({
    model: null, run: null, at: 0,
    stepping: false, // whether the rows after the cursor are still to come; else all are shown
    branches: [], // see branches.js
    site: "cross",
    locks: {},
    named: {}, // site -> whether the reader or a link chose its head
    preview: null, // {layer, head} under the pointer
    pointed: { query: null, key: null },
    cells: {}, // site -> {query, key} that was chosen, kept for the room Inside a head
    looks: 0, // how often a cell was looked at in the room Inside a head, from anywhere
    isPlaybackOpen: false, // whether the reader steps through the translation, with the playback at hand
    view: "heat", reading: "weights", rows: "fed", by: "words", order: "place", draft: "",
    strategy: { kind: "greedy", temperature: 1, top_k: 0, top_p: 1, seed: 0,
      width: Math.min(5, page.state.options.limits.beam_width ?? 5) },
    isAutoplaying: false, busy: false, slow: false,
    refused: null, // the sentence that was refused last, while another one is below it
    asked: null, // the recipe whose answer is under way, or was last
    offered: null, // a sentence typed for another model, which this one would make no sense of
    wanted: null, // the model chosen whose first answer is under way, by name
  }, page.state));
}

/**
 * @param {Page} page
 * @param {?Transport} transport
 * @param {Start} start
 * @param {Hooks} hooks
 * @returns both with those of the page
 */
export function openDecoding(page, transport, start, hooks) {
  const state = emptyState(page);
  /** @type {Own} */
  const own = { page, transport, state, hooks, moves: 0,
    question: questionOf(state, page, transport ?? (async () => null)),
    ahead: { answer: () => null, drop() {}, begin() {} }, // until what fetches ahead is fetched itself
    playing: makePlaying(state, {
      advance: () => advance(own),
      canAdvance: () => canAdvance(state),
      changed: page.actions.changed,
    }) };
  begin(own, start);
  page.whenEntering((room) => {
    // Without a server there is one head and one cell whose numbers the page has.
    if (!state.canAsk && room !== "translate") {
      lookAsSaid(own, { at: state.at, stepping: state.stepping, ...start.view });
    }
    if (room !== "translate") own.playing.stop(); // every step would make the room ask anew
  });
  const open = own.playing.byHand((/** @type {{recipe: Recipe, view: any}} */ shown,
    /** @type {?(function(): void) | undefined} */ also = undefined) => openRecipe(own, shown, also));
  const openLink = own.playing.byHand((/** @type {string} */ link) => openFragment(own, link));
  const actions = { ...page.actions, bring: (/** @type {NonNullable<State["more"]>} */ more) => bring(own, more), ...makeSteps(own), ...makeChoices(own), open, openLink,
    ...makeLooking(own, open) };
  return { state, actions };
}

/** The question about a decoding itself. @param {State} state @param {Page} page @param {Transport} transport */
const questionOf = (state, page, transport) => makeQuestion({ transport, waits: page.waits,
  check: (answer) => (answer.error || answer.version === 1 ? answer : { error: { code: "answer" } }),
  show(said) {
    Object.assign(state, { busy: isOpen(said), slow: said === "slow" });
    if (isOpen(said)) page.actions.changed();
    else state.wanted = null;
  } });

/** What a press needs has come, and what fetches steps ahead. @param {Own} own @param {NonNullable<State["more"]>} more */
function bring(own, more) {
  const { page, state, transport } = own;
  page.actions.bring(more);
  own.ahead = more.makeAhead(state, transport, (changes) => recipeWith(state, changes));
  own.ahead.begin();
}

/** @param {Own} own @param {Start} start */
function begin(own, { model, payload, view }) {
  const { page, state } = own;
  useModel(state, payload ? payload.recipe.model : model);
  if (!payload) {
    state.draft = state.model.examples?.[0] ?? "";
    return;
  }
  state.draft = payload.recipe.source;
  if (["sample", "beam"].includes(payload.recipe.strategy?.kind)) {
    Object.assign(state.strategy, payload.recipe.strategy);
  }
  useRun(own, mergeRun(null, payload, state.model));
  page.actions.takeView(view ?? {});
  lookAsSaid(own, view ?? {});
}

/** @param {State} state @param {string} name */
function useModel(state, name) {
  const { models } = state.options;
  const model = models.find((one) => one.name === name) ?? models[0];
  const { site: first, layer, head, rows } = model.start_on;
  const locks = Object.fromEntries(sitesOf(model).map((site) => [site, site === first
    ? { layer, head } : { layer: siteOf(model, site).layers - 1, head: 0 }]));
  Object.assign(state, { model, locks, named: {}, site: first, ...(rows ? { rows } : {}) });
}

/** @param {Own} own @param {Run} run */
function useRun({ state, hooks }, run) {
  Object.assign(state, { dropped: droppedBy(state, run), branches: branchesAfter(state, run) });
  state.run = run;
  if (run.kept === 0) state.cells = {};
  stand(state, state.at, state.stepping);
  for (const site of sitesOf(run)) {
    // A head that nobody chose and nobody looks at follows the sentence; a step leaves the source.
    const follows = isSelf(run, site) && site !== state.site && !state.named[site]
      && !(run.kept > 0 && !isStepped(run, site));
    const lock = (follows && mostFocused(run, site)) || state.locks[site];
    state.locks[site] = { layer: Math.min(lock.layer, run.layers[site] - 1),
      head: Math.min(lock.head, run.heads[site] - 1) };
  }
  Object.assign(state, { preview: null, pointed: { query: null, key: null } });
  hooks.runChanged(run);
}

/**
 * What a decoding asks the server, beside the recipe and how far it goes on: the token that follows, the text
 * that the target begins with, how many steps are held already where that is known; or a link, of which only
 * the server knows recipe and view.
 * @typedef {{force?: ?number, begins?: string, have?: number, link?: string}} More
 */
/**
 * How what is answered is shown: at which step; `stepping`, `isPlaybackOpen`: what they are then, without them as
 * they were; `also`: what else changes with it, before it is drawn.
 * @typedef {{cursor?: ?function(any=): number, stepping?: boolean, isPlaybackOpen?: boolean,
 *   also?: function(any): void}} Shown
 */

/**
 * Asks the server and takes the answer over.
 * @param {Own} own
 * @param {any} recipe
 * @param {number | "opening" | "end"} extend
 * @param {Shown} [shown]
 * @param {More} [more]
 * @returns {Promise<any>} the answer, where one arrived and was taken over; else false
 */
async function ask(own, recipe, extend, shown = {}, more = {}) {
  const { page, transport, state, question } = own;
  if (!transport) return false;
  const [held, moves] = [state.run, own.moves];
  const { force = null, have = stepsHeld(held, recipe) } = more;
  own.ahead.drop();
  const fetched = extend === 1 && more.have === undefined && more.begins === undefined
    ? own.ahead.answer(recipe, force) : null;
  if (fetched) question.drop(); // what is under way is overtaken
  else state.asked = recipe;
  let answer = fetched ?? await question.ask(more.link === undefined
    ? { recipe, extend, force, have, begins: more.begins } : { link: more.link }, recipe.model);
  if (answer === null) return false;
  if (!answer.error) {
    try {
      takeOver(own, held, answer);
      state.isPlaybackOpen = shown.isPlaybackOpen ?? state.isPlaybackOpen;
      if (own.moves === moves) {
        stand(state, shown.cursor ? shown.cursor(answer) : lastStepOf(state), shown.stepping ?? state.stepping);
      }
      page.actions.tell(answer.notice ?? null);
    } catch {
      // What the browser holds and what arrived do not fit together: ask for everything, once.
      if (have > 0) return ask(own, recipe, extend, shown, { ...more, have: 0 });
      answer = { error: { code: "answer" } };
    }
  }
  if (answer.error) {
    state.refused = recipe.source ?? null;
    page.actions.tell(answer.error);
    own.playing.halt();
  } else shown.also?.(answer);
  own.ahead.begin();
  own.hooks.arrived();
  return !answer.error && answer;
}

/** @param {Own} own @param {?Run} held @param {Payload} answer */
function takeOver(own, held, answer) {
  const { state } = own;
  state.refused = null;
  if (answer.recipe.model !== state.model.name) useModel(state, answer.recipe.model);
  useRun(own, mergeRun(held, answer, state.model));
}

/** @param {Own} own @param {number} step @param {boolean} [stepping] */
function moveTo(own, step, stepping = own.state.stepping) {
  const { page, state } = own;
  const before = [state.at, state.stepping];
  own.moves += 1;
  stand(state, step, stepping);
  if (before[0] === state.at && before[1] === state.stepping) return;
  own.ahead.begin();
  page.actions.changed();
}

/** One step on: along the finished ones first, then one more from the server. @param {Own} own */
async function advance(own) {
  const { state } = own;
  if (!state.run) return false;
  if (state.at < lastStepOf(state)) {
    moveTo(own, state.at + 1);
    return true;
  }
  return canExtend(state) && ask(own, recipeWith(state, {}), 1);
}

/** How a translation is shown that is carried to its end: all of it, at a step worth looking at. @param {Own} own @param {boolean} isNew */
const whole = (own, isNew) => ({ cursor: () => openOn(own.state, isNew), stepping: false, isPlaybackOpen: false });

/** Whether a sentence is short enough to be asked for; tells the reader where it is not. @param {Own} own @param {string} source */
function isShort({ page, state }, source) {
  const [n, limit] = [countCharacters(source), page.state.options.limits.characters];
  if (n <= limit) return true;
  state.refused = source;
  page.actions.tell({ code: "characters", values: { n, limit } });
  return false;
}

/** @param {Own} own @param {number | "end"} extend */
function startOver(own, extend) {
  const { state } = own;
  const source = state.draft.trim(); // spaces at the ends would be tokens of their own
  if (source === "") own.page.actions.tell({ code: "empty" });
  if (source === "" || !isShort(own, source)) return false;
  const model = state.wanted ?? state.model.name;
  const isNew = state.run?.recipe.model !== model;
  return ask(own, recipeWith(state, { model, source, target: [] }), extend,
    extend === "end" ? whole(own, isNew) : { cursor: () => firstFreeOf(state), stepping: true, isPlaybackOpen: true });
}

/** Drops every chosen token; the steps of the prompt stay, so no server is needed. @param {Own} own */
function reset(own) {
  const { page, state } = own;
  if (!state.run || isLeaving(state)) return;
  own.question.drop();
  own.moves += 1;
  if (state.canAsk && state.run.summed) {
    ask(own, recipeWith(state, { target: [] }), 0, { cursor: () => firstFreeOf(state), stepping: true });
    return;
  }
  if (state.canAsk) useRun(own, cutRun(state.run, 0));
  state.isPlaybackOpen = true;
  stand(state, firstFreeOf(state), true);
  own.ahead.begin();
  page.actions.changed();
}

/** Takes a candidate at the cursor; one that is not the present choice drops what follows. @param {Own} own @param {number} token */
function force(own, token) {
  const { state } = own;
  if (!canForce(state)) return false;
  const { run, at } = state;
  if (run.chosen[at]?.token === token) {
    moveTo(own, at + 1);
    return true;
  }
  const target = run.recipe.target.slice(0, at - firstFreeOf(state));
  // A whole translation stays one: the model goes on by itself.
  return run.finished && !state.isPlaybackOpen
    ? ask(own, recipeWith(state, { target }), "end", { cursor: () => at }, { force: token })
    : ask(own, recipeWith(state, { target }), 1, {}, { force: token });
}

/**
 * Shows a recipe as a view says, see view.js; gives whether it is shown.
 * @param {Own} own
 * @param {{recipe: Recipe, view: any}} shown
 * @param {?function(): void} [also] what else changes with it, before it is drawn; null where a link says it
 */
async function openRecipe(own, { recipe, view }, also = () => {}) {
  const { page, state, state: { run } } = own;
  const held = run && !view.to_end && sameSource(run.recipe, recipe)
    && JSON.stringify(run.recipe.target) === JSON.stringify(recipe.target);
  page.actions.tell(null);
  if (!isShort(own, recipe.source)) return false;
  const show = () => {
    takeViewOf(own, recipe, view, also && state.dropped);
    also?.();
  };
  if (!held) {
    state.wanted = recipe.model;
    return Boolean(await ask(own, recipe, view.to_end ? "end" : 0, { also: show }));
  }
  own.question.drop(); // an answer under way belongs to another page
  show();
  return true;
}

/**
 * Shows what is behind the # of an address; "" is the page as it opens.
 * @param {Own} own
 * @param {string} link
 * @returns {Promise<?{recipe: Recipe, view: Object}>} what it says; null where it is not shown
 */
async function openFragment(own, link) {
  const { page, state } = own;
  const said = new URLSearchParams(link); // enough to say what is waited for
  page.actions.tell(null);
  state.wanted = said.get("model");
  const asked = { model: state.wanted ?? state.model.name, source: said.get("text") ?? "",
    pads: Number(said.get("pads")), target: [] };
  const answer = await ask(own, asked, 0,
    { also: ({ recipe, view }) => takeViewOf(own, recipe, { ...UNSAID, ...view }, null) }, { link, have: 0 });
  return answer || null;
}

/** Takes over what a view says; without a step all is shown, at one worth looking at. @param {Own} own @param {any} view */
function lookAsSaid({ state }, view) {
  applyView(state, view);
  const usual = () => (state.run.finished ? openOn(state, false) : lastStepOf(state));
  state.isPlaybackOpen = view.stepping === true;
  stand(state, Number.isInteger(view.at) ? view.at : usual(), state.isPlaybackOpen);
}

/**
 * Takes over the view of the run on the screen, and what belongs to the recipe beside it.
 * @param {Own} own
 * @param {Recipe} recipe
 * @param {any} view
 * @param {?Dropped} dropped what the reader's last change dropped: a link is none
 */
function takeViewOf(own, { source, strategy }, view, dropped) {
  const { page, state } = own;
  const { width } = strategy?.kind === "beam" ? strategy : state.strategy;
  state.dropped = dropped;
  state.draft = view.draft ?? source;
  state.strategy = { ...state.strategy, ...strategy, width };
  page.actions.takeView(view);
  lookAsSaid(own, view);
  page.actions.changed();
}

/** Stays with the model on the screen and its sentence, while another one is on its way. @param {Own} own */
function stay({ page, state, question }) {
  question.drop();
  Object.assign(state, { draft: state.run.recipe.source, offered: null });
  page.actions.changed();
  return true;
}

/** The actions that move along the steps. @param {Own} own */
function makeSteps(own) {
  const { state, playing } = own;
  return {
    step: playing.step,
    moveTo: playing.byHand((/** @type {number} */ step, stepping = state.stepping) =>
      moveTo(own, step, stepping)),
    back: playing.byHand(() => moveTo(own, state.at - 1)),
    force: playing.byHand((/** @type {number} */ token) => force(own, token)),
    reset: playing.byHand(() => reset(own)),
    ...makeUndo(own, useRun),
    /** Asks for all of the run anew; gives whether it has come. */
    computeAnew: playing.byHand(() => {
      const at = state.at;
      return ask(own, recipeWith(state, {}), 0, { cursor: () => at }, { have: 0 });
    }),
    runToEnd: playing.byHand(() => (canExtend(state) ? ask(own, recipeWith(state, {}), "end")
      : moveTo(own, lastStepOf(state), false))),
    /** Goes through a translation step by step, from its first. */
    walk: playing.byHand(() => {
      state.isPlaybackOpen = true;
      moveTo(own, 0, true);
      own.page.actions.changed();
    }),
    /** Shows all of the translation again. */
    leave: playing.byHand(() => {
      state.isPlaybackOpen = false;
      moveTo(own, openOn(state, false), false);
      own.page.actions.changed();
    }),
    togglePlay() {
      if (state.isAutoplaying || !state.run) {
        playing.stop();
        return;
      }
      state.isPlaybackOpen = true;
      if (!state.stepping && !canExtend(state)) moveTo(own, 0, true);
      playing.start();
    },
    close() {
      own.ahead.drop();
      own.question.drop();
      playing.stop();
    },
  };
}

/** The actions that choose what is decoded. @param {Own} own */
function makeChoices(own) {
  const { page, state } = own;
  const { byHand } = own.playing;
  return {
    /** @param {string} draft */
    type(draft) {
      state.draft = draft;
      page.actions.changed();
    },
    /** @param {Partial<Recipe["strategy"]>} changes */
    setStrategy(changes) {
      state.strategy = { ...state.strategy, ...changes };
      page.actions.changed();
    },
    /** Decodes by the strategy from a step on, as far as before; the tokens before it stay. */
    decodeAnew: byHand((from = state.at) => {
      const { run, at } = state;
      if (!canChange(state, from)) return false;
      const target = run.recipe.target.slice(0, Math.max(0, from - firstFreeOf(state)));
      return ask(own, recipeWith(state, { target }), run.finished ? "end" : 1,
        { cursor: from < at ? null : () => at });
    }),
    translate: byHand(() => {
      state.offered = null;
      return startOver(own, "end");
    }),
    stepByStep: byHand(() => startOver(own, 0)),
    setModel: byHand((/** @type {string} */ name) => {
      const next = state.options.models.find((model) => model.name === name);
      if (!next || name === (state.wanted ?? state.model.name)) return false;
      if (next === state.model && state.run) return stay(own);
      const { source, offered } = sourceFor(state.model, next, state, state.more?.isForeign);
      Object.assign(state, { draft: source, offered, wanted: name });
      return ask(own, recipeWith(state, { model: name, source, target: [] }), "opening",
        whole(own, true));
    }),
    /** Reads the sentence anew with other settings, see page/inputs/fields.js. */
    set: byHand((/** @type {Record<string, string>} */ settings) =>
      ask(own, recipeWith(state, { settings, target: [] }), "end", whole(own, false))),
    /** @param {string} kind whether an edit of the model's arithmetic is possible now */
    canEdit: (kind) => canEdit(state) && state.run.anatomy.edits.includes(kind),
    /** Tokens that were forced stay, the rest is decoded anew. */
    edit: byHand((/** @type {string[]} */ edits) => {
      if (!canEdit(state)) return false;
      const { run, at } = state;
      const target = forcedOf(run.recipe);
      const more = run.finished ? "end" : run.recipe.target.length - target.length;
      return ask(own, recipeWith(state, { edits, target, pads: padsOf(state) }), more,
        { cursor: (/** @type {Payload} */ payload) => state.more?.placeAfter(run, at, payload) ?? at });
    }),
    ...makeBranching(own, { ask, useRun }),
    /** More pads after the source, or fewer, than there are or were asked for. */
    addPads: byHand((/** @type {number} */ more) => {
      if (!canAddPads(state)) return false;
      const at = state.at;
      const pads = Math.max(0, Math.min(mostPads(state), padsOf(state) + more));
      return ask(own, recipeWith(state, { pads }), 0, { cursor: () => at });
    }),
  };
}
