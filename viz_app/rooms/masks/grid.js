// The small maps of the room Masks: a mask, scores, weights or a difference, tokens on both axes.
//
// A `sheet` says what one map shows:
//   name, kind          "mask" | "scores" | "weights" | "difference"
//   title, says, values its words, the key they stand under, and what fills them
//   value(q, k)         the number of a cell; a mask's is 1 or 0
//   hidden(q, k)        whether the mask hides the cell
//   mark(q, k)          "opened", "closed" or null: how the cell departs from the model's own mask
//   reached             rows drawn; the others are still to come
//   most                what the ends of a diverging scale stand for
//   fill                what a hidden score became, or null
// `axes` ({rows, columns}: labels; {rowPlaces, columnPlaces}: see maskPlaces) and the layout are the
// same for all maps of a room, so a place in one is the same place in all. The canvas is as large as
// its box and is painted where the box is scrolled to: the labels of both axes never leave.

import { sizedContext } from "../../stage/draw/canvas.js";
import { fixed, shortNumber } from "../../stage/draw/numbers.js";
import { bytesFromHex, divergingParts, luminance } from "../../stage/draw/palette.js";
import { make, setText, setTrait } from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/glossary.js";
import { paintMaskMap } from "./paint.js";

const MASKS_LEAST_PITCH = 10; // CSS pixels of a cell at the normal type size
const MASKS_MOST_PITCH = 34;
export const MASKS_MOST_RUN = 6; // pads in a row that are all drawn
const MASKS_KEPT_PADS = 3; // of a longer run; the rest are counted

/**
 * The colours of numbers with a sign, from -1 to 1.
 * @returns {{of: function(number): string, on: function(number): string}}
 */
export function readSigned(root, palette) {
  const parts = divergingParts(root);
  const at = (value) => 3 * Math.round(255 * (1 + Math.max(-1, Math.min(1, value))));
  const bytes = (value) => parts.slice(at(value), at(value) + 3);
  const contrast = (value, text) => {
    const [a, b] = [luminance(bytes(value)), luminance(bytesFromHex(text))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  return {
    of: (value) => `rgb(${bytes(value).join(" ")})`,
    on: (value) => (contrast(value, palette.dark_text) > contrast(value, palette.light_text)
      ? palette.dark_text : palette.light_text),
  };
}

/**
 * The places of an axis: one a label, but a long run of pads keeps its first few and one place for
 * the rest, {at: null, hidden: how many}.
 */
export function maskPlaces(labels, unfolded) {
  const places = labels.map((_, at) => ({ at, hidden: 0 }));
  const first = labels.findIndex(({ kind }) => kind === "pad"); // pads stand at the end
  const pads = first < 0 ? 0 : labels.length - first;
  if (unfolded || pads <= MASKS_MOST_RUN) return places;
  const kept = first + MASKS_KEPT_PADS;
  return [...places.slice(0, kept), { at: null, hidden: labels.length - kept }];
}

/** Where the places of all maps of a room go, in a box of `width` by `height` CSS pixels. */
export function layoutMasks(axes, width, height, unit, measure) {
  const type = Math.round(112 * unit) / 10;
  const widest = (labels) => labels.reduce((most, { label }) => Math.max(most, measure(label)), 8);
  const rowLabel = Math.min(widest(axes.rows), 0.3 * width, 92 * unit);
  const left = Math.round(rowLabel + 13 * unit);
  const [C, R] = [axes.columnPlaces.length, axes.rowPlaces.length];
  const across = (width - left - 2) / C;
  const flat = widest(axes.columns) + 8 * unit <= across;
  const reach = flat ? type : Math.min(widest(axes.columns), 70 * unit);
  const top = Math.round(reach + (flat ? 0.6 : 1.1) * type);
  const least = MASKS_LEAST_PITCH * unit;
  const most = MASKS_MOST_PITCH * unit;
  const pitchX = Math.floor(Math.max(least, Math.min(across, most * 1.5)));
  const pitchY = Math.floor(Math.max(least, Math.min((height - top - 2) / R, most, 1.2 * pitchX)));
  return { type, unit, rowLabel, left, top, reach, flat, pitchX, pitchY,
    width: left + C * pitchX + 2, height: top + R * pitchY + 2 };
}

export function makeMaskMap(t, hooks) {
  const title = make("span", { class: "masks-title" });
  const scale = make("span", { class: "masks-scale", "aria-hidden": "true" });
  const canvas = make("canvas", { class: "masks-canvas", tabindex: "0", role: "application",
    "aria-roledescription": t("map_role") });
  const marks = ["row", "column", "kept"].map((name) =>
    make("div", { class: `masks-mark masks-mark-${name}`, hidden: true }));
  const extent = make("div", { class: "masks-extent" }, [canvas, ...marks]);
  const box = make("div", { class: "masks-box" }, [extent]);
  const none = make("p", { class: "masks-none", hidden: true });
  const element = make("figure", { class: "masks-map" }, [
    make("figcaption", {}, [title, scale]), box, none,
  ]);
  const context = canvas.getContext("2d");
  let now = null; // {sheet, axes, layout}
  let painted = [];
  let termed = { says: null };

  /** The title, in which terms are explained. */
  function name({ says, values }) {
    if (termed.says !== says) {
      termed = { says, ...makeTermed(t, says) };
      title.replaceChildren(termed.element);
    }
    termed.update(values);
  }

  /** The cell under the pointer; "fold" over the place of the pads that are only counted. */
  function hit(event) {
    if (!now || now.why) return null;
    const at = canvas.getBoundingClientRect();
    const { layout, axes } = now;
    const [x, y] = [event.clientX - at.left - layout.left, event.clientY - at.top - layout.top];
    if (x < 0 || y < 0) return null;
    const column = axes.columnPlaces[Math.floor((x + box.scrollLeft) / layout.pitchX)];
    const row = axes.rowPlaces[Math.floor((y + box.scrollTop) / layout.pitchY)];
    if (!row || !column) return null;
    return row.at === null || column.at === null ? "fold" : { query: row.at, key: column.at };
  }
  const cellUnder = (event) => {
    const place = hit(event);
    return place === "fold" ? null : place;
  };
  canvas.addEventListener("pointermove", (event) => hooks.point(cellUnder(event)));
  canvas.addEventListener("pointerdown", (event) => {
    const place = hit(event);
    if (place === "fold") hooks.unfold();
    else if (place) hooks.keep(place);
    hooks.point(place === "fold" ? null : place);
  });
  canvas.addEventListener("pointerleave", () => hooks.point(null));
  canvas.addEventListener("blur", () => hooks.point(null));
  canvas.addEventListener("keydown", (event) => {
    if (!now || now.why || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") hooks.point(null);
    const from = hooks.pointed();
    const turn = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const move = turn[event.key];
    if (event.key === "Enter" && from) hooks.keep(from);
    if (!move && !(event.key === "Enter" && from)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!move) return;
    const { axes } = now;
    // Pads that are only counted stand last, so the drawn places are counted like the tokens.
    const last = (places) => places.filter(({ at }) => at !== null).length - 1;
    const within = (value, most) => Math.max(0, Math.min(most, value));
    const next = from ? {
      query: within(from.query + move[0], last(axes.rowPlaces)),
      key: within(from.key + move[1], last(axes.columnPlaces)),
    } : { query: 0, key: 0 };
    bringIntoView(next);
    hooks.point(next);
  });
  box.addEventListener("scroll", () => hooks.scrolled(box), { passive: true });

  function bringIntoView({ query, key }) {
    const { left, top, pitchX, pitchY } = now.layout;
    const [x, y] = [key * pitchX, query * pitchY];
    box.scrollLeft = Math.max(x + pitchX + left - box.clientWidth, Math.min(box.scrollLeft, x));
    box.scrollTop = Math.max(y + pitchY + top - box.clientHeight, Math.min(box.scrollTop, y));
  }

  /** The row and the column of the cell pointed at, and a frame around the cell that is kept. */
  function placeMarks({ pointed, kept }) {
    const { axes, layout } = now;
    const { left, top, pitchX, pitchY, width, height } = layout;
    const drawn = (cell) => cell && axes.rowPlaces[cell.query]?.at === cell.query
      && axes.columnPlaces[cell.key]?.at === cell.key;
    const y = (cell) => top + cell.query * pitchY;
    const x = (cell) => left + cell.key * pitchX;
    // What has gone under the labels is not marked over them.
    const below = (cell) => y(cell) - box.scrollTop >= top - 1;
    const beside = (cell) => x(cell) - box.scrollLeft >= left - 1;
    const isOn = drawn(pointed);
    const isKept = drawn(kept);
    const boxes = [
      isOn && below(pointed) && [0, y(pointed), width - 1, pitchY],
      isOn && beside(pointed) && [x(pointed), 0, pitchX, height - 1],
      isKept && below(kept) && beside(kept)
        && [x(kept) - 1, y(kept) - 1, pitchX + 1, pitchY + 1],
    ];
    marks.forEach((mark, i) => {
      mark.hidden = !boxes[i];
      if (!boxes[i]) return;
      const [markX, markY, markWidth, markHeight] = boxes[i];
      mark.style.transform = `translate(${markX}px, ${markY}px)`;
      mark.style.width = `${markWidth}px`;
      mark.style.height = `${markHeight}px`;
    });
  }

  function legend(sheet, palette, signed) {
    if (sheet.kind === "mask") { // one legend does for all three
      scale.replaceChildren(...(sheet.name !== "pad" ? [] : [
        maskChip(t("masks_open"), "masks-open"), maskChip(t("masks_hidden"), "masks-hatch")]));
      return;
    }
    if (sheet.fill) { // the colours are those of the map before
      scale.replaceChildren(maskChip(sheet.fill, "masks-hatch"));
      return;
    }
    const [low, high] = sheet.kind === "weights" ? ["0", "1"]
      : sheet.kind === "scores" ? [fixed(-sheet.most, 1), fixed(sheet.most, 1)]
        : [shortNumber(-sheet.most), shortNumber(sheet.most)];
    const bar = make("i", { class: "masks-bar" });
    const stops = Array.from({ length: 9 }, (_, i) => (sheet.kind === "weights"
      ? palette.of(i / 8) : signed.of(i / 4 - 1)));
    bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
    scale.replaceChildren(make("span", { class: "masks-chip" },
      [make("span", { text: low }), bar, make("span", { text: high })]));
  }

  return {
    element,
    box,
    /** Before `viewOf` and `update`, for all maps of a room. */
    reserve(layout, why = null) {
      box.hidden = why !== null;
      none.hidden = why === null;
      setText(none, why ?? "");
      scale.hidden = why !== null;
      extent.style.width = `${layout.width}px`;
      extent.style.height = `${layout.height}px`;
    },
    /** What of the map its box shows, in CSS pixels. */
    viewOf: (layout) => ({ width: Math.min(box.clientWidth, layout.width),
      height: Math.min(box.clientHeight, layout.height), x: box.scrollLeft, y: box.scrollTop }),
    /** `why` stands in the place of a map that there is not. */
    update(sheet, axes, layout, look, view, why = null) {
      name(sheet);
      now = { sheet, axes, layout, why };
      if (why !== null) {
        painted = [];
        return;
      }
      const ratio = window.devicePixelRatio || 1;
      const key = [sheet, axes, look.palette, ratio, layout, ...Object.values(view)];
      if (key.length !== painted.length || key.some((part, i) => part !== painted[i])) {
        if (sheet !== painted[0] || look.palette !== painted[2]) {
          legend(sheet, look.palette, look.signed);
          setTrait(canvas, "aria-label", t("masks_map_label",
            { title: sheet.title, rows: axes.rows.length, columns: axes.columns.length }));
        }
        painted = key;
        sizedContext(canvas, view.width, view.height);
        paintMaskMap(context, sheet, axes, layout, view, look);
      }
      placeMarks(look);
    },
    drawn() {
      if (!now || element.hidden) return null;
      const { sheet, axes, layout, why } = now;
      if (why) return { name: sheet.name, title: sheet.title, none: why };
      const cells = (of) => axes.rows.map((_, q) => axes.columns.map((_, k) => of(q, k)));
      return {
        name: sheet.name,
        title: sheet.title,
        row_labels: axes.rows.map(({ label }) => label),
        column_labels: axes.columns.map(({ label }) => label),
        row_kinds: axes.rows.map(({ kind }) => kind),
        column_kinds: axes.columns.map(({ kind }) => kind),
        values: cells((q, k) => (q < sheet.reached ? finiteOrText(sheet.value(q, k)) : null)),
        hidden: cells((q, k) => sheet.hidden(q, k)),
        marks: cells((q, k) => sheet.mark(q, k)),
        reached: sheet.reached,
        most: sheet.most ?? null,
        first_cell: [layout.left, layout.top, layout.pitchX, layout.pitchY],
        places: [axes.rowPlaces, axes.columnPlaces],
        scrolled: [box.scrollLeft, box.scrollTop],
      };
    },
  };
}

/** A small square of the maps and what it means. */
function maskChip(text, kind) {
  return make("span", { class: "masks-chip" }, [
    make("i", { class: kind }), make("span", { text })]);
}

/** JSON has no minus infinity. */
function finiteOrText(value) {
  return Number.isFinite(value) ? value : "−∞";
}
