// What opens over the page: sheets, each made when it is first asked for, and the box that explains terms.

/** @typedef {{element: HTMLElement, show: function(): void, drawn?: function(): any, open?: function(string): any}} Sheet */

/** @typedef {keyof Awaited<ReturnType<LaterParts["sheets"]>>["make"] | "asking" | "bring"} SheetName */

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
    const fetched = name === "asking" || name === "bring" ? later[name]() : later.sheets().then(({ make: makes }) => makes[name]);
    const [makeSheet] = await Promise.all([fetched, stage.bring()]).catch(() => [null]);
    if (makeSheet === null) decoding.actions.tell({ code: "network" });
    if (makeSheet === null || stage.closed || built !== sheets) return null;
    if (!sheets[name]) {
      const { address, options, transport, questions, parts: { rooms } } = stage;
      sheets[name] = makeSheet(t, decoding, {
        // What computes in a page of a site makes no files: the page does, of what it holds.
        transport: options.site ? null : transport,
        link: address?.link ?? null, drawing: later.drawing, brought: (model) => stage.offer(model),
        look: () => rooms.keep()[state.room], choices, questions, follow: (leads) => stage.follow(leads),
        here: { holds: (one) => rooms.pictured(one) !== null, drawing: later.drawing,
          picture: (one, look) => stage.picture(one, look), link: () => address?.link().text ?? null } });
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
    drawn: () => ({ explained: glossary?.drawn() ?? null, exporting: sheets.export?.drawn?.() ?? null }),
  };
}
