// Colours. They live in the style sheet as variables; the canvases read them here.

import { OPEN_SHARE } from "../choices.js";
import { contextOf } from "./canvas.js";
import { asPen, Hatch } from "./pens.js";

const WEIGHTS = ["scale-0", "scale-1", "scale-2", "scale-3", "scale-4"]; // from 0 to 1
const GREY = ["grey-0", "grey-1"];
const SIGNED = ["minus-2", "minus-1", "scale-0", "plus-1", "plus-2"]; // from -1 to 1
const NAMED = ["paper", "panel", "ink", "quiet", "faint", "hair", "accent", "accent-soft", "alarm",
  "mask", "mono", "sans", "dark-text", "light-text"];

/** @param {number} part */
function linearPart(part) {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** @param {number} value */
function screenPart(value) {
  const part = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, part)));
}

/** [r, g, b] of "#rrggbb". @param {string} hex */
function bytesFromHex(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/** The relative luminance of WCAG 2. @param {ArrayLike<number>} bytes [r, g, b] */
function luminance(bytes) {
  const [r, g, b] = [bytes[0], bytes[1], bytes[2]];
  return 0.2126 * linearPart(r) + 0.7152 * linearPart(g) + 0.0722 * linearPart(b);
}

/** "#rrggbb" as [L, a, b] of OKLab (Ottosson 2020). @param {string} hex */
function labFromHex(hex) {
  const [r, g, b] = bytesFromHex(hex).map(linearPart);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** [L, a, b] of OKLab as [r, g, b], each 0..255. @param {number[]} lab */
export function rgbFromLab([L, a, b]) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    screenPart(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    screenPart(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    screenPart(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/**
 * Colours through the stops of a scale, evenly in OKLab: [r, g, b] of each.
 * @param {string[]} stops as "#rrggbb"
 * @param {number} count
 */
function colourScale(stops, count) {
  const labs = stops.map(labFromHex);
  const parts = new Uint8ClampedArray(3 * count);
  for (let i = 0; i < count; i += 1) {
    const place = (i / (count - 1)) * (labs.length - 1);
    const low = Math.min(labs.length - 2, Math.floor(place));
    parts.set(rgbFromLab(labs[low].map((part, axis) =>
      part + (place - low) * (labs[low + 1][axis] - part))), 3 * i);
  }
  return parts;
}

/** @param {Element} root the element that carries the variables @returns {Palette} */
export function readPalette(root) {
  const style = getComputedStyle(root);
  /** @param {string} name */
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  const marksBelow = read("marks-below") === "hatched"; // a picture in grey
  const parts = colourScale((marksBelow ? GREY : WEIGHTS).map(read), 256);
  // Relative luminance, for the text on top.
  const light = Float32Array.from({ length: 256 }, (_, i) => luminance(parts.subarray(3 * i)));
  /** @param {number} weight */
  const level = (weight) => Math.max(0, Math.min(255, Math.round(255 * weight)));
  const named = /** @type {PaletteNames} */ (Object.fromEntries(NAMED.map((name) =>
    [name.replace("-", "_"), read(name)])));
  // Where dark and light text have the same contrast (WCAG 2: (a + 0.05) / (b + 0.05)).
  const even = Math.sqrt((luminance(bytesFromHex(named.dark_text)) + 0.05)
    * (luminance(bytesFromHex(named.light_text)) + 0.05)) - 0.05;
  /** @param {number} lightness */
  const textOn = (lightness) => (lightness > even ? named.dark_text : named.light_text);
  const stops = (marksBelow ? [GREY[1], ...GREY] : SIGNED).map(read); // at once: to read later would restyle the page
  /** @type {?Uint8ClampedArray} */
  let made = null;
  const signed = () => (made ??= colourScale(stops, 511));
  return {
    ...named,
    parts,
    marksBelow,
    signed,
    /** @param {number} share */
    onSigned: (share) =>
      textOn(luminance(signed().subarray(3 * Math.round(255 + 255 * Math.max(-1, Math.min(1, share)))))),
    /** @param {Palette} other */
    isSameAs: (other) => other.ink === named.ink && other.paper === named.paper,
    /** @param {number} weight */
    of: (weight) => cssOf(parts.subarray(3 * level(weight), 3 * level(weight) + 3)),
    /** @param {number} weight */
    on: (weight) => textOn(light[level(weight)]),
  };
}

/** @param {Uint8ClampedArray} bytes [r, g, b] */
export const cssOf = (bytes) => `rgb(${bytes.join(" ")})`;

/** The colours of weights, or of signed numbers, from left to right. @param {string} kind @param {Palette} palette */
export function gradientOf(kind, palette) {
  const stops = Array.from({ length: 9 }, (_, i) =>
    cssOf(bytesOf({ kind }, kind === "signed" ? i / 4 - 1 : i / 8, palette)));
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

/**
 * The colour bytes of a cell. A scale of its own begins and ends at `range`.
 * @param {{kind: string, limit?: number, range?: number[]}} scale
 * @param {number} value
 * @param {Palette} palette
 */
export function bytesOf({ kind, limit = 1, range: [low, high] = [0, 1] }, value, palette) {
  const share = kind === "mask" ? OPEN_SHARE : (value - low) / (high - low);
  const [parts, level] = kind === "signed"
    ? [palette.signed(), 255 + 255 * Math.max(-1, Math.min(1, value / limit))]
    : [palette.parts, 255 * Math.max(0, Math.min(1, share))];
  const at = 3 * Math.round(level);
  return parts.subarray(at, at + 3);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} colour
 * @param {number} line
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 */
export function outline(context, colour, line, x, y, width, height) {
  context.strokeStyle = colour;
  context.lineWidth = line;
  context.strokeRect(x, y, width, height);
}

/**
 * The hatching of cells that may hold no weight, for a context in device pixels.
 * @param {CanvasRenderingContext2D} context
 * @param {Palette} palette
 * @param {number} ratio
 * @returns {?CanvasPattern}
 */
export function makeHatch(context, palette, ratio) {
  if (asPen(context)) return /** @type {any} */ (new Hatch(palette.mask));
  const size = Math.round(5 * ratio);
  const tile = document.createElement("canvas");
  tile.width = size;
  tile.height = size;
  const pen = contextOf(tile);
  pen.strokeStyle = palette.mask;
  pen.lineWidth = Math.max(1, 0.9 * ratio);
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1);
    pen.lineTo(shift + size + 1, -1);
  }
  pen.stroke();
  const pattern = context.createPattern(tile, "repeat");
  pattern?.setTransform(new DOMMatrix().scale(1 / ratio));
  return pattern;
}

/**
 * Calls `changed` when the page's scheme may be another one; returns how to stop.
 * @param {function(): void} changed
 */
export function watchScheme(changed) {
  const watcher = new MutationObserver(changed);
  for (const element of [document.documentElement, document.body]) {
    watcher.observe(element, { attributes: true, attributeFilter: ["class", "data-theme"] });
  }
  const query = window.matchMedia("(prefers-color-scheme: dark)");
  query.addEventListener("change", changed);
  return () => {
    watcher.disconnect();
    query.removeEventListener("change", changed);
  };
}
