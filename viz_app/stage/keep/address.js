// The address of the page holds the recipe and the view, as its fragment: a reload, a copy and the
// browser's Back bring them again. Another sentence, model or room, and a branch that drops chosen
// tokens, is a new entry of the browser's history; everything else changes the entry there is. An
// entry holds the values too, so going back needs nobody to read its link.

import { viewOf } from "../run/view.js";
import { writeLink } from "./link.js";
import { keptOf, viewOfRoom } from "./views.js";

const ADDRESS_PAUSE_MS = 350; // browsers refuse more than about a hundred changes in 30 seconds
const AFTER_PIXELS_MS = 30; // what was pressed is drawn first

/**
 * @param {{state: Object, actions: Object}} session
 * @param {{kept: function, rebuild: function}} page `kept()`: what the rooms keep; `rebuild(kept)`
 *     builds the page again with it
 * @param {AbortSignal} signal ends it
 * @returns {{begin: function, update: function, link: function}}
 */
export function makeAddress({ state, actions }, page, signal) {
  const { options } = state;
  const { limit } = options.link;
  // What the address can say is {text, shown}: a fragment, and the {recipe, view} that it is of.
  let written = null; // the fragment the address has; null before the first update
  let entry = ""; // what made the last entry of the history
  let tokens = []; // the target of that entry
  let plain = null; // what that entry said without what is only typed
  let pending = null; // what waits for its turn
  let timer = 0;
  let lastWrite = 0;
  let opening = 0; // links being opened
  let home = null; // what the page showed that opened without a link

  const said = () => window.location.hash.slice(1);

  const isTyping = () => state.draft.trim() !== state.run.recipe.source;

  /** What is on the screen, however long; with what is only typed, or without. */
  function now(typed = isTyping()) {
    const { run, locks, room, site } = state;
    const cells = Object.fromEntries(Object.entries(state.cells).filter(([of, cell]) =>
      cell.chosen || (room === "inside" && of === site)));
    const recipe = { ...run.recipe, strategy: state.strategy };
    const view = { ...viewOf(state), locks, cells, choices: viewOfRoom(state, page.kept()[room]),
      weights: state.model.fingerprint, ...(typed ? { draft: state.draft } : {}) };
    return { text: writeLink(recipe, view), shown: { recipe, view } };
  }

  function write({ text, shown }, how) {
    clearTimeout(timer);
    pending = null;
    written = text;
    lastWrite = performance.now();
    const address = new URL(window.location.href);
    address.hash = text;
    try {
      const before = how === "pushState" ? {} : window.history.state;
      window.history[how]({ ...before, stage: shown }, "", address);
    } catch {
      // A sandboxed page may not change its address, and too many changes are refused; what is
      // copied is made anew.
    }
  }

  function flush() {
    if (pending !== null) write(pending, "replaceState");
  }

  /** Leaves an entry as it was; what was typed there stays only while it was not translated. */
  function leave(before) {
    const [, source] = JSON.parse(before || "[]");
    if (plain !== null && source !== state.run.recipe.source) pending = plain;
    if (pending?.text === written) pending = null;
    flush();
  }

  /**
   * Shows a link; whatever is wrong with it is told, and the usual page stays or comes.
   * @param {string} text
   * @param {?Object} known what it says, where an entry of the history holds it
   */
  async function open(text, known = null) {
    let fault = null;
    opening += 1;
    plain = null;
    const model = known && options.models.find(({ name }) => name === known.recipe.model);
    const isOurs = model && model.fingerprint === known.view.weights; // or its tokens mean nothing
    const shown = isOurs ? await actions.open(known) && known : await actions.openLink(text);
    if (shown) {
      const kept = keptOf(state.rooms, shown.view);
      if (Object.keys(kept).length > 0) page.rebuild({ ...page.kept(), ...kept });
      if (shown.view.stale) {
        fault = { code: "link_weights",
          values: { theirs: shown.view.weights, ours: state.model.fingerprint } };
      }
    } else if (state.message && state.message.code !== "network") {
      fault = String(state.message.code).startsWith("link_") ? state.message
        : { code: "link_refused", reason: state.message };
    }
    if (!state.run && fault) await actions.translate();
    opening -= 1;
    remember();
    // What could not be shown stays in the address until the reader goes on.
    if (!shown || fault) written = null;
    if (fault) actions.tell(fault);
    actions.changed();
  }

  const entryNow = () => (state.run
    ? JSON.stringify([state.run.recipe.model, state.run.recipe.source, state.room]) : "");

  function remember() {
    [entry, tokens] = [entryNow(), state.run?.recipe.target ?? []];
  }

  /** Whether tokens that were chosen when the address was written last are chosen no more. */
  function hasDropped() {
    const next = state.run.recipe.target;
    return tokens.some(({ token }, i) => next[i]?.token !== token);
  }

  return {
    /** Opens what the address says, or the usual page; called once. */
    begin() {
      window.addEventListener("popstate", ({ state: kept }) => {
        const text = said();
        clearTimeout(timer);
        pending = null;
        if (text === written) return;
        written = text;
        open(text, kept?.stage ?? (text === "" ? home : null));
      }, { signal });
      window.addEventListener("pagehide", flush, { signal });
      signal.addEventListener("abort", () => clearTimeout(timer));
      if (said() === "") actions.translate();
      else {
        written = said();
        open(written);
      }
    },
    /** Brings the address up to date with the page. */
    update() {
      if (opening || !state.run || state.busy) return;
      const fits = (one) => one.text.length <= limit;
      const bare = now(false);
      const whole = isTyping() ? now() : bare;
      const none = { text: "", shown: null }; // an old view would be worse than none
      const next = [whole, bare].find(fits) ?? none;
      if (written === null) { // nobody has done anything yet: the address stays plain
        written = next.text;
        if (said() === "" && next !== none) home ??= next.shown;
      } else if (entry !== entryNow() || hasDropped()) {
        leave(entry);
        if (next.text !== written) write(next, "pushState");
      } else if (next.text !== (pending?.text ?? written)) {
        pending = next;
        clearTimeout(timer);
        timer = setTimeout(flush,
          Math.max(AFTER_PIXELS_MS, lastWrite + ADDRESS_PAUSE_MS - performance.now()));
      }
      remember();
      plain = fits(bare) ? bare : none;
    },
    /**
     * What to copy: the whole link, or why there is none. The page's query stays out of it: hosts
     * put keys of their own there.
     * @returns {{text: ?string, told: ?Object}}
     */
    link() {
      const { origin, pathname } = window.location;
      const here = options.base ?? (/^https?:/.test(origin) ? `${origin}${pathname}` : null);
      if (here === null) return { text: null, told: { key: "link_nowhere", values: {} } };
      const { text } = now();
      return text.length > limit
        ? { text: null, told: { key: "link_unwritten", values: { n: text.length, limit } } }
        : { text: `${here.split("#")[0]}#${text}`, told: null };
    },
  };
}
