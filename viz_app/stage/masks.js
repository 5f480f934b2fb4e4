// The room Masks: a padded batch, the masks over it, and what leaks when one is broken; and one
// target read in one pass beside many steps.

const MASKS_SLOW_MS = 150; // an answer that takes longer dims the old picture
const MASKS_INTACT = { causal: "intact", pads: "intact", fill: "infinite" };
const MASKS_CHOICES = {
  causal: ["intact", "none", "ahead", "behind"],
  pads: ["intact", "none", "rows"],
  fill: ["infinite", "finite"],
};

/** The numbers in a base64 text of little-endian float32. */
function maskFloats(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length >> 2 }, (_, i) => view.getFloat32(4 * i, true));
}

/** The six sheets of one head, or the three of two readings of it; see masks_grid.js. */
function sheetsOf(answer, axes, { layer, head }, step, isHard, t) {
  const [Q, K] = [axes.rows.length, axes.columns.length];
  const at = (layer * answer.heads + head) * Q * K;
  const cut = (floats) => floats.subarray(at, at + Q * K);
  const none = () => null;
  if (answer.view === "passes") {
    const hidden = (q, k) => answer.allowed[q][k] === "0";
    const [once, stepped] = [cut(answer.once), cut(answer.stepped)];
    const apart = (q, k) => once[q * K + k] - stepped[q * K + k];
    const most = Math.max(1e-9, ...Array.from(once, (value, i) => Math.abs(value - stepped[i])));
    const sheet = (name, kind, value, reached) => ({ name, kind, value, hidden, mark: none, reached,
      most, title: t(`masks_map_${name}`, { n: step, m: Q }), fill: null });
    return [
      sheet("once", "weights", (q, k) => once[q * K + k], Q),
      sheet("stepped", "weights", (q, k) => stepped[q * K + k], step),
      sheet("difference", "difference", apart, step),
    ];
  }
  const [scores, weights] = [cut(answer.scores), cut(answer.weights)];
  const { masks, own } = answer;
  const markOf = (name) => (q, k) => (!masks[name] || masks[name][q][k] === own[name][q][k] ? null
    : masks[name][q][k] === "1" ? "opened" : "closed");
  const hidden = (q, k) => masks.combined[q][k] === "0";
  const fill = answer.hidden_score ?? -Infinity;
  const most = Math.max(1e-9, ...scores.map(Math.abs));
  const ofMask = (name) => ({ name, kind: "mask", title: t(`masks_map_${name}`), reached: Q,
    value: (q, k) => Number(masks[name][q][k]), hidden: (q, k) => masks[name][q][k] === "0",
    mark: markOf(name) });
  const score = (q, k) => scores[q * K + k];
  return [
    ofMask("pad"), ofMask("causal"), ofMask("combined"),
    { name: "scores", kind: "scores", title: t("masks_map_scores"), value: score, reached: Q, most,
      hidden: () => false, mark: none, fill: null },
    { name: "masked", kind: "scores", title: t("masks_map_masked"), reached: Q, most, hidden,
      value: (q, k) => (hidden(q, k) ? fill : score(q, k)), mark: none,
      fill: signedNumber(fill) },
    { name: "weights", kind: "weights", reached: Q, hidden, mark: none, fill: null,
      title: t(isHard ? "masks_map_weights_hard" : "masks_map_weights"),
      value: (q, k) => weights[q * K + k] },
  ];
}

/** @returns {{element: HTMLElement, update: function, drawn: function, keep: function}} */
function makeMasksRoom(t, session, ask, redraw, kept = null) {
  const { state, actions } = session;
  const wish = { view: "masks", site: "decoder", breaks: MASKS_INTACT, sentences: [], shown: null,
    ...kept };
  let [answer, asked, model] = [null, "", kept?.model ?? null];
  let [pointed, step, busy, slowTimer] = [null, 1, 0, 0];
  let [axes, sheets, drawnOf] = [null, [], []];
  let [signed, signedOf, hatch, layout] = [null, null, null, null];

  const views = makeSwitch("masks", t("masks_views"), ["masks", "passes"].map((view) =>
    [view, t(`masks_view_${view}`), t(`masks_view_${view}_hint`)]), (view) => want({ view }));
  const see = make("p", { class: "masks-see" });
  const batch = makeMasksBatch(t, session, {
    show: (shown) => want({ shown }),
    change: (sentences, shown) => want({ sentences, shown }),
  });
  const tabs = SITES.map((site) => makeButton({ class: "tab", role: "tab", text: t(`site_${site}`),
    data: { masksSite: site } }, () => want({ site })));
  const tabList = make("div", { class: "tabs", role: "tablist", "aria-label": t("sites"), on: {
    keydown: (event) => {
      const turn = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!turn) return;
      event.preventDefault();
      event.stopPropagation();
      const open = tabs.filter((tab) => !tab.hidden);
      const from = open.findIndex((tab) => tab.dataset.masksSite === wish.site);
      const next = open[(from + turn + open.length) % open.length];
      want({ site: next.dataset.masksSite });
      next.focus();
    },
  } }, tabs);
  const selects = ["layer", "head"].map((name) => make("select", { class: "order",
    "aria-label": t(`masks_${name}`), data: { masks: name }, on: {
      change: (event) => lockHead({ [name]: Number(event.target.value) }),
    } }));
  const switches = Object.entries(MASKS_CHOICES).map(([name, choices]) => [name,
    makeSwitch(`masks${name[0].toUpperCase()}${name.slice(1)}`, t(`masks_${name}`),
      choices.map((value) =>
        [value, t(`masks_${name}_${value}`), t(`masks_${name}_${value}_hint`)]),
    (value) => want({ breaks: { ...wish.breaks, [name]: value } }))]);
  const restore = makeButton({ class: "masks-link", text: t("masks_restore"),
    title: t("masks_restore_hint"), data: { act: "masks-restore" } },
  () => want({ breaks: MASKS_INTACT }));
  const breaking = make("section", { class: "masks-breaks", "aria-label": t("masks_breaks") }, [
    make("header", { class: "masks-head" }, [make("h3", { text: t("masks_breaks") }), restore]),
    ...switches.map(([name, one]) => make("div", { class: "masks-break" }, [
      makeTermed(t, `masks_${name}`).element, one.element])),
  ]);
  const check = makeMasksCheck(t, { showHead: (layer, head) => lockHead({ layer, head }) });
  const passes = makeMasksPasses(t, { stepTo: (next) => { step = next; redraw(); } });
  const maps = Array.from({ length: 6 }, () => makeMaskMap(t, {
    pointed: () => pointed,
    point(place) {
      if (place?.query === pointed?.query && place?.key === pointed?.key) return;
      pointed = place;
      redraw();
    },
    scrolled(box) {
      for (const { box: other } of maps) {
        if (other.scrollLeft !== box.scrollLeft) other.scrollLeft = box.scrollLeft;
        if (other.scrollTop !== box.scrollTop) other.scrollTop = box.scrollTop;
      }
    },
  }));
  const axesLine = make("p", { class: "masks-axes" });
  const reading = make("p", { class: "reading", "aria-live": "polite" });
  const grid = make("div", { class: "masks-grid" }, maps.map((map) => map.element));
  const element = make("div", { class: "masks-room" }, [
    make("header", { class: "masks-top" }, [views.element, see]),
    make("div", { class: "masks-left" }, [
      batch.element,
      make("div", { class: "masks-site" }, [tabList, make("span", { class: "masks-selects" },
        selects.map((select, i) => make("label", {}, [
          make("span", { text: t(i ? "masks_head" : "masks_layer") }), select])))]),
      breaking, check.element, passes.element,
    ]),
    make("div", { class: "masks-right" }, [
      axesLine, grid, passes.below,
      make("div", { class: "masks-foot" }, [reading])]),
  ]);

  function lockHead(changes) {
    const site = answer?.site ?? wish.site;
    actions.set({ locks: { ...state.locks, [site]: { ...state.locks[site], ...changes } },
      preview: null });
  }

  function want(changes) {
    Object.assign(wish, changes);
    if (wish.view === "passes" && wish.site === "encoder") wish.site = "decoder";
    inquire();
    redraw();
  }

  async function inquire() {
    if (!state.run || !wish.sentences.length) return;
    const { view, site, breaks, sentences, shown } = wish;
    const recipe = { version: 1, model: state.run.recipe.model, source: sentences[0] };
    const request = { recipe, view, site, sentences, shown,
      ...(view === "masks" ? { breaks } : {}) };
    const said = JSON.stringify(request);
    if (said === asked && answer) return;
    asked = said;
    const mine = ++busy;
    clearTimeout(slowTimer);
    slowTimer = setTimeout(() => element.classList.add("waiting"), MASKS_SLOW_MS);
    setTrait(element, "aria-busy", "true");
    const next = await ask(request);
    if (mine !== busy) return;
    clearTimeout(slowTimer);
    element.classList.remove("waiting");
    setTrait(element, "aria-busy", null);
    busy = 0;
    if (next) take(next);
    else asked = "";
    redraw();
  }

  function take(next) {
    const floats = next.view === "passes" ? ["once", "stepped"] : ["scores", "weights"];
    answer = { ...next };
    for (const name of floats) answer[name] = maskFloats(next[name]);
    if (wish.shown === null) wish.shown = next.shown;
    pointed = null;
    step = next.view === "passes" ? Math.max(1, Math.ceil(next.fed.ids.length / 2)) : 1;
  }

  /** The batch follows the sentence and the model on the screen; its other sentences stay. */
  function follow(run) {
    const changed = model !== run.recipe.model;
    if (changed) {
      model = run.recipe.model;
      wish.sentences = firstBatch(run.recipe.source, state.model.examples || []);
      wish.shown = null;
    } else if (wish.sentences[0] !== run.recipe.source) {
      wish.sentences = [run.recipe.source, ...wish.sentences.slice(1)];
    }
    inquire();
  }

  function axesOf() {
    const { site, view, shown } = answer;
    const entry = view === "passes" ? answer : answer.batch[shown];
    const source = labelsOf(entry.source, false, state.spelled, t);
    const fed = labelsOf(entry.fed, true, state.spelled, t);
    return { rows: site === "encoder" ? source : fed, columns: site === "decoder" ? fed : source,
      fed, predicted: labelsOf(entry.predicted, false, state.spelled, t) };
  }

  function readingOf() {
    if (!pointed) return t("masks_reading_hint");
    const { query, key } = pointed;
    const names = { query: quoted(axes.rows[query].label), key: quoted(axes.columns[key].label) };
    const valueOf = (name) => sheets.find((sheet) => sheet.name === name).value(query, key);
    if (answer.view === "passes") {
      return t(query < step ? "masks_reading_once" : "masks_reading_later", { ...names,
        once: valueOf("once").toFixed(6), stepped: valueOf("stepped").toFixed(6),
        difference: signedNumber(valueOf("difference")) });
    }
    const combined = sheets[2];
    const values = { ...names, score: signedNumber(valueOf("scores")),
      weight: threeDigits(valueOf("weights")),
      fill: signedNumber(answer.hidden_score ?? -Infinity) };
    if (!combined.hidden(query, key)) {
      return t(combined.mark(query, key) ? "masks_reading_opened" : "masks_reading_open", values);
    }
    const why = sheets[0].hidden(query, key)
      ? answer.breaks.pads === "rows" ? "row" : "pad" : key > query ? "future" : "itself";
    return t("masks_reading_hidden", { ...values, why: t(`masks_why_${why}`) });
  }

  function updateControls(lock) {
    const isPasses = wish.view === "passes";
    views.update(wish.view);
    const seen = answer?.view === "passes" ? "masks_see_passes"
      : answer && (answer.breaks.causal !== "intact" || answer.breaks.pads !== "intact")
        ? "masks_see_broken" : `masks_see_${answer?.site ?? wish.site}`;
    if (see.dataset.says !== seen) {
      see.dataset.says = seen;
      see.replaceChildren(makeTermed(t, seen).element);
    }
    for (const tab of tabs) {
      const chosen = tab.dataset.masksSite === wish.site;
      tab.hidden = isPasses && tab.dataset.masksSite === "encoder";
      setTrait(tab, "aria-selected", chosen);
      setTrait(tab, "tabindex", chosen ? "0" : "-1");
    }
    switches.forEach(([name, one]) => one.update(wish.breaks[name]));
    restore.hidden = Object.keys(MASKS_INTACT).every((name) =>
      wish.breaks[name] === MASKS_INTACT[name]);
    breaking.hidden = isPasses;
    check.element.hidden = isPasses;
    passes.element.hidden = !isPasses;
    passes.below.hidden = !isPasses;
    if (!answer) return;
    [answer.layers, answer.heads].forEach((count, i) => {
      const select = selects[i];
      if (select.options.length !== count) {
        select.replaceChildren(...Array.from({ length: count }, (_, n) =>
          make("option", { value: n, text: String(n + 1) })));
      }
      select.value = String(i ? lock.head : lock.layer);
    });
  }

  function paint(palette, unit) {
    if (signedOf !== palette) {
      signedOf = palette;
      signed = readSigned(element, palette);
    }
    const context = maps[0].element.querySelector("canvas").getContext("2d");
    const ratio = window.devicePixelRatio || 1;
    if (hatch?.palette !== palette || hatch.ratio !== ratio) {
      hatch = { palette, ratio, pattern: makeHatch(context, palette, ratio) };
    }
    const rows = answer.view === "passes" ? 1 : 2;
    const style = getComputedStyle(grid);
    const width = Math.floor(maps[0].element.clientWidth);
    const caption = maps[0].element.firstChild.offsetHeight + 4;
    const gap = parseFloat(style.rowGap) || 0;
    const free = style.getPropertyValue("--masks-fit").trim() === "page" ? 999
      : (grid.clientHeight - (rows - 1) * gap) / rows - caption;
    const font = `${(Math.round(112 * unit) / 10).toFixed(1)}px ${palette.mono}`;
    const next = layoutMasks(axes, width, free, unit, (text) => widthOf(context, font, text));
    if (JSON.stringify(next) !== JSON.stringify(layout)) layout = next;
    const look = { palette, signed, hatch: hatch.pattern, pointed };
    const why = answer.site === "decoder" ? null : t(`masks_no_causal_${answer.site}`);
    maps.forEach((map, i) => {
      map.element.hidden = i >= sheets.length;
      if (i < sheets.length) {
        map.update(sheets[i], axes, layout, look, sheets[i].name === "causal" ? why : null);
      }
    });
  }

  return {
    element,
    update({ palette, unit, fresh }) {
      if (fresh) follow(state.run);
      const site = answer?.site ?? wish.site;
      const lock = answer ? { layer: Math.min(state.locks[site].layer, answer.layers - 1),
        head: Math.min(state.locks[site].head, answer.heads - 1) } : state.locks[site];
      updateControls(lock);
      if (!answer) return;
      const parts = [answer, state.spelled, lock.layer, lock.head, step, t.language];
      if (parts.some((part, i) => part !== drawnOf[i])) {
        if (answer !== drawnOf[0] || state.spelled !== drawnOf[1]) axes = axesOf();
        sheets = sheetsOf(answer, axes, lock, step, state.model.attention === "hard", t);
        drawnOf = parts;
      }
      batch.update(wish.sentences, answer, state.spelled);
      const isPasses = answer.view === "passes";
      element.classList.toggle("passes", isPasses);
      setText(axesLine, t("masks_axes", { site: t(`site_${site}_long`), layer: lock.layer + 1,
        head: lock.head + 1, rows: t(`masks_rows_${site === "encoder" ? "source" : "fed"}`),
        columns: t(`masks_columns_${site === "decoder" ? "fed" : "source"}`) }));
      if (isPasses) passes.update(answer, axes.fed, axes.predicted, step);
      else check.update(answer, axes, lock, state.spelled);
      paint(palette, unit);
      setText(reading, readingOf());
    },
    drawn() {
      if (!answer) return { busy: true };
      const { view, site, shown, breaks, batch: rows } = answer;
      return {
        busy: busy !== 0, view, site, shown, breaks, step, pointed,
        lock: { ...state.locks[site] },
        sentences: rows.map(({ text }) => text),
        batch: [...element.querySelectorAll(".masks-strip")].map((strip) =>
          [...strip.querySelectorAll(".masks-token")].map((token) => token.textContent)),
        maps: maps.map((map) => map.drawn()).filter((map) => map !== null),
        see: see.textContent,
        axes: axesLine.textContent,
        reading: reading.textContent,
        check: view === "masks" ? check.drawn() : null,
        passes: view === "passes" ? passes.drawn() : null,
      };
    },
    keep: () => ({ ...wish, model }),
    destroy: () => clearTimeout(slowTimer),
  };
}

ROOMS.push({ name: "masks", make: makeMasksRoom });
