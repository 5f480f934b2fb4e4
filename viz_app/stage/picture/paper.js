// The sheet that a kept picture lies on: a title, one sentence, the picture; and, quietly, what it is of.

import { escaped, fontTraits, oneLine, short, tag } from "./pen.js";

const SLIDE = { width: 1280, height: 720, type: 18 }; // CSS pixels
const COLUMN = { width: 90, type: 12 }; // millimetres; CSS pixels
const PER_MM = 96 / 25.4; // CSS pixels
const LEAST_SHARE = 0.55; // of its size that a picture may have on a slide
const MOST_LINES = { slide: 2, column: 4 }; // of what is said under the title

/** @typedef {{size: "slide" | "column", theme: string, palette: string, title?: boolean, width?: ?number}} PaperLook */

/**
 * How large a sheet is: its width, its type, and the height that it is to have; 0: as high as needed.
 * @param {PaperLook} look
 */
export function paperOf({ size, width = null }) {
  if (size === "slide" && width === null) return { ...SLIDE, margin: 1.1 * SLIDE.type, isSlide: true };
  return { width: (width ?? COLUMN.width) * PER_MM, height: 0, type: COLUMN.type,
    margin: 0.9 * COLUMN.type, isSlide: false };
}

/**
 * A text on as many lines as it needs; scripts without spaces break anywhere.
 * @param {CanvasRenderingContext2D} measure
 * @param {string} font
 * @param {string} text
 * @param {number} room
 */
function wrapped(measure, font, text, room) {
  measure.font = font;
  const words = text.match(/[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+\s*|\s+/g) ?? [];
  const lines = [""];
  for (const word of words) {
    const longer = `${lines[lines.length - 1]}${word}`;
    if (lines[lines.length - 1] && measure.measureText(longer.trimEnd()).width > room) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => line.trim());
}

/**
 * What stands over a picture: its title, one sentence, and quietly what it is of; and where the picture
 * begins.
 * @param {PaperLook} look
 * @param {{title: string, says: string, about: {whole: string, short: string}}} said
 * @param {Palette} palette
 * @param {CanvasRenderingContext2D} measure
 */
export function headOf(look, { title, says, about }, palette, measure) {
  const { width, type, margin, isSlide } = paperOf(look);
  if (look.title === false) return { svg: "", top: 0.6 * margin };
  const room = width - 2 * margin;
  const [bold, plain, quiet] = [`600 ${short(1.25 * type)}px ${palette.sans}`, `${short(1.05 * type)}px ${palette.sans}`,
    `${short(0.9 * type)}px ${palette.sans}`];
  const lines = wrapped(measure, bold, `${title.charAt(0).toUpperCase()}${title.slice(1)}`, room);
  const said = says ? wrapped(measure, plain, says, room) : [];
  let below = wrapped(measure, quiet, about.whole, room);
  if (below.length > MOST_LINES[isSlide ? "slide" : "column"]) {
    below = wrapped(measure, quiet, about.short, room);
  }
  let y = 0.6 * margin;
  const out = [];
  for (const [list, font, colour, step] of /** @type {const} */ ([[lines, bold, palette.ink, 1.6],
    [said, plain, palette.ink, 1.35], [below, quiet, palette.quiet, 1.25]])) {
    for (const line of list) {
      y += step * type;
      out.push(tag("text", { x: margin, y: y - 0.3 * type, ...fontTraits(font), fill: colour }, escaped(line)));
    }
  }
  return { svg: out.join("\n"), top: y + 0.6 * type };
}

/**
 * The whole sheet.
 * @param {PaperLook} look
 * @param {{head: {svg: string, top: number}, svg: string, right: number, bottom: number, note: string, defs: string, palette: Palette}} parts
 *     the picture lies at (margin, top) and reaches to right and bottom from there
 */
export function sheetSvg(look, { head, svg, right, bottom, note, defs, palette: { paper, sans, quiet } }) {
  const { width, height, margin, type } = paperOf(look);
  const below = note ? 1.6 * type : 0;
  const family = oneLine(sans);
  /** Of a text in the usual family it needs no word. @param {string} part */
  const brief = (part) => part.replaceAll(` font-family="${escaped(family)}"`, "");
  // What is too wide for a slide is drawn smaller, as long as it can be read; else the sheet grows.
  const share = Math.min(1, (width - 1.6 * margin) / right);
  const scale = height > 0 && share > LEAST_SHARE ? share : 1;
  const W = Math.round(Math.max(width, margin + scale * right + 0.6 * margin));
  const H = Math.round(Math.max(height, head.top + scale * bottom + below + 0.8 * margin));
  return { width: W, height: H, svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}" viewBox="0 0 ${W} ${H}" font-family="${escaped(family)}">`
    + `${defs ? `<defs>${defs}</defs>` : ""}<rect width="${W}" height="${H}" fill="${paper}"/>\n${brief(head.svg)}\n`
    + `<g transform="translate(${short(margin)} ${short(head.top)})${scale < 1 ? ` scale(${scale.toFixed(4)})` : ""}">${brief(svg)}</g>`
    + `${note ? tag("text", { x: margin, y: H - 0.7 * margin, "font-size": 0.8 * type, fill: quiet }, escaped(note)) : ""}</svg>` };
}
