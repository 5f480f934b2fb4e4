// The stage: one component that holds everything live. It knows a recipe, payloads and a transport;
// nothing about who hosts it.

import { makeAxes } from "./draw/axes.js";
import { readPalette, watchScheme } from "./draw/palette.js";
import { makePictures } from "./draw/pictures.js";
import { makeExport } from "./keep/dialog.js";
import { keptOf } from "./keep/views.js";
import { makeCard } from "./page/card.js";
import { makeCite } from "./page/cite.js";
import { make, makeSwitch, setText, setTrait } from "./page/elements.js";
import { makeGlossary } from "./page/glossary.js";
import { makeGuard } from "./page/guard.js";
import { choicesHere, makeHeader, makeSource, remembered } from "./page/header.js";
import { listenToKeys } from "./page/keyboard.js";
import { makeOpening } from "./page/opening.js";
import { makePads } from "./page/pads.js";
import { fit, rememberScrolls } from "./page/place.js";
import { answersAtHand, makeRooms, ROOMS } from "./page/rooms.js";
import { makeStrip } from "./page/strips.js";
import { firstLanguage, langOf, readerOf, wordsOfError } from "./page/words.js";
import { openSession } from "./run/session.js";
import { shownHead } from "./run/view.js";

const NORMAL_TYPE = 14; // CSS pixels of the root's type at the normal size

/**
 * Fills an empty element with the stage.
 * @param {HTMLElement & {stage?: Object}} element an empty <div>
 * @param {Object} options models, model, payload, limits, words (a table a language); made by
 *     viz_app/catalogue.py. `view`: what a payload is opened on, see view.js; `answers`: what the rooms of a page without a server are answered;
 *     `choices`: language, scheme and large, where the host decides; `made`: what a page without a
 *     server says of its origin; `address`: whether the page's own address may hold the recipe and
 *     the view; `base`: the address that links begin with, where it is another one
 * @param {?function(Object): Promise<Object>} transport takes {recipe, extend, force, have},
 *     gives a payload (viz_app/payload.py) or {error: {code, values, message}}; null in an exported
 *     page
 * @param {?function} makeAddress what keeps the page's own address, see keep/address.js
 * @returns {{destroy: function(): void, drawn: function(): Object}}
 */
export function mountStage(element, options, transport = null, makeAddress = null) {
  element.stage?.destroy();
  for (const [name, value] of Object.entries(options.choices ?? {})) {
    choicesHere.set(name, value);
  }
  const t = readerOf(options.words, firstLanguage(options.words, remembered("language")));
  const auto = element.classList.contains("auto-scheme") ? " auto-scheme" : "";
  const root = make("div", { class: `stage${auto}`, tabindex: "-1", role: "region",
    "aria-label": t("title"), lang: langOf(t.language) });
  if (options.models.length === 0) return mountNothing(element, root, t);
  const ends = new AbortController();
  const pictures = makePictures();
  let waiting = 0; // the animation frame asked for, or 0
  let renders = 0;
  let palette = null;
  let closed = false;

  const redraw = () => {
    if (!waiting && !closed) waiting = requestAnimationFrame(render);
  };
  /** At once: what arrives between two frames is seen in the next one, not in the one after. */
  redraw.now = () => {
    cancelAnimationFrame(waiting);
    render();
  };
  const first = options.payload ? null : options.opens?.[t.language];
  const session = openSession(first ? { ...options, model: first } : options, transport, {
    changed: redraw,
    arrived: redraw.now,
    runChanged(run) {
      if (run.kept === 0) pictures.clear();
      else pictures.keep(run.kept);
      element.dispatchEvent(new CustomEvent("stage:recipe", { detail: run.recipe, bubbles: true }));
    },
  });
  const { state, actions } = session;
  const glossary = makeGlossary(root, t, state, () => parts.rooms.here(), ends.signal);
  const answers = new Map(); // what the rooms were answered last
  const exportChoices = {};
  let unit = 1; // how much larger than usual the type is
  let parts = null;
  const address = makeAddress && options.address
    ? makeAddress(session, { kept: () => parts.rooms.keep(), rebuild }, ends.signal) : null;

  /** Everything on the page, in the language in use. All that matters is in the session. */
  function build(kept = {}) {
    const spelled = makeSwitch("spelled", t("spelling"), [
      ["no", t("spelling_plain"), t("spelling_plain_hint")],
      ["yes", t("spelling_pieces"), t("spelling_pieces_hint")],
    ], (value) => actions.set({ spelled: value === "yes" }));
    const pads = makePads(t, session);
    const header = makeHeader(root, t, session, speak);
    const cite = makeCite(t, session, address?.link ?? null);
    header.addTool(cite.button);
    const card = makeCard(t, session);
    header.beside(card.button);
    const guard = makeGuard(t, session);
    const source = makeSource(t, session);
    const opening = makeOpening(t, session);
    source.element.append(opening.element);
    const sourceStrip = makeStrip("source", t, session, pads.element);
    const targetStrip = makeStrip("target", t, session, spelled.element);
    const translation = make("output", { class: "translation", dir: "auto" });
    const axes = makeAxes(t, state);
    const rooms = makeRooms(t, session, transport ?? answersAtHand(options.answers ?? []), redraw,
      { answers, kept, axes, pictures });
    const exporting = makeExport(t, session, transport, () =>
      ({ kept: rooms.keep()[state.room], drawn: rooms.drawn() }), exportChoices);
    header.addTool(exporting.button);
    root.replaceChildren(make("div", { class: "stage-body" }, [
      header.element,
      source.element,
      make("section", { class: "sentences", "aria-label": t("sentences") }, [
        sourceStrip.element, targetStrip.element,
        make("div", { class: "strip said" }, [
          make("span", { class: "gutter", "aria-hidden": "true" }), translation, guard.element]),
      ]),
      ...rooms.elements,
      transport || !options.made ? null : make("p", { class: "made" }, [
        t("made_with", options.made),
        ROOMS.length > 1 ? make("span", { class: "alone", text: ` ${t("alone")}` }) : null]),
    ]), cite.element, card.element, glossary.element, exporting.element);
    setTrait(root, "lang", langOf(t.language));
    setTrait(root, "aria-label", t("title"));
    parts = { spelled, pads, header, source, opening, guard, sourceStrip, targetStrip, translation, axes,
      rooms, exporting };
  }

  function takeDown() {
    glossary.close();
    parts.rooms.destroy();
  }

  /** The same page anew, before the next frame; `kept` is what the rooms begin with. */
  function rebuild(kept) {
    takeDown();
    build(kept);
    place();
    cancelAnimationFrame(waiting);
    render();
  }

  /** The same page in another language; nothing is asked again. */
  function speak(language) {
    if (!t.languages.includes(language)) return;
    const byKey = document.activeElement?.matches(":focus-visible");
    const scrollBack = rememberScrolls(root);
    const kept = parts.rooms.keep();
    t.use(language);
    remembered("language", language);
    rebuild(kept);
    nameThePage(options.words, t);
    scrollBack();
    /** @type {HTMLElement} */
    const focused = byKey ? root.querySelector("[data-tool=language]") : root;
    focused.focus({ preventScroll: true });
    element.dispatchEvent(new CustomEvent("stage:language", { detail: language, bubbles: true }));
  }

  function render() {
    waiting = 0;
    if (closed) return;
    renders += 1;
    const { header, source, rooms, pads, spelled, axes } = parts;
    if (!palette) palette = readPalette(root);
    unit = parseFloat(getComputedStyle(root).fontSize) / NORMAL_TYPE;
    root.classList.toggle("slow", state.slow);
    root.classList.toggle("empty", !state.run);
    setTrait(root, "aria-busy", state.busy ? "true" : null);
    root.classList.toggle("without-server", !state.canAsk);
    header.update();
    source.update(root.clientWidth);
    parts.opening.update();
    parts.guard.update();
    setTrait(root, "data-in", state.room);
    rooms.update(palette, unit);
    pads.update();
    spelled.update(state.spelled ? "yes" : "no");
    if (!state.run) return;
    const shown = shownHead(state);
    parts.sourceStrip.update(axes().source, shown, palette);
    parts.targetStrip.update(axes().target, shown, palette);
    setText(parts.translation, state.run.text);
    setTrait(parts.translation, "title", state.run.text);
    address?.update();
  }

  const place = () => {
    fit(root);
    redraw();
  };

  build(options.payload ? keptOf(options.view ?? {}, options.payload.recipe) : {});
  element.replaceChildren(root);
  nameThePage(options.words, t);
  listenToKeys(root, session, {
    order: () => parts.rooms.of("translate").order(),
    candidates: () => parts.rooms.of("translate").candidates(),
    showKeys: () => parts.header.showKeys(),
    showExport: () => parts.exporting.show(),
  }, ends.signal);
  const stopWatching = watchScheme(() => {
    const next = readPalette(root);
    if (palette && next.isSameAs(palette)) return;
    palette = next;
    state.scheme += 1;
    pictures.clear();
    redraw();
  });
  const watcher = new ResizeObserver(place);
  watcher.observe(root);
  window.addEventListener("resize", place, { signal: ends.signal });
  place();
  if (address) address.begin();
  else if (!state.run && transport) actions.translate();

  const stage = {
    destroy() {
      closed = true;
      actions.close();
      ends.abort();
      stopWatching();
      watcher.disconnect();
      takeDown();
      cancelAnimationFrame(waiting);
      root.remove();
      delete element.stage;
    },
    drawn() {
      // What is asked for is what the page shows after the changes so far.
      if (waiting) {
        cancelAnimationFrame(waiting);
        render();
      }
      const message = state.message === null ? null : wordsOfError(state.message, t);
      const spoken = { language: t.language, explained: glossary.drawn(), message,
        opening: parts.opening.drawn(), guard: parts.guard.drawn() };
      if (!state.run) return { recipe: null, ...spoken, busy: state.busy, renders };
      const shown = shownHead(state);
      const translate = parts.rooms.of("translate");
      if (state.room !== "translate") translate.update({ palette, unit });
      return {
        room: state.room,
        in_room: state.room === "translate" ? null : parts.rooms.drawn(),
        exporting: parts.exporting.drawn(),
        site: state.site,
        layer: shown.layer,
        head: shown.head,
        locked: { ...state.locks[state.site] },
        at: state.at,
        steps: state.run.steps.length,
        rows: state.rows,
        view: state.view,
        spelled: state.spelled,
        order: state.order,
        ...translate.drawn(),
        source_labels: parts.axes().source.map(({ label }) => label),
        target_labels: parts.axes().target.map(({ label }) => label),
        recipe: state.run.recipe,
        strategy: { ...state.strategy },
        finished: state.run.finished,
        text: state.run.text,
        playing: state.playing,
        busy: state.busy,
        slow: state.slow,
        ...spoken,
        renders,
      };
    },
  };
  element.stage = stage;
  return stage;
}

/** The window's title and language, where the page is ours and not a notebook's. */
function nameThePage(words, t) {
  if (!Object.values(words).some((table) => table.title === document.title)) return;
  document.title = t("title");
  document.documentElement.lang = langOf(t.language);
}

/** A stage without any model says so and does nothing. */
function mountNothing(element, root, t) {
  root.append(make("p", { class: "nothing", role: "alert", text: t("error_no_models") }));
  element.replaceChildren(root);
  const stage = {
    destroy() {
      root.remove();
      delete element.stage;
    },
    drawn: () => ({ recipe: null, message: t("error_no_models"), busy: false, renders: 0 }),
  };
  element.stage = stage;
  return stage;
}
