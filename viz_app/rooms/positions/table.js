// The table of the room Positions: position x dimension, curves of any dimensions, wavelengths, and
// how alike the rows of two positions are.

import { makeGrid } from "../../stage/draw/grid.js";
import { largestOf, shortLength, shortNumber } from "../../stage/draw/numbers.js";
import { hide } from "../../stage/page/elements.js";
import { html, makePart, nothing } from "../../stage/page/html.js";
import { markAsking } from "../../stage/page/rooms.js";
import { singlesFromBase64 } from "../../stage/run/wire.js";
import { makePositionHands } from "./drawn/hands.js";
import { makeTableSide, shownOf, toggle } from "./drawn/side.js";
import { columnAxis, columnsOfTable } from "./drawn/waves.js";
import { badge, isSine, makeWordTabs, nameOfRow, noteOf, POSITION_BAR, positionHeadline } from "./parts.js";
import { placesOfRows, rowLabels, rowSaid } from "./rows.js";

const HIGHEST = 72; // CSS pixels of a row: a short sentence fills a large window, and what is read stands right under it
const POSITION_KINDS = ["sinusoidal", "learned", "rotary", "relative", "none"];
const POSITION_COLUMNS = ["waves", "all"];
const POSITION_SPANS = ["sentence", "all"];

/**
 * What the study holds, for the functions below.
 * @typedef {Object} Own
 * @property {Words} t
 * @property {State} state
 * @property {Redraw} redraw
 * @property {TableLook} look
 * @property {{answer: PositionTable, table: ReadTable} | null} held what is read
 * @property {{answer: PositionTable, table: HeldTable} | null} own the model's table, beside another
 * @typedef {ReturnType<typeof makeParts>} Parts
 */

/** The dimensions that are drawn of a table. @param {TableLook} look @param {HeldTable} table */
const columnsNow = (look, table) => columnsOfTable(table, shownOf(look), look.columns === "all");

/** @param {PositionTable} answer @returns {HeldTable} */
function numbered(answer) {
  const numbers = singlesFromBase64(answer.table);
  return { ...answer, numbers, limit: largestOf(numbers) };
}

/**
 * Takes another table; what was chosen in the one before stays, as far as there is such a thing.
 * @param {Own} own
 * @param {PositionTable} answer
 */
function take(own, answer) {
  if (own.held?.answer === answer) return;
  const { look, held } = own;
  const [rows, columns] = answer.shape;
  if (columns > 0 && (look.kept.length === 0 || (held && held.table.shape[1] !== columns))) {
    look.kept = answer.curves;
    look.column = answer.curves[answer.curves.length - 1];
  }
  look.row = Math.max(0, Math.min(rows - 1, look.row));
  look.other = Math.max(0, Math.min(rows - 1, look.other));
  if (columns > 0) {
    look.column = Math.min(columns - 1, look.column);
    look.kept = look.kept.filter((column) => column < columns);
  }
  own.held = { answer, table: { ...numbered(answer), cosines: singlesFromBase64(answer.similarity),
    products: singlesFromBase64(answer.products), distances: singlesFromBase64(answer.distances) } };
}

/** The model's table, beside another one. @param {Own} own @param {PositionTable} answer */
function tableOfModel(own, answer) {
  if (own.own?.answer !== answer) own.own = { answer, table: numbered(answer) };
  return own.own.table;
}

/** Sine or cosine, and the wavelength, of one dimension. @param {Words} t @param {HeldTable} held @param {number} dimension */
function aboutDimension(t, held, dimension) {
  const length = held.wavelengths[dimension];
  if (length === undefined) return t("positions_no_wavelength", { dimension });
  return t("positions_wavelength", { dimension, length: shortLength(length),
    wave: t(isSine(held, dimension) ? "positions_sine_wave" : "positions_cosine_wave") });
}

/** What is pointed at or marked, in a sentence. @param {Words} t @param {TableLook} look @param {ReadTable} held */
function sentenceOf(t, look, held) {
  const { row, column } = look.pointed ?? look;
  const value = shortNumber(held.numbers[row * held.shape[1] + column]);
  if (held.offsets.length) {
    const bucket = held.buckets[row];
    return t("positions_reading_bias", { distance: nameOfRow(held, row), head: column + 1, value, bucket,
      from: nameOfRow(held, held.buckets.indexOf(bucket)),
      upto: nameOfRow(held, held.buckets.lastIndexOf(bucket)) });
  }
  if (look.alike) {
    const { row: a, column: b } = look.alike;
    const cosine = held.cosines[a * held.shape[0] + b];
    return t("positions_reading_alike", { a, b, distance: Math.abs(a - b), cosine: shortNumber(cosine),
      degrees: Math.round((Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI) });
  }
  const verb = held.kind === "rotary" ? "positions_reading_turned" : "positions_reading_added";
  return `${t(verb, { row, column, value })}${t("sentences_between")}${aboutDimension(t, held, column)}`;
}

/**
 * The positions that are drawn: those of the sentence, or all, where one beyond it is read.
 * @param {TableLook} look
 * @param {HeldTable} held
 * @param {import("./rows.js").Places} places
 */
const spanNow = ({ span, row }, { shape: [rows] }, { labels: { length } }) =>
  (span === "sentence" && row < length ? length : rows);

/**
 * The rows and the columns of a table, and what is marked there.
 * @param {Own} own
 * @param {HeldTable} table
 * @param {boolean} isOwn whether it is the model's, beside the one that is read
 * @returns {GridFrame}
 */
function frameOf({ t, state, look }, table, isOwn) {
  const width = table.shape[1];
  const at = placesOfRows(state, table, t);
  const rows = Math.min(table.shape[0], spanNow(look, table, at));
  const labels = rows === at.labels.length ? rowLabels(at) : null;
  const columns = columnsNow(look, table);
  const places = new Map(columns.map((column, at) => [column, at]));
  const { pointed } = look;
  const pointedAt = places.get(pointed?.column ?? -1);
  return {
    key: [table, columns.join(), rows], kind: "signed", limit: table.limit, most: [Infinity, HIGHEST],
    bar: table.limit < 0.1 ? POSITION_BAR + 10 : POSITION_BAR,
    rows: { labels, count: rows, tokens: labels?.map((_, row) => [row]), counted: (row) => nameOfRow(table, row),
      title: t(table.offsets.length ? "positions_axis_distance" : "positions_axis_position") },
    columns: columnAxis(table, columns, look.columns === "all", t),
    value: (row, at) => table.numbers[row * width + columns[at]],
    pointed: pointed && pointedAt !== undefined ? { row: pointed.row, column: pointedAt } : null,
    kept: { row: Math.min(look.row, rows - 1), column: isOwn ? null : places.get(look.column) ?? null },
    cross: !isOwn,
    rowMarks: isOwn || look.other === look.row || look.other >= rows || table.offsets.length ? []
      : [look.other],
    marks: isOwn ? [] : look.kept.flatMap((column) => places.get(column) ?? []),
    label: t("positions_table_label", { rows, columns: columns.length }),
  };
}

/** What the reader can do in the two tables. @param {Own} own */
function makeActs(own) {
  const { look, redraw } = own;
  /** The place in the table that is read, as far as that goes. @param {HeldTable} table @param {GridCell} cell */
  function placeOf(table, { row, column: at }) {
    const [rows, width] = own.held?.table.shape ?? [0, 0];
    const column = columnsNow(look, table)[at];
    return row < rows && column < width ? { row, column } : null;
  }
  return {
    /** @param {Partial<TableLook>} changes */
    change(changes) {
      Object.assign(look, changes);
      redraw();
    },
    /** @param {Partial<TableLook>} changes */
    ask(changes) {
      Object.assign(look, changes);
      redraw.now();
    },
    /** @param {HeldTable | undefined} table @param {?GridCell} cell */
    point(table, cell) {
      look.pointed = table && cell ? placeOf(table, cell) : null;
      redraw();
    },
    /** @param {GridCell} cell @param {boolean} withShift keeps the curve too */
    keep(cell, withShift) {
      const at = own.held && placeOf(own.held.table, cell);
      if (!at) return;
      Object.assign(look, at, { pointed: null, alike: null });
      if (withShift) toggle(look, at.column);
      redraw();
    },
  };
}

/** The study, and its pictures. @param {Own} own */
function makeParts(own) {
  const { t, look, redraw } = own;
  const acts = makeActs(own);
  const kinds = makeWordTabs(t, "kind", "positions_kind", "positions_kind", POSITION_KINDS,
    (kind) => acts.ask({ kind }));
  const sides = makeWordTabs(t, "tableSide", "positions_table_side", "positions_side", ["source", "target"],
    (one) => acts.ask({ side: one }));
  markAsking(kinds.element, sides.element);
  const columns = makeWordTabs(t, "columns", "positions_columns", "positions_columns",
    POSITION_COLUMNS, (which) => acts.change({ columns: which }));
  const spans = makeWordTabs(t, "span", "positions_span", "positions_span", POSITION_SPANS,
    (span) => acts.change({ span }));
  const hands = makePositionHands(t, (column) => acts.change({ column }), redraw);
  const map = makeGrid(t, { box: "positions-grid", data: { grid: "table" }, redraw, keep: acts.keep,
    point: (place) => acts.point(own.held?.table, place) });
  // What is read is the table beside it.
  const model = makeGrid(t, { box: "positions-grid", data: { grid: "own" }, redraw,
    keep: ({ row }) => acts.change({ row, pointed: null, alike: null }),
    point: (place) => acts.point(own.own?.table, place) });
  const side = makeTableSide(t, look, redraw);
  /** The titles of the model's table and of the one that is read, where they stand beside each other. @param {?ReadTable} held @param {?HeldTable} beside */
  const titles = (held, beside) => (held && beside ? [t("positions_own", { kind: t(`positions_kind_${beside.kind}`) }),
    t("positions_beside", { kind: t(`positions_kind_${held.kind}`) })] : []);
  const { element, update } = makePart((/** @type {?ReadTable} */ held = null, /** @type {?HeldTable} */ beside = null) => {
    const isEmpty = held?.shape[0] === 0;
    const [ownTitle, itsTitle] = titles(held, beside);
    const { text, hint } = held ? noteSaid(own, held) : { text: "", hint: nothing };
    return html`
      <div class="positions-view">${positionHeadline(held && headlineOf(own, held))}
        <div class="positions-bar noted"><span class="positions-quiet">${t("positions_kind")}</span>${kinds.element}${sides.element}
          ${badge(t, held, "positions_own_kind")}<p class="positions-note" title=${hint}>${text}</p></div>
        <div class="positions-panes positions-table${beside ? " beside" : ""}${isEmpty ? " bare" : ""}">
          <section class="positions-pane" aria-label=${t("positions_table")}>${hands.element}
            <header class="positions-bar"><h3>${held && t(held.offsets.length ? "positions_table_bias" : "positions_table")}</h3>
              ${spans.element}${columns.element}</header>
            <div class="positions-tables">
              <figure ?hidden=${!beside}><figcaption>${ownTitle}</figcaption>${model.element}</figure>
              <figure><figcaption ?hidden=${!beside}>${itsTitle}</figcaption>${map.element}
                <p class="positions-nothing" ?hidden=${!isEmpty}>${t("positions_none_added")}</p></figure></div></section>
          ${side.element}</div>
        <p class="reading positions-reading" aria-live="polite">${held?.shape[0] ? sentenceOf(t, look, held) : ""}</p></div>`;
  });
  return { element, say: update, kinds, sides, columns, spans, hands, map, model, side };
}

/**
 * The headline: which word the row is that is pointed at or read, and what it gets.
 * @param {Own} own
 * @param {ReadTable} held
 */
function headlineOf({ t, state, look }, held) {
  const { kind, offsets, shape: [rows, dimensions] } = held;
  if (!rows) return t("positions_head_none");
  const { row } = look.pointed ?? look;
  if (offsets.length) return t("positions_head_relative", { distance: nameOfRow(held, row) });
  return t(`positions_head_${kind}`, { said: rowSaid(t, placesOfRows(state, held, t), row), dimensions });
}

/** What is said of the whole table, and on pointing at that. @param {Own} own @param {ReadTable} held */
function noteSaid({ t, look }, held) {
  const { positions, dimensions, steps, first, pairs, shape: [rows, width] } = held;
  const drawn = columnsNow(look, held).length / 2;
  const isPicked = pairs.length > 0 && drawn < width / 2 && look.columns !== "all";
  const isWhole = rows === positions && width === dimensions;
  const text = [t(noteOf(held), { positions, dimensions, steps, first }),
    ...(isWhole ? [] : [t("positions_cut", { rows, columns: width })]),
    ...(isPicked ? [t("positions_picked", { drawn, pairs: width / 2 })] : [])].join(" · ");
  return { text, hint: isPicked ? t("positions_picked_hint") : nothing };
}

/** @param {Own} own @param {Parts} parts @param {ReadTable} held @param {PositionTable} models @param {boolean} isBeside */
function updateControls({ t, state, look }, { kinds, sides, columns, spans, map, side }, held, models, isBeside) {
  // Relative positions are weights: no model of this size would have them.
  kinds.update(look.kind ?? held.kind,
    POSITION_KINDS.filter((kind) => kind !== "relative" || held.models_kind === "relative"));
  columns.update(look.columns);
  const places = placesOfRows(state, held, t);
  spans.update(spanNow(look, held, places) === places.labels.length ? "sentence" : "all");
  hide(spans.element, places.labels.length === 0 || places.labels.length >= held.shape[0]);
  hide(columns.element, held.pairs.length === 0 && !(isBeside && models.pairs.length));
  sides.update(held.side);
  hide(sides.element, held.sides.length < 2);
  for (const part of [map, side]) hide(part.element, held.shape[0] === 0);
}

/**
 * @param {Own} own
 * @param {Parts} parts
 * @param {ReadTable} held
 * @param {PositionTable} models
 * @param {Look} drawing
 */
function draw(own, parts, held, models, drawing) {
  const { t, state, look } = own;
  const { map, model, side, hands } = parts;
  const isBeside = !held.own && models.shape[0] > 0;
  updateControls(own, parts, held, models, isBeside);
  const table = isBeside ? tableOfModel(own, models) : null;
  parts.say(held, table);
  const { row } = look.pointed ?? look;
  hands.say(held.shape[0] ? held : null, shownOf(look), look.column, row);
  if (held.shape[0]) side.say(held, drawing);
  if (table) model.update(frameOf(own, table, true), drawing); // the two have one scale, so that their colours mean the same
  if (!held.shape[0]) return;
  const at = { row, places: placesOfRows(state, held, t).labels.length };
  for (const part of [hands, map, side]) part.measure();
  hands.draw(held, at, drawing);
  map.update(frameOf(own, held, false), drawing);
  side.draw(held, drawing);
}

/** A picture of the table; null where there is none. @param {Own} own @param {Parts} parts @param {string} picture @returns {?PictureParts} */
function tablePicture({ t, held }, { element, side }, picture) {
  const part = picture === "positions" ? element.querySelector(".positions-tables") : side.part(picture);
  if (!held?.table.shape[0] || !part) return null;
  return { title: `${t(`export_what_${picture}`)} · ${t(`positions_kind_${held.table.kind}`)}`,
    says: element.firstElementChild?.textContent ?? "", parts: () => [part] };
}

/** @type {MakeStudy} */
export function makePositionTable(t, session, ask, redraw, before = {}) {
  const { state } = session;
  const { kind = null, row = 3, other = 8, dimensions = [], columns = "waves",
    span = "sentence", column = dimensions.at(-1) ?? 0, side = "source" } = before;
  /** @type {TableLook} */
  const look = { kind: kind === "own" ? null : kind, side, row, other, column, kept: dimensions,
    columns, span, pointed: null, alike: null };
  /** @type {Own} */
  const own = { t, state, redraw, look, held: null, own: null };
  const parts = makeParts(own);
  const { element } = parts;
  const question = ask({ element });
  const owns = ask({ element }); // about the model's table, beside another kind's
  return {
    element,
    settle() {
      const { recipe } = state.run;
      const request = { study: "table", recipe, kind: look.kind ?? "own", side: look.side };
      const models = owns.of({ ...request, kind: "own" }, `${recipe.model} own ${look.side}`);
      if (!models) return; // one question at a time
      const isOwn = request.kind === "own" || request.kind === models.kind;
      if (!isOwn) question.of(request, `${recipe.model} ${request.kind} ${look.side}`);
      const answer = isOwn ? models : question.answer();
      if (answer) take(own, answer);
    },
    update(drawing) {
      if (own.held && owns.state() === "ready") draw(own, parts, own.held.table, owns.answer(), drawing);
    },
    pictured: (picture) => tablePicture(own, parts, picture),
    /** The kind that is chosen: the model's own until the reader takes another. */
    kind: () => look.kind ?? state.model.anatomy.positions,
    asks: ({ kind: of = look.kind ?? "own", side: asked = look.side }) =>
      ({ study: "table", kind: of, side: asked }),
    keep() {
      const { kept, pointed: _, alike: __, ...chosen } = look;
      return { ...chosen, dimensions: kept };
    },
    destroy() {
      for (const one of [question, owns]) one.drop();
      for (const part of [parts.map, parts.model, parts.side, parts.hands]) part.destroy();
    },
  };
}
