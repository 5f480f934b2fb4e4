// A pen with the canvas's own calls that writes SVG, so that what paints a map on the screen draws
// the same map for paper. It knows the calls that the stage's painters use, and no others.

import { colourOf } from "../draw/colours.js";
import { rowAt } from "../draw/layout.js";
import { Hatch, pixelsOf, usePens } from "../draw/pens.js";

const LINE_APART = 5; // CSS pixels between two lines of hatching
const LINE_WIDE = 0.9;

/** A number as SVG writes it. @param {number} value */
export const short = (value) => String(Math.round(100 * value) / 100 || 0);

// What XML has no sign for: controls, halves of a pair, and two that are no letters.
const NOT_IN_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
/** @type {Record<string, string>} */
const NAMED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text that stays text in SVG, whatever is in it. @param {unknown} text */
export const escaped = (text) => String(text).replace(NOT_IN_XML, "\ufffd")
  .replace(/[&<>"]/g, (sign) => NAMED[sign]);

/**
 * An element of SVG as text; what is undefined is left out.
 * @param {string} name
 * @param {Record<string, string | number | undefined>} traits
 * @param {string} [inside]
 */
export function tag(name, traits, inside) {
  const written = Object.entries(traits).filter(([, value]) => value !== undefined)
    .map(([trait, value]) => ` ${trait}="${typeof value === "number" ? short(value) : escaped(value)}"`);
  return `<${name}${written.join("")}${inside === undefined ? "/>" : `>${inside}</${name}>`}`;
}

/** A list of fonts without what a style sheet has between them. @param {string} fonts */
export const oneLine = (fonts) => fonts.replace(/\s+/g, " ").trim();

/** How a font is said in SVG. @param {string} font such as "600 12px serif", as a canvas has it */
export function fontTraits(font) {
  const [, style, weight, size, family] =
    /^(?:(italic|oblique) )?(?:(?:normal )*)(?:(\d+|bold) )?([\d.]+)px(?:\/\S+)? (.+)$/.exec(oneLine(font)) ?? [];
  return { "font-family": family ?? "sans-serif", "font-size": Number(size ?? 10),
    "font-weight": weight === "400" ? undefined : weight, "font-style": style };
}

/**
 * The slanted lines inside a rectangle, as a path: not every reader of SVG knows patterns. Those of
 * neighbours meet.
 * @param {Hatch} hatch
 * @param {number[]} box x, y, width, height
 */
function hatchPath({ falling }, [left, top, width, height]) {
  const turn = falling ? -1 : 1; // x + turn * y is the same all along a line
  const [right, bottom] = [left + width, top + height];
  const levels = [left + turn * top, right + turn * top, left + turn * bottom, right + turn * bottom];
  const path = [];
  for (let level = Math.ceil(Math.min(...levels) / LINE_APART) * LINE_APART; level <= Math.max(...levels);
    level += LINE_APART) {
    const ends = [level - turn * top, level - turn * bottom].sort((a, b) => a - b);
    const [low, high] = [Math.max(left, ends[0]), Math.min(right, ends[1])];
    if (high > low) {
      path.push(`M${short(low)} ${short(turn * (level - low))}L${short(high)} ${short(turn * (level - high))}`);
    }
  }
  return path.join("");
}

/** What a painter sets; all else of a pen is its own. */
const SET = /** @type {const} */ (["fillStyle", "strokeStyle", "lineWidth", "font", "textAlign", "textBaseline",
  "direction", "globalAlpha", "globalCompositeOperation", "imageSmoothingEnabled"]);

/** @typedef {{matrix: DOMMatrix, clip: string, fillStyle: any, strokeStyle: any, lineWidth: number, font: string,
 *   textAlign: string, textBaseline: string, direction: string, globalAlpha: number, dash: number[],
 *   globalCompositeOperation: string, imageSmoothingEnabled: boolean}} PenState */

export class Pen {
  isPen = true;
  /** @type {string[]} */
  drawn = [];
  path = "";
  hasBelow = false;
  paper = "none";
  clipTo = (/** @type {string} */ _) => "";
  /** @type {CanvasRenderingContext2D} */
  measure = /** @type {any} */ (null);
  /** @type {PenState[]} */
  saved = [];
  /** @type {PenState} */
  now = { matrix: new DOMMatrix(), clip: "", fillStyle: "#000", strokeStyle: "#000", lineWidth: 1,
    font: "10px sans-serif", textAlign: "left", textBaseline: "alphabetic", direction: "ltr",
    globalAlpha: 1, dash: [], globalCompositeOperation: "source-over", imageSmoothingEnabled: true };

  /**
   * @param {function(string): string} clipTo gives the name of a clip with this path
   * @param {CanvasRenderingContext2D} measure measures text
   * @param {string} paper its colour
   */
  constructor(clipTo, measure, paper = "none") {
    Object.assign(this, { clipTo, measure, paper });
    for (const name of SET) {
      Object.defineProperty(this, name, { get: () => this.now[name],
        set: (value) => { /** @type {any} */ (this.now)[name] = value; } });
    }
  }

  save() { this.saved.push({ ...this.now, matrix: DOMMatrix.fromMatrix(this.now.matrix) }); }

  restore() { this.now = this.saved.pop() ?? this.now; }

  /** @param {number} x @param {number} y */
  translate(x, y) { this.now.matrix.translateSelf(x, y); }

  /** @param {number} angle */
  rotate(angle) { this.now.matrix.rotateSelf((angle * 180) / Math.PI); }

  /** In CSS pixels, as a canvas is whose pixels are finer. */
  setTransform() { this.now.matrix = new DOMMatrix(); }

  /** @param {number[]} dash */
  setLineDash(dash) { this.now.dash = dash; }

  beginPath() { this.path = ""; }

  /** @param {number} x @param {number} y */
  moveTo(x, y) { this.path += `M${short(x)} ${short(y)}`; }

  /** @param {number} x @param {number} y */
  lineTo(x, y) { this.path += `${this.path ? "L" : "M"}${short(x)} ${short(y)}`; }

  /** @param {number[]} points */
  bezierCurveTo(...points) { this.path += `C${points.map(short).join(" ")}`; }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  rect(x, y, width, height) {
    this.path += `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {number} radius */
  roundRect(x, y, width, height, radius) {
    const r = Math.max(0, Math.min(radius, width / 2, height / 2));
    const [across, down] = [short(width - 2 * r), short(height - 2 * r)];
    /** @param {number} dx @param {number} dy */
    const turn = (dx, dy) => `a${short(r)} ${short(r)} 0 0 1 ${short(dx * r)} ${short(dy * r)}`;
    this.path += `M${short(x + r)} ${short(y)}h${across}${turn(1, 1)}v${down}${turn(-1, 1)}`
      + `h-${across}${turn(-1, -1)}v-${down}${turn(1, -1)}z`;
  }

  /** @param {number} x @param {number} y @param {number} r @param {number} from @param {number} to */
  arc(x, y, r, from = 0, to = 2 * Math.PI) {
    const at = (/** @type {number} */ angle) =>
      `${short(x + r * Math.cos(angle))} ${short(y + r * Math.sin(angle))}`;
    const size = `A${short(r)} ${short(r)} 0`;
    if (Math.abs(to - from) > 6.28) {
      this.path += `M${at(from)}${size} 1 1 ${at(from + Math.PI)}${size} 1 1 ${at(from)}z`;
      return;
    }
    this.path += `${this.path ? "L" : "M"}${at(from)}${size} ${Math.abs(to - from) > Math.PI ? 1 : 0} `
      + `${to > from ? 1 : 0} ${at(to)}`;
  }

  clip() {
    const clip = this.clipTo(tag("path", { d: this.path, transform: this.#transform() }));
    this.now.clip = clip;
  }

  #transform() {
    const { a, b, c, d, e, f, isIdentity } = this.now.matrix;
    if (isIdentity) return undefined;
    if (a === 1 && b === 0 && c === 0 && d === 1) return `translate(${short(e)} ${short(f)})`;
    return `matrix(${[a, b, c, d].map((part) => String(Math.round(1e5 * part) / 1e5 || 0)).join(" ")} ${short(e)} ${short(f)})`;
  }

  /** @param {string} name @param {Record<string, string | number | undefined>} traits @param {string} [inside] */
  #put(name, traits, inside) {
    const { clip, globalAlpha: alpha, globalCompositeOperation: way } = this.now;
    const written = tag(name, { ...traits, opacity: alpha < 1 ? alpha : undefined,
      transform: this.#transform() }, inside);
    const placed = clip ? `<g clip-path="url(#${clip})">${written}</g>` : written;
    if (way === "destination-over") this.drawn.unshift(placed);
    else this.drawn.push(placed);
  }

  #line() {
    const { strokeStyle, lineWidth, dash } = this.now;
    return { fill: "none", stroke: colourOf(strokeStyle).hex, "stroke-width": lineWidth,
      "stroke-dasharray": dash.length ? dash.map(short).join(" ") : undefined };
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    const { fillStyle } = this.now;
    if (!(Math.abs(width) > 0 && Math.abs(height) > 0) || !fillStyle) return;
    const [left, top] = [Math.min(x, x + width), Math.min(y, y + height)];
    const [across, down] = [Math.abs(width), Math.abs(height)];
    if (fillStyle instanceof Hatch) {
      this.#put("path", { d: hatchPath(fillStyle, [left, top, across, down]), fill: "none",
        stroke: colourOf(fillStyle.colour).hex, "stroke-width": LINE_WIDE });
    } else this.#put("rect", { x: left, y: top, width: across, height: down, fill: colourOf(fillStyle).hex });
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  strokeRect(x, y, width, height) { this.#put("rect", { x, y, width, height, ...this.#line() }); }

  /** What is on paper already is covered. @param {number} x @param {number} y @param {number} width @param {number} height */
  clearRect(x, y, width, height) {
    if (this.drawn.length > 0) this.#put("rect", { x, y, width, height, fill: this.paper });
  }

  fill() { this.#put("path", { d: this.path, fill: colourOf(this.now.fillStyle).hex }); }

  stroke() { this.#put("path", { d: this.path, ...this.#line() }); }

  /** @param {string} text */
  measureText(text) {
    this.measure.font = this.now.font;
    return this.measure.measureText(text);
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    const { font, textAlign, textBaseline, fillStyle, direction } = this.now;
    const anchor = { center: "middle", right: "end" }[textAlign];
    const isTurned = direction === "rtl"; // where SVG's start is the right
    this.#put("text", { x, y: y + (textBaseline === "middle" ? this.#drop() : 0), ...fontTraits(font),
      fill: colourOf(fillStyle).hex, "text-anchor": isTurned ? { middle: "middle", end: undefined }[anchor ?? ""] ?? "end" : anchor,
      direction: isTurned ? "rtl" : undefined, "xml:space": /^\s|\s$|\s\s/.test(text) ? "preserve" : undefined },
    escaped(text));
  }

  /** How far below the middle of its letters a font's line is: not every reader of SVG knows middles. */
  #drop() {
    const { measure, now } = this;
    Object.assign(measure, { font: now.font, textBaseline: "alphabetic" });
    const above = measure.measureText("x").fontBoundingBoxAscent;
    measure.textBaseline = "middle";
    const drop = above - measure.measureText("x").fontBoundingBoxAscent;
    measure.textBaseline = "alphabetic";
    return drop;
  }

  /**
   * A small picture, a pixel a cell, as cells.
   * @param {HTMLCanvasElement} picture
   * @param {...number} place from x, y, width, height; to x, y, width, height
   */
  drawImage(picture, ...place) {
    const pixels = pixelsOf(picture);
    if (!pixels) return;
    const [left, top, C, R, x, y, width, height] = place;
    const [across, down] = [width / C, height / R];
    /** @type {Map<string, string[]>} */
    const paths = new Map();
    for (let row = 0; row < R; row += 1) {
      for (let column = 0, end; column < C; column = end) {
        end = column + 1;
        const colour = colourAt(pixels, left + column, top + row);
        if (!colour) continue;
        while (end < C && colourAt(pixels, left + end, top + row) === colour) end += 1;
        const path = paths.get(colour) ?? [];
        paths.set(colour, path);
        path.push(`M${short(x + column * across)} ${short(y + row * down)}h${short((end - column) * across)}`
          + `v${short(down)}h${short((column - end) * across)}z`);
      }
    }
    for (const [colour, path] of paths) {
      this.#put("path", { d: path.join(""), fill: colour, "shape-rendering": "crispEdges" });
    }
  }

  /** Hatching for what is below 0, and that there is some. @param {string} colour */
  below(colour) {
    this.hasBelow = true;
    return new Hatch(colour, true);
  }

  /** Hatches cells that are below 0, which grey alone does not tell. @param {Painting} painting @param {number} rows that are painted */
  hatchBelow({ frame, layout, palette }, rows) {
    const { limit = 1 } = frame;
    this.now.globalAlpha = 0.45; // digits are read over it
    for (let row = 0; row < rows; row += 1) {
      const [y, high] = rowAt(layout, row);
      for (let column = 0; column < frame.columns.count && !frame.bars?.(row); column += 1) {
        const value = frame.value(row, column);
        if (!(value < 0) || frame.mark?.(row, column) || frame.hidden?.(row, column)) continue;
        this.now.fillStyle = this.below(palette.onSigned(value / limit));
        this.fillRect(column * layout.pitchX, y, layout.pitchX, high);
      }
    }
    this.now.globalAlpha = 1;
  }
}

/** @param {ImageData} pixels @param {number} x @param {number} y */
function colourAt({ data, width, height }, x, y) {
  const at = 4 * (y * width + x);
  if (x >= width || y >= height || !data[at + 3]) return null;
  return `#${[data[at], data[at + 1], data[at + 2]].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * Until `putAway` is called, all that is painted on a canvas is drawn by pens.
 * @param {function(string): string} clipTo
 * @param {string} paper its colour
 */
export function takePens(clipTo, paper) {
  const measure = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  /** @type {Map<Element, Pen>} */
  const pens = new Map();
  usePens({ of: pens, make: () => new Pen(clipTo, measure, paper) });
  return { pens, putAway: () => usePens(null) };
}
