// Where a painter finds the pen that draws for paper what it paints; on the screen there is none.
// What such a pen does is in pen.js, which is fetched when a picture is kept.

/** @typedef {import("../picture/pen.js").Pen} Pen */

/** Hatching as the fill of a pen; `falling`: to the other side. */
export class Hatch {
  /** @param {string} colour @param {boolean} falling */
  constructor(colour, falling = false) {
    this.colour = colour;
    this.falling = falling;
  }
}

/** The pixels of small pictures, one a cell: what browsers give back of a canvas may be blurred. @type {WeakMap<HTMLCanvasElement, ImageData>} */
const pixels = new WeakMap();

/**
 * Puts cells into a small picture, a pixel each, from a row on; a pen can draw it as well.
 * @param {HTMLCanvasElement} picture
 * @param {ImageData} image as wide as the picture
 * @param {number} from
 */
export function putCells(picture, image, from = 0) {
  /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d")).putImageData(image, 0, from);
  let all = pixels.get(picture);
  if (all?.width !== picture.width || all?.height !== picture.height) {
    all = new ImageData(picture.width, picture.height);
    pixels.set(picture, all);
  }
  all.data.set(image.data, 4 * from * image.width);
}

/** The pixels that were put into a small picture. @param {HTMLCanvasElement} picture */
export const pixelsOf = (picture) => pixels.get(picture);

/**
 * The pens that draw for paper: those that draw by now, by canvas, and how another is made.
 * @typedef {{of: Map<Element, Pen>, make: function(): Pen}} Pens
 * @typedef {CanvasRenderingContext2D} Context
 */

/** @type {?Pens} */
let taken = null; // while pictures are drawn for paper

/** From now on every canvas is painted by a pen of its own; with null by none. @param {?Pens} pens */
export function usePens(pens) {
  taken = pens;
}

/**
 * A new pen for a canvas while pictures are drawn for paper; null on the screen.
 * @param {HTMLCanvasElement} canvas
 */
export function newPen(canvas) {
  taken?.of.set(canvas, taken.make());
  return penOn(canvas);
}

/** The pen of a canvas, where there is one. @param {HTMLCanvasElement} canvas */
export const penOn = (canvas) => /** @type {?Context} */ (/** @type {unknown} */ (taken?.of.get(canvas) ?? null));

/** Whether a context is a pen. @param {any} context @returns {Pen | null} */
export const asPen = (context) => (context?.isPen ? context : null);
