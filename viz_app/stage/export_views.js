// What can be kept of each room, by the names of viz_app/export/view.py. Layers, heads, steps and
// places count from 1 there.

/** The views of the open room, the one on the screen first: [{view, ...}]. */
function exportViews(state, kept, drawn) {
  const { site, at, run, room } = state;
  const placed = (of) => ({ site: of, layer: state.locks[of].layer + 1,
    head: state.locks[of].head + 1 });
  const views = {
    translate() {
      const step = at < run.steps.length - 1 && site !== "encoder" ? { step: at + 1 } : {};
      const common = { ...placed(site), rows: state.rows, ...step };
      const heads = [site, "lines"].map((view) => ({ view, ...common }));
      if (state.view === "lines") heads.reverse();
      return [...heads, { view: "heads", site, rows: state.rows, ...step },
        { view: "candidates", step: at + 1 }];
    },
    masks() {
      const { breaks, sentences, shown, view, places: { cell, step: after } } = kept;
      const common = { ...placed(kept.site), sentences,
        ...(cell ? { query: cell.query + 1, key: cell.key + 1 } : {}),
        ...(after === null ? {} : { step: after + 1 }),
        ...(shown === null ? {} : { shown: shown + 1 }) };
      const masks = ["scores", "masks", "broken"].map((name) =>
        ({ view: name, ...common, ...breaks }));
      const passes = kept.site === "encoder" ? [] : [{ view: "passes", ...common }];
      return view === "passes" ? [...passes, ...masks] : [...masks, ...passes];
    },
    positions() {
      const own = kept[kept.open];
      const { row, column } = own;
      if (kept.open === "sum") return [{ view: "sum", side: own.side, row, column }];
      if (kept.open === "order") {
        return [{ view: "order", ...placed(own.site), positions_off: own.mode === "off",
          ...(own.at === null ? {} : { step: own.at + 1 }),
          ...(drawn?.order ? { order: drawn.order.map((place) => place + 1) } : {}),
          ...(drawn?.rows ? { places: drawn.rows } : {}) }];
      }
      if (kept.open === "rotary") {
        return [{ view: "rotary", ...placed(own.site), query: own.query + 1, key: own.key + 1,
          pair: own.pair }];
      }
      const common = { ...(own.kind ? { kind: own.kind } : {}), row, column,
        ...(drawn?.curves?.length ? { dimensions: drawn.curves } : {}) };
      return ["positions", "curves", "similarity"].map((view) => ({ view, ...common }));
    },
    inside() {
      const cell = state.cells[site] ?? { query: 0, key: 0 };
      const place = kept.place
        ?? { side: site === "encoder" ? "source" : "target", position: cell.query };
      const row = { ...placed(site), query: cell.query + 1, key: cell.key + 1 };
      const cells = ["head", "output"].map((view) => ({ view, ...row }));
      const way = { view: "way", side: place.side, query: place.position + 1 };
      return kept.view === "way" ? [way, ...cells] : [...cells, way];
    },
  };
  const spelled = state.spelled ? { spelled: true } : {};
  return views[room]().map((view) => ({ ...view, ...spelled }));
}
