// How the browser has laid boxes out, read without having it lay anything out: once a frame, when that is done,
// and kept. What is written meanwhile is laid out at the end of the frame; what is then drawn otherwise than it
// should be is drawn anew in the same frame.

import { isOnPaper, writeThenPaint } from "./canvas.js";

/**
 * What reads a box; what it returns is called once all is read, and may write.
 * @typedef {function(): ?(function(): void) | void} Reading
 */
/** @type {WeakMap<Element, Set<Reading>>} */
const calls = new WeakMap();
/** @type {WeakMap<Element, number[]>} */
const known = new WeakMap();
/** @type {?ResizeObserver} */
let observer = null;

/** @param {ResizeObserverEntry[]} entries */
function read(entries) {
  const acts = new Set(entries.flatMap(({ target }) => [...calls.get(target) ?? []].map((call) => call())));
  writeThenPaint(() => {
    for (const act of acts) if (typeof act === "function") act(); // what scrolls may return a promise
  });
}

/** Calls a function whenever a box is laid out at another size; returns what ends that. @param {Element} box @param {Reading} call */
export function whenLaidOut(box, call) {
  observer ??= new ResizeObserver(read);
  const all = calls.get(box) ?? new Set();
  calls.set(box, all.add(call));
  observer.unobserve(box); // one that is observed already is reported again
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
 * @param {Reading} call
 */
export function onceLaidOut(box, call) {
  const stop = whenLaidOut(box, () => {
    stop();
    return call();
  });
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
  const disconnect = whenLaidOut(box, () => {
    const size = readSize(box);
    if (size[0] > 0) known.set(box, size);
    const before = drawnAt();
    return size[0] > 0 && (before.length === 0 || before.some((one, i) => one !== size[i])) ? redraw.now ?? redraw : null;
  });
  return { disconnect };
}
