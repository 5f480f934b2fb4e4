// The stage: one component that holds everything live. It knows a recipe, payloads and a transport;
// nothing about who hosts it.

const NORMAL_TYPE = 14; // CSS pixels of the root's type at the normal size
const NARROW = 960; // CSS pixels; up to here the stage is one column
const MOST_BELOW = 110; // CSS pixels of host page under the stage that it makes room for

/**
 * Fills an empty element with the stage.
 * @param {HTMLElement} element an empty <div>
 * @param {Object} options models, model, payload, limits, words (a table a language); made by
 *     viz_app/catalogue.py. `view`: what a payload is opened on, see view.js; `kept`: what the
 *     rooms begin with; `answers`: what the rooms of a page without a server are answered;
 *     `choices`: language, scheme and large, where the host decides; `made`: what a page without a
 *     server says of its origin; `address`: whether the page's own address may hold the recipe and
 *     the view; `base`: the address that links begin with, where it is another one
 * @param {?function(Object): Promise<Object>} transport takes {recipe, extend, force, have},
 *     gives a payload (viz_app/payload.py) or {error: {code, values, message}}; null in an exported
 *     page
 * @returns {{destroy: function(): void, drawn: function(): Object}}
 */
function mountStage(element, options, transport = null) {
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
  const session = openSession(options, transport, {
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
  const noLabels = { key: [], source: null, target: null, rows: null, columns: null };
  const exportChoices = {};
  let labels = noLabels;
  let parts = null;
  const address = transport && options.address
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
    const source = makeSource(t, session);
    const opening = makeOpening(t, session);
    source.element.append(opening.element);
    const sourceStrip = makeStrip("source", t, session, pads.element);
    const targetStrip = makeStrip("target", t, session, spelled.element);
    const translation = make("output", { class: "translation", dir: "auto" });
    const candidates = makeCandidates(t, session);
    const playback = makePlayback(t, session);
    const sites = makeSites(t, session, redraw);
    const map = makeMap(t, session, redraw);
    const rooms = makeRooms(t, session, transport ?? answersAtHand(options.answers ?? []), redraw,
      { answers, kept });
    const exporting = makeExport(t, session, transport, () =>
      ({ kept: rooms.keep()[state.room], drawn: rooms.drawn() }), exportChoices);
    header.addTool(exporting.button);
    root.replaceChildren(make("div", { class: "stage-body" }, [
      header.element,
      source.element,
      make("section", { class: "sentences", "aria-label": t("sentences") }, [
        sourceStrip.element, targetStrip.element,
        make("div", { class: "strip" }, [
          make("span", { class: "gutter", "aria-hidden": "true" }), translation]),
      ]),
      make("div", { class: "stage-main room", data: { room: "translate" },
        ...(ROOMS.length ? panelOf("translate", t) : {}) }, [
        playback.element, candidates.element, sites.element, map.element,
      ]),
      ...rooms.elements,
      transport || !options.made ? null : make("p", { class: "made" }, [
        t("made_with", options.made),
        ROOMS.length ? make("span", { class: "alone", text: ` ${t("alone")}` }) : null]),
    ]), cite.element, glossary.element, exporting.element);
    setTrait(root, "lang", langOf(t.language));
    setTrait(root, "aria-label", t("title"));
    labels = noLabels;
    parts = { spelled, pads, header, source, opening, sourceStrip, targetStrip, translation, candidates,
      playback, sites, map, rooms, exporting };
  }

  function takeDown() {
    glossary.close();
    parts.sites.destroy();
    parts.map.destroy();
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
    (byKey ? root.querySelector("[data-tool=language]") : root).focus({ preventScroll: true });
    element.dispatchEvent(new CustomEvent("stage:language", { detail: language, bubbles: true }));
  }

  /** Labels keep their identity while they say the same, so that nothing is rebuilt for nothing. */
  function labelsNow() {
    const key = [state.run, state.spelled, state.site, state.rows];
    if (key.every((part, i) => part === labels.key[i])) return labels;
    const same = key[0] === labels.key[0] && key[1] === labels.key[1];
    const ofSource = same ? labels.source : labelsOf(state.run.source, false, state.spelled, t);
    const ofTarget = same ? labels.target : labelsOf(state.run.target, true, state.spelled, t);
    const N = state.run.steps.length;
    const pending = { label: PENDING_MARK, piece: "", kind: "text", pending: true };
    labels = {
      key,
      source: ofSource,
      target: ofTarget,
      rows: state.site === "encoder" ? ofSource
        : state.rows === "fed" ? ofTarget.slice(0, N)
          : Array.from({ length: N }, (_, i) => ofTarget[i + 1] ?? pending),
      columns: state.site === "decoder" ? ofTarget.slice(0, N) : ofSource,
    };
    return labels;
  }

  const shownHead = () => state.preview ?? state.locks[state.site];

  function render() {
    waiting = 0;
    if (closed) return;
    renders += 1;
    const { header, source, rooms, playback, pads, spelled, sites, map } = parts;
    if (!palette) palette = readPalette(root);
    const unit = parseFloat(getComputedStyle(root).fontSize) / NORMAL_TYPE;
    root.classList.toggle("slow", state.slow);
    root.classList.toggle("empty", !state.run);
    setTrait(root, "aria-busy", state.busy ? "true" : null);
    root.classList.toggle("without-server", !state.canAsk);
    header.update();
    source.update(root.clientWidth);
    parts.opening.update();
    setTrait(root, "data-in", state.room);
    for (const room of root.querySelectorAll(".room")) {
      room.hidden = room.dataset.room !== state.room;
    }
    rooms.update(palette, unit);
    playback.update();
    pads.update();
    spelled.update(state.spelled ? "yes" : "no");
    sites.update(pictures, palette, unit);
    if (!state.run) {
      map.update({});
      return;
    }
    const shown = shownHead();
    const { source: ofSource, target: ofTarget, ...axes } = labelsNow();
    parts.sourceStrip.update(ofSource, shown, palette);
    parts.targetStrip.update(ofTarget, shown, palette);
    setText(parts.translation, state.run.text);
    setTrait(parts.translation, "title", state.run.text);
    parts.candidates.update(ofTarget);
    map.update({ shown, labels: axes, pictures, palette, unit,
      entropy: sites.heads.entropyOf(shown.layer, shown.head) });
    address?.update();
  }

  /**
   * Fits the stage to its place: classes for the room there is (host pages may drop container
   * queries), and the height that is left in the window, so that nothing scrolls at 1280 x 720.
   */
  function place() {
    const width = root.clientWidth;
    if (width > 0) {
      root.classList.toggle("middling", width <= 1200);
      root.classList.toggle("narrow", width <= NARROW);
      root.classList.toggle("slim", width <= 640);
      root.classList.toggle("tall", window.innerHeight >= 860);
      const top = Math.max(0, root.getBoundingClientRect().top + window.scrollY);
      root.style.setProperty("--stage-top", `${Math.round(Math.min(top, 240))}px`);
      root.style.setProperty("--stage-below", "4px");
      // A small rest of the host page below, such as its footer, stays in the window too.
      const page = document.documentElement;
      const over = width > NARROW ? page.scrollHeight - page.clientHeight : 0;
      if (over > 0 && over <= MOST_BELOW) {
        root.style.setProperty("--stage-below", `${4 + Math.ceil(over)}px`);
      }
    }
    redraw();
  }

  build(options.kept);
  element.replaceChildren(root);
  nameThePage(options.words, t);
  listenToKeys(root, session, {
    order: () => parts.sites.heads.order(),
    candidates: () => parts.candidates.shown(),
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
        opening: parts.opening.drawn() };
      if (!state.run) return { recipe: null, ...spoken, busy: state.busy, renders };
      const shown = shownHead();
      return {
        room: state.room,
        in_room: parts.rooms.drawn(),
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
        ...parts.map.drawn(),
        thumbnails: parts.sites.heads.shown(),
        candidates: parts.candidates.shown(),
        source_labels: labelsNow().source.map(({ label }) => label),
        target_labels: labelsNow().target.map(({ label }) => label),
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

/** Remembers what is scrolled how far; the function puts a rebuilt page back there. */
function rememberScrolls(root) {
  const alike = (node) => [...root.getElementsByClassName(node.className)];
  const places = [...root.querySelectorAll("[class]")]
    .filter((node) => node.scrollTop > 0 || node.scrollLeft > 0)
    .map((node) => ({ like: node.className, nth: alike(node).indexOf(node), top: node.scrollTop,
      left: node.scrollLeft }));
  return () => {
    for (const { like, nth, top, left } of places) {
      root.getElementsByClassName(like)[nth]?.scrollTo({ top, left, behavior: "instant" });
    }
  };
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

/** The stepper for pad tokens after the source. */
function makePads(t, { state, actions }) {
  const turn = (by) => () => actions.addPads(by);
  const fewer = makeButton({ class: "tool", text: "−", "aria-label": t("pads_fewer") }, turn(-1));
  const more = makeButton({ class: "tool", text: "+", "aria-label": t("pads_more") }, turn(1));
  const count = make("output", { class: "pads-count" });
  const element = make("div", { class: "pads", role: "group", "aria-label": t("pads"),
    title: t("pads_hint") }, [makeTermed(t, "pads_word").element, fewer, count, more]);
  return {
    element,
    update() {
      const pads = padsOf(state);
      element.hidden = !state.canAsk;
      setText(count, String(pads));
      fewer.disabled = pads === 0 || state.wanted !== null;
      more.disabled = pads >= mostPads(state) || state.wanted !== null;
    },
  };
}
