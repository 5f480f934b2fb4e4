// What order does: the words of the sentence change places, or positions, with positions in the
// model and without; which attention and which prediction change, and which cannot.

import { columnsOf, hasSite, rowsOf } from "../../../stage/anatomy.js";
import { labelsOf, placeOfHead, quoted } from "../../../stage/draw/labels.js";
import { shortNumber } from "../../../stage/draw/numbers.js";
import { placeOf } from "../../../stage/keep/tables.js";
import { makeWordSwitch, press } from "../../../stage/page/elements.js";
import { html, makePart } from "../../../stage/page/html.js";
import { makeLookButton } from "../../../stage/page/look.js";
import { markAsking } from "../../../stage/page/rooms.js";
import { runShows } from "../../../stage/run/cells.js";
import { singlesFromBase64 } from "../../../stage/run/wire.js";
import { makePositionHead } from "../parts.js";
import { axesOf, makeOrderMaps, placeInPart } from "./maps.js";
import { makeOrderOutcome } from "./outcome.js";
import { makeOrderReport } from "./report.js";
import { makeOrderStrip } from "./strip.js";
import {
  givenByTokens, isOrderOf, reversedOrder, shuffledOrder, tokenOrder, tokenRows,
} from "./words.js";

/**
 * What the study holds, for the functions below.
 * @typedef {Object} Own
 * @property {Words} t
 * @property {Session} session
 * @property {Redraw} redraw
 * @property {OrderLook} look
 * @property {{of: ?PositionOrder, numbers: Record<string, Float32Array>}} decoded
 * @property {ReturnType<typeof makePositionHead>} picker
 * @property {?PositionOutcome} outcome
 * @typedef {ReturnType<typeof makeParts>} Parts
 */

/** @param {Run} run */
const keyOf = (run) => JSON.stringify([run.recipe.model, run.source.ids]);

/** The tokens and the positions that are chosen. @param {Own} own */
const chosenOf = ({ look, session: { state } }) => ({ tokens: tokenOrder(look),
  rows: tokenRows(look, state.model.anatomy.max_positions - 1) });

/** The numbers of a map of the answer. @param {Own} own @param {OrderPart} part @param {"on" | "off"} mode */
function numbersOf(own, part, mode = own.look.mode) {
  const held = /** @type {PositionOrder} */ (own.look.held);
  if (own.decoded.of !== held) own.decoded = { of: held, numbers: {} };
  return own.decoded.numbers[`${mode} ${part}`] ??= singlesFromBase64(held[mode][part]);
}

/**
 * What the picked cell is in the room Inside a head, or why it is not there.
 * @param {Own} own
 * @returns {{cell: ?Cell, recipe: ?Recipe, why: ?string}}
 */
function insideOf({ t, look: { held, picked, mode }, session: { state } }) {
  const none = { cell: null, recipe: null, why: null };
  if (mode === "off") return { ...none, why: t("positions_look_off") };
  if (!picked || !held) return none;
  const { recipe } = state.run;
  const cell = { query: picked.row, key: picked.column };
  if (picked.part !== "after") return { ...none, cell, recipe };
  if (held.rows) return { ...none, why: t("positions_look_rows") };
  if (held.text === null) return { ...none, why: t("positions_look_text") };
  return { ...none, cell,
    recipe: held.text === recipe.source ? recipe : { ...recipe, source: held.text } };
}

/** A new sentence begins with its own words; the same one keeps what the reader did to it. @param {Own} own */
function begin({ look, session: { state: { run } } }) {
  const key = keyOf(run);
  if (key === look.sentence) return;
  const typed = run.source.ids.map((_, i) => i);
  const { order: tokens = null, rows = null, at = null, picked = null, part = "before" } = look.given;
  Object.assign(look, { sentence: key, held: null, at: null, chosen: null, pointed: null, picked: null,
    usual: typed, given: {}, ...givenByTokens({ tokens: typed, rows: null }, []) });
  if (tokens && !isOrderOf(tokens, run.source)) return;
  Object.assign(look, { at, picked: picked && { part, row: picked[0], column: picked[1] } });
  if (tokens) Object.assign(look, { usual: null, ...givenByTokens({ tokens, rows }, []) });
}

/** The order and the positions, for a question; null where they are left to the answer. @param {Own} own */
function changeNow(own) {
  const { tokens, rows } = chosenOf(own);
  const isLeft = rows === null && tokens.join() === own.look.usual?.join();
  return { order: isLeft ? null : tokens, rows };
}

/**
 * Takes what an answer says of the sentence: its words, and the order where that was open.
 * @param {Own} own
 * @param {PositionOrder} answer
 * @param {{order: ?number[]}} change that it answers
 */
function take(own, answer, change) {
  const { look } = own;
  const isFirst = look.held === null;
  look.held = answer;
  const isOpen = !change.order && look.usual?.join() !== answer.order.join();
  if (isOpen) look.usual = answer.order;
  if (!isFirst && !isOpen) return;
  Object.assign(look, givenByTokens(isOpen ? { tokens: answer.order, rows: null } : chosenOf(own),
    answer.words));
  look.movable = look.words === answer.words ? answer.movable
    : answer.movable.flatMap((word) => answer.words[word]);
}

/** Whether the maps on the screen have the cell that is picked. @param {Own} own */
function hasPicked({ look: { held, picked }, session: { state: { model } } }) {
  if (!held || !picked) return picked !== null;
  const count = { source: held.source.ids.length, target: held.target.ids.length };
  return picked.row < count[rowsOf(model, held.site)] && picked.column < count[columnsOf(model, held.site)];
}

/** @param {Own} own */
const requestNow = (own) => ({ study: "order", ...changeNow(own), site: own.picker.site(),
  ...own.session.state.locks[own.picker.site()], at: own.look.at });

/** What the reader can do with the words and the maps. @param {Own} own */
function makeActs(own) {
  const { look, redraw, session: { state, actions } } = own;
  /** The places of the words that may change them, wherever they stand. */
  const places = () => look.order.flatMap((word, place) =>
    (look.movable.includes(word) ? [place] : []));
  /** @param {Partial<OrderLook>} changes */
  function arrange(changes) {
    Object.assign(look, changes, { at: null, chosen: null });
    redraw.now();
  }
  return {
    shuffle: () => arrange({ order: shuffledOrder(look.order, places()) }),
    reverse: () => arrange({ order: reversedOrder(look.order, places()) }),
    restore: () => arrange({ order: look.words.map((_, i) => i), shift: {} }),
    takeExample() {
      actions.type(state.model.lessons?.order ?? "");
      actions.translate();
    },
    /** @param {string} mode */
    setMode(mode) {
      look.mode = mode === "off" ? "off" : "on";
      redraw();
    },
    /** @param {?OrderPlace} place */
    point(place) {
      look.pointed = place;
      redraw();
    },
    /** @param {OrderPlace} place */
    keep(place) {
      Object.assign(look, { picked: place, pointed: null });
      const { cell, recipe } = insideOf(own);
      const site = look.held?.site;
      if (site && cell && recipe === state.run.recipe && runShows(state.run, recipe, site, cell)) {
        actions.keepCell(cell.query, cell.key, site);
      }
      redraw();
    },
    look() {
      const { why, ...inside } = insideOf(own);
      const { held } = look;
      if (held && !why) {
        const { site, layer, head } = held;
        actions.lookInside({ site, layer, head, ...inside });
      }
    },
  };
}

/** The parts of the study, and what it says beside them. @param {Own} own */
function makeParts(own) {
  const { t, look, redraw, picker } = own;
  const acts = makeActs(own);
  const act = (/** @type {string} */ name, /** @type {function(): void} */ does, text = t(`positions_${name}`), isHidden = false) => html`
    <button type="button" class="plain positions-${name}" title=${t(`positions_${name}_hint`)} data-act=${name} ?hidden=${isHidden}
      @click=${press(does)}>${text}</button>`;
  const modes = makeWordSwitch(t, "mode", "positions_mode", "positions", ["on", "off"], acts.setMode);
  const strip = makeOrderStrip(t, look, redraw);
  markAsking(picker.element, strip.element);
  const maps = makeOrderMaps(t, acts, redraw);
  const report = makeOrderReport(t, look, redraw);
  const outcome = makeOrderOutcome(t);
  const inside = makeLookButton(t, acts.look);
  const { element, update } = makePart(({ example = "", verdict = "", reading = "", isHint = false } = {}) => html`
    <div class="positions-view positions-order">${outcome.element}
      <div class="positions-bar">${strip.element}
        <div class="positions-acts" data-asks="">${act("shuffle", acts.shuffle)}${act("reverse", acts.reverse)}${act("restore", acts.restore)}
          ${act("example", acts.takeExample, example, !example)}</div></div>
      <div class="positions-bar">${picker.element}${modes.element}<p class="positions-verdict">${verdict}</p></div>
      <div class="positions-panes positions-order-panes"><div class="positions-pane">${maps.element}</div>${report.element}</div>
      <div class="positions-foot"><p class="reading positions-reading${isHint ? " nudge" : ""}" aria-live="polite">${reading}</p>${inside.element}</div>
    </div>`);
  return { element, say: update, outcome, modes, strip, maps, report, inside };
}

/**
 * What is said of the cell that is pointed at or picked.
 * @param {Own} own
 * @param {PositionOrder} held
 * @param {import("./maps.js").OrderAxes} axes
 */
function sentenceOf(own, { layer, head, reads_whole: isWhole }, axes) {
  const { t, look: { pointed, picked } } = own;
  const place = [pointed, picked].find((one) => one && placeInPart(one, one.part, axes));
  if (!place) return t(isWhole ? "one_pass_whole" : "positions_reading_order_hint");
  const [rows, columns] = axes[place.part];
  return t(`positions_reading_order_${place.part}`, {
    query: quoted(rows[place.row].label), key: quoted(columns[place.column].label),
    value: shortNumber(numbersOf(own, place.part)[place.row * columns.length + place.column]),
    layer: layer + 1, head: head + 1 });
}

/**
 * What order changes in this model, in a sentence.
 * @param {Own} own
 * @param {PositionOrder} held
 * @param {?PositionOutcome} outcome
 */
function verdictOf({ t, look: { mode }, session: { state: { model } } }, held, outcome) {
  const stack = hasSite(model, "encoder") ? "encoder" : "decoder";
  const { says, largest } = held[mode];
  const again = says === "off" && typeof outcome?.double_off === "number"
    ? t("positions_proof", { double: shortNumber(outcome.double_off) }) : "";
  return `${t(`positions_verdict_${says}`, { largest: shortNumber(largest),
    stack: t(`site_${stack}`) })} ${again}`.trim();
}

/**
 * @param {Own} own
 * @param {Parts} parts
 * @param {PositionOrder} held
 * @param {Label[]} labels of the sentence as typed
 * @param {Look} drawing
 */
function draw(own, { say, strip, maps, inside }, held, labels, drawing) {
  const { t, look, session: { state } } = own;
  const { model, run: { recipe } } = state;
  const axes = axesOf(state, held, labels, t);
  const { why, recipe: opens } = insideOf(own);
  const lesson = model.lessons?.order;
  const said = sentenceOf(own, held, axes);
  strip.update(labels, model.anatomy.max_positions);
  say({ example: lesson === recipe.source ? "" : lesson, verdict: verdictOf(own, held, own.outcome),
    reading: why && look.picked && !look.pointed ? `${said} · ${why}` : said, isHint: !look.pointed && !look.picked });
  inside.update(state, why,
    t(opens && opens !== recipe ? "positions_look_changed" : "look_inside_hint"));
  maps.update(state, { ...look, held }, axes, (part) => numbersOf(own, part), drawing);
}

/** @type {MakeStudy} */
export function makePositionOrder(t, session, ask, redraw, before = {}) {
  const { state } = session;
  const { mode = "on", site = "encoder" } = before;
  /** @type {OrderLook} */
  const look = { sentence: null, words: [], movable: [], order: [], shift: {}, usual: null, held: null,
    mode, at: null, pointed: null, picked: null, site, chosen: null, given: before };
  const picker = makePositionHead(t, session, "orderSite", look, hasSite, redraw);
  /** @type {Own} */
  const own = { t, session, redraw, look, picker, outcome: null, decoded: { of: null, numbers: {} } };
  const parts = makeParts(own);
  const { element, outcome, report, maps } = parts;
  const question = ask({ element, settle: (answer, request) => take(own, answer, request) });
  const outcomes = ask({ element: outcome.element, after: 180 });
  return {
    element,
    settle() {
      begin(own);
      const { recipe } = state.run;
      // One question at a time: the second waits until the attention is there.
      own.outcome = question.of({ recipe, ...requestNow(own) })
        && outcomes.of({ study: "outcome", recipe, ...changeNow(own) });
      if (outcomes.state() === "failed") outcome.forget();
    },
    update(drawing) {
      picker.update();
      parts.modes.update(look.mode);
      const labels = labelsOf(state.run.source, false, state.spelled, t);
      const { held } = look;
      if (!held || held.source.ids.length !== labels.length) return;
      outcome.update(held, own.outcome, state.run.text);
      report.update(held, held.predicting === "source" ? labels
        : labelsOf(held.target, true, state.spelled, t));
      draw(own, parts, held, labels, drawing);
    },
    pictured() {
      const { held } = look;
      return held && { title: `${t("export_what_order")} · ${placeOfHead(t, held)}`,
        says: outcome.says(), parts: () => [...(outcome.says() ? [outcome.both] : []),
          .../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(".positions-verdict, .positions-three"))] };
    },
    here: () => ({ site: picker.site() }),
    asks() {
      begin(own);
      return requestNow(own);
    },
    keep() {
      const { at } = look;
      const picked = hasPicked(own) ? look.picked : null;
      const placed = { ...placeOf(state, picker.site()), mode: look.mode };
      if (!look.sentence || keyOf(state.run) !== look.sentence) return placed;
      return { ...placed, ...changeNow(own), at, picked: picked && [picked.row, picked.column],
        part: picked?.part };
    },
    destroy() {
      for (const one of [question, outcomes]) one.drop();
      maps.destroy();
    },
  };
}
