// The heat map of the room Positions: rows and columns named by tokens or counted, one selected
// place, a scale from 0 to 1 or a diverging one centred on 0. It draws a frame and knows no study.

import { sizedContext } from "../../stage/draw/canvas.js";
import { LEAST_PITCH, paintTag, typeSize } from "../../stage/draw/heatmap.js";
import { elided, fillStanding, isRightToLeft, widthOf } from "../../stage/draw/labels.js";
import { scaleNumber } from "../../stage/draw/numbers.js";
import { divergingParts, makeHatch } from "../../stage/draw/palette.js";
import { make, setTrait } from "../../stage/page/elements.js";

const POSITION_BAR = 54; // CSS pixels for the printed scale at the normal type size
const POSITION_LEAST = 1; // CSS pixels of a cell without labels; with labels see LEAST_PITCH

/**
 * A heat map on a canvas that scrolls inside its own box.
 *
 * A frame has rows, columns, value(row, column), limit (null: a scale from 0 to 1), rowLabels and
 * columnLabels (null: counted from 0), rowTitle, columnTitle, row and column (selected, or null),
 * marks (columns that are marked), hidden(row, column), key (parts that identify the numbers),
 * square (cells are at most as wide as this many heights) and label for screen readers.
 */
export function makePositionGrid(t, name, { pick, point }, redraw) {
  const canvas = make("canvas", { class: "map-canvas", tabindex: "0", role: "application",
    "aria-roledescription": t("positions_map") });
  const extent = make("div", { class: "map-extent" }, [canvas]);
  const element = make("div", { class: "positions-grid", data: { grid: name } }, [extent]);
  const context = canvas.getContext("2d");
  const picture = document.createElement("canvas");
  let painted = [];
  let frame = null;
  let layout = null;
  let hatch = { scheme: null, ratio: 0, pattern: null };
  let diverging = null;

  const watcher = new ResizeObserver(() => redraw());
  watcher.observe(element);
  element.addEventListener("scroll", () => redraw(), { passive: true });

  function hit(event) {
    if (!frame || !layout) return null;
    const at = canvas.getBoundingClientRect();
    const x = event.clientX - at.left + element.scrollLeft - layout.left;
    const y = event.clientY - at.top + element.scrollTop - layout.top;
    const place = { row: Math.floor(y / layout.pitchY), column: Math.floor(x / layout.pitchX) };
    const inside = place.row >= 0 && place.row < frame.rows && place.column >= 0
      && place.column < frame.columns;
    return inside ? place : null;
  }
  canvas.addEventListener("pointermove", (event) => {
    const place = hit(event);
    if (place && event.buttons === 1) pick(place, false);
    else point(place);
  });
  canvas.addEventListener("pointerdown", (event) => {
    const place = hit(event);
    if (place) pick(place, event.shiftKey);
  });
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("keydown", (event) => {
    const turn = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
      PageUp: [-8, 0], PageDown: [8, 0], Home: [0, -8], End: [0, 8] }[event.key];
    if (!frame || !turn || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const within = (value, count) => Math.max(0, Math.min(count - 1, value));
    // What marks only a row has its column under `pointed`; the first key takes the first cell.
    const row = frame.row ?? frame.pointed?.row ?? -turn[0];
    const column = frame.column ?? frame.pointed?.column ?? -turn[1];
    pick({ row: within(row + turn[0], frame.rows),
      column: within(column + turn[1], frame.columns) }, false);
  });

  function paintPicture(palette, scheme) {
    const key = [...frame.key, frame.limit, scheme];
    if (key.length === painted.length && key.every((part, i) => part === painted[i])) return;
    if (!diverging || scheme !== painted.at(-1)) diverging = divergingParts(element);
    painted = key;
    picture.width = Math.max(1, frame.columns);
    picture.height = Math.max(1, frame.rows);
    const image = new ImageData(picture.width, picture.height);
    for (let row = 0; row < frame.rows; row += 1) {
      for (let column = 0; column < frame.columns; column += 1) {
        if (frame.hidden?.(row, column)) continue;
        const number = frame.value(row, column);
        const at = 4 * (row * picture.width + column);
        const [parts, level] = frame.limit === null
          ? [palette.parts, Math.round(255 * Math.min(1, Math.max(0, number)))]
          : [diverging, Math.round(255 + 255 * Math.max(-1, Math.min(1, number / frame.limit)))];
        image.data.set(parts.subarray(3 * level, 3 * level + 3), at);
        image.data[at + 3] = 255;
      }
    }
    picture.getContext("2d").putImageData(image, 0, 0);
  }

  /** Column labels lie flat when they fit, else they slant, and stand where those would touch. */
  function place(view, unit, palette, standing = false) {
    const type = typeSize(unit);
    const font = `${type.toFixed(1)}px ${palette.mono}`;
    const widest = (labels) => labels.reduce((most, { label }) =>
      Math.max(most, widthOf(context, font, label)), 8);
    const title = Math.round(1.6 * type);
    const bar = frame.bare && !frame.columnLabels ? 4 : Math.round(POSITION_BAR * unit);
    const side = frame.rowLabels ? Math.min(widest(frame.rowLabels), 0.24 * view.width, 130 * unit)
      : widthOf(context, font, String(frame.rows - 1));
    const left = Math.round(title + side + 12 * unit);
    const leastX = frame.columnLabels ? LEAST_PITCH * unit : POSITION_LEAST;
    const leastY = frame.rowLabels ? 12 * unit : POSITION_LEAST;
    const across = (view.width - left - bar) / frame.columns;
    const longest = frame.columnLabels ? widest(frame.columnLabels) : 0;
    const slanted = frame.columnLabels && longest > Math.min(across, 76 * unit) - 6 * unit;
    const reach = slanted ? Math.min(longest, 84 * unit, 0.3 * view.height) : longest;
    const tall = standing ? reach + 0.6 * type : 0.74 * reach + 0.8 * type;
    const top = Math.round(title + (slanted ? tall : 1.5 * type));
    let pitchY = Math.max(leastY, Math.min((view.height - top - 4) / frame.rows, 40 * unit));
    let pitchX = Math.max(leastX, across);
    if (frame.square) {
      pitchX = Math.max(leastX, Math.min(pitchX, frame.square * pitchY));
      pitchY = Math.max(leastY, Math.min(pitchY, 1.2 * pitchX));
    }
    if (slanted && !standing && pitchX < 1.4 * type) return place(view, unit, palette, true);
    if (pitchX > 8) pitchX = Math.floor(pitchX);
    if (pitchY > 8) pitchY = Math.floor(pitchY);
    return { type, title, bar, side, left, top, pitchX, pitchY, slanted, standing, reach, unit, view,
      width: left + pitchX * frame.columns + bar, height: top + pitchY * frame.rows + 4 };
  }

  return {
    element,
    canvas,
    update(next, palette, unit, scheme) {
      frame = next;
      const view = { width: element.clientWidth, height: element.clientHeight };
      if (!frame || view.width < 40 || view.height < 40) return;
      setTrait(canvas, "aria-label", frame.label);
      layout = place(view, unit, palette);
      const extents = [["width", Math.max(view.width, Math.floor(layout.width))],
        ["height", Math.max(view.height, Math.floor(layout.height))]];
      const changed = extents.filter(([side, size]) => extent.style[side] !== `${size}px`);
      for (const [side, size] of changed) extent.style[side] = `${size}px`;
      if (changed.length) sizedContext(canvas, element.clientWidth, element.clientHeight);
      else sizedContext(canvas, view.width, view.height); // measured above, and nothing moved since
      paintPicture(palette, scheme);
      const ratio = window.devicePixelRatio || 1;
      if (hatch.scheme !== scheme || hatch.ratio !== ratio) {
        hatch = { scheme, ratio, pattern: makeHatch(context, palette, ratio) };
      }
      paintPositionGrid(context, frame, layout, { x: element.scrollLeft, y: element.scrollTop },
        palette, { picture, hatch: hatch.pattern, diverging });
    },
    /** Where the cells are, relative to the canvas. */
    boxes: () => layout && { left: layout.left - element.scrollLeft,
      top: layout.top - element.scrollTop, pitchX: layout.pitchX, pitchY: layout.pitchY },
    destroy: () => watcher.disconnect(),
  };
}

function paintPositionGrid(context, frame, layout, scroll, palette, { picture, hatch, diverging }) {
  const { view, left, top, pitchX, pitchY, bar } = layout;
  const width = pitchX * frame.columns;
  const height = pitchY * frame.rows;
  context.clearRect(0, 0, view.width, view.height);
  context.save();
  context.beginPath();
  context.rect(left - 3, top - 3, view.width - left - bar + 6, view.height - top + 3);
  context.clip();
  context.translate(left - scroll.x, top - scroll.y);
  if (frame.hidden) {
    context.fillStyle = hatch;
    context.fillRect(0, 0, width, height);
  }
  context.imageSmoothingEnabled = false;
  context.drawImage(picture, 0, 0, width, height);
  context.fillStyle = palette.panel;
  if (pitchX >= 10 && pitchY >= 10) {
    for (let i = 1; i < frame.columns; i += 1) context.fillRect(i * pitchX - 0.5, 0, 1, height);
    for (let i = 1; i < frame.rows; i += 1) context.fillRect(0, i * pitchY - 0.5, width, 1);
  }
  context.lineWidth = 1;
  context.strokeStyle = palette.hair;
  context.strokeRect(-0.5, -0.5, width + 1, height + 1);
  paintPositionMarks(context, frame, layout, palette, width, height);
  context.restore();
  paintPositionAxis(context, frame, layout, scroll, palette, true);
  paintPositionAxis(context, frame, layout, scroll, palette, false);
  paintPositionTitles(context, frame, layout, palette);
  if (!frame.bare) paintPositionScale(context, frame, layout, palette, diverging);
}

function paintPositionMarks(context, frame, { pitchX, pitchY }, palette, width, height) {
  const outline = (x, y, wide, tall, colour, line) => {
    context.lineWidth = line;
    context.strokeStyle = colour;
    context.strokeRect(x, y, wide, tall);
  };
  context.setLineDash([3, 3]);
  for (const column of frame.marks ?? []) {
    outline(column * pitchX, -1, Math.max(2, pitchX), height + 2, palette.ink, 1);
  }
  context.setLineDash([]);
  if (frame.pointed) {
    const { row, column } = frame.pointed;
    outline(column * pitchX - 1, row * pitchY - 1, pitchX + 2, pitchY + 2, palette.ink, 1.5);
  }
  if (frame.row !== null && frame.row !== undefined) {
    outline(-1, frame.row * pitchY - 1, width + 2, pitchY + 2, palette.accent, 1.5);
  }
  if (frame.column !== null && frame.column !== undefined) {
    outline(frame.column * pitchX - 1, -1, pitchX + 2, height + 2, palette.accent, 1.5);
  }
}

/** The labels of one axis: tokens in their frames, or numbers as far apart as they need. */
function paintPositionAxis(context, frame, layout, scroll, palette, ofRows) {
  const { left, top, pitchX, pitchY, view, unit, type, slanted, bar } = layout;
  const labels = ofRows ? frame.rowLabels : frame.columnLabels;
  const pitch = ofRows ? pitchY : pitchX;
  const count = ofRows ? frame.rows : frame.columns;
  const chosen = ofRows ? frame.row : frame.column;
  const room = ofRows ? 1.5 * type : 3.2 * type;
  const step = labels ? 1 : [1, 2, 4, 8, 16, 32, 64, 128, 256].find((n) => n * pitch >= room) ?? 512;
  const size = labels ? Math.min(type, 0.94 * pitch) : 0.9 * type;
  const font = `${size.toFixed(1)}px ${palette.mono}`;
  context.save();
  context.beginPath();
  if (ofRows) context.rect(0, top - 4, left, view.height - top + 4);
  else context.rect(left - 4, layout.title - 2, view.width - left, top - layout.title + 2);
  context.clip();
  context.textBaseline = "middle";
  for (let i = 0; i < count; i += step) {
    const at = (ofRows ? top - scroll.y : left - scroll.x) + (i + 0.5) * pitch;
    const end = ofRows ? view.height : view.width - bar;
    if (at < (ofRows ? top : left) - 4 || at > end + 4) continue;
    const label = labels ? labels[i].label : String(i);
    const text = labels ? elided(context, font, label, ofRows ? layout.side
      : slanted ? layout.reach * (layout.standing ? 1 : 1.1) : pitch - 2) : label;
    const width = widthOf(context, font, text);
    context.save();
    if (ofRows) context.translate(left - 7 * unit - width, at);
    else if (slanted && labels) {
      context.translate(at, top - 5 * unit);
      context.rotate(-Math.PI / (layout.standing ? 2 : 4));
    } else context.translate(at - width / 2, top - 0.75 * type);
    if (labels) {
      paintTag(context, palette, labels[i].kind, false, -3, -0.62 * size, width + 6, 1.24 * size);
    }
    context.font = font;
    context.textAlign = "left";
    context.direction = isRightToLeft(label) ? "rtl" : "ltr";
    context.fillStyle = i === chosen ? palette.accent : labels ? palette.ink : palette.quiet;
    if (labels && !ofRows && slanted && layout.standing) fillStanding(context, text, 0, 0.5);
    else context.fillText(text, 0, 0.5);
    context.restore();
  }
  context.restore();
}

function paintPositionTitles(context, frame, { left, top, title, type, view }, palette) {
  const font = `${Math.round(0.93 * type)}px ${palette.sans}`;
  context.direction = "ltr";
  context.textBaseline = "middle";
  context.textAlign = "left";
  const text = elided(context, font, frame.columnTitle, view.width - left);
  context.font = font;
  context.fillStyle = palette.quiet;
  context.fillText(text, left, 0.36 * title);
  const side = elided(context, font, frame.rowTitle, view.height - top);
  context.font = font;
  context.save();
  context.translate(0.4 * title, top);
  context.rotate(-Math.PI / 2);
  context.textAlign = "right";
  context.fillText(side, 0, 0);
  context.restore();
}

function paintPositionScale(context, frame, layout, palette, diverging) {
  const { unit, type, view, top, left, pitchX, bar } = layout;
  const x = Math.round(Math.min(view.width, left + pitchX * frame.columns + bar) - bar + 11 * unit);
  const wide = Math.round(8 * unit);
  const tall = Math.round(Math.min(120 * unit, view.height - top - 6));
  if (tall < 30) return;
  for (let i = 0; i < tall; i += 1) {
    const level = Math.round((frame.limit === null ? 255 : 510) * (1 - i / (tall - 1)));
    const parts = frame.limit === null ? palette.parts : diverging;
    context.fillStyle = `rgb(${parts.subarray(3 * level, 3 * level + 3).join(" ")})`;
    context.fillRect(x, top + i, wide, 1);
  }
  const most = frame.limit ?? 1;
  context.font = `${Math.round(0.82 * type)}px ${palette.sans}`;
  context.fillStyle = palette.quiet;
  context.textAlign = "left";
  context.textBaseline = "middle";
  const ticks = frame.limit === null ? [[1, 0], [0.5, 0.5], [0, 1]]
    : [[most, 0], [0, 0.5], [-most, 1]];
  for (const [value, down] of ticks) {
    context.fillText(scaleNumber(value, most), x + wide + 4, top + 4 + down * (tall - 8));
  }
}
