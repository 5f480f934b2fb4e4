// A row of tokens of the room Inside a head, to choose one from. It is one stop of the Tab key, with
// arrow keys inside.

import { onceLaidOut, whenLaidOut } from "../../stage/draw/laid_out.js";
import { claim, fadeEnds, make, makeButton, makeDiffers, scrollToItem, setTrait, turnOf } from "../../stage/page/elements.js";
import { weightInCell } from "../../stage/draw/numbers.js";
import { LEAST_SAID } from "../../stage/choices.js";
import { makeTermed } from "../../stage/page/terms.js";

/** @param {Words} t @param {string} name @param {function(number): void} choose */
export function makeInsideTokens(t, name, choose) {
  const word = makeTermed(t, `inside_tokens_${name}`, { class: "tokens-word" });
  const list = make("div", { class: "tokens-list", role: "group",
    "aria-label": t(`inside_tokens_${name}`), on: { keydown: turn } });
  const element = make("div", { class: "inside-tokens", data: { tokens: name } },
    [word.element, list]);
  const isOther = makeDiffers();
  /** @type {?number} */
  let brought = null; // the token last brought into view
  /** @type {?number} */
  let wanted = null;

  const fade = fadeEnds(list);
  function show() {
    if (brought !== null) scrollToItem(list, list.children[brought]);
    return fade();
  }
  whenLaidOut(list, show);

  /** @param {Label} label @param {number} i */
  const token = ({ label, kind }, i) => makeButton({ class: "kind token", text: label, title: label,
    dir: "auto", data: { kind, index: i } }, () => {
    brought = i; // what is pressed is in view
    choose(i);
  });

  /** @param {KeyboardEvent} event */
  function turn(event) {
    const turn = turnOf(event);
    if (!turn) return;
    claim(event); // elsewhere they step
    const { activeElement: here } = document;
    const next = turn < 0 ? here?.previousElementSibling : here?.nextElementSibling;
    if (!(next instanceof HTMLElement)) return;
    stopAt(next);
    next.focus();
  }

  /** @param {Element} stop */
  function stopAt(stop) {
    for (const node of list.children) setTrait(node, "tabindex", node === stop ? "0" : "-1");
  }

  return {
    element,
    /**
     * @param {Label[]} labels
     * @param {?number} chosen
     * @param {?Pick<CellStudy, "weights_K" | "allowed_K">} row whose weights stand over the tokens
     */
    update(labels, chosen, row = null) {
      if (isOther(JSON.stringify(labels))) {
        brought = null;
        list.replaceChildren(...labels.map(token));
      }
      Array.from(list.children).forEach((node, i) => setTrait(node, "aria-pressed", i === chosen));
      for (const [i, weight] of row?.weights_K.entries() ?? []) {
        const node = /** @type {HTMLElement} */ (list.children[i]);
        node.style.setProperty("--weight", String(weight));
        setTrait(node, "data-weight", weight < LEAST_SAID ? "" : weightInCell(weight));
        node.classList.toggle("masked", !row?.allowed_K[i]);
      }
      if (!list.contains(document.activeElement)) stopAt(list.children[chosen ?? 0]);
      wanted = chosen;
    },
    /** After `update` of all lists: brings what is chosen into view. */
    follow() {
      if (wanted === null || wanted === brought) return;
      brought = wanted;
      onceLaidOut(list, show);
    },
  };
}
