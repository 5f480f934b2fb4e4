// The lessons: their list, and the one that is on. A step is a link that is followed, what covers and
// points at parts of the page that comes, a question, and what to wait for. Every answer was computed
// where the model is; nothing is worked out here but whether the page is where a step leads.

import { answerInTurn } from "../run/ask.js";
import { happenedIn, OVER, setTrait } from "../page/elements.js";
import { scrolling } from "../page/fit.js";
import { kindOf } from "../run/edits.js";
import { elementOf, html, render } from "../page/html.js";
import { filled, TERM_MARK } from "../page/words.js";
import { saveAnswers } from "./answers.js";
import { card, wayBack } from "./card.js";
import { valueSaid } from "./guess.js";
import { list } from "./list.js";
import { CORNERS, cornerFor, footOf, scrollTo } from "./placing.js";
import { boxesOf } from "./places.js";
import { hidesWeights, makeLessonOver } from "./over.js";
import { forgetGuesses, guessesOf, keepGuess, keepProgress, lessonMade, placeIn, placeOfStep, progressOf } from "./progress.js";
import { rowsSeen } from "./seen.js";
import { isMissed, isReached } from "./until.js";

const MENUS = ":is(.whatif, .strategy)[open] > div"; // what a step has the reader open
/** The menu that leads to what a step waits for. @type {Record<string, string>} */
const LEADS = { edit: ".whatif:not([open]) > div", strategy: ".strategy:not([open]) > div" };

/** The kind of the change that a step waits for; null: it waits for none. @param {any} until @returns {?string} */
const changeIn = ({ kind, edit, of = [] }) => (kind === "edit" ? kindOf(edit) : of.map(changeIn).find(Boolean) ?? null);

/** The menus that a step has the reader open, of those that are shut. @param {any} until @returns {string[]} */
const menusIn = ({ kind, of = [] }) => [...of.flatMap(menusIn), ...(kind in LEADS ? [LEADS[kind]] : [])];

const MOVED = 4; // CSS pixels by which a place is elsewhere

/** @returns {LessonNote} */
const freshNote = () => ({ isOpen: false, guess: null, isRefused: false, hints: 0, depth: null, isReached: false, isMissed: false, isKept: false });

/** What the reader did at each step in an earlier visit. @param {Lesson} lesson */
function notesOf(lesson) {
  const guesses = guessesOf(lesson);
  return lesson.steps.map(({ id }) => ({ ...freshNote(), ...(guesses.has(id) ? { isOpen: true, guess: guesses.get(id) } : {}) }));
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {LessonPage} page
 */
function makeCourse(t, session, page) {
  const { state, actions } = session;
  const { root, redraw } = page;
  /** @type {?Lesson} */
  let lesson = null;
  let at = 0; // the step, counted from 0
  let source = ""; // the sentence that the step began with
  let locks = state.locks; // and the heads
  let own = ""; // the model that the reader chose
  let left = ""; // the one that the last lesson showed at its end
  let began = ""; // where it began: the model, the sentence and the room
  /** What the page showed before the lesson, as a link; null where the reader came from elsewhere. @type {?string} */
  let before = null;
  /** The same while the page goes back to it. @type {?string} */
  let returning = null;
  /** The same once the lesson was left for something else: a press leads back to it. @type {?string} */
  let offered = null;
  let follows = 0; // links that are being followed
  /** @type {?Object} */
  let wanted = null; // whose answer counts, while the lesson is awaited
  let isShownAt = false; // whether what the step is about was brought into view
  let wasShown = false; // whether it was so once, before a guess or a hint
  let shownAt = NaN; // where on the page that was; until the reader does something it stays in view
  let written = NaN; // the row that was the last one when the page was drawn
  let wantsFocus = false;
  /** @type {?Element} */
  let wantedLine = null; // of the menu of changes
  let corner = CORNERS[0];
  const id = `lesson-${Math.random().toString(36).slice(2)}`; // there may be another stage in the document
  /** @type {?LessonEntry[]} */
  let lessons = null;
  /** @type {LessonTables} */
  let tables = {};
  /** @type {LessonNote[]} */
  let notes = [];

  /** @param {?LessonWords} said */
  const say = (said) => {
    if (said === null) return "";
    const text = (lesson?.words ?? tables)[t.language]?.[said.word] ?? tables[t.language]?.[said.word];
    const values = Object.fromEntries(Object.entries(said.values ?? {}).map(([name, value]) => [name, valueSaid(value, t)]));
    return text === undefined ? t(said.word, values) : filled(text.replace(TERM_MARK, "$2"), values);
  };
  const box = elementOf(html`<div class="lesson-box"></div>`);
  const workshop = elementOf(html`<div class="lesson-workshop"></div>`);
  /** @type {?ReturnType<import("../making/making.js").making["makeWorkshop"]>} */
  let maker = null;
  const menu = elementOf(html`<div class="lesson-menu"></div>`);
  const over = makeLessonOver(root, t, session, (cell) => acts.guess(cell));

  /** Asks the server; what is wrong is said to who still waits. @param {any} request @param {function(): boolean} isWanted @returns {Promise<any>} */
  async function asked(request, isWanted) {
    const answer = await answerInTurn(page.transport, request, isWanted);
    if (!answer.error) return answer;
    // A step may show a model of its own, which the whole lesson does not run on.
    if (answer.error.code === "lesson_model" && request.lesson.model !== null) {
      return asked({ lesson: { ...request.lesson, model: null } }, isWanted);
    }
    if (isWanted()) actions.tell(answer.error);
    return null;
  }

  /** The menu of the candidates, which a step had the reader open, would lie over the card. */
  function closeStrategy() {
    for (const one of root.querySelectorAll(".strategy[open]")) one.removeAttribute("open");
  }

  /** Shows a step as its link says. @param {number} step counted from 0 @param {boolean} [isNew] whether Back leads away from it */
  async function go(step, isNew = true) {
    const on = /** @type {Lesson} */ (lesson);
    at = Math.max(0, Math.min(on.steps.length - 1, step));
    const place = placeOfStep(on.name, at + 1);
    const said = state.lesson;
    if (state.isStepAsked) actions.teach(said); // which this answers
    Object.assign(notes[at], { isReached: false, isMissed: false, isKept: notes[at].isOpen });
    closeStrategy();
    [isShownAt, wasShown, wantsFocus, written] = [false, false, true, NaN];
    keepProgress(on.name, at + 1);
    const link = on.steps[at].link.replace(/^.*#/, "");
    follows += 1;
    await page.follow(`${link}&lesson=${place}`, isNew).finally(() => { follows -= 1; });
    if (follows > 0) return; // the reader has gone on
    if (lesson === null) { // or has ended it
      actions.teach(null);
      return;
    }
    if (![said, place].includes(state.lesson)) { // another link came meanwhile: `settle` follows it
      redraw();
      return;
    }
    source = state.run?.recipe.source ?? "";
    began = standing();
    locks = { ...state.locks };
    if (state.lesson !== place) actions.teach(place); // the link was refused: the step is shown all the same
    redraw();
  }

  /** The step that the address names. */
  const linkedNow = () => new URLSearchParams(window.location.hash.slice(1)).get("lesson");

  /** What asks for a lesson; one that was made here comes with its file. @param {string} name @param {?string} model */
  function requestOf(name, model) {
    const made = lessonMade();
    return { lesson: { name, model, ...(made?.name === name ? { written: made.written } : {}) } };
  }

  /** Begins a lesson at a step, which is counted from 1. @param {string} name @param {number} step @param {?string} model @param {boolean} [isAnew] without earlier guesses */
  async function begin(name, step, model, isAnew = false) {
    const isLinked = state.lesson !== null;
    if (!isLinked) before = returning ?? linkNow();
    offered = null;
    const mine = {};
    const linked = linkedNow();
    [lesson, wanted] = [null, mine];
    redraw();
    const answer = await asked(requestOf(name, model), () => wanted === mine);
    if (wanted !== mine) return;
    wanted = null;
    if (!answer) {
      end();
      return;
    }
    const now = linkedNow() === linked ? null : placeIn(linkedNow()); // the reader has followed a link meanwhile
    if (now && now.name !== name) {
      begin(now.name, now.step, modelFor(now.name));
      return;
    }
    lesson = answer;
    if (isAnew) forgetGuesses(answer);
    notes = notesOf(answer);
    await go((now?.step ?? step) - 1, !isLinked);
  }

  /** The model to run a lesson on: the one at hand, where it may. @param {string} name */
  const modelFor = (name) => {
    const entry = lessons?.find((one) => one.name === name) ?? null;
    return entry === null || entry.models.includes(state.model.name) ? state.model.name : null;
  };

  /** The same for a lesson of the list: the reader's own model, which a lesson before may have left. @param {LessonEntry} entry */
  function ownFor({ models }) {
    if (state.lesson === null && state.model.name !== left) own = state.model.name;
    return [own, state.model.name].find((name) => models.includes(name)) ?? null;
  }

  async function show() {
    update();
    /** @type {?HTMLDialogElement} */
    const dialog = menu.querySelector("dialog");
    dialog?.showModal();
    if (lessons !== null) return;
    const answer = await asked({ lessons: true }, () => dialog?.open ?? false);
    if (!answer) {
      dialog?.close();
      return;
    }
    lessons = answer.lessons;
    tables = answer.words ?? {};
    update();
    /** @type {?HTMLElement} */ (dialog?.querySelector("[autofocus]"))?.focus();
  }

  /** Opens what makes a lesson, whose script comes now. */
  async function openMaker() {
    menu.querySelector("dialog")?.close();
    const tools = await page.making?.().catch(() => null);
    if (!tools || !page.link) {
      actions.tell({ code: "network" });
      return;
    }
    maker ??= tools.makeWorkshop(t, session, { follow: page.follow, link: page.link, choices: page.choices, redraw,
      taken: () => (lessons ?? []).map(({ name }) => name),
      ask: (request, isWanted) => answerInTurn(page.transport, request, isWanted),
      play: (name, step) => { begin(name, step, null, true); } });
    if (!maker.element.isConnected) workshop.append(maker.element);
    maker.open();
  }

  /** What the page shows now. */
  const linkNow = () => page.link?.().text?.replace(/^.*#/, "") ?? null;

  const standing = () => JSON.stringify([state.model.name, state.run?.recipe.source, state.room]);
  /** Goes back to what was offered, or to nothing. @param {boolean} isWanted */
  function takeBack(isWanted) {
    const link = offered;
    offered = null;
    if (isWanted && link) goBack(link);
    redraw();
  }

  /** @param {string} link */
  function goBack(link) {
    returning = link;
    page.follow(link, true).finally(() => { if (returning === link) returning = null; });
  }

  /** Leads back to what the page showed before; where the reader has gone on from the lesson to something else, that is offered. */
  function end() {
    const back = lesson !== null && standing() === began ? before : null;
    offered = lesson !== null && !back ? before : null;
    [lesson, wanted, left, before] = [null, null, state.model.name, null];
    over.clear();
    actions.teach(null);
    if (back) goBack(back);
    root.focus({ preventScroll: true });
  }

  const note = () => notes[at] ?? freshNote();
  /** The step that the page shows: until the next one is there, that is the one before. */
  const stepShown = () => {
    const said = placeIn(state.lesson);
    return said && said.name === lesson?.name ? said.step - 1 : at;
  };
  /** @param {Partial<LessonNote>} changes */
  function remark(changes) {
    Object.assign(notes[at], changes);
    if (changes.isOpen && lesson) keepGuess(lesson, lesson.steps[at].id, note().guess);
    if (changes.isOpen || changes.hints || changes.depth) isShownAt = false; // the card grows over what it is about
    redraw.now();
    if (changes.isOpen) showInCard(".lesson-outcome");
    if (changes.depth) showInCard(".lesson-deep");
    if (changes.hints) showInCard(".lesson-hint:last-child");
  }
  /** Scrolls the card until it shows something to its end, beginning with a whole paragraph. @param {string} selector */
  function showInCard(selector) {
    const [body, part] = [".lesson-body", selector].map((one) => cardOf()?.querySelector(one));
    if (!body || !part) return;
    const at = body.getBoundingClientRect();
    const over = part.getBoundingClientRect().bottom - at.bottom;
    if (over <= 0) return;
    const [edge, ...tops] = [...body.children].map((one) => one.getBoundingClientRect().top - at.top + body.scrollTop);
    const begins = tops.map((top) => top - edge - body.scrollTop).find((top) => top >= over) ?? over;
    body.scrollBy({ top: begins, behavior: "instant" });
  }
  const acts = {
    back: () => { go(at - 1); },
    next() {
      if (lesson && at + 1 < lesson.steps.length) {
        go(at + 1);
        return;
      }
      const isMade = lesson?.name === lessonMade()?.name;
      if (lesson && !isMade) keepProgress(lesson.name, "done");
      root.dispatchEvent(new CustomEvent("stage:lesson", { detail: "done", bubbles: true }));
      end();
      if (!isMade) show();
    },
    end,
    again() {
      const on = /** @type {Lesson} */ (lesson);
      forgetGuesses(on);
      notes = notesOf(on);
      go(0);
    },
    hint: () => remark({ hints: note().hints + 1 }),
    show: () => remark({ isOpen: true, isRefused: false }),
    /** @param {any} value */
    guess: (value) => (stepShown() === at ? remark({ isOpen: true, guess: value, isRefused: false }) : null),
    refuse: () => remark({ isRefused: true }),
    save: () => { if (lesson) saveAnswers(t, lesson, notes, say).catch(({ message }) => actions.tell(message)); },
    /** @param {string} depth */
    deepen: (depth) => remark({ depth: note().depth === depth ? null : depth }),
  };

  /** Brings what a step is about into the part of the window that the card leaves; again where what comes late moved it. */
  function reveal(/** @type {import("./over.js").Measured["about"]} */ about) {
    const [step, how] = onPage();
    if (follows > 0 || (isShownAt && Number.isNaN(shownAt)) || !step || !page.isAtRest()) return;
    if (!isShownAt) {
      over.bringIn(step, how);
      about = laid();
    }
    const top = about.length === 0 ? NaN : about[0].top + window.scrollY;
    if (about.length === 0 || (isShownAt && Math.abs(top - shownAt) < MOVED)) return;
    [isShownAt, shownAt] = [true, top];
    const by = scrollTo(about, window.innerHeight, foot(), { scrolled: window.scrollY, isNew: !wasShown });
    wasShown = true;
    if (by !== 0) window.scrollBy({ top: by, behavior: scrolling() });
  }
  /** Keeps the row that is written, and the one to come, above what stands at the foot of the window. */
  function followRow() {
    const before = written;
    written = state.at;
    if (Number.isNaN(before) || before === written || !state.isPlaybackOpen || !lesson?.steps[stepShown()]?.point.length) return;
    const [row] = boxesOf(root, state, { kind: "row", query: written });
    if (!row) return;
    const by = scrollTo([{ ...row, height: (state.stepping ? 2 : 1) * row.height }], window.innerHeight, foot(), { scrolled: window.scrollY });
    if (by !== 0) window.scrollBy({ top: by, behavior: "instant" });
  }
  /** Unfolds, in the menu of changes, the line of the one that the step waits for, once each time that is opened. */
  function unfold() {
    const kind = changeIn(lesson?.steps[stepShown()]?.until ?? {});
    const line = root.querySelector(`.whatif[open] .whatif-line[data-edit="${kind}"]`);
    if (line === wantedLine) return;
    if (wantedLine) setTrait(wantedLine, "data-wanted", null);
    wantedLine = line;
    const panel = line?.closest(".whatif-panel");
    if (!line || !panel) return;
    setTrait(line, "data-wanted", "");
    line.closest("details")?.setAttribute("open", "");
    const [at, over] = [line, panel].map((one) => one.getBoundingClientRect());
    panel.scrollBy({ top: at.top + at.height / 2 - over.top - over.height / 2, behavior: "instant" });
  }
  const foot = () => footOf(cardOf()?.getBoundingClientRect() ?? null, root.querySelector(".thumb-bar")?.getBoundingClientRect() ?? null);
  const cardOf = () => /** @type {?HTMLElement} */ (box.querySelector(".lesson-card"));

  /** The step on the page, and where the reader is in it. @returns {[?LessonStep, import("./over.js").Laid]} */
  function onPage() {
    const step = stepShown();
    const { isOpen, guess, isReached } = notes[step] ?? freshNote();
    const shown = lesson?.steps[step] ?? null;
    const how = { isOpen: shown?.ask ? isOpen : isReached, guess, seen: lesson && shown ? rowsSeen(lesson.steps, step, notes) : [] };
    // Once it is done, it is about what shows so.
    if (shown && isReached && shown.proof.length > 0) return [{ ...shown, point: shown.proof }, { ...how, isDone: false }];
    return [shown, { ...how, isDone: isReached && shown?.until.kind !== "answered" }];
  }

  /** What lies over the page, where that is now. */
  const laid = () => over.update(...onPage());

  /** The menus beside which the card stands: what is open, and above and below it what this step has opened. */
  function menus() {
    const shut = menusIn(lesson?.steps[stepShown()]?.until ?? {}).flatMap((menu) => [...root.querySelectorAll(menu)])
      .map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0);
    return [...[...root.querySelectorAll(MENUS)].map((one) => one.getBoundingClientRect()),
      ...shut.map(({ left, width }) => ({ left, width, top: 0, height: window.innerHeight }))];
  }

  /** The size of the card once it says what came of a guess. @param {HTMLElement} element */
  function grown(element) {
    const { width, height } = element.getBoundingClientRect();
    const most = Number.parseFloat(window.getComputedStyle(element).maxHeight);
    return { width, height: Math.max(height, most || 0) };
  }

  /** The lesson that is on, its step, and the list. */
  function update() {
    const isOn = state.lesson !== null || wanted !== null;
    root.classList.toggle("in-lesson", isOn);
    render(list(t, state, lessons, (word) => say({ word }), (entry) => {
      menu.querySelector("dialog")?.close();
      const come = progressOf(entry.name);
      const step = come === null || come === "done" ? 1 : come;
      if (!page.leave(entry, step)) begin(entry.name, step, ownFor(entry));
    }, page.making ? () => { openMaker(); } : null), menu);
    maker?.update(isOn);
    unfold();
    if (!isOn) {
      if (box.firstElementChild || offered) {
        over.clear();
        render(offered && wayBack(t, takeBack), box);
      }
      return;
    }
    const shown = lesson && { lesson, at, note: note(), canAsk: state.canAsk, say };
    const [step, how] = onPage();
    over.cover(step, how);
    render(card(t, shown, acts, { corner, id }), box);
    // All is read before anything is written, so that the browser lays the page out once.
    const measured = over.measure(step, how);
    let about = measured?.about ?? [];
    const element = cardOf();
    const height = `${element?.offsetHeight ?? 0}px`;
    if (element && lesson) {
      corner = root.matches(".narrow") ? "below" : cornerFor(grown(element),
        { wide: document.documentElement.clientWidth, high: window.innerHeight }, about, menus(), wasShown ? corner : "");
    }
    over.lay(measured);
    if (!element || !lesson) return;
    setTrait(element, "data-place", corner);
    if (root.style.getPropertyValue("--lesson-height") !== height) {
      root.style.setProperty("--lesson-height", height);
      about = laid(); // what stands on the card has moved with it
    }
    if (wantsFocus && follows === 0) {
      wantsFocus = false;
      element.focus({ preventScroll: true });
      element.querySelector(".lesson-body")?.scrollTo({ top: 0 });
    }
    reveal(about);
    followRow();
  }

  for (const hand of ["wheel", "pointerdown", "keydown"]) {
    window.addEventListener(hand, () => { shownAt = NaN; }, { passive: true, capture: true, signal: page.ends });
  }
  /** Whether the reader has asked for the translation that is there. @param {any} event */
  function isSameAsked({ type, target, key }) {
    const isAsked = type === "click" ? target.closest("[data-act=translate]") : key === "Enter" && target.closest(".source-text");
    return isAsked && lesson?.steps[at]?.until.kind === "source-changed" && !note().isReached && state.draft.trim() === source;
  }
  for (const hand of ["click", "keydown"]) {
    root.addEventListener(hand, (event) => { if (isSameAsked(event)) remark({ isMissed: true }); }, { capture: true, signal: page.ends });
  }
  root.addEventListener("toggle", () => { if (state.lesson !== null) redraw(); }, { capture: true, signal: page.ends });
  // Some of what is pointed at stays where it is while the page is scrolled, or moves within it.
  window.addEventListener("scroll", () => { if (state.lesson !== null) laid(); }, { passive: true, capture: true, signal: page.ends });
  box.addEventListener("keydown", (event) => {
    // The keys that go along the steps work here too; a digit is no candidate.
    if (!/^(Escape|Arrow|Home|End)/.test(event.key) && happenedIn(box, event)) event.stopPropagation();
  });

  return {
    elements: [over.element, box, menu, workshop],
    show,
    /** Whether the page shows what the lesson wants shown: before that nothing of it is seen. */
    isHere: () => lesson !== null && placeIn(state.lesson)?.name === lesson.name && stepShown() < lesson.steps.length,
    /** Begins what a link says, and sees whether the page is where the step leads. */
    settle() {
      const step = stepShown();
      const covers = notes[step]?.isOpen ? [] : lesson?.steps[step]?.cover ?? [];
      // Which the maps ask for.
      setTrait(root, "data-covers", hidesWeights(covers) ? "weights" : covers.includes("breaks") ? "breaks" : null);
      const points = lesson?.steps[step]?.point ?? [];
      setTrait(root, "data-points", points.some(({ kind, name }) => kind === "head" || name === "heads") ? "heads" : null);
      const said = placeIn(state.lesson);
      if (said === null || wanted || follows > 0) return;
      if (!lesson || lesson.name !== said.name) begin(said.name, said.step, modelFor(said.name));
      else if (said.step !== at + 1 || state.isStepAsked) go(said.step - 1, false);
      else if (notes[at] && !note().isReached) {
        notes[at].isReached = isReached(lesson.steps[at].until, { state, choices: page.choices(), isAnswered: note().isOpen, source });
        const { ask, until } = lesson.steps[at];
        if (!ask && isMissed(until, { state }, locks)) notes[at].isMissed = true;
        if (notes[at].isReached) {
          isShownAt = false; // what was covered is to be looked at
          if (until.kind === "strategy" || until.of?.some((/** @type {any} */ { kind }) => kind === "strategy")) closeStrategy();
        }
      }
    },
    update,
    /** Ends with Escape, unless something on the page takes it. @param {KeyboardEvent} event */
    key(event) {
      if (event.key !== "Escape" || event.defaultPrevented || (state.lesson === null && !wanted) || root.querySelector(OVER)) return;
      event.preventDefault();
      end();
    },
  };
}

export const lesson = { makeCourse };
