// How a heat map is painted: cells, digits, labels, titles and scale once, on a canvas of their own
// that is copied; and over them, with every move of the pointer, what is marked. See grid.js.

import { makeDiffers } from "../page/elements.js";
import { contextOf, fillDisc, ratioOf, setType, strokeThrough } from "./canvas.js";
import { paintAxis, paintBeside, paintLit, paintScale, paintTitles } from "./edges.js";
import { rowAt } from "./layout.js";
import { saidInCell } from "./numbers.js";
import { OPEN_SHARE } from "../choices.js";
import { bytesOf, makeHatch, outline } from "./palette.js";
import { asPen, penOn, putCells } from "./pens.js";

const SIGN = 8; // CSS pixels of a cell that is large enough for a sign
const LEAST_DIGITS = 13; // CSS pixels of the type of digits in a cell
const LEAST_ON_PAPER = 8.5; // of those in a picture
/** @type {Record<GridFrame["kind"], number>} */
const WIDEST = { weight: 2.3, signed: 2.75, mask: 1.05 }; // the digits of a cell over their type size
const TIGHT = 1.6; // the same of .25 under a finger, which would cover what it points at; 1.00 is pressed into it

/**
 * @typedef {Painting & {picture: HTMLCanvasElement, hatch: ?CanvasPattern}} BasePainting the cells, a
 *     pixel each, and what hidden ones are filled with
 */

/** @param {GridFrame} frame */
const paintedRows = ({ painted, rows }) => painted ?? rows.count;

/**
 * Whether a cell is painted in a colour; what a mask hides only where it is read all the same.
 * @param {GridFrame} frame
 * @param {number} row
 * @param {number} column
 */
function isColoured(frame, row, column) {
  if (!frame.hidden?.(row, column)) return true;
  return frame.kind === "weight" && frame.value(row, column) > 0;
}

/** One pixel per cell. @param {HTMLCanvasElement} picture @param {GridFrame} frame @param {Palette} palette */
function paintPicture(picture, frame, palette) {
  const [R, C] = [Math.max(1, paintedRows(frame)), frame.columns.count];
  picture.width = C;
  picture.height = R;
  const image = new ImageData(C, R);
  for (let row = 0; row < paintedRows(frame); row += 1) {
    if (frame.bars?.(row)) continue;
    for (let column = 0; column < C; column += 1) {
      if (!isColoured(frame, row, column)) continue;
      const mark = frame.mark?.(row, column);
      if (mark === "fold" || mark === "absent") continue;
      const at = 4 * (row * C + column);
      image.data.set(bytesOf(frame, frame.value(row, column), palette), at);
      image.data[at + 3] = 255;
    }
  }
  putCells(picture, image);
}

/** A canvas that is painted anew only where what it was painted from is another. */
function makeKept() {
  const canvas = document.createElement("canvas");
  const isOther = makeDiffers();
  return (/** @type {unknown[]} */ key, /** @type {function(HTMLCanvasElement): void} */ paint) => {
    if (isOther(...key)) paint(canvas);
    return canvas;
  };
}

/** @param {HTMLCanvasElement} canvas */
export function makeGridPainter(canvas) {
  const [kept, pictures] = [makeKept(), makeKept()];
  const onScreen = contextOf(canvas);
  /** @type {{palette: ?Palette, ratio: number, pattern: ?CanvasPattern}} */
  let hatch = { palette: null, ratio: 0, pattern: null };
  return {
    /** @param {GridFrame} frame @param {GridLayout} layout @param {{x: number, y: number}} scroll @param {Palette} palette */
    paint(frame, layout, scroll, palette) {
      const pen = penOn(canvas);
      const [context, ratio] = [pen ?? onScreen, pen ? 0 : ratioOf(canvas)];
      if (hatch.palette !== palette || hatch.ratio !== ratio) {
        hatch = { palette, ratio, pattern: makeHatch(context, palette, ratio) };
      }
      const { rows, columns, current, limit, kind, range, masked } = frame;
      const said = JSON.stringify([layout, scroll, rows, columns, current, limit, kind, range,
        masked, paintedRows(frame)]);
      const picture = frame.picture ?? pictures([...frame.key, palette, limit, paintedRows(frame)],
        (to) => paintPicture(to, frame, palette));
      if (pen) paintBase({ context, frame, layout, scroll, palette, picture, hatch: hatch.pattern });
      else {
        const base = kept([...frame.key, palette, ratio, picture, said], (to) => {
          to.width = canvas.width;
          to.height = canvas.height;
          const below = contextOf(to);
          below.setTransform(ratio, 0, 0, ratio, 0, 0);
          paintBase({ context: below, frame, layout, scroll, palette, picture, hatch: hatch.pattern });
        });
        context.clearRect(0, 0, layout.view.width, layout.view.height);
        context.drawImage(base, 0, 0, base.width / ratio, base.height / ratio);
      }
      const painting = { context, frame, layout, scroll, palette };
      inCells(painting, () => paintMarks(painting));
      for (const ofRows of [true, false]) paintLit(painting, ofRows);
    },
  };
}

/** Paints with the first cell at the origin, and only where cells are. @param {Painting} on @param {function(): void} paint */
function inCells({ context, layout: { view, left, top, bar }, scroll }, paint) {
  context.save();
  context.beginPath();
  context.rect(left - 3, top - 3, view.width - left - (bar > 20 ? bar : 0) + 6,
    view.height - top + 3);
  context.clip();
  context.translate(left - scroll.x, top - scroll.y);
  paint();
  context.restore();
}

/** @param {BasePainting} painting */
function paintBase(painting) {
  const { frame, layout, hatch } = painting;
  inCells(painting, () => {
    paintCells(painting);
    if (frame.kind === "signed" && painting.palette.marksBelow) asPen(painting.context)?.hatchBelow(painting, paintedRows(frame));
    const least = asPen(painting.context) ? LEAST_ON_PAPER : LEAST_DIGITS;
    const isTight = least === LEAST_DIGITS && window.matchMedia("(pointer: coarse)").matches;
    eachInView(painting, (row, column) => paintCell(painting, row, column, least, isTight));
    paintFrames(painting);
    frame.coming?.(painting);
  });
  for (const ofRows of [true, false]) paintAxis(painting, ofRows);
  paintBeside(painting);
  paintTitles(painting);
  if (frame.scale !== false && layout.bar > 20) paintScale(painting, hatch);
}

/** How wide and high the cells are that exist. @param {GridFrame} frame @param {GridLayout} layout */
function extentOf({ columns, rows }, layout, count = rows.count) {
  const [top, height] = count > 0 ? rowAt(layout, count - 1) : [0, 0];
  return [columns.count * layout.pitchX, top + height];
}

/** @param {BasePainting} painting */
function paintCells(painting) {
  const { context, frame, layout, palette, picture, hatch } = painting;
  const { pitchX, pitchY, tops } = layout;
  const [C, R] = [frame.columns.count, paintedRows(frame)];
  const [width, height] = extentOf(frame, layout, R);
  if (frame.hidden) {
    for (const style of [palette.panel, hatch ?? ""]) {
      context.fillStyle = style;
      context.fillRect(0, 0, width, height);
    }
  }
  context.imageSmoothingEnabled = false;
  if (!tops && R) context.drawImage(picture, 0, 0, C, R, 0, 0, width, height);
  tops?.forEach(([y, high], row) => {
    const paint = frame.bars?.(row);
    if (paint) paint(painting, row, y, high);
    else context.drawImage(picture, 0, row, C, 1, 0, y + 1, width, high - 2);
  });
  // Hairlines part the cells, in the panel's colour, so that empty cells stay countable.
  context.fillStyle = palette.panel;
  const least = tops ? pitchX : Math.min(pitchX, pitchY);
  if (least < SIGN) {
    if (frame.mark) paintAbsent(painting, R);
    return;
  }
  const line = least >= 16 || tops ? 1 : 0.5;
  for (let i = 1; i < C; i += 1) context.fillRect(i * pitchX - line / 2, 0, line, height);
  for (let i = 1; i < R && !tops; i += 1) context.fillRect(0, i * pitchY - line / 2, width, line);
}

/** Empties what is absent where no cell has room for its mark. @param {BasePainting} painting @param {number} R rows */
function paintAbsent({ context, frame, layout: { pitchX, pitchY } }, R) {
  const C = frame.columns.count;
  for (let row = 0; row < R; row += 1) {
    for (let column = 0, from = 0; column <= C; column += 1) {
      if (column < C && frame.mark?.(row, column) === "absent") continue;
      context.fillRect(from * pitchX, row * pitchY, (column - from) * pitchX, pitchY);
      from = column + 1;
    }
  }
}

/** For the cells in view that are large enough for a sign. @param {Painting} on @param {function(number, number): void} paint */
function eachInView({ frame, layout, scroll }, paint) {
  const { pitchX, pitchY, view, left, top, tops } = layout;
  if (tops || Math.min(pitchX, pitchY) < SIGN) return;
  /** @param {number} count @param {number} pitch @param {number} at @param {number} size */
  const until = (count, pitch, at, size) =>
    [Math.max(0, Math.floor(at / pitch)), Math.min(count - 1, Math.floor((at + size) / pitch))];
  const [x0, x1] = until(frame.columns.count, pitchX, scroll.x, view.width - left);
  const [y0, y1] = until(paintedRows(frame), pitchY, scroll.y, view.height - top);
  for (let row = y0; row <= y1; row += 1) {
    for (let column = x0; column <= x1; column += 1) paint(row, column);
  }
}

/**
 * What stands in a cell: hatching where a hidden one is read, a mark, or digits.
 * @param {BasePainting} painting
 * @param {number} row
 * @param {number} column
 * @param {number} least CSS pixels of the type of digits
 * @param {boolean} isTight whether weights are read there rather than pointed at
 */
function paintCell(painting, row, column, least, isTight) {
  const { context, frame, layout, palette, hatch } = painting;
  const { type, pitchX: width, pitchY: height } = layout;
  const [x, y] = [column * width, row * height];
  const hidden = frame.hidden?.(row, column) ?? false;
  const value = frame.value(row, column);
  if (hatch && hidden && isColoured(frame, row, column)) {
    context.fillStyle = hatch;
    context.fillRect(x, y, width, height);
  }
  const mark = frame.mark?.(row, column);
  if (mark) {
    paintMark(painting, mark, x, y);
    return;
  }
  const { kind, limit = 1, range: [low, high] = [0, 1] } = frame;
  const isMask = kind === "mask";
  const share = (value - low) / (high - low);
  const isShort = kind === "weight" && high <= 1;
  const isBrief = isTight && isShort && !frame.spell;
  const widest = frame.widest ?? (isBrief ? TIGHT : WIDEST[kind]);
  const size = Math.min(Math.round(type), Math.floor(width / widest));
  if (!frame.digits || size < least || height < 1.1 * size) return;
  const text = saidInCell(frame, row, column);
  if (text === "") return;
  setType(context, `${size}px ${palette.sans}`, isMask
    ? (hidden ? palette.quiet : palette.on(OPEN_SHARE))
    : kind === "weight" ? palette.on(share) : palette.onSigned(value / limit), "center");
  context.fillText(text, x + width / 2, y + 0.54 * height, isBrief ? 0.92 * width : undefined);
}

/**
 * A dot where a cell is open that should be hidden, a cross the other way round; "fold": more, and
 * "absent": there is no such cell.
 * @param {Painting} painting
 * @param {string} mark
 * @param {number} x
 * @param {number} y
 */
function paintMark({ context, palette, layout: { pitchX: width, pitchY: height } }, mark, x, y) {
  const size = Math.max(2, Math.min(width, height) * 0.2);
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  if (mark === "fold" || mark === "absent") {
    context.fillStyle = palette.panel;
    context.fillRect(x, y, width, height);
    if (mark === "absent") return;
    context.fillStyle = palette.faint;
    for (const turn of [-1, 0, 1]) context.fillRect(middleX + 3 * turn - 0.5, middleY - 0.5, 1, 1);
    return;
  }
  if (mark === "opened") {
    context.fillStyle = palette.ink;
    context.strokeStyle = palette.panel;
    context.lineWidth = 1;
    fillDisc(context, middleX, middleY, size);
    context.stroke();
    return;
  }
  context.strokeStyle = palette.ink;
  context.lineWidth = Math.max(1.2, size * 0.45);
  for (const turn of [-size, size]) {
    strokeThrough(context, [middleX - size, middleY - turn], [middleX + size, middleY + turn]);
  }
}

/** The edge, pads in dots, and rows that may read nothing: they look as if they read evenly. @param {Painting} painting */
function paintFrames({ context, frame, layout, palette }) {
  const { columns, rows } = frame;
  const { pitchX, pitchY } = layout;
  const [width, height] = extentOf(frame, layout);
  if (layout.tops) {
    context.fillStyle = palette.hair;
    for (const y of frame.rules ?? []) context.fillRect(0, y, width, 1);
    return;
  }
  outline(context, palette.hair, 1, -0.5, -0.5, width + 1, height + 1);
  context.fillStyle = palette.panel;
  for (const { at } of columns.parts?.slice(1) ?? []) {
    context.fillRect(at * pitchX - 2, -1, 4, height + 2);
  }
  context.setLineDash([1.5, 3]);
  const isPad = (/** @type {GridLabel} */ { kind }) => kind === "pad" || kind === "fold";
  columns.labels?.slice(0, columns.count).forEach((label, i) => isPad(label)
    && outline(context, palette.quiet, 1, i * pitchX + 0.5, 0.5, pitchX - 1, height - 1));
  rows.labels?.slice(0, rows.count).forEach((label, i) => isPad(label)
    && outline(context, palette.quiet, 1, 0.5, i * pitchY + 0.5, width - 1, pitchY - 1));
  context.setLineDash([]);
  for (let row = 0; frame.hidden && row < rows.count; row += 1) {
    let column = 0;
    while (column < columns.count && frame.hidden(row, column)) column += 1;
    if (column === columns.count) {
      outline(context, palette.ink, 1.5, 0, row * pitchY, width - 0.5, pitchY - 0.5);
    }
  }
}

/** What the reader looks at and what is kept. @param {Painting} painting */
function paintMarks({ context, frame, layout, palette }) {
  const { pointed, kept, current = null } = frame;
  const { pitchX } = layout;
  const [width, height] = extentOf(frame, layout);
  /** @param {number} at @param {string} colour @param {number} line */
  const row = (at, colour, line, out = 0.5) => {
    const [y, high] = rowAt(layout, at);
    outline(context, colour, line, -out, y - out, width + 2 * out, high + 2 * out);
  };
  /** @param {number} at @param {string} colour @param {number} line */
  const column = (at, colour, line) => outline(context, colour, line, at * pitchX - 0.5, -0.5,
    Math.max(2, pitchX) + 1, height + 1);
  /** @param {number} r @param {number} c @param {string} colour @param {number} out */
  const cell = (r, c, colour, out) => {
    const [y, high] = rowAt(layout, r);
    outline(context, colour, 2, c * pitchX - out, y - out, pitchX + 2 * out, high + 2 * out);
  };
  context.setLineDash([3, 3]);
  for (const at of frame.marks ?? []) column(at, palette.ink, 1);
  for (const at of frame.rowMarks ?? []) row(at, palette.ink, 1);
  context.setLineDash([]);
  context.globalAlpha = 0.55;
  if (pointed && pointed.row !== null) row(pointed.row, palette.ink, 1);
  if (pointed && pointed.column !== null) column(pointed.column, palette.ink, 1);
  context.globalAlpha = 1;
  if (current !== null) row(current, palette.accent, 2, 1);
  const { row: r, column: c } = kept ?? { row: null, column: null };
  if (!frame.cross && r !== null && c !== null) {
    if (r < frame.rows.count && c < frame.columns.count) cell(r, c, palette.accent, -1);
  } else {
    if (r !== null) row(r, palette.accent, 1.5, 1);
    if (c !== null) column(c, palette.accent, 1.5);
  }
  if (pointed && pointed.row !== null && pointed.column !== null) {
    cell(pointed.row, pointed.column, palette.panel, 2);
    cell(pointed.row, pointed.column, palette.ink, 0);
  }
}
