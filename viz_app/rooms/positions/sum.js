// The sum of the room Positions: what enters the first layer for each token of the sentence.

import { labelsOf, quoted } from "../../stage/draw/labels.js";
import { fixed, largestOf, lengthOf, shortNumber } from "../../stage/draw/numbers.js";
import { makeMaps } from "../../stage/draw/maps.js";
import { hide } from "../../stage/page/elements.js";
import { html, makePart } from "../../stage/page/html.js";
import { markAsking } from "../../stage/page/rooms.js";
import { placeOfToken } from "../../stage/page/strips.js";
import { rowsOf, sitesOf } from "../../stage/anatomy.js";
import { singlesFromBase64 } from "../../stage/run/wire.js";
import { makeWordTabs, POSITION_BAR, positionHeadline } from "./parts.js";

const PARTS = /** @type {const} */ (["embedding", "position", "sum"]);

/**
 * What is chosen: whose tokens, and the number that is read; and what the study holds.
 * @typedef {{side: string, row: number, column: number, pointed: ?GridCell}} SumLook
 * @typedef {Record<typeof PARTS[number], Float32Array>} Numbers
 * @typedef {Omit<PositionSum, keyof Numbers> & {numbers: Numbers, limit: number}} HeldSum
 * @typedef {{t: Words, session: Session, redraw: Redraw, look: SumLook, held: ?HeldSum, labels: Label[]}} Own
 */

/** @param {PositionSum} answer @returns {HeldSum} */
function heldOf(answer) {
  const numbers = { embedding: singlesFromBase64(answer.embedding),
    position: singlesFromBase64(answer.position), sum: singlesFromBase64(answer.sum) };
  return { ...answer, numbers, limit: largestOf(numbers.sum) };
}

/** A number of each part, spelled. @param {function(typeof PARTS[number]): string} of */
const each = (of) => Object.fromEntries(PARTS.map((part) => [part, of(part)]));

/** What the study shows beside its maps. @param {Own} own @param {HeldSum} held */
function saysOf({ t, look, labels }, { numbers, models_kind: kind, shape: [, columns], ...held }) {
  const { row, column } = look.pointed ?? look;
  const token = quoted(labels[row].label);
  const adds = kind === "sinusoidal" || kind === "learned";
  const isSum = held.adds_up === "proven";
  return {
    reading: t("positions_reading_sum", { token, row, column, ...each((part) => shortNumber(numbers[part][row * columns + column])) }),
    lengths: t("positions_lengths", { token, ...each((part) => fixed(lengthOf(numbers[part].subarray(row * columns, (row + 1) * columns)), 2)) }),
    none: adds && isSum && !held.embedding_norm ? null
      : t(!isSum ? "positions_sum_dropout" : adds ? "positions_sum_norm" : "positions_sum_unchanged"),
  };
}

/** The study, and its maps. @param {Own} own */
function makeParts(own) {
  const { t, session: { state, actions }, look, redraw } = own;
  const sides = makeWordTabs(t, "side", "positions_side", "positions_side", ["source", "target"], (side) => {
    look.side = side;
    redraw();
  });
  markAsking(sides.element);
  /** @param {?GridCell} cell */
  function point(cell) {
    look.pointed = cell;
    if (look.side === "source") {
      const { query, key } = cell ? placeOfToken(state, "source", cell.row) : {};
      actions.point(query ?? null, key ?? null);
    }
    redraw();
  }
  const maps = makeMaps(t, "positions", PARTS, { box: "positions-grid", redraw, acts: () => ({ point,
    keep(cell) {
      Object.assign(look, cell, { pointed: null });
      redraw();
    } }) });
  const sign = (/** @type {string} */ text) => html`<span class="positions-sign" aria-hidden="true">${text}</span>`;
  const [first, second, sum] = maps.maps.map(({ element }) => element);
  const { element, update } = makePart((/** @type {?ReturnType<typeof saysOf>} */ says = null) => html`
    <div class="positions-view">${positionHeadline(says?.reading)}
      <div class="positions-bar">${sides.element}<p class="positions-quiet">${says?.lengths}</p></div>
      <p class="positions-note" ?hidden=${!says?.none}>${says?.none}</p>
      <div class="positions-sum">${first}${sign("+")}${second}${sign("=")}${sum}</div></div>`);
  return { element, say: update, sides, maps };
}

/** @param {Own} own @param {HeldSum} held @param {ReturnType<typeof makeParts>} parts @param {Look} drawing */
function draw(own, held, { say, sides, maps }, drawing) {
  const { t, look, labels } = own;
  const { numbers, shape: [rows, columns] } = held;
  hide(sides.element, held.sides.length < 2);
  say(saysOf(own, held));
  const scale = +held.scale.toPrecision(4);
  const named = PARTS.map((part) => t(`positions_${part}`, { scale }));
  maps.entitle(named.map((title) => ({ title })));
  maps.measure();
  maps.update(PARTS.map((part, i) => ({
    key: [held, part], kind: "signed", limit: held.limit, bar: POSITION_BAR,
    most: [Infinity, 56],
    rows: { labels, count: rows, tokens: labels.map((_, at) => [at]), title: t(`positions_tokens_${held.side}`) },
    columns: { labels: null, count: columns, title: t("positions_axis_dimension") },
    value: (row, column) => numbers[part][row * columns + column], pointed: look.pointed,
    kept: { row: look.row, column: look.column }, cross: true,
    label: t("positions_sum_label", { part: named[i], rows, columns }),
  })), drawing);
}

/** @type {MakeStudy} */
export function makePositionSum(t, session, ask, redraw, before = {}) {
  const { state } = session;
  /** @type {SumLook} */
  const look = { side: "source", row: 3, column: 0, ...before, pointed: null }; // position 0 adds 0
  /** @type {Own} */
  const own = { t, session, redraw, look, held: null, labels: [] };
  const parts = makeParts(own);
  const { element } = parts;
  const question = ask({ element, settle: take });

  /** @param {PositionSum} answer */
  function take(answer) {
    const [rows, columns] = answer.shape;
    Object.assign(look, { row: Math.min(look.row, rows - 1), pointed: null,
      column: Math.min(look.column, columns - 1) });
    own.held = heldOf(answer);
  }

  return {
    element,
    settle() {
      const ofSites = sitesOf(state.model).map((site) => rowsOf(state.model, site));
      if (ofSites.every((side) => side !== look.side)) [look.side] = ofSites;
      question.of({ study: "sum", recipe: state.run.recipe, side: look.side });
    },
    update(drawing) {
      parts.sides.update(look.side);
      const { held } = own;
      if (!held) return;
      own.labels = labelsOf(held.tokens, held.side === "target", state.spelled, t);
      draw(own, held, parts, drawing);
    },
    pictured: () => own.held && { title: t("export_what_sum"), says: element.firstElementChild?.textContent ?? "",
      parts: () => [...element.querySelectorAll(".positions-note:not([hidden]), .positions-sum")] },
    asks: ({ side = look.side }) => ({ study: "sum", side }),
    keep: () => ({ side: look.side, row: look.row, column: look.column }),
    destroy() {
      question.drop();
      parts.maps.destroy();
    },
  };
}
