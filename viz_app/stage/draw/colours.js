// Colours of CSS, however a browser writes them, as every reader of SVG knows them. Pure.

/** @param {number} value from 0 to 1 */
const hexOf = (value) =>
  Math.round(255 * Math.min(1, Math.max(0, value))).toString(16).padStart(2, "0");

/** @param {number} value of a linear part */
const onScreen = (value) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);

/** Of OKLab (Ottosson 2020), each from 0 to 1. @param {number[]} lab */
function fromLab([L, a, b]) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s].map(onScreen);
}

/**
 * A colour as "#rrggbb", and how much of what is behind it it covers.
 * @param {string} colour as the computed style or a canvas has it
 * @returns {{hex: string, alpha: number}}
 */
export function colourOf(colour) {
  if (colour === "transparent" || colour === "none" || !colour) return { hex: "#000", alpha: 0 };
  const [, name, inside] = /^(rgba?|color|oklab)\((.*)\)$/.exec(colour) ?? [];
  if (!name) return { hex: colour, alpha: 1 };
  const numbers = inside.match(/-?[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [];
  const [parts, alpha = 1] = [numbers.slice(0, 3), numbers[3]];
  const shares = name === "oklab" ? fromLab(parts) : name === "color" ? parts : parts.map((part) => part / 255);
  return { hex: `#${shares.map(hexOf).join("")}`, alpha };
}
