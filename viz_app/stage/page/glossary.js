// Terms explained where they stand: a marked word says in a small box, on hover, focus or touch,
// what it means, its formula, and its shape in the model on the screen. A button whose data-about
// says what it is for does so in the same box. Which words are marked: see terms.js.

import { fixed } from "../draw/numbers.js";
import { siteOf } from "../anatomy.js";
import { claim, happenedIn, nearest, setTrait } from "./elements.js";
import { html, makePart } from "./html.js";

const TIP_EDGE = 8; // CSS pixels kept free between the box and the window's edge
const TIP_OPENS_MS = 140; // a pointer that only passes by opens nothing
const TIP_CLOSES_MS = 220; // long enough to move the pointer into the box

/**
 * The numbers that "here" may name, for the model, the run and the site on the screen.
 * @param {State} state
 * @param {Here} here what an open room shows instead
 * @returns {Record<string, any>}
 */
function shapesHere({ model, run, strategy, ...state }, here) {
  const site = here.site ?? state.site;
  const { layers, heads, rows, columns } = siteOf(model, site);
  /** @type {Record<string, any>} */
  const shapes = {
    ...model, ...strategy, layers, heads, positions: model.anatomy.max_positions,
    head_width: rows === "source" ? model.encoder_head_width : model.decoder_head_width,
  };
  [shapes.divides, shapes.divisor_width] = model.divisor === "model" ? ["D", model.width]
    : ["E", shapes.head_width];
  if (!run) return shapes;
  /** @param {Tokens} tokens */
  const padsOf = ({ kinds }) => kinds.filter((kind) => kind === "pad").length;
  const source = here.source?.ids.length ?? run.source.ids.length;
  const target = here.fed?.ids.length ?? run.steps.length;
  const keys = columns === "target" ? target : source;
  return {
    ...shapes, source, target, keys, queries: rows === "source" ? source : target,
    most_bits: fixed(Math.log2(keys), 2),
    source_pads: padsOf(here.source ?? run.source), target_pads: here.fed ? padsOf(here.fed) : 0,
  };
}

/**
 * The shape of a term here; null where there is none, or a number in it is not known.
 * @param {string} name
 * @param {Record<string, any>} shapes
 * @param {Words} t
 */
export function shapeOf(name, shapes, t) {
  const shape = t(`term_${name}_here`, shapes);
  return /\{\w+\}/.test(shape) ? null : shape;
}

/**
 * The formula of a term: its own, or the one of this model's variant; null where there is none.
 * @param {string} name
 * @param {Model} model
 * @param {Words} t
 * @param {string[]} [edits] of the run on the screen
 */
export function formulaOf(name, model, t, edits = []) {
  const unusual = model.anatomy?.unusual ?? [];
  const hasFiniteMask = unusual.includes("hidden_score") || edits.includes("finite-mask");
  /** @type {Record<string, string | undefined>} */
  const variants = {
    attention: model.attention === "hard" ? "hard" : model.similarity,
    score: model.similarity, weight: model.attention, position: model.positions,
    norm: model.norm, residual: model.norm_place,
    embedding: model.scaled_embedding ? "scaled" : "plain",
    cross_attention: unusual.includes("cross_queries") ? "source" : "target",
    mask: hasFiniteMask ? "finite" : "infinite",
  };
  const key = [`term_${name}_formula_${variants[name]}`, `term_${name}_formula`].find(t.has);
  return key ? t(key, { divides: model.divisor === "model" ? "D" : "E" }) : null;
}

/**
 * Under the word, or above it where there is no room; never over the window's edges.
 * @param {HTMLElement} element
 * @param {HTMLElement} open
 */
function placeTip(element, open) {
  const word = open.getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  const height = window.innerHeight;
  element.style.maxWidth = `min(27em, ${width - 2 * TIP_EDGE}px)`;
  element.style.left = "0px";
  element.style.top = "0px";
  const origin = element.getBoundingClientRect(); // not 0, 0 inside a transformed host
  const left = Math.max(TIP_EDGE, Math.min(word.left, width - origin.width - TIP_EDGE));
  const below = word.bottom + 6;
  const above = word.top - origin.height - 6;
  const fits = below + origin.height <= height - TIP_EDGE;
  const top = fits || above < TIP_EDGE
    ? Math.max(TIP_EDGE, Math.min(below, height - origin.height - TIP_EDGE)) : above;
  element.style.left = `${left - origin.left}px`;
  element.style.top = `${top - origin.top}px`;
}

/**
 * Opens and closes the box as the pointer, the focus and the keys say.
 * @typedef {NonNullable<ReturnType<NonNullable<Room["here"]>>>} Here
 * @typedef {{element: HTMLElement, show: function(HTMLElement): void, close: function(): void,
 *   place: function(): void, open: function(): ?HTMLElement, stay: function(): void,
 *   later: function(function(): void, number): void}} Tip `open()`: the word whose box is open
 * @param {HTMLElement} root
 * @param {Tip} tip
 * @param {AbortSignal} signal
 */
function listenToTerms(root, tip, signal) {
  /** @param {Event} event */
  const wordOf = (event) => nearest(event, ".term, [data-about]");
  /** @param {Event} event */
  const termOf = (event) => nearest(event, ".term");
  let pointer = { x: NaN, y: NaN }; // where it was last moved or pressed
  /** @param {PointerEvent} event */
  const pointerover = (event) => {
    if (event.pointerType === "touch") return;
    const word = wordOf(event);
    // A word that the page has moved under a pointer that rests is not pointed at.
    if (word && !tip.open() && event.clientX === pointer.x && event.clientY === pointer.y) return;
    // What is met before the box is there may have been left since.
    if (word) tip.later(() => word.matches(":hover") && tip.show(word), tip.open() ? 0 : TIP_OPENS_MS);
    else if (happenedIn(tip.element, event)) tip.stay();
    else if (tip.open() && tip.open() !== document.activeElement) tip.later(tip.close, TIP_CLOSES_MS);
    else if (!tip.open()) tip.stay();
  };
  root.addEventListener("pointerover", pointerover);
  for (const type of ["pointermove", "pointerdown"]) {
    root.addEventListener(type, (/** @type {any} */ { clientX: x, clientY: y }) => { pointer = { x, y }; }, { capture: true, passive: true });
  }
  root.addEventListener("pointerleave", () => {
    if (tip.open() !== document.activeElement) tip.later(tip.close, TIP_CLOSES_MS);
  });
  /** @param {FocusEvent} event */
  const focusin = (event) => {
    const word = wordOf(event);
    if (word?.matches(":focus-visible")) tip.show(word);
    else if (!word) tip.close();
  };
  root.addEventListener("focusin", focusin);
  root.addEventListener("focusout", (event) => {
    if (event.target === tip.open()) tip.close();
  });
  // In the capturing phase: a term inside a label or a scrubbed row is only explained.
  root.addEventListener("click", (event) => {
    if (!termOf(event)) return;
    claim(event);
    click(event);
  }, { capture: true });
  /** @param {Event} event */
  const click = (event) => {
    const word = wordOf(event);
    if (word) tip.show(word);
  };
  root.addEventListener("click", click); // once the button has done its own
  /** @param {KeyboardEvent} event */
  const keydown = (event) => {
    const word = termOf(event);
    if (!word || (event.key !== "Enter" && event.key !== " ")) return;
    claim(event);
    if (tip.open() === word) tip.close();
    else tip.show(word);
  };
  root.addEventListener("keydown", keydown, { capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !tip.open()) return;
    claim(event);
    tip.close();
  }, { capture: true, signal });
  document.addEventListener("pointerdown", (event) => {
    if (tip.open() && !happenedIn(tip.element, event) && wordOf(event) !== tip.open()) tip.close();
  }, { capture: true, signal });
  window.addEventListener("resize", tip.close, { signal });
  document.addEventListener("scroll", (event) => {
    const open = tip.open();
    if (!open || happenedIn(tip.element, event)) return;
    const { top, bottom } = open.getBoundingClientRect();
    if (bottom < 0 || top > window.innerHeight) tip.close();
    else tip.place();
  }, { capture: true, passive: true, signal });
  /** @type {Record<string, function(any): void>} */
  const handlers = { pointermove: pointerover, focusin, click, keydown };
  return (/** @type {Event} */ event) => handlers[event.type]?.(event);
}

/**
 * The one box of a stage, and what opens and closes it.
 * @param {HTMLElement} root
 * @param {Words} t
 * @param {State} state
 * @param {AbortSignal} signal
 * @param {function(): Here} roomHere see shapesHere
 */
export function makeGlossary(root, t, state, roomHere, signal) {
  const id = `tip-${Math.random().toString(36).slice(2)}`;
  const { element, update } = makePart((/** @type {?{name: ?string, about: string, formula: ?string, here: ?string}} */ says = null) => html`
    <div class="tip" role="tooltip" id=${id} ?hidden=${says === null}><strong class="tip-name" ?hidden=${!says?.name}>${says?.name}</strong>
      <span class="tip-about">${says?.about}</span><code class="tip-formula" dir="ltr" ?hidden=${!says?.formula}>${says?.formula}</code>
      <span class="tip-here" ?hidden=${!says?.here}>${says?.here}</span></div>`);
  /** @type {?HTMLElement} */
  let open = null; // the marked word whose box is open
  let timer = 0;

  /** @param {HTMLElement} word */
  function show(word) {
    clearTimeout(timer);
    if (open === word) return;
    close();
    const { term: named = "", about: own } = word.dataset;
    const key = `term_${named}`;
    if (!own && !t.has(key)) return;
    open = word;
    const shape = own ? null : shapeOf(named, shapesHere(state, roomHere()), t);
    update({ name: own ? null : t(key), about: own ?? t(`${key}_about`),
      formula: own ? null : formulaOf(named, state.model, t, state.run?.recipe.edits), here: shape && t("term_here", { shape }) });
    place();
    setTrait(word, "aria-describedby", id);
    setTrait(word, "aria-expanded", "true");
  }

  function close() {
    clearTimeout(timer);
    if (!open) return;
    setTrait(open, "aria-describedby", null);
    setTrait(open, "aria-expanded", "false");
    open = null;
    update(null);
  }

  const place = () => open && placeTip(element, open);
  const meet = listenToTerms(root, { element, show, close, place, open: () => open,
    stay: () => clearTimeout(timer),
    /** @param {function(): void} act @param {number} wait */
    later(act, wait) {
      clearTimeout(timer);
      timer = setTimeout(act, wait);
    } }, signal);
  return {
    element,
    close,
    /** What happened before it was there. */
    meet,
  };
}
