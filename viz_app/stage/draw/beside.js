// How large maps beside one another are drawn: in lines of three, whose rows are named once, at the
// left, and whose columns are named in every line only where that leaves large cells. Pure.

import { layoutGrid } from "./layout.js";

const EDGE = 3; // CSS pixels beside cells whose labels stand elsewhere
const TWICE_FROM = 18; // CSS pixels of a cell from which on every line names its columns
const HIGH = 1.4; // a cell is at most so many times as high as it is wide
const LEAST_TRACK = 216; // CSS pixels at the normal type size that a map's title and scale take

/** @param {GridLayout} layout */
const withoutRows = (layout) => ({ ...layout, left: EDGE, width: layout.width - layout.left + EDGE });
/** @param {GridLayout} layout */
const withoutColumns = (layout) => ({ ...layout, top: EDGE, height: layout.height - layout.top + EDGE });

/**
 * The layouts of the maps of one room, all with cells of the same size.
 * @param {GridPlan} frame what the maps have in common
 * @param {{width: number, height: number, lines: number, gap: number}} room `height` is that of all
 *     lines of maps without their titles; `gap` is kept free for the sign between two maps
 * @param {number} unit type size over the normal one
 * @param {function(GridLabel, number): number} measure as in layoutGrid
 * @returns {{layouts: GridLayout[], tracks: number[]}} a layout for each map, three a line, and the
 *     widths of the first map of a line and of each other
 */
export function layoutMaps(frame, { width, height, lines, gap }, unit, measure) {
  const inner = width - 2 * gap;
  /** @param {number} across @param {number} down */
  const lay = (across, down) => layoutGrid({ ...frame, high: HIGH }, { width: across, height: down }, unit, measure);
  const { left } = lay(inner / 3, height / lines);
  const first = Math.floor(left + (inner - left - 2 * EDGE) / 3);
  let named = lay(first, height / lines);
  const each = lines === 1 || named.pitchY >= TWICE_FROM * unit;
  for (let turn = 0; turn < 2 && !each; turn += 1) { // higher cells may give labels more room
    named = lay(first, named.top + (height - named.top - (lines - 1) * EDGE) / lines);
  }
  const inLines = [named, ...Array(lines - 1).fill(each ? named : withoutColumns(named))];
  const least = LEAST_TRACK * unit;
  return {
    layouts: inLines.flatMap((layout) => [layout, withoutRows(layout), withoutRows(layout)]),
    tracks: [Math.min(first, Math.max(named.width, least)),
      Math.min(first - left + EDGE, Math.max(withoutRows(named).width, least))].map(Math.floor),
  };
}
