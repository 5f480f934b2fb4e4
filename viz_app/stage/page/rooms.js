// The rooms: the translation, and others beside it. Each explains one thing about the run on the screen. They share
// its model, its sentence and its session; only the room that is open asks the server.
//
// A room's script exports `room`: its name, `make`, and what can be kept of it; see keep/kept.js. It is made by
// `make(t, session, ask, redraw, kept, {axes, pictures, playback})`, which gives a Room (types.d.ts);
// `settle()` runs before anything is drawn: it asks, and chooses what follows from an answer or another
// run; `update()` draws. `redraw()` draws at the end of a press or with the next frame, `redraw.now()` at once, for an
// answer. A room marks with `data-asks` what holds controls that ask; see markAsking.
// `ask({element, settle})` makes a question to the server; see run/ask.js. The message of an error is
// shown by itself. What was not answered is asked again, but not while that message stands: closing
// it is trying again.

import { lackOf } from "../anatomy.js";
import { fadeEnds, hide, press, setTrait } from "./elements.js";
import { elementOf, html, makePart } from "./html.js";
import { isOpen, makeQuestion } from "../run/ask.js";
import { makeTabs } from "./pick.js";
import { codeOf } from "./words.js";

/** The tabs of the first line; there are none while there is one room. @param {Words} t @param {Session} session */
export function makeRoomTabs(t, { state, actions }) {
  const names = state.rooms.map((room) => room.name);
  const { element, tabs, update } = makeTabs(t("rooms"), names, (name) => ({ text: t(`room_${name}`), title: t(`room_${name}_hint`),
    data: { open: name }, more: " room-tab" }), actions.enter, " rooms");
  hide(element, names.length < 2);
  /** What was never kept of a model has no tab, unless it is open. */
  const offered = () => names.filter((name) => name === state.room || lackOf(state, name) !== "history");
  let shown = "";
  let isShort = false; // whether the tabs have less room than they need
  const fade = fadeEnds(element);
  new ResizeObserver(() => {
    isShort = element.scrollWidth > element.clientWidth;
    fade()();
    reveal();
  }).observe(element);
  /** Where the tabs have less room than they need, the open one is in sight. */
  function reveal() {
    const [first, tab] = [tabs()[0], tabs()[names.indexOf(state.room)]];
    if (shown === state.room || !tab || !isShort) return;
    shown = state.room;
    const before = tab.offsetLeft - first.offsetLeft;
    element.scrollLeft = before - (element.clientWidth - tab.offsetWidth) / 2;
  }
  return {
    element,
    update() {
      reveal();
      update(state.room, offered());
    },
  };
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {Transport} transport
 * @param {Redraw} redraw
 * @param {{page: import("../run/decoding.js").Page, kept: Record<string, any>, axes: function,
 *     alone: StageParts["alone"], pictures: Object, playback: Object,
 *     strips: Record<"source" | "target", Object>, whatIf: HTMLElement, add: function(Model): void}} before
 *     the answers that are here, and what an earlier build had chosen; and what rooms share: the
 *     labels of the tokens, the pictures of the heads, the playback, the two sentences, the
 *     menu "What if", and what puts a model into the menu
 */
export function makeRooms(t, session, transport, redraw, before) {
  const { page, kept, alone, ...shared } = before;
  const { state } = session;
  /** Places the element of a room, with what it says while it waits; returns what says that the server is away. @param {HTMLElement} element @param {string} name */
  const place = (element, name) => {
    element.classList.add("room");
    element.classList.toggle("unanswered", name !== "translate"); // which shows the run itself
    element.dataset.room = name;
    const waits = makePart((isLost = false) => html`
      <p class="room-awaited" role="status"><strong>${t(`room_${name}_hint`)}</strong><span ?hidden=${isLost}>${t("room_awaited")}</span>
        <button type="button" class="plain" ?hidden=${!isLost} @click=${press(() => session.actions.tell(null))}>${t("room_again")}</button></p>`);
    element.append(waits.element);
    if (state.rooms.length > 1) {
      element.setAttribute("role", "tabpanel");
      element.setAttribute("aria-label", t(`room_${name}`));
    }
    element.hidden = true;
    return waits.update;
  };
  /** @param {RoomScript} script */
  const built = ({ name, make: build }) => {
    /** What stands in the place of a room that was not answered. @param {string} said @param {any} arrived */
    function show(said, arrived) {
      const code = said === "failed" && hasMessage(state, name) ? codeOf(arrived.error) : null;
      const isLost = code === "network";
      lose(isLost);
      if (said !== "ready" && (code === null || isLost)) return;
      const { classList } = room.element;
      const isBare = classList.contains("unanswered") || classList.contains("refused");
      classList.toggle("refused", said === "failed" && isBare);
      classList.remove("unanswered");
    }
    /** @type {import("../run/ask.js").Question[]} */
    const questions = [];
    const asks = questionsOf(name, session, transport, page, redraw, show);
    /** @type {Ask} */
    const ask = (how) => {
      const made = asks(how);
      questions.push(made);
      return made;
    };
    /** @type {Room} */
    const room = build(t, session, ask, redraw, kept[name] ?? null, { ...shared, transport });
    const lose = place(room.element, name);
    return { ...room, name, questions, seen: /** @type {?Run} */ (null) };
  };
  let isClosed = false;
  /** What stands in the place of a room whose script has not arrived. @param {RoomScript} script */
  const awaited = (script) => {
    const { name } = script;
    let isAsking = false;
    const arrive = async () => {
      if (isAsking || hasMessage(state, name)) return;
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
    const element = elementOf(html`<section></section>`);
    place(element, name);
    return { element, name, withoutRun: true, questions: [], settle: arrive, update() {}, keep: () => kept[name] ?? null,
      seen: /** @type {?Run} */ (null) };
  };
  /** @type {(Room & {name: string, questions: import("../run/ask.js").Question[], seen: ?Run})[]} */
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
  const refusal = makePart((/** @type {?string} */ why = null) => html`
    <p class="room room-refusal" role="status" ?hidden=${why === null}>${why && t(`error_lacks_${why}`)}</p>`);
  const lacks = (name = state.room) => lackOf(state, name);
  /** The open room, where it can be drawn. */
  const drawable = () => {
    const room = lacks() === null ? open() : null;
    return room && (state.run || room.withoutRun) ? room : null;
  };
  return {
    elements: [...rooms.map((room) => room.element), refusal.element],
    /** Before anything is drawn. */
    settle() {
      build();
      const room = drawable();
      const isFresh = room !== null && room.seen !== state.run;
      for (const one of rooms) one.seen = one === room ? state.run : null;
      room?.settle?.(isFresh);
    },
    /** @param {Palette} palette @param {number} unit */
    update(palette, unit) {
      const [room, why] = [open(), lacks()];
      for (const other of rooms) {
        hide(other.element, other !== room || why !== null);
      }
      room?.element.closest(".stage")?.classList.toggle("refuses", room.element.matches(".refused"));
      refusal.update(why);
      drawable()?.update({ palette, unit });
      if (room && drawable() && !state.canAsk) alone?.closeAsking(room, state, t);
    },
    /** Whether the open room waits for no answer. */
    isAnswered() {
      const room = lacks() === null ? open() : null; // else it says why there is none
      const asks = '.unanswered, [aria-busy="true"]';
      return !room?.element.matches(asks) && !room?.element.querySelector(asks);
    },
    /** What the open room shows that was answered; of each answer what computed it. @returns {(string | undefined)[]} */
    computedBy: () => (open()?.questions ?? []).flatMap((one) => (one.answer() ? [one.answer().by] : [])),
    /** Lets the rooms ask everything anew. */
    forget() {
      for (const { questions } of rooms) for (const one of questions) one.forget();
    },
    /** Whether the open room waits, also for what it is not dimmed for. */
    isAsking: () => (open()?.questions ?? []).some((one) => one.isOpen()),
    /** A room by its name. @param {string} name */
    of: (name) => rooms.find((room) => room.name === name),
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

/** Whether a message stands on the page that a question of this room was answered. @param {State} state @param {string} room */
export const hasMessage = (state, room) => state.message !== null && state.messageOf === room;

/**
 * Dims an element while any of the questions about it is slow, and says so while any is open.
 * @param {Element} element
 * @param {Map<object, import("../run/ask.js").Asked>} said what became of each question
 */
function markAwaited(element, said) {
  const all = [...said.values()];
  element.classList.toggle("waiting", all.includes("slow"));
  setTrait(element, "aria-busy", all.some(isOpen) ? "true" : null);
}

/**
 * What a room asks with: it makes a question of the room, see run/ask.js. `element` is dimmed while an
 * answer is awaited; what is asked `quiet` nobody asked for: nothing is said of it, and it is asked once.
 * @param {string} name
 * @param {Session} session
 * @param {Transport} transport
 * @param {Pick<import("../run/decoding.js").Page, "answers" | "waits">} page
 * @param {Redraw} redraw
 * @param {function(import("../run/ask.js").Asked, any): void} [show] what becomes of each question
 * @returns {Ask}
 */
export function questionsOf(name, { state, actions }, transport, { answers, waits }, redraw, show = () => {}) {
  /** @typedef {Map<object, import("../run/ask.js").Asked>} Said */
  const about = /** @type {Map<Element, Said>} */ (new Map());
  return ({ element = null, failed = () => {}, quiet = false, ...how } = {}) => {
    const mine = {};
    if (element && !about.has(element)) about.set(element, new Map());
    element?.classList.add("awaits");
    return makeQuestion({ name, answers, waits, ...how, changed: redraw.now,
      transport: (request, signal, more) => transport({ room: name, ...request }, signal, { ...more, quiet }),
      mayRetry: () => !quiet && !hasMessage(state, name),
      show(said, arrived) {
        if (quiet) return;
        if (element) markAwaited(element, /** @type {Said} */ (about.get(element)).set(mine, said));
        if (arrived) tell(arrived, name, state, actions);
        show(said, arrived);
        if (said === "failed") failed();
      } });
  };
}

/**
 * Tells what an answer of a room says besides.
 * @param {any} answer
 * @param {string} name
 * @param {State} state
 * @param {Session["actions"]} actions
 */
function tell(answer, name, state, actions) {
  const message = answer.error ?? answer.notice ?? null;
  // Elsewhere it would stand over another room.
  if (message !== null && state.room === name) actions.tell(message, name);
  // What was said of the sentence, or by another room, is not answered by this.
  else if (message === null && hasMessage(state, name)) actions.tell(null);
  if (!answer.error && answer.tables && (!state.canAsk || state.options.site)) actions.give(name, answer);
}
