// The table of the room Positions: position x dimension, curves of any dimensions, wavelengths, and
// how alike the rows of two positions are.

import { makeGrid } from "../../stage/draw/grid.js";
import { largestOf, shortLength, shortNumber } from "../../stage/draw/numbers.js";
import { make, makeButton, makeSwitch, setText } from "../../stage/page/elements.js";
import { markAsking } from "../../stage/page/rooms.js";
import { singlesFromBase64 } from "../../stage/run/decode.js";
import { isSine, makePositionAnswers, nameOfRow, noteOf, POSITION_BAR } from "./parts.js";
import {
  columnAxis, columnsOf, fillPositionChips, makePositionCircle, makePositionCurves,
} from "./waves.js";

const POSITION_KINDS = ["sinusoidal", "learned", "rotary", "relative", "none"];
const POSITION_COLUMNS = ["waves", "all"];
const MOST_CURVES = 6;

export function makePositionTable(t, session, ask, redraw, before = {}) {
  const { state } = session;
  const answers = makePositionAnswers(session, ask, redraw);
  const owns = makePositionAnswers(session, ask, redraw); // the model's table, beside another kind's
  const { kind = null, row = 3, other = 8, dimensions = [], columns: drawn = "waves",
    column = dimensions.at(-1) ?? 0, side: keptSide = "source" } = before;
  const look = { kind: kind === "own" ? null : kind, side: keptSide, row, other, column, kept: dimensions,
    columns: drawn, pointed: null, alike: null, held: null, answer: null, ownAnswer: null, own: null };
  const kinds = makeSwitch("kind", t("positions_kind"), POSITION_KINDS.map((kind) =>
    [kind, t(`positions_kind_${kind}`), t(`positions_kind_${kind}_hint`)]), (kind) => {
    look.kind = kind;
    redraw.now();
  });
  const sides = makeSwitch("tableSide", t("positions_table_side"), ["source", "target"].map((side) =>
    [side, t(`strip_${side}`), t(`positions_side_${side}_hint`)]), (side) => {
    look.side = side;
    redraw.now();
  });
  markAsking(kinds.element, sides.element);
  const columns = makeSwitch("columns", t("positions_columns"), POSITION_COLUMNS.map((which) =>
    [which, t(`positions_columns_${which}`), t(`positions_columns_${which}_hint`)]), (which) => {
    look.columns = which;
    redraw();
  });
  const picked = make("span", { class: "positions-quiet", title: t("positions_picked_hint") });
  const badge = make("span", { class: "positions-badge" });
  const note = make("p", { class: "positions-note" });
  const number = make("input", { type: "number", min: "0", class: "positions-number",
    "aria-label": t("positions_dimension"), on: {
      change: () => {
        const count = look.held?.shape[1] ?? 1;
        look.column = Math.max(0, Math.min(count - 1, Math.round(Number(number.value) || 0)));
        redraw();
      },
    } });
  const keep = makeButton({ class: "plain positions-keep", text: t("positions_keep"),
    title: t("positions_keep_hint"), data: { act: "keep" } }, () => {
    toggle(look.column);
    redraw();
  });
  const chips = make("div", { class: "positions-chips", role: "group",
    "aria-label": t("positions_curves") });
  const map = makeGrid(t, { box: "positions-grid", data: { grid: "table" }, redraw,
    keep(place, extra) {
      const column = columnsNow(look.held)[place.column];
      Object.assign(look, { row: place.row, column, pointed: null, alike: null });
      if (extra) toggle(column);
      redraw();
    },
    point: (place) => pointAt("pointed", place
      && { row: place.row, column: columnsNow(look.held)[place.column] }),
  });
  const own = makeGrid(t, { box: "positions-grid", data: { grid: "own" }, redraw,
    keep({ row }) {
      Object.assign(look, { row, pointed: null, alike: null });
      redraw();
    },
    /** What is read is the table beside it, as far as that goes. */
    point(place) {
      const [rows, width] = look.held.shape;
      const column = place && columnsNow(look.own)[place.column];
      pointAt("pointed", place && place.row < rows && column < width
        ? { row: place.row, column } : null);
    },
  });
  const alike = makeGrid(t, { box: "positions-grid", data: { grid: "alike" }, redraw,
    keep(place) {
      Object.assign(look, { row: place.row, other: place.column, alike: place });
      redraw();
    },
    point: (place) => pointAt("alike", place),
  });
  const curves = makePositionCurves(t, (row) => {
    look.row = row;
    redraw();
  }, redraw);
  const reading = make("p", { class: "reading positions-reading", "aria-live": "polite" });
  const nothing = make("p", { class: "positions-nothing", text: t("positions_none_added") });
  const [ownTitle, itsTitle] = [0, 1].map(() => make("figcaption"));
  const circle = makePositionCircle(t, redraw);
  const pair = makePair(t, look, redraw);
  const field = make("label", { class: "positions-field" }, [
    make("span", { text: t("positions_dimension") }), number]);
  const compared = make("div", { class: "positions-pair" }, [
      make("section", { class: "positions-pane", "aria-label": t("positions_alike") }, [
        make("h3", { text: t("positions_alike") }), alike.element]),
      make("section", { class: "positions-pane", "aria-label": t("positions_two") }, [
        make("header", { class: "positions-bar" }, [make("h3", { text: t("positions_two") }),
          ...pair.fields]),
        make("div", { class: "positions-two" }, [circle.element, pair.said]),
        circle.line]),
  ]);
  const side = make("div", { class: "positions-side" }, [
    make("section", { class: "positions-pane", "aria-label": t("positions_curves") }, [
      make("header", { class: "positions-bar" }, [make("h3", { text: t("positions_curves") }),
        field, keep, chips]),
      curves.element]),
    compared,
  ]);
  const title = make("h3");
  const panes = make("div", { class: "positions-panes positions-table" }, [
    make("section", { class: "positions-pane", "aria-label": t("positions_table") }, [
      make("header", { class: "positions-bar" }, [title, columns.element, picked]),
      make("div", { class: "positions-tables" }, [
        make("figure", {}, [ownTitle, own.element]),
        make("figure", {}, [itsTitle, map.element, nothing]),
      ])]),
    side,
  ]);
  const element = make("div", { class: "positions-view" }, [
    make("div", { class: "positions-bar noted" }, [kinds.element, sides.element, badge, note]), panes,
    reading,
  ]);

  function pointAt(name, place) {
    const was = look[name];
    if (was?.row === place?.row && was?.column === place?.column) return;
    look[name] = place;
    redraw();
  }

  function toggle(column) {
    look.kept = look.kept.includes(column) ? look.kept.filter((other) => other !== column)
      : [...look.kept, column].slice(-MOST_CURVES + 1);
  }

  const shown = () => [...new Set([...look.kept, look.column])];
  const columnsNow = (table) => columnsOf(table, shown(), look.columns === "all");

  /** Sine or cosine, and the wavelength, of one dimension. */
  function aboutDimension(held, column) {
    const length = held.wavelengths[column];
    if (length === undefined) return t("positions_no_wavelength", { dimension: column });
    return t("positions_wavelength", { dimension: column,
      wave: t(isSine(held, column) ? "positions_sine_wave" : "positions_cosine_wave"), length: shortLength(length) });
  }

  function sentence(held) {
    const at = (row, column) => held.numbers[row * held.shape[1] + column];
    const pair = look.alike;
    if (held.offsets.length) {
      const { row, column } = look.pointed ?? look;
      const bucket = held.buckets[row];
      return t("positions_reading_bias", { distance: nameOfRow(held, row), head: column + 1,
        value: shortNumber(at(row, column)), bucket,
        from: nameOfRow(held, held.buckets.indexOf(bucket)),
        upto: nameOfRow(held, held.buckets.lastIndexOf(bucket)) });
    }
    if (pair && pair.row !== undefined) {
      const cosine = held.cosines[pair.row * held.shape[0] + pair.column];
      return t("positions_reading_alike", { a: pair.row, b: pair.column,
        distance: Math.abs(pair.row - pair.column), cosine: shortNumber(cosine),
        degrees: Math.round((Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI) });
    }
    const { row, column } = look.pointed ?? look;
    const verb = held.kind === "rotary" ? "positions_reading_turned" : "positions_reading_added";
    return `${t(verb, { row, column, value: shortNumber(at(row, column)) })} ${
      aboutDimension(held, column)}`;
  }

  function take(answer) {
    const table = { ...answer, numbers: singlesFromBase64(answer.table),
      cosines: singlesFromBase64(answer.similarity), products: singlesFromBase64(answer.products),
      distances: singlesFromBase64(answer.distances) };
    table.limit = largestOf(table.numbers);
    const [rows, columns] = answer.shape;
    if (columns > 0 && (look.kept.length === 0 || (look.held && look.held.shape[1] !== columns))) {
      look.kept = answer.curves;
      look.column = look.kept.at(-1);
    }
    look.row = Math.max(0, Math.min(rows - 1, look.row));
    look.other = Math.max(0, Math.min(rows - 1, look.other));
    if (columns > 0) {
      look.column = Math.min(columns - 1, look.column);
      look.kept = look.kept.filter((column) => column < columns);
    }
    look.held = table;
  }

  /** The two tables have one scale, so that their colours mean the same. */
  function ownTable(answer) {
    if (look.ownAnswer !== answer) {
      look.ownAnswer = answer;
      look.own = { ...answer, numbers: singlesFromBase64(answer.table) };
      look.own.limit = largestOf(look.own.numbers);
    }
    return look.own;
  }

  /**
   * The rows and the columns of a table, and what is marked there.
   * @returns {GridFrame}
   */
  function tableFrame(table, isOwn) {
    const [rows, width] = table.shape;
    const shownColumns = columnsNow(table);
    const indexOf = (column) => {
      const at = shownColumns.indexOf(column);
      return at < 0 ? null : at;
    };
    const { pointed } = look;
    const pointedAt = pointed && indexOf(pointed.column);
    return {
      key: [table, shownColumns.join()], kind: "signed", limit: table.limit,
      bar: table.limit < 0.1 ? POSITION_BAR + 10 : POSITION_BAR,
      rows: { labels: null, count: rows, counted: (row) => nameOfRow(table, row),
        title: t(table.offsets.length ? "positions_axis_distance" : "positions_axis_position") },
      columns: columnAxis(table, shownColumns, look.columns === "all", t),
      value: (row, at) => table.numbers[row * width + shownColumns[at]],
      pointed: pointedAt === null ? null : { row: pointed.row, column: pointedAt },
      kept: { row: Math.min(look.row, rows - 1), column: isOwn ? null : indexOf(look.column) },
      cross: !isOwn,
      rowMarks: isOwn || look.other === look.row || table.offsets.length ? [] : [look.other],
      marks: isOwn ? [] : look.kept.map(indexOf).filter((at) => at !== null),
      label: t("positions_table_label", { rows, columns: shownColumns.length }),
    };
  }

  function updateTitles(held, models) {
    kinds.update(look.kind ?? held.kind);
    // Relative positions are weights: no model of this size would have them.
    kinds.element.querySelector("[data-kind=relative]")
      .toggleAttribute("hidden", held.models_kind !== "relative");
    columns.update(look.columns);
    const [rows, width] = held.shape;
    const beside = !held.own && models.shape[0] > 0;
    columns.element.hidden = held.pairs.length === 0 && !(beside && models.pairs.length);
    setText(badge, t(held.own ? "positions_own_kind" : "positions_not_own",
      { kind: t(`positions_kind_${held.models_kind}`) }));
    badge.classList.toggle("foreign", !held.own);
    const isWhole = rows === held.positions && width === held.dimensions;
    const drawnPairs = columnsNow(held).length / 2;
    setText(picked, held.pairs.length && drawnPairs < width / 2 && look.columns !== "all"
      ? t("positions_picked", { drawn: drawnPairs, pairs: width / 2 }) : "");
    setText(note, t(noteOf(held), { positions: held.positions, dimensions: held.dimensions, steps: held.steps, first: held.first })
      + (isWhole ? "" : ` · ${t("positions_cut", { rows, columns: width })}`));
    panes.classList.toggle("beside", beside);
    ownTitle.parentElement.hidden = !beside;
    itsTitle.hidden = !beside;
    nothing.hidden = rows > 0;
    setText(nothing, t("positions_none_added"));
    const isBias = held.offsets.length > 0;
    setText(title, t(isBias ? "positions_table_bias" : "positions_table"));
    for (const part of [compared, field]) part.hidden = isBias;
    sides.update(held.side);
    sides.element.hidden = held.sides.length < 2;
    map.element.hidden = rows === 0;
    side.hidden = rows === 0;
    panes.classList.toggle("bare", side.hidden);
    setText(reading, rows ? sentence(held) : "");
    return beside;
  }

  function updateSide(held, palette, unit, scheme) {
    const [rows, width] = held.shape;
    const low = held.similarity_from;
    if (!held.offsets.length) alike.update({
      key: [held, "alike"], kind: low < 0 ? "signed" : "weight", limit: 1, range: [low, 1],
      wide: 1, bar: POSITION_BAR,
      rows: { labels: null, count: rows, title: t("positions_axis_position") },
      columns: { labels: null, count: rows, title: t("positions_axis_position") },
      value: (a, b) => held.cosines[a * rows + b],
      kept: { row: look.row, column: look.other }, cross: true, pointed: look.alike,
      label: t("positions_alike_label", { rows }),
    }, { palette, unit });
    if (document.activeElement !== number) number.value = String(look.column);
    number.max = String(width - 1);
    setText(keep, t(look.kept.includes(look.column) ? "positions_drop" : "positions_keep"));
    fillPositionChips(chips, look, shown(), t, held, scheme, redraw);
    curves.update(held, shown(), look, palette, unit);
    circle.update(held, look, palette, unit);
    pair.update(held);
  }

  return {
    element,
    update({ palette, unit, scheme }) {
      const model = state.run.recipe.model;
      const request = { study: "table", recipe: state.run.recipe, kind: look.kind ?? "own",
        side: look.side };
      const models = owns.of(`${model} ${look.side}`, { ...request, kind: "own" }, element);
      if (!models || owns.busy()) return; // one question at a time
      const answer = request.kind === "own" || request.kind === models.kind ? models
        : answers.of(`${model} ${request.kind} ${look.side}`, request, element);
      if (!answer) return;
      if (look.answer !== answer) {
        look.answer = answer;
        take(answer);
      }
      const { held } = look;
      if (updateTitles(held, models)) {
        const table = ownTable(models);
        setText(ownTitle, t("positions_own", { kind: t(`positions_kind_${table.kind}`) }));
        setText(itsTitle, t("positions_beside", { kind: t(`positions_kind_${held.kind}`) }));
        own.update(tableFrame(table, true), { palette, unit });
      }
      if (!held.shape[0]) return;
      map.update(tableFrame(held, false), { palette, unit });
      updateSide(held, palette, unit, scheme);
    },
    asks: ({ kind = look.kind ?? "own", side: asked = look.side }) =>
      ({ study: "table", kind, side: asked }),
    keep() {
      const { kind, side: shownSide, row, other, column, columns: which, kept } = look;
      return { kind, side: shownSide, row, other, column, columns: which, dimensions: kept };
    },
    drawn: () => ({
      busy: answers.busy() || owns.busy(), beside: look.own && panes.classList.contains("beside")
        ? { kind: look.own.kind, numbers: [...look.own.numbers] } : null,
      kind: look.held?.kind, own: look.held?.own, badge: badge.textContent,
      note: note.textContent, row: look.row, column: look.column, pointed: look.pointed,
      curves: shown(), shape: look.held?.shape, reading: reading.textContent,
      columns: look.held && columnsNow(look.held), similarity_from: look.held?.similarity_from,
      wavelengths: look.held?.wavelengths, numbers: look.held && [...look.held.numbers],
      similarity: look.held && [...look.held.cosines], boxes: map.boxes(),
      other: look.other, compared: pair.drawn(), turn: circle.drawn(),
    }),
    destroy: () => [map, own, alike, curves, circle].forEach((part) => part.destroy()),
  };
}

/** Two positions as numbers, and how near their rows are. */
function makePair(t, look, redraw) {
  const inputs = [["a", "row"], ["b", "other"]].map(([name, which]) => {
    const input = make("input", { type: "number", min: "0", class: "positions-number",
      "aria-label": t("positions_place", { name }), data: { position: name }, on: { change: () => {
        const last = look.held.shape[0] - 1;
        look[which] = Math.max(0, Math.min(last, Math.round(Number(input.value) || 0)));
        look.alike = null;
        input.value = String(look[which]);
        redraw();
      } } });
    return { input, which, field: make("label", { class: "positions-field" }, [
      make("span", { text: name }), input]) };
  });
  const said = make("dl", { class: "positions-compared", "aria-live": "polite" });
  const values = ["apart", "product", "cosine", "length"].map((name) => {
    const value = make("dd", { data: { compared: name } });
    said.append(make("div", { title: t(`positions_${name}_hint`) },
      [make("dt", { text: t(`positions_${name}`) }), value]));
    return value;
  });
  return {
    fields: inputs.map(({ field }) => field),
    said,
    update(held) {
      const [rows] = held.shape;
      for (const { input, which } of inputs) {
        input.max = String(rows - 1);
        if (document.activeElement !== input) input.value = String(look[which]);
      }
      const at = look.row * rows + look.other;
      [String(Math.abs(look.row - look.other)), shortNumber(held.products[at]),
        shortNumber(held.cosines[at]), shortNumber(held.distances[at])]
        .forEach((text, i) => setText(values[i], text));
    },
    drawn: () => values.map((value) => value.textContent),
  };
}
