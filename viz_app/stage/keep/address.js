// The address of the page holds the recipe and the view, as its fragment: a reload, a copy and the
// browser's Back bring them again. Another sentence, model or room, and a branch that drops chosen
// tokens, is a new entry of the browser's history; everything else changes the entry there is.

import { viewOf } from "../run/view.js";
import { LINK_DRAW, readLink, writeLink } from "./link.js";
import { saidOnly } from "./tables.js";

const ADDRESS_PAUSE_MS = 350; // browsers refuse more than about a hundred changes in 30 seconds

/**
 * @param {{state: Object, actions: Object}} session
 * @param {{kept: function, rebuild: function}} page `kept()`: what the rooms keep; `rebuild(kept)`
 *     builds the page again with it
 * @param {AbortSignal} signal ends it
 * @returns {{begin: function, update: function, link: function}}
 */
export function makeAddress({ state, actions }, page, signal) {
  const { options } = state;
  const rules = options.link;
  let written = null; // the fragment the address has; null before the first update
  let entry = ""; // what made the last entry of the history
  let tokens = []; // the target of that entry
  let plain = null; // the fragment of that entry without what is only typed
  let pending = null; // a fragment that waits for its turn
  let timer = 0;
  let lastWrite = 0;
  let opening = 0; // links being opened
  let home = null; // the fragment of the page as it opened without one

  const said = () => window.location.hash.slice(1);

  /** How a room spells its choices in a link; Translate has none of its own. */
  const linkOf = (room) => state.rooms.find(({ name }) => name === room)?.keep.link ?? null;

  const isTyping = () => state.draft.trim() !== state.run.recipe.source;

  /** The fragment of what is on the screen, however long; with what is only typed, or without. */
  function fragment(typed = isTyping()) {
    const { run, locks, room, site } = state;
    const cells = Object.fromEntries(Object.entries(state.cells).filter(([of, cell]) =>
      cell.chosen || (room === "inside" && of === site)));
    const recipe = { ...run.recipe, strategy: state.strategy };
    const choices = choicesOfRoom(linkOf(room), page.kept()[room]);
    const view = { ...viewOf(state), locks, cells, choices, draft: typed ? state.draft : null,
      weights: state.model.fingerprint };
    return writeLink(recipe, view, rules);
  }

  function write(text, how) {
    clearTimeout(timer);
    pending = null;
    written = text;
    lastWrite = performance.now();
    const address = new URL(window.location.href);
    address.hash = text;
    try {
      window.history[how](how === "pushState" ? null : window.history.state, "", address);
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
    if (pending === written) pending = null;
    flush();
  }

  /** Shows a link; whatever is wrong with it is told, and the usual page stays or comes. */
  async function open(text) {
    let fault = null;
    let opened = false;
    opening += 1;
    plain = null;
    try {
      const link = text === "" && home === null ? usual()
        : readLink(text || home, rules, options.models);
      opened = await actions.open(link);
      if (opened) {
        const kept = keptOfLink(linkOf(link.view.room), link);
        if (Object.keys(kept).length > 0) page.rebuild({ ...page.kept(), ...kept });
        if (link.view.stale) {
          fault = { code: "link_weights",
            values: { theirs: link.view.weights, ours: state.model.fingerprint } };
        }
      } else if (state.message && state.message.code !== "network") {
        fault = { code: "link_refused", reason: state.message };
      }
    } catch (error) {
      if (!error.told) throw error;
      fault = error.told.code.startsWith("link_") ? error.told
        : { code: "link_refused", reason: error.told };
    }
    if (!state.run && fault) await actions.translate();
    opening -= 1;
    remember();
    // What could not be shown stays in the address until the reader goes on.
    if (!opened || fault) written = null;
    if (fault) actions.tell(fault);
    actions.changed();
  }

  /** The page as it opens without a link. */
  function usual() {
    const model = options.models.find(({ name }) => name === options.model) ?? options.models[0];
    const { site = "cross", layer = 0, head = 0, rows } = model.start_on ?? {};
    return {
      recipe: { version: 1, model: model.name, source: model.examples?.[0] ?? "", pads: 0,
        target: [], strategy: LINK_DRAW },
      view: { room: "translate", site, layer, head, ...(rows ? { rows } : {}), view: "heat",
        spelled: false, order: "place", locks: { [site]: { layer, head } }, cells: {}, choices: {},
        to_end: true, stale: false },
    };
  }

  const entryNow = () => (state.run
    ? JSON.stringify([state.run.recipe.model, state.run.recipe.source, state.room]) : "");

  function remember() {
    [entry, tokens] = [entryNow(), state.run?.recipe.target ?? []];
  }

  /** Whether tokens that were chosen when the address was written last are chosen no more. */
  function hasDropped() {
    const now = state.run.recipe.target;
    return tokens.some(({ token }, i) => now[i]?.token !== token);
  }

  return {
    /** Opens what the address says, or the usual page; called once. */
    begin() {
      window.addEventListener("popstate", () => {
        const text = said();
        clearTimeout(timer);
        pending = null;
        if (text === written) return;
        written = text;
        open(text);
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
      const fits = (one) => one.length <= rules.limit;
      const bare = fragment(false);
      const whole = isTyping() ? fragment() : bare;
      const text = [whole, bare].find(fits) ?? ""; // an old view would be worse than none
      if (written === null) { // nobody has done anything yet: the address stays plain
        written = text;
        if (said() === "" && text !== "") home ??= text;
      } else if (entry !== entryNow() || hasDropped()) {
        leave(entry);
        if (text !== written) write(text, "pushState");
      } else if (text !== (pending ?? written)) {
        pending = text;
        clearTimeout(timer);
        timer = setTimeout(flush, Math.max(0, lastWrite + ADDRESS_PAUSE_MS - performance.now()));
      }
      remember();
      plain = fits(bare) ? bare : "";
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
      const text = fragment();
      return text.length > rules.limit
        ? { text: null, told: { key: "link_unwritten", values: { n: text.length,
          limit: rules.limit } } }
        : { text: `${here.split("#")[0]}#${text}`, told: null };
    },
  };
}

/** What the open room adds to a link, from what it keeps. */
function choicesOfRoom(link, kept) {
  return link && kept ? saidOnly(link.choices(kept)) : {};
}

/** What a room is built with, from a link. */
function keptOfLink(link, { recipe, view }) {
  return link ? { [view.room]: link.kept(view.choices, recipe) } : {};
}
