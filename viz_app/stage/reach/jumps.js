// The way through a tall page in a narrow window: one press for each part of the open room, in a line
// that stays at the bottom. Elsewhere the style sheet hides it.

import { press } from "../page/elements.js";
import { html, makePart } from "../page/html.js";

const SCREENS = 2.5; // a page up to so many windows high is scrolled by hand
const SCREENS_OF_MAP = 3; // the same where the line would cover some of the map
const LESS_OF_MAP = 0.2; // windows that the map gives to the line
const PARTS = "h3:not(.map-title), .stage-name, .stage-main > section, .masks-grid, .heads-room h4, .compare-title, .compare-strips-title, .positions-title, .training-title"; // what begins a part
// The sentences are one part, or only their tokens where the translation is shown first.
const SENTENCES = '.sentences, .stage[data-in="translate"] .strip-source > .tokens';

/** What a part is called, as what is pressed is written: "x to q", a symbol, stays as it is. @param {Element} node */
const nameOf = (node) => (node.getAttribute("aria-label") ?? (node.textContent ?? "").trim())
  .replace(/^\p{Ll}(?=\p{L})/u, (first) => first.toUpperCase()).replace(/[:：]$/, "");

/** @param {Words} t @param {HTMLElement} root the stage */
export function makeJumps(t, root) {
  const { element, update: draw } = makePart((/** @type {string[]} */ names = [], isTall = false) => html`
    <nav class="jumps" aria-label=${t("jumps")} ?hidden=${!isTall || names.length < 2}>${names.map((name, at) => html`
      <button type="button" class="jump" data-to=${at} @click=${press(() => jump(at))}>${name}</button>`)}</nav>`);

  /** The parts that are there to be seen, from the top. */
  function parts() {
    const room = root.querySelector(".room:not([hidden])");
    const found = [...room?.querySelectorAll(PARTS) ?? [], ...root.querySelectorAll(SENTENCES)];
    return found.map((node) => ({ node, name: nameOf(node) }))
      .filter(({ node, name }) => name !== "" && node.getClientRects().length > 0)
      .map((part) => ({ ...part, top: part.node.getBoundingClientRect().top }))
      .sort((a, b) => a.top - b.top);
  }

  /** @param {number} at */
  function jump(at) {
    const node = parts()[at]?.node;
    const part = node?.closest("figure, .inside-panel, .way-stage, section") ?? node;
    const { height = 0 } = part?.getBoundingClientRect() ?? {};
    (height > 0 && height <= window.innerHeight ? part : node)?.scrollIntoView({ block: "start" });
  }

  function update() {
    const isSlim = root.classList.contains("slim");
    const most = (root.dataset.in === "translate" ? SCREENS_OF_MAP : SCREENS)
      - (element.hidden ? 0 : LESS_OF_MAP); // or the line would come and go
    draw(isSlim ? parts().map(({ name }) => name) : [],
      isSlim && document.documentElement.scrollHeight > most * window.innerHeight);
    root.classList.toggle("jumping", !element.hidden); // which leaves less for the map
  }

  const watcher = new ResizeObserver(update);
  return {
    element,
    /** @param {HTMLElement} body what grows with the room in it */
    watch(body) {
      watcher.disconnect();
      watcher.observe(body);
    },
    destroy: () => watcher.disconnect(),
  };
}
