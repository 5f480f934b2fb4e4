// Tables as JSON and CSV, made in the page: the same format as viz_app/files/tables.py writes.

import { csvCell, csvFile } from "./csv.js";
import { tablesHere } from "./kept.js";

export const EXPORT_HERE = ["json", "csv"];
const MOST_CSV_ROWS = 500_000;

/**
 * A flat list as nested ones, along the axes.
 * @param {ArrayLike<any> & {slice: function(number, number): any}} values
 * @param {TableAxis[]} axes
 * @returns {any[]}
 */
function nested(values, axes) {
  if (axes.length === 1) return Array.from(values);
  const [first, ...rest] = axes;
  const size = values.length / first.length;
  return Array.from({ length: first.length }, (_, i) =>
    nested(values.slice(i * size, (i + 1) * size), rest));
}

/** @param {Table[]} tables @param {Record<string, any>} about */
function tablesToJson(tables, about) {
  const written = Object.fromEntries(tables.map(({ name, axes, values }) => [name, { axes,
    values: Object.fromEntries(Object.entries(values).map(([of, list]) =>
      [of, nested(list, axes)])) }]));
  return `${JSON.stringify({ ...about, tables: written })}\n`;
}

/** The name of an array without its dimensions. @param {string} name */
function withoutDimensions(name) {
  return name.replace(/(.)_[A-Z]+$/, "$1");
}

/**
 * One row per place, one column per axis and per array; of several tables the first column names one.
 * @param {Table[]} tables
 */
function tablesToCsv(tables) {
  /** @type {function(Table): string[]} */
  const columnsOf = ({ axes, values }) => [
    ...axes.flatMap(({ name, tokens }) => (tokens ? [name, `${name}_token`] : [name])),
    ...Object.keys(values).map(withoutDimensions)];
  const columns = [...new Set(tables.flatMap(columnsOf))];
  const several = tables.length > 1;
  const lines = [[...(several ? ["table"] : []), ...columns].map(csvCell)];
  for (const table of tables) {
    const { axes, values } = table;
    const count = axes.reduce((product, { length }) => product * length, 1);
    for (let place = 0; place < count; place += 1) {
      /** @type {Record<string, any>} */
      const row = Object.fromEntries(Object.entries(values).map(([name, list]) =>
        [withoutDimensions(name), list[place]]));
      let rest = place;
      for (const { name, start, length, tokens } of [...axes].reverse()) {
        row[name] = start + (rest % length);
        if (tokens) row[`${name}_token`] = tokens[rest % length];
        rest = Math.floor(rest / length);
      }
      lines.push([...(several ? [table.name] : []),
        ...columns.map((column) => csvCell(row[column] ?? ""))]);
    }
  }
  return csvFile(lines);
}

/**
 * The file that is asked for from what the page holds, as the server answers it; `text` for its data.
 * @param {Kept & {format: string}} request
 * @param {State} state
 * @param {string} computedBy what computed it; none: the weights were given
 * @returns {any}
 */
export function fileHere({ picture, view, format }, state, computedBy) {
  const tables = tablesHere({ picture, view }, state);
  const rows = tables.reduce((sum, { axes }) =>
    sum + axes.reduce((product, { length }) => product * length, 1), 0);
  if (format === "csv" && rows > MOST_CSV_ROWS) {
    return { error: { code: "rows", values: { n: rows, limit: MOST_CSV_ROWS } } };
  }
  const { recipe, text } = state.run;
  const about = { format: "attention-visualiser view 2", model: recipe.model,
    ...(computedBy ? { engine: computedBy } : {}), recipe, picture, view, text };
  return { name: nameHere({ picture, view, format }, state),
    type: format === "csv" ? "text/csv" : "application/json",
    text: format === "csv" ? tablesToCsv(tables) : tablesToJson(tables, about) };
}

/**
 * A file's name: model, view, place, and whether the model was edited; as viz_app/files/making.py has it.
 * @param {Kept & {format: string}} request
 * @param {State} state
 */
export function nameHere({ picture, view, format }, state) {
  const { recipe } = state.run;
  const places = (state.options.named?.[picture] ?? []).filter(([name]) => view[name] !== undefined
    && view[name] !== picture && (name !== "at" || view.stepping !== false)) // a row is outlined
    .map(([name, word, first]) => (word ? `${word}${view[name] + first}` : view[name]));
  const edited = recipe.edits?.length ? ["edited"] : [];
  const name = [recipe.model, picture, ...places, ...edited].join("-").replace(/[^\p{L}\p{N}_.-]+/gu, "-");
  return `${name}.${format}`;
}
