// The rooms: the translation, and others beside it. Each explains one thing about the run on the screen. They share
// its model, its sentence and its session; only the room that is open asks the server.
//
// A room's script exports `room`: its name, `make`, and what can be kept of it; see keep/views.js. It is made by
// `make(t, session, ask, redraw, kept, {axes, pictures, playback})`, which gives a Room (types.d.ts);
// `redraw()` draws at the end of a press or with the next frame, `redraw.now()` at once, for an
// answer. A room marks with `data-asks` what holds controls that ask; see markAsking.
// `ask(request)` resolves to the server's answer for this room, to null when a newer question
// overtook it, and shows the message of an error by itself. A room asks again what was not answered,
// but not while that message stands: closing it is trying again; see question.js.

import { make, makeButton, setText, setTrait } from "./elements.js";
import { answerInTurn } from "../run/asking.js";
import { SLOW_MS, watchOpening } from "./opening.js";
import { makeTabs } from "./pick.js";
import { codeOf } from "./words.js";

/** The tabs of the first line; there are none while there is one room. @param {Words} t @param {Session} session */
export function makeRoomTabs(t, { state, actions }) {
  const names = state.rooms.map((room) => room.name);
  const { element, tabs, update } = makeTabs({ class: "tabs rooms", "aria-label": t("rooms") }, names,
    (name) => ({ class: "tab room-tab", text: t(`room_${name}`), title: t(`room_${name}_hint`),
      data: { open: name } }), actions.enter);
  element.hidden = names.length < 2;
  let shown = "";
  /** Where the tabs have less room than they need, the open one is in sight. */
  function reveal() {
    const tab = tabs[names.indexOf(state.room)];
    if (shown === state.room || !tab) return;
    shown = state.room;
    const before = tab.offsetLeft - tabs[0].offsetLeft;
    element.scrollLeft = before - (element.clientWidth - tab.offsetWidth) / 2;
  }
  return {
    element,
    update() {
      reveal();
      update(state.room);
    },
  };
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {Transport} transport
 * @param {Redraw} redraw
 * @param {{answers: Map<string, any>, kept: Record<string, any>, axes: function, pictures: Object,
 *     playback: Object}} before
 *     what an earlier build was answered, and its choices; and what rooms share: the labels of the
 *     tokens, the pictures of the heads and the playback
 */
export function makeRooms(t, session, transport, redraw, before) {
  const { answers, kept, ...shared } = before;
  const { state } = session;
  /** The element of a room, with what it says while it waits. @param {HTMLElement} element @param {string} name @param {HTMLElement[]} waits */
  const placed = (element, name, ...waits) => {
    element.classList.add("room");
    element.classList.toggle("unanswered", name !== "translate"); // which shows the run itself
    element.dataset.room = name;
    element.append(make("p", { class: "room-awaited", role: "status" }, [
      make("strong", { text: t(`room_${name}_hint`) }), ...waits]));
    if (state.rooms.length > 1) {
      element.setAttribute("role", "tabpanel");
      element.setAttribute("aria-label", t(`room_${name}`));
    }
    element.hidden = true;
    return element;
  };
  /** @param {RoomScript} script */
  const built = ({ name, make: build }) => {
    const ask = askerOf(name, session, transport, answers);
    const computing = make("span", { text: t("room_awaited") });
    const again = makeButton({ class: "plain", text: t("room_again"), hidden: true },
      () => session.actions.tell(null));
    /** @type {Room} */
    const room = build(t, session, async (/** @type {any} */ request) => {
      computing.hidden = false;
      again.hidden = true;
      const answer = await ask(request);
      const why = !answer && isTold(state, name) ? codeOf(state.message) : null; // null: overtaken
      computing.hidden = why === "network";
      again.hidden = !computing.hidden;
      if (answer || (why && why !== "network")) {
        const { classList } = room.element;
        const isBare = classList.contains("unanswered") || classList.contains("refused");
        classList.toggle("refused", !answer && isBare);
        classList.remove("unanswered");
      }
      return answer;
    }, redraw, kept[name] ?? null,
    { ...shared, askRows: askerOf(name, session, transport, answers) });
    placed(room.element, name, computing, again);
    return { ...room, name, seen: /** @type {?Run} */ (null) };
  };
  let isClosed = false;
  /** What stands in the place of a room whose script has not arrived. @param {RoomScript} script */
  const awaited = (script) => {
    const { name } = script;
    let isAsking = false;
    const arrive = async () => {
      if (isAsking || isTold(state, name)) return;
      isAsking = true;
      try {
        await script.arrives?.();
        if (!isClosed) redraw.now();
      } catch {
        if (!isClosed) session.actions.tell({ code: "network" }, name);
      } finally {
        isAsking = false;
      }
    };
    return { element: placed(make("section"), name, make("span", { text: t("room_awaited") })), name,
      withoutRun: true, update: arrive, drawn: () => ({ busy: true }), keep: () => kept[name] ?? null,
      seen: /** @type {?Run} */ (null) };
  };
  /** @type {(Room & {name: string, seen: ?Run})[]} */
  const rooms = state.rooms.map((script) => (script.arrives ? awaited(script) : built(script)));
  const isWaiting = rooms.map((_, i) => Boolean(state.rooms[i].arrives));
  /** Builds the open room in its place, if its script has arrived. */
  const build = () => {
    const i = rooms.findIndex(({ name }) => name === state.room);
    if (!isWaiting[i] || state.rooms[i].arrives) return;
    isWaiting[i] = false;
    const { element } = rooms[i];
    rooms[i] = built(state.rooms[i]);
    element.replaceWith(rooms[i].element);
  };
  const open = () => rooms.find((room) => room.name === state.room);
  const refusal = make("p", { class: "room room-refusal", role: "status", hidden: true });
  const lacks = (name = state.room) => state.model.lacking[name] ?? null;
  return {
    elements: [...rooms.map((room) => room.element), refusal],
    /** @param {Palette} palette @param {number} unit */
    update(palette, unit) {
      build();
      const [room, why] = [open(), lacks()];
      for (const other of rooms) {
        other.element.hidden = other !== room || why !== null;
        if (other !== room) other.seen = null;
      }
      room?.element.closest(".stage")?.classList.toggle("refuses", room.element.matches(".refused"));
      refusal.hidden = why === null;
      setText(refusal, why === null ? "" : t(`error_lacks_${why}`));
      if (!room || why !== null || (!state.run && !room.withoutRun)) return;
      const fresh = room.seen !== state.run;
      room.seen = state.run;
      room.update({ palette, unit, fresh });
      if (!session.state.canAsk) closeAsking(room, session.state, t);
    },
    /** Whether the open room waits for no answer. */
    isAnswered() {
      const room = lacks() === null ? open() : null; // else it says why there is none
      const asks = '.unanswered, [aria-busy="true"]';
      return !room?.element.matches(asks) && !room?.element.querySelector(asks);
    },
    /** A room by its name. @param {string} name */
    of: (name) => rooms.find((room) => room.name === name),
    drawn: () => (lacks() === null ? open()?.drawn() ?? null : { lacks: lacks() }),
    here: () => (lacks() === null && open()?.here?.()) || {},
    moves: () => (lacks() === null && open()?.moves) || {},
    /** @param {string} name of a picture */
    pictured: (name) => (lacks() === null && open()?.pictured?.(name)) || null,
    keep: () => Object.fromEntries(rooms.map((room) =>
      [room.name, (lacks(room.name) === null && room.keep?.()) || null])),
    destroy() {
      isClosed = true;
      rooms.forEach((room) => room.destroy?.());
    },
  };
}

/** Marks elements whose controls ask the server; without one these stand there and do nothing. @param {HTMLElement[]} elements */
export function markAsking(...elements) {
  for (const element of elements) element.dataset.asks = "";
}

/**
 * Without a server: switches off what would ask it, and says why. In a site of several pages what
 * is answered there stays open.
 * @param {Room & {name: string}} room
 * @param {State} state
 * @param {Words} t
 */
function closeAsking({ element, name, asks }, { options }, t) {
  const within = "[data-asks] :is(button, select, input), :is(button, select, input)[data-asks]";
  /** @type {NodeListOf<HTMLButtonElement | HTMLSelectElement | HTMLInputElement>} */
  const controls = element.querySelectorAll(within);
  for (const control of controls) {
    const request = options.site && control.localName === "button" ? asks?.(control) ?? null : null;
    const isOpen = request !== null && answerFor(options.answers ?? [], { room: name, ...request });
    if (isOpen && control.dataset.closed === undefined) continue;
    control.disabled = !isOpen;
    control.dataset.closed ??= control.title;
    setTrait(control, "title", isOpen ? control.dataset.closed ?? null : whyAlone(options, t));
    if (isOpen) delete control.dataset.closed;
  }
}

/** Why nothing is asked, and where it would be answered. @param {PageOptions} options @param {Words} t */
function whyAlone({ site }, t) {
  return site?.live ? t("error_alone_live", { live: site.live }) : t("alone_asks");
}

/**
 * The one of the answers that came with the page that answers a request.
 * @param {AnswerAtHand[]} answers
 * @param {any} request
 */
function answerFor(answers, request) {
  const same = (/** @type {any} */ a, /** @type {any} */ b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
  return answers.filter(({ room, asked }) => room === request.room
    && Object.entries(asked).every(([name, value]) => same(value, request[name]))).at(-1);
}

/**
 * A transport to nowhere: it knows the answers that came with the page.
 * @param {AnswerAtHand[]} answers
 * @param {?SitePages} site
 * @returns {Transport}
 */
export function answersAtHand(answers, site = null) {
  const error = site?.live ? { code: "alone_live", values: { live: site.live } } : { code: "alone" };
  return async (request) => {
    const { answer = { error } } = answerFor(answers, request) ?? {};
    return typeof answer === "function" ? answer() : answer;
  };
}

/** Whether a message stands on the page that a question of this room was answered. @param {State} state @param {string} room */
export const isTold = (state, room) => state.message !== null && state.messageOf === room;

const MOST_ANSWERS = 6; // of all rooms together; they are what a rebuilt page asks again

/**
 * What a room asks with: `ask(request)`, as said at the top.
 * @param {string} name
 * @param {Session} session
 * @param {Transport} transport
 * @param {Map<string, any>} answers
 */
export function askerOf(name, { state, actions }, transport, answers) {
  let ticket = 0;
  return async (/** @type {any} */ request) => {
    const mine = ++ticket;
    const key = JSON.stringify([name, request]);
    let answer = answers.get(key) ?? null;
    let isHere = answer !== null;
    const slowTimer = setTimeout(() => watchOpening(transport, request.recipe.model,
      () => isHere || mine !== ticket, (status) =>
        actions.wait(status && { ...status, of: name })), SLOW_MS);
    try {
      answer ??= await answerInTurn(() => transport({ room: name, ...request }),
        () => mine === ticket);
    } catch {
      // Told below.
    }
    isHere = true;
    clearTimeout(slowTimer);
    answer ??= { error: { code: "network" } }; // a host that lost its server may answer nothing
    if (mine !== ticket) return null;
    if (state.inLine?.of === name) actions.wait(null);
    const isOpen = state.room === name; // what it says elsewhere would stand over another room
    if (answer.error) {
      if (isOpen) actions.tell(answer.error, name);
      return null;
    }
    answers.delete(key); // and to the end: the oldest goes first
    answers.set(key, answer);
    if (answers.size > MOST_ANSWERS) answers.delete([...answers.keys()][0]);
    if (!state.canAsk && answer.tables) actions.give(name, answer);
    // What was said of the sentence, or by another room, is not answered by this.
    const told = answer.notice ?? null;
    if (told !== null && isOpen) actions.tell(told, name);
    else if (isTold(state, name)) actions.tell(null);
    return answer;
  };
}
