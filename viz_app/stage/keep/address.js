// The address of the page holds the recipe and the view, as its fragment: a reload, a copy and the
// browser's Back bring them again. Another sentence, model or room, and a branch that drops chosen
// tokens, is a new entry of the browser's history; everything else, such as the same model at another
// update of its training, changes the entry there is. An entry holds the values too, so going back
// needs nobody to read its link.

import { wholeOf } from "../anatomy.js";
import { hasMessage } from "../page/rooms.js";
import { codeOf } from "../page/words.js";
import { writeLink } from "./link.js";
import { shownNow } from "./shown.js";
import { keptOf } from "./views.js";

const ADDRESS_PAUSE_MS = 350; // browsers refuse more than about a hundred changes in 30 seconds
const AFTER_PIXELS_MS = 30; // what was pressed is drawn first

/**
 * What the address can say: a fragment, and what it is of; null where nothing is said.
 * @typedef {import("./shown.js").Shown} Shown
 * @typedef {{text: string, shown: ?Shown}} Said
 */
/** @type {Said} */
const NOTHING = { text: "", shown: null }; // an old view would be worse than none
const NO_RUN = { model: "", target: [] };

/**
 * What the address holds, for the functions below.
 * @typedef {Object} Own
 * @property {State} state
 * @property {Session["actions"]} actions
 * @property {{kept: function(): Record<string, any>, rebuild: function(Record<string, any>): void,
 *     isAnswered: function(): boolean}} page `kept()`: what the rooms keep; `rebuild(kept)` builds the
 *     page again with it; `isAnswered()`: whether the open room waits for nothing
 * @property {?string} written the fragment the address has; null before the first update
 * @property {string} entry what made the last entry of the history
 * @property {Pick<Recipe, "model" | "target">} run of that entry, as it was last
 * @property {?Said} plain what that entry said without what is only typed
 * @property {?Said} pending what waits for its turn
 * @property {ReturnType<typeof setTimeout> | undefined} timer
 * @property {number} lastWrite
 * @property {number} opening links being opened
 * @property {any} asked the view of a link that was opened, until the room shows it or the reader goes on
 * @property {any} refused the last of those that the room refused
 * @property {?Shown} home what the page showed that opened without a link
 */

const fragment = () => window.location.hash.slice(1);

/** @param {Own} own */
const isTyping = ({ state }) => state.draft.trim() !== state.run.recipe.source;

/**
 * What is on the screen, however long; with what is only typed, or without.
 * @param {Own} own
 * @param {boolean} typed
 * @returns {Said}
 */
function saidNow({ state, page }, typed) {
  const { recipe, view: bare } = shownNow(state, page.kept());
  const view = typed ? { ...bare, draft: state.draft } : bare;
  return { text: writeLink(recipe, view), shown: { recipe, view } };
}

/** @param {Own} own @param {Said} said @param {"pushState" | "replaceState"} how */
function write(own, { text, shown }, how) {
  clearTimeout(own.timer);
  Object.assign(own, { pending: null, written: text, lastWrite: performance.now() });
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

/** @param {Own} own */
function flush(own) {
  if (own.pending !== null) write(own, own.pending, "replaceState");
}

/** Leaves the last entry as it was; what was typed there stays only while it was not translated. @param {Own} own */
function leave(own) {
  const [, source] = JSON.parse(own.entry || "[]");
  if (own.plain !== null && source !== own.state.run.recipe.source) own.pending = own.plain;
  if (own.pending?.text === own.written) own.pending = null;
  flush(own);
}

/** @param {Own} own */
const entryNow = ({ state: { run, model, room, lesson } }) => (run
  ? JSON.stringify([wholeOf(model), run.recipe.source, room, lesson]) : "");

/** @param {Own} own */
function remember(own) {
  Object.assign(own, { entry: entryNow(own), run: own.state.run?.recipe ?? NO_RUN });
}

/** Whether the model has dropped tokens that it had chosen when the address was written last. @param {Own} own */
const hasDropped = ({ run, state: { run: { recipe: { model, target } } } }) =>
  run.model === model && run.target.some(({ token }, i) => target[i]?.token !== token);

/** What is wrong with a link that was not shown, or is shown of other weights; or null. @param {State} state @param {?Shown} shown */
function faultOf({ message, model }, shown) {
  if (shown?.view.stale) {
    return { code: "link_weights", values: { theirs: shown.view.weights, ours: model.fingerprint } };
  }
  if (shown || !message || codeOf(message) === "network") return null;
  return codeOf(message)?.startsWith("link_") ? message : { code: "link_refused", reason: message };
}

/**
 * Shows a link; whatever is wrong with it is said, and the usual page stays or comes.
 * @param {Own} own
 * @param {string} text
 * @param {?Shown} known what it says, where an entry of the history holds it
 */
async function open(own, text, known = null) {
  const { state, actions, page } = own;
  own.opening += 1;
  own.plain = null;
  const model = state.options.models.find(({ name }) => name === known?.recipe.model);
  const isOurs = known && model && model.fingerprint === known.view.weights; // or its tokens mean nothing
  const shown = !isOurs ? await actions.openLink(text) : await actions.open(known, null) ? known : null;
  // What a link says of a room is read by the room's own script.
  await state.rooms.find(({ name }) => name === shown?.view.room)?.arrives?.().catch(() => {});
  const kept = shown ? keptOf(state.rooms, shown.view) : {};
  if (Object.keys(kept).length > 0) page.rebuild({ ...page.kept(), ...kept });
  // Of a step alone, as a teacher's sheet has it, the lesson has the sentence.
  if (shown?.view.lesson && !new URLSearchParams(text).has("text")) actions.teach(shown.view.lesson, true);
  const fault = faultOf(state, shown);
  if (!state.run && fault) await actions.translate();
  own.opening -= 1;
  own.asked = shown && !isOurs && !fault ? shown.view : null;
  remember(own);
  // What could not be shown stays in the address until the reader goes on.
  if (!shown || fault) own.written = null;
  if (fault) actions.tell(fault);
  actions.changed();
}

// What is chosen is none of this model and sentence.
const NO_SUCH = ["place", "choice", "request", "no_table"];

/**
 * Holds the room against the link that was opened: what it does not show is named, and a
 * room that was refused it opens as usual. Gives whether the room still has to answer.
 * @param {Own} own
 */
function isAwaited(own) {
  const { asked, page, state, actions } = own;
  if (asked === null || !page.isAnswered() || !state.more) return asked !== null;
  const isRefused = hasMessage(state, state.room);
  if (isRefused && NO_SUCH.includes(codeOf(state.message) ?? "") && own.refused !== asked) {
    own.refused = asked;
    page.rebuild({ ...page.kept(), [state.room]: null });
    return true;
  }
  own.asked = null;
  const { shown } = saidNow(own, false);
  const names = isRefused ? [] : state.more.unshown(asked, shown?.view);
  if (names.length === 0) return false;
  own.written = null;
  actions.tell({ code: "link_unshown", values: { names: names.join(", ") } });
  return false;
}

/** Brings the address up to date with the page. @param {Own} own */
function update(own) {
  const { state } = own;
  if (own.opening || !state.run || state.busy) return;
  const isLinked = own.asked !== null;
  if (isAwaited(own)) return;
  const fits = (/** @type {Said} */ { text }) => text.length <= state.options.link.limit;
  const bare = saidNow(own, false);
  const whole = isTyping(own) ? saidNow(own, true) : bare;
  const next = [whole, bare].find(fits) ?? NOTHING;
  if (own.written === null) { // nobody has done anything yet: the address stays plain
    own.written = next.text;
    if (fragment() === "" && next !== NOTHING) own.home ??= next.shown;
  } else if (own.entry !== entryNow(own) || hasDropped(own)) {
    leave(own);
    if (next.text !== own.written) write(own, next, "pushState");
  } else if (next.text !== (own.pending?.text ?? own.written)) {
    own.pending = next;
    clearTimeout(own.timer);
    own.timer = setTimeout(() => flush(own), isLinked ? AFTER_PIXELS_MS
      : Math.max(AFTER_PIXELS_MS, own.lastWrite + ADDRESS_PAUSE_MS - performance.now()));
  }
  remember(own);
  own.plain = fits(bare) ? bare : NOTHING;
}

/**
 * What to copy: the whole link, or why there is none. The page's query stays out of it: hosts put
 * keys of their own there.
 * @param {Own} own
 * @returns {{text: ?string, problem: any}}
 */
function linkOf(own) {
  const { base, link: { limit } } = own.state.options;
  const { origin, pathname } = window.location;
  const here = base ?? (/^https?:/.test(origin) ? `${origin}${pathname}` : null);
  if (here === null) return { text: null, problem: { key: "link_nowhere", values: {} } };
  const { text } = saidNow(own, isTyping(own));
  return text.length > limit
    ? { text: null, problem: { key: "link_unwritten", values: { n: text.length, limit } } }
    : { text: `${here.split("#")[0]}#${text}`, problem: null };
}

/** @param {Session} session @param {Own["page"]} page @param {AbortSignal} signal ends it */
export function makeAddress({ state, actions }, page, signal) {
  /** @type {Own} */
  const own = { state, actions, page, written: null, entry: "", run: NO_RUN, plain: null,
    pending: null, timer: undefined, lastWrite: 0, opening: 0, asked: null, refused: null, home: null };
  return {
    /** Opens what the address says, or the usual page; called once. */
    begin() {
      window.addEventListener("popstate", ({ state: kept }) => {
        const text = fragment();
        clearTimeout(own.timer);
        own.pending = null;
        if (text === own.written) return;
        own.written = text;
        open(own, text, kept?.stage ?? (text === "" ? own.home : null));
      }, { signal });
      window.addEventListener("pagehide", () => flush(own), { signal });
      for (const act of ["pointerdown", "keydown"]) {
        window.addEventListener(act, () => { own.asked = null; }, { signal, capture: true });
      }
      signal.addEventListener("abort", () => clearTimeout(own.timer));
      const taught = new URLSearchParams(window.location.search).get("lesson");
      if (fragment() === "" && taught !== null) {
        own.written = "";
        open(own, new URLSearchParams({ lesson: taught }).toString());
      } else if (fragment() === "") {
        if (!state.run) actions.translate(); // a page may come with one
      } else {
        own.written = fragment();
        open(own, own.written);
      }
    },
    update: () => update(own),
    /** Follows a link within the page. @param {string} text its fragment @param {boolean} isNew whether that is an entry of the history */
    follow(text, isNew) {
      if (isNew) leave(own);
      write(own, { text, shown: null }, isNew ? "pushState" : "replaceState");
      return open(own, text);
    },
    link: () => linkOf(own),
  };
}
