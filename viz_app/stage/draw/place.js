// One address of a place: a query and a key of a head, whatever a map makes of them. A map says which
// tokens its lines show: those of a word, the pads that are only counted, none where another run stands
// alone. Pure.

import { unitAt } from "../run/units.js";

/** The line of an axis that shows a token; null where none does. @param {GridAxis} axis @param {?number} [token] */
const lineOf = ({ tokens = [], count }, token) => unitAt(tokens.slice(0, count), token);

/** The first of the tokens that a line shows. @param {GridAxis} axis @param {?number} [line] */
const tokenAt = ({ tokens }, line) => tokens?.[line ?? -1]?.[0] ?? null;

/**
 * Where a map shows a query, a key, or the cell of both: a line or a column is null where it does not.
 * @param {GridLines} map
 * @param {Place} place
 * @returns {GridPlace}
 */
export const placeOn = ({ rows, columns }, { query, key }) =>
  ({ row: lineOf(rows, query), column: lineOf(columns, key) });

/** What a place of a map shows: one of both is null on a label. @param {GridLines} map @param {?GridPlace} place */
export const partsAt = ({ rows, columns }, place) =>
  ({ query: tokenAt(rows, place?.row), key: tokenAt(columns, place?.column) });
