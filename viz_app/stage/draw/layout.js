// Where the parts of a heat map go, and what lies under a point. Pure: knows no page.

import { IN_COLUMNS } from "./labels.js";

const LEAST_PITCH = 10; // CSS pixels from one cell under a label to the next, at the normal type size
export const NAMED_FROM = 12; // CSS pixels from one label to the next at the normal type size
const PHONE = 480; // CSS pixels of the map's box
const FRAME = 13; // CSS pixels that a special token needs for its frame and the air around it
const READABLE = 20; // CSS pixels of a row whose label is read with ease, where there is room for it
const LETTERS = 3; // times the type, that a label has at least where it is cut for the columns
const LABEL_WIDEST = 150; // CSS pixels of the label of a row at the normal type size

/**
 * The type size of labels; rounded as in the fonts made from it, so that measured widths fit.
 * @param {number} unit
 */
export function typeSize(unit) {
  return Math.round(130 * unit) / 10;
}

/** @param {GridAxis} axis */
const roomOf = (axis) => axis.room ?? axis.count;

/** Whole pixels where a cell is large enough that nobody misses the rest. @param {number} pitch */
const whole = (pitch) => (pitch >= 8 ? Math.floor(pitch) : pitch);

/** CSS pixels beside a flat label at the normal type size. @param {GridLabel} label */
const airOf = ({ label, kind }) => (kind === "text" ? 6 : FRAME) - (IN_COLUMNS.test(label) ? 6 : 0);

/**
 * Whether one of some labels, a pitch apart, would meet the next one or the edge.
 * @param {number[]} widths with the air around them
 * @param {number} pitch CSS pixels
 * @param {number} bar CSS pixels that are free beside the last one
 */
function meet(widths, pitch, bar) {
  const beyond = (widths.at(-1) ?? 0) - pitch;
  return beyond > 2 * bar || widths.some((width, i) => i > 0 && (width + widths[i - 1]) / 2 > pitch);
}

/**
 * Where the parts of a heat map go.
 * @param {GridPlan} frame
 * @param {{width: number, height: number}} view the visible box, CSS pixels
 * @param {number} unit type size over the normal one
 * @param {function(GridLabel, number): number} measure the width of a label at a type size
 * @returns `left` and `top` of the first cell; the width `aside` of what says what the rows are, 0: nothing does; the height
 *     `strip` of the bars over the columns; degrees by which column labels are turned; `width` and `height`, which are larger
 *     than the view where the labels would be too small otherwise
 */
export function layoutGrid(frame, view, unit, measure) {
  const { rows, columns, wide } = frame;
  const type = typeSize(unit);
  /** @param {GridLabel[]} labels */
  const widest = (labels) => labels.reduce((most, one) => Math.max(most, measure(one, type)), 8);
  const line = Math.round(1.7 * type);
  const title = rows.title || columns.title ? line : 0;
  const bar = Math.round((frame.bar ?? 2) * unit);
  const strip = frame.beside ? Math.round(2 * type) : 0;
  const most = frame.most ?? (columns.labels ? [76, 54] : [Infinity, 40]);
  const counted = [0, rows.count - 1].map((i) =>
    ({ label: (rows.counted ?? String)(i), kind: "text" }));
  const wanted = rows.labels?.length === 0 ? 0
    : Math.min(widest(rows.labels ?? counted), (frame.side ?? 0.27) * view.width,
      LABEL_WIDEST * ((frame.side ?? 0.27) / 0.27) * unit);
  /** @param {GridAxis} axis */
  const least = ({ labels }) => Math.max(labels?.length ? LEAST_PITCH * unit : 1, frame.least ?? 0);
  const leastX = frame.tops ? 0.1 : frame.thin ?? least(columns); // a vector always fits its box
  const leastY = least(rows);
  const lacking = (wanted ? wanted + 14 * unit : 0) + leastX * roomOf(columns) + bar - view.width;
  // A letter or two of a row's label are worth less than the last column.
  const given = wanted > LETTERS * type && lacking > 0 && lacking <= type ? Math.ceil(lacking) : 0;
  const [side, over] = [wanted - given, lacking - given];
  // Maps beside one another may name what their rows are once; where the cells fit without it, nothing does.
  const aside = rows.title && (over > 0 || over <= -line) ? line : 0;
  const left = Math.round(side ? aside + side + 14 * unit : aside);
  const across = (view.width - left - bar) / roomOf(columns);

  /** The cells under labels of a height. @param {number} labelHeight */
  function cellsUnder(labelHeight) {
    const top = Math.round(title + labelHeight + 0.7 * type) + strip;
    const fits = (view.height - top - 3) / roomOf(rows);
    const lowest = frame.low && fits >= frame.low ? frame.low : leastY;
    const down = Math.max(lowest, Math.min(fits, most[1] * unit));
    const broad = wide ? Math.max(wide * down, columns.labels ? 28 * unit : leastX) : Infinity;
    const pitchX = Math.max(leastX, Math.min(across, broad, most[0] * unit));
    const high = frame.high ?? (view.width < PHONE ? 2.4 : 1.3); // a finger needs a phone's height
    const pitchY = wide ? Math.max(lowest, Math.min(down, Math.max(high * pitchX, READABLE * unit)))
      : down;
    return { top, pitchX: whole(pitchX), pitchY: whole(pitchY) };
  }

  // Column labels lie flat when none meets the next one, else they slant while there is room, else
  // they stand.
  const longest = columns.labels ? widest(columns.labels) : 0;
  let [angle, reach, cells] = [0, longest, cellsUnder(type)];
  if (columns.labels && meet(columns.labels.map((one) => measure(one, type) + airOf(one) * unit),
    cells.pitchX, bar)) {
    const limit = Math.min(longest, (bar > 20 ? 120 : frame.longest ?? 76) * unit, 0.3 * view.height);
    angle = 90;
    if (bar > 20) {
      angle = 45;
      reach = Math.min(limit, (bar + 0.4 * cells.pitchX) * 1.35);
      cells = cellsUnder(0.71 * reach + 0.5 * type);
    }
    if (angle === 90 || cells.pitchX < 1.4 * type) {
      [angle, reach, cells] = [90, limit, cellsUnder(limit)];
    }
  }
  const last = frame.tops?.at(-1);
  return {
    ...cells, left, aside, angle, reach, bar, type, unit, title, strip, side, view, tops: frame.tops,
    width: left + cells.pitchX * roomOf(columns) + bar,
    height: cells.top + (last ? last[0] + last[1] : cells.pitchY * roomOf(rows)) + 3,
  };
}

/**
 * Where a row begins below the first one, and how high it is.
 * @param {GridLayout} layout
 * @param {number} row
 * @returns {number[]}
 */
export function rowAt({ tops, pitchY }, row) {
  return tops?.[row] ?? [row * pitchY, pitchY];
}

/**
 * The rectangle [x, y, width, height] of a cell, relative to the canvas as it is scrolled.
 * @param {GridLayout} layout
 * @param {{x: number, y: number}} scroll
 * @param {number} row
 * @param {number} column
 */
export function cellBox(layout, scroll, row, column) {
  const [y, height] = rowAt(layout, row);
  return [layout.left + column * layout.pitchX - scroll.x, layout.top + y - scroll.y,
    layout.pitchX, height];
}

/**
 * What lies under a point of the canvas: one of row and column is null on a label.
 * @param {GridFrame} frame
 * @param {GridLayout} layout
 * @param {{x: number, y: number}} scroll
 * @param {number} x
 * @param {number} y
 * @returns {GridPlace | null}
 */
export function hitGrid(frame, layout, scroll, x, y) {
  const { tops } = layout;
  const down = y + scroll.y - layout.top;
  const column = Math.floor((x + scroll.x - layout.left) / layout.pitchX);
  const row = tops ? tops.findIndex(([top, height]) => down >= top && down < top + height)
    : Math.floor(down / layout.pitchY);
  const onColumn = x >= layout.left && column >= 0 && column < frame.columns.count;
  const onRow = y >= layout.top && row >= 0 && row < frame.rows.count;
  if (onColumn && onRow) return { row, column };
  if (x < layout.left && onRow) return { row, column: null };
  if (y < layout.top && onColumn) return { row: null, column };
  return null;
}
