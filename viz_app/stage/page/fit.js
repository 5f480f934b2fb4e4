// Where the stage stands in the window: how much room it has, and what is scrolled how far.

const NARROW = 960; // CSS pixels; up to here the stage is one column
const PHONE = 480; // CSS pixels; up to here it is laid out for a thumb, wider only on a touched screen
const LOW = 500; // CSS pixels; a lower window is one that is zoomed in: the picture comes first
const MOST = 0.8; // of the large map; where so much is in the window, a press moves nothing
const MOST_BELOW = 110; // CSS pixels of host page under the stage that it makes room for

/** Whether a thumb presses, and no mouse. */
const isTouched = () => window.matchMedia("(pointer: coarse)").matches;

/**
 * Fits the stage to its place: classes for the room there is, and the height that is left in the
 * window, so that nothing scrolls at 1280 x 720. They are classes and no container queries, whose
 * conditions can name no token: each width would stand in every style sheet, and in the scripts that
 * ask for it once more. A picture is laid out on paper with others than the window's.
 * @param {HTMLElement} root
 * @returns {number} the width that there is
 */
export function fit(root) {
  const width = root.clientWidth;
  if (width === 0) return width;
  root.classList.toggle("middling", width <= 1200);
  root.classList.toggle("narrow", width <= NARROW);
  root.classList.toggle("slim", width <= PHONE || (width <= 640 && isTouched()));
  root.classList.toggle("low", window.innerHeight <= LOW);
  const isTall = window.innerHeight >= 860;
  root.classList.toggle("tall", isTall);
  // Parts that stand side by side have less height there than they would take.
  root.classList.toggle("short", !isTall && width > NARROW);
  const topOf = (/** @type {Element} */ node) => Math.max(0, node.getBoundingClientRect().top + window.scrollY);
  const top = topOf(root);
  const map = root.querySelector(".slim .map-box");
  if (map?.clientHeight) root.style.setProperty("--map-top", `${Math.round(topOf(map))}px`);
  root.style.setProperty("--stage-top", `${Math.round(Math.min(top, 240))}px`);
  root.style.setProperty("--stage-below", "4px");
  // A small rest of the host page below, such as its footer, stays in the window too.
  const page = document.documentElement;
  // What a lesson adds to scroll by is none of it.
  const added = parseFloat(window.getComputedStyle(root).paddingBottom) || 0;
  const over = width > NARROW ? page.scrollHeight - page.clientHeight - added : 0;
  if (over > 0 && over <= MOST_BELOW) {
    root.style.setProperty("--stage-below", `${4 + Math.ceil(over)}px`);
  }
  return width;
}

/** What scrolls in some elements, themselves included. @param {Element[]} parts @returns {Element[]} */
export const whatScrolls = (parts) => parts.flatMap((part) => [part, ...part.querySelectorAll("*")])
  .filter((node) => /auto|scroll/.test(getComputedStyle(node).overflow));

/** Whether nearly all of it is in the window. @param {Element} node */
function isInView(node) {
  const { top, bottom, height } = node.getBoundingClientRect();
  return Math.min(bottom, window.innerHeight) - Math.max(top, 0) > MOST * height;
}

/** How the page scrolls by itself: for who prefers no motion at once. @returns {ScrollBehavior} */
export const scrolling = () => (window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth");

/**
 * In one column, where the large map may be far from what was pressed, brings it into view.
 * @param {Element} pressed
 */
export function bringMap(pressed) {
  const map = pressed.closest(".stage.narrow")?.querySelector(".room:not([hidden]) .map");
  if (map && !isInView(map)) map.scrollIntoView({ block: "nearest", behavior: scrolling() });
}

/**
 * Remembers what is scrolled how far; the function puts a rebuilt page back there.
 * @param {HTMLElement} root
 */
export function rememberScrolls(root) {
  /** Its classes, but those of ends that fade as it scrolls. @param {Element} node */
  const likeOf = (node) => [...node.classList].filter((name) => !name.startsWith("fade-")).join(" ");
  const places = [...root.querySelectorAll("[class]")]
    .filter((node) => node.scrollTop > 0 || node.scrollLeft > 0)
    .map((node) => ({ like: likeOf(node), nth: [...root.getElementsByClassName(likeOf(node))].indexOf(node),
      top: node.scrollTop, left: node.scrollLeft }));
  return () => {
    for (const { like, nth, top, left } of places) {
      root.getElementsByClassName(like)[nth]?.scrollTo({ top, left, behavior: "instant" });
    }
  };
}

