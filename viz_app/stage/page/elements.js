// What templates share: icons, buttons, switches, presses, keys. What a script holds is their `elementOf`:
// see html.js. Text enters the page only as text nodes: a token that looks like HTML stays a token.

import { data, html, live, makePart, nothing } from "./html.js";

/**
 * Sets or removes an attribute, only when it differs.
 * @param {Element} element
 * @param {string} name
 * @param {?string} value
 */
export function setTrait(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * Hides or shows an element, only where that is not so already: the browser restyles one that is hidden again.
 * @param {HTMLElement} element
 * @param {boolean} isHidden
 */
export function hide(element, isHidden) {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}

/**
 * Tells whether something is another than at the call before: what is made of it is made anew then.
 * @returns {(...parts: unknown[]) => boolean}
 */
export function makeDiffers() {
  /** @type {?unknown[]} */
  let before = null;
  return (...parts) => {
    const was = before;
    before = parts;
    return was?.length !== parts.length || parts.some((part, i) => part !== was[i]);
  };
}

const CROSS = "M4 3l4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z";
/** @type {Record<string, string>} */
const ICON_PATHS = {
  reset: "M3 3h1.8v10H3zM13 3v10L5.6 8z",
  back: "M11.5 3v10L4 8z",
  step: "M4.5 3v10L12 8z",
  play: "M3 3v10l5.5-5zM8.5 3v10L14 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  end: "M3 3v10l7.4-5zM11.2 3H13v10h-1.8z",
  undo: "M6.2 2.2v2.9h3.3a4.2 4.2 0 0 1 0 8.4H5V12h4.5a2.7 2.7 0 0 0 0-5.4H6.2v2.9L1.9 5.8z",
  scheme: "M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13zM8 3v10a5 5 0 0 1 0-10z",
  large: "M1 13L4.7 3h1.6L10 13H8.3l-.9-2.6H3.6L2.7 13zM4.1 8.9h2.8L5.5 4.9z"
    + "M12 5h1.3v2.3h2.2v1.3h-2.2v2.3H12V8.6H9.9V7.3H12z",
  help: "M7.2 10.2c0-2 2.3-2.2 2.3-3.9 0-.8-.6-1.3-1.5-1.3-.9 0-1.5.5-1.7 1.4l-1.5-.3"
    + "C5 4.5 6.2 3.5 8 3.5c1.9 0 3.2 1 3.2 2.7 0 2.3-2.4 2.4-2.4 4zM7.1 11.3h1.8v1.7H7.1z",
  link: "M6.6 10.4a.75.75 0 0 1-1-1l3.8-3.8a.75.75 0 0 1 1 1zM7.3 4.6l1.6-1.6a2.9 2.9 0 0 1 4.1 4.1"
    + "l-1.6 1.6-1-1 1.6-1.6a1.5 1.5 0 0 0-2.1-2.1L8.3 5.6zM8.7 11.4l-1.6 1.6a2.9 2.9 0 0 1-4.1-4.1"
    + "l1.6-1.6 1 1-1.6 1.6a1.5 1.5 0 0 0 2.1 2.1l1.6-1.6z",
  export: "M7.2 2h1.6v6l2.3-2.3 1.1 1.1L8 11 3.8 6.8l1.1-1.1L7.2 8zM2.5 12.2h11v1.6h-11z",
  card: "M7.1 6.6h1.8V12H7.1zM7.1 3.6h1.8v1.8H7.1zM8 .9a7.1 7.1 0 1 0 0 14.2A7.1 7.1 0 0 0 8 .9z"
    + "M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2z",
  edit: "M11.4 1.6l3 3-8.2 8.2-3.8.8.8-3.8zM10.3 4.5l1.2 1.2 1-1-1.2-1.2z",
  keep: "M1.5 2.5h5.6v11H1.5zM3 4v8h2.6V4zM8.9 2.5h5.6v11H8.9zM10.4 4v8H13V4z",
  leave: CROSS,
  close: CROSS,
};

/**
 * An icon drawn in the text colour; hidden from screen readers, which hear the button's label.
 * @param {string} name
 */
export const icon = (name) => html`
  <svg viewBox="0 0 16 16" aria-hidden="true" class="icon">
    <path d=${ICON_PATHS[name]} fill-rule="evenodd"></path></svg>`;

const PEEK = 24; // CSS pixels of the next item, so that it is seen to be there

/**
 * Scrolls a list, the offset parent of its items, no further than that an item is in view.
 * @param {HTMLElement} list
 * @param {any} item an HTMLElement
 */
export function scrollToItem(list, item) {
  const over = item.offsetTop + item.offsetHeight - list.scrollTop - list.clientHeight;
  if (over > 0) list.scrollTop += over;
  else if (item.offsetTop < list.scrollTop) list.scrollTop = item.offsetTop;
  const beyond = item.offsetLeft + item.offsetWidth - list.scrollLeft - list.clientWidth;
  if (beyond > 0) list.scrollLeft += beyond + PEEK;
  else if (item.offsetLeft < list.scrollLeft) list.scrollLeft = item.offsetLeft - PEEK;
}

/**
 * Lets a box fade where it goes on sideways; the function reads where, when its content or size has changed, and
 * returns what lets it.
 * @param {HTMLElement} box
 */
export function fadeEnds(box) {
  function fade() {
    const [before, after] = [box.scrollLeft > 1, box.scrollWidth - box.clientWidth - box.scrollLeft > 1];
    return () => {
      box.classList.toggle("fade-before", before);
      box.classList.toggle("fade-after", after);
    };
  }
  box.classList.add("fades");
  box.addEventListener("scroll", () => fade()(), { passive: true });
  return fade;
}

/**
 * The element around what an event happened at that a selector describes, itself included.
 * @param {Event} event
 * @param {string} selector
 * @returns {?HTMLElement}
 */
export function nearest(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/** Whether an event happened inside an element. @param {Node} element @param {Event} event */
export function happenedIn(element, event) {
  return event.target instanceof Node && element.contains(event.target);
}

/**
 * Whether a key belongs to a word being composed; in Safari 229 says so of the Enter that ends it.
 * @param {KeyboardEvent} event
 */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

/** Whether a key is part of a shortcut. @param {KeyboardEvent} event */
export const isShortcut = (event) => event.ctrlKey || event.metaKey || event.altKey;

/** Neither the browser nor the keys of the page take an event any further. @param {Event} event */
export function claim(event) {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * By how much an arrow key turns; 0 for any other key and for shortcuts.
 * @param {KeyboardEvent} event
 * @param {Record<string, number>} turns
 */
export const turnOf = (event, turns = { ArrowLeft: -1, ArrowRight: 1 }) =>
  (isShortcut(event) ? 0 : turns[event.key] ?? 0);

/**
 * What a button does: a pointer click gives the focus back to the stage, so that the keys work at
 * once, but where `act` has put it elsewhere.
 * @param {function(MouseEvent): void} act
 */
export const press = (act) => (/** @type {any} */ event) => {
  const button = event.currentTarget;
  const before = document.activeElement;
  act(event);
  const after = document.activeElement;
  if (event.detail === 0 || (after !== before && after !== document.body)) return;
  const root = button.closest(".stage");
  if (root && !button.closest("dialog, details")) root.focus({ preventScroll: true });
};

/**
 * A row of buttons of which one is pressed.
 * @template {string} Value
 * @param {string} name
 * @param {string} label
 * @param {(readonly [Value, string, string])[]} choices value, text and hint of each
 * @param {string} chosen
 * @param {function(Value): void} choose
 * @param {boolean | function(string): boolean} [enabled] all, or which
 */
export const switched = (name, label, choices, chosen, choose, enabled = true) => html`
  <div class="switch switch-${name}" role="group" aria-label=${label}>
    ${choices.map(([value, text, hint]) => html`
      <button type="button" class="choice" title=${hint} ${data({ [name]: value, text })}
        ?disabled=${!(typeof enabled === "function" ? enabled(value) : enabled)}
        aria-pressed=${value === chosen} @click=${press(() => choose(value))}>${text}</button>`)}
  </div>`;

/**
 * The same, of values whose words and hints are those of a key with the value after it.
 * @template {string} Value
 * @param {Words} t
 * @param {string} name
 * @param {string} label the key of its name
 * @param {string} key
 * @param {readonly Value[]} values
 * @param {string} chosen
 * @param {function(Value): void} choose
 * @param {boolean | function(string): boolean} [enabled] all, or which
 */
export const wordSwitch = (t, name, label, key, values, chosen, choose, enabled = true) => switched(name, t(label),
  values.map((value) => [value, t(`${key}_${value}`), t(`${key}_${value}_hint`)]), chosen, choose, enabled);

/**
 * The same as a part of its own; `update` gets the chosen one, and whether all, or which, can be pressed.
 * @template {string} Value
 * @param {Words} t
 * @param {string} name
 * @param {string} label
 * @param {string} key
 * @param {readonly Value[]} values
 * @param {function(Value): void} choose
 */
export const makeWordSwitch = (t, name, label, key, values, choose) => makePart((/** @type {string} */ chosen = "",
  /** @type {boolean | function(string): boolean} */ enabled = true) =>
  wordSwitch(t, name, label, key, values, chosen, choose, enabled));

/**
 * A tool: a button that is an icon.
 * @param {string} name of the icon too
 * @param {string} label
 * @param {function(): void} act
 * @param {?boolean} [pressed] of one that stays so
 */
export const tool = (name, label, act, title = label, pressed = null) => html`
  <button type="button" class="tool" aria-label=${label} title=${title} aria-pressed=${pressed ?? nothing} data-tool=${name}
    @click=${press(act)}>${icon(name)}</button>`;

/**
 * The options of a select, and which is chosen.
 * @param {(readonly (string | number)[])[]} choices value and name of each
 * @param {string | number} chosen
 * @param {typeof live} hold `typed` where the answer to a choice takes its time
 */
export const options = (choices, chosen, hold = live) => choices.map(([value, text]) => html`
  <option value=${value} .selected=${hold(String(value) === String(chosen))}>${text}</option>`);

/** How far the track of a slider is filled, as its style. @param {number} value @param {number} least @param {number} most */
export const filledTo = (value, least, most) =>
  `--filled: ${100 * (most > least ? (value - least) / (most - least) : 0)}%`;

/**
 * Listeners of a menu that closes by itself: with Escape, and when the focus leaves it.
 * @param {KeyboardEvent} event
 */
export function closeByKey(event) {
  const { key, currentTarget: menu } = event;
  if (key !== "Escape" || !(menu instanceof HTMLDetailsElement) || !menu.open) return;
  claim(event);
  shut(menu);
}

/** @param {FocusEvent} event */
export function closeBehind({ currentTarget: menu, relatedTarget: next }) {
  if (menu instanceof HTMLDetailsElement && next instanceof Node && !menu.contains(next)) menu.open = false;
}

export const OPEN_MENUS = "details[open]:not(details details)";

/** What lies over the page, which Escape closes before it does anything else. */
export const OVER = `dialog[open], ${OPEN_MENUS}`;

/** Closes a menu; the focus goes to what opens it. @param {HTMLDetailsElement} menu */
export function shut(menu) {
  menu.open = false;
  menu.querySelector("summary")?.focus();
}
