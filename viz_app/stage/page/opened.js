// What opens over the page: dialogs, each made when it is first asked for, and the box that explains terms.

import { claim, isComposing, OPEN_MENUS } from "./elements.js";

/** @typedef {{element: HTMLDialogElement, show: function(string=): void, update?: function(): void, open?: function(string): any, take?: function(any): any}} Sheet */

/** @typedef {keyof Awaited<ReturnType<LaterParts["dialogs"]>>["make"] | typeof APART[number]} DialogName */

const APART = /** @type {const} */ (["asking", "bring", "own"]); // each a part by itself

/** Keeps what is typed until a box is there, which the keys of the stage would take; returns what ends that, and says it. */
function keepTyped() {
  const ends = new AbortController();
  let typed = "";
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const isElsewhere = target instanceof Element && target.closest("input, select, textarea, dialog");
    if (event.ctrlKey || event.metaKey || event.altKey || isComposing(event) || isElsewhere || key === "Tab") return;
    claim(event);
    if (key === "Backspace") typed = typed.slice(0, -1);
    else if (/^.$/u.test(key)) typed += key;
  }, { capture: true, signal: ends.signal });
  return () => {
    ends.abort();
    return typed;
  };
}

/** @param {import("../shell.js").Stage} stage */
export function makeOpened(stage) {
  const { root, t, decoding, state, later } = stage;
  /** @type {Record<string, Sheet>} those of the page as it is built now */
  let dialogs = {};
  /** @type {?ReturnType<typeof import("./glossary.js").makeGlossary>} */
  let glossary = null;
  /** @type {Record<string, string>} of files to keep: those made before */
  const choices = {};

  /** A dialog; null where it cannot be fetched. @param {DialogName} name */
  async function dialogOf(name) {
    const built = dialogs;
    const apart = APART.find((one) => one === name);
    const fetched = apart ? later[apart]()
      : later.dialogs().then(({ make: makes }) => makes[/** @type {Exclude<DialogName, typeof APART[number]>} */ (name)]);
    const [makeDialog] = await Promise.all([fetched, stage.bring()]).catch(() => [null]);
    if (makeDialog === null) decoding.actions.tell({ code: "network" });
    if (makeDialog === null || stage.closed || built !== dialogs) return null;
    if (!dialogs[name]) {
      const { address, options, transport, questions, parts: { rooms } } = stage;
      dialogs[name] = makeDialog(t, decoding, {
        // What computes in a page of a site draws nothing: the page does.
        transport: options.site && name !== "own" ? null : transport, files: options.site?.worker ? transport : null,
        link: address?.link ?? null, drawing: later.drawing, brought: (model) => stage.offer(model),
        look: () => rooms.keep()[state.room], choices, questions, follow: (leads) => stage.follow(leads),
        here: { holds: (one) => rooms.pictured(one) !== null, drawing: later.drawing,
          computedBy: () => stage.computedBy(), picture: (one, look) => stage.picture(one, look), link: () => address?.link().text ?? null } });
      root.append(dialogs[name].element);
    }
    return dialogs[name];
  }

  return {
    /** What stays when the page is built anew. */
    elements: () => (glossary ? [glossary.element] : []),
    /** What an open dialog says of what computes. */
    update: () => Object.values(dialogs).forEach(({ element, update }) => element.open && update?.()),
    /** Opens a dialog. @param {DialogName} name */
    async open(name) {
      const typed = name === "asking" ? keepTyped() : null;
      const dialog = await dialogOf(name);
      const text = typed?.();
      // Where a button that is touched takes no focus, as on an iPhone, none of them closes by itself.
      for (const menu of root.querySelectorAll(OPEN_MENUS)) menu.removeAttribute("open");
      dialog?.show(text);
    },
    /** Goes where the question of that name leads. @param {string} name */
    async answer(name) {
      (await dialogOf("asking"))?.open?.(name);
    },
    /** Opens the checkpoint that is dropped onto the page, from now on. */
    takeDrops() {
      const { signal } = stage.ends;
      const holds = (/** @type {any} */ { dataTransfer }) => dataTransfer?.types.includes("Files");
      root.addEventListener("dragover", (event) => holds(event) && event.preventDefault(), { signal });
      root.addEventListener("drop", async (event) => {
        if (!holds(event)) return;
        event.preventDefault();
        // They are gone after the event.
        const entries = [...event.dataTransfer?.items ?? []].map((item) => item.webkitGetAsEntry()).filter(Boolean);
        const dialog = await dialogOf("own");
        dialog?.show();
        dialog?.take?.(entries);
      }, { signal });
    },
    /** The box that explains terms; null where it cannot be fetched. */
    async explain() {
      const scripts = await later.dialogs().catch(() => null);
      if (scripts === null || stage.closed) return null;
      if (glossary === null) {
        glossary = scripts.makeGlossary(root, t, state, () => stage.parts.rooms.here(), stage.ends.signal);
        root.append(glossary.element);
      }
      return glossary;
    },
    takeDown() {
      glossary?.close();
      dialogs = {};
    },
  };
}
