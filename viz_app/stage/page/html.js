// How what is not canvas is drawn: a part is a function of the words and the state that gives a
// template, `pads(t, session) => html`...``, and its parent draws it with every render. What is as it
// was costs a comparison; nodes stay, and with them the focus. Text enters the page as text nodes
// only. A part changes no state: its listeners call actions.

import { lit } from "../vendor/lit.js";

export const nothing = lit.nothing; // no child, or no attribute
export const noChange = lit.noChange; // what is there stays
export const render = lit.render; // (template, element): draws into it, or draws again

export const svg = lit.svg; // a template of what stands inside an svg of another one

/** @type {WeakMap<TemplateStringsArray, TemplateStringsArray>} */
const joined = new WeakMap();

/**
 * A template. Its lines and their indentation leave no text between the nodes.
 * @param {TemplateStringsArray} strings
 * @param {unknown[]} values
 */
export function html(strings, ...values) {
  let kept = joined.get(strings);
  if (!kept) {
    kept = Object.assign(withoutLines(strings), { raw: strings.raw });
    joined.set(strings, kept);
  }
  return lit.html(kept, ...values);
}

/** @param {readonly string[]} strings */
export const withoutLines = (strings) => strings.join("\0")
  .replace(/(^|>)[^<]+/g, (between) => between.replace(/ *\n( *)/g, "")).split("\0");

/** Sets a property where it differs from what is on the page now, not only from what was set last. */
class Live {
  _$AT() {}

  /** @param {{element: any, name: string}} part @param {[unknown]} value */
  _$AS({ element, name }, [value]) {
    if (element[name] !== value) element[name] = value;
    return lit.noChange;
  }
}

/** The same, but what is being typed stays. */
class Typed extends Live {
  /** @param {{element: any, name: string}} part @param {[unknown]} value */
  _$AS(part, value) {
    const field = part.element.closest("select") ?? part.element; // of an option, its select
    return field === document.activeElement ? lit.noChange : super._$AS(part, value);
  }
}

/** Sets data attributes of which one has a name that a template cannot know. */
class Data extends Live {
  /** @param {{element: any}} part @param {[unknown]} values */
  _$AS({ element }, [values]) {
    Object.assign(element.dataset, values);
    return lit.noChange;
  }
}

/** The value of a property that the reader changes too, as in `.value=${live(...)}`. @param {unknown} value */
export const live = (value) => ({ _$litDirective$: Live, values: [value] });

/** The same of a field, where it has not the focus. @param {unknown} value */
export const typed = (value) => ({ _$litDirective$: Typed, values: [value] });

/** As in `<button ${data({ site })}>`. @param {Record<string, string | number>} values */
export const data = (values) => ({ _$litDirective$: Data, values: [values] });

/**
 * A part that stands among elements which are no templates: its element, and what draws it again.
 * @template {HTMLElement} [Element=HTMLElement]
 * @template {any[]} [Args=any[]]
 * @param {(...args: Args) => unknown} draw gives a template of one element, always the same template; it
 *     is first called without arguments
 */
export function makePart(draw) {
  const box = document.createDocumentFragment();
  const update = (/** @type {Args} */ ...args) => { render(draw(...args), box); };
  update(.../** @type {any} */ ([]));
  return { element: /** @type {Element} */ (box.firstElementChild), update };
}

/**
 * The element of a template that is drawn once, for what a script holds: a canvas, a field, what scrolls. It stands in
 * other templates as a value.
 * @template {HTMLElement} [Element=HTMLElement]
 * @param {unknown} template
 * @returns {Element}
 */
export const elementOf = (template) => /** @type {Element} */ (makePart(() => template).element);
