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
import { claim, hide, isShortcut, make, makeButton, nearest, scrollToItem, setTrait, turnOf } from "./elements.js";
import { bringMap } from "./fit.js";

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
 * What a token is made of: where that is as it was, its node stays.
 * @param {string} side
 * @param {State} state
 * @param {Label} label
 * @param {number[]} unit the tokens it stands for
 */
function madeOf(side, state, { label, piece, kind, goesOn }, unit) {
  const chosen = unit.map((place) => chosenAt(side, state, place)).map((one) => [one?.how, one?.log_probability]);
  return JSON.stringify([label, piece, kind, goesOn, unit[0], writes(state.run), chosen]);
}

/**
 * A word or a token of the strip; one of a target that is written goes to its step, the start to the first.
 * @param {string} side
 * @param {Words} t
 * @param {Session} session
 * @param {Label} label
 * @param {number[]} unit the tokens it stands for
 */
function makeToken(side, t, { state, actions }, label, unit) {
  const [index] = unit;
  const chosen = chosenAt(side, state, index);
  const title = [label.label];
  if (label.piece !== label.label) title.push(spellingOf(label.piece, t));
  if (chosen) title.push(...choicesSaid(t, state.run, unit));
  const traits = { class: `kind token${label.goesOn ? " goes-on" : ""}`, dir: "auto", title: title.join("\n"),
    data: { index, side, kind: label.kind, ...(chosen ? { how: chosen.how } : {}) } };
  const inner = [...(label.goesOn ? [make("i")] : []), make("span", { class: chosen ? `how-${chosen.how}` : null, text: label.label })];
  if (side === "source" || !writes(state.run)) {
    const tabindex = index === 0 ? "0" : "-1";
    return make("span", { ...traits, tabindex }, inner);
  }
  return makeButton(traits, () => actions.moveTo(Math.max(0, index - 1)), inner);
}

/**
 * What a token of the target is to the step at the cursor, to the eye; `isStop`: for the Tab key.
 * @param {HTMLElement} node
 * @param {number} ahead of the token that the step writes; -1: the last one that it reads
 * @param {boolean} isLater whether it is still to come
 * @param {boolean} isStop
 */
function markStep(node, ahead, isLater, isStop) {
  node.classList.toggle("later", isLater);
  node.classList.toggle("now", ahead === 0);
  node.classList.toggle("read", ahead === -1);
  setTrait(node, "aria-current", ahead === 0 ? "step" : null);
  setTrait(node, "tabindex", isStop ? "0" : "-1");
}

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
  for (const node of nodes) setTrait(node, "tabindex", node === next ? "0" : "-1");
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
  list.addEventListener("pointerover", point);
  list.addEventListener("pointerleave", () => actions.point(null, null));
  list.addEventListener("click", (event) => { if (nearest(event, ".token")) bringMap(list); });
  list.addEventListener("focusin", (event) => { if (!areMoves()) point(event); });
  list.addEventListener("focusout", () => { if (!areMoves()) actions.point(null, null); });
  list.addEventListener("keydown", (event) => isShortcut(event) || isOfHiding(side, nodes(), session, event)
    || turnAmong(nodes(), !areMoves(), event));
}

/**
 * Puts elements into a list in their order; those that stand in it already are not put there anew.
 * @param {HTMLElement} list
 * @param {HTMLElement[]} elements
 */
function fillList(list, elements) {
  elements.forEach((element, i) => {
    if (list.children[i] !== element) list.insertBefore(element, list.children[i] ?? null);
  });
  while (list.children.length > elements.length) list.lastElementChild?.remove();
}

/**
 * A token in the strip: what it was made of, its title then, and what of the list it is.
 * @typedef {{of: string, node: HTMLElement, title: string, item: HTMLElement}} Kept
 */

/**
 * @param {"source" | "target"} side
 * @param {Words} t
 * @param {Session} session
 * @param {HTMLElement} aside what stands beside it
 */
export function makeStrip(side, t, { state, actions }, aside) {
  const list = make("div", { class: "tokens", role: "list", "aria-label": t(`strip_${side}`) });
  const end = make("div", { class: "strip-end" });
  const element = make("div", { class: `strip strip-${side}`, data: { side } }, [
    make("span", { class: "gutter", text: t(`strip_${side}`), "aria-hidden": "true" }),
    list,
    end,
    aside,
  ]);
  /** @type {?Label[]} */
  let built = null; // what the nodes were built from
  /** @type {import("../run/units.js").Units} */
  let units = [];
  /** @type {Kept[]} */
  let tokens = [];
  const nodesNow = () => tokens.map(({ node }) => node);
  /** @type {?HTMLElement} */
  let current = null;

  /** Whether the tokens move the cursor; else they are text. */
  const areMoves = () => side === "target" && writes(state.run);
  listenToTokens(list, side, { state, actions }, areMoves, nodesNow);

  /** @param {string} of @param {HTMLElement} node @returns {Kept} */
  const kept = (of, node) => ({ of, node, title: node.title,
    item: make("span", { role: "listitem", class: "item" }, [node]) });

  /** What stands for the token that is still to be written. */
  const makePending = () => makeButton({ class: "token pending", text: PENDING_MARK, title: t("title_pending"),
    "aria-label": t("title_pending"), data: { index: state.run.target.ids.length, side } },
  () => actions.moveTo(lastStepOf(state)));

  /** @param {Label[]} labels */
  function build(labels) {
    const focused = nodesNow().indexOf(/** @type {HTMLElement} */ (document.activeElement));
    units = unitsOf(state, side);
    const before = new Map(tokens.map((token) => [token.of, token]));
    tokens = labels.map((label, place) => {
      const of = madeOf(side, state, label, units[place]);
      return before.get(of) ?? kept(of, makeToken(side, t, { state, actions }, label, units[place]));
    });
    if (areMoves() && state.run.finished === null) tokens.push(kept("", makePending()));
    fillList(list, tokens.map(({ item }) => item));
    [built, current] = [labels, null];
    tokens[Math.min(focused, tokens.length - 1)]?.node.focus(); // -1: none had the focus
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
     * `labels`: of this side, by its units; `shown`: {layer, head} in the large map; `isMarked`: whether it is seen.
     * @param {Label[]} labels
     * @param {Head} shown
     * @param {Palette} palette
     * @param {boolean} isMarked
     */
    update(labels, shown, palette, isMarked) {
      const { run, at, site } = state;
      if (!run) return;
      hide(element, !(side === "source" ? readsSource(run) : hasTarget(run)));
      if (element.hidden) return;
      if (built !== labels) build(labels);
      if (!isMarked) return;
      const keysHere = columnsOf(run, site) === side;
      const query = keysHere ? tintedQuery(state) : null;
      const read = readOf(state, shown, units, query);
      const now = unitAt(units, at + 1) ?? tokens.length - 1;
      const isOfWords = showsWords(state); // which arcs lead to
      const unread = side === "source" ? state.more?.unreadWords(state, shown, units) : null;
      const unsure = side === "target" ? state.more?.unsureWords(state) : null;
      const isPressed = side === "source" && state.canAsk && state.room === "translate";
      tokens.forEach(({ node, title }, place) => {
        const unit = units[place] ?? [run.target.ids.length];
        const weight = read?.[place] ?? 0;
        const tinted = weight >= LEAST_TINT;
        node.style.backgroundColor = tinted ? palette.of(weight) : "";
        node.style.color = tinted ? palette.on(weight) : "";
        setTrait(node, "data-weight", isOfWords && weight >= LEAST_SAID_FINELY ? weightInCell(weight) : null);
        const isUnread = Boolean(unread?.has(place)) && !isHidden(run, unit);
        setTrait(node, "data-unread", isUnread && weight < LEAST_SAID_FINELY ? t("unread") : null);
        const chance = unsure?.get(unit[0]);
        node.classList.toggle("unsure", chance !== undefined);
        const about = isUnread ? t("unread_about", { share: state.more?.LEAST_READ ?? "" })
          : chance === undefined ? "" : t("unsure_about", { probability: shortProbability(chance) });
        setTrait(node, "aria-description", about || null);
        if (side === "source") setTrait(node, "role", isPressed ? "button" : null);
        setTrait(node, "title", [title, isPressed ? t("assembly_hint") : "", about].filter(Boolean).join("\n"));
        node.classList.toggle("struck", side === "source" && isHidden(run, unit));
        node.classList.toggle("pointed", unit.some((index) => isPointed(state, side, index)));
        node.classList.toggle("aside", isOfWords && place === 0 && side === "target" && keysHere === false);
        if (areMoves()) {
          const { activeElement: focused } = document;
          const isStop = list.contains(focused) ? node === focused : place === now;
          markStep(node, place - now, unit[0] > stepsShown(state), isStop);
        }
      });
      wanted = areMoves() ? tokens[now]?.node ?? null : null;
    },
    /** Keeps the step in view, once the page is laid out. */
    follow() {
      if (wanted !== current) onceLaidOut(list, follow);
    },
  };
}
