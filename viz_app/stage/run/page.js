// What holds for the whole page, however many decodings are on it: its room, its words and colours,
// and what it tells the reader. Changed through actions only; knows no element.

import { makeAnswers, makeWaits } from "./ask.js";

/**
 * The actions that keep a run to compare the one at hand with.
 * @param {PageOptions} options
 * @param {function(Partial<State>): void} change
 * @param {function(string): void} enter
 */
function makeOther(options, change, enter) {
  /** @param {?Recipe} b */
  const weightsOf = (b) => options.models.find(({ name }) => name === b?.model)?.fingerprint || null;
  /** @param {?Recipe} b @param {?string} [weights] the fingerprint of its model */
  const keepOther = (b, weights = weightsOf(b)) => change({ other: b && { b, weights } });
  return {
    keepOther,
    /** Opens the room Compare on a run beside the one at hand. @param {?Recipe} b */
    compareWith(b) {
      keepOther(b);
      enter("compare");
    },
  };
}

/**
 * @param {PageOptions} options
 * @param {{rooms: RoomScript[], canAsk: boolean, language: ?string, changed: function(): void}} here
 *     `canAsk`: whether there is a server; `changed` is called after every change
 */
export function openPage(options, { rooms, canAsk, language, changed }) {
  /** @type {any} */
  const state = {
    options,
    rooms,
    canAsk,
    language,
    room: "translate",
    lesson: null, // a lesson and its step, as a link says it: "first-look.3"
    isStepAsked: false, // whether a link named that step and no sentence: it is to be shown, also where it is on already
    spelled: false, // tokens as the tokenizer spells them
    other: null, // the run that the one at hand is compared with: {b: its recipe, weights}
    more: null, // what a press may need; see rooms/translate/more.js
    scheme: 0, // rises when the colours change
    awaits: null, // what a slow answer waits for; see ask.js
    worker: options.site?.worker?.now() ?? null, // what computes in the page, see worker_client.js
    local: [], // models that this browser answers for, see local.js
    message: null, // {code, values, message} of an error, or a text; see wordsOfError
    given: {}, // without a server: by room and picture the answer that was given last
    messageOf: null, // the room whose question it answers; null: the sentence's own
  };
  /** @type {(function(string): void)[]} */
  const entered = [];
  /** @param {Partial<State>} changes */
  function change(changes) {
    Object.assign(state, changes);
    changed();
  }
  /** Opens a room; the message of another one stays behind. @param {string} room */
  function open(room) {
    if (![null, room].includes(state.messageOf)) Object.assign(state, { message: null, messageOf: null });
    state.room = room;
  }
  /** @param {string} room */
  function enter(room) {
    for (const listener of entered) listener(room);
    open(room);
    changed();
  }
  const actions = {
    changed,
    enter,
    ...makeOther(options, change, enter),
    /**
     * Without a server: keeps what a room was answered, for each of its pictures.
     * @param {string} room
     * @param {any} answer
     */
    give(room, answer) {
      for (const picture of Object.keys(answer.tables)) state.given[`${room} ${picture}`] = answer;
    },
    /** @param {string} room */
    show(room) {
      open(room);
      changed();
    },
    /** @param {boolean} spelled */
    spell: (spelled) => change({ spelled }),
    /** The step of a lesson that is on, or that none is. @param {?string} lesson @param {boolean} [isStepAsked] */
    teach: (lesson, isStepAsked = false) => change({ lesson, isStepAsked }),
    /** @param {string} language */
    speak: (language) => change({ language }),
    /** What can be kept of the room that is always here comes with it. @param {NonNullable<State["more"]>} more */
    bring(more) {
      Object.assign(rooms[0].keep, more.keep);
      change({ more });
    },
    recolour: () => change({ scheme: state.scheme + 1 }),
    /**
     * Tells the reader something, or nothing any more; `room`: whose question it answers.
     * @param {Message} message
     * @param {?string} [room]
     */
    tell: (message, room = null) => change({ message, messageOf: room }),
    /** @param {State["awaits"]} awaits */
    wait: (awaits) => (awaits === state.awaits ? null : change({ awaits })),
    /** What computes in the page; that fewer bytes are left is no reason to draw all of it. @param {NonNullable<State["worker"]>} worker */
    runOn(worker) {
      const said = (/** @type {State["worker"]} */ one) => JSON.stringify([one?.phase, one?.asked, (one?.left ?? 0) > 0]);
      const isNew = said(state.worker) !== said(worker);
      state.worker = worker;
      if (isNew) changed();
    },
    /** @param {string[]} local */
    answerHere: (local) => change({ local }),
    /** Takes over what fits of a view of the page: its room, its lesson and its spelling. @param {any} view */
    takeView(view) {
      state.lesson = view.lesson ?? null;
      if (rooms.some(({ name }) => name === view.room)) open(view.room);
      if (typeof view.spelled === "boolean") state.spelled = view.spelled || Boolean(view.choices?.spelled);
    },
  };
  return {
    state,
    actions,
    answers: makeAnswers(),
    waits: makeWaits(actions.wait),
    /**
     * Calls a function with the name of each room that the reader enters, before it is open.
     * @param {function(string): void} listener
     */
    whenEntering: (listener) => { entered.push(listener); },
  };
}

/**
 * A state in which the names of the page's can be read too; they are written through the page's
 * actions only.
 * @template {Object} Own
 * @template {Record<string, any>} Page
 * @param {Own} own
 * @param {Page} page
 * @returns {Own & Readonly<Page>}
 */
export function withPage(own, page) {
  for (const name of Object.keys(page)) {
    Object.defineProperty(own, name, { get: () => page[name], enumerable: true });
  }
  return /** @type {Own & Readonly<Page>} */ (own);
}
