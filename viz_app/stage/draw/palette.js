// Colours. They live in the style sheet as variables; the canvases read them here.

const SCALE_STOPS = 5;
export const OPEN_SHARE = 0.14; // of the scale of weights: the colour of an open cell of a mask

function linearPart(part) {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function screenPart(value) {
  const part = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, part)));
}

/** @returns {number[]} [r, g, b] of "#rrggbb" */
function bytesFromHex(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/**
 * The relative luminance of WCAG 2.
 * @param {ArrayLike<number>} bytes [r, g, b]
 */
function luminance(bytes) {
  const [r, g, b] = [bytes[0], bytes[1], bytes[2]];
  return 0.2126 * linearPart(r) + 0.7152 * linearPart(g) + 0.0722 * linearPart(b);
}

/** "#rrggbb" as [L, a, b] of OKLab (Ottosson 2020). */
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

/**
 * [L, a, b] of OKLab as [r, g, b], each 0..255.
 * @param {number[]} lab
 */
function rgbFromLab(lab) {
  const [L, a, b] = lab;
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
 * The colours the canvases draw with.
 * @param {Element} root the element that carries the variables
 * @returns {Object} `parts`: 256 x [r, g, b] from weight 0 to 1; `of(weight)` as CSS; `on(weight)`:
 *     the text colour that reads on it; `signed()`: 511 x [r, g, b] from -1 to 1; `onSigned(share)`:
 *     the text colour on those; and the named colours
 */
export function readPalette(root) {
  const style = getComputedStyle(root);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  const stops = Array.from({ length: SCALE_STOPS }, (_, i) => labFromHex(read(`scale-${i}`)));
  const parts = new Uint8ClampedArray(256 * 3);
  const light = new Float32Array(256); // relative luminance, for the text on top
  for (let i = 0; i < 256; i += 1) {
    const place = (i / 255) * (SCALE_STOPS - 1);
    const low = Math.min(SCALE_STOPS - 2, Math.floor(place));
    const mixed = stops[low].map((part, axis) =>
      part + (place - low) * (stops[low + 1][axis] - part));
    parts.set(rgbFromLab(mixed), 3 * i);
    light[i] = luminance(parts.subarray(3 * i, 3 * i + 3));
  }
  const level = (weight) => Math.max(0, Math.min(255, Math.round(255 * weight)));
  const named = Object.fromEntries(
    ["paper", "panel", "ink", "quiet", "faint", "hair", "accent", "accent-soft", "select", "alarm", "mask", "mono",
      "sans", "dark-text", "light-text"].map((name) => [name.replace("-", "_"), read(name)]));
  // Where dark and light text have the same contrast (WCAG 2: (a + 0.05) / (b + 0.05)).
  const even = Math.sqrt((luminance(bytesFromHex(named.dark_text)) + 0.05)
    * (luminance(bytesFromHex(named.light_text)) + 0.05)) - 0.05;
  let signed = null;
  const signedParts = () => (signed ??= divergingParts(root));
  return {
    ...named,
    parts,
    signed: signedParts,
    onSigned(share) {
      const at = 3 * Math.round(255 + 255 * Math.max(-1, Math.min(1, share)));
      return luminance(signedParts().subarray(at, at + 3)) > even
        ? named.dark_text : named.light_text;
    },
    isSameAs: (other) => other.ink === named.ink && other.paper === named.paper,
    of(weight) {
      const at = 3 * level(weight);
      return `rgb(${parts[at]} ${parts[at + 1]} ${parts[at + 2]})`;
    },
    on: (weight) => (light[level(weight)] > even ? named.dark_text : named.light_text),
  };
}

/** 511 colours from -1 to 1 as bytes: minus-2, minus-1, scale-0, plus-1 and plus-2 at `root`. */
function divergingParts(root) {
  const style = getComputedStyle(root);
  const stop = (name) => labFromHex(style.getPropertyValue(`--${name}`).trim());
  const stops = ["minus-2", "minus-1", "scale-0", "plus-1", "plus-2"].map(stop);
  const parts = new Uint8ClampedArray(3 * 511);
  for (let i = 0; i < 511; i += 1) {
    const place = (i / 510) * 4;
    const low = Math.min(3, Math.floor(place));
    parts.set(rgbFromLab(stops[low].map((part, axis) =>
      part + (place - low) * (stops[low + 1][axis] - part))), 3 * i);
  }
  return parts;
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

export function outline(context, colour, line, x, y, width, height) {
  context.strokeStyle = colour;
  context.lineWidth = line;
  context.strokeRect(x, y, width, height);
}

/** The hatching of cells that may hold no weight, for a context in device pixels. */
export function makeHatch(context, palette, ratio) {
  const size = Math.round(5 * ratio);
  const tile = document.createElement("canvas");
  tile.width = size;
  tile.height = size;
  const pen = tile.getContext("2d");
  pen.strokeStyle = palette.mask;
  pen.lineWidth = Math.max(1, 0.9 * ratio);
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1);
    pen.lineTo(shift + size + 1, -1);
  }
  pen.stroke();
  const pattern = context.createPattern(tile, "repeat");
  pattern.setTransform(new DOMMatrix().scale(1 / ratio));
  return pattern;
}

/** Calls `changed` when the page's scheme may be another one; returns how to stop. */
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
