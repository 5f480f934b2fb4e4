// The large map of one head: its title and switches, the canvas or the table, the sentence.

import { LEAST_SAID_FINELY } from "../../../stage/choices.js";
import { isOnPaper } from "../../../stage/draw/canvas.js";
import { makeGrid } from "../../../stage/draw/grid.js";
import { sizeOf } from "../../../stage/draw/laid_out.js";
import { titleValues } from "../../../stage/draw/labels.js";
import { fixed, largestAt, significant } from "../../../stage/draw/numbers.js";
import { partsAt, placeOn } from "../../../stage/draw/place.js";
import { hide, makeWordSwitch } from "../../../stage/page/elements.js";
import { html, makePart, nothing } from "../../../stage/page/html.js";
import { termed } from "../../../stage/page/terms.js";
import { makeLookButton } from "../../../stage/page/look.js";
import { makeHeadPicker } from "../../../stage/page/pick.js";
import { LEAST_TINT, tintedQuery } from "../../../stage/page/strips.js";
import { columnsOf, isStepped, rowsOf, siteOf, SITES, sitesOf } from "../../../stage/anatomy.js";
import { stepsShown } from "../../../stage/run/able.js";
import { rowOfWeights } from "../../../stage/run/run.js";
import { columnUnits, isStepping, rowUnits, showsWords, unitAt, valueOfUnits } from "../../../stage/run/units.js";
import { aligns, shownHead } from "../../../stage/run/view.js";
import { sentenceOf } from "./reading.js";
import { readingAbout, readingMenu } from "./menu.js";
import { largestIn, readingHere, readingOf } from "../../../stage/run/readings.js";
import { missingOf } from "./rows.js";

const FROM_AFAR = 42; // CSS pixels of a cell whose digits are read from the back row
const ROWS_IN_SIGHT = 15; // cells that a projector has room for at least: ten of them under their labels
const LOW_AFAR = 14; // CSS pixels of a row there, where all rows are in sight then
const WIDE_AFAR = 5; // times as wide as high, that a cell may be there: labels lie then
const LARGE = 1.3; // type so much larger than usual is for a projector

const FINGER = 21; // CSS pixels that a cell is at least wide on a phone: room for its digits
const LOW = 16; // and as high, where all rows are in sight then

/**
 * What the large map shows now; `weight(query, key)` is its number, null where masked.
 * @typedef {ReturnType<typeof mapFrameOf> & {picture?: HTMLCanvasElement, low?: number}} MapFrame
 * @param {State} state
 * @param {Head} shown
 * @param {{rows: Label[], columns: Label[]}} labels
 * @param {{narrow: boolean, finger: boolean, view: string}} how it is drawn
 * @param {Words} t
 */
export function mapFrameOf(state, shown, labels, { narrow, finger, view }, t) {
  const { run, site, at, pointed } = state;
  const steps = stepsShown(state);
  const { layer, head } = shown;
  const isOfWords = showsWords(state);
  const units = { rows: rowUnits(state), columns: columnUnits(state) };
  const [queries, keys] = [units.rows.length, units.columns.length];
  const isStep = isStepped(run, site);
  const readsTarget = isStep && columnsOf(run, site) === "target";
  const visible = isStep ? Math.min(steps, queries) : queries;
  const sideOfRows = rowsOf(run, site) === "source" ? "source" : "whole";
  const rowsAre = !isStep ? sideOfRows : isOfWords ? "word" : "step";
  const columnsAre = columnsOf(run, site) === "source" ? "source" : isStep ? "target" : "whole";
  const read = inUnits(readingOf(run, site, shown, readingHere(state)), units, isOfWords);
  const { reading, hidden, value, kind, limit, norms } = read;
  const kept = state.cells[site] ?? null;
  const rows = { labels: labels.rows, count: visible, title: t(`axis_rows_${rowsAre}`), tokens: units.rows,
    room: isStep && !isOfWords ? run.capacity : queries };
  const columns = { labels: labels.columns, count: keys, lit: readsTarget ? steps : keys, tokens: units.columns,
    room: readsTarget && !isOfWords ? run.capacity : keys, title: t(`axis_columns_${columnsAre}`) };
  const lines = { rows, columns };
  const current = isStep ? placeOn(lines, { query: at }).row : null;
  const weight = (/** @type {number} */ query, /** @type {number} */ key) =>
    (hidden(query, key) ? null : value(query, key));
  return {
    run, site, layer, head, rowsAre, aligns: aligns(state, shown), view, hidden, value, kind, limit, read, isOfWords, ...lines, wide: 1.7,
    key: [run, site, layer, head, reading, isOfWords], digits: true, bar: narrow ? 2 : 66,
    range: [0, limit], leastSaid: kind === "signed" ? LEAST_SAID_FINELY : undefined,
    least: finger ? FINGER : undefined, low: finger ? LOW : undefined,
    beside: norms ? { values: norms, title: t("read_norm_bars") } : undefined,
    by: view === "lines" && kind !== "signed" ? state.more?.LINES : undefined,
    current, eye: isStep ? mostRead(weight, current ?? 0, keys) : null, weight,
    counts: reading === "hidden" ? t("read_unit_hidden") : undefined,
    title: t(...titleOf(run, { site, layer, head }, reading, t)),
    masked: kind !== "signed" && (siteOf(run, site).causal || (run.source.unseen ?? []).length > 0)
      ? t("masked") : undefined,
    pointed: placeOn(lines, pointed),
    kept: kept && placeOn(lines, kept),
  };
}

/**
 * A reading of words instead of pieces: weights are summed over what is read, and the mean over what
 * reads; a hidden word is one, and takes from all that is written of another. A cell is hidden where
 * all of it is.
 * @param {import("../../../stage/run/readings.js").Reading} read
 * @param {{rows: number[][], columns: number[][]}} units
 * @param {boolean} isOfWords
 * @returns {import("../../../stage/run/readings.js").Reading}
 */
function inUnits(read, { rows, columns }, isOfWords) {
  if (!isOfWords) return read;
  const how = read.reading === "hidden" ? { sumRows: true, firstColumn: true } : {};
  const value = valueOfUnits(read.value, rows, columns, how);
  return { ...read, value, weight: valueOfUnits(read.weight, rows, columns),
    limit: read.kind === "signed" ? largestIn(rows.length, columns.length, value) : read.limit,
    wordOf: (column) => [column],
    hidden(row, column) {
      const because = rows[row].flatMap((query) => columns[column].map((key) => read.hidden(query, key)));
      return because.every((one) => one !== null) ? because[0] : null;
    } };
}

/**
 * The cell of pieces that weighs most in one of words.
 * @param {State} state
 * @param {MapFrame} frame
 * @param {number} row
 * @param {number} column
 */
function cellIn({ run, site }, { rows, columns, layer, head }, row, column) {
  const cells = rows.tokens[row].flatMap((query) => columns.tokens[column].map((key) =>
    ({ query, key, weight: rowOfWeights(run, site, layer, head, query)[key] ?? 0 })));
  return cells.reduce((best, one) => (one.weight > best.weight ? one : best));
}

/** The rows without what leads to each: it is the token that the row above writes. @param {MapFrame} frame @param {Words} t */
const shortRows = ({ rows, rowsAre }, t) => (rowsAre !== "step" ? rows
  : { ...rows, title: t("axis_rows_step_short"),
    labels: rows.labels.map(({ lead: _, ...label }) => label) });

/**
 * The labels of the columns in the colours that the source has in its strip, which a projector has no
 * room for: a class sees which words the step looks at.
 * @param {MapFrame} frame
 * @param {State} state
 * @param {boolean} isCovered whether a lesson still hides the weights
 */
function tintedColumns({ rows, columns, weight, read }, state, isCovered) {
  const row = unitAt(rows.tokens, tintedQuery(state));
  if (row === null || read.kind !== "weight" || isCovered) return columns;
  const of = (/** @type {number} */ key) => weight(row, key) ?? 0;
  return { ...columns, tint: (/** @type {number} */ key) => (of(key) < LEAST_TINT ? 0 : of(key)) };
}

/**
 * The column that a row looks at most.
 * @param {function(number, number): ?number} weight
 * @param {number} row
 * @param {number} count of the columns
 */
function mostRead(weight, row, count) {
  const weights = Array.from({ length: count }, (_, key) => weight(row, key) ?? 0);
  return largestAt(weights);
}

/**
 * The key of a title, and its values: the head, and by which reading where it is another.
 * @param {Run} run
 * @param {Head & {site: Site}} place
 * @param {string} reading
 * @param {Words} t
 * @returns {[string, Record<string, any>]}
 */
function titleOf(run, place, reading, t) {
  const values = titleValues(place, t);
  if (reading === "weights") return ["map_title", values];
  return [`read_title_${reading}`, { ...values, head: t("map_title", values),
    layers: run.layers[place.site], heads: run.heads[place.site] }];
}

/** Where a line that ends at a key begins: at the current row, or at that of the cell kept before. @param {?MapFrame} frame */
const beginning = (frame) =>
  (frame?.view === "lines" ? frame.current ?? frame.kept?.row ?? null : null);

/** What the map shows, and of weights how far they are spread. @param {Words} t @param {MapFrame} frame @param {number} entropy */
const nameOf = (t, frame, entropy) => (frame.read.reading === "weights" ? html`
  <h3 class="map-title">${termed(t, "map_title", titleValues(frame, t))}</h3>
  <span class="map-entropy">${termed(t, "entropy_bits", { bits: fixed(entropy, 2) })}</span>`
  : html`<h3 class="map-title other" title=${frame.title}>${frame.title}</h3>`);

/**
 * @param {Words} t
 * @param {Session} session
 * @param {Redraw} redraw
 * @param {HTMLElement} whatIf the menu of what can be changed, which stands at the head
 * @param {ReturnType<typeof import("./rows.js").makeRowAsker>} need asks for what is not here
 */
export function makeMap(t, session, redraw, whatIf, need) {
  const { state, actions } = session;
  /** @param {?GridPlace} place */
  function point(place) {
    const { query, key } = partsAt(/** @type {MapFrame} */ (frame), place);
    actions.point(query, key);
  }
  /** @param {?number} row @param {?number} column */
  function keep(row, column) {
    if (row === null || column === null || !frame) return;
    const { query, key } = cellIn(state, frame, row, column);
    actions.keepCell(query, key);
  }
  // For a projector, where the small maps are put away.
  const picker = makeHeadPicker(t, "mapSite", SITES, { site: actions.chooseSite,
    head(changes) {
      const { layer, head } = { ...state.locks[state.site], ...changes };
      actions.lock(layer, head);
    } });
  /** @type {?ReturnType<typeof import("./off.js").makeOff>} */
  let off = null; // once it is here
  const views = makeWordSwitch(t, "view", "view", "view", ["heat", "lines", "table"],
    (view) => actions.draw({ view }));
  const grid = makeGrid(t, { box: "map-box", redraw, lines: true,
    point, keep: ({ row, column }) => keep(row ?? beginning(frame), column) });
  /** @type {?ReturnType<typeof import("./table.js").makeTable>} */
  let table = null; // once it is asked for
  /** @type {?number} */
  let scaleEnd = null; // of a picture whose colours are not the map's
  let sentence = ""; // spoken here; the sentences show it
  const lookInside = makeLookButton(t, () =>
    actions.lookInside({ site: state.site, ...state.locks[state.site] }));
  // For a phone the scale of the colours stands over the map and not beside it; `end`: null where there is none.
  const { element, update: draw } = makePart((/** @type {unknown} */ name = nothing, /** @type {?number} */ end = 1) => html`
    <section class="map" aria-label=${t("map_role")}>
      <header class="map-head">
        ${picker.element}<div class="map-name">${name}</div><div class="head-acts"><span class="head-turn">${off?.element}</span></div>
        ${readingMenu(t, session)}${views.element}
        <span class="map-scale" aria-hidden="true" ?hidden=${end === null}>
          <span>0</span><span class="map-scale-bar"></span><span>${String(significant(end ?? 1, 3))}</span></span>
      </header>
      ${readingAbout(t, state)}${grid.element}${table?.element}
      <div class="map-foot"><p class="reading" aria-live="polite" title=${sentence}>${sentence}</p></div>
    </section>`);
  // What can be done to the head whose name it stands beside.
  const acts = /** @type {HTMLElement} */ (element.querySelector(".head-acts"));
  /** @type {?MapFrame} */
  let frame = null;
  /** @type {?string} */
  let way = null; // how it is drawn for a picture, where that is not as on the screen

  return {
    element,
    frame: () => frame,
    lookInside: lookInside.element,
    sentence: () => sentence,
    box: grid.element,
    isHere: () => Boolean(frame && !missingOf(state.run, state.site, shownHead(state), readingHere(state))),
    scale: /** @type {HTMLElement} */ (element.querySelector(".map-scale")),
    title: () => frame?.title ?? "",
    /** Draws it in another way; the function ends that. @param {string} other */
    drawnAs(other) {
      way = other;
      return () => { way = null; };
    },
    /** Lets the scale end at another number; the function ends that. @param {number} limit */
    scaledTo(limit) {
      scaleEnd = limit;
      return () => { scaleEnd = null; };
    },
    /** Asks for what is not here. @param {Head} shown */
    settle(shown) {
      const missing = () => missingOf(state.run, state.site, shown, readingHere(state));
      const first = missing();
      if (!first || !need(state.run, first)) return;
      const second = missing(); // a reading that needs the rows too
      if (second) need(state.run, second);
    },
    /**
     * `look`: what to draw; null before there is a run.
     * @param {?Look & {shown: Head, labels: {rows: Label[], columns: Label[]}, entropy: number,
     *     pictures: ReturnType<typeof import("../../../stage/draw/pictures.js").makePictures>}} look
     */
    update(look) {
      views.update(state.view);
      if (!look) return;
      const { shown, labels, pictures, palette, unit, entropy } = look;
      if (missingOf(state.run, state.site, shown, readingHere(state))) return; // what there was stays
      const view = way ?? state.view;
      const isTable = view === "table";
      hide(grid.element, isTable);
      const [across, down] = sizeOf(grid.element);
      const isNarrow = !isTable && across < 480;
      /** @type {MapFrame} */
      const now = mapFrameOf(state, shown, labels, { narrow: isNarrow, finger: isNarrow && !isOnPaper(grid.element), view }, t);
      frame = now;
      if (unit > LARGE) {
        now.least = Math.min(FROM_AFAR, Math.floor(down / ROWS_IN_SIGHT));
        now.low = LOW_AFAR;
        now.wide = WIDE_AFAR;
        now.columns = tintedColumns(now, state, element.closest("[data-covers=weights]") !== null);
        picker.update(state.site, siteOf(state.model, state.site), shown, sitesOf(state.model));
      }
      if (now.read.reading === "weights" && !now.isOfWords) now.picture = pictures.of(state.run, now, palette);
      if (state.room !== "translate") return; // nobody sees it
      if (!element.closest(".in-lesson") && whatIf.parentElement !== acts) acts.append(whatIf);
      if (state.more) off ??= state.more.makeOff(t, session);
      off?.update();
      element.classList.toggle("previewing", state.preview !== null);
      if (isTable && state.more) table ??= state.more.makeTable(t, session, point, keep);
      if (table) hide(table.element, !isTable);
      sentence = sentenceOf(now, t);
      draw(nameOf(t, now, entropy), scaleEnd ?? (isTable || now.limit !== 1 ? null : 1));
      lookInside.update(state);
      const label = t("map_label", { title: now.title, rows: now.rows.count,
        columns: now.columns.count });
      const isWalk = isStepping(state) && state.by === "words"; // words have become tokens, and nothing moves
      const drawing = { ...now, label, rows: isNarrow || isWalk ? shortRows(now, t) : now.rows,
        coming: isWalk && state.stepping && !isNarrow && !isOnPaper(grid.element) ? state.more?.comingOf(t) : undefined,
        hidden: (/** @type {number} */ row, /** @type {number} */ column) => now.hidden(row, column) !== null };
      if (isTable) {
        grid.hold(drawing);
        table?.update(now, palette, state.scheme);
      } else if (now.view === "heat" || state.more) grid.update(drawing, { palette, unit });
    },
    destroy: () => grid.destroy(),
  };
}
