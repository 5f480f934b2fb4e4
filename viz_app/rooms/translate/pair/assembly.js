// How the pieces of a source word came about, once the word is pressed: which merges of the tokenizer
// made them, or that its tokenizer has none.

import { quoted } from "../../../stage/draw/labels.js";
import { claim, happenedIn, icon, isComposing, nearest, press } from "../../../stage/page/elements.js";
import { html, makePart, nothing } from "../../../stage/page/html.js";
import { isHidden, withHidden } from "../../../stage/page/strips.js";
import { unitAt, unitsOf } from "../../../stage/run/units.js";

/**
 * @typedef {{left: string, right: string, number: number, symbols: string[]}} Merge
 * @typedef {{places: number[], symbols: string[], merges: Merge[]}} AssemblyPart
 * @typedef {{kind: string, learnt: number, parts: AssemblyPart[]}} Assembly
 */

/**
 * The parts that tokens of a word are of, in their order.
 * @param {Assembly} assembly
 * @param {number[]} word places of its tokens
 */
export const partsOfWord = ({ parts }, word) => parts.filter(({ places }) => places.some((place) => word.includes(place)));

/**
 * What a part was before its merges and after each: its symbols, and the merge that led there.
 * @param {AssemblyPart} part
 * @returns {{symbols: string[], merge: ?Merge}[]}
 */
export const stagesOf = ({ symbols, merges }) =>
  [{ symbols, merge: null }, ...merges.map((merge) => ({ symbols: merge.symbols, merge }))];

/** Where the middle of a node stands in a box, in percent of its width. @param {HTMLElement} node @param {?Element} box */
function middleOf(node, box) {
  const [own, all] = [node.getBoundingClientRect(), box?.getBoundingClientRect()];
  return all?.width ? (100 * (own.left + own.width / 2 - all.left)) / all.width : 50;
}

const LEADS_AWAY = /^(Escape|Arrow|Home|End)/; // a key from the sheet; Tab goes through it

/**
 * @param {Words} t
 * @param {Session} session
 * @param {Ask} ask
 * @param {Redraw} redraw
 * @param {any} strip of the source
 * @param {function(): Axes} axes
 */
export function makeAssembly(t, { state, actions }, ask, redraw, strip, axes) {
  const question = ask();
  /** @type {?number} */
  let place = null; // of the token that was pressed
  let at = 50; // percent of the line, where it stands
  let source = ""; // the sentence it is of
  /** @type {?Assembly} */
  let found = null;

  /** @type {?AbortController} */
  let ends = null; // what is heard while it is open

  /** Closes at what is pressed elsewhere. @param {Event} event */
  function closeBeside(event) {
    if (!nearest(event, ".assembly-sheet") && !happenedIn(list, event)) open(null);
  }

  /** Closes at Escape, and at a key that moves. @param {KeyboardEvent} event */
  function closeByKey(event) {
    if (!LEADS_AWAY.test(event.key) || nearest(event, "dialog")) return;
    if (event.key === "Escape") claim(event);
    open(null);
  }

  /** @param {?number} next */
  function open(next) {
    ends?.abort();
    ends = next === null ? null : new AbortController();
    const [stage, until] = [list.closest(".stage"), { capture: true, signal: ends?.signal }];
    if (ends && stage instanceof HTMLElement) {
      stage.addEventListener("pointerdown", closeBeside, until);
      stage.addEventListener("keydown", closeByKey, until);
    }
    place = next;
    source = state.run?.recipe.source ?? "";
    redraw.now();
  }

  /** @param {Event} event */
  function take(event) {
    const node = nearest(event, ".token");
    const index = node?.dataset.index;
    if (index === undefined || !state.canAsk || state.room !== "translate") return false;
    at = middleOf(/** @type {HTMLElement} */ (node), list.closest(".sentences"));
    open(place === Number(index) ? null : Number(index));
    return true;
  }

  const list = /** @type {HTMLElement} */ (strip.element);
  list.addEventListener("click", take);
  list.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !isComposing(event) && take(event)) claim(event);
  }, { capture: true });

  /** @param {AssemblyPart} part */
  const line = (part) => html`
    <p class="assembly-part">${stagesOf(part).map(({ symbols, merge }, at) => html`${at > 0 ? html`
      <span class="assembly-then" title=${merge ? t("assembly_merge", merge) : nothing}>→</span> ` : nothing}
      <span class="assembly-symbols" title=${merge ? t("assembly_merge", merge) : nothing}>${symbols.map((symbol) => html`<span
        class="assembly-symbol${merge && symbol === merge.left + merge.right ? " joined" : ""}" dir="auto">${symbol}</span>`)}</span>`)}</p>`;

  /** Hides a word by one press, or shows it again. @param {number[]} word @param {Label} named */
  const hiding = (word, { label }) => (!actions.canEdit("hide") ? nothing : html`
    <button type="button" class="as-link" data-act="hide-word" @click=${press(() => {
    actions.edit(withHidden(state, word));
    open(null);
  })}>${t(state.run && isHidden(state.run, word) ? "assembly_show" : "needed_hide", { word: quoted(label) })}</button>`);

  function said() {
    const isHere = place !== null && state.run?.recipe.source === source && state.room === "translate";
    const units = isHere ? unitsOf(state, "source") : [];
    const nth = unitAt(units, place);
    const label = nth === null ? null : axes().words.source[nth];
    const parts = found && nth !== null ? partsOfWord(found, units[nth]) : [];
    const how = label && (label.kind === "text" ? found?.kind : "special");
    const explained = how && t(`assembly_${how}`, { word: quoted(label.label), learnt: found?.learnt ?? 0,
      pieces: parts.reduce((sum, { places }) => sum + places.length, 0) });
    return html`
      <div class="assembly" .style=${`--at: ${at.toFixed(1)}%`} role="status" aria-busy=${label && !how ? "true" : nothing}
        ?hidden=${!label}><div class="assembly-sheet">
        ${label && nth !== null ? hiding(units[nth], label) : nothing}
        <p>${explained}</p>
        ${how === "merges" ? parts.map(line) : nothing}
        <button type="button" class="tool" aria-label=${t("close")} data-act="close-assembly" @click=${press(() => open(null))}>${icon("close")}</button>
      </div></div>`;
  }
  const part = makePart(said);
  return {
    element: part.element,
    /** Asks how the sentence was tokenised, once a word of it was pressed. */
    settle() {
      if (place === null || !state.run || state.run.recipe.source !== source || state.busy) return;
      const { model, settings } = state.run.recipe;
      const recipe = { version: 1, model, source, pads: 0, target: [], ...(settings ? { settings } : {}) };
      found = question.of({ assembly: true, recipe }) ?? null;
    },
    update: part.update,
  };
}
