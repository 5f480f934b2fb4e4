// Colours of CSS, however a browser writes them, as every reader of SVG knows them. Pure.

import { rgbFromLab } from "./palette.js";

/** @param {number} value from 0 to 255 */
const hexOf = (value) => Math.round(Math.min(255, Math.max(0, value))).toString(16).padStart(2, "0");

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
  const bytes = name === "oklab" ? rgbFromLab(parts) : name === "color" ? parts.map((part) => 255 * part) : parts;
  return { hex: `#${bytes.map(hexOf).join("")}`, alpha };
}
