// The room Masks: a padded batch, the masks over it, and what leaks when one is broken; and one
// target read in one pass beside many steps.

import { placeOfHead, quoted, titleValues } from "../../stage/draw/labels.js";
import { onceLaidOut } from "../../stage/draw/laid_out.js";
import { hide, press } from "../../stage/page/elements.js";
import { elementOf, html, makePart } from "../../stage/page/html.js";
import { makeLookButton } from "../../stage/page/look.js";
import { makeHeadPicker, makeTabs } from "../../stage/page/pick.js";
import { markAsking } from "../../stage/page/rooms.js";
import { runShows } from "../../stage/run/cells.js";
import { columnsOf, hasTarget, isStepped, SITES } from "../../stage/anatomy.js";
import { mostPads } from "../../stage/run/able.js";
import { makeMasksBatch } from "./batch.js";
import { brokenIn, makeMasksBreaks, choicesAfter, withBreak } from "./breaks.js";
import { makeMasksCheck } from "./predictions.js";
import { makeInquiry } from "./question.js";
import { makeBanner } from "./banner.js";
import { factsOf, hurtOf, passFacts, triesOf, whereOf } from "./facts.js";
import { commonFrame, dividedWord, isLong, maskAxesOf } from "./maps/axes.js";
import { makeBoard } from "./maps/board.js";
import { maskCellInside, readingOfMask, sheetsOf } from "./maps/sheets.js";
import { makeMasksPasses } from "./passes.js";
import { sitesFor } from "./chosen.js";

/** @type {("masks" | "passes")[]} */
const VIEWS = ["masks", "passes"];

/**
 * What the room holds, for the functions below.
 * @typedef {Object} Own
 * @property {Words} t
 * @property {Session} session
 * @property {Redraw} redraw
 * @property {import("./question.js").Inquiry} inquiry
 * @property {?Cell} pointed
 * @property {?Shown} shown what was made of the answer
 * @property {?string} changed the map that was just changed and is not shown yet
 * @property {boolean} isBegun whether an answer was drawn
 * @property {?number} sought the place of a token whose leak is to be shown
 * @property {boolean} isUnmarked whether a lesson asks what is wrong with a mask, and no mark says it yet
 * @typedef {import("./maps/board.js").Shown & {of: unknown[], lock: Head}} Shown
 * @typedef {ReturnType<typeof makeParts>} Parts
 */

/**
 * What the maps show, made anew where a part of it changed.
 * @param {Own} own
 * @param {MasksHeld} answer
 * @param {Head} wanted the head that is locked
 * @returns {Shown}
 */
function shownNow(own, answer, wanted) {
  const { t, session: { state }, inquiry: { places: { step, unfolded } }, shown } = own;
  const lock = answer.one ?? wanted; // what is drawn keeps its name until the next head is here
  const of = [answer, state.spelled, unfolded, lock.layer, lock.head, step, own.isUnmarked];
  /** @param {number} parts @returns {?Shown} what was made of the same, as far as its first parts */
  const same = (parts) => (shown && of.slice(0, parts).every((part, i) => part === shown.of[i])
    ? shown : null);
  if (same(of.length)) return /** @type {Shown} */ (shown);
  const axes = same(3)?.axes ?? maskAxesOf(answer, state.spelled, unfolded, t);
  const sheets = sheetsOf(answer, axes, lock, step, t);
  own.shown = { of, lock, axes, common: same(3)?.common ?? commonFrame(axes),
    sheets: own.isUnmarked ? sheets.map((sheet) => ({ ...sheet, mark: () => null })) : sheets };
  return own.shown;
}

/** What the kept cell is in the room Inside a head. @param {Own} own @param {MasksHeld} answer @param {Shown} shown */
const insideOf = ({ t, session: { state }, inquiry: { places } }, answer, { axes }) =>
  maskCellInside(answer, axes, places.cell, mostPads(state), t);

/** What the reader can do in the maps. @param {Own} own */
function makeActs(own) {
  const { session: { state, actions }, inquiry, redraw } = own;
  const { places } = inquiry;
  /** @param {boolean} unfolded */
  function fold(unfolded) {
    places.unfolded = unfolded;
    redraw();
  }
  return {
    redraw,
    fold: () => fold(!places.unfolded),
    unfold: () => fold(true),
    /** @param {number} step */
    stepTo(step) {
      places.step = step;
      own.changed = "stepped";
      redraw();
    },
    /** @param {Partial<Head>} changes */
    lockHead(changes) {
      const site = inquiry.answer()?.site ?? inquiry.chosen().site;
      const { layer, head } = { ...state.locks[site], ...changes };
      actions.lock(layer, head, site);
    },
    /** @param {?Cell} cell */
    point(cell) {
      own.pointed = cell;
      redraw();
    },
    /** Keeps a cell, here and for the room Inside a head where that is of the run on the screen. @param {Cell} cell */
    keep(cell) {
      const answer = inquiry.answer();
      if (!answer || !own.shown) return;
      places.cell = cell;
      const { site } = answer;
      const { recipe } = insideOf(own, answer, own.shown);
      if (answer.shown === 0 && recipe && runShows(state.run, recipe, site, cell)) {
        actions.keepCell(cell.query, cell.key, site);
      }
      redraw();
    },
    /** Shows where a token reads what it must not; at another attention once that is there. @param {number} at its place */
    showWhere(at) {
      own.sought = at;
      redraw();
    },
    look() {
      const answer = inquiry.answer();
      if (!answer || !own.shown) return;
      const { site } = answer;
      const { why, ...inside } = insideOf(own, answer, own.shown);
      if (!why) actions.lookInside({ site, ...state.locks[site], ...inside });
    },
  };
}

/**
 * Shows the leak that is sought, once its attention is on the screen: the head and the cell that reads
 * most of what it must not.
 * @param {Own} own
 */
function seek(own) {
  const { session: { state, actions }, inquiry } = own;
  const answer = inquiry.answer();
  if (own.sought === null || !answer || answer.view === "passes" || inquiry.busy()) return;
  const { site } = answer;
  const found = whereOf(answer, own.sought, state.locks[site]);
  if (found && "site" in found) {
    inquiry.want({ site: found.site, shown: answer.shown });
    return;
  }
  own.sought = null;
  if (!found) return;
  const { layer, head, ...cell } = found;
  actions.lock(layer, head, site);
  inquiry.places.cell = cell;
}

/** The parts of the room, put into its element. @param {Own} own @param {HTMLElement} element @param {any} before as view.py has it */
function makeParts(own, element, before) {
  const { t, session, redraw, inquiry: { want, chosen } } = own;
  const acts = makeActs(own);
  const views = makeTabs(t("views_of_room"), VIEWS, (view) => ({ text: t(`masks_view_${view}`),
    title: t(`masks_view_${view}_hint`), data: { masks: view } }), (view) => want({ view }));
  const banner = makeBanner(t, { showHead: (layer, head) => acts.lockHead({ layer, head }),
    showSite: (site, shown) => want({ site, shown }), showWhere: acts.showWhere,
    tryBreak: (edit) => want({ breaks: [edit] }) });
  const batch = makeMasksBatch(t, session, { redraw, show: (shown) => want({ shown }),
    change: (sentences, shown) => want({ sentences, shown }) });
  const picker = makeHeadPicker(t, "masksSite", SITES, { head: acts.lockHead,
    site: (site) => want({ site }) });
  const breaking = makeMasksBreaks(t, (name, edit) => {
    own.changed = mapOf(name, own.inquiry.answer());
    want({ breaks: name === null ? [] : withBreak(chosen().breaks, name, edit) });
  });
  const check = makeMasksCheck(t);
  const passes = makeMasksPasses(t, acts);
  const board = makeBoard(t, acts, before);
  markAsking(views.element, batch.element, picker.sites, breaking.element);
  const look = makeLookButton(t, acts.look);
  const foot = makePart((isOfCell = false, reading = "", axesText = "", fold = "") => html`
    <div class="masks-foot${isOfCell ? " of-cell" : ""}">
      <div class="masks-says"><p class="reading${isOfCell ? "" : " nudge"}" aria-live="polite">${reading}</p>
        <p class="masks-axes"><span>${axesText}</span>
          <button type="button" class="as-link" data-act="masks-fold" ?hidden=${fold === ""} @click=${press(acts.fold)}>${fold}</button></p></div>
      ${look.element}</div>`);
  const right = elementOf(html`
    <div class="masks-right">${[passes.element, board.equation, board.element, board.swipe, passes.below, foot.element]}</div>`);
  element.append(views.element, banner.element, right, picker.element, breaking.element,
    passes.summary, batch.element, check.element);
  /** @param {string} kind of the stage */
  const isIn = (kind) => element.closest(`.stage:is(${kind})`) !== null;
  let way = "";

  /**
   * What is found comes first, then the maps, then what changes them. On a phone what breaks the maps
   * stands over them, so that both are seen together.
   */
  function order() {
    const next = isIn(".slim") ? "phone" : "columns";
    if (next === way) return;
    way = next;
    if (way === "phone") banner.element.after(breaking.element, right);
    else banner.element.after(right, picker.element, breaking.element);
  }

  /** Where one map is in sight at a time: the one that a break changed, with what broke it. @param {string} name */
  function show(name) {
    if (!isIn(".slim") || name === "stepped" && board.at() > 0) return; // the difference moves as well
    board.show(name);
    const over = board.swipe.getBoundingClientRect().bottom - window.innerHeight;
    const most = banner.element.children[0].getBoundingClientRect().top;
    window.scrollBy({ top: Math.max(0, Math.min(over, most)), behavior: "smooth" });
  }

  /** A link that breaks a mask opens there too at the map that shows it. @param {BatchHeld} answer */
  function begin(answer) {
    const name = isIn(".slim") ? mapOf(brokenIn(answer.breaks), answer) : null;
    if (name) onceLaidOut(board.element, () => board.show(name));
  }

  return { order, show, begin, isIn, views, banner, batch, picker, breaking, check, passes, board, look, foot };
}

/** The map that shows most of the break of a switch. @param {?string} name @param {?MasksHeld} answer */
function mapOf(name, answer) {
  if (name === "fill") return "masked";
  if (name === "causal") return answer?.causal ? "causal" : "weights"; // cross-attention changes with the decoder
  return name === "pads" ? "pad" : null;
}

/** @param {Own} own @param {Parts} parts @param {Head} lock */
function updateControls({ session: { state: { model } }, inquiry }, parts, lock) {
  const { views, breaking, check, passes, picker } = parts;
  const { view, site, breaks } = inquiry.chosen();
  const answer = inquiry.answer();
  const isPasses = view === "passes";
  views.update(isPasses ? "passes" : "masks");
  hide(views.element, sitesFor(model, "passes").length === 0);
  breaking.update(model, breaks);
  hide(breaking.element, isPasses);
  hide(check.element, isPasses || (answer?.view === "masks" && answer.changes.length === 0));
  hide(passes.element, !isPasses);
  hide(passes.summary, !isPasses);
  hide(passes.below, !isPasses);
  picker.update(site, answer ?? { layers: 1, heads: 1 }, lock, sitesFor(model, view));
}

/**
 * That lines are tokens, where a word of the sentence is several; whoever reads tokens as they are spelled
 * knows.
 * @param {Own} own
 * @param {Shown} shown
 * @returns {string[]}
 */
function tokensSaid({ t, session: { state } }, { axes }) {
  if (state.spelled) return [];
  const divided = dividedWord(axes.rows) ?? dividedWord(axes.columns);
  return divided ? [t("masks_tokens", { word: quoted(divided.word),
    tokens: divided.tokens.map((one) => t("masks_token_quoted", { token: quoted(one) })).join(t("masks_tokens_between")) })] : [];
}

/**
 * What is said under the maps: the axes, and the cell that is pointed at or kept.
 * @param {Own} own
 * @param {Parts} parts
 * @param {MasksHeld} answer
 * @param {Shown} shown
 */
function sayCell(own, { look, foot }, answer, shown) {
  const { t, session: { state }, inquiry: { places }, pointed } = own;
  const { axes, sheets, lock } = shown;
  const { site } = answer;
  const isWhole = answer.view === "masks" && answer.reads_whole && answer.rows === "target";
  const axesText = [...(isWhole ? [t("one_pass_whole")] : []), t("masks_axes", { ...titleValues({ site, ...lock }, t),
    rows: t(`masks_rows_${isStepped(state.model, site) ? "fed" : "source"}`),
    columns: t(`masks_columns_${columnsOf(state.model, site) === "source" ? "source" : "fed"}`) }),
  ...tokensSaid(own, shown)].join(" · ");
  const { why } = insideOf(own, answer, shown);
  const cell = pointed ?? places.cell;
  const breaks = answer.view === "masks" ? answer.breaks : [];
  const said = cell ? readingOfMask(answer, axes, sheets, cell, places.step, t)
    : t("masks_reading_hint");
  foot.update(Boolean(cell), why && !pointed ? `${said} · ${why}` : said, axesText,
    isLong(answer, axes) ? t(places.unfolded ? "masks_fold" : "masks_unfold") : "");
  look.update(state, why,
    t(breaks.length > 0 ? "masks_look_broken_hint" : "look_inside_hint"));
}

/** @param {Own} own @param {Parts} parts @param {MasksHeld} answer @param {Shown} shown @param {Look} look */
function draw(own, parts, answer, shown, { palette, unit }) {
  const { t, session: { state }, inquiry: { places, sentences }, pointed } = own;
  const { axes, lock } = shown;
  parts.batch.update(sentences(), answer, state.spelled);
  if (answer.view === "passes") {
    parts.passes.update({ answer, fed: axes.fed, predicted: axes.predicted, step: places.step });
    parts.banner.update(passFacts(answer, t), { see: "masks_see_passes", edit: null });
  } else {
    parts.check.update(answer, state.spelled);
    parts.banner.update(factsOf(answer, axes, lock, t), triesOf(answer, axes, state.model),
      hurtOf(answer, state.spelled, t), parts.isIn(".slim, .large"));
  }
  sayCell(own, parts, answer, shown);
  parts.board.update(answer.view, shown, { palette, unit, pointed, kept: places.cell },
    answer.causal ? null : t(`masks_no_causal_${answer.site}`));
  parts.check.follow();
  if (own.inquiry.busy()) return; // it is of the answer before
  if (own.changed) parts.show(own.changed);
  else if (!own.isBegun && answer.view === "masks" && answer.breaks.length > 0) parts.begin(answer);
  Object.assign(own, { changed: null, isBegun: true });
}

/** @type {MakeRoom} */
function makeMasksRoom(t, session, ask, redraw, before = null) {
  const { state } = session;
  const element = elementOf(html`<div class="masks-room"></div>`);
  const inquiry = makeInquiry(session, ask, redraw, element, before);
  /** @type {Own} */
  const own = { t, session, redraw, inquiry, pointed: null, shown: null, changed: null, isBegun: false, sought: null, isUnmarked: false };
  const parts = makeParts(own, element, before);
  return {
    element,
    settle(fresh) {
      seek(own);
      inquiry.settle(fresh);
      if (own.shown?.of[0] !== inquiry.answer()) own.pointed = null;
    },
    update(look) {
      const answer = inquiry.answer();
      const site = answer?.site ?? inquiry.request().site;
      const { layers, heads } = answer ?? { layers: Infinity, heads: Infinity };
      const lock = { layer: Math.min(state.locks[site].layer, layers - 1),
        head: Math.min(state.locks[site].head, heads - 1) };
      updateControls(own, parts, lock);
      if (!answer) return;
      parts.order();
      own.isUnmarked = element.closest("[data-covers=breaks]") !== null;
      element.classList.toggle("passes", answer.view === "passes");
      draw(own, parts, answer, shownNow(own, answer, lock), look);
    },
    pictured: (picture) => masksPicture(own, parts, picture),
    here() {
      const answer = inquiry.answer();
      if (!answer) return {};
      const { source, fed } = answer.view === "passes" ? answer : answer.batch[answer.shown];
      return { site: answer.site, source, fed };
    },
    keep() {
      const view = inquiry.view();
      return { ...view, ...parts.board.keep(view.view === "passes" ? "passes" : "masks") };
    },
    asks(button) {
      const choices = choicesAfter(button, inquiry.chosen());
      return choices && inquiry.request(choices);
    },
    destroy() {
      inquiry.destroy();
      parts.board.destroy();
    },
  };
}

/**
 * A picture of the maps that are shown; null where another view of the room has it.
 * @param {Own} own
 * @param {Parts} parts
 * @param {string} picture
 * @returns {?PictureParts}
 */
function masksPicture({ t, inquiry, shown }, { banner, board, check, foot }, picture) {
  const answer = inquiry.answer();
  if (!answer || !shown || (answer.view === "passes") !== (picture === "passes")) return null;
  const { recipe } = answer.batch[answer.shown];
  const breaks = answer.view === "passes" ? [] : answer.breaks;
  const runs = [{ text: "", recipe: { ...recipe, edits: [...new Set([...(recipe.edits ?? []), ...breaks])] } }];
  const title = `${t(`export_what_${picture}`)} · ${placeOfHead(t, { site: answer.site, ...shown.lock })}`;
  const says = banner.says();
  if (picture !== "broken") {
    return { title, says, runs, parts: () => [board.element, ...foot.element.querySelectorAll(".masks-axes > span")],
      show: () => board.only(picture === "scores" ? [3, 6] : [0, 3]) };
  }
  return answer.view === "passes" || answer.changes.length === 0 ? null
    : { title: t("export_what_broken"), says, runs, parts: () => [check.element] };
}

/** What can be kept of the room, the picture on the screen first. @param {State} state @param {any} view */
function masksPictures(state, view) {
  const predicts = hasTarget(state.model) || state.model.anatomy.mask !== null;
  const masks = ["scores", "masks", ...(predicts ? ["broken"] : [])]
    .map((picture) => ({ picture, view }));
  const passes = !isStepped(state.run, view.site) ? [] : [{ picture: "passes", view }];
  return view.view === "passes" ? [...passes, ...masks] : [...masks, ...passes];
}

export const room = { name: "masks", withoutSentences: true, make: makeMasksRoom, keep: { pictures: masksPictures } };
