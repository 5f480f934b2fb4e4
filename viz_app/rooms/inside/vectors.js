// Vectors under one another, one column a dimension, so that what stands in a column belongs
// together: pointing at a dimension marks it in every vector and prints its numbers.

import { sizedContext } from "../../stage/draw/canvas.js";
import { widthOf } from "../../stage/draw/labels.js";
import { exactNumber, shortNumber } from "../../stage/draw/numbers.js";
import { divergingParts } from "../../stage/draw/palette.js";
import { make, setText, setTrait } from "../../stage/page/elements.js";

const INSIDE_ROW = 19; // CSS pixels of one vector at the normal type size
const INSIDE_BARS = 46; // of one that is drawn as bars
const INSIDE_AXIS = 17; // the line of dimension numbers above
const INSIDE_RULE = 7; // free room before a sum
const INSIDE_WIDEST = 26; // CSS pixels of one dimension

/** The largest absolute value of several vectors, never 0. */
function insideLimit(vectors) {
  let most = 0;
  for (const vector of vectors) {
    for (const number of vector) most = Math.max(most, Math.abs(number));
  }
  return most || 1;
}

/** Where bars stand so that the largest and the smallest just fit, and pixels a unit. */
function barsZero(values, top, height) {
  const most = Math.max(0, ...values);
  const range = most - Math.min(0, ...values) || 1;
  return { y: top + (most / range) * height, scale: height / range };
}

/** The place of the largest absolute value. */
export function insideLargest(vector) {
  let best = 0;
  for (let i = 1; i < vector.length; i += 1) {
    if (Math.abs(vector[i]) > Math.abs(vector[best])) best = i;
  }
  return best;
}

/**
 * A row is {id, name, kind, values, bars, rule, picked, note}: `bars` draws the numbers as bars,
 * `rule` parts it from what it is the sum of, `kind` outlines a special token or a pad.
 * @param {function} t words
 * @param {string} name what tells these vectors apart in tests
 * @param {{point: function(number): void, pick?: ?function(string): void}} acts
 * @param {function} redraw
 */
export function makeVectors(t, name, acts, redraw) {
  const { point, pick = null } = acts;
  const names = make("div", { class: "vectors-names" });
  const numbers = make("div", { class: "vectors-numbers" });
  const canvas = make("canvas", { class: "vectors-canvas", tabindex: "0", role: "application",
    "aria-roledescription": t("inside_vectors") });
  const box = make("div", { class: "vectors-box" }, [canvas]);
  const scale = make("p", { class: "vectors-scale" }, [
    make("span", { class: "least" }), make("span", { class: "vectors-bar", "aria-hidden": "true" }),
    make("span", { class: "most" }),
  ]);
  const element = make("div", { class: "vectors", data: { vectors: name } }, [
    make("div", { class: "vectors-body" }, [names, box,
      make("div", { class: "vectors-right" }, [numbers, scale])]),
  ]);
  const context = canvas.getContext("2d");
  const watcher = new ResizeObserver(() => redraw());
  watcher.observe(box);
  let shown = null; // {rows, at, unit, ...}
  let tops = [];
  let pitch = 1;
  let colours = { scheme: -1, css: [] };
  let lines = [];
  let drew = []; // what the picture was drawn from

  const rowAt = (y) => tops.findIndex(([top, height]) => y >= top && y < top + height);
  canvas.addEventListener("pointermove", (event) => {
    if (!shown) return;
    const at = canvas.getBoundingClientRect();
    const place = Math.floor((event.clientX - at.left) / pitch);
    if (place >= 0 && place < shown.count) point(place);
    const row = shown.rows[rowAt(event.clientY - at.top)];
    canvas.style.cursor = pick && row?.pickable ? "pointer" : "default";
  });
  canvas.addEventListener("click", (event) => {
    const row = shown?.rows[rowAt(event.clientY - canvas.getBoundingClientRect().top)];
    if (pick && row?.pickable) pick(row.id);
  });
  canvas.addEventListener("keydown", (event) => {
    const across = { ArrowLeft: -1, ArrowRight: 1, PageUp: -16, PageDown: 16,
      Home: -1e6, End: 1e6 }[event.key];
    const down = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!shown || event.ctrlKey || event.metaKey || event.altKey) return;
    if (across) point(Math.max(0, Math.min(shown.count - 1, shown.at + across)));
    else if (down && pick) {
      const rows = shown.rows.filter(({ pickable }) => pickable);
      const next = rows[rows.findIndex(({ picked }) => picked) + down];
      if (next) pick(next.id);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  /** Nodes are kept while their number stays the same, so that the focus stays too. */
  function fill(column, texts, build) {
    if (column.children.length !== texts.length) column.replaceChildren(...texts.map(build));
    texts.forEach((row, i) => {
      const node = column.children[i];
      setText(node.firstChild, row.text);
      setTrait(node, "title", row.title ?? null);
      setTrait(node, "data-kind", row.kind ?? null);
      node.classList.toggle("picked", Boolean(row.picked));
      node.classList.toggle("rule", Boolean(row.rule));
      node.style.height = `${tops[i][1]}px`;
      node.style.top = `${tops[i][0]}px`;
    });
  }

  function layOut(unit) {
    let y = Math.round(INSIDE_AXIS * unit);
    tops = shown.rows.map((row) => {
      if (row.rule) y += Math.round(INSIDE_RULE * unit);
      const height = Math.round((row.bars ? INSIDE_BARS : INSIDE_ROW) * unit);
      const place = [y, height];
      y += height;
      return place;
    });
    return y + 2;
  }

  function paint(palette, scheme, unit, height) {
    const room = box.clientWidth;
    if (room < 20) return;
    const { rows, count, at } = shown;
    pitch = Math.min(room / count, INSIDE_WIDEST * unit);
    if (pitch >= 8) pitch = Math.floor(pitch);
    sizedContext(canvas, room, height);
    context.clearRect(0, 0, room, height);
    if (colours.scheme !== scheme) {
      const parts = divergingParts(element);
      colours = { scheme, css: Array.from({ length: 511 }, (_, i) =>
        `rgb(${parts[3 * i]} ${parts[3 * i + 1]} ${parts[3 * i + 2]})`) };
    }
    const gap = pitch >= 8 ? 1 : 0;
    const left = (e) => Math.round(e * pitch); // whole pixels: no seams between cells
    const wide = (e) => Math.max(1, left(e + 1) - left(e) - gap);
    const colour = (share) => colours.css[Math.round(255 + 255 * Math.max(-1, Math.min(1, share)))];
    rows.forEach((row, i) => {
      const [top, tall] = tops[i];
      const limit = row.bars ? insideLimit([row.values]) : shown.limit;
      const zero = row.bars ? barsZero(row.values, top + 3, tall - 6) : null;
      for (let e = 0; e < count; e += 1) {
        const share = row.values[e] / limit;
        context.fillStyle = colour(row.bars ? Math.sign(share) * 0.8 : share);
        if (row.bars) {
          const length = row.values[e] * zero.scale;
          context.fillRect(left(e), zero.y - Math.max(0, length), wide(e),
            Math.max(0.5, Math.abs(length)));
        } else context.fillRect(left(e), top + 1, wide(e), tall - 2);
      }
      context.fillStyle = palette.hair;
      if (row.bars) context.fillRect(0, zero.y - 0.5, count * pitch, 1);
      if (row.rule) context.fillRect(0, top - Math.round(INSIDE_RULE * unit / 2), count * pitch, 1);
      if (row.picked) {
        context.strokeStyle = palette.accent;
        context.lineWidth = 1.5;
        context.strokeRect(0.75, top + 0.75, count * pitch - 1.5, tall - 1.5);
      }
    });
    paintDimension(palette, unit, height, at, count);
  }

  /** The numbers of the first, the last and the pointed dimension, and a frame around the last. */
  function paintDimension(palette, unit, height, at, count) {
    const axis = Math.round(INSIDE_AXIS * unit);
    context.font = `${Math.round(11 * unit)}px ${palette.sans}`;
    context.textBaseline = "middle";
    context.direction = "ltr";
    const middle = (at + 0.5) * pitch;
    const write = (text, x, align, style) => {
      context.fillStyle = style;
      context.textAlign = align;
      context.fillText(text, x, axis / 2);
    };
    const ends = 26 * unit;
    if (middle > ends) write("0", 0, "left", palette.quiet);
    if (middle < count * pitch - ends) {
      write(String(count - 1), count * pitch, "right", palette.quiet);
    }
    const half = widthOf(context, context.font, String(at)) / 2;
    write(String(at), Math.max(half, Math.min(count * pitch - half, middle)), "center",
      palette.ink);
    context.strokeStyle = palette.ink;
    context.lineWidth = 1.25;
    context.strokeRect(at * pitch - 1, axis - 1, Math.max(2, pitch) + (pitch >= 8 ? 1 : 2),
      height - axis - 1);
  }

  return {
    element,
    /** @param {{rows, at, scheme, palette, unit}} frame */
    update(frame) {
      const { palette, unit, scheme } = frame;
      const now = [frame.at, unit, scheme, box.clientWidth, window.devicePixelRatio,
        ...frame.rows.flatMap(({ name: text, kind, picked, values }) =>
          [text, kind, picked, values.buffer, values.byteOffset])];
      if (now.length === drew.length && now.every((part, i) => part === drew[i])) return;
      drew = now;
      const cells = frame.rows.filter(({ bars }) => !bars).map(({ values }) => values);
      shown = { ...frame, count: frame.rows[0].values.length, limit: insideLimit(cells) };
      shown.at = Math.min(shown.at, shown.count - 1);
      const height = layOut(unit);
      for (const column of [names, numbers]) column.style.height = `${height}px`;
      box.style.height = `${height}px`;
      box.style.maxWidth = `${Math.ceil(shown.count * INSIDE_WIDEST * unit)}px`;
      fill(names, shown.rows.map(({ name: text, kind, picked, rule, note }) =>
        ({ text, kind, picked, rule, title: note ?? text })), () =>
        make("div", {}, [make("span", { dir: "auto" })]));
      lines = shown.rows.map(({ values }) => exactNumber(values[shown.at]));
      fill(numbers, shown.rows.map(({ picked, rule }, i) =>
        ({ text: lines[i], picked, rule })), () => make("div", {}, [make("span", { dir: "ltr" })]));
      setText(scale.firstChild, shortNumber(-shown.limit));
      setText(scale.lastChild, shortNumber(shown.limit));
      setTrait(canvas, "aria-label", t("inside_vectors_label", {
        names: shown.rows.map((row) => row.name).join(", "), count: shown.count,
        at: shown.at, numbers: lines.join(", ") }));
      paint(palette, scheme, unit, height);
    },
    drawn: () => (shown ? {
      at: shown.at, limit: shown.limit, pitch, tops,
      names: shown.rows.map((row) => row.name), numbers: lines,
      values: shown.rows.map(({ values }) => Array.from(values)),
      picked: shown.rows.findIndex(({ picked }) => picked),
    } : null),
    destroy: () => watcher.disconnect(),
  };
}
