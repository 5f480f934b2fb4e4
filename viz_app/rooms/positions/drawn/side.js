// What stands beside the table of positions: curves of some dimensions, how alike the rows of two
// positions are, and the two as points of a circle.

import { makeGrid } from "../../../stage/draw/grid.js";
import { shortNumber } from "../../../stage/draw/numbers.js";
import { hide, make, makeButton, setText } from "../../../stage/page/elements.js";
import { makePane, POSITION_BAR } from "../parts.js";
import { makePositionChips, makePositionCircle, makePositionCurves } from "./waves.js";

const MOST_CURVES = 6;

/** The dimensions whose curves are drawn. @param {TableLook} look @returns {number[]} */
export const shownOf = ({ kept, column }) => [...new Set([...kept, column])];

/** Keeps the curve of a dimension, or lets it go. @param {TableLook} look @param {number} column */
export function toggle(look, column) {
  look.kept = look.kept.includes(column) ? look.kept.filter((other) => other !== column)
    : [...look.kept, column].slice(-MOST_CURVES + 1);
}

/** @param {number} value @param {number} count */
const within = (value, count) => Math.max(0, Math.min(count - 1, Math.round(value) || 0));

/**
 * A number to type, with its name.
 * @param {string} text
 * @param {Record<string, any>} traits
 * @param {function(number): void} choose
 */
function makeNumber(text, traits, choose) {
  const input = make("input", { type: "number", min: "0", class: "positions-number", ...traits,
    on: { change: () => choose(Number(input.value)) } });
  return {
    element: make("label", { class: "positions-field" }, [make("span", { text }), input]),
    /** @param {number} value @param {number} count how many there are @param {boolean} isTyped whether it was typed just now */
    update(value, count, isTyped = false) {
      input.max = String(count - 1);
      if (isTyped || document.activeElement !== input) input.value = String(value);
    },
  };
}

/**
 * Two positions as numbers, and how near their rows are.
 * @param {Words} t
 * @param {TableLook} look
 * @param {function(): number} count of the positions
 * @param {Redraw} redraw
 */
function makePair(t, look, count, redraw) {
  const inputs = /** @type {const} */ ([["a", "row"], ["b", "other"]]).map(([name, which]) => {
    const field = makeNumber(name, { "aria-label": t("positions_place", { name }),
      data: { position: name } }, (value) => {
      look[which] = within(value, count());
      look.alike = null;
      field.update(look[which], count(), true);
      redraw();
    });
    return { which, field };
  });
  const values = ["apart", "product", "cosine", "length"].map((name) =>
    ({ name, value: make("dd", { data: { compared: name } }) }));
  return {
    fields: inputs.map(({ field }) => field.element),
    said: make("dl", { class: "positions-compared", "aria-live": "polite" }, values.map(({ name, value }) =>
      make("div", { title: t(`positions_${name}_hint`) },
        [make("dt", { text: t(`positions_${name}`) }), value]))),
    /** @param {ReadTable} held */
    update({ shape: [rows], products, cosines, distances }) {
      for (const { which, field } of inputs) field.update(look[which], rows);
      const at = look.row * rows + look.other;
      [String(Math.abs(look.row - look.other)), shortNumber(products[at]), shortNumber(cosines[at]),
        shortNumber(distances[at])].forEach((text, i) => setText(values[i].value, text));
    },
  };
}

/** @param {Words} t @param {TableLook} look @param {Redraw} redraw */
export function makeTableSide(t, look, redraw) {
  /** @type {?ReadTable} */
  let now = null;
  /** @param {Partial<TableLook>} changes */
  const change = (changes) => {
    Object.assign(look, changes);
    redraw();
  };
  const number = makeNumber(t("positions_axis_dimension"), { "aria-label": t("positions_axis_dimension") },
    (value) => change({ column: within(value, now?.shape[1] ?? 1) }));
  const keep = makeButton({ class: "plain positions-keep", text: t("positions_keep"),
    title: t("positions_keep_hint"), data: { act: "keep" } }, () => {
    toggle(look, look.column);
    redraw();
  });
  const chips = makePositionChips(t, (column) => change({ column }));
  const curves = makePositionCurves(t, (row) => change({ row }), redraw);
  const alike = makeGrid(t, { box: "positions-grid", data: { grid: "alike" }, redraw,
    keep: (cell) => change({ row: cell.row, other: cell.column, alike: cell }),
    point: (cell) => change({ alike: cell }) });
  const circle = makePositionCircle(t, redraw);
  const pair = makePair(t, look, () => now?.shape[0] ?? 1, redraw);
  const compared = make("div", { class: "positions-pair" }, [makePane(t, "alike", [alike.element]),
    makePane(t, "two", [make("div", { class: "positions-two" }, [circle.element, pair.said]),
      circle.line], pair.fields)]);
  const curvesPane = makePane(t, "curves", [curves.element], [number.element, keep, chips.element]);
  const element = make("div", { class: "positions-side" }, [curvesPane, compared]);

  /** @param {ReadTable} held @param {Look} drawing */
  function drawAlike(held, drawing) {
    const [rows] = held.shape;
    const low = held.similarity_from;
    const axis = { labels: null, count: rows, title: t("positions_axis_position") };
    alike.update({
      key: [held, "alike"], kind: low < 0 ? "signed" : "weight", limit: 1, range: [low, 1],
      wide: 1, bar: POSITION_BAR, rows: axis, columns: axis,
      value: (a, b) => held.cosines[a * rows + b],
      kept: { row: look.row, column: look.other }, cross: true, pointed: look.alike,
      label: t("positions_alike_label", { rows }),
    }, drawing);
  }

  return {
    element,
    /** What a picture shows; none where this table has none. @param {string} picture */
    part: (picture) => (picture === "curves" ? curvesPane
      : picture === "similarity" && !compared.hidden ? alike.element : null),
    /** What a table of distances has not. @param {boolean} isBias */
    fit(isBias) {
      for (const part of [compared, number.element]) hide(part, isBias);
    },
    /** @param {ReadTable} held @param {Look} drawing */
    say(held, drawing) {
      now = held;
      number.update(look.column, held.shape[1]);
      setText(keep, t(look.kept.includes(look.column) ? "positions_drop" : "positions_keep"));
      chips.update(held, shownOf(look), look.column, drawing.palette);
      circle.say(held, look);
      pair.update(held);
    },
    measure: () => [alike, curves, circle].forEach((part) => part.measure()),
    /** Draws them, once all is said. @param {ReadTable} held @param {Look} drawing */
    draw(held, drawing) {
      if (!held.offsets.length) drawAlike(held, drawing);
      curves.update(held, shownOf(look), look, drawing);
      circle.draw(held, look, drawing);
    },
    destroy: () => [alike, curves, circle].forEach((part) => part.destroy()),
  };
}
