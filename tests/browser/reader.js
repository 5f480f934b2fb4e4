// What a visitor finds on the page, as plain values: its texts and controls, of each map what it
// paints, as lessons find it, and of the rest what a link would say. Every stage that is mounted gets
// `drawn()`, whether before this runs or after.

(() => {
  const all = (root, selector) => [...root.querySelectorAll(selector)];
  const textOf = (root, selector) => root.querySelector(selector)?.textContent ?? null;
  const textsOf = (root, selector) => all(root, selector).map((one) => one.textContent);
  const linesOf = (table, read = (cell) => cell.textContent) =>
    (table ? [...table.rows].map((row) => [...row.cells].map(read)) : null);
  /** What is chosen of a switch or of tabs: the value of data-<name> of what is pressed. */
  const chosenOf = (root, name) => root.querySelector(
    `[data-${name}]:is([aria-pressed=true], [aria-selected=true])`)?.getAttribute(`data-${name}`) ?? null;
  const seen = (one) => Boolean(one?.checkVisibility());
  /** Its title; of what a page without a server switched off, that which it had before. */
  const titleOf = (one) => one && (one.dataset.closed ?? one.title);

  /**
   * What is known at once, and the rest as soon as anything else of it is read: a page that waits is
   * asked again and again whether it still does.
   * @param {Record<string, any>} known
   * @param {function(): Record<string, any>} read
   */
  function lazily(known, read) {
    let rest = null;
    const whole = () => (rest ??= { ...read(), ...known });
    return new Proxy({}, {
      get: (_, name) => (name in known ? known[name] : whole()[name]),
      ownKeys: () => Reflect.ownKeys(whole()),
      getOwnPropertyDescriptor: (_, name) => Object.getOwnPropertyDescriptor(whole(), name),
    });
  }

  const spoken = ({ label, lead }) => (lead ? `${lead} → ${label}` : label);

  /** @param {?Element} canvas */
  function mapOn(canvas) {
    const grid = canvas && canvas.closest(".stage").parentElement.stage.mapOn(canvas);
    const frame = grid?.frame();
    if (!frame) return null;
    const { rows, columns } = frame;
    const painted = Math.min(frame.painted ?? rows.count, rows.count);
    const cells = (of) => Array.from({ length: rows.count }, (_, row) =>
      Array.from({ length: columns.count }, (__, column) => of(row, column)));
    const corner = grid.box(0, 0);
    const box = canvas.closest(".map-extent")?.parentElement;
    const scrolled = box ? [box.scrollLeft, box.scrollTop] : [0, 0];
    const labels = (axis) => axis.labels?.slice(0, axis.count) ?? null;
    return {
      frame,
      label: frame.label,
      limit: frame.limit ?? null,
      row_labels: labels(rows)?.map(spoken) ?? null,
      column_labels: labels(columns)?.map(spoken) ?? null,
      row_kinds: labels(rows)?.map(({ kind }) => kind) ?? null,
      column_kinds: labels(columns)?.map(({ kind }) => kind) ?? null,
      get values() { return cells((row, column) => (row < painted ? frame.value(row, column) : null)); },
      get hidden() { return cells((row, column) => Boolean(frame.hidden?.(row, column))); },
      get marks() { return cells((row, column) => frame.mark?.(row, column) ?? null); },
      pointed: frame.pointed,
      kept: frame.kept,
      current: frame.current ?? null,
      scrolled,
      box: corner,
      boxes: corner && { left: corner[0], top: corner[1], pitchX: corner[2], pitchY: corner[3] },
      first_cell: corner && [corner[0] + scrolled[0], corner[1] + scrolled[1], corner[2], corner[3]],
      boxOf: (row, column) => grid.box(row, column),
      cells,
    };
  }

  /** The same without what is no plain value. */
  function plainMap(canvas) {
    const found = mapOn(canvas);
    if (!found) return null;
    const { frame, boxOf, cells, ...rest } = found;
    return rest;
  }
  const mapIn = (root, selector) => plainMap(root.querySelector(`${selector} canvas`));

  const flat = (map) => map && map.values.flat();

  // The large map: its frame knows the run.

  function translate(root, room) {
    const map = mapOn(room.querySelector(".map-box canvas"));
    if (!map) return { candidates: [], thumbnails: [], sampling: machine(room) };
    const { frame } = map;
    const isHeat = frame.view === "heat" && map.box;
    return {
      site: frame.site, layer: frame.layer, head: frame.head, title: frame.title,
      row_labels: map.row_labels, column_labels: frame.columns.labels.map(({ label }) => label),
      row_title: frame.rows.title, column_title: frame.columns.title,
      weights: map.cells(frame.weight),
      masks: map.cells((row, column) => frame.read.hidden(row, column)),
      outlined_row: frame.current,
      shown_reading: frame.read.reading,
      scale_limit: frame.limit,
      value_norms: frame.read.norms && [...frame.read.norms],
      cell_boxes: isHeat ? map.cells(map.boxOf) : null,
      reading: textOf(room, ".map-foot .reading, .reading"),
      about_reading: textOf(room, ".reading-about"),
      thumbnails: all(room, ".head[data-layer]").map(thumbnail),
      candidates: all(room, ".candidate:not(.empty)").map(candidate),
      sampling: machine(room),
    };
  }

  const thumbnail = (one) => ({ layer: Number(one.dataset.layer), head: Number(one.dataset.head),
    word: textOf(one, ".head-does"), number: textOf(one, ".head-number"), title: one.title,
    locked: one.getAttribute("aria-pressed") === "true" });

  /** The bars have more digits than the numbers beside them. */
  function candidate(one) {
    const [bar, plain] = [one.querySelector(".bar"), one.querySelector(".bar-plain")];
    const share = Number(/scaleX\((.*)\)/.exec(bar.style.transform)?.[1]);
    const place = textOf(one, ".rank");
    return { token: Number(one.dataset.token), kind: one.dataset.kind, chosen: one.classList.contains("chosen"),
      text: textOf(one, ".candidate-text").replace(/^–/, ""), begins: !one.querySelector(".begins"),
      rank: place.startsWith("#") ? Number(place.slice(1)) - 1 : Number(one.dataset.place),
      number: textOf(one, ".number").trim(), cut: one.classList.contains("cut"),
      share: plain.hidden ? null : share,
      probability: plain.hidden ? share : parseFloat(plain.style.width) / 100 };
  }

  function machine(room) {
    const element = room.querySelector(".machine:not([hidden])");
    if (!element) return { awaited: false, many: null };
    const texts = element.querySelector(".many-texts");
    return { dart: textOf(element, ".machine-dart-text"), awaited: element.matches("[aria-busy=true]"),
      parts: all(element, ".part").map((mark) => ({ width: mark.style.width, hit: mark.classList.contains("hit"), text: mark.textContent })),
      values: Object.fromEntries(all(element, "[data-machine]").map((one) => [one.dataset.machine, one.textContent])),
      many: texts && !texts.matches("[aria-busy=true]") ? all(texts, "li").map((line) => ({
        count: parseInt(textOf(line, ".many-count"), 10), text: textOf(line, ".many-text"),
        seed: Number(line.querySelector(".many-text").dataset.seed) })) : null };
  }

  const MASKS = { masks: ["pad", "causal", "combined", "scores", "masked", "weights"],
    passes: ["once", "stepped", "difference"] };

  function masks(room, { choices }, locks) {
    const view = choices.view ?? "masks";
    const figures = all(room, ".masks-map").slice(0, MASKS[view].length);
    const { row_labels, column_labels, row_kinds, column_kinds } = plainMap(figures.find((one) => !one.hidden
      && one.querySelector(".masks-none").hidden)?.querySelector("canvas")) ?? {};
    const axes = { row_labels, column_labels, row_kinds, column_kinds }; // those of all maps
    const maps = figures.map((figure, i) => {
      const none = figure.querySelector(".masks-none");
      const named = { name: MASKS[view][i], title: textOf(figure, ".masks-title") };
      if (figure.hidden) return { ...named, ...axes, first_cell: null };
      return none.hidden ? { ...named, ...plainMap(figure.querySelector("canvas")) } : { ...named, none: none.textContent };
    });
    const at = (name) => {
      const place = maps.find((map) => map[name])?.[name] ?? null;
      return place && { query: place.row, key: place.column };
    };
    const equation = room.querySelector(".masks-equation");
    const swipe = room.querySelector(".masks-swipe");
    const lines = all(room, ".masks-sentences > li");
    return {
      view, site: choices.site, maps, pointed: at("pointed"), chosen: choices.cell
        ? { query: choices.cell[0], key: choices.cell[1] } : null,
      shown: lines.findIndex((line) => line.classList.contains("shown")),
      breaks: choices.breaks ?? [], lock: locks[choices.site], step: Number(room.querySelector(".masks-passes .slider").value),
      sentences: lines.map((line) => titleOf(line.querySelector(".masks-sentence"))?.split("\n")[0]
        ?? line.querySelector(".masks-edit").value),
      batch: all(room, ".masks-strip").map((strip) => textsOf(strip, ".masks-token")),
      signs: all(room, ".masks-sign").filter(seen).map((sign) => sign.textContent),
      large: seen(equation) ? maps.filter((map) => map.first_cell || map.none).map(({ name }) => name) : null,
      swiped: seen(swipe) ? all(swipe, ".masks-dot").findIndex((dot) => dot.matches("[aria-current=true]")) : null,
      see: textOf(room, ".masks-see"), axes: textOf(room, ".masks-axes span"), reading: textOf(room, ".masks-says .reading"),
      look: titleOf(room.querySelector(".look-inside")),
      check: view === "masks" ? { findings: textsOf(room, ".masks-answer, .masks-findings > li"),
        table: linesOf(room.querySelector(".masks-check table"), (cell) => cell.innerText) } : null,
      passes: view === "passes" ? { apart: textOf(room, ".masks-below p"),
        table: linesOf(room.querySelector(".masks-shift"), (cell) => cell.innerText) } : null,
    };
  }

  const STUDIES = { table, sum, order, rotary };

  function positions(room, { choices }) {
    const view = chosenOf(room, "study") ?? "table";
    const open = all(room, ".positions-view").find((one) => !one.hidden);
    return { view, lead: all(room, ".positions-lead").find((one) => !one.hidden)?.textContent ?? null,
      reading: textOf(open, ".reading"), badge: textOf(open, ".positions-badge"),
      headline: textOf(open, ".positions-answer"), ...STUDIES[view](open, choices) };
  }

  function table(open, choices) {
    const map = mapIn(open, "[data-grid=table]");
    const own = open.querySelector(".positions-tables figure");
    const alike = mapIn(open, "[data-grid=alike]");
    return { kind: chosenOf(open, "kind"), own: !open.querySelector(".positions-badge").matches(".foreign"),
      row: choices.row, column: choices.column, other: choices.other, note: textOf(open, ".positions-note"),
      values: map?.values, rows: map?.row_labels, columns: map?.column_labels, boxes: map?.boxes, pointed: map?.pointed,
      kept: map?.kept, beside: own.hidden ? null : mapIn(open, "[data-grid=own]"), alike,
      hands: all(open, ".positions-clock").filter((one) => !one.hidden).map((one) => textsOf(one, "span > span")),
      chips: all(open, ".positions-chip").map((chip) => Number(chip.dataset.column)), compared: textsOf(open, ".positions-compared dd"),
      turn: textOf(open, ".positions-turn") };
  }

  function sum(open) {
    const parts = ["embedding", "position", "sum"].map((name) => [name, mapIn(open, `[data-grid=${name}]`)]);
    return { side: chosenOf(open, "side"), lengths: textOf(open, ".positions-quiet"),
      boxes: parts.map(([, map]) => map?.boxes), pointed: parts[0][1]?.pointed,
      ...Object.fromEntries(parts.map(([name, map]) => [name, flat(map)])) };
  }

  function order(open, choices) {
    const parts = ["before", "after", "difference"].map((name) => [name, mapIn(open, `[data-grid=${name}]`)]);
    const changes = open.querySelector(".positions-report table");
    const said = open.querySelector(".positions-both > *")?.getAttribute("aria-label") ?? "";
    const on = /^(?:As typed: |原来的顺序：)(.*)(?:; changed: |；改变之后：)(.*)$/su.exec(said)?.slice(1) ?? [];
    const off = textsOf(open, ".positions-without dd");
    const at = (place) => {
      const [part, map] = parts.find(([, one]) => one?.[place]) ?? [];
      return map ? { part, ...map[place] } : null;
    };
    const words = all(open, ".positions-word").map((word) => ({ text: textOf(word, ".positions-word-text"),
      row: textOf(word, "small"), moved: word.classList.contains("moved") }));
    return { mode: chosenOf(open, "mode"), order: choices.order ?? tokensOf(words), rows: choices.rows ?? null, site: choices.site, layer: choices.layer,
      head: choices.head, at: Number(open.querySelector("[data-pick=at]")?.value ?? -1), look: titleOf(open.querySelector(".look-inside")),
      verdict: textOf(open, ".positions-verdict"), pointed: at("pointed"),
      picked: choices.picked ? { part: choices.part, row: choices.picked[0], column: choices.picked[1] } : null,
      labels: words,
      boxes: parts.map(([, map]) => map?.boxes), ...Object.fromEntries(parts.map(([name, map]) => [name, flat(map)])),
      changes_shown: linesOf(changes), guesses: all(open, ".positions-guesses > div").map((side) =>
        all(side, ".positions-guess").map((one) => [textOf(one, ".positions-guess-text"), textOf(one, ".number").trim()])),
      translations_shown: [...on, ...off],
      translations: [...on, ...off].includes("…") ? null : { on, off: [off[0], off.at(-1)] } };
  }

  /** Where each token stood, of words of which two at most were swapped. */
  function tokensOf(words) {
    const stood = words.map((_, at) => at);
    const [one, other] = stood.filter((at) => words[at].moved);
    if (other !== undefined) [stood[one], stood[other]] = [other, one];
    const sizes = stood.map((at) => {
      const [first, last = first] = words[at].row.split("–").map(Number);
      return last - first + 1;
    });
    const begins = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, size) => sum + size, 0));
    return stood.flatMap((at) => Array.from({ length: sizes[at] }, (_, i) => begins[at] + i));
  }

  function rotary(open, choices) {
    const map = mapIn(open, "[data-grid=placed]");
    return { site: choices.site, layer: choices.layer, head: choices.head,
      query: Number(open.querySelector("[data-pick=query]").value), key: Number(open.querySelector("[data-pick=key]").value),
      own: !open.querySelector(".positions-badge").matches(".foreign"), pair: all(open, "[role=option]")
        .findIndex((one) => one.matches("[aria-selected=true]")), placed: map?.values, boxes: map?.boxes, pointed: map?.pointed,
      verdict: textOf(open, ".positions-verdict") };
  }

  function vectors(root, name) {
    const element = root.querySelector(`[data-vectors="${name}"]`);
    const map = element && mapOn(element.querySelector("canvas"));
    if (!map) return null;
    const { frame } = map;
    return { at: frame.pointed.column, values: map.values, pitch: map.box?.[2], tops: frame.tops.map(([top, height]) =>
      [map.box[1] - frame.tops[0][0] + top, height]), names: textsOf(element, ".vectors-names > div"),
      numbers: textsOf(element, ".vectors-numbers > div"),
      picked: all(element, ".vectors-names > div").findIndex((one) => one.classList.contains("picked")) };
  }

  const PANELS = ["project", "product", "softmax", "values", "output", "residual", "norm"];

  function inside(room, { site, choices, cells }, locks) {
    const view = chosenOf(room, "inside");
    return { view, sentence: textOf(room, ".inside-sentence"), next: textOf(room, ".inside-next"), chosen: cells[site],
      [view]: { cell, way, spread, norms }[view](room, { site, ...locks[site], ...cells[site] }, choices) };
  }

  function cell(room, place, choices) {
    const panels = Object.fromEntries(PANELS.map((name) => {
      const panel = room.querySelector(`[data-panel=${name}]`);
      return [name, { ...vectors(panel, name), formula: textOf(panel, ".panel-formula"), shape: textOf(panel, ".panel-shape"),
        lines: textsOf(panel, ".result-line"), ...(name === "softmax"
          ? { cells: linesOf({ rows: all(panel, "tbody tr") }), exact: linesOf({ rows: all(panel, "tbody tr") },
            (one) => one.title) } : {}) }];
    }));
    const rows = all(room, "[data-panel=softmax] tbody tr");
    return { ...place, scale: choices.scale, panels, allowed_K: rows.map((row) => !row.classList.contains("masked")),
      weights_K: panels.softmax.exact.map((row) => Number(row[4].replace("−", "-"))), read: vectors(room, "read"), raw: vectors(room, "raw") };
  }

  function way(room) {
    const stages = all(room, ".way-stage").map((item) => ({ id: item.dataset.stage, open: item.classList.contains("open"),
      title: textOf(item, ".stage-name"), formula: textOf(item, ".panel-formula"), length: Number(item.querySelector(".stage-length").title),
      rows: vectors(item, item.dataset.stage), hidden: vectors(item, `${item.dataset.stage}.hidden`), units: textOf(item, ".stage-units"),
      says: seen(item.querySelector(".stage-lens")) ? textsOf(item, ".stage-lens > span") : null }));
    const end = room.querySelector(".way-end");
    return { side: all(room, ".tokens-list [aria-pressed=true]").find(seen)?.closest("[data-tokens]").dataset.tokens, stages,
      prediction: end && linesOf({ rows: all(end, "tbody tr") }) };
  }

  const spread = (room) => ({ shown: textsOf(room, ".spread-number"), rows: linesOf(room.querySelector(".spread-row")) });

  function norms(room, place, choices) {
    const map = mapIn(room, "[data-grid=norms]");
    return { ...map?.kept, norm: choices.norm, values: map?.values, tokens: map?.row_labels, boxes: map?.boxes,
      rows: linesOf(room.querySelector(".norms-batches")) };
  }

  function compare(room, { at, choices }) {
    const of = (run) => room.querySelector(`.compare-run[data-run="${run}"]`);
    const [maps, b] = [room.querySelector(".compare-maps"), of("b")];
    const slider = room.querySelector(".updates-slider");
    const number = (run, part) => Number(of(run).querySelector(`[data-pick=${part}]`).value);
    return { site: choices.site, at, align: chosenOf(room, "align"), fed: chosenOf(room, "feed") === "a",
      b: choices.b ?? null, b_source: b.querySelector(".compare-sentence").value,
      places: ["a", "b"].map((run) => ({ layer: number(run, "layer"), head: number(run, "head") })),
      maps: maps.hidden ? null : ["a", "b", "difference"].map((name) => ({ name, ...mapIn(room, `[data-grid=${name}]`) })),
      lead: textsOf(room, ".compare-lead p"), summary: textsOf(room, ".compare-summary p"), marked: textsOf(room, ".compare-hero .other"),
      training: slider && { at: Number(slider.value), count: Number(slider.max) + 1, said: slider.getAttribute("aria-valuetext") },
      candidates: linesOf(room.querySelector(".compare-candidates:not([hidden]) table")), reading: textOf(room, ".reading") };
  }

  function beam(room, { choices }) {
    const nodes = all(room, ".beam-node");
    const map = mapIn(room, ".beam-map:not([hidden])");
    return { says: textsOf(room, ".beam-says > *").join(" "), last: Number(/\d+/.exec(textOf(room, ".beam-step-of"))),
      node: choices.node ?? Number(nodes.find((one) => one.matches("[aria-pressed=true]"))?.dataset.node), map,
      opened: Number(room.querySelector(".beam-strip[aria-expanded=true]")?.dataset.strip ?? 0) || null,
      width: Number(room.querySelector("[data-beam=width]").value), shown: chosenOf(room, "shown"),
      tree: nodes.map((one) => ({ step: Number(one.dataset.step), fate: one.dataset.fate, token: textOf(one, ".beam-token"),
        score: textOf(one, ".beam-score") })) };
  }

  function heads(room, { choices }) {
    const none = all(room, ".heads-none").find((one) => !one.hidden && one.parentElement === room);
    const page = room.querySelector(".heads-page");
    return { view: choices.view ?? "grid", none: none?.textContent ?? null, on: textOf(room, ".heads-on"),
      grid: mapIn(room, ".heads-left > .heads-grid"), here: mapIn(room, ".heads-here .heads-grid"),
      table: linesOf(room.querySelector(".heads-table")), sorts: all(room, ".heads-sort").map((one) => one.dataset.sort),
      says: textOf(room, ".heads-here .heads-does"), found: all(room, ".heads-found li").map((one) =>
        [textOf(one, ".heads-hit").trim(), textOf(one, "small")]), reads: textOf(room, ".reading"),
      page: { title: textOf(room, ".heads-title h3"), does: textOf(room, ".heads-title .heads-does"), lost: linesOf(page.querySelector(".heads-lost")), sentences: all(page, ".heads-sentences > *").length } };
  }

  function training(room) {
    const slider = room.querySelector("[data-training=note]");
    return { ready: seen(slider), note: Number(slider.value), last: Number(slider.max), says: textOf(room, ".training-says"),
      mistake: textOf(room, ".training-mistake"), map: mapIn(room, "[data-grid=then]"), curves: textOf(room, ".training-named") };
  }

  const ROOMS = { masks, positions, inside, compare, beam, heads, training };

  /** What the open room shows; null where nothing of it is there yet. */
  function inRoom(root, shown) {
    const refusal = root.querySelector(".room-refusal:not([hidden])");
    if (refusal) return { lacks: refusal.textContent };
    const room = root.querySelector(".room:not([hidden])");
    if (!room || room.matches(".unanswered")) return { busy: true };
    const busy = room.matches('[aria-busy="true"]') || room.querySelector('[aria-busy="true"]') !== null;
    const read = ROOMS[root.dataset.in];
    return lazily(busy ? { busy, ready: false } : { busy }, () =>
      ({ ready: !busy, ...read?.(room, shown.view, shown.view.locks) }));
  }

  /** What a visitor reads around the room. */
  function around(root) {
    const shownText = (selector) => all(root, selector).find((one) => !one.closest("[hidden]"))?.textContent ?? null;
    const dialog = root.querySelector("dialog[open].export");
    return { language: root.lang.slice(0, 2), message: shownText(".message-text") ?? shownText(".nothing"), opening: shownText(".opening"),
      guard: shownText(".guard"), busy: root.matches('[aria-busy="true"]'), slow: root.matches(".slow"),
      playing: all(root, "[data-act=play]").some((one) => seen(one) && /Pause|暂停/.test(one.textContent)),
      exporting: dialog && { what: dialog.querySelector("[data-export=what]").value, saved: textOf(dialog, ".export-status") },
      jumps: seen(root.querySelector(".jumps")) ? textsOf(root, ".jumps > *") : null };
  }

  const visible = (text) => (/^\s+$/u.test(text) ? text.replace(/\s/gu, "␣") : text.trim() || "∅");

  /** What the tokens of a side are called, piece by piece: a word is written in one. Where they are away, as they were. */
  function labelsOf(root, side, tokens) {
    const nodes = all(root, `.strip-${side} .token:not(.pending)`);
    const written = nodes.map((node) => node.textContent);
    if (!tokens || nodes.length === tokens.ids.length) return written;
    const named = nodes.filter(({ dataset }) => dataset.kind && dataset.kind !== "text").map((node) => node.textContent);
    return tokens.ids.map((_, i) => (tokens.kinds[i] === "text" ? visible(tokens.texts[i]) : named.shift()));
  }

  function drawn(host) {
    const { stage } = host;
    const root = host.querySelector(".stage");
    const shown = stage.shown?.();
    if (!shown) return { recipe: null, ...around(root) };
    const { recipe, view } = shown;
    const { room: name, site, at, stepping, rows, view: how, spelled, order: sorted, locks } = view;
    const room = root.querySelector(".room:not([hidden])");
    const frame = mapOn(root.querySelector(".map-box canvas"))?.frame ?? null;
    const withoutStrategy = (one) => JSON.stringify({ ...one, strategy: null });
    const run = frame && withoutStrategy(frame.run.recipe) === withoutStrategy(recipe) ? frame.run : null; // or of another room
    const slider = root.querySelector(".playback .slider");
    const locked = { site, ...locks[site] };
    const known = { room: name, at, stepping, rows, view: how, spelled, order: sorted, recipe: run?.recipe ?? recipe,
      strategy: recipe.strategy, locked: locks[site], by: frame?.isOfWords ?? view.by !== "pieces" ? "words" : "pieces",
      source_labels: labelsOf(root, "source", run?.source), target_labels: labelsOf(root, "target", run?.target),
      steps: run?.steps.length ?? Number(slider?.max), text: textOf(root, ".translation"),
      finished: run ? run.finished : root.querySelector(".strip-target .pending") ? null : "end",
      in_room: name === "translate" ? null : inRoom(root, shown), ...around(root) };
    return name === "translate" ? lazily(known, () => ({ ...locked, ...translate(root, room) }))
      : { ...known, ...locked };
  }

  /** @param {HTMLElement} host @param {any} stage */
  const reads = (host, stage) => stage && Object.assign(stage, { drawn: () => drawn(host) });

  Object.defineProperty(HTMLElement.prototype, "stage", { configurable: true, get: () => undefined, set(first) {
    let now = reads(this, first);
    Object.defineProperty(this, "stage", { configurable: true, get: () => now, set: (next) => { now = reads(this, next); } });
  } });
  for (const { parentElement: host } of all(document, ".stage")) {
    if (Object.hasOwn(host, "stage")) reads(host, host.stage);
  }
})();
