// The two sentences, as words or as tokens. What the target says is buttons that go to the step that
// wrote it; the source is text that can be pointed at, and pressed in Translate. Either sentence is one stop of the Tab key, with
// arrow keys inside. Both take the colour of what the shown head reads from them.

import { PENDING_MARK, spellingOf } from "../draw/labels.js";
import { onceLaidOut } from "../draw/laid_out.js";
import { shortProbability, weightInCell } from "../draw/numbers.js";
import { columnsOf, hasTarget, isStepped, readsSource, rowsOf, writes } from "../anatomy.js";
import { LEAST_SAID_FINELY } from "../choices.js";
import { editsOf, lastStepOf, stepsShown } from "../run/able.js";
import { rowOfWeights } from "../run/run.js";
import { rowUnits, showsWords, unitAt, unitsOf } from "../run/units.js";
import { claim, hide, isShortcut, nearest, press, scrollToItem, turnOf } from "./elements.js";
import { bringMap } from "./fit.js";
import { elementOf, html, live, nothing, render } from "./html.js";

export const LEAST_TINT = 0.02; // weights below leave a token as it is

/**
 * The key a pointed token stands for in the shown map, or nulls when it has no place there.
 * @param {State} state
 * @param {string} side
 * @param {number} index
 */
export function placeOfToken(state, side, index) {
  const { site, run } = state;
  if (side === "source" || !writes(run)) {
    return rowsOf(run, site) === side ? { query: index, key: null }
      : { query: null, key: columnsOf(run, site) === side ? index : null };
  }
  const query = index - 1; // the step that writes it
  const drawn = isStepped(run, site) && query >= 0 && query < stepsShown(state);
  return { query: drawn ? query : null, key: null };
}

/**
 * The row whose weights tint the strips: the pointed one, else the current step.
 * @param {State} state
 */
export function tintedQuery(state) {
  const { pointed, site, at, run } = state;
  if (pointed.query !== null) return pointed.query;
  return !isStepped(run, site) || pointed.key !== null ? null : at;
}

/**
 * Whether a token of a side is at the pointed place: a row's step writes it, a column reads it.
 * @param {State} state
 * @param {string} side
 * @param {number} index
 */
function isPointed({ run, site, pointed }, side, index) {
  const isWritten = side === "target" && writes(run);
  const row = !isWritten || pointed.query === null ? pointed.query : pointed.query + 1;
  return (rowsOf(run, site) === side && row === index)
    || (columnsOf(run, site) === side && pointed.key === index);
}

/**
 * What the row at hand reads of each unit of a side: the mean over its own pieces, the sum over those of
 * each; null where it reads another side, or nothing is at hand.
 * @param {State} state
 * @param {Head} shown
 * @param {import("../run/units.js").Units} units
 * @param {?number} query
 */
function readOf(state, { layer, head }, units, query) {
  const { run, site } = state;
  if (query === null) return null;
  const rows = rowUnits(state)[unitAt(rowUnits(state), query) ?? -1] ?? [query];
  const weights = rows.map((row) => rowOfWeights(run, site, layer, head, row));
  return units.map((unit) => unit.reduce((sum, key) =>
    sum + weights.reduce((all, row) => all + (row[key] ?? 0), 0), 0) / rows.length);
}

/** How a token of the target was chosen; null where it was not. @param {string} side @param {State} state @param {number} index */
const chosenAt = (side, { run }, index) => (side === "target" && index > 0 ? run.chosen[index - 1] : null);

/**
 * How the tokens of a written word were chosen, each by itself.
 * @param {Words} t
 * @param {Pick<Run, "target" | "chosen">} run
 * @param {number[]} unit
 */
export const choicesSaid = (t, { target, chosen }, unit) => unit.map((place) => {
  const { how, log_probability: nats } = chosen[place - 1];
  const text = unit.length > 1 ? `${target.texts[place].trim() || "␣"}: ` : "";
  return text + t(`title_${how}`, { probability: shortProbability(Math.exp(nats)) });
});

/**
 * A word or a token of a strip: what it says wherever the cursor is; `unit`: the tokens it stands for.
 * @typedef {{unit: number[], text: string, title: string, kind: ?string, goesOn?: boolean, how: ?string}} StripToken
 */

/** @param {string} side @param {Words} t @param {State} state @param {Label} label @param {number[]} unit @returns {StripToken} */
function tokenOf(side, t, state, { label, piece, kind, goesOn }, unit) {
  const how = chosenAt(side, state, unit[0])?.how ?? null;
  const title = [label, ...(piece === label ? [] : [spellingOf(piece, t)]), ...(how ? choicesSaid(t, state.run, unit) : [])];
  return { unit, text: label, title: title.join("\n"), kind, goesOn, how };
}

/** What stands for the token that is still to be written. @param {Words} t @param {State} state @returns {StripToken} */
const pendingToken = (t, { run }) => ({ unit: [run.target.ids.length], text: PENDING_MARK, title: t("title_pending"), kind: null, how: null });

/**
 * The arrow keys among the tokens of a sentence.
 * @param {HTMLElement[]} nodes
 * @param {boolean} isText
 * @param {KeyboardEvent} event
 */
function turnAmong(nodes, isText, event) {
  const at = nodes.findIndex((node) => node === document.activeElement);
  const turn = turnOf(event);
  if (at < 0) return;
  // Enter elsewhere takes a candidate, and Space plays; past the last target token Right steps on.
  const isMine = isText && (turn || event.key === "Enter" || event.key === " ");
  const next = turn ? nodes[at + turn] : undefined;
  if (!isMine && !next) return;
  claim(event);
  if (!next) return;
  for (const node of nodes) node.tabIndex = node === next ? 0 : -1;
  next.focus();
}

/** Whether every token of a unit of the source is hidden. @param {Run} run @param {number[]} unit */
export const isHidden = ({ recipe }, unit) => unit.every((place) => recipe.edits?.includes(`hide:${place + 1}`));

/** The edits with every token of a unit hidden, or shown again. @param {State} state @param {number[]} unit */
export function withHidden(state, unit) {
  const edits = editsOf(state);
  const hides = unit.map((place) => `hide:${place + 1}`);
  return hides.every((edit) => edits.includes(edit)) ? edits.filter((edit) => !hides.includes(edit))
    : [...edits, ...hides.filter((edit) => !edits.includes(edit))];
}

/**
 * Hides the source token that has the focus from the model, or shows it again; gives whether so.
 * @param {string} side
 * @param {HTMLElement[]} nodes
 * @param {Session} session
 * @param {KeyboardEvent} event
 */
function isOfHiding(side, nodes, { state, actions }, event) {
  const at = nodes.findIndex((node) => node === document.activeElement);
  if (side !== "source" || event.key.toLowerCase() !== "x" || at < 0 || !actions.canEdit("hide")) return false;
  claim(event);
  actions.edit(withHidden(state, unitsOf(state, "source")[at]));
  return true;
}

/**
 * Points at what the pointer or the focus is on, and hears the keys.
 * @param {HTMLElement} list
 * @param {string} side
 * @param {Session} session
 * @param {function(): boolean} areMoves
 * @param {function(): HTMLElement[]} nodes
 */
function listenToTokens(list, side, session, areMoves, nodes) {
  const { state, actions } = session;
  /** @param {Event} event */
  function point(event) {
    const node = nearest(event, ".token");
    if (!node || !state.run || node.dataset.index === undefined) return;
    const { query, key } = placeOfToken(state, side, Number(node.dataset.index));
    actions.point(query, key);
  }
  // What comes to lie under a pointer that rests is met, but not pointed at: only a move or a press is.
  for (const type of ["pointermove", "pointerdown"]) list.addEventListener(type, point);
  list.addEventListener("pointerleave", () => actions.point(null, null));
  list.addEventListener("click", (event) => { if (nearest(event, ".token")) bringMap(list); });
  list.addEventListener("focusin", (event) => { if (!areMoves()) point(event); });
  list.addEventListener("focusout", () => { if (!areMoves()) actions.point(null, null); });
  list.addEventListener("keydown", (event) => isShortcut(event) || isOfHiding(side, nodes(), session, event)
    || turnAmong(nodes(), !areMoves(), event));
}

/**
 * What the tokens of a strip are to what is shown, by their places; functions, for what costs is read once.
 * @param {"source" | "target"} side
 * @param {Words} t
 * @param {State} state
 * @param {Head} shown
 * @param {import("../run/units.js").Units} units
 * @param {Palette} palette
 */
function marksIn(side, t, state, shown, units, palette) {
  const { run, site, more } = state;
  const keysHere = columnsOf(run, site) === side;
  const read = readOf(state, shown, units, keysHere ? tintedQuery(state) : null);
  const isOfWords = showsWords(state); // which arcs lead to
  const unread = side === "source" ? more?.unreadWords(state, shown, units) : null;
  const unsure = side === "target" ? more?.unsureWords(state) : null;
  return (/** @type {number[]} */ unit, /** @type {number} */ place) => {
    const weight = read?.[place] ?? 0;
    const isStruck = side === "source" && isHidden(run, unit);
    const isUnread = Boolean(unread?.has(place)) && !isStruck;
    const chance = unsure?.get(unit[0]);
    return {
      style: weight >= LEAST_TINT ? `background-color:${palette.of(weight)};color:${palette.on(weight)}` : "",
      weight: isOfWords && weight >= LEAST_SAID_FINELY ? weightInCell(weight) : nothing,
      unread: isUnread && weight < LEAST_SAID_FINELY ? t("unread") : nothing,
      about: isUnread ? t("unread_about", { share: more?.LEAST_READ ?? "" })
        : chance === undefined ? "" : t("unsure_about", { probability: shortProbability(chance) }),
      classes: { unsure: chance !== undefined, struck: isStruck, pointed: unit.some((index) => isPointed(state, side, index)),
        aside: isOfWords && place === 0 && side === "target" && !keysHere },
    };
  };
}

/** @param {Record<string, boolean>} classes */
const joined = (classes) => Object.keys(classes).map((name) => (classes[name] ? ` ${name}` : "")).join("");

/**
 * @param {"source" | "target"} side
 * @param {Words} t
 * @param {Session} session
 * @param {HTMLElement} aside what stands beside it
 */
export function makeStrip(side, t, { state, actions }, aside) {
  const list = elementOf(html`<div class="tokens" role="list" aria-label=${t(`strip_${side}`)}></div>`);
  const end = elementOf(html`<div class="strip-end"></div>`);
  const element = elementOf(html`
    <div class="strip strip-${side}" data-side=${side}><span class="gutter" aria-hidden="true">${t(`strip_${side}`)}</span>
      ${list}${end}${aside}</div>`);
  /** @type {?Label[]} */
  let built = null; // of which the tokens are
  /** @type {import("../run/units.js").Units} */
  let units = [];
  /** @type {StripToken[]} */
  let tokens = [];
  /** @returns {HTMLElement[]} */
  const nodesNow = () => [.../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll(".token"))];
  /** @type {?HTMLElement} */
  let current = null;
  let stop = 0; // the place of the Tab key in what is text: where it was last

  /** Whether the tokens move the cursor; else they are text. */
  const areMoves = () => side === "target" && writes(state.run);
  listenToTokens(list, side, { state, actions }, areMoves, nodesNow);
  list.addEventListener("focusin", ({ target }) => { stop = Math.max(0, nodesNow().findIndex((node) => node === target)); });

  /** @param {Label[]} labels */
  function build(labels) {
    units = unitsOf(state, side);
    tokens = labels.map((label, place) => tokenOf(side, t, state, label, units[place]));
    if (areMoves() && state.run.finished === null) tokens.push(pendingToken(t, state));
    [built, current] = [labels, null];
  }

  /** @param {Head} shown @param {Palette} palette @param {number} now the place of the token that the step at the cursor writes */
  function drawTokens(shown, palette, now) {
    const marksOf = marksIn(side, t, state, shown, units, palette);
    const [moves, steps] = [areMoves(), stepsShown(state)];
    const isPressed = side === "source" && state.canAsk && state.room === "translate";
    const tabbed = list.contains(document.activeElement) || !moves ? Math.min(stop, tokens.length - 1) : now;
    return tokens.map(({ unit, text, title, kind, goesOn, how }, place) => {
      const { style, weight, unread, about, classes } = marksOf(unit, place);
      const [index] = unit;
      const all = joined({ kind: kind !== null, pending: kind === null, "goes-on": goesOn === true, ...classes,
        later: moves && index > steps, now: moves && place === now, read: moves && place === now - 1 });
      const says = [title, isPressed ? t("assembly_hint") : "", about].filter(Boolean).join("\n");
      const tab = live(place === tabbed ? 0 : -1);
      const inside = html`${goesOn ? html`<i></i>` : nothing}<span class=${how ? `how-${how}` : nothing}>${text}</span>`;
      const go = press(() => actions.moveTo(kind === null ? lastStepOf(state) : Math.max(0, index - 1)));
      return html`<span role="listitem" class="item">${moves ? html`
        <button type="button" class="token${all}" dir="auto" title=${says} aria-label=${kind === null ? title : nothing}
          aria-description=${about || nothing} aria-current=${place === now ? "step" : nothing} tabindex="-1" .tabIndex=${tab}
          data-index=${index} data-side=${side} data-kind=${kind ?? nothing} data-how=${how ?? nothing}
          data-weight=${weight} data-unread=${unread} .style=${style} @click=${go}>${inside}</button>` : html`
        <span class="token${all}" dir="auto" title=${says} role=${isPressed ? "button" : nothing}
          aria-description=${about || nothing} tabindex="-1" .tabIndex=${tab} data-index=${index} data-side=${side}
          data-kind=${kind ?? nothing} data-weight=${weight} data-unread=${unread} .style=${style}>${inside}</span>`}</span>`;
    });
  }

  /** @type {?HTMLElement} */
  let wanted = null; // in view
  let isSeen = false; // in some rooms it is not
  function follow() {
    if (!wanted || !isSeen) return;
    current = wanted;
    scrollToItem(list, current);
  }
  new ResizeObserver(([{ contentRect }]) => {
    isSeen = contentRect.height > 0;
    follow();
  }).observe(list);

  return {
    element,
    tokens: list,
    /** Where the sentence ends: what adds to it stands there. */
    end,
    /** The nodes of the units, in their order; those of special tokens may be out of sight. */
    nodes: nodesNow,
    /**
     * `labels`: of this side, by its units; `shown`: {layer, head} in the large map.
     * @param {Label[]} labels
     * @param {Head} shown
     * @param {Palette} palette
     */
    update(labels, shown, palette) {
      const { run, at } = state;
      hide(element, !(side === "source" ? readsSource(run) : hasTarget(run)));
      if (element.hidden) return;
      const hadFocus = list.contains(document.activeElement);
      if (built !== labels) build(labels);
      const now = unitAt(units, at + 1) ?? tokens.length - 1;
      render(drawTokens(shown, palette, now), list);
      if (hadFocus && !list.contains(document.activeElement)) nodesNow()[Math.min(stop, tokens.length - 1)]?.focus();
      wanted = areMoves() ? nodesNow()[now] : null;
    },
    /** Keeps the step in view, once the page is laid out. */
    follow() {
      if (wanted !== current) onceLaidOut(list, follow);
    },
  };
}
