// The room Training: one slider over the notes of a training moves the map of a head and the curves;
// beside it stands the map that the head ended with.

import { columnsOf, rowsOf, siteOf, sitesOf } from "../../stage/anatomy.js";
import { LEAST_SAID_FINELY } from "../../stage/choices.js";
import { makeNumberChart } from "../../stage/draw/chart.js";
import { labelsOf } from "../../stage/draw/labels.js";
import { makeMaps } from "../../stage/draw/maps.js";
import { placeOf } from "../../stage/keep/tables.js";
import { options, press } from "../../stage/page/elements.js";
import { elementOf, html, live, makePart, nothing, render } from "../../stage/page/html.js";
import { makeHeadPicker } from "../../stage/page/pick.js";
import { besideName, makeLive, modelBeside, runOf, shownName } from "./live/live.js";
import { noteBeside } from "./live/runs.js";
import { countText, CURVES, curvesOf, headline, historyOf, mistake, modelAt, otherEnd, othersOf, placesOf, readingOfMaps, ticksAt, valueText,
  whenText } from "./says.js";

/**
 * What the room holds, for the functions below.
 * @typedef {{t: Words, session: Session, redraw: Redraw, sentence: number, note: ?number, answer: ?TrainingHistory,
 *   beside: ?TrainingHistory, question: Question, besides: Question, pointed: ?GridPlace, place: Head & {site: Site},
 *   trains: ?NonNullable<ReturnType<typeof makeLive>>}} Own
 * @typedef {import("../../stage/run/ask.js").Question} Question
 */

/** The sentence that is chosen, where there is one; how many there are is known with the first answer. @param {Own} own */
const sentenceOf = ({ sentence, answer }) => Math.min(sentence, (answer?.sentences ?? 1) - 1);

/** The training that is shown, where it is not that of the model. @param {Own} own */
const shownRun = ({ trains }) => (trains ? runOf(trains.live, trains.live.chosen.shown) : null);

/** The head that is shown: of the model, or of a training. @param {Own} own */
const headOf = (own) => {
  const { site, locks } = own.session.state;
  return shownRun(own) ? own.place : { site, ...locks[site] };
};

/**
 * What is asked of a training, and what identifies the answer: it is another one when there are more notes.
 * @param {Own} own @param {TrainingRun} run
 * @returns {[any, string]}
 */
function lookAt(own, run) {
  const look = { do: "look", run: run.name, ...headOf(own), sentence: sentenceOf(own) };
  return [{ training: look, recipe: { model: own.session.state.model.name } }, JSON.stringify([look, run.update, run.state])];
}

/** The same of what is shown. @param {Own} own @returns {?[any, string]} null: nothing is kept of it */
function wantedOf(own) {
  const { state } = own.session;
  const run = shownRun(own);
  if (run) return run.noted ? lookAt(own, run) : null;
  if (!state.run || state.model.lacking.training !== undefined) return null;
  const wanted = { recipe: state.run.recipe, ...headOf(own), sentence: sentenceOf(own) };
  return [wanted, JSON.stringify(wanted)];
}

/** The same of what stands beside it. @param {Own} own @returns {?[any, string]} */
function besideOf(own) {
  if (!own.trains) return null;
  const { live } = own.trains;
  const run = runOf(live, live.chosen.beside);
  if (run) return run.noted ? lookAt(own, run) : null;
  const model = modelBeside(live);
  if (!model) return null;
  const { site, layer, head } = headOf(own);
  const { layers, heads } = siteOf(model, site);
  const wanted = { recipe: { model: model.name, source: model.examples[0] ?? "a" }, site, layer: Math.min(layer, layers - 1),
    head: Math.min(head, heads - 1), sentence: sentenceOf(own) };
  return [wanted, JSON.stringify(wanted)];
}

/** An answer of the room, or of a training. @param {any} answer */
const historyIn = (answer) => historyOf(answer.training?.looked ?? answer);

/** The last answer, where it is of what is chosen. @param {Own} own */
function answerNow(own) {
  const wanted = wantedOf(own);
  return wanted && own.question.has(...wanted) ? own.answer : null;
}

/** What stands beside, where it has arrived. @param {Own} own */
const besideNow = (own) => (besideOf(own) ? own.beside : null);

/** The note that is shown: the last, where none was chosen. @param {Own} own @param {TrainingHistory} answer */
const noteOf = ({ note }, { updates }) => Math.min(note ?? updates.length - 1, updates.length - 1);

/** Goes to a note, where it is another. @param {Own} own @param {number} note */
function goTo(own, note) {
  if (note === own.note) return;
  own.note = note;
  own.redraw();
}

/** The slider with what moves it by one. @param {Own} own */
function makeSlider(own) {
  const { t } = own;
  /** @param {string} name @param {string} text @param {number} to @param {string} [title] @param {boolean} [isHidden] */
  const button = (name, text, to, title, isHidden = false) => html`
    <button type="button" class="plain" title=${title ?? nothing} data-training=${name} ?hidden=${isHidden}
      @click=${press(() => goTo(own, to))}>${text}</button>`;
  return makePart((/** @type {number[]} */ updates = [0], /** @type {?number} */ half = null, note = 0) => {
    const last = updates.length - 1;
    return html`
      <div class="training-slider">${button("earlier", "‹", Math.max(0, note - 1), t("training_earlier"))}
        <input type="range" min="0" max=${last} .value=${live(String(note))} aria-label=${t("training_slider")} data-training="note"
          aria-valuetext=${whenText(t, updates[note])} @input=${(/** @type {any} */ { target }) => goTo(own, Number(target.value))}>
        ${button("later", "›", Math.min(last, note + 1), t("training_later"))}
        ${button("jump", half === null ? "" : t("training_jump", { n: countText(updates[half]) }), half ?? 0, undefined,
    half === null || half === note)}</div>`;
  });
}

/** The maps of the head at a note, and of what it ended with or what is beside it. @param {Own} own */
const makeTrainingMaps = (own) => makeMaps(own.t, "training", ["then", "end"], { redraw: own.redraw, acts: () => ({ point(place) {
  own.pointed = place;
  own.redraw();
} }) });

/** What a map shows. @param {Own} own @param {TrainingHistory} answer @param {number} note @param {string} when @returns {GridFrame} */
function mapOf({ t, session: { state: { model, spelled } }, pointed }, answer, note, when) {
  const { site, layer, head } = answer.place; // every model that is trained here has the same sites
  const source = labelsOf(answer.source, false, spelled, t);
  const fed = labelsOf(answer.fed, true, spelled, t);
  const [rows, columns] = [rowsOf, columnsOf].map((of) => (of(model, site) === "source" ? source : fed));
  const [Q, K] = [rows.length, columns.length];
  return { key: [answer, note], kind: "weight", value: (row, column) => answer.weights[(note * Q + row) * K + column],
    digits: true, leastSaid: LEAST_SAID_FINELY, rows: { count: Q, labels: rows }, columns: { count: K, labels: columns },
    most: [64, 54], wide: 1.6, high: 1.2, pointed, kept: null, scale: false,
    label: t("training_map_then", { layer: layer + 1, head: head + 1, when }) };
}

/** How many layers and heads a site has, of the training that is shown. @param {Own} own @param {TrainingHistory} answer @param {Site} site */
const sizeOf = ({ session: { state } }, { sites = [] }, site) => sites.find((one) => one.site === site) ?? siteOf(state.model, site);

/** What a curve shows at a note, in words; null where there is none. @param {Own} own @param {TrainingHistory} answer @param {number} note @param {import("./says.js").Curve} curve */
function curveSaid(own, answer, note, curve) {
  const { t } = own;
  const values = new Map(curvesOf(answer)).get(curve);
  if (!values) return null;
  const beside = besideNow(own);
  const other = beside?.curves[curve];
  const named = { name: t(`training_${answer.named[curve]}`), value: valueText(curve, values[note]) };
  return other && beside ? t("trains_value_beside", { ...named, beside: valueText(curve, other[noteBeside(beside.updates, answer.updates[note])]) })
    : t("trains_value", named);
}

/** The charts of all curves; each is pressed to go to a note. @param {Own} own */
function makeCharts(own) {
  const { t } = own;
  const charts = CURVES.map((curve) => ({ curve,
    chart: makeNumberChart("training-chart", { slide: (at) => goTo(own, at + spanOf(own, curve)[0]) }, own.redraw) }));
  const { element, update } = makePart((/** @type {?TrainingHistory} */ answer = null, note = 0) => html`
    <div class="training-curves">${charts.map(({ curve, chart }) => {
    const said = answer && curveSaid(own, answer, note, curve);
    return html`
        <figure class="training-curve" data-curve=${curve} ?hidden=${!said} title=${answer && said ? t(`training_${answer.named[curve]}_about`) : nothing}>
          <h3 class="training-name">${said}</h3>${chart.element}</figure>`;
  })}</div>`);
  return {
    element,
    /** Says what each shows, and how large it then is: all is written before the first is drawn. @param {TrainingHistory} answer @param {number} note */
    entitle: update,
    measure: () => charts.forEach(({ chart }) => chart.measure()),
    /** @param {TrainingHistory} answer @param {number} note @param {Look} look */
    update(answer, note, look) {
      const { updates } = answer;
      const places = placesOf(updates);
      const beside = besideNow(own);
      const there = new Map(curvesOf(answer));
      const { heads } = sizeOf(own, answer, answer.place.site);
      for (const { curve, chart } of charts) {
        const values = there.get(curve);
        if (!values) continue;
        const [from, upto] = spanOf(own, curve);
        const other = beside?.curves[curve];
        chart.update({ x: places.slice(from, upto), ticks: ticksAt(updates.slice(from, upto)),
          y: Array.from(values.slice(from, upto)),
          behind: othersOf(answer, curve, heads).map((one) => ({ x: places, y: one, colour: "faint", width: 1 })),
          taken: note < from || note >= upto ? null : note - from, lines: other && beside ? [lineOf(beside, other)] : [], title: t("training_update"),
          label: t("training_chart", { name: t(`training_${answer.named[curve]}`), n: countText(updates[note]), value: valueText(curve, values[note]),
            first: valueText(curve, values[from]), last: valueText(curve, values[upto - 1]) }) }, look);
      }
    },
    destroy: () => charts.forEach(({ chart }) => chart.destroy()),
  };
}

/** A curve of what stands beside, as far as it has numbers. @param {TrainingHistory} history @param {Float32Array} values @returns {import("../../stage/draw/chart.js").ChartLine} */
function lineOf({ updates }, values) {
  const known = updates.map((_, i) => i).filter((i) => Number.isFinite(values[i]));
  const places = placesOf(updates);
  return { x: known.map((i) => places[i]), y: known.map((i) => values[i]), colour: "ink", width: 1.6, dash: [5, 4] };
}

/**
 * The notes of which a curve has a number: the first, and the one after the last.
 * @param {Own} own
 * @param {import("./says.js").Curve} curve
 * @returns {[number, number]}
 */
function spanOf({ answer }, curve) {
  const known = Array.from(answer?.curves[curve] ?? []).map(Number.isFinite);
  return [Math.max(0, known.indexOf(true)), known.lastIndexOf(true) + 1];
}

/** @param {Own} own */
function makeParts(own) {
  const { session: { state, actions } } = own;
  return {
    picker: makeHeadPicker(own.t, "trainingSite", sitesOf(state.model), {
      site(site) {
        if (!shownRun(own)) return actions.chooseSite(site);
        own.place = { site, layer: 0, head: 0 };
        own.redraw();
      },
      head({ layer, head }) {
        const now = headOf(own);
        const next = { layer: layer ?? now.layer, head: head ?? now.head };
        if (!shownRun(own)) return actions.lock(next.layer, next.head);
        own.place = { site: now.site, ...next };
        own.redraw();
      },
    }),
    slider: makeSlider(own),
    maps: makeTrainingMaps(own),
    charts: makeCharts(own),
  };
}

/** What stands beside the maps, the curves and what moves them. @typedef {{headline: string[], mistake: string, curves: string, reading: string, to: ?Model}} Says */

/** Which sentence is shown, and what opens the model as it was. @param {Own} own @param {?Says} says */
function picksOf(own, says) {
  const { t, session: { actions }, answer } = own;
  /** @param {any} event */
  function choose({ target }) {
    own.sentence = Number(target.value);
    own.redraw();
  }
  const to = says?.to;
  return html`
    <select data-training="sentence" aria-label=${t("training_sentence")} title=${t("training_sentence_about")} @change=${choose}>
      ${options(Array.from({ length: answer?.sentences ?? 1 }, (_, i) => [i, `${t("training_sentence")} ${i + 1}`]), sentenceOf(own))}</select>
    <button type="button" class="plain training-open" data-training="open" ?hidden=${!to} @click=${press(() => to && actions.setModel(to.name))}>
      ${to && (to.of ? t("training_open", { n: countText(to.update) }) : t("training_open_last"))}</button>`;
}

/** The room; `alone`: why there is nothing. @param {Own} own @param {ReturnType<typeof makeParts>} parts @param {?Says} says */
function roomOf(own, { picker, slider, maps, charts }, says, alone = "") {
  const [said, ...more] = says?.headline ?? [];
  return html`
    <div class="training-noted" ?hidden=${!says}>
      <div class="training-says" aria-live="polite"><p>${said}</p>${more.length === 0 ? nothing : html` <p class="training-when">${more.join(own.t("sentences_between"))}</p>`}</div>
      <p class="training-mistake">${says?.mistake}</p>${slider.element}
      <div class="training-body">
        <div class="training-left"><div class="training-maps">${maps.maps.map(({ element }) => element)}</div>
          <p class="training-reading${own.pointed ? "" : " nudge"}" aria-live="polite">${says?.reading}</p>
          <div class="training-picks">${picker.element}${picksOf(own, says)}</div></div>
        <div class="training-right"><p class="training-named">${says?.curves}</p>${charts.element}</div></div></div>
    <p class="training-alone">${alone}</p>${own.trains?.element}`;
}

/** Says what is left under short maps. @param {ReturnType<typeof makeTrainingMaps>["maps"][number]["grid"][]} grids */
function spare(grids) {
  const left = Math.min(...grids.map((grid) => {
    const layout = grid.layout();
    return layout ? layout.view.height - layout.height : 0;
  }));
  for (const { element } of grids) element.style.setProperty("--training-spare", `${Math.max(0, left)}px`);
}

/** @param {Own} own @param {ReturnType<typeof makeParts> & {say: function(Says): void}} parts @param {TrainingHistory} answer @param {Look} look */
function draw(own, parts, answer, look) {
  const { t, session: { state } } = own;
  const { updates } = answer;
  const note = noteOf(own, answer);
  const [beside, other] = [besideNow(own), own.trains ? besideName(own.trains.live) : null];
  const shown = own.trains ? shownName(own.trains.live) : state.model.name;
  const named = (/** @type {string} */ name, /** @type {string} */ when) => t("trains_named_after", { name, when });
  const run = shownRun(own);
  const isOver = run === null || run.state === "done";
  const { layers, heads } = sizeOf(own, answer, answer.place.site);
  const last = updates.length - 1;
  const at = beside ? noteBeside(beside.updates, updates[note]) : otherEnd(note, last, isOver);
  const whenAt = (/** @type {number} */ one) => (isOver && one === last ? t("training_end", { n: countText(updates[last]) }) : whenText(t, updates[one]));
  const shownMaps = [{ of: answer, note, when: beside ? named(shown, whenText(t, updates[note])) : whenAt(note) },
    { of: beside ?? answer, note: at, when: beside ? named(other ?? "", whenText(t, beside.updates[at])) : whenAt(at) }];
  const whens = shownMaps.map(({ when }) => when);
  const frames = shownMaps.map((one) => mapOf(own, one.of, one.note, one.when));
  parts.slider.update(updates, answer.over_half, note);
  parts.maps.entitle(whens.map((title) => ({ title })));
  parts.charts.entitle(answer, note);
  parts.say({ headline: headline(t, answer, note, isOver), mistake: mistake(t, answer),
    curves: [beside ? t("trains_curves", { shown, beside: other ?? "" }) : "",
      layers * heads > 1 ? t("training_others", { n: layers * heads - 1 }) : ""].filter(Boolean).join(t("sentences_between")),
    reading: readingOfMaps(t, own.pointed, frames, whens),
    to: state.canAsk && run === null ? modelAt(state.options.models, state.model, updates[note]) : null });
  for (const part of [parts.maps, parts.charts]) part.measure();
  parts.maps.update(frames, look);
  parts.charts.update(answer, note, look);
  spare(parts.maps.maps.map(({ grid }) => grid));
}

/** @type {MakeRoom} */
function makeTrainingRoom(t, session, ask, redraw, before = null, shared = {}) {
  const { state } = session;
  const element = elementOf(html`<section class="training-room" aria-label=${t("room_training")}></section>`);
  /** @type {Own} */
  const own = { t, session, redraw, sentence: before?.sentence ?? 0, note: before?.note ?? null, answer: null, beside: null, pointed: null,
    place: before?.trained?.place ?? { site: "cross", layer: 0, head: 0 },
    trains: makeLive(t, session, redraw, shared, before?.trained?.chosen ?? null),
    question: ask({ element, settle: (answer) => { own.answer = historyIn(answer); } }),
    besides: ask({ quiet: true, settle: (answer) => { own.beside = historyIn(answer); } }) };
  const made = makeParts(own);
  const say = (/** @type {?Says} */ says, alone = "") => { render(roomOf(own, made, says, alone), element); };
  say(null);
  const parts = { ...made, say };
  return {
    element,
    settle() {
      own.trains?.settle();
      const [wanted, beside] = [wantedOf(own), besideOf(own)];
      if (wanted) own.question.of(...wanted);
      else {
        own.answer = null;
        element.classList.remove("unanswered"); // there is nothing to wait for
      }
      if (beside) own.besides.of(...beside);
      else own.beside = null;
    },
    update(look) {
      own.trains?.update();
      const answer = answerNow(own) ?? own.answer;
      const isAlone = answer === null && !shownRun(own) && state.model.lacking.training !== undefined;
      if (!answer) return say(null, isAlone ? t("trains_alone", { model: state.model.name }) : "");
      const { site, layer, head } = headOf(own);
      const { layers, heads } = sizeOf(own, answer, site);
      parts.picker.update(site, { layers, heads }, { layer: Math.min(layer, layers - 1), head: Math.min(head, heads - 1) });
      draw(own, parts, answer, look);
    },
    pictured: (picture) => (picture === "training" && answerNow(own) ? { title: t("export_what_training"),
      parts: () => [...element.querySelectorAll(".training-body")], says: element.querySelector(".training-says")?.textContent ?? "" } : null),
    keep() {
      const { answer, sentence, note } = own;
      return { ...placeOf(state, state.site), sentence: answer ? sentenceOf(own) : sentence,
        note: answer && note !== null ? noteOf(own, answer) : note,
        ...(own.trains ? { trained: { chosen: own.trains.live.chosen, place: own.place } } : {}) };
    },
    destroy() {
      own.trains?.close();
      own.question.drop();
      own.besides.drop();
      parts.maps.destroy();
      parts.charts.destroy();
    },
  };
}

/** What a link and a file say of the room: nothing of trainings that only this computer has. @param {any} view */
function trainingView({ sentence, note, trained: _, ...view }) {
  return { ...view, ...(sentence ? { sentence } : {}), ...(note === null ? {} : { note }) };
}

export const room = { name: "training", withoutSentences: true, make: makeTrainingRoom,
  keep: { pictures: (/** @type {State} */ _, /** @type {any} */ view) => [{ picture: "training", view }], view: trainingView } };
