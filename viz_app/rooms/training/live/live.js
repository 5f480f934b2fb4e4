// Trainings that the page begins, where the server trains for who sits at it: what is chosen, how far each
// is, and which is shown. While the room is open the server is asked now and then; it pushes nothing.

import { onceLaidOut } from "../../../stage/draw/laid_out.js";
import { answerTo, watchAnswers } from "../../../stage/run/ask.js";
import { html, live, makePart, nothing, typed } from "../../../stage/page/html.js";
import { hasMessage } from "../../../stage/page/rooms.js";
import { countText } from "../says.js";
import { runTitle, stateText, usualSettings } from "./runs.js";

/**
 * @typedef {Object} Live
 * @property {Words} t
 * @property {Session} session
 * @property {Trains} trains
 * @property {Transport} transport
 * @property {Redraw} redraw
 * @property {function(Model): void} add puts a model into the menu
 * @property {{shown: ?string, beside: ?string}} chosen names of trainings; of models as "model NAME"
 * @property {TrainingRun[]} runs
 * @property {TrainingSettings} settings that are chosen for the next one
 * @property {?boolean} isOpen whether they are seen; null: where there is nothing else
 * @property {?string} doing what was asked that changes a training
 * @property {boolean} isWatched
 * @property {boolean} isClosed
 */

const MODEL = "model ";

/** The training of a name. @param {Live} own @param {?string} name */
export const runOf = ({ runs }, name) => runs.find((run) => run.name === name) ?? null;

/** The model that is chosen to stand beside. @param {Live} own @returns {?Model} */
export const modelBeside = ({ chosen: { beside }, session: { state } }) =>
  state.options.models.find(({ name }) => MODEL + name === beside) ?? null;

/** What stands beside, in words; null: nothing does. @param {Live} own */
export function besideName(own) {
  const run = runOf(own, own.chosen.beside);
  return run ? runTitle(own.t, own.trains, run) : modelBeside(own)?.name ?? null;
}

/** What is shown, in words. @param {Live} own */
export function shownName(own) {
  const run = runOf(own, own.chosen.shown);
  return run ? runTitle(own.t, own.trains, run) : own.session.state.model.name;
}

/** Takes what the server says of all trainings. @param {Live} own @param {any} answer */
function take(own, { training, error }) {
  if (!training || error) return;
  own.runs = training.runs;
  for (const which of /** @type {const} */ (["shown", "beside"])) {
    const name = own.chosen[which];
    if (name !== null && !name.startsWith(MODEL) && !runOf(own, name)) own.chosen[which] = null;
  }
}

/** Asks for what changes a training. @param {Live} own @param {any} training */
async function ask(own, training) {
  const { session: { state, actions }, redraw } = own;
  own.doing = training.do;
  redraw.now();
  const answer = await answerTo(own.transport, { training });
  own.doing = null;
  if (own.isClosed) return null;
  if (answer.error) actions.tell(answer.error, "training");
  else {
    take(own, answer);
    if (hasMessage(state, "training")) actions.tell(null);
  }
  redraw.now();
  return answer.error ? null : answer.training;
}

/** Begins a training, and shows it. @param {Live} own */
async function begin(own) {
  const begun = await ask(own, { do: "start", settings: own.settings });
  if (!begun) return;
  Object.assign(own, { isOpen: false });
  own.chosen.shown = begun.run;
  own.redraw.now();
}

/** Makes a model of a training. @param {Live} own @param {any} event @param {TrainingRun} run */
async function keep(own, event, run) {
  event.preventDefault();
  const name = String(new FormData(event.target).get("name")).trim();
  const kept = await ask(own, { do: "keep", run: run.name, name });
  if (kept?.model) own.add(kept.model);
}

/** One choice of the next training. @param {Live} own @param {string} name @param {any[]} values */
function choice(own, name, values) {
  const { t, settings, trains } = own;
  return html`<label><span>${t(`trains_set_${name}`)}</span>
    <select data-setting=${name} @change=${(/** @type {any} */ event) => {
      settings[name] = values.find((value) => String(value) === event.target.value);
    }}>${values.map((value) => html`<option value=${String(value)} .selected=${live(settings[name] === value)}>${
      t(`trains_set_${name}_${value}`, name === "preset" ? { n: countText(trains.updates[value]) } : {})}</option>`)}</select></label>`;
}

/** What is chosen for the next training. @param {Live} own */
const form = (own) => html`<form class="training-form" @submit=${(/** @type {any} */ event) => {
  event.preventDefault();
  begin(own);
}}>
  <p>${own.t("trains_train_about")}</p>
  ${Object.entries(own.trains.choices).map(([name, values]) => choice(own, name, values))}
  <label><span>${own.t("trains_set_seed")}</span><input type="number" min="1" max=${own.trains.most_seed} required
    data-setting="seed" .value=${typed(String(own.settings.seed))} @change=${(/** @type {any} */ event) => {
      own.settings.seed = Number(event.target.value);
    }}></label>
  <button class="primary" type="submit" data-live="begin" ?disabled=${own.doing !== null}>${own.t("trains_begin")}</button></form>`;

/** How far the training that is shown is, and what can be done with it. @param {Live} own @param {TrainingRun} run */
function standing(own, run) {
  const { t, doing } = own;
  const press = (/** @type {string} */ act, /** @type {string} */ word) => html`<button class="plain" data-live=${act}
    ?disabled=${doing !== null} @click=${() => ask(own, { do: act, run: run.name })}>${t(`trains_${word}`)}</button>`;
  return html`<div class="training-standing"><p role="status">${stateText(t, run)}</p>
    ${run.state === "running" ? press("pause", "pause") : run.state === "done" ? nothing : press("go_on", "go_on")}
    ${press("remove", run.state === "running" ? "stop" : "remove")}
    ${run.kept ? html`<p>${t("trains_kept", { name: run.kept })}</p>`
      : run.can_keep && run.state !== "running" ? html`<form class="training-keep" @submit=${(/** @type {any} */ event) => keep(own, event, run)}>
        <label><span>${t("trains_keep_name")}</span><input type="text" name="name" required maxlength="40" spellcheck="false"
          autocomplete="off"></label>
        <button class="plain" type="submit" data-live="keep" ?disabled=${doing !== null}>${t(doing === "keep" ? "trains_keeping" : "trains_keep")}</button></form>` : nothing}</div>`;
}

/** Which is shown, and what stands beside it. @param {Live} own */
function choosing(own) {
  const { t, session: { state }, chosen, runs, trains, redraw } = own;
  const ofModel = state.model.lacking.training === undefined ? [["", state.model.name]] : chosen.shown === null ? [["", "–"]] : [];
  const named = runs.map((run) => [run.name, runTitle(t, trains, run)]);
  if (runs.length === 0 && ofModel[0]?.[1] === "–") return nothing; // there is nothing yet
  const others = state.options.models.filter(({ name, of, lacking, languages }) => !of && lacking.training === undefined
    && languages.join() === trains.languages.join() && (chosen.shown !== null || name !== state.model.name));
  const beside = [["", t("trains_beside_none")], ...named.filter(([name]) => name !== chosen.shown),
    ...others.map(({ name }) => [MODEL + name, name])];
  const select = (/** @type {"shown" | "beside"} */ which, /** @type {string[][]} */ options) => html`<label>
    <span>${t(`trains_${which}`)}</span><select data-live=${which} @change=${(/** @type {any} */ event) => {
      chosen[which] = event.target.value || null;
      if (chosen.beside === chosen.shown) chosen.beside = null;
      redraw();
    }}>${options.map(([value, text]) => html`<option value=${value} .selected=${live(value === (chosen[which] ?? ""))}>${text}</option>`)}</select></label>`;
  return [select("shown", [...ofModel, ...named]), select("beside", beside)];
}

/**
 * The line of trainings over the room; null where none are begun.
 * @param {Words} t
 * @param {Session} session
 * @param {Redraw} redraw
 * @param {any} shared
 * @param {?{shown: ?string, beside: ?string}} kept
 */
export function makeLive(t, session, redraw, { transport, add }, kept) {
  const { state } = session;
  const trains = /** @type {?Trains} */ (state.options.trains ?? null);
  if (trains === null || !state.canAsk) return null;
  /** @type {Live} */
  const own = { t, session, trains, transport, redraw, add, chosen: kept ?? { shown: null, beside: null }, runs: [],
    settings: usualSettings(trains), isOpen: null, doing: null, isWatched: false, isClosed: false };
  /** @type {ReturnType<typeof makePart>} */
  const { element, update } = makePart(() => {
    const run = runOf(own, own.chosen.shown);
    const isOpen = own.isOpen ?? (own.runs.length === 0 && state.model.lacking.training !== undefined);
    return html`<section class="training-live" aria-label=${t("trains_live")}>
      <div class="training-choosing">${choosing(own)}
        <button class="plain" data-live="train" aria-expanded=${String(isOpen)} @click=${() => {
          own.isOpen = !isOpen;
          redraw();
          if (own.isOpen) onceLaidOut(element, () => () => element.scrollIntoView({ block: "nearest" }));
        }}>${t(isOpen ? "trains_close" : "trains_train")}</button></div>
      ${isOpen ? form(own) : nothing}
      ${run ? standing(own, run) : nothing}</section>`;
  });
  return {
    live: own, element, update,
    /** Looks how far they are while the room is open. */
    settle() {
      if (own.isWatched) return;
      own.isWatched = true;
      const isOver = () => own.isClosed || state.room !== "training";
      watchAnswers(transport, { training: { do: "list" } }, isOver, (answer) => {
        take(own, answer);
        redraw.now();
      }).finally(() => { own.isWatched = false; });
    },
    close() { own.isClosed = true; },
  };
}
