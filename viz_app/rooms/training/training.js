// The room Training: one slider over the notes of a training moves the map of a head and the curves;
// beside it stands the map that the head ended with.

import { columnsOf, rowsOf, siteOf, sitesOf } from "../../stage/anatomy.js";
import { makeNumberChart } from "../../stage/draw/chart.js";
import { makeGrid } from "../../stage/draw/grid.js";
import { labelsOf } from "../../stage/draw/labels.js";
import { placeOf } from "../../stage/keep/tables.js";
import { make, makeButton, setText, setTrait } from "../../stage/page/elements.js";
import { makeHeadPicker } from "../../stage/page/pick.js";
import { countText, CURVES, curvesOf, headline, historyOf, mistake, modelAt, nameOf, placesOf, ticksAt, valueText,
  whenText } from "./says.js";

/**
 * What the room holds, for the functions below.
 * @typedef {{t: Words, session: Session, redraw: Redraw, sentence: number, note: ?number, answer: ?TrainingHistory,
 *   question: import("../../stage/run/ask.js").Question, pointed: ?GridPlace}} Own
 */

/** The sentence that is chosen, where there is one; how many there are is known with the first answer. @param {Own} own */
const sentenceOf = ({ sentence, answer }) => Math.min(sentence, (answer?.sentences ?? 1) - 1);

/** @param {Own} own */
const wantedOf = (own) => ({ recipe: own.session.state.run.recipe, site: own.session.state.site,
  ...own.session.state.locks[own.session.state.site], sentence: sentenceOf(own) });

/** The last answer, where it is of what is chosen. @param {Own} own */
const answerNow = (own) => (own.session.state.run && own.question.has(wantedOf(own)) ? own.answer : null);

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
  const slider = make("input", { type: "range", min: "0", "aria-label": t("training_slider"), data: { training: "note" },
    on: { input: () => goTo(own, Number(slider.value)) } });
  const by = (/** @type {number} */ turn) => () => own.answer
    && goTo(own, Math.max(0, Math.min(own.answer.updates.length - 1, noteOf(own, own.answer) + turn)));
  const jump = makeButton({ class: "plain", data: { training: "jump" } },
    () => goTo(own, /** @type {number} */ (own.answer?.over_half)));
  const element = make("div", { class: "training-slider" }, [
    makeButton({ class: "plain", text: "‹", title: t("training_earlier"), data: { training: "earlier" } }, by(-1)), slider,
    makeButton({ class: "plain", text: "›", title: t("training_later"), data: { training: "later" } }, by(1)), jump]);
  return {
    element,
    /** @param {TrainingHistory} answer @param {number} note */
    update({ updates, over_half: half }, note) {
      slider.max = String(updates.length - 1);
      slider.value = String(note);
      setTrait(slider, "aria-valuetext", whenText(t, updates[note]));
      jump.hidden = half === null || half === note;
      if (half !== null) setText(jump, t("training_jump", { n: countText(updates[half]) }));
    },
  };
}

/** A map of the head at a note. @param {Own} own */
function makeMap(own) {
  const { t } = own;
  const title = make("h3", { class: "training-when" });
  const grid = makeGrid(t, { box: "training-map", redraw: own.redraw, keep() {}, point(place) {
    own.pointed = place;
    own.redraw();
  } });
  return {
    element: make("figure", { class: "training-then" }, [title, grid.element]),
    /** @param {TrainingHistory} answer @param {number} note @param {string} when @param {Look} look */
    update(answer, note, when, look) {
      const { model, spelled } = own.session.state;
      const { site, layer, head } = answer.place;
      const source = labelsOf(answer.source, false, spelled, t);
      const fed = labelsOf(answer.fed, true, spelled, t);
      const of = (/** @type {string} */ side) => (side === "source" ? source : fed);
      const [rows, columns] = [of(rowsOf(model, site)), of(columnsOf(model, site))];
      const [Q, K] = [rows.length, columns.length];
      const at = (/** @type {number} */ row, /** @type {number} */ column) =>
        answer.weights[(note * Q + row) * K + column];
      setText(title, when);
      grid.update({ key: [answer, note], kind: "weight", value: at, digits: true, leastSaid: 0.05,
        rows: { count: Q, labels: rows }, columns: { count: K, labels: columns },
        most: [64, 54], wide: 1.6, high: 1.2, pointed: own.pointed, kept: null, scale: false,
        label: t("training_map_then", { layer: layer + 1, head: head + 1, when }) }, look);
    },
    destroy: () => grid.destroy(),
  };
}

/** The charts of all curves; each is pressed to go to a note. @param {Own} own */
function makeCharts(own) {
  const { t } = own;
  const charts = CURVES.map((curve) => {
    const name = make("h3", { class: "training-name" });
    const chart = makeNumberChart("training-chart", { point() {}, choose: (at) => goTo(own, at + shift(own, curve)) }, own.redraw);
    return { curve, name, chart, element: make("figure", { class: "training-curve", data: { curve } }, [name, chart.element]) };
  });
  return {
    element: make("div", { class: "training-curves" }, charts.map(({ element }) => element)),
    /** @param {TrainingHistory} answer @param {number} note @param {Look} look */
    update(answer, note, look) {
      const { updates } = answer;
      const places = placesOf(updates);
      const there = new Map(curvesOf(answer));
      for (const { curve, name, chart, element } of charts) {
        const values = there.get(curve);
        element.hidden = !values;
        if (!values) continue;
        const from = shift(own, curve);
        const title = t(`training_${nameOf(answer, curve)}`);
        const value = valueText(curve, values[note]);
        setText(name, `${title}: ${value}`);
        setTrait(element, "title", t(`training_${nameOf(answer, curve)}_about`));
        chart.update({ x: places.slice(from), ticks: ticksAt(updates.slice(from)), y: Array.from(values).slice(from), pointed: null,
          taken: note < from ? null : note - from, title: t("training_update"),
          label: t("training_chart", { name: title, n: countText(updates[note]), value,
            first: valueText(curve, values[from]), last: valueText(curve, /** @type {number} */ (values.at(-1))) }) }, look);
      }
    },
    destroy: () => charts.forEach(({ chart }) => chart.destroy()),
  };
}

/** How many of the first notes a curve has no number of. @param {Own} own @param {import("./says.js").Curve} curve */
function shift({ answer }, curve) {
  const values = answer?.curves[curve];
  return values ? Math.max(0, Array.from(values).findIndex(Number.isFinite)) : 0;
}

/** @param {Own} own */
function makeParts(own) {
  const { t, session: { state, actions } } = own;
  const sentences = make("select", { data: { training: "sentence" }, "aria-label": t("training_sentence"),
    title: t("training_sentence_about"), on: { change() {
      own.sentence = Number(sentences.value);
      own.redraw();
    } } });
  return {
    picker: makeHeadPicker(t, "trainingSite", sitesOf(state.model), {
      site: (site) => actions.chooseSite(site),
      head: ({ layer, head }) => actions.lock(layer ?? state.locks[state.site].layer, head ?? state.locks[state.site].head),
    }),
    sentences,
    says: make("p", { class: "training-says", "aria-live": "polite" }),
    mistake: make("p", { class: "training-mistake" }),
    slider: makeSlider(own),
    then: makeMap(own),
    end: makeMap(own),
    charts: makeCharts(own),
    open: makeButton({ class: "plain training-open", data: { training: "open" } }, () => {
      const to = own.answer && modelAt(state.options.models, state.model, own.answer.updates[noteOf(own, own.answer)]);
      if (to) actions.setModel(to.name);
    }),
  };
}

/** @param {Own} own @param {ReturnType<typeof makeParts>} parts @param {TrainingHistory} answer @param {Look} look */
function draw(own, parts, answer, look) {
  const { t, session: { state } } = own;
  const { updates } = answer;
  const note = noteOf(own, answer);
  setText(parts.says, headline(t, answer, note));
  setText(parts.mistake, mistake(t, answer));
  parts.slider.update(answer, note);
  parts.then.update(answer, note, whenText(t, updates[note]), look);
  const last = updates.length - 1;
  parts.end.update(answer, last, t("training_end", { n: countText(updates[last]) }), look);
  parts.charts.update(answer, note, look);
  const to = state.canAsk ? modelAt(state.options.models, state.model, updates[note]) : null;
  parts.open.hidden = to === null;
  if (to) setText(parts.open, to.of ? t("training_open", { n: countText(to.update) }) : t("training_open_last"));
}

/** @type {MakeRoom} */
function makeTrainingRoom(t, session, ask, redraw, before = null) {
  const { state } = session;
  const element = make("section", { class: "training-room", "aria-label": t("room_training") });
  /** @type {Own} */
  const own = { t, session, redraw, sentence: before?.sentence ?? 0, note: before?.note ?? null, answer: null, pointed: null,
    question: ask({ element, settle: (answer) => { own.answer = historyOf(answer); } }) };
  const parts = makeParts(own);
  const picks = make("div", { class: "training-picks" }, [parts.picker.element, parts.sentences, parts.open]);
  const body = make("div", { class: "training-body" }, [
    make("div", { class: "training-maps" }, [parts.then.element, parts.end.element]), parts.charts.element]);
  element.append(picks, parts.says, parts.mistake, parts.slider.element, body);
  return {
    element,
    settle: () => own.question.of(wantedOf(own)),
    update(look) {
      const { layers, heads } = siteOf(state.model, state.site);
      parts.picker.update(state.site, { layers, heads }, state.locks[state.site]);
      const answer = answerNow(own) ?? own.answer;
      body.hidden = answer === null;
      if (!answer) return;
      const count = answer.sentences;
      if (parts.sentences.length !== count) {
        parts.sentences.replaceChildren(...Array.from({ length: count }, (_, i) =>
          make("option", { value: String(i), text: `${t("training_sentence")} ${i + 1}` })));
      }
      parts.sentences.value = String(sentenceOf(own));
      draw(own, parts, answer, look);
    },
    pictured: (picture) => (picture === "training" && answerNow(own) ? { title: t("export_what_training"),
      parts: () => [body], says: parts.says.textContent ?? "" } : null),
    drawn() {
      const answer = answerNow(own);
      return answer && { ready: true, note: noteOf(own, answer), updates: answer.updates, says: parts.says.textContent,
        mistake: parts.mistake.textContent, place: answer.place, weights: Array.from(answer.weights) };
    },
    keep() {
      const { answer, sentence, note } = own;
      return { ...placeOf(state, state.site), sentence: answer ? sentenceOf(own) : sentence,
        note: answer && note !== null ? noteOf(own, answer) : note };
    },
    destroy() {
      own.question.drop();
      parts.then.destroy();
      parts.end.destroy();
      parts.charts.destroy();
    },
  };
}

/** What a link and a file say of the room. @param {any} view */
function trainingView({ sentence, note, ...view }) {
  return { ...view, ...(sentence ? { sentence } : {}), ...(note === null ? {} : { note }) };
}

export const room = { name: "training", make: makeTrainingRoom,
  keep: { pictures: (/** @type {State} */ _, /** @type {any} */ view) => [{ picture: "training", view }], view: trainingView } };
