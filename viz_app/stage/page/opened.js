// What opens over the page: sheets, each made when it is first asked for, and the box that explains terms.

/** @typedef {{element: HTMLElement, show: function(): void, drawn?: function(): any, open?: function(string): any, take?: function(any): any}} Sheet */

/** @typedef {keyof Awaited<ReturnType<LaterParts["sheets"]>>["make"] | typeof APART[number]} SheetName */

const APART = /** @type {const} */ (["asking", "bring", "own"]); // each a part by itself

/** @param {import("../shell.js").Stage} stage */
export function makeOpened(stage) {
  const { root, t, decoding, state, later } = stage;
  /** @type {Record<string, Sheet>} those of the page as it is built now */
  let sheets = {};
  /** @type {?ReturnType<typeof import("./glossary.js").makeGlossary>} */
  let glossary = null;
  /** @type {Record<string, string>} of files to keep: those made before */
  const choices = {};

  /** A sheet; null where it cannot be fetched. @param {SheetName} name */
  async function sheetOf(name) {
    const built = sheets;
    const apart = APART.find((one) => one === name);
    const fetched = apart ? later[apart]()
      : later.sheets().then(({ make: makes }) => makes[/** @type {Exclude<SheetName, typeof APART[number]>} */ (name)]);
    const [makeSheet] = await Promise.all([fetched, stage.bring()]).catch(() => [null]);
    if (makeSheet === null) decoding.actions.tell({ code: "network" });
    if (makeSheet === null || stage.closed || built !== sheets) return null;
    if (!sheets[name]) {
      const { address, options, transport, questions, parts: { rooms } } = stage;
      sheets[name] = makeSheet(t, decoding, {
        // What computes in a page of a site draws nothing: the page does.
        transport: options.site && name !== "own" ? null : transport, files: options.site?.worker ? transport : null,
        link: address?.link ?? null, drawing: later.drawing, brought: (model) => stage.offer(model),
        look: () => rooms.keep()[state.room], choices, questions, follow: (leads) => stage.follow(leads),
        here: { holds: (one) => rooms.pictured(one) !== null, drawing: later.drawing,
          computedBy: () => stage.computedBy(), picture: (one, look) => stage.picture(one, look), link: () => address?.link().text ?? null } });
      root.append(sheets[name].element);
    }
    return sheets[name];
  }

  return {
    /** What stays when the page is built anew. */
    elements: () => (glossary ? [glossary.element] : []),
    /** Opens a sheet. @param {SheetName} name */
    async open(name) {
      (await sheetOf(name))?.show();
    },
    /** Goes where the question of that name leads. @param {string} name */
    async answer(name) {
      (await sheetOf("asking"))?.open?.(name);
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
        const sheet = await sheetOf("own");
        sheet?.show();
        sheet?.take?.(entries);
      }, { signal });
    },
    /** The box that explains terms; null where it cannot be fetched. */
    async explain() {
      const scripts = await later.sheets().catch(() => null);
      if (scripts === null || stage.closed) return null;
      if (glossary === null) {
        glossary = scripts.makeGlossary(root, t, state, () => stage.parts.rooms.here(), stage.ends.signal);
        root.append(glossary.element);
      }
      return glossary;
    },
    takeDown() {
      glossary?.close();
      sheets = {};
    },
  };
}
