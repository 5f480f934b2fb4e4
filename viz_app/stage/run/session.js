// What the reader is looking at, and every action that changes it. No page in here: the parts of
// the stage read `state` and call the actions.

import { sourceFor } from "../page/guard.js";
import { SLOW_MS, watchOpening } from "../page/opening.js";
import { countCharacters } from "../page/words.js";
import { bestCell, cellOfStep, hasCell, runShows } from "./cells.js";
import { cutRun, mergeRun, sameSource, SITES, stepsHeld } from "./run.js";
import { applyView } from "./view.js";

const PLAY_MS = 700; // a step of the playback
const MOST_QUEUED = 64; // steps asked for while one is under way

/** How many pads the reader may add. */
export function mostPads({ options }) {
  return options.limits.pads ?? 8;
}

/** How many pads there are, or will be with the answer that is under way. */
export function padsOf({ busy, asked, run }) {
  return (busy ? asked : run?.recipe)?.pads ?? 0;
}

/**
 * @param {Object} options as given to mountStage
 * @param {function|null} transport
 * @param {{changed: function, arrived: function, runChanged: function}} hooks `changed` after every
 *     change of state; `arrived` when it came with an answer; `runChanged(run)` before it when the run itself is another one
 */
export function openSession(options, transport, hooks) {
  const state = {
    options,
    canAsk: transport !== null,
    model: null,
    run: null,
    at: 0,
    room: "translate",
    site: "cross",
    locks: {},
    preview: null, // {layer, head} under the pointer
    pointed: { query: null, key: null },
    cells: {}, // site -> {query, key, chosen}, kept for the room Inside a head; chosen by the reader
    looks: 0, // how often a cell was looked at in the room Inside a head, from anywhere
    view: "heat",
    rows: "fed",
    spelled: false,
    order: "place",
    draft: "",
    strategy: { kind: "greedy", temperature: 1, top_k: 0, top_p: 1, seed: 0,
      width: Math.min(5, options.limits.beam_width ?? 5) },
    playing: false,
    busy: false,
    slow: false,
    asked: null, // the recipe whose answer is under way, or was last
    opening: null, // what a slow answer waits for; see opening.js
    inLine: null, // the same of a slow answer to a room
    message: null, // {code, values, message} of an error, or a text; see wordsOfError
    offered: null, // a sentence typed for another model, which this one would make no sense of
    messageOf: null, // the room whose question it answers; null: the sentence's own
    wanted: null, // the model chosen whose first answer is under way, by name
    scheme: 0, // rises when the colours change
  };
  let [ticket, moves, queued] = [0, 0, 0];
  let steps = 0; // numbers the calls of step()
  let stepping = 0; // the call under way, or 0
  let slowTimer = 0;
  let playTimer = 0;

  const lastStep = () => (state.run ? state.run.steps.length - 1 : 0);
  const isUnderWay = (same) => state.busy && state.run !== null
    && !same(state.asked, state.run.recipe);
  // While another sentence is read, nothing of the old run is asked: that would drop its answer.
  const isLeaving = () => isUnderWay((a, b) => sameSource({ ...a, pads: 0 }, { ...b, pads: 0 }));
  const canAskOn = () => state.canAsk && state.run !== null && !isUnderWay(sameSource);
  const canExtend = () => canAskOn() && state.run.finished === null;
  const strategy = () => (state.strategy.kind === "greedy" ? { kind: "greedy" }
    : { ...state.strategy });

  function recipeWith(changes) {
    const base = state.run ? state.run.recipe
      : { version: 1, model: state.model.name, source: state.draft, pads: 0, target: [] };
    return { ...base, strategy: strategy(), ...changes };
  }

  function useModel(name) {
    state.model = options.models.find((model) => model.name === name) || options.models[0];
    const start = state.model.start_on || { site: "cross", layer: 0, head: 0 };
    for (const site of SITES) {
      const part = site === "encoder" ? "encoder" : "decoder";
      state.locks[site] = { layer: state.model[`${part}_layers`] - 1, head: 0 };
    }
    state.locks[start.site] = { layer: start.layer, head: start.head };
    state.site = start.site;
    if (start.rows) state.rows = start.rows;
  }

  function useRun(run) {
    state.run = run;
    if (run.kept === 0) state.cells = {};
    state.at = Math.min(state.at, lastStep());
    for (const site of SITES) {
      const lock = state.locks[site];
      lock.layer = Math.min(lock.layer, run.layers[site] - 1);
      lock.head = Math.min(lock.head, run.heads[site] - 1);
    }
    state.preview = null;
    state.pointed = { query: null, key: null };
    hooks.runChanged(run);
  }

  function tell(message) {
    state.message = message;
    state.messageOf = null;
  }

  function settle() {
    clearTimeout(slowTimer);
    state.busy = false;
    state.slow = false;
    state.opening = null;
  }

  /**
   * Asks the server. Only the last question counts: an answer to an earlier one is dropped.
   * @returns {Promise<boolean>} whether an answer arrived and was taken over
   */
  async function ask(recipe, extend, { force = null, cursor = lastStep, have = null } = {}) {
    if (!transport) return false;
    const mine = ++ticket;
    const held = state.run;
    const movesBefore = moves;
    const known = have === null ? stepsHeld(held, recipe) : have;
    settle();
    state.busy = true;
    state.asked = recipe;
    slowTimer = setTimeout(() => {
      state.slow = true;
      hooks.changed();
      watchOpening(transport, recipe.model, () => mine !== ticket || !state.slow, (opening) => {
        state.opening = opening;
        hooks.changed();
      });
    }, SLOW_MS);
    hooks.changed();
    let answer = null;
    try {
      answer = await transport({ recipe, extend, force, have: known });
    } catch {
      answer = { error: { code: "network" } };
    }
    if (mine !== ticket) return false;
    state.wanted = null;
    settle();
    try {
      if (!answer || (!answer.error && answer.version !== 1)) {
        // A host that lost its server may answer nothing at all.
        answer = { error: { code: answer ? "answer" : "network" } };
      }
      if (!answer.error) {
        const model = options.models.find((one) => one.name === answer.recipe.model);
        if (model !== state.model) useModel(answer.recipe.model);
        const moved = moves !== movesBefore;
        useRun(mergeRun(held, answer, model));
        if (!moved) state.at = Math.max(0, Math.min(cursor(), lastStep()));
        tell(answer.notice ?? null);
      }
    } catch {
      // What the browser holds and what arrived do not fit together: ask for everything, once.
      if (known > 0) return ask(recipe, extend, { force, cursor, have: 0 });
      answer = { error: { code: "answer" } };
    }
    if (answer.error) {
      tell(answer.error);
      queued = 0;
      stopPlaying();
    }
    hooks.arrived();
    return !answer.error;
  }

  function moveTo(step) {
    const next = Math.max(0, Math.min(step, lastStep()));
    moves += 1;
    if (next !== state.at) {
      state.at = next;
      hooks.changed();
    }
  }

  function stopPlaying() {
    clearTimeout(playTimer);
    if (state.playing) {
      state.playing = false;
      hooks.changed();
    }
  }

  /** One step on: along the finished ones first, then one more from the server. */
  async function advance() {
    if (!state.run) return false;
    if (state.at < lastStep()) {
      moveTo(state.at + 1);
      return true;
    }
    if (!canExtend()) return false;
    return ask(recipeWith({}), 1);
  }

  /** Steps on; presses while a step is under way are done one after the other. */
  async function step() {
    stopPlaying();
    if (stepping) {
      queued = Math.min(queued + 1, MOST_QUEUED);
      return;
    }
    const mine = ++steps;
    stepping = mine;
    let went = await advance();
    while (went && queued > 0 && stepping === mine) {
      queued -= 1;
      went = await advance();
    }
    if (stepping === mine) stepping = 0;
  }

  function schedulePlay() {
    clearTimeout(playTimer);
    playTimer = setTimeout(async () => {
      if (!state.playing) return;
      const went = state.busy || await advance();
      if (!state.playing) return;
      const more = state.at < lastStep() || canExtend();
      if (went && more) schedulePlay();
      else stopPlaying();
    }, PLAY_MS);
  }

  /** An action of the reader ends the playback and what was queued. */
  function byHand(action) {
    return (...values) => {
      queued = 0;
      stepping = 0;
      stopPlaying();
      return action(...values);
    };
  }

  function startOver(extend) {
    const source = state.draft.trim(); // spaces at the ends would be tokens of their own
    if (source === "") {
      tell({ code: "empty" });
      hooks.changed();
      return false;
    }
    if (countCharacters(source) > options.limits.characters) {
      tell({ code: "characters",
        values: { n: countCharacters(source), limit: options.limits.characters } });
      hooks.changed();
      return false;
    }
    const model = state.wanted ?? state.model.name;
    return ask(recipeWith({ model, source, target: [] }), extend,
      { cursor: extend === "end" ? lastStep : () => 0 });
  }

  const actions = {
    changed: hooks.changed,
    canExtend,
    lastStep,
    step,
    moveTo: byHand(moveTo),
    back: byHand(() => moveTo(state.at - 1)),
    translate: byHand(() => {
      state.offered = null;
      return startOver("end");
    }),
    stepByStep: byHand(() => startOver(0)),
    runToEnd: byHand(async () => {
      if (canExtend()) return ask(recipeWith({}), "end");
      moveTo(lastStep());
      return true;
    }),
    /** Drops every chosen token; what is known of step 0 stays, so no server is needed. */
    reset: byHand(() => {
      if (!state.run || isLeaving()) return;
      ticket += 1;
      state.wanted = null;
      settle();
      moves += 1;
      if (state.canAsk) useRun(cutRun(state.run, 0));
      state.at = 0;
      hooks.changed();
    }),
    togglePlay() {
      if (state.playing || !state.run) {
        stopPlaying();
        return;
      }
      queued = 0;
      state.playing = true;
      if (state.at === lastStep() && !canExtend()) moveTo(0);
      hooks.changed();
      schedulePlay();
    },
    /** Whether another token can be taken at the cursor. */
    canForce() {
      if (!canAskOn()) return false;
      return !(state.run.finished === "limit" && state.at === lastStep());
    },
    /** Takes a candidate at the cursor; one that is not the present choice drops what follows. */
    force: byHand((token) => {
      if (!actions.canForce()) return false;
      const { run, at } = state;
      if (run.chosen[at]?.token === token) {
        moveTo(at + 1);
        return true;
      }
      return ask(recipeWith({ target: run.recipe.target.slice(0, at) }), 1, { force: token });
    }),
    /** Whether the answer that is under way is to another sentence or model. */
    isLeaving,
    canAddPads: () => state.canAsk && state.run !== null && !isLeaving(),
    /** More pads after the source, or fewer, than there are or were asked for. */
    addPads: byHand((more) => {
      if (!actions.canAddPads()) return false;
      const at = state.at;
      const count = Math.max(0, Math.min(mostPads(state), padsOf(state) + more));
      return ask(recipeWith({ pads: count }), 0, { cursor: () => at });
    }),
    setModel: byHand((name) => {
      const next = options.models.find((model) => model.name === name);
      if (!next || next === state.model) return false;
      const { source, offered } = sourceFor(state.model, next, state.draft);
      state.draft = source;
      state.offered = offered;
      state.wanted = name;
      return ask(recipeWith({ model: name, source, target: [] }), "end");
    }),
    /** Shows a recipe as a view says; gives whether it is shown. See readLink for both. */
    open: byHand(async ({ recipe, view }) => {
      const { run } = state;
      const held = run && !view.to_end && sameSource(run.recipe, recipe)
        && JSON.stringify(run.recipe.target) === JSON.stringify(recipe.target);
      const n = countCharacters(recipe.source);
      tell(null);
      if (n > options.limits.characters) {
        tell({ code: "characters", values: { n, limit: options.limits.characters } });
        hooks.changed();
        return false;
      }
      if (held) {
        ticket += 1; // an answer under way belongs to another page
        settle();
        state.wanted = null;
        state.at = Math.min(view.at ?? lastStep(), lastStep());
      } else {
        state.wanted = recipe.model;
        const cursor = () => view.at ?? lastStep();
        if (!await ask(recipe, view.to_end ? "end" : 0, { cursor })) return false;
      }
      state.draft = view.draft ?? recipe.source;
      state.strategy = { ...state.strategy, ...recipe.strategy };
      applyView(state, view);
      hooks.changed();
      return true;
    }),
    setStrategy(changes) {
      state.strategy = { ...state.strategy, ...changes };
      hooks.changed();
    },
    set(changes) {
      Object.assign(state, changes);
      hooks.changed();
    },
    /** Opens a room; without a server with the head and the cell whose numbers it has. */
    enter(room) {
      if (!state.canAsk && room !== "translate") applyView(state, options.view ?? {});
      if (room !== "translate") stopPlaying(); // every step would make the room ask anew
      state.room = room;
      hooks.changed();
    },
    point(query, key) {
      const { pointed } = state;
      if (pointed.query === query && pointed.key === key) return;
      state.pointed = { query, key };
      hooks.changed();
    },
    /** Keeps a cell of a site for the room Inside a head; one without a query or a key is none. */
    keepCell(query, key, site = state.site) {
      if (query === null || key === null) return;
      state.cells[site] = { query, key, chosen: true };
      hooks.changed();
    },
    /** The cell of a site; one that the run does not have gives way to the best one. */
    cellOf(site) {
      const { run, cells, locks } = state;
      if (!cells[site] || !hasCell(run, site, cells[site])) {
        cells[site] = bestCell(run, site, locks[site].layer, locks[site].head);
      }
      return cells[site];
    },
    lock(layer, head, site = state.site) {
      state.locks[site] = { layer, head };
      state.preview = null;
      hooks.changed();
    },
    /**
     * Opens the room Inside a head, on the run on the screen or on another recipe.
     * @param {Head & {site: Site, cell?: ?Cell, recipe?: ?Recipe}} wanted without a cell: the one the reader keeps, else that of the
     *     current step
     * @returns {Promise<boolean>} whether it is open
     */
    async lookInside(wanted) {
      const { site, layer, head, cell = null, recipe = null } = wanted;
      if (recipe && !runShows(state.run, recipe, site, cell)) {
        const strategy = recipe.strategy ?? state.run.recipe.strategy;
        if (!await actions.open({ recipe: { ...recipe, strategy }, view: {} })) return false;
        if (!hasCell(state.run, site, cell)) return false;
      }
      state.locks[site] = { layer, head };
      const kept = state.cells[site];
      if (cell) state.cells[site] = cell;
      else if (!kept?.chosen || !hasCell(state.run, site, kept)) {
        state.cells[site] = cellOfStep(state, site, { layer, head });
      }
      stopPlaying();
      Object.assign(state, { site, preview: null, looks: state.looks + 1, room: "inside" });
      hooks.changed();
      return true;
    },
    close() {
      ticket += 1;
      settle();
      clearTimeout(playTimer);
      state.playing = false;
    },
  };

  useModel(options.model);
  if (options.payload) {
    useModel(options.payload.recipe.model);
    state.draft = options.payload.recipe.source;
    if (["sample", "beam"].includes(options.payload.recipe.strategy?.kind)) {
      Object.assign(state.strategy, options.payload.recipe.strategy);
    }
    useRun(mergeRun(null, options.payload, state.model));
    state.at = lastStep();
    applyView(state, options.view ?? {});
  } else {
    state.draft = state.model.examples?.[0] ?? "";
  }
  return { state, actions };
}
