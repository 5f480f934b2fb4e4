// What a page paints of a picture, as plain values: of each map its cells, and how they are read. It is
// run within the scope of the page's own scripts, see test_figures_said.py.

/** A map as it is painted now. @param {HTMLCanvasElement} canvas */
function mapOf(canvas) {
  const frame = host.stage.mapOn(canvas)?.frame();
  if (!frame) return null;
  const { rows, columns, kind, limit = null, range = null, digits = false, current = null } = frame;
  const painted = Math.min(frame.painted ?? rows.count, rows.count);
  const cells = (of) => Array.from({ length: rows.count }, (_, row) =>
    Array.from({ length: columns.count }, (__, column) => of(row, column)));
  const namesOf = ({ labels, count }) => (labels?.length // vectors have their names beside the canvas
    ? labels.slice(0, count).map(({ label, lead }) => (lead ? `${lead} → ${label}` : label)) : null);
  const mark = (row, column) => frame.mark?.(row, column) ?? null;
  const isThere = (row, column) => row < painted && !["fold", "absent"].includes(mark(row, column));
  return {
    kind, limit, range, digits, current, row: frame.kept?.row ?? null,
    title: canvas.closest("figure")?.querySelector("figcaption > span")?.textContent.trim() || null,
    row_title: rows.title ?? null, column_title: columns.title ?? null,
    rows: namesOf(rows), columns: namesOf(columns),
    values: cells((row, column) => (isThere(row, column) && Number.isFinite(frame.value(row, column))
      ? frame.value(row, column) : null)),
    hidden: cells((row, column) => isThere(row, column) && Boolean(frame.hidden?.(row, column))),
    marks: cells(mark),
    said: cells((row, column) => (isThere(row, column) ? saidInCell(frame, row, column) : "")),
  };
}

/**
 * The title of a picture, its texts, and its maps, as they are when it is drawn.
 * @param {any} options
 * @param {string} name
 * @param {any} look
 */
globalThis.readPicture = async (options, name, look) => {
  const stage = mountStage(host, { ...options, words }, null);
  let maps = null;
  const measure = Element.prototype.getBoundingClientRect;
  Element.prototype.getBoundingClientRect = function () { // all is drawn when its parts are measured
    const root = maps === null && this.closest(".stage.with-signs");
    if (root) {
      maps = [];
      const canvases = [...root.querySelectorAll(".pictured canvas, canvas.pictured")];
      maps = canvases.filter((one) => one.checkVisibility()).flatMap((one) => mapOf(one) ?? []);
    }
    return measure.call(this);
  };
  try {
    const { svg, title } = await settled(stage, name, look);
    const texts = [...svg.matchAll(/<text[^>]*>([^]*?)<\/text>/g)].map(([, text]) => text);
    return { title, texts: texts.join(" "), maps };
  } finally {
    Element.prototype.getBoundingClientRect = measure;
    stage.destroy();
  }
};
