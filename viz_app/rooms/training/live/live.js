// Trainings that the page begins, where the server trains for who sits at it: what is chosen, how far each
// is, and which is shown. While the room is open the server is asked now and then; it pushes nothing.

import { answerTo, watchAnswers } from "../../../stage/run/ask.js";
import { html, makePart, nothing, typed } from "../../../stage/page/html.js";
import { isTold } from "../../../stage/page/rooms.js";
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
 * @property {boolean} isBusy whether something was asked that changes a training
 * @property {boolean} isWatched
 * @property {boolean} isClosed
 */

const MODEL = "model ";

/** The training of a name. @param {Live} live @param {?string} name */
export const runOf = ({ runs }, name) => runs.find((run) => run.name === name) ?? null;

/** The model that is chosen to stand beside. @param {Live} live @returns {?Model} */
export const modelBeside = ({ chosen: { beside }, session: { state } }) =>
  state.options.models.find(({ name }) => MODEL + name === beside) ?? null;

/** What stands beside, in words; null: nothing does. @param {Live} live */
export function besideName(live) {
  const run = runOf(live, live.chosen.beside);
  return run ? runTitle(live.t, live.trains, run) : modelBeside(live)?.name ?? null;
}

/** What is shown, in words. @param {Live} live */
export function shownName(live) {
  const run = runOf(live, live.chosen.shown);
  return run ? runTitle(live.t, live.trains, run) : live.session.state.model.name;
}

/** Takes what the server says of all trainings. @param {Live} live @param {any} answer */
function take(live, { training, error }) {
  if (!training || error) return;
  live.runs = training.runs;
  for (const which of /** @type {const} */ (["shown", "beside"])) {
    const name = live.chosen[which];
    if (name !== null && !name.startsWith(MODEL) && !runOf(live, name)) live.chosen[which] = null;
  }
}

/** Asks for what changes a training. @param {Live} live @param {any} training */
async function ask(live, training) {
  const { session: { state, actions }, redraw } = live;
  live.isBusy = true;
  redraw.now();
  const answer = await answerTo(live.transport, { training });
  live.isBusy = false;
  if (live.isClosed) return null;
  if (answer.error) actions.tell(answer.error, "training");
  else {
    take(live, answer);
    if (isTold(state, "training")) actions.tell(null);
  }
  redraw.now();
  return answer.error ? null : answer.training;
}

/** Begins a training, and shows it. @param {Live} live */
async function begin(live) {
  const begun = await ask(live, { do: "start", settings: live.settings });
  if (!begun) return;
  Object.assign(live, { isOpen: false });
  live.chosen.shown = begun.run;
  live.redraw.now();
}

/** Makes a model of a training. @param {Live} live @param {any} event @param {TrainingRun} run */
async function keep(live, event, run) {
  event.preventDefault();
  const name = String(new FormData(event.target).get("name")).trim();
  const kept = await ask(live, { do: "keep", run: run.name, name });
  if (kept?.model) live.add(kept.model);
}

/** One choice of the next training. @param {Live} live @param {string} name @param {any[]} values */
function choice(live, name, values) {
  const { t, settings, trains } = live;
  return html`<label><span>${t(`trains_set_${name}`)}</span>
    <select data-setting=${name} .value=${typed(String(settings[name]))} @change=${(/** @type {any} */ event) => {
      settings[name] = values.find((value) => String(value) === event.target.value);
    }}>${values.map((value) => html`<option value=${String(value)} ?selected=${settings[name] === value}>${
      t(`trains_set_${name}_${value}`, name === "preset" ? { n: countText(trains.updates[value]) } : {})}</option>`)}</select></label>`;
}

/** What is chosen for the next training. @param {Live} live */
const form = (live) => html`<form class="training-form" @submit=${(/** @type {any} */ event) => {
  event.preventDefault();
  begin(live);
}}>
  <p>${live.t("trains_train_about")}</p>
  ${Object.entries(live.trains.choices).map(([name, values]) => choice(live, name, values))}
  <label><span>${live.t("trains_set_seed")}</span><input type="number" min="1" max=${live.trains.most_seed} required
    data-setting="seed" .value=${typed(String(live.settings.seed))} @change=${(/** @type {any} */ event) => {
      live.settings.seed = Number(event.target.value);
    }}></label>
  <button class="primary" type="submit" data-live="begin" ?disabled=${live.isBusy}>${live.t("trains_begin")}</button></form>`;

/** How far the training that is shown is, and what can be done with it. @param {Live} live @param {TrainingRun} run */
function standing(live, run) {
  const { t, isBusy } = live;
  const press = (/** @type {string} */ act, /** @type {string} */ word) => html`<button class="plain" data-live=${act}
    ?disabled=${isBusy} @click=${() => ask(live, { do: act, run: run.name })}>${t(`trains_${word}`)}</button>`;
  return html`<div class="training-standing"><p role="status">${stateText(t, run)}</p>
    ${run.state === "running" ? press("pause", "pause") : run.state === "done" ? nothing : press("go_on", "go_on")}
    ${press("remove", run.state === "running" ? "stop" : "remove")}
    ${run.kept ? html`<p>${t("trains_kept", { name: run.kept })}</p>`
      : run.can_keep && run.state !== "running" ? html`<form class="training-keep" @submit=${(/** @type {any} */ event) => keep(live, event, run)}>
        <label><span>${t("trains_keep_name")}</span><input type="text" name="name" required maxlength="40" spellcheck="false"
          autocomplete="off"></label>
        <button class="plain" type="submit" data-live="keep" ?disabled=${isBusy}>${t("trains_keep")}</button></form>` : nothing}</div>`;
}

/** Which is shown, and what stands beside it. @param {Live} live */
function choosing(live) {
  const { t, session: { state }, chosen, runs, trains, redraw } = live;
  const own = state.model.lacking.training === undefined ? [["", state.model.name]] : chosen.shown === null ? [["", "–"]] : [];
  const named = runs.map((run) => [run.name, runTitle(t, trains, run)]);
  if (runs.length === 0 && own[0]?.[1] === "–") return nothing; // there is nothing yet
  const others = state.options.models.filter(({ name, of, lacking, languages }) => !of && lacking.training === undefined
    && languages.join() === trains.languages.join() && (chosen.shown !== null || name !== state.model.name));
  const beside = [["", t("trains_beside_none")], ...named.filter(([name]) => name !== chosen.shown),
    ...others.map(({ name }) => [MODEL + name, name])];
  const select = (/** @type {"shown" | "beside"} */ which, /** @type {string[][]} */ options) => html`<label>
    <span>${t(`trains_${which}`)}</span><select data-live=${which} @change=${(/** @type {any} */ event) => {
      chosen[which] = event.target.value || null;
      if (chosen.beside === chosen.shown) chosen.beside = null;
      redraw();
    }}>${options.map(([value, text]) => html`<option value=${value} ?selected=${value === (chosen[which] ?? "")}>${text}</option>`)}</select></label>`;
  return [select("shown", [...own, ...named]), select("beside", beside)];
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
  const live = { t, session, trains, transport, redraw, add, chosen: kept ?? { shown: null, beside: null }, runs: [],
    settings: usualSettings(trains), isOpen: null, isBusy: false, isWatched: false, isClosed: false };
  const { element, update } = makePart(() => {
    const run = runOf(live, live.chosen.shown);
    const isOpen = live.isOpen ?? (live.runs.length === 0 && state.model.lacking.training !== undefined);
    return html`<section class="training-live" aria-label=${t("trains_live")}>
      <div class="training-choosing">${choosing(live)}
        <button class="plain" data-live="train" aria-expanded=${String(isOpen)} @click=${() => {
          live.isOpen = !isOpen;
          redraw();
        }}>${t(isOpen ? "trains_close" : "trains_train")}</button></div>
      ${isOpen ? form(live) : nothing}
      ${run ? standing(live, run) : nothing}</section>`;
  });
  return {
    live, element, update,
    /** Looks how far they are while the room is open. */
    settle() {
      if (live.isWatched) return;
      live.isWatched = true;
      const isOver = () => live.isClosed || state.room !== "training";
      watchAnswers(transport, { training: { do: "list" } }, isOver, (answer) => {
        take(live, answer);
        redraw.now();
      }).finally(() => { live.isWatched = false; });
    },
    close() { live.isClosed = true; },
  };
}
