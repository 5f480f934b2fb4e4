// The room Heads: every head of the model by what was measured of it, one head's page, and the heads
// that are most like a pattern on this sentence.

import { sitesOf } from "../../stage/anatomy.js";
import { placeOfHead } from "../../stage/draw/labels.js";
import { shortNumber, threeDigits } from "../../stage/draw/numbers.js";
import { hide, makeWordSwitch, options } from "../../stage/page/elements.js";
import { elementOf, html, makePart, nothing, render } from "../../stage/page/html.js";
import { placeOf } from "../../stage/keep/tables.js";
import { wordsOfError } from "../../stage/page/words.js";
import { makeHeadsGrid, makeHeadsTable } from "./charts.js";
import { patternsAt } from "./find.js";
import { makeFind } from "./find_panel.js";
import { makeHere } from "./here.js";
import { makeHeadsList } from "./list.js";
import { aboutOf, headAt, headsOf, measuresThere, spelledMeasure } from "./numbers.js";
import { makeHeadPage } from "./page.js";
import { makeHeadsScatter } from "./scatter.js";

const VIEWS = /** @type {const} */ (["list", "grid", "scatter", "table", "here"]);

/**
 * What the room holds, for the functions below.
 * @typedef {{t: Words, session: Session, redraw: Redraw, element: HTMLElement, choices: HeadsChoices, answer: ?HeadsAnswer,
 *   heads: MeasuredHead[], pointed: ?HeadPlace, more: number, of: string,
 *   question: import("../../stage/run/ask.js").Question}} Own
 */

/** @param {Own} own */
function wantedOf({ choices, session: { state } }) {
  const { layer, head } = state.locks[state.site];
  const { view } = choices;
  return { ...(view === "here" ? { view } : {}), recipe: state.run.recipe, site: state.site, layer, head };
}

/** @param {Own} own @param {any} answer @param {ReturnType<typeof wantedOf>} request that it answers */
function take(own, answer, request) {
  if (answer.measured && JSON.stringify(answer.sites) !== JSON.stringify(own.answer?.sites)) {
    Object.assign(own, { heads: headsOf(answer), pointed: null, more: 0 });
  }
  Object.assign(own, { answer, of: request.recipe.model });
}

/** What was chosen of what this model has. @param {string[]} there @param {HeadsChoices} choices */
function fitting(there, { measure, across, order }) {
  const fits = (/** @type {?string} */ name) => (name && there.includes(name) ? name : null);
  return { measure: fits(measure), across: fits(across), order: order === "place" ? order : fits(order) };
}

/** The same, and the usual where nothing was. @param {HeadsMeasured} answer @param {HeadsChoices} choices */
function settled(answer, choices) {
  const there = measuresThere(answer);
  const { measure, across, order } = fitting(there, choices);
  const lost = there.includes("loss_zero");
  return { there, across: across ?? "entropy", order: order ?? (lost ? "loss_zero" : "place"),
    measure: measure ?? (lost ? "loss_zero" : "entropy") };
}

/** What was answered, where it is of the model on the stage: a new model's answer comes later, or never. @param {Own} own */
const answerNow = ({ answer, of, session: { state } }) =>
  (of === state.run.recipe.model ? answer : null);

/** On what was measured, and that it was without the edits of this run. @param {Words} t @param {HeadsMeasured} answer @param {boolean} isEdited */
function measuredOn(t, answer, isEdited) {
  const { corpus: named, sentences: n, source_tokens: source, target_tokens: target, loss, exact,
    median } = answer.measured;
  const own = /^our own (sentences|strings)/.exec(named)?.[1];
  const corpus = own ? t(`heads_corpus_${own}`) : named;
  const on = loss === null || exact === null || median === null ? t("heads_on_plain", { n, corpus, source, target })
    : t("heads_on", { n, corpus, source, target, loss: threeDigits(loss),
      exact: threeDigits(exact), median: shortNumber(median) });
  return isEdited ? [on, t("heads_on_untouched")].join(t("sentences_between")) : on;
}

/**
 * What the head says that is pointed at, or chosen; the place of the chosen one, which stands over it, is for the ear
 * and for a picture.
 * @param {Own} own
 * @param {HeadPlace | undefined} one
 * @param {string} measure
 */
function toldReads({ t, more, heads, answer }, one, measure) {
  const number = headAt(heads, one)?.values[measure];
  const isChosen = headAt(heads, answer?.head) === headAt(heads, one);
  return one && html`<span class=${isChosen ? "heads-known" : nothing}>${t("heads_reads_place", { place: placeOfHead(t, one) })}</span>${
    t("heads_reads", { measure: t(`heads_measure_${measure}`), number: number === undefined ? "–" : spelledMeasure(measure, number) })
    }${more > 0 ? t("heads_more", { n: more }) : ""}`;
}

/** @param {Words} t @param {string} name @param {function(string): void} choose */
const makePick = (t, name, choose) => makePart((/** @type {string[]} */ there = [], chosen = "", isShown = false) => html`
  <label class="heads-pick" ?hidden=${!isShown}>${t(`heads_${name}`)}
    <select data-heads=${name} @change=${(/** @type {any} */ { target }) => choose(target.value)}>
      ${options(there.map((one) => [one, t(`heads_measure_${one}`)]), chosen)}</select></label>`);

/** The parts of the room. @param {Own} own */
function makeParts(own) {
  const { t, session, redraw, choices } = own;
  const { actions } = session;
  const set = (/** @type {Partial<HeadsChoices>} */ changes) => {
    Object.assign(choices, changes);
    redraw();
  };
  function choose(/** @type {HeadPlace} */ { site, layer, head }) {
    if (!sitesOf(session.state.model).includes(site)) return;
    actions.chooseSite(site);
    actions.lock(layer, head, site);
  }
  const point = (/** @type {?HeadPlace} */ head, more = 0) => {
    if (head === own.pointed && more === own.more) return;
    Object.assign(own, { pointed: head, more });
    redraw();
  };
  return {
    views: makeWordSwitch(t, "heads", "heads_views", "heads_view", VIEWS, (view) => set({ view })),
    measures: makePick(t, "measure", (measure) => set({ measure })),
    across: makePick(t, "across", (across) => set({ across })),
    reads: elementOf(html`<p class="reading" aria-live="polite"></p>`),
    charts: {
      list: makeHeadsList(t, session.state, { choose }),
      grid: makeHeadsGrid(t, { choose, point, redraw }),
      scatter: makeHeadsScatter(t, { choose, point }),
      here: makeHere(t, session.state, { choose, point }, redraw),
      table: makeHeadsTable(t, { choose, sort: (order) => set({ order }) }),
    },
    page: makeHeadPage(t, session, { choose }),
    find: makeFind(t, { choose, cells: (cells) => set({ cells }),
      pattern: (pattern) => set({ pattern }) }),
  };
}

/** What stands around the parts, and says what they show. @param {Own} own @param {ReturnType<typeof makeParts>} parts @param {?HeadsAnswer} answer */
function frame({ t, session: { state }, choices }, { views, measures, across, reads, charts, page, find }, answer) {
  const lacks = answer !== null && answer.measured === null;
  const measured = lacks ? null : /** @type {?HeadsMeasured} */ (answer);
  const about = measured && isOfMeasure(choices) ? aboutOf(t, settled(measured, choices).measure) : choices.view;
  hide(page.says, !measured);
  return html`
    ${page.says}
    <header class="heads-says">${reads}<p class="heads-quiet nudge" ?hidden=${lacks}>${t("heads_next")}</p></header>
    <p class="heads-none" ?hidden=${!lacks}>${lacks ? wordsOfError(answer.why, t) : nothing}</p>
    <div class="heads-body" ?hidden=${!measured}>
      <div class="heads-left">${Object.values(charts).map((chart) => chart.element)}
        <div class="heads-picks">${views.element}${measures.element}${across.element}<p class="heads-quiet">${t(`heads_about_${about}`)}</p></div>
      </div>${page.element}</div>
    ${find.element}
    <p class="heads-on" ?hidden=${!measured}>${measured && measuredOn(t, measured, (state.run.recipe.edits ?? []).length > 0)}</p>`;
}

/** Whether one measure of every head is shown. @param {HeadsChoices} choices */
const isOfMeasure = ({ view }) => view === "grid" || view === "scatter";

/** @param {Own} own @param {ReturnType<typeof makeParts>} parts @param {HeadsMeasured} answer @param {Look} look */
function draw(own, parts, answer, look) {
  const { choices, heads } = own;
  const { there, ...chosen } = settled(answer, choices);
  parts.measures.update(there, chosen.measure, isOfMeasure(choices));
  parts.across.update(there, chosen.across, choices.view === "scatter");
  const one = headAt(heads, answer.head);
  for (const [name, chart] of Object.entries(parts.charts)) hide(chart.element, name !== choices.view);
  if (one) parts.page.update(answer, one, heads);
  // Last: they take the room that the rest leaves them.
  parts.charts[choices.view].update({ heads, ...chosen, chosen: one, pointed: own.pointed, answer }, look);
  const here = choices.view === "here" ? parts.charts.here.heads() : null;
  render(toldReads({ ...own, heads: here ?? heads }, own.pointed ?? one, here ? "here" : chosen.measure), parts.reads);
}

/** @type {MakeRoom} */
function makeHeadsRoom(t, session, ask, redraw, before = null) {
  const { state } = session;
  const { view = "list", measure = null, across = null, order = null, pattern = null, cells = [] } = before ?? {};
  const element = elementOf(html`<section class="heads-room" aria-label=${t("room_heads")}></section>`);
  /** @type {Own} */
  const own = { t, session, redraw, element, choices: { view, measure, across, order, pattern, cells }, answer: null,
    heads: [], pointed: null, more: 0, of: "",
    question: ask({ element, settle: (answer, request) => take(own, answer, request) }) };
  const parts = makeParts(own);
  const { charts, find } = parts;
  return {
    element,
    settle() {
      // The old answer stays until that about the chosen head is here.
      if (sitesOf(state.model).includes(state.site)) own.question.of(wantedOf(own));
    },
    update({ palette, unit }) {
      if (!sitesOf(state.model).includes(state.site)) return;
      parts.views.update(own.choices.view);
      const usual = sitesOf(state.model).includes("cross") ? "diagonal" : "previous";
      find.update(state, own.choices.pattern ?? usual, own.choices.cells, { palette, unit });
      const answer = answerNow(own);
      render(frame(own, parts, answer), element);
      for (const view of ["table", "here"]) element.classList.toggle(`of-${view}`, own.choices.view === view);
      if (answer?.measured) draw(own, parts, /** @type {HeadsMeasured} */ (answer), { palette, unit });
    },
    pictured: (picture) => headsPicture(own, parts, picture),
    /** What is chosen here, as far as this model has it; see view.py. */
    keep() {
      const answer = /** @type {?HeadsMeasured} */ (state.run && answerNow(own));
      const { pattern } = own.choices;
      return { ...own.choices, ...placeOf(state, state.site),
        ...(answer?.measured ? fitting(measuresThere(answer), own.choices) : {}),
        pattern: pattern && sitesOf(state.model).flatMap(patternsAt).includes(pattern) ? pattern : null };
    },
    destroy() {
      own.question.drop();
      charts.grid.destroy();
      charts.here.destroy();
    },
  };
}

/**
 * A picture of what was measured; null where nothing was.
 * @param {Own} own
 * @param {ReturnType<typeof makeParts>} parts
 * @param {string} picture
 * @returns {?PictureParts}
 */
function headsPicture(own, { charts, page, reads }, picture) {
  const answer = /** @type {?HeadsMeasured} */ (answerNow(own));
  if (!answer?.measured) return null;
  const { t, choices, element } = own;
  const on = /** @type {HTMLElement} */ (element.querySelector(".heads-on"));
  const { measure, across } = settled(answer, choices);
  if (picture === "distances") {
    const chart = page.distances();
    return chart && { title: `${t("export_what_distances")} · ${placeOfHead(t, answer.head)}`,
      says: page.does(), parts: () => [chart, on] };
  }
  if (picture === "here" && !answer.here) return null;
  const view = viewOf(picture);
  const names = [...(view === "scatter" ? [across] : []), view === "here" ? "here" : measure].map((name) => t(`heads_measure_${name}`));
  return { title: `${t(`export_what_${picture}`)} · ${names.join(" × ")}`,
    get says() { return reads.textContent ?? ""; }, // once it is shown
    parts: () => [charts[view].element, ...(view === "here" ? [] : [on])],
    show() {
      own.choices = { ...choices, view };
      return () => { own.choices = choices; };
    } };
}

/** The view that has a picture. @param {string} picture */
const viewOf = (picture) => (picture === "scatter" || picture === "here" ? picture : "grid");

/** What can be kept of the room, the picture on the screen first. @param {State} _ @param {any} view */
function headsPictures(_, view) {
  const usual = ["measures", "scatter", "here"];
  const first = usual.filter((name) => name === view.view);
  return [...new Set([...first, ...usual, "distances"])].map((picture) => ({ picture, view: { ...view,
    view: viewOf(picture) } }));
}

/** What a link and a file say of the room. @param {any} view */
function headsView({ cells, measure, across, order, pattern, ...view }) {
  const said = Object.entries({ measure, across, order, pattern }).filter(([, value]) => value);
  return { ...view, ...Object.fromEntries(said), ...(cells?.length ? { cells } : {}) };
}

export const room = { name: "heads", make: makeHeadsRoom,
  keep: { pictures: headsPictures, view: headsView } };
