// The room Inside a head: the way of one token through the whole model, the cell the reader chose,
// link by link, why scores are divided, and the norm beside another one.

import { labelsOf, placeOfHead, quoted } from "../../stage/draw/labels.js";
import { hide, makeWordSwitch } from "../../stage/page/elements.js";
import { placeOf } from "../../stage/keep/tables.js";
import { makeHeadPicker } from "../../stage/page/pick.js";
import { elementOf, html, nothing, render } from "../../stage/page/html.js";
import { markAsking } from "../../stage/page/rooms.js";
import { cellOf } from "../../stage/run/cells.js";
import { columnsOf, isStepped, rowsOf, siteOf, SITES, sitesOf } from "../../stage/anatomy.js";
import { makeInsideAlong } from "./along.js";
import { insideStudy, makeInsideChain } from "./chain/chain.js";
import { makeInsideNorms } from "./norms.js";
import { makeInsideReads, readsSentences } from "./reads.js";
import { makeInsideSpread, spreadAnswer } from "./spread.js";
import { makeInsideTokens } from "./tokens.js";
import { makeInsideWay } from "./way.js";

const VIEWS = ["way", "cell", "spread", "norms"];
const TOKENS = /** @type {const} */ (["query", "key", "source", "target"]);

/**
 * What the room holds, for the functions below.
 * @typedef {Object} Own
 * @property {Words} t
 * @property {Session} session
 * @property {Redraw} redraw
 * @property {import("../../stage/run/ask.js").Question} question
 * @property {HTMLElement} element
 * @property {string} view one of VIEWS
 * @property {?WayPlace} place of the way, where one was chosen
 * @property {string} digits of every number: "short" or "all"
 * @property {number} looks those that were followed
 * @property {import("./norms.js").NormsLook} norms
 * @property {CellStudy | SpreadStudy | NormsStudy | WayStudy | null} study the last answer
 * @typedef {{side: string, position: number}} WayPlace
 * @typedef {ReturnType<typeof makeParts>} Parts
 */

/** The place of the way that the reader chose, where the run still has it. @param {Own} own */
function chosenPlace({ place, session: { state: { run } } }) {
  const count = place?.side === "source" ? run.source.ids.length : run.steps.length;
  return place && place.position < count ? place : null;
}

/** The place of the way: the chosen query, where no other was chosen. @param {Own} own @returns {WayPlace} */
function wayPlace(own) {
  return chosenPlace(own) ?? queryPlace(own);
}

/** What is chosen of the norms, as far as the answer has it. @param {Own} own */
function normsKept({ study, norms: { row, feature, norm } }) {
  const [rows, features] = study?.view === "norms" ? [study.is_pad_N.length, study.whole.mean_F.length]
    : [Infinity, Infinity];
  return { row: row !== null && row < rows ? row : null,
    feature: feature !== null && feature < features ? feature : null, norm };
}

/**
 * What is asked: a row of a head, its products, the norm of its layer, or the way of a token.
 * @param {Own} own
 * @param {{view?: string, site?: Site, query?: number, place?: WayPlace}} choices
 */
function wantedOf(own, { view = own.view, site = own.session.state.site, query, place } = {}) {
  const { state } = own.session;
  const { recipe } = state.run;
  if (view === "way") return { view, recipe, ...(place ?? wayPlace(own)) };
  if (view === "norms") return { view, recipe, site, layer: state.locks[site].layer };
  return { view, recipe, site, ...state.locks[site], query: query ?? cellOf(state, site).query };
}

/** The attention of a sub-layer, by the stack and the kind in its name. @param {string} stack @param {string} kind @returns {Site} */
const siteIn = (stack, kind) => (kind === "cross" ? kind : stack === "encoder" ? stack : "decoder");

/** The place of the query that is shown. @param {Own} own @returns {WayPlace} */
function queryPlace({ session: { state, state: { model, site } } }) {
  return { side: rowsOf(model, site), position: cellOf(state, site).query };
}

/** What a sub-layer on the way of the query would ask. @param {Own} own @param {string} name */
function askedAlong(own, name) {
  const [stack, layer, kind] = name.split(".");
  const place = queryPlace(own);
  if (kind === "feed_forward") return wantedOf(own, { view: "way", place });
  const { head, ...wanted } = /** @type {any} */ (wantedOf(own, { site: siteIn(stack, kind), query: place.position }));
  return { ...wanted, layer: Number(layer) - 1, head };
}

/** What a button of the room would ask. @param {Own} own @param {HTMLElement} button */
function askedBy(own, button) {
  const { inside: view, insideSite, index, along } = button.dataset;
  if (along) return askedAlong(own, along);
  if (view) return wantedOf(own, { view });
  if (insideSite) return wantedOf(own, { site: /** @type {Site} */ (insideSite) });
  /** @type {?HTMLElement} */
  const row = button.closest("[data-tokens]");
  const [side, position] = [row?.dataset.tokens, Number(index)];
  if (side === "query") return wantedOf(own, { query: position });
  return side === undefined ? null : wantedOf(own, { view: "way", place: { side, position } });
}

/** The last answer, where it is what is wanted. @param {Own} own */
const studyNow = (own) => (own.question.has(wantedOf(own)) ? own.study : null);

/** What the reader can do here. @param {Own} own */
function makeActs(own) {
  const { redraw, element, session: { state, actions } } = own;
  /** @param {string} view */
  function show(view) {
    own.view = view;
    scrollUp(element);
    redraw();
  }
  return {
    show,
    /** @param {string} digits */
    spell(digits) {
      own.digits = digits;
      redraw();
    },
    /** @param {Partial<Head>} changes */
    lock(changes) {
      const { layer, head } = { ...state.locks[state.site], ...changes };
      actions.lock(layer, head);
    },
    /** @param {Partial<Cell>} changes */
    choose(changes) {
      if (changes.query !== undefined) own.norms.row = null;
      const { query, key } = { ...cellOf(state, state.site), ...changes };
      actions.keepCell(query, key);
    },
    /** @param {string} side @param {number} position */
    walk(side, position) {
      own.place = { side, position };
      redraw();
    },
    /** @param {Partial<import("./norms.js").NormsLook>} changes */
    norm(changes) {
      Object.assign(own.norms, changes);
      redraw();
    },
    /** From a sub-layer of a way to the cells of its heads. @param {string} name @param {WayPlace} [place] */
    lookAt(name, { position } = wayPlace(own)) {
      const [stack, number, kind] = name.split(".");
      const [site, layer] = [siteIn(stack, kind), Number(number) - 1];
      actions.chooseSite(site);
      const { key } = cellOf(state, site);
      actions.keepCell(position, siteOf(state.model, site).causal ? Math.min(key, position) : key);
      actions.lock(layer, Math.min(state.locks[site].head, state.run.heads[site] - 1));
      show("cell");
    },
  };
}

/** @param {HTMLElement} element */
function scrollUp(element) {
  const body = element.querySelector(".inside-body");
  if (body) body.scrollTop = 0;
}

/** The parts of the room, put into its element. @param {Own} own @param {any} before */
function makeParts(own, before) {
  const { t, session: { state, actions }, redraw, element } = own;
  const acts = makeActs(own);
  const along = makeInsideAlong(t, (name) => {
    const place = queryPlace(own);
    if (!name.endsWith("feed_forward")) return acts.lookAt(name, place);
    own.place = place;
    way.unfold(place.side, name);
    acts.show("way");
  });
  const views = makeWordSwitch(t, "inside", "views_of_room", "inside_view", VIEWS, acts.show);
  const spelling = makeWordSwitch(t, "digits", "inside_digits", "inside_digits", ["short", "all"], acts.spell);
  const picker = makeHeadPicker(t, "insideSite", SITES, { site: actions.chooseSite, head: acts.lock });
  const tokens = {
    query: makeInsideTokens(t, "query", (query) => acts.choose({ query })),
    key: makeInsideTokens(t, "key", (key) => acts.choose({ key })),
    source: makeInsideTokens(t, "source", (position) => acts.walk("source", position)),
    target: makeInsideTokens(t, "target", (position) => acts.walk("target", position)),
  };
  markAsking(along.element, views.element, picker.element, tokens.query.element, tokens.source.element,
    tokens.target.element);
  const reads = makeInsideReads(t, tokens.key);
  const chain = makeInsideChain(t, { pickKey: (key) => acts.choose({ key }),
    pickHead: state.canAsk ? (head) => acts.lock({ head }) : null }, redraw, before?.scale, before?.panels);
  const way = makeInsideWay(t, { look: acts.lookAt }, redraw, before?.unfolded ?? null,
    before?.opened);
  const spread = makeInsideSpread(t, redraw);
  const norms = makeInsideNorms(t, own.norms, acts.norm, redraw);
  /** Says what comes next, and what the room says first, a line each. @param {string} next @param {string[]} lines */
  const say = (next, ...lines) => {
    render(html`
      <header class="room-top">${views.element}<p class="inside-next${own.view === "cell" ? "" : " nudge"}">${next}</p>${spelling.element}</header>
      ${along.element}<p class="inside-sentence" aria-live="polite">${lines.map((line) => html`<span>${line} </span>`)}</p>${reads.element}
      <div class="inside-choices">${picker.element}${TOKENS.map((name) => (name === "key" ? nothing : tokens[name].element))}</div>
      <div class="inside-body">${[chain, way, spread, norms].map((part) => part.element)}</div>`, element);
  };
  say("");
  return { say, along, views, spelling, picker, tokens, reads, chain, way, spread, norms };
}

/** @param {Own} own @returns {InsideLabels} */
function labelsNow({ t, session: { state } }) {
  const { run, model, site, spelled } = state;
  const source = labelsOf(run.source, false, spelled, t);
  const written = labelsOf(run.target, true, spelled, t);
  const target = written.slice(0, run.steps.length);
  return { source, target, written, queries: rowsOf(model, site) === "source" ? source : target,
    keys: columnsOf(model, site) === "target" ? target : source };
}

/** @param {Own} own @param {Parts} parts @param {InsideLabels} labels */
function updateChoices(own, { along, views, spelling, picker, tokens, reads }, labels) {
  const { state, state: { run, site, model, locks } } = own.session;
  const isWay = own.view === "way";
  const { query, key } = cellOf(state, site);
  const at = wayPlace(own);
  const sides = sitesOf(model).map((one) => rowsOf(model, one));
  hide(picker.element, isWay);
  for (const one of [along, reads]) hide(one.element, own.view !== "cell");
  for (const name of TOKENS) {
    const isSide = name === "source" || name === "target";
    hide(tokens[name].element, isWay !== isSide || (isSide && !sides.includes(name))
      || (name === "key" && own.view !== "cell"));
  }
  views.update(own.view);
  spelling.update(own.digits);
  picker.update(site, { layers: run.layers[site], heads: run.heads[site] }, locks[site],
    sitesOf(model));
  if (!isWay) {
    tokens.query.update(labels.queries, query);
    tokens.key.update(labels.keys, key);
  } else {
    tokens.source.update(labels.source, at.side === "source" ? at.position : null);
    tokens.target.update(labels.target, at.side === "target" ? at.position : null);
  }
  for (const name of TOKENS) if (!tokens[name].element.hidden) tokens[name].follow();
}

/**
 * @param {Own} own
 * @param {Parts} parts
 * @param {CellStudy} study
 * @param {InsideLabels} labels
 * @param {InsideLook} look
 */
function drawCell({ t, session: { state }, element }, { say, along, tokens, reads, chain }, study, labels, look) {
  const { key, query } = cellOf(state, state.site);
  const written = isStepped(state.model, state.site) ? labels.written[query + 1] ?? null : null;
  const keys = columnsOf(state.model, state.site) === "target" ? state.run.target : state.run.source;
  const reading = { study, labels, words: keys.words ?? [], key, written };
  say(t(study.along.best ? "inside_along_target" : "inside_along_source", { token: quoted(labels.queries[query].label) }),
    ...readsSentences(t, state, reading));
  along.update(study, labels.queries[query]);
  tokens.key.update(labels.keys, key, study);
  reads.update(reading);
  chain.update(study, labels, key, look);
  element.classList.toggle("brief", !chain.isWhole());
}

/**
 * @param {Own} own
 * @param {Parts} parts
 * @param {WayStudy} study
 * @param {InsideLabels} labels
 * @param {InsideLook} look
 */
function drawWay({ t }, { say, way }, study, labels, look) {
  const side = study.side === "source" ? labels.source : labels.target;
  const token = side[study.position].label;
  say(t("inside_way_next"), t(`inside_way_says_${study.side}`, { token: quoted(token), count: study.sublayers.length, D: study.D }));
  way.update(study, token, look);
}

/**
 * @param {Own} own
 * @param {Parts} parts
 * @param {SpreadStudy} study
 * @param {InsideLabels} labels
 * @param {InsideLook} look
 */
function drawSpread({ t }, { say, spread }, study, labels, look) {
  say(t("inside_spread_next"), spreadAnswer(t, study, labels));
  spread.update(study, labels, look);
}

/**
 * @param {Own} own
 * @param {Parts} parts
 * @param {NormsStudy} study
 * @param {InsideLook} look
 */
function drawNorms({ t, session: { state } }, { say, norms }, study, look) {
  const { site, spelled, model } = state;
  say(t("inside_norms_next"), norms.update(study, { query: cellOf(state, site).query, spelled,
    isTarget: rowsOf(model, site) === "target" }, look));
}

/** @type {MakeRoom} */
function makeInsideRoom(t, session, ask, redraw, before = null) {
  const { state } = session;
  const element = elementOf(html`<section class="inside" aria-label=${t("room_inside")}></section>`);
  const { view = "cell", side, position, digits = "short", row = null, feature = null, norm = "before" } = before ?? {};
  /** @type {Own} */
  const own = { t, session, redraw, element, view, digits, looks: state.looks, study: null,
    norms: { row, feature, norm },
    question: ask({ element, settle: (answer) => { own.study = insideStudy(answer); } }),
    place: (side ?? position) === undefined ? null
      : { side: side ?? rowsOf(state.model, state.site), position: position ?? 0 } };
  const parts = makeParts(own, before);
  const { chain, way, spread, norms } = parts;
  return {
    element,
    settle() {
      if (own.looks !== state.looks) {
        Object.assign(own, { looks: state.looks, view: "cell" });
        scrollUp(element);
      }
      own.question.of(wantedOf(own)); // the old picture stays until the answer is here
    },
    update({ palette, unit }) {
      const isAll = own.digits === "all";
      element.classList.toggle("digits", isAll);
      element.classList.toggle("along", own.view === "way");
      element.classList.toggle("cell", own.view === "cell");
      element.classList.toggle("norming", own.view === "norms");
      const low = element.closest(".stage:not(.tall, .middling, .large)") !== null;
      element.classList.toggle("low", low);
      const labels = labelsNow(own);
      updateChoices(own, parts, labels);
      hide(parts.spelling.element, own.view === "spread" || own.view === "norms");
      for (const [name, part] of /** @type {const} */ ([["cell", chain], ["way", way], ["spread", spread],
        ["norms", norms]])) {
        hide(part.element, own.view !== name);
      }
      const look = { palette, unit, scheme: state.scheme, digits: isAll, low };
      // An older answer is only redrawn while its tokens are those on the screen.
      const study = studyNow(own);
      if (study?.view === "cell") drawCell(own, parts, study, labels, look);
      else if (study?.view === "spread") drawSpread(own, parts, study, labels, look);
      else if (study?.view === "norms") drawNorms(own, parts, study, look);
      else if (study) drawWay(own, parts, study, labels, look);
    },
    pictured: (picture) => insidePicture(own, parts, picture),
    asks: (button) => askedBy(own, button),
    /** What is chosen here, see view.py; and what only this page remembers. */
    keep() {
      const { run, site } = state;
      const { query, key } = run ? cellOf(state, site) : {};
      return { view: own.view, digits: own.digits, scale: chain.scale(), ...placeOf(state, site),
        query, key, ...normsKept(own), ...(run ? chosenPlace(own) : own.place),
        unfolded: own.view === "way" ? way.keep() : null, opened: way.opened(), panels: chain.opened() };
    },
    destroy() {
      own.question.drop();
      chain.destroy();
      way.destroy();
      spread.destroy();
      norms.destroy();
    },
  };
}

/**
 * A picture of the room: the chain of a row, what becomes of it, the spread of a head's products, both
 * norms, or the way of a token; null where nobody asked for it yet.
 * @param {Own} own
 * @param {Parts} parts
 * @param {string} picture
 * @returns {?PictureParts}
 */
function insidePicture(own, { reads, chain, way, spread, norms }, picture) {
  const { t, view: open, session: { state: { site, locks } } } = own;
  const view = ["way", "spread", "norms"].includes(picture) ? picture : "cell";
  if (!own.question.isHere(wantedOf(own, { view }))) return null;
  return { title: picture === "way" || picture === "norms" ? t(`export_what_${picture}`)
    : `${t(`export_what_${picture}`)} · ${placeOfHead(t, { site, ...locks[site] })}`,
    get says() { return own.element.querySelector(".inside-sentence")?.textContent?.trim() ?? ""; }, // once it is shown
    parts: () => ({ head: [reads, chain], way: [way], spread: [spread], norms: [norms] }[picture] ?? [chain])
      .map((part) => part.element),
    show() {
      own.view = view;
      own.question.of(wantedOf(own));
      const whole = chain.only(picture);
      return () => {
        own.view = open;
        own.question.of(wantedOf(own));
        whole();
      };
    } };
}

/** What can be kept of the room, the picture on the screen first. @param {State} _ @param {any} view */
function insidePictures(_, view) {
  const cells = ["head", "output"].map((picture) => ({ picture, view: { ...view, view: "cell" } }));
  const others = ["spread", "norms", "way"].map((picture) => ({ picture, view: { ...view, view: picture } }));
  const first = others.filter(({ picture }) => picture === view.view);
  return [...first, ...cells, ...others.filter((one) => !first.includes(one))];
}

/** What a link and a file say of the room; of the norms where they are open. @param {any} kept */
const insideView = ({ opened: _, panels: __, row, feature, norm, ...view }) =>
  (view.view === "norms" ? { ...view, row, feature, norm } : view);

export const room = { name: "inside", withoutSentences: true, make: makeInsideRoom,
  keep: { pictures: insidePictures, view: insideView } };
