// How the browser has laid boxes out, read without having it lay anything out: once a frame, when that is done,
// and kept. What is written meanwhile is laid out at the end of the frame; what is then drawn otherwise than it
// should be is drawn anew in the same frame.

import { isOnPaper } from "./canvas.js";

/** @typedef {function(): void} Call */
/** @type {WeakMap<Element, Set<Call>>} */
const calls = new WeakMap(); // what reads a box when it is laid out anew
/** @type {WeakMap<Element, number[]>} */
const known = new WeakMap();
/** @type {Set<Call>} */
const late = new Set(); // what writes, once all is read
/** @type {?ResizeObserver} */
let observer = null;

/** @param {ResizeObserverEntry[]} entries */
function read(entries) {
  for (const { target } of entries) for (const call of [...calls.get(target) ?? []]) call();
  const acts = [...late];
  late.clear();
  for (const act of acts) act();
}

/** Calls a function whenever a box is laid out at another size; returns what ends that. @param {Element} box @param {Call} call */
function watch(box, call) {
  observer ??= new ResizeObserver(read);
  const all = calls.get(box) ?? new Set();
  calls.set(box, all.add(call));
  observer.unobserve(box); // one that is observed already is told of again
  observer.observe(box);
  return () => {
    all.delete(call);
    if (all.size > 0) return;
    calls.delete(box);
    observer?.unobserve(box);
  };
}

/**
 * Calls a function when the browser has laid the box out: what it reads then costs no layout more.
 * @param {HTMLElement} box
 * @param {Call} call
 */
export function onceLaidOut(box, call) {
  const stop = watch(box, () => {
    stop();
    call();
  });
}

/**
 * Calls a function when any of some boxes is laid out at another size, once for all of them; returns what ends that.
 * @param {HTMLElement[]} boxes
 * @param {Call} call
 */
export function watchBoxes(boxes, call) {
  const stops = boxes.map((box) => watch(box, () => late.add(call)));
  return () => stops.forEach((stop) => stop());
}

/** @param {Element} box */
const readSize = (box) => [box.clientWidth, box.clientHeight, box.scrollLeft, box.scrollTop];

/** Takes over what a box is scrolled to. @param {Element} box @param {number[]} [to] what it will be, once that is laid out */
export function noteScroll(box, to = [box.scrollLeft, box.scrollTop]) {
  const [width, height] = known.get(box) ?? [];
  if (width !== undefined) known.set(box, [width, height, ...to]);
}

/**
 * The size of a box for what is in it, and what it is scrolled to, in CSS pixels: of one that is watched as it was
 * laid out last, in sight.
 * @param {HTMLElement} box
 */
export function sizeOf(box) {
  if (!calls.has(box) || isOnPaper(box)) return readSize(box);
  return box.closest("[hidden]") ? [0, 0, 0, 0] : known.get(box) ?? readSize(box);
}

/**
 * Draws anew where a box in sight has another size than the one it was drawn at.
 * @param {HTMLElement} box
 * @param {function(): number[]} drawnAt that size, or its width alone; nothing before it is drawn
 * @param {(function(): void) & {now?: function(): void}} redraw
 * @returns {{disconnect: function(): void}}
 */
export function watchSize(box, drawnAt, redraw) {
  const disconnect = watch(box, () => {
    const size = readSize(box);
    if (size[0] > 0) known.set(box, size);
    const before = drawnAt();
    if (size[0] > 0 && (before.length === 0 || before.some((one, i) => one !== size[i]))) late.add(redraw.now ?? redraw);
  });
  return { disconnect };
}
