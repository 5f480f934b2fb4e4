// How numbers are spelled, and which is the largest. Each is rounded once, from the value itself, ties to the even digit as in
// the files that are made of it, so that no number is ever read with two different digits.

import { LEAST_SAID } from "../choices.js";

/** @param {string} text */
const withMinus = (text) => text.replaceAll("-", "−");

/**
 * A number with so many digits after the point; what is printed as zero has no sign.
 * @param {number} number
 * @param {number} digits
 * @returns {string}
 */
export function fixed(number, digits) {
  const scaled = Math.abs(number) * 10 ** digits; // exact for every float32
  const below = Math.floor(scaled);
  const isTie = scaled - below === 0.5 && Math.fround(number) === number;
  const text = (isTie && below % 2 === 0 ? Math.sign(number) * below / 10 ** digits : number)
    .toFixed(digits);
  return /[1-9]/.test(text) ? withMinus(text) : text.replace("-", "");
}

/** The place of the largest; -1 where there is none. @param {number[] | Float32Array} numbers */
export const largestAt = (numbers) => numbers.indexOf(Math.max(...numbers));

/** A number with an exponent, such as 1.2e−4. @param {number} number @param {number} digits */
export function powers(number, digits = 1) {
  return number === 0 ? "0" : withMinus(number.toExponential(digits).replace("e+", "e"));
}

/** A weight or a probability. @param {number} number */
export const threeDigits = (number) => fixed(number, 3);

/**
 * A probability in at most five characters; what would round to zero says so.
 * @param {number} number
 */
export function shortProbability(number) {
  return number > 0 && number < 0.0005 ? "<.001" : threeDigits(number);
}

/** A share of 1, which is 0 or 1 only where it is so exactly. @param {number} value */
export function shareText(value) {
  if (value > 0 && value < 0.0005) return "<0.001";
  return value < 1 && value > 0.9995 ? ">0.999" : threeDigits(value);
}

/** A probability that may be very small, such as 1.9e−4. @param {number} value */
export const smallShare = (value) => (value < 0.0005 ? powers(value) : threeDigits(value));

/**
 * What is written into a cell of a map where there is room for it; "" for a number that is nearer to 0 than what
 * is written, relative to the end of the scale where it is a weight, and for what is hidden and no mask.
 * @param {Pick<GridFrame, "kind" | "value" | "hidden" | "range" | "leastSaid" | "spell">} frame
 * @param {number} row
 * @param {number} column
 */
export function saidInCell({ kind, value: of, hidden, range: [low, high] = [0, 1], leastSaid, spell }, row, column) {
  const [value, isHidden] = [of(row, column), Boolean(hidden?.(row, column))];
  if (kind === "mask") return isHidden ? "0" : "1";
  const size = Math.abs(kind === "weight" ? (value - low) / (high - low) : value);
  if (isHidden || Number.isNaN(value) || size < (leastSaid ?? (kind === "weight" ? LEAST_SAID : 0))) return "";
  return spell ? spell(value) : kind === "weight" && high <= 1 ? weightInCell(value) : fixed(value, 1);
}

/** A weight in a cell of a map: .25 @param {number} weight */
export const weightInCell = (weight) => fixed(weight, 2).replace(/^0/, "");

/**
 * Any number in about four digits; a very small or large one with an exponent.
 * @param {number} number
 */
export function shortNumber(number) {
  if (!Number.isFinite(number)) return exactNumber(number);
  const size = Math.abs(number);
  if (size !== 0 && (size < 0.0005 || size >= 1e5)) return powers(number).replace(".0e", "e");
  return fixed(number, size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

/**
 * The number of so many significant digits that is next to a number, ties to the even digit.
 * @param {number} number
 * @param {number} digits
 */
export function significant(number, digits) {
  const [mantissa, power] = number.toExponential(60).split("e"); // every digit that it has
  const isTie = /^50*$/.test(mantissa.replace(/\D/g, "").slice(digits));
  const cut = mantissa.slice(0, mantissa.indexOf(".") + digits);
  if (isTie && Number(cut.at(-1)) % 2 === 0) return Number(`${cut}e${power}`);
  return Number(number.toPrecision(digits));
}

/** In two digits, as one says it: 3.3, 44,000. @param {number} number */
export function roughly(number) {
  const rounded = Number(number.toPrecision(2));
  return rounded < 1000 ? String(rounded) : rounded.toLocaleString("en");
}

/** The shortest digits that name exactly this float32. @param {number} number */
export function exactNumber(number) {
  if (!Number.isFinite(number)) return number < 0 ? "−∞" : "∞";
  for (let digits = 1; digits < 10; digits += 1) {
    const text = number.toPrecision(digits);
    if (Math.fround(Number(text)) === Math.fround(number)) {
      const isSmall = number !== 0 && Math.abs(number) < 1e-3;
      return withMinus(isSmall ? number.toExponential(digits - 1) : String(Number(text)));
    }
  }
  return withMinus(String(number));
}

/** A wavelength as a reader takes it in: 6.28, 41.9, 1,230. @param {number} length */
export function shortLength(length) {
  return length < 100 ? String(+length.toPrecision(3)) : Math.round(length).toLocaleString("en");
}

/**
 * A number beside a scale: no more digits than it needs.
 * @param {number} value
 * @param {number} most
 * @param {number} [least] powers of ten are written where all are smaller
 */
export function scaleNumber(value, most, least = 0.01) {
  return most < least ? powers(value, 0) : withMinus(String(+value.toPrecision(most < 0.01 ? 1 : 2)));
}

/** The Euclidean length of a vector. @param {Float32Array} vector */
export const lengthOf = (vector) => Math.sqrt(vector.reduce((sum, one) => sum + one * one, 0));

/** The largest absolute value, never 0. @param {Iterable<number>} numbers */
export function largestOf(numbers) {
  let most = 0;
  for (const number of numbers) most = Math.max(most, Math.abs(number));
  return most || 1;
}
