// Canvases as sharp as the screen, and pens on them.

import { newPen } from "./pens.js";

/**
 * What draws on a canvas; every browser that runs the page has one.
 * @param {HTMLCanvasElement} canvas
 */
export const contextOf = (canvas) =>
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

const PRINTED = 3; // pixels of a print per CSS pixel

/** How many pixels of a canvas are one CSS pixel. @param {HTMLCanvasElement} canvas */
export const ratioOf = (canvas) => (isOnPaper(canvas) ? PRINTED : window.devicePixelRatio || 1);

/** Whether it is being printed, see paper.css, or drawn as a picture: then nothing is scrolled, all is there. @param {Element} element */
export const isOnPaper = (element) => element.closest(".paper, .picture") !== null;

/**
 * A drawing context in CSS pixels, sharp on every screen; the canvas is resized only on change. For a
 * picture on paper it is a pen.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
export function sizedContext(canvas, width, height) {
  const pen = newPen(canvas);
  if (pen) {
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    return pen;
  }
  const ratio = ratioOf(canvas);
  const across = Math.max(1, Math.round(width * ratio));
  const down = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = contextOf(canvas);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** @type {?Map<HTMLCanvasElement, function(): void>} */
let waiting = null; // while the page is written: what will be painted

/**
 * Writes the page, and paints its canvases then: a font that is set on one brings the page's styles up to date,
 * so between two writes it would be done twice.
 * @param {function(): void} write
 */
export function writeThenPaint(write) {
  if (waiting) return write();
  const paints = waiting = new Map();
  try {
    write();
  } finally {
    waiting = null;
    for (const paint of paints.values()) paint();
  }
}

/** Paints a canvas once all is written; at once where nothing is being written. @param {HTMLCanvasElement} canvas @param {function(): void} paint */
export function paintOn(canvas, paint) {
  if (waiting) waiting.set(canvas, paint);
  else paint();
}

/** Calls a function once what is drawn now is on the screen: for what nobody sees. @param {function(): void} act */
export const afterFrame = (act) => requestAnimationFrame(() => { setTimeout(act); });

/** Draws straight lines from point to point. @param {CanvasRenderingContext2D} context @param {number[][]} points */
export function strokeThrough(context, ...points) {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
export function fillDisc(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/**
 * Type whose middle is at the height of what it is written at.
 * @param {CanvasRenderingContext2D} context
 * @param {string} font
 * @param {string} colour
 * @param {CanvasTextAlign} align
 */
export function setType(context, font, colour, align) {
  Object.assign(context, { font, fillStyle: colour, textAlign: align, textBaseline: "middle",
    direction: "ltr" });
}
