// Rotary positions: how they turn the queries and keys of one head, pair by pair of dimensions, and
// that the score of a turned pair depends on the distance alone.

import { makeGrid } from "../../stage/draw/grid.js";
import { labelsOf, placeOfHead, quoted } from "../../stage/draw/labels.js";
import { fixed, largestOf, shortNumber } from "../../stage/draw/numbers.js";
import { placeOf } from "../../stage/keep/tables.js";
import { options } from "../../stage/page/elements.js";
import { html, makePart } from "../../stage/page/html.js";
import { markAsking } from "../../stage/page/rooms.js";
import { isSelf, rowsOf } from "../../stage/anatomy.js";
import { singlesFromBase64 } from "../../stage/run/wire.js";
import { makePositionDials } from "./drawn/dials.js";
import { makeDistanceCurve } from "./drawn/distance.js";
import { badge, makePositionHead, pane, POSITION_BAR, positionHeadline } from "./parts.js";

const ARRAYS = /** @type {const} */ (["q", "k", "turned_q", "turned_k", "scores", "turned_scores",
  "placed_scores"]);

/** @param {Rotation} answer @returns {HeldRotation} */
function heldOf(answer) {
  const numbers = /** @type {HeldRotation["numbers"]} */ (Object.fromEntries(ARRAYS.map((name) =>
    [name, singlesFromBase64(answer[name])])));
  return { ...answer, numbers, limit: largestOf(numbers.placed_scores) };
}

/**
 * A token of the sentence to choose.
 * @param {Words} t
 * @param {string} name
 * @param {Label[]} labels
 * @param {number} chosen
 * @param {function(number): void} choose
 */
const tokenSelect = (t, name, labels, chosen, choose) => html`
  <label class="positions-field" data-asks><span>${t(`term_${name}`)}</span>
    <select class="positions-select" data-pick=${name} @change=${(/** @type {any} */ { target }) => choose(Number(target.value))}>
      ${options(labels.map(({ label }, i) => [i, `${i} · ${label}`]), chosen)}</select></label>`;

/**
 * The score of the pair that is read, in a sentence.
 * @param {Words} t
 * @param {HeldRotation} held
 * @param {RotaryLook} look
 * @param {Label[]} labels
 */
function sentenceOf(t, held, { pointed, picked, pair }, labels) {
  const { numbers, query: row, key: column } = held;
  const names = { query: quoted(labels[row].label), key: quoted(labels[column].label) };
  const place = pointed ?? picked;
  if (place) {
    return t("positions_reading_placed", { ...place, ...names, distance: fixed(place.row - place.column, 0),
      score: shortNumber(numbers.placed_scores[place.row * held.positions + place.column]) });
  }
  const angle = row * held.frequencies[pair];
  const [a, b] = held.dimensions[pair];
  return t("positions_reading_pair", { a, b, token: names.query, row,
    radians: fixed(angle, 3), degrees: fixed((angle * 180) / Math.PI, 1) });
}

/**
 * The headline: what turning does to the score of the query and the key.
 * @param {Words} t
 * @param {HeldRotation} held
 * @param {Label[]} labels
 */
function headlineOf(t, { numbers, query: row, key: column, tokens }, labels) {
  const at = row * tokens.ids.length + column;
  return t("positions_head_turned", { row, column, query: quoted(labels[row].label),
    key: quoted(labels[column].label), before: shortNumber(numbers.scores[at]),
    after: shortNumber(numbers.turned_scores[at]) });
}

/**
 * What the study holds; `of`: the answer that is held.
 * @typedef {{t: Words, session: Session, redraw: Redraw, look: RotaryLook, held: ?HeldRotation,
 *   picker: ReturnType<typeof makePositionHead>}} Own
 */

/** The study, and its pictures. @param {Own} own */
function makeParts({ t, look, redraw, picker }) {
  /** @param {Partial<RotaryLook>} changes */
  const change = (changes) => {
    Object.assign(look, changes);
    redraw();
  };
  const dials = makePositionDials(t, (pair) => change({ pair, picked: null }), redraw);
  const map = makeGrid(t, { box: "positions-grid", data: { grid: "placed" }, redraw,
    keep: (picked) => change({ picked, pointed: null }), point: (pointed) => change({ pointed }) });
  const curve = makeDistanceCurve(t, redraw);
  const { element, update } = makePart((/** @type {?HeldRotation} */ held = null, /** @type {Label[]} */ labels = []) => html`
    <div class="positions-view">${positionHeadline(held && headlineOf(t, held, labels))}
      <div class="positions-bar">${picker.element}
        ${tokenSelect(t, "query", labels, held?.query ?? 0, (place) => change({ query: place, picked: null }))}
        ${tokenSelect(t, "key", labels, held?.key ?? 0, (place) => change({ key: place, picked: null }))}
        ${badge(t, held, "positions_own")}</div>
      <p class="positions-note">${held && t(held.own ? "positions_rotary_own" : "positions_rotary_foreign")}</p>
      <div class="positions-panes positions-rotary">${pane(t, "dials", dials.element)}${pane(t, "placed", map.element)}
        ${pane(t, "by_distance", html`${curve.element}<p class="positions-verdict">${held && t(
          held.verdict === "proven" ? "positions_spread" : "positions_spread_other",
          { spread: shortNumber(held.spread), similarity: held.similarity })}</p>`)}</div>
      <p class="reading positions-reading" aria-live="polite">${held && sentenceOf(t, held, look, labels)}</p></div>`);
  return { element, say: update, dials, map, curve };
}

/** @param {Own} own @param {HeldRotation} held @param {ReturnType<typeof makeParts>} parts @param {Look} drawing */
function draw({ t, look, session: { state } }, held, { say, dials, map, curve }, drawing) {
  const labels = labelsOf(held.tokens, rowsOf(state.model, held.site) === "target", state.spelled, t);
  const { positions: P, numbers: { placed_scores: scores } } = held;
  say(held, labels);
  dials.update(held, labels, look.pair, drawing);
  map.update({
    key: [held], kind: "signed", wide: 1, bar: POSITION_BAR, limit: held.limit,
    rows: { labels: null, count: P, title: t("positions_axis_query") },
    columns: { labels: null, count: P, title: t("positions_axis_key") },
    value: (row, column) => scores[row * P + column],
    pointed: look.pointed, kept: look.picked, cross: true,
    label: t("positions_placed_label", { rows: P }),
  }, drawing);
  curve.update(held, look, drawing);
}

/** @type {MakeStudy} */
export function makePositionRotary(t, session, ask, redraw, before = {}) {
  const { state } = session;
  const { site = "encoder", query = null, key = null, pair = 0, picked = null } = before;
  /** @type {RotaryLook} */
  const look = { site, query, key, pair, pointed: null,
    picked: picked && { row: picked[0], column: picked[1] } };
  const picker = makePositionHead(t, session, "rotarySite", look, isSelf, redraw);
  /** @type {Own} */
  const own = { t, session, redraw, look, picker, held: null };
  markAsking(picker.element);
  const parts = makeParts(own);
  const { element } = parts;
  const question = ask({ element, settle: take });

  const requestNow = () => ({ study: "rotary", site: picker.site(), ...state.locks[picker.site()],
    query: look.query, key: look.key });

  /** @param {Rotation} answer */
  function take(answer) {
    own.held = heldOf(answer);
    look.pair = Math.min(look.pair, answer.frequencies.length - 1);
    const { row, column } = look.picked ?? { row: 0, column: 0 };
    if (Math.max(row, column) >= answer.positions) look.picked = null;
  }

  return {
    element,
    asks: requestNow,
    settle() {
      const length = rowsOf(state.model, picker.site()) === "source" ? state.run.source.ids.length
        : Math.max(1, state.run.target.ids.length - (state.run.finished === "end" ? 1 : 0));
      if (look.query !== null) look.query = Math.min(look.query, length - 1);
      if (look.key !== null) look.key = Math.min(look.key, length - 1);
      question.of({ recipe: state.run.recipe, ...requestNow() });
    },
    update(drawing) {
      picker.update();
      if (own.held) draw(own, own.held, parts, drawing);
    },
    pictured() {
      const { held } = own;
      return held && { title: `${t("export_what_rotary")} · ${placeOfHead(t, held)}`,
        says: element.firstElementChild?.textContent ?? "", parts: () => [...element.querySelectorAll(".positions-note, .positions-panes")] };
    },
    here: () => ({ site: picker.site() }),
    keep() {
      return { ...placeOf(state, picker.site()), query: look.query, key: look.key, pair: look.pair,
        picked: look.picked && [look.picked.row, look.picked.column] };
    },
    destroy() {
      question.drop();
      parts.map.destroy();
      parts.dials.destroy();
      parts.curve.destroy();
    },
  };
}
