// The large map of one head: its title and switches, the canvas or the table, the sentence.

import { sizedContext } from "../../stage/draw/canvas.js";
import { cellBox, hitHeat, layoutHeat, paintHeat, typeSize } from "../../stage/draw/heatmap.js";
import { widthOf } from "../../stage/draw/labels.js";
import { hitLines, layoutLines, paintLines, tokenBoxes } from "../../stage/draw/lines.js";
import { fixed } from "../../stage/draw/numbers.js";
import { makeHatch } from "../../stage/draw/palette.js";
import { make, makeSwitch, setText, setTrait } from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/glossary.js";
import { makeLookButton } from "../../stage/page/look.js";
import { keyCount, maskedBecause, queryCount, rowOfWeights } from "../../stage/run/run.js";
import { sentenceOf } from "./reading.js";
import { makeTable } from "./table.js";

/**
 * What the large map shows now, as a plain value that the painters, the table and the tests share.
 *
 *   rows, columns        how many exist; rowRoom, columnRoom: how many places are reserved
 *   visible              rows drawn: up to the cursor (encoder: all)
 *   current              the row of the cursor, or null (encoder)
 *   weight(query, key)   null where masked
 *   pointed              {query, key} under the pointer or the cell cursor
 */
function frameOf(state, shown, labels, t) {
  const { run, site, at } = state;
  const { layer, head } = shown;
  const rows = queryCount(run, site);
  const columns = keyCount(run, site);
  const visible = site === "encoder" ? rows : Math.min(at + 1, rows);
  const rowsAre = site === "encoder" ? "source" : state.rows;
  const inside = (place, count) => (place !== null && place < count ? place : null);
  const weight = (query, key) => (maskedBecause(run, site, query, key) ? null
    : rowOfWeights(run, site, layer, head, query)[key]);
  return {
    run, site, layer, head, rows, columns, visible, rowsAre,
    view: state.view,
    rowRoom: site === "encoder" ? rows : run.capacity,
    columnRoom: site === "decoder" ? run.capacity : columns,
    current: site === "encoder" ? null : at,
    columnsReached: site === "decoder" ? at + 1 : columns,
    rowLabels: labels.rows,
    columnLabels: labels.columns,
    rowTitle: t(`axis_rows_${rowsAre}`),
    columnTitle: t(site === "decoder" ? "axis_columns_target" : "axis_columns_source"),
    title: t("map_title", titleValues({ site, layer, head }, t)),
    masked: site === "decoder" || run.source.kinds.includes("pad"),
    maskedWord: t("masked"),
    pointed: {
      query: inside(state.pointed.query, visible),
      key: inside(state.pointed.key, columns),
    },
    kept: state.cells[site] ?? null,
    weight,
    maskedBecause: (query, key) => maskedBecause(run, site, query, key),
    picture: null,
  };
}

export function titleValues({ site, layer, head }, t) {
  return { site: t(`site_${site}_long`), layer: layer + 1, head: head + 1 };
}

export function makeMap(t, session, redraw) {
  const { state, actions } = session;
  const title = makeTermed(t, "map_title", { class: "map-title" }, "h3");
  const spread = makeTermed(t, "entropy_bits", { class: "map-entropy" });
  const views = makeSwitch("view", t("view"), ["heat", "lines", "table"].map((view) =>
    [view, t(`view_${view}`), t(`view_${view}_hint`)]), (view) => actions.set({ view }));
  const rowsSwitch = makeSwitch("rows", t("rows"), ["fed", "predicted"].map((rows) =>
    [rows, t(`rows_${rows}`), t(`rows_${rows}_hint`)]), (rows) => actions.set({ rows }));
  const canvas = make("canvas", { class: "map-canvas", tabindex: "0", role: "application",
    "aria-roledescription": t("map_role") });
  const extent = make("div", { class: "map-extent" }, [canvas]);
  const box = make("div", { class: "map-box" }, [extent]);
  const table = makeTable(t, session);
  const reading = make("p", { class: "reading", "aria-live": "polite" });
  const look = makeLookButton(t, () =>
    actions.lookInside({ site: state.site, ...state.locks[state.site] })).element;
  const element = make("section", { class: "map", "aria-label": t("map_role") }, [
    make("header", { class: "map-head" }, [
      make("div", { class: "map-name" }, [title.element, spread.element]), views.element,
    ]),
    box,
    table.element,
    make("div", { class: "map-foot" }, [reading, look, make("div", { class: "rows-line" }, [
      makeTermed(t, "rows_word", { class: "rows-word" }).element,
      rowsSwitch.element,
    ])]),
  ]);
  const context = canvas.getContext("2d");
  let frame = null;
  let layout = null;
  let hatch = { scheme: -1, ratio: 0, pattern: null };
  let view = { width: 0, height: 0 };

  const watcher = new ResizeObserver(() => redraw());
  watcher.observe(box);
  box.addEventListener("scroll", () => redraw(), { passive: true });
  const scroll = () => ({ x: box.scrollLeft, y: box.scrollTop });

  function hit(event) {
    if (!frame || !layout) return null;
    const at = canvas.getBoundingClientRect();
    const find = state.view === "lines" ? hitLines : hitHeat;
    return find(frame, layout, scroll(), event.clientX - at.left, event.clientY - at.top);
  }
  canvas.addEventListener("pointermove", (event) => {
    const place = hit(event);
    actions.point(place?.query ?? null, place?.key ?? null);
    setTrait(canvas, "title", place && frame ? fullText(place) : null);
  });
  canvas.addEventListener("pointerdown", (event) => {
    const place = hit(event);
    if (!place) return;
    actions.point(place.query, place.key);
    // A line ends at a key; it begins at the current row, or at the row of the cell kept before.
    const begins = state.view === "lines" ? frame.current ?? frame.kept?.query ?? null : null;
    actions.keepCell(place.query ?? begins, place.key);
  });
  canvas.addEventListener("pointerleave", () => actions.point(null, null));
  canvas.addEventListener("blur", () => actions.point(null, null));
  canvas.addEventListener("keydown", (event) => {
    if (!frame || event.ctrlKey || event.metaKey || event.altKey) return;
    const turn = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const move = turn[event.key];
    if (event.key === "Escape") actions.point(null, null);
    if (event.key === "Enter") actions.keepCell(state.pointed.query, state.pointed.key);
    if (!move && event.key !== "Enter") return; // Enter elsewhere takes a candidate
    event.preventDefault();
    event.stopPropagation();
    if (!move) return;
    const { query, key } = state.pointed; // the frame may not have drawn the last key yet
    if (query === null || key === null) {
      actions.point(frame.current ?? 0, 0);
      return;
    }
    const next = {
      query: Math.max(0, Math.min(frame.visible - 1, query + move[0])),
      key: Math.max(0, Math.min(frame.columns - 1, key + move[1])),
    };
    actions.point(next.query, next.key);
    if (state.view === "heat") bringIntoView(next);
  });

  /** The full text of a label under the pointer: the drawn one may be elided. */
  function fullText({ query, key }) {
    if (query !== null && key !== null) return null;
    const label = query !== null ? frame.rowLabels[query] : frame.columnLabels[key];
    return label.label;
  }

  function bringIntoView({ query, key }) {
    const [x, y, width, height] = cellBox(layout, scroll(), query, key);
    if (x < layout.left) box.scrollLeft += x - layout.left;
    else if (x + width > view.width - layout.bar) {
      box.scrollLeft += x + width - view.width + layout.bar;
    }
    if (y < layout.top) box.scrollTop += y - layout.top;
    else if (y + height > view.height) box.scrollTop += y + height - view.height;
  }

  let followed = ""; // the row last brought into view, and in which view

  /** When the cursor moves, its row comes into view; the reader may then scroll away. */
  function followCursor(isHeat) {
    const now = `${frame.view} ${frame.current}`;
    if (now === followed || frame.current === null) return;
    followed = now;
    const pitch = isHeat ? layout.pitchY : layout.pitchLeft;
    const before = isHeat ? layout.top : layout.title;
    const y = before + frame.current * pitch - box.scrollTop;
    if (y < before) box.scrollTop += y - before;
    else if (y + pitch > view.height) box.scrollTop += y + pitch - view.height + 3;
  }

  function paint(palette, unit) {
    view = { width: box.clientWidth, height: box.clientHeight };
    if (view.width < 40 || view.height < 40) return;
    const font = `${typeSize(unit).toFixed(1)}px ${palette.mono}`;
    const measure = (text) => widthOf(context, font, text);
    const isHeat = state.view === "heat";
    layout = (isHeat ? layoutHeat : layoutLines)(frame, view, unit, measure);
    extent.style.width = `${isHeat ? Math.max(view.width, layout.width) : view.width}px`;
    extent.style.height = `${Math.max(view.height, layout.height)}px`;
    followCursor(isHeat);
    sizedContext(canvas, view.width, view.height);
    const ratio = window.devicePixelRatio || 1;
    if (hatch.scheme !== state.scheme || hatch.ratio !== ratio) {
      hatch = { scheme: state.scheme, ratio, pattern: makeHatch(context, palette, ratio) };
    }
    if (isHeat) paintHeat(context, frame, layout, scroll(), palette, hatch.pattern);
    else paintLines(context, frame, layout, scroll(), palette);
  }

  return {
    element,
    /** `look`: what to draw; null before there is a run. */
    update(look) {
      views.update(state.view);
      rowsSwitch.update(state.site === "encoder" ? "" : state.rows, state.site !== "encoder");
      if (!state.run) return;
      const { shown, labels, pictures, palette, unit, entropy } = look;
      frame = frameOf(state, shown, labels, t);
      frame.picture = pictures.of(state.run, frame.site, frame.layer, frame.head, palette);
      title.update(titleValues(frame, t));
      element.classList.toggle("previewing", state.preview !== null);
      spread.update({ bits: fixed(entropy, 2) });
      const isTable = state.view === "table";
      box.hidden = isTable;
      table.element.hidden = !isTable;
      setTrait(canvas, "aria-label", t("map_label", { title: frame.title,
        rows: frame.visible, columns: frame.columns }));
      if (state.room !== "translate") return; // nobody sees it
      if (isTable) table.update(frame, palette, state.scheme);
      else paint(palette, unit);
      const sentence = sentenceOf(frame, t);
      setText(reading, sentence);
      setTrait(reading, "title", sentence);
    },
    drawn() {
      if (!frame) return null;
      const cells = (of) => Array.from({ length: frame.visible }, (_, query) =>
        Array.from({ length: frame.columns }, (_, key) => of(query, key)));
      return {
        title: frame.title,
        row_labels: frame.rowLabels.slice(0, frame.visible).map(({ label }) => label),
        column_labels: frame.columnLabels.map(({ label }) => label),
        row_title: frame.rowTitle,
        column_title: frame.columnTitle,
        weights: cells(frame.weight),
        masks: cells(frame.maskedBecause),
        outlined_row: frame.current,
        cell_boxes: state.view === "heat" && layout
          ? cells((query, key) => cellBox(layout, scroll(), query, key)) : null,
        token_boxes: state.view === "lines" && layout
          ? tokenBoxes(frame, layout, scroll()) : null,
        reading: reading.textContent,
      };
    },
    destroy: () => watcher.disconnect(),
  };
}
