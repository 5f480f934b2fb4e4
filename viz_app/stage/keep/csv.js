// Rows as CSV that no spreadsheet runs.

import { significant } from "../draw/numbers.js";

const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A cell of a spreadsheet that none runs. @param {string | number | boolean} value */
export function csvCell(value) {
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "number") return Number.isNaN(value) ? "" : String(significant(value, 9));
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A file of rows of such cells. @param {string[][]} rows */
export const csvFile = (rows) => `\ufeff${rows.map((row) => `${row.join()}\r\n`).join("")}`;
