// The table of the room Positions: position x dimension, curves of any dimensions, wavelengths,
// and how alike the rows of two positions are.

import { sizedContext } from "../../stage/draw/canvas.js";
import { makeGrid } from "../../stage/draw/grid.js";
import { typeSize } from "../../stage/draw/layout.js";
import { largestOf, scaleNumber, shortLength, shortNumber } from "../../stage/draw/numbers.js";
import { make, makeButton, makeSwitch, setText } from "../../stage/page/elements.js";
import { markAsking } from "../../stage/page/rooms.js";
import { singlesFromBase64 } from "../../stage/run/decode.js";
import { makePositionAnswers, POSITION_BAR } from "./parts.js";

const POSITION_KINDS = ["sinusoidal", "learned", "rotary", "none"];
const MOST_CURVES = 6;
const CURVE_DASHES = [[], [6, 3], [2, 3], [9, 3, 2, 3], [4, 2], [1, 2]];

export function makePositionTable(t, session, ask, redraw, before = {}) {
  const { state } = session;
  const answers = makePositionAnswers(session, ask, redraw);
  const owns = makePositionAnswers(session, ask, redraw); // the model's table, beside another kind's
  const { kind = null, row = 3, dimensions = [], column = dimensions.at(-1) ?? 0 } = before;
  const look = { kind: kind === "own" ? null : kind, row, column, kept: dimensions, pointed: null,
    alike: null, held: null, answer: null, ownAnswer: null, own: null };
  const kinds = makeSwitch("kind", t("positions_kind"), POSITION_KINDS.map((kind) =>
    [kind, t(`positions_kind_${kind}`), t(`positions_kind_${kind}_hint`)]), (kind) => {
    look.kind = kind;
    redraw.now();
  });
  markAsking(kinds.element);
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
      Object.assign(look, { row: place.row, column: place.column, pointed: null, alike: null });
      if (extra) toggle(place.column);
      redraw();
    },
    point: (place) => pointAt("pointed", place),
  });
  const own = makeGrid(t, { box: "positions-grid", data: { grid: "own" }, redraw,
    keep({ row }) {
      Object.assign(look, { row, pointed: null, alike: null });
      redraw();
    },
    /** What is read is the table beside it, as far as that goes. */
    point(place) {
      const [rows, columns] = look.held.shape;
      pointAt("pointed", place && place.row < rows && place.column < columns ? place : null);
    },
  });
  const alike = makeGrid(t, { box: "positions-grid", data: { grid: "alike" }, redraw,
    keep(place) {
      look.row = place.row;
      look.alike = place;
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
  const side = make("div", { class: "positions-side" }, [
      make("section", { class: "positions-pane", "aria-label": t("positions_curves") }, [
        make("header", { class: "positions-bar" }, [make("h3", { text: t("positions_curves") }),
          make("label", { class: "positions-field" }, [
            make("span", { text: t("positions_dimension") }), number]), keep]),
        chips, curves.element]),
      make("section", { class: "positions-pane", "aria-label": t("positions_alike") }, [
        make("h3", { text: t("positions_alike") }), alike.element]),
  ]);
  const panes = make("div", { class: "positions-panes positions-table" }, [
    make("section", { class: "positions-pane", "aria-label": t("positions_table") }, [
      make("h3", { text: t("positions_table") }),
      make("div", { class: "positions-tables" }, [
        make("figure", {}, [ownTitle, own.element]),
        make("figure", {}, [itsTitle, map.element, nothing]),
      ])]),
    side,
  ]);
  const element = make("div", { class: "positions-view" }, [
    make("div", { class: "positions-bar" }, [kinds.element, badge]), note, panes, reading,
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

  /** Sine or cosine, and the wavelength, of one dimension. */
  function aboutDimension(held, column) {
    const length = held.wavelengths[column];
    if (length === undefined) return t("positions_no_wavelength", { dimension: column });
    const isSine = (column % 2 === 0) === (held.kind === "sinusoidal");
    return t("positions_wavelength", { dimension: column,
      wave: t(isSine ? "positions_sine" : "positions_cosine"), length: shortLength(length) });
  }

  function sentence(held) {
    const at = (row, column) => held.numbers[row * held.shape[1] + column];
    const pair = look.alike;
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
      cosines: singlesFromBase64(answer.similarity) };
    const [rows, columns] = answer.shape;
    if (columns > 0 && (look.kept.length === 0 || (look.held && look.held.shape[1] !== columns))) {
      look.kept = answer.curves;
      look.column = look.kept.at(-1);
    }
    look.row = Math.max(0, Math.min(rows - 1, look.row));
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

  return {
    element,
    update({ palette, unit, scheme }) {
      const drawn = { palette, unit };
      const axis = (name, count) => ({ labels: null, count, title: t(`positions_axis_${name}`) });
      const model = state.run.recipe.model;
      const request = { study: "table", recipe: state.run.recipe, kind: look.kind ?? "own" };
      const models = owns.of(model, { ...request, kind: "own" }, element);
      if (!models || owns.busy()) return; // one question at a time
      const answer = request.kind === "own" || request.kind === models.kind ? models : answers.of(`${model} ${request.kind}`, request, element);
      if (!answer) return;
      if (look.answer !== answer) {
        look.answer = answer;
        take(answer);
      }
      const { held } = look;
      kinds.update(look.kind ?? held.kind);
      setText(badge, t(held.own ? "positions_own" : "positions_not_own",
        { kind: t(`positions_kind_${held.models_kind}`) }));
      badge.classList.toggle("foreign", !held.own);
      const [rows, columns] = held.shape;
      const whole = rows === held.positions && columns === held.dimensions;
      setText(note, t(`positions_note_${held.kind}${held.own ? "" : "_foreign"}`,
        { positions: held.positions, dimensions: held.dimensions })
        + (whole ? "" : ` · ${t("positions_cut", { rows, columns })}`));
      const beside = !held.own && models.shape[0] > 0;
      panes.classList.toggle("beside", beside);
      ownTitle.parentElement.hidden = !beside;
      itsTitle.hidden = !beside;
      nothing.hidden = rows > 0;
      map.element.hidden = rows === 0;
      side.hidden = rows === 0;
      setText(reading, rows ? sentence(held) : "");
      if (beside) {
        const { shape, numbers, limit, kind } = ownTable(models);
        setText(ownTitle, t("positions_own", { kind: t(`positions_kind_${kind}`) }));
        setText(itsTitle, t("positions_beside", { kind: t(`positions_kind_${held.kind}`) }));
        own.update({
          key: [models], kind: "signed", limit, bar: POSITION_BAR,
          rows: axis("position", shape[0]), columns: axis("dimension", shape[1]),
          value: (row, column) => numbers[row * shape[1] + column], pointed: look.pointed,
          kept: { row: Math.min(look.row, shape[0] - 1), column: null },
          label: t("positions_table_label", { rows: shape[0], columns: shape[1] }),
        }, drawn);
      }
      if (!rows) return;
      map.update({
        key: [held], kind: "signed", limit: held.limit ??= largestOf(held.numbers),
        bar: POSITION_BAR, rows: axis("position", rows), columns: axis("dimension", columns),
        value: (row, column) => held.numbers[row * columns + column],
        kept: { row: look.row, column: look.column }, cross: true, marks: look.kept,
        pointed: look.pointed, label: t("positions_table_label", { rows, columns }),
      }, drawn);
      alike.update({
        key: [held, "alike"], kind: "signed", limit: 1, wide: 1, bar: POSITION_BAR,
        rows: axis("position", rows), columns: axis("position", rows),
        value: (a, b) => held.cosines[a * rows + b],
        kept: { row: look.row, column: null }, pointed: look.alike,
        label: t("positions_alike_label", { rows }),
      }, drawn);
      if (document.activeElement !== number) number.value = String(look.column);
      number.max = String(columns - 1);
      setText(keep, t(look.kept.includes(look.column) ? "positions_drop" : "positions_keep"));
      fillPositionChips(chips, look, shown(), t, held, scheme, redraw);
      curves.update(held, shown(), look, palette, unit);
    },
    keep() {
      return { kind: look.kind, row: look.row, column: look.column, dimensions: look.kept };
    },
    drawn: () => ({
      busy: answers.busy() || owns.busy(), beside: look.own && panes.classList.contains("beside")
        ? { kind: look.own.kind, numbers: [...look.own.numbers] } : null,
      kind: look.held?.kind, own: look.held?.own, badge: badge.textContent,
      note: note.textContent, row: look.row, column: look.column, pointed: look.pointed, curves: shown(),
      shape: look.held?.shape, reading: reading.textContent,
      wavelengths: look.held?.wavelengths, numbers: look.held && [...look.held.numbers],
      similarity: look.held && [...look.held.cosines], boxes: map.boxes(),
    }),
    destroy() {
      map.destroy();
      own.destroy();
      alike.destroy();
      curves.destroy();
    },
  };
}

/** One button a curve: pressing it selects that dimension. */
function fillPositionChips(chips, look, shown, t, held, scheme, redraw) {
  const key = `${shown.join()} ${look.column} ${held.kind} ${scheme}`;
  if (chips.dataset.key === key) return;
  chips.dataset.key = key;
  chips.replaceChildren(...shown.map((column, i) => {
    const line = make("canvas", { class: "positions-dash", "aria-hidden": "true" });
    const length = held.wavelengths[column];
    const chip = makeButton({ class: "positions-chip", data: { column },
      "aria-pressed": String(column === look.column) }, () => {
      look.column = column;
      redraw();
    }, [line, make("span", { text: length === undefined ? String(column)
      : t("positions_chip", { dimension: column, length: shortLength(length) }) })]);
    const pen = sizedContext(line, 22, 8);
    pen.strokeStyle = getComputedStyle(chips).getPropertyValue(
      column === look.column ? "--accent" : "--ink");
    pen.lineWidth = 1.5;
    pen.setLineDash(CURVE_DASHES[i % CURVE_DASHES.length]);
    pen.beginPath();
    pen.moveTo(0, 4);
    pen.lineTo(22, 4);
    pen.stroke();
    return chip;
  }));
}

/** The three levels of a chart around 0, and the pen for the numbers under it. */
export function paintChartFrame(context, palette, { width, height, type, left, right, y, limit }) {
  context.clearRect(0, 0, width, height);
  context.font = `${type.toFixed(1)}px ${palette.sans}`;
  context.fillStyle = palette.quiet;
  context.strokeStyle = palette.hair;
  context.lineWidth = 1;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (const value of [limit, 0, -limit]) {
    context.fillText(scaleNumber(value, 1), left - 6, y(value));
    context.beginPath();
    context.moveTo(left, y(value));
    context.lineTo(right, y(value));
    context.stroke();
  }
}

/** The curves of some dimensions over all positions. */
function makePositionCurves(t, pick, redraw) {
  const canvas = make("canvas", { class: "positions-curves-canvas", role: "img",
    "aria-label": t("positions_curves_label") });
  const element = make("div", { class: "positions-curves" }, [canvas]);
  const context = canvas.getContext("2d");
  const watcher = new ResizeObserver(() => redraw());
  watcher.observe(element);
  let place = null;
  const choose = (event) => {
    if (!place || (event.type === "pointermove" && event.buttons !== 1)) return;
    const x = event.clientX - canvas.getBoundingClientRect().left - place.left;
    pick(Math.max(0, Math.min(place.rows - 1, Math.round(x / place.pitch))));
  };
  canvas.addEventListener("pointerdown", choose);
  canvas.addEventListener("pointermove", choose);
  return {
    element,
    update(held, shown, look, palette, unit) {
      const width = element.clientWidth;
      const height = element.clientHeight;
      if (width < 60 || height < 40) return;
      sizedContext(canvas, width, height);
      const [rows, columns] = held.shape;
      const type = 0.86 * typeSize(unit);
      const left = 3.9 * type;
      const bottom = height - 1.6 * type;
      place = { left, rows, pitch: (width - left - 8) / Math.max(1, rows - 1) };
      const x = (row) => left + row * place.pitch;
      const y = (value) => 6 + ((1 - value / held.limit) / 2) * (bottom - 12);
      paintChartFrame(context, palette, { width, height, type, left, right: width - 4, y,
        limit: held.limit });
      context.textAlign = "center";
      const step = [1, 2, 4, 8, 16, 32, 64].find((n) => n * place.pitch > 3 * type) ?? 128;
      for (let row = 0; row < rows; row += step) {
        context.fillText(String(row), x(row), height - 0.7 * type);
      }
      context.strokeStyle = palette.accent;
      context.beginPath();
      context.moveTo(x(look.row), 2);
      context.lineTo(x(look.row), bottom);
      context.stroke();
      shown.forEach((column, i) => {
        const active = column === look.column;
        context.strokeStyle = active ? palette.accent : palette.ink;
        context.fillStyle = context.strokeStyle;
        context.globalAlpha = active ? 1 : 0.75;
        context.lineWidth = active ? 2 : 1.2;
        context.setLineDash(CURVE_DASHES[i % CURVE_DASHES.length]);
        context.beginPath();
        for (let row = 0; row < rows; row += 1) {
          context.lineTo(x(row), y(held.numbers[row * columns + column]));
        }
        context.stroke();
        context.setLineDash([]);
        context.beginPath();
        context.arc(x(look.row), y(held.numbers[look.row * columns + column]), 3, 0, 7);
        context.fill();
      });
      context.globalAlpha = 1;
    },
    destroy: () => watcher.disconnect(),
  };
}
