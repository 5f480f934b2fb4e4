// The room Compare: the run at hand, A, beside another one, B, on one colour scale, and their
// difference. B stays what it is until the reader changes it; the cursor of A moves both.

import { SITES, sitesOf } from "../../stage/anatomy.js";
import { labelsOf, quoted } from "../../stage/draw/labels.js";
import { saidOnly } from "../../stage/run/view.js";
import { besideWords } from "../../stage/page/beside.js";
import { closeBehind, closeByKey, hide, makeWordSwitch } from "../../stage/page/elements.js";
import { elementOf, html, nothing, render } from "../../stage/page/html.js";
import { makeSiteTabs } from "../../stage/page/pick.js";
import { markAsking } from "../../stage/page/rooms.js";
import { makeSpelling } from "../../stage/page/spelling.js";
import { makeCompareCandidates } from "./drawn/candidates.js";
import { makeCompareHeads } from "./drawn/heads.js";
import { lastStepOf } from "../../stage/run/able.js";
import { isStepping, unitAt, unitChoices } from "../../stage/run/units.js";
import { byWords } from "./by_words.js";
import { makeComparing } from "./question.js";
import { makeCompareMaps } from "./drawn/maps.js";
import { makeComparePath } from "./drawn/path.js";
import { makeCompareVectors } from "./drawn/vectors.js";
import { makeCompareRuns } from "./runs.js";
import { alignmentOf, jointLabels, leadOf, readingOfRuns, summaryOf, stepToShow, tokensOfA } from "./says.js";
import { differencesOf } from "./ways.js";

const NUMBERS = ["weights", "scores", "norms", "vectors", "path"];

/**
 * What the room holds, for the functions below.
 * @typedef {Object} Own
 * @property {Words} t
 * @property {Session} session
 * @property {Redraw} redraw
 * @property {ReturnType<typeof makeComparing>} inquiry
 * @property {?GridCell} pointed
 * @property {?{of: unknown[], shown: CompareShown, labels: CompareLabels}} made what the maps show, with
 *     the labels of their axes, and of what it was made
 * @property {?{of: unknown[], labels: CompareLabels}} labelled the labels of the answer's tokens, likewise
 * @property {?string} model the name of A's
 * @property {?number} led the step that the cursor was taken to last
 * @property {?CompareHeld} met the last answer that was drawn
 * @property {?string} beside which runs those were; null: those of a link, where its cursor stays
 * @typedef {ReturnType<typeof makeParts>} Parts
 */

/** What the reader can do here. @param {Own} own */
function makeActs(own) {
  const { session: { state, actions }, inquiry } = own;
  const { choices } = inquiry;

  /** @param {Partial<CompareChoices>} changes */
  function want(changes) {
    Object.assign(choices, changes);
    own.redraw();
  }

  /** @param {Partial<Head>} changes */
  function lockHead(changes) {
    const answer = inquiry.answer();
    if (!answer) return;
    const { layer, head } = { ...answer.places[0], ...changes };
    actions.lock(layer, head, answer.site);
    want({});
  }

  /** Moves the cursor to a row, where rows are steps; says whether it is one. @param {{row: number}} place */
  function goTo({ row }) {
    const shown = inquiry.answer()?.stepped ? own.made?.shown : null;
    const [step] = shown ? tokensOfA(shown.row_pairs)[row] : [];
    if (step !== undefined) actions.moveTo(step);
    return step !== undefined;
  }

  /** @param {?Recipe} b @param {Head} [place] the head of B that is wanted */
  function setB(b, place) {
    actions.keepOther(b);
    want({ other_layer: place?.layer ?? null, other_head: place?.head ?? null });
  }

  return {
    want,
    setB,
    headA: lockHead,
    /** @param {Partial<Head>} changes */
    headB(changes) {
      const answer = inquiry.answer();
      if (!answer) return;
      const { layer, head } = { ...answer.places[1], ...changes };
      want({ other_layer: layer, other_head: head });
    },
    /** The same head of both. @param {Head} place */
    headOfBoth(place) {
      if (!inquiry.answer()) return;
      Object.assign(choices, { other_layer: place.layer, other_head: place.head });
      lockHead(place);
    },
    keep: () => setB(state.run.recipe, inquiry.answer()?.places[0]),
    async swap() {
      const answer = inquiry.answer();
      if (!answer) return;
      const { runs: [, b], places: [mine, its], site } = answer;
      const a = state.run.recipe;
      await actions.open({ recipe: b.recipe, view: {} }, () => {
        actions.lock(its.layer, its.head, site);
        Object.assign(own, { model: b.recipe.model, led: state.at });
        choices.site = site;
        setB(a, mine);
      });
    },
    goTo,
    /** The token whose path is shown. @param {number} row */
    walk: (row) => want({ row: goTo({ row }) ? null : row }),
    /** @param {?GridCell} place */
    point(place) {
      own.pointed = place;
      own.redraw();
    },
  };
}

/**
 * The parts of the room, put into its element.
 * @param {Own} own
 * @param {HTMLElement} element
 * @param {ReturnType<typeof makeActs>} acts
 */
function makeParts({ t, session, redraw }, element, acts) {
  const runs = makeCompareRuns(t, session, acts);
  const tabs = makeSiteTabs(t, "compareSite", SITES, (site) =>
    acts.want({ site, other_layer: null, other_head: null }));
  const align = makeWordSwitch(t, "align", "compare_align", "compare_by", ["text", "position"],
    (how) => acts.want({ align: how }));
  const numbers = makeWordSwitch(t, "numbers", "compare_numbers", "compare_numbers", NUMBERS,
    (which) => acts.want({ numbers: which }));
  const feed = makeWordSwitch(t, "feed", "compare_feed", "compare_feed", ["own", "a"],
    (which) => acts.want({ feed: which }));
  const spelled = makeSpelling(t, session);
  const bar = elementOf(html`
    <div class="compare-bar-line">${tabs.element}${numbers.element}${feed.element}${align.element}${spelled.element}</div>`);
  const maps = makeCompareMaps(t, { redraw, keep: acts.goTo, point: acts.point });
  const path = makeComparePath(t, acts.walk);
  const vectors = makeCompareVectors(t, { walk: acts.walk, pick: (column) => acts.want({ column }), redraw });
  const candidates = makeCompareCandidates(t);
  const heads = makeCompareHeads(t, acts.headOfBoth);
  markAsking(tabs.element, numbers.element, feed.element, align.element, heads.element);
  /** What stands around the parts. @param {unknown} hero @param {unknown} more @param {unknown} reading */
  const say = (hero, more, reading) => render(html`
    <div class="compare-top"><div class="compare-hero">${hero}</div><div class="compare-more-box">${more}</div></div>
    ${runs.element}${bar}
    <div class="compare-left">${maps.element}${vectors.element}${path.element}${reading}</div>
    <div class="compare-side">${candidates.element}${heads.element}</div>`, element);
  say(nothing, nothing, nothing);
  return { say, runs, tabs, numbers, feed, align, spelled, bar, maps, vectors, path, candidates, heads };
}

/** The labels of the axes of what is shown. @param {Own} own @param {CompareShown} shown @returns {CompareLabels} */
const labelsFor = ({ t, session: { state } }, shown) => ({ rows: jointLabels(shown, "row", state.spelled, t),
  columns: jointLabels(shown, "column", state.spelled, t) });

/** The labels of the answer's tokens, made once. @param {Own} own @param {CompareHeld} answer */
function labelsNow(own, answer) {
  const of = [answer, own.session.state.spelled];
  if (!own.labelled || of.some((one, i) => one !== own.labelled?.of[i])) own.labelled = { of, labels: labelsFor(own, answer) };
  return own.labelled.labels;
}

/** Whether the maps can be of words: a score or a vector is of a token, and so is a step. @param {State} state @param {CompareHeld} answer */
const canBeOfWords = (state, { numbers }) => numbers === "weights" && !isStepping(state);

/** What the maps show, made once for an answer: its words or its tokens, with their labels. @param {Own} own @param {CompareHeld} answer */
function shownNow(own, answer) {
  const { session: { state } } = own;
  const { chosen } = unitChoices(state, canBeOfWords(state, answer));
  const of = [answer, chosen];
  if (!own.made || of.some((one, i) => one !== own.made?.of[i])) {
    const shown = chosen === "words" ? byWords(answer) : answer;
    own.made = { of, shown, labels: chosen === "words" ? labelsFor(own, shown) : labelsNow(own, answer) };
    own.pointed = null;
  }
  return own.made;
}

/**
 * The row of the maps that a step of A has; null where rows are no steps, or there is none.
 * @param {CompareShown} shown
 * @param {?number} step
 */
const rowOf = ({ stepped, row_pairs: pairs }, step) => (stepped ? unitAt(tokensOfA(pairs), step) : null);

/** The row whose vectors or path is shown: that of the step at hand, or the one chosen. @param {Own} own @param {CompareHeld} answer */
function chosenRow({ inquiry, session: { state } }, answer) {
  const { row } = inquiry.choices;
  return Math.min(row ?? rowOf(answer, state.at) ?? 0, answer.row_pairs.length - 1);
}

/** The row and the column that were chosen, where the answer has them. @param {Own} own */
function placeKept({ inquiry }) {
  const { choices: { row, column } } = inquiry;
  const answer = inquiry.answer();
  /** @param {?number} at @param {unknown[] | undefined} among */
  const within = (at, among) => (at !== null && at < (among?.length ?? Infinity) ? at : null);
  return { row: within(row, answer?.row_pairs), column: within(column, answer?.column_pairs) };
}

/** @param {Own} own @param {Parts} parts @param {CompareHeld} answer */
function updateStep({ t, session: { state } }, { candidates }, answer) {
  const step = answer.steps.find(({ a }) => a === state.at) ?? null;
  const names = answer.runs.map(({ target }, i) => {
    const at = step && [step.a, step.b][i];
    return at === null ? null : labelsOf(target, true, state.spelled, t)[at].label;
  });
  candidates.update(step, names, state.spelled);
}

/** @param {string} run */
const badge = (run) => html`<span class="compare-badge" data-run=${run}>${run.toUpperCase()}</span>`;

/** Both translations, where they are known. @param {Words} t @param {CompareHeld} answer */
const bothOf = (t, { words, runs: [a, b] }) => (words.length === 0 ? nothing
  : besideWords(words, [badge("a"), badge("b")], t("compare_words", { a: a.text, b: b.text })));

/** What the room says first: both translations, and where they part. @param {Words} t @param {CompareHeld} answer @param {?string} feed */
const heroOf = (t, answer, feed) => html`
  ${bothOf(t, answer)}
  <div class="compare-lead" aria-live="polite">${leadOf(answer, t, feed).map((text) => html`<p>${text}</p>`)}</div>`;

/** What else differs, one press away. @param {Own} own @param {CompareHeld} answer @param {CompareLabels} labels @param {{shown: CompareShown, labels: CompareLabels}} made */
function moreOf({ t, session: { state } }, answer, labels, made) {
  const { runs: [a, b] } = answer;
  const written = answer.runs.map(({ target, prompt }) =>
    labelsOf(target, true, state.spelled, t).slice(prompt).map(({ label }) => quoted(label)));
  const said = [differencesOf(a.recipe, b.recipe, state.options.models, t, a.prompt, written,
    answer.runs.map(({ source }) => source), answer.fed && a.recipe !== b.recipe),
    ...summaryOf(answer, labels, t, { answer: made.shown, labels: made.labels }), alignmentOf(made.shown, t)];
  return html`
    <details class="compare-more" @keydown=${closeByKey} @focusout=${closeBehind}><summary>${t("compare_more")}</summary>
      <div class="compare-summary" tabindex="-1">${said.map((text) => html`<p>${text}</p>`)}</div></details>`;
}

/** What is said of the cell that is pointed at, or what to do. @param {Own} own @param {{shown: CompareShown, labels: CompareLabels}} made @param {CompareHeld} answer */
function readingOf({ t, pointed, inquiry }, { shown, labels }, { stepped }) {
  if (inquiry.isOld()) return t("compare_old");
  return pointed === null ? t(stepped ? "compare_point" : "compare_point_whole") : readingOfRuns(shown, labels, pointed, t);
}

/** @param {Own} own @param {Parts} parts @param {CompareHeld} answer @param {Look} look */
function paint(own, parts, answer, { palette, unit }) {
  const { t, session: { state } } = own;
  const { say, runs, numbers, feed, align, spelled, maps, vectors, path, heads } = parts;
  const labels = labelsNow(own, answer);
  const made = shownNow(own, answer);
  spelled.update(canBeOfWords(state, answer));
  runs.update(answer);
  align.update(answer.align, state.canAsk);
  hide(feed.element, answer.runs.some(({ steps }) => steps === 0));
  feed.update(answer.fed ? "a" : "own", state.canAsk);
  numbers.update(answer.numbers, (which) => state.canAsk && answer.offer.some((one) => one === which));
  heads.update(answer, palette);
  updateStep(own, parts, answer);
  const { pointed } = own;
  const isOfMaps = answer.paths === null && answer.vectors === null;
  say(heroOf(t, answer, own.inquiry.choices.feed), moreOf(own, answer, labels, made), html`
    <p class="reading${pointed === null && !own.inquiry.isOld() ? " nudge" : ""}" aria-live="polite" ?hidden=${!isOfMaps}>${readingOf(own, made, answer)}</p>`);
  hide(maps.element, !isOfMaps);
  maps.element.closest(".compare-room")?.classList.toggle("of-maps", isOfMaps);
  hide(vectors.element, answer.vectors === null);
  hide(path.element, answer.paths === null);
  if (answer.vectors) vectors.update(answer, answer.vectors, labels,
    { row: chosenRow(own, answer), column: own.inquiry.choices.column }, { palette, unit });
  else if (answer.paths) path.update(answer, answer.paths, labels.rows, chosenRow(own, answer));
  else maps.update(made.shown, made.labels, { palette, unit, pointed, current: rowOf(made.shown, state.at),
    parted: rowOf(made.shown, answer.parting?.a ?? null) });
}

/**
 * Takes the cursor to where two other runs differ.
 * @param {Own} own
 * @param {CompareHeld} answer
 */
function goWhereTheyDiffer(own, answer) {
  const { session: { state, actions } } = own;
  if (own.met === answer || own.inquiry.isOld()) return;
  const [{ recipe: a }, { recipe: b }] = answer.runs;
  const beside = JSON.stringify([a.model, a.source, { ...b, target: [] }]);
  const isOther = own.beside !== null && own.beside !== beside;
  Object.assign(own, { met: answer, beside });
  const last = state.at === own.led ? state.at : lastStepOf(state); // where it was led, nobody chose it
  const step = isOther ? stepToShow(answer, state.at, last) : null;
  if (step === null) return;
  own.led = step;
  actions.moveTo(step);
}

/** What follows from another run or another answer. @param {Own} own */
function settle(own) {
  const { session: { state }, inquiry } = own;
  if (own.model !== state.run.recipe.model) {
    own.model = state.run.recipe.model;
    Object.assign(inquiry.choices, { other_layer: null, other_head: null });
  }
  inquiry.inquire();
  const answer = inquiry.answer();
  if (answer) shownNow(own, answer);
  if (answer) goWhereTheyDiffer(own, answer);
}

/** Which of the pictures is shown. @param {Parts} parts */
const shownOf = ({ maps, vectors, path }) =>
  [maps, vectors, path].map(({ element }) => element).find(({ hidden }) => !hidden) ?? maps.element;

/** @type {MakeRoom} */
function makeCompareRoom(t, session, ask, redraw, before, { playback }) {
  const { state } = session;
  const element = elementOf(html`<div class="compare-room"></div>`);
  const inquiry = makeComparing(session, ask, before, element);
  /** @type {Own} */
  const own = { t, session, redraw, inquiry, pointed: null, made: null, labelled: null,
    met: null, led: null, beside: before ? null : "", model: state.run?.recipe.model ?? null };
  const parts = makeParts(own, element, makeActs(own));
  return {
    element,
    settle: () => settle(own),
    update(look) {
      playback.standIn(parts.bar, true);
      playback.update();
      const answer = inquiry.answer();
      const isRefused = answer === null && element.classList.contains("refused");
      element.classList.toggle("unanswered", answer === null && !isRefused);
      element.classList.toggle("old", inquiry.isOld());
      if (isRefused) parts.runs.update(null);
      parts.tabs.update(answer?.site ?? inquiry.view().site, sitesOf(state.model));
      if (answer) paint(own, parts, answer, look);
    },
    pictured() {
      const answer = inquiry.answer();
      return answer && { title: `${t("export_what_compare")} · ${t(`site_${answer.site}_long`)}`,
        says: leadOf(answer, t, inquiry.choices.feed)[0], runs: answer.runs.map((run, i) => ({ ...run, name: "AB"[i] })),
        parts: () => [...element.querySelectorAll(".compare-hero .beside-words"), shownOf(parts)] };
    },
    /** What the button of an attention asks. */
    asks({ dataset: { compareSite: site } }) {
      return site === undefined ? null
        : { ...inquiry.view(), ...state.locks[/** @type {Site} */ (site)], site, other_layer: null,
          other_head: null };
    },
    keep: () => saidOnly({ ...inquiry.view(), ...placeKept(own) }),
    destroy() {
      inquiry.stop();
      parts.vectors.destroy();
      parts.maps.destroy();
    },
  };
}

export const room = { name: "compare", withoutSentences: true, make: makeCompareRoom, keep: {
  /** @param {State} _ @param {any} view */
  pictures: (_, view) => [{ picture: "compare", view }],
} };
