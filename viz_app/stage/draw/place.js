// One address of a place: a query and a key of a head, whatever a map makes of them. A map says which
// tokens its lines show: those of a word, the pads that are only counted, none where another run stands
// alone. Pure.

import { unitAt } from "../run/units.js";

/** The line of an axis that shows a token; null where none does. @param {GridAxis} axis @param {?number} token */
function lineOf({ tokens = [], count }, token) {
  const line = unitAt(tokens, token);
  return line !== null && line < count ? line : null;
}

/** The first of the tokens that a line shows. @param {GridAxis} axis @param {?number} line */
const tokenAt = ({ tokens = [] }, line) => tokens[line ?? -1]?.[0] ?? null;

/**
 * Where a map shows a query, a key, or the cell of both: a line or a column is null where it does not.
 * @param {GridLines} map
 * @param {Place} place
 * @returns {GridPlace}
 */
export const placeOn = ({ rows, columns }, { query = null, key = null }) =>
  ({ row: lineOf(rows, query), column: lineOf(columns, key) });

/** What a place of a map shows: one of both is null on a label. @param {GridLines} map @param {?GridPlace} place */
export const partsAt = ({ rows, columns }, place) =>
  ({ query: tokenAt(rows, place?.row ?? null), key: tokenAt(columns, place?.column ?? null) });

/** The place of a cell on a map; null where it does not show it. @param {GridLines} map @param {?Cell} cell */
export function cellOn(map, cell) {
  const { row, column } = placeOn(map, cell ?? {});
  return row === null || column === null ? null : { row, column };
}

/** The cell at a place of a map; null where it shows none. @param {GridLines} map @param {?GridPlace} place */
export function cellAt(map, place) {
  const { query, key } = partsAt(map, place);
  return query === null || key === null ? null : { query, key };
}

/** Where a map whose cells are heads shows one; null where it does not. @param {Pick<GridFrame, "heads">} map @param {?Place | undefined} place */
export function headOn({ heads = [] }, place) {
  const { site, layer, head } = place ?? {};
  const row = heads.findIndex(([first]) => first.site === site && first.layer === layer);
  const column = heads[row]?.findIndex((one) => one.head === head) ?? -1;
  return column < 0 ? null : { row, column };
}
