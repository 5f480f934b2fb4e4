// The page around the rooms: its lines, and when they are drawn.

import { predicts } from "./anatomy.js";
import { makeAxes } from "./draw/axes.js";
import { isOnPaper, writeThenPaint } from "./draw/canvas.js";
import { readPalette, watchScheme } from "./draw/palette.js";
import { makePictures } from "./draw/pictures.js";
import { makeTurns } from "./draw/turns.js";
import { shownNow } from "./keep/shown.js";
import { keptOf, viewOfRoom } from "./keep/views.js";
import { setTrait, tool } from "./page/elements.js";
import { answersHere } from "./page/worker_status.js";
import { elementOf, html, makePart, nothing } from "./page/html.js";
import { makeHeader, makeSource } from "./page/header.js";
import { listenToKeys } from "./page/keyboard.js";
import { waiting } from "./page/waiting.js";
import { makeLessons } from "./page/lessons.js";
import { makeModelLine } from "./page/model.js";
import { makeOpened } from "./page/opened.js";
import { remembered } from "./keep/remembered.js";
import { makePlayback } from "./reach/playback.js";
import { fit, rememberScrolls } from "./page/fit.js";
import { makeRooms } from "./page/rooms.js";
import { makeSentences } from "./page/sentences.js";
import { awaitGlossary } from "./page/terms.js";
import { codeOf, langOf } from "./page/words.js";
import { makeJumps } from "./reach/jumps.js";
import { skip } from "./reach/skip.js";
import { openDecoding } from "./run/decoding.js";
import { openPage } from "./run/page.js";

const SOON_MS = 30; // after a run has come and is drawn; then it fetches what a press may need
const RESTS_MS = 2000; // after its first picture a page rests; then it fetches what may be asked for
const ANEW_MS = 50; // between looks whether all has come that was asked anew
const NORMAL_TYPE = 14; // CSS pixels of the root's type at the normal size

/** The element that everything is in. @param {HTMLElement} element @param {Words} t */
export function makeRoot(element, t) {
  const auto = element.classList.contains("auto-scheme") ? " auto-scheme" : "";
  return elementOf(html`
    <div class="stage${auto}" tabindex="-1" role="region" aria-label=${t("title")} lang=${langOf(t.language)}></div>`);
}

/**
 * @typedef {ReturnType<Stage["build"]>} Parts
 */

export class Stage {
  turns = makeTurns(() => this.settle(), () => writeThenPaint(() => this.render()));
  printed = () => {};
  closed = false;
  /** @type {?ReturnType<typeof setTimeout>} */
  resting = null; // once there is a picture
  /** @type {Message} */
  lastMessage = null;
  settling = false; // what changes meanwhile is drawn in a moment
  learning = false; // the words of another language, which was asked for
  /** @type {?Palette} */
  palette = null;
  unit = 1; // how much larger than usual the type is
  unitOf = ""; // what of the page it was read of
  pictures = makePictures();
  ends = new AbortController();
  width = 0; // that the page has for it, in CSS pixels
  // Of its height it is as high as what is in it, which is drawn already.
  watcher = new ResizeObserver(() => {
    if (fit(this.root) !== this.width) this.place();
  });
  stopWatching = watchScheme(() => this.recolour());

  /**
   * The parameters of mountStage, and the words.
   * @param {HTMLElement & {stage?: any}} element
   * @param {Words} t
   * @param {PageOptions} options
   * @param {?Transport} transport
   * @param {StageParts} parts
   */
  constructor(element, t, options, transport, { rooms, makeAddress, later, alone }) {
    this.later = later;
    this.alone = alone;
    this.element = element;
    this.root = makeRoot(element, t);
    this.t = t;
    this.options = options;
    this.transport = transport && this.turns.awaiting(transport);
    // What the rooms ask.
    this.answers = /** @type {Transport} */ (this.transport ?? this.alone?.answersAtHand(options.answers ?? [], options.site));
    // At once: what arrives between two frames is seen in the next one, not in the one after.
    this.redraw = Object.assign(this.turns.soon, { now: this.turns.now });
    this.page = openPage(options, { rooms, canAsk: transport !== null, language: t.language,
      changed: () => { if (!this.settling) this.redraw(); } });
    const { payload = null, view = null } = options;
    const model = payload ? options.model : options.opens?.[t.language] ?? options.model;
    this.decoding = openDecoding(this.page, this.transport, { model, payload, view },
      { arrived: this.redraw.now, runChanged: (run) => this.useRun(run) });
    this.state = this.decoding.state;
    this.opened = makeOpened(this);
    awaitGlossary(this.root, this.opened.explain, this.ends.signal);
    this.address = makeAddress && options.address ? makeAddress(this.decoding,
      { kept: () => this.parts.rooms.keep(), rebuild: (kept) => this.rebuild(kept),
        isAnswered: () => this.parts.rooms.isAnswered() }, this.ends.signal) : null;
    this.lessons = this.makeLessons();
    this.parts = this.build(keptOf(this.state.rooms, options.view ?? {}));
  }

  begin() {
    const { element, root } = this;
    element.replaceChildren(root);
    nameThePage(this.options, this.t);
    listenToKeys(root, this.decoding, {
      order: () => this.translate().order(),
      candidates: () => this.translate().candidates(),
      moves: () => this.parts.rooms.moves(),
      showAsking: () => this.questions && this.opened.open("asking"),
      showHelp: () => this.opened.open("help"),
      showExport: () => this.opened.open("export"),
    }, this.ends.signal);
    if (this.options.site?.worker) this.opened.takeDrops();
    this.watcher.observe(root);
    window.addEventListener("resize", () => this.place(), { signal: this.ends.signal });
    window.addEventListener("beforeprint", () => this.print(), { signal: this.ends.signal });
    window.addEventListener("afterprint", () => this.printed(), { signal: this.ends.signal });
    this.place();
    this.turns.now(); // nothing that is seen before the first answer moves when it comes
    this.options.site?.worker?.whenTold((status) => {
      this.page.actions.runOn(status);
      this.parts.source.update(this.width, this.unit);
      this.parts.made?.update();
      this.opened.update();
    }, this.ends.signal);
    if (this.state.run) this.bring().catch(() => {}); // a page that holds its run holds all parts
    if (this.address) this.address.begin();
    else if (!this.state.run && this.transport) this.decoding.actions.translate();
    const taught = this.transport || !this.lessons ? null : this.alone?.namedLesson(this.state);
    if (taught) this.follow(taught);
    if (this.options.site?.asked) this.opened.answer(this.options.site.asked);
  }

  destroy() {
    this.closed = true;
    this.decoding.actions.close();
    this.ends.abort();
    clearTimeout(this.resting ?? undefined);
    this.stopWatching();
    this.watcher.disconnect();
    this.takeDown();
    this.turns.stop();
    this.root.remove();
    delete this.element.stage;
  }

  /** The lessons, where links can be followed, and those that came with the page. */
  makeLessons() {
    const { t, root, decoding, state, transport, address, redraw, ends } = this;
    const from = transport ? address && { transport, follow: address.follow, leave: () => false,
      // It says what is wrong with a file in words that come with the dialogs.
      making: () => Promise.all([this.later.making(), this.later.dialogs()]).then(([making]) => making), link: address.link }
      : this.alone?.lessonsAtHand(t, state, (view) => this.follow({ view }), () => shownNow(state, this.parts.rooms.keep()).view);
    return from ? makeLessons(t, decoding, this.later.lesson, { root, redraw, ends: ends.signal, ...from,
      isAtRest: () => this.isAtRest(), choices: () => viewOfRoom(state, this.parts.rooms.keep()[state.room]) }) : null;
  }

  /** The room that is always there. @returns {any} */
  translate() {
    return this.parts.rooms.of("translate");
  }

  /**
   * Everything on the page, in the language in use. All that matters is in the two states.
   * @param {Record<string, any>} kept what the rooms begin with
   */
  build(kept) {
    const { root, t, decoding, state } = this;
    const { header, model, source } = this.buildHead();
    const axes = makeAxes(t, state);
    const sentences = makeSentences(t, decoding, axes);
    const rooms = makeRooms(t, decoding, this.answers,
      this.redraw, { page: this.page, kept, alone: this.alone, axes, pictures: this.pictures,
        strips: sentences.strips, whatIf: sentences.whatIf,
        playback: makePlayback(t, decoding), add: (/** @type {Model} */ model) => this.add(model) });
    const jumps = makeJumps(t, root);
    const made = this.alone?.madeBy(t, state) ?? (this.options.local ? makePart(() => answersHere(t, state)) : null);
    const { element: body, update: draw } = makePart(() => html`
      <div class="stage-body">${skip(t, root)}${header.element}${source.element}${jumps.element}${sentences.element}
        <h2 class="room-heading">${t(`room_${state.room}`)}</h2>${rooms.elements}${made?.element ?? nothing}</div>`);
    root.replaceChildren(body, ...this.opened.elements(),
      ...(this.lessons ? [this.lessons.element] : []));
    jumps.watch(body);
    setTrait(root, "lang", langOf(t.language));
    setTrait(root, "aria-label", t("title"));
    return { header, model, source, sentences, draw, rooms, jumps, made };
  }

  /** The first line, and the source box under it. */
  buildHead() {
    const { root, t, decoding, state, transport, address, lessons, options, questions } = this;
    const isOwn = Boolean(options.site?.worker); // the page opens files itself, and no paths
    const open = (/** @type {import("./page/opened.js").DialogName} */ name) => () => this.opened.open(name);
    const bring = transport && (isOwn || options.layouts) ? open(isOwn ? "own" : "bring") : null;
    const [link, hint] = address ? ["link_tool", "link_tool_hint"] : ["cite", "cite_hint"];
    const taking = () => html`
      ${tool("export", t("export"), open("export"), t(transport && !options.site ? "export_hint" : "export_hint_alone"))}
      ${tool("link", t(link), open("cite"), t(hint))}`;
    const help = () => tool("help", t("help"), open("help"));
    const model = makeModelLine(t, decoding, bring, () => html`
      ${tool("card", t("card"), open("card"))}${root.classList.contains("slim") ? html`${taking()}${help()}` : nothing}`);
    const header = makeHeader(root, t, decoding, { speak: (language) => this.speak(language), ask: questions && open("asking"),
      lessons: lessons?.button() ?? nothing, taking, help });
    const source = makeSource(t, decoding, model.element, () => html`
      ${waiting(t, decoding)}<div class="updates">${state.more?.updatesOf(t, decoding) ?? nothing}</div>`);
    return { header, model, source };
  }

  /** What fetches the questions that the page answers; null where it has none. */
  get questions() {
    const { apart, site } = this.options;
    return apart?.questions ?? site?.questions ?? null;
  }

  /** Goes where a question or a step of a lesson leads. @param {Pick<LeadsTo, "link" | "view" | "page">} leads */
  async follow({ link, view, page }) {
    const { actions } = this.decoding;
    if (page) window.location.href = page;
    else if (link && this.address) this.address.follow(link, true);
    else {
      const shown = link ? await actions.openLink(link)
        : await actions.open({ recipe: this.state.run.recipe, view }) ? { view } : null;
      if (shown) this.rebuild({ ...this.parts.rooms.keep(), ...keptOf(this.state.rooms, shown.view) });
    }
  }

  takeDown() {
    this.opened.takeDown();
    this.parts.jumps.destroy();
    this.parts.rooms.destroy();
  }

  /** The same page anew, before the next frame. @param {Record<string, any>} kept */
  rebuild(kept) {
    this.takeDown();
    this.parts = this.build(kept);
    this.place();
    this.turns.now();
  }

  /** Puts a model into the menu. @param {Model} model */
  add(model) {
    this.options.models.push(model);
    this.rebuild(this.parts.rooms.keep());
  }

  /** Puts a model that was opened into the menu, and shows it. @param {Model} model */
  offer(model) {
    this.add(model);
    // The sentence at hand may be one that it has no words for.
    if (model.examples.length > 0) this.decoding.actions.type(model.examples[0]);
    this.decoding.actions.setModel(model.name);
  }

  /** What a press may need beside what is seen. */
  async bring() {
    const { state, later, decoding } = this;
    if (state.more) return;
    const more = await later.more();
    if (!state.more && !this.closed) decoding.actions.bring(more);
  }

  /** Fetches one after the other; each is asked for again when it is opened. */
  async rest() {
    if (this.closed) return;
    await this.bring();
    await this.later.dialogs();
    await this.lessons?.rest();
    if (this.questions) await this.later.asking();
    const room = this.state.rooms.find(({ arrives }) => arrives);
    await (room ? room.arrives?.() : this.learn());
    if (room) await this.rest();
    else await this.options.begins?.((models) => this.page.actions.answerHere(models));
  }

  /**
   * Fetches the words of the languages that the page does not speak yet, one by one.
   * @returns {Promise<void>}
   */
  async learn() {
    const { words, apart } = this.options;
    const [next] = this.t.languages.filter((language) => !words[language]);
    if (!next || !apart) return;
    words[next] = await apart.fetched(next);
    await this.learn();
  }

  /**
   * The same page in another language; no model is asked again.
   * @param {?string} language
   */
  speak(language) {
    const { t, root, element, options } = this;
    if (language === null || !t.languages.includes(language)) return;
    if (!options.words[language]) {
      this.learning = true;
      this.redraw();
      this.learn().then(() => this.speak(language), () =>
        this.decoding.actions.tell({ code: "network" })).finally(() => {
        this.learning = false;
        this.redraw();
      });
      return;
    }
    const byKey = document.activeElement?.matches(":focus-visible");
    const scrollBack = rememberScrolls(root);
    const kept = this.parts.rooms.keep();
    t.use(language);
    remembered("language", language);
    this.page.actions.speak(language);
    this.rebuild(kept);
    nameThePage(options, t);
    scrollBack();
    /** @type {?HTMLElement} */
    const focused = byKey ? root.querySelector("[data-tool=language]") : root;
    focused?.focus({ preventScroll: true });
    element.dispatchEvent(new CustomEvent("stage:language", { detail: language, bubbles: true }));
  }

  /** The words of what the server said, where they are not here: until they are it is shown as it came. */
  fetchWords() {
    const { state: { message }, t, later } = this;
    if (this.lastMessage === message) return;
    this.lastMessage = message;
    const code = codeOf(message);
    if (code !== null && !t.has(`error_${code}`)) later.dialogs().then(() => this.redraw(), () => {});
  }

  /** What another run brings with it. @param {Run} run */
  useRun(run) {
    setTimeout(() => this.bring().catch(() => {}), SOON_MS);
    this.resting ??= setTimeout(() => this.rest().catch(() => {}), RESTS_MS);
    if (run.kept === 0) this.pictures.clear();
    else this.pictures.keep(run.kept);
    this.element.dispatchEvent(
      new CustomEvent("stage:recipe", { detail: run.recipe, bubbles: true }));
  }

  recolour() {
    const next = readPalette(this.root);
    if (this.palette?.isSameAs(next)) return;
    this.palette = next;
    this.pictures.clear();
    this.page.actions.recolour();
  }

  place() {
    this.width = fit(this.root);
    this.unitOf = "";
    this.redraw();
  }

  /** Whether the open room waits for no answer. */
  isAnswered() {
    if (this.turns.isWaiting()) this.turns.now();
    return this.isAtRest();
  }

  /** What is on the screen after the changes so far; null while nothing is. */
  shown() {
    if (this.turns.isWaiting()) this.turns.now();
    return this.state.run && shownNow(this.state, this.parts.rooms.keep());
  }

  /** Whether all that the open room asked for is there. */
  isAtRest() {
    return this.state.run !== null && this.state.more !== null && !this.state.busy && this.parts.rooms.isAnswered();
  }

  /**
   * What computed everything that the open room shows, as files name it: one program, which is asked anew for what
   * another one has computed. Empty where the weights were given; null where not all could be asked.
   * @returns {Promise<?string>}
   */
  async computedBy() {
    const { state, options, parts, decoding, page } = this;
    if (!predicts(state.model)) return "";
    const names = () => [...new Set([state.run?.by, ...parts.rooms.computedBy()])];
    if (names().length > 1) {
      const sole = options.site?.worker?.sole ?? options.sole;
      sole?.(true);
      page.answers.forget(() => true);
      parts.rooms.forget();
      const isHere = await decoding.actions.computeAnew();
      while (isHere && !this.closed && (!this.isAnswered() || parts.rooms.isAsking()) && !state.message) {
        await new Promise((done) => { setTimeout(done, ANEW_MS); });
      }
      sole?.(false);
    }
    const [name = options.computes, ...others] = names();
    return others.length > 0 ? null : name;
  }

  /**
   * A picture of the open room as SVG; null where the room does not hold it.
   * @param {string} name
   * @param {import("./picture/picture.js").PaperLook} look
   */
  async picture(name, look) {
    const { drawPicture } = await this.later.drawing();
    if (this.turns.isWaiting()) this.turns.now();
    if (!this.state.run) return null;
    const { root, t, state } = this;
    /** @param {?Palette} palette null: that of the screen */
    const render = (palette) => {
      this.palette = palette;
      this.pictures.clear();
      this.turns.now();
    };
    return drawPicture({ root, t, state, render }, name, this.parts.rooms.pictured(name), look);
  }

  /** Lays the page out for a printer; `printed` lays it out for the screen again. */
  print() {
    this.printed();
    this.printed = this.state.more?.layOnPaper(this.root, this.t, this.state, () => {
      this.recolour();
      this.place();
      this.turns.now();
    }) ?? (() => {});
  }

  /** How large the type is: read only where it may be another, since the browser restyles the page for that. */
  measureType() {
    const { root } = this;
    const said = root.classList.contains("large") ? `${root.className} ${root.dataset.in}` : `${isOnPaper(root)}`;
    if (said === this.unitOf) return;
    this.unit = parseFloat(getComputedStyle(root).fontSize) / NORMAL_TYPE;
    this.unitOf = said;
  }

  /** Brings the state in order, which is drawn soon. */
  settle() {
    if (this.closed) return;
    this.settling = true;
    this.parts.rooms.settle();
    this.fetchWords();
    this.lessons?.settle();
    this.settling = false;
  }

  render() {
    if (this.closed) return;
    const { root, state } = this;
    const focused = document.activeElement;
    if (state.run) this.address?.update(); // first: a new entry of the history has the page laid out
    const { header, model, source, sentences, rooms } = this.parts;
    this.palette ??= readPalette(root);
    this.measureType();
    root.classList.toggle("slow", state.slow);
    root.classList.toggle("empty", !state.run);
    setTrait(root, "aria-busy", state.busy || this.learning ? "true" : null);
    root.classList.toggle("without-server", !state.canAsk);
    root.classList.toggle("lesson-awaited", this.lessons?.isAwaited() ?? false);
    header.update();
    model.update();
    source.update(this.width, this.unit);
    setTrait(root, "data-in", state.room);
    this.parts.draw();
    sentences.update(this.palette, root.classList.contains("slim") ? source.element : null);
    this.parts.made?.update();
    rooms.update(this.palette, this.unit); // they measure what the rest leaves them
    sentences.follow();
    this.lessons?.update(); // it lies over what is drawn
    state.more?.handOn(focused, root);
  }
}

/**
 * The window's title and language, where the page is ours and not a notebook's.
 * @param {PageOptions} options
 * @param {Words} t
 */
function nameThePage({ apart }, t) {
  if (!apart?.titles.includes(document.title)) return;
  document.title = t("title");
  document.documentElement.lang = langOf(t.language);
}
