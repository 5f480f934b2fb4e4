// The room Masks: a padded batch, the masks over it, and what leaks when one is broken; and one
// target read in one pass beside many steps.

import { layoutMaps } from "../../stage/draw/beside.js";
import { measureLabel } from "../../stage/draw/labels.js";
import { layoutGrid } from "../../stage/draw/layout.js";
import { make, makeButton, makeSwitch, setText, setTrait } from "../../stage/page/elements.js";
import { makeLookButton } from "../../stage/page/look.js";
import { SLOW_MS } from "../../stage/page/opening.js";
import { makeHeadPicker } from "../../stage/page/pick.js";
import { isTold, markAsking } from "../../stage/page/rooms.js";
import { runShows } from "../../stage/run/cells.js";
import { singlesFromBase64 } from "../../stage/run/decode.js";
import { columnsOf, hasTarget, isStepped, SITES } from "../../stage/anatomy.js";
import { placeOf, saidOnly } from "../../stage/keep/tables.js";
import { mostPads } from "../../stage/run/decoding.js";
import { makeMasksBatch } from "./batch.js";
import { makeMasksBreaks, MASKS_INTACT, wishAfter } from "./breaks.js";
import { makeMasksCheck } from "./check.js";
import { factsOf, makeBanner } from "./leaks.js";
import { makeMaskMap, maskFrame, MASKS_MOST_RUN } from "./maps/grid.js";
import { maskAxesOf, maskCellInside, readingOf, sheetsOf } from "./maps/sheets.js";
import { makeSwipe } from "./maps/swipe.js";
import { makeMasksPasses } from "./passes.js";
import { siteFor, sitesFor, viewFor } from "./sites.js";

function makeMasksRoom(t, session, ask, redraw, before = null) {
  const { state, actions } = session;
  const { view = "masks", site: keptSite = "decoder", sentences: batchOf = null, shown: keptShown,
    causal, pads, fill, cell = null, step: keptStep = null, unfolded: isUnfolded = false }
    = before ?? {};
  // A batch and a sentence of it that are null are the answer's to choose.
  const wish = { view, site: siteFor(session.state.model, view, keptSite),
    breaks: { ...MASKS_INTACT, ...saidOnly({ causal, pads, fill }) },
    sentences: batchOf, shown: keptShown ?? null };
  let [answer, asked, model] = [null, "", before && state.run?.recipe.model];
  let given = before && // taken over with the first answer
    { cell: cell && { query: cell[0], key: cell[1] }, step: keptStep, unfolded: isUnfolded };
  let [pointed, step, slowTimer] = [null, 1, 0];
  let [questions, busy] = [0, false]; // how many were asked; whether the last is under way
  let missing = false; // whether the last was not answered
  let [chosen, unfolded] = [null, false]; // the cell that is kept; whether all pads are drawn
  let [axes, sheets, drawnOf] = [null, [], []];
  let [common, fitted, fittedOf] = [null, null, ""]; // of all maps; see beside.js

  const views = makeSwitch("masks", t("masks_views"), ["masks", "passes"].map((view) =>
    [view, t(`masks_view_${view}`), t(`masks_view_${view}_hint`)]), (view) => want({ view }));
  const banner = makeBanner(t, { showHead: (layer, head) => lockHead({ layer, head }) });
  const batch = makeMasksBatch(t, session, {
    show: (shown) => want({ shown }),
    change: (sentences, shown) => want({ sentences, shown }),
    redraw,
  });
  const picker = makeHeadPicker(t, "masksSite", SITES, { site: (site) => want({ site }),
    head: (changes) => lockHead(changes) });
  const breaking = makeMasksBreaks(t, (breaks) =>
    want({ breaks: breaks === null ? MASKS_INTACT : { ...wish.breaks, ...breaks } }));
  const check = makeMasksCheck(t);
  const passes = makeMasksPasses(t, { stepTo: (next) => { step = next; redraw(); } });
  const maps = Array.from({ length: 6 }, () => makeMaskMap(t, {
    redraw,
    keep: keepCell,
    unfold: () => fold(false),
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
      redraw();
    },
  }));
  markAsking(views.element, batch.element, picker.sites, breaking.element);
  const axesText = make("span");
  const folding = makeButton({ class: "masks-link", data: { act: "masks-fold" } },
    () => fold(unfolded));
  const axesLine = make("p", { class: "masks-axes" }, [axesText, folding]);
  const look = makeLookButton(t, () => {
    const lock = state.locks[answer.site];
    const inside = insideOf();
    if (!inside.why) actions.lookInside({ site: answer.site, ...lock, ...inside });
  });
  const reading = make("p", { class: "reading", "aria-live": "polite" });
  const signs = maps.slice(1).map(() => make("span", { class: "masks-sign" }));
  const grid = make("div", { class: "masks-grid", role: "group", "aria-label": t("masks_maps") },
    maps.flatMap((map, i) => (i % 3 ? [signs[i - 1], map.element] : [map.element])));
  const swipe = makeSwipe(t, grid);
  const element = make("div", { class: "masks-room" }, [
    banner.element, views.element, picker.element, breaking.element, passes.element,
    make("div", { class: "masks-right" }, [
      grid, swipe.element, passes.below,
      make("div", { class: "masks-foot" }, [
        make("div", { class: "masks-says" }, [reading, axesLine]), look.element])]),
    batch.element, check.element,
  ]);

  function lockHead(changes) {
    const site = answer?.site ?? wish.site;
    const { layer, head } = { ...state.locks[site], ...changes };
    actions.lock(layer, head, site);
  }

  function fold(folded) {
    unfolded = !folded;
    redraw();
  }

  const insideOf = () => maskCellInside(answer, axes, chosen,
    answer.batch.map(({ recipe }) => recipe), mostPads(state), t);

  /** Keeps a cell, here and for the room Inside a head where that is of the run on the screen. */
  function keepCell(cell) {
    chosen = cell;
    const { site, shown } = answer;
    const { why, recipe } = insideOf();
    if (shown === 0 && !why && runShows(state.run, recipe, site, cell)) {
      actions.keepCell(cell.query, cell.key, site);
    }
    redraw();
  }

  function want(changes) {
    Object.assign(wish, changes);
    wish.site = siteFor(state.model, wish.view, wish.site);
    inquire();
    redraw();
  }

  function requestNow({ view: wished, breaks, sentences, shown, site: wanted } = wish) {
    const view = viewFor(state.model, wished);
    const site = siteFor(state.model, view, wanted);
    // Of a large batch the numbers of one head come at a time.
    const isLarge = answer?.one || state.run.summed;
    return { recipe: state.run.recipe, view, site, sentences, shown,
      ...(view === "masks" ? breaks : {}), ...(isLarge ? state.locks[site] : {}) };
  }

  async function inquire() {
    if (!state.run) return;
    const request = requestNow();
    const said = JSON.stringify(request);
    if (said === asked && answer && !missing) return;
    asked = said;
    missing = false;
    const mine = ++questions;
    busy = true;
    clearTimeout(slowTimer);
    slowTimer = setTimeout(() => element.classList.add("waiting"), SLOW_MS);
    setTrait(element, "aria-busy", "true");
    const next = await ask(request);
    if (mine !== questions) return;
    clearTimeout(slowTimer);
    element.classList.remove("waiting");
    setTrait(element, "aria-busy", null);
    busy = false;
    if (next) take(next);
    else missing = true;
    redraw.now();
  }

  function take(next) {
    const same = answer && next.site === answer.site && next.view === answer.view
      && JSON.stringify(next.batch[next.shown]) === JSON.stringify(answer.batch[answer.shown]);
    if (!same) [chosen, unfolded] = [null, false];
    const floats = next.view === "passes" ? ["once", "stepped"] : ["scores", "weights"];
    const batch = answer && JSON.stringify(next.batch) === JSON.stringify(answer.batch)
      ? answer.batch : next.batch; // the same one stays, and so does its list
    answer = { ...next, batch };
    if (answer.one) asked = JSON.stringify({ ...requestNow(), ...answer.one });
    for (const name of floats) answer[name] = singlesFromBase64(next[name]);
    pointed = null;
    step = firstStep();
    if (given) goBackTo(given);
    given = null;
  }

  const firstStep = () => (answer.view === "passes"
    ? Math.max(1, Math.ceil(answer.fed.ids.length / 2)) : 1);

  /** What a link or the page before had chosen, as far as the answer has it. */
  function goBackTo(before) {
    const { view } = answer;
    const { source, fed } = view === "passes" ? answer : answer.batch[answer.shown];
    const [S, T] = [source.ids.length, fed.ids.length];
    const { cell } = before;
    const has = cell && cell.query < (answer.rows === "source" ? S : T)
      && cell.key < (answer.columns === "target" ? T : S);
    chosen = has ? cell : null;
    unfolded = before.unfolded;
    if (view === "passes" && before.step !== null) step = Math.min(before.step + 1, T);
  }

  /** The places in the maps; the step only where it is not the one that a reader finds. */
  function placesNow() {
    if (given) return given;
    if (!answer || missing || asked !== JSON.stringify(requestNow())) return {};
    return { cell: chosen, unfolded,
      step: wish.view === "masks" || step === firstStep() ? null : step - 1 };
  }

  /** What is chosen here, see view.py; sentences that were chosen for another model are not. */
  function viewNow() {
    const { view: drawing, breaks, sentences, shown } = wish;
    const { cell: place, step: at, unfolded: all } = placesNow();
    const ours = state.run && model === state.run.recipe.model ? { sentences, shown } : {};
    return { ...placeOf(state, siteFor(state.model, drawing, wish.site)), view: drawing, ...breaks, ...ours,
      cell: place && [place.query, place.key], step: at, unfolded: all || null };
  }

  const sentencesNow = () => wish.sentences ?? answer?.batch.map(({ text }) => text) ?? [];

  /** The batch follows the sentence and the model on the screen; its other sentences stay. */
  function follow(run) {
    const changed = model !== run.recipe.model;
    if (changed) {
      model = run.recipe.model;
      Object.assign(wish, { sentences: null, shown: null });
    } else if (sentencesNow().length && sentencesNow()[0] !== run.recipe.source) {
      // One that was in the batch changes places with the first.
      const [first, ...others] = sentencesNow();
      wish.shown ??= answer.shown;
      wish.sentences = [run.recipe.source, ...others.map((text) =>
        (text === run.recipe.source ? first : text))];
      if (others.includes(run.recipe.source)) wish.shown = 0;
    }
    inquire();
  }

  const isBroken = () => answer.view === "masks"
    && (answer.breaks.causal !== "intact" || answer.breaks.pads !== "intact");

  function updateControls(lock) {
    wish.view = viewFor(state.model, wish.view);
    const isPasses = wish.view === "passes";
    views.update(wish.view);
    views.element.hidden = sitesFor(state.model, "passes").length === 0;
    breaking.update(state.model, wish.breaks);
    breaking.element.hidden = isPasses;
    check.element.hidden = isPasses || answer?.changes?.length === 0;
    passes.element.hidden = !isPasses;
    passes.below.hidden = !isPasses;
    picker.update(wish.site, answer ?? { layers: 1, heads: 1 }, lock,
      sitesFor(state.model, isPasses ? "passes" : "masks"));
  }

  /** Offered where a run of pads is long enough to be counted instead of drawn. */
  function updateFolding() {
    const long = [axes.rows, axes.columns].some((labels) =>
      labels.filter(({ kind }) => kind === "pad").length > MASKS_MOST_RUN);
    folding.hidden = !long;
    setText(folding, t(unfolded ? "masks_fold" : "masks_unfold"));
  }

  /** Where the maps go: a screen each, or in lines of three, as high as there is room. */
  function fitMaps(palette, unit) {
    const style = getComputedStyle(grid);
    const fit = style.getPropertyValue("--masks-fit").trim();
    const lines = answer.view === "passes" ? 1 : 2;
    const bare = measureLabel(maps[0].canvas, palette);
    const measure = (label, type) => bare(label, type) + (label.kind === "text" ? 0 : 4); // its frame
    if (fit === "swipe") {
      const one = layoutGrid(common, { width: grid.clientWidth, height: 999 }, unit, measure);
      return { layouts: Array(6).fill(one), tracks: [] };
    }
    const caption = maps[0].element.querySelector("figcaption").offsetHeight;
    const height = fit === "half" ? Math.max(0.5 * window.innerHeight, 20 * unit) * lines
      : fit === "page" ? 999 * lines
        : grid.clientHeight - (lines - 1) * parseFloat(style.rowGap) - lines * caption;
    const gap = parseFloat(style.getPropertyValue("--masks-gap")) * parseFloat(style.fontSize);
    return layoutMaps(common, { width: grid.clientWidth, height, lines, gap }, unit, measure);
  }

  function paint(palette, unit) {
    const next = fitMaps(palette, unit);
    const said = JSON.stringify(next);
    if (said !== fittedOf) [fitted, fittedOf] = [next, said];
    const { layouts, tracks } = fitted;
    ["first", "next"].forEach((name, i) =>
      grid.style.setProperty(`--masks-${name}`, `${tracks[i] ?? 0}px`));
    const how = { palette, unit, pointed, kept: chosen };
    const why = answer.causal ? null : t(`masks_no_causal_${answer.site}`);
    const whyOf = (sheet) => (sheet.name === "causal" ? why : null);
    maps.forEach((map, i) => {
      map.element.hidden = i >= sheets.length;
      if (i < sheets.length) map.reserve(layouts[i], whyOf(sheets[i]));
    });
    signs.forEach((sign, i) => {
      sign.hidden = i + 1 >= sheets.length;
      if (sign.hidden || (i + 1) % 3 === 0) return;
      const text = t(sheets[i + 1].sign);
      setText(sign, text.replaceAll(" ", "\n"));
      sign.classList.toggle("none", whyOf(sheets[i + 1]) !== null);
      sign.style.paddingTop = `${layouts[i].top}px`;
      setTrait(maps[i + 1].element.querySelector(".masks-title"), "data-sign",
        whyOf(sheets[i + 1]) === null ? text : null);
    });
    sheets.forEach((sheet, i) =>
      maps[i].update(sheet, axes, common, layouts[i], how, whyOf(sheet)));
    swipe.update(sheets.map(({ title }) => title));
  }

  return {
    element,
    update({ palette, unit, fresh }) {
      if (fresh) follow(state.run);
      else if (answer?.one && !busy && asked !== JSON.stringify(requestNow())) inquire();
      else if (missing && !isTold(state, "masks")) inquire();
      const site = answer?.site ?? requestNow().site;
      const wanted = answer ? { layer: Math.min(state.locks[site].layer, answer.layers - 1),
        head: Math.min(state.locks[site].head, answer.heads - 1) } : state.locks[site];
      updateControls(wanted);
      if (!answer) return;
      const lock = answer.one ?? wanted; // what is drawn keeps its name until the next head is here
      const parts = [answer, state.spelled, unfolded, lock.layer, lock.head, step];
      if (parts.some((part, i) => part !== drawnOf[i])) {
        if (parts.slice(0, 3).some((part, i) => part !== drawnOf[i])) {
          axes = maskAxesOf(answer, state.spelled, unfolded, t);
          common = maskFrame(axes);
        }
        sheets = sheetsOf(answer, axes, lock, step, state.model.attention === "hard", t);
        drawnOf = parts;
      }
      batch.update(sentencesNow(), answer, state.spelled);
      const isPasses = answer.view === "passes";
      element.classList.toggle("passes", isPasses);
      setText(axesText, t("masks_axes", { site: t(`site_${site}_long`), layer: lock.layer + 1,
        head: lock.head + 1, rows: t(`masks_rows_${isStepped(state.model, site) ? "fed" : "source"}`),
        columns: t(`masks_columns_${columnsOf(state.model, site) === "source" ? "source" : "fed"}`) }));
      if (isPasses) passes.update(answer, axes.fed, axes.predicted, step);
      else check.update(answer, state.spelled);
      banner.update(isPasses ? [] : factsOf(answer, axes, lock, t),
        isPasses ? "masks_see_passes" : `masks_see_${site}`);
      updateFolding();
      paint(palette, unit);
      const { why = null } = insideOf();
      const cell = pointed ?? chosen;
      const said = cell ? readingOf(answer, axes, sheets, cell, step, t)
        : t(isBroken() ? "masks_reading_broken" : "masks_reading_hint");
      setText(reading, why && !pointed ? `${said} · ${why}` : said);
      const changed = Object.keys(MASKS_INTACT).some((name) =>
        answer.view === "masks" && answer.breaks[name] !== MASKS_INTACT[name]);
      look.update(state, why, t(changed ? "masks_look_broken_hint" : "look_inside_hint"));
    },
    drawn() {
      if (!answer) return { busy: true };
      const { view, site, shown, breaks, batch: rows } = answer;
      return {
        busy, view, site, shown, breaks, step, pointed, chosen, unfolded,
        look: look.element.title,
        lock: { ...state.locks[site] },
        sentences: rows.map(({ text }) => text),
        batch: [...element.querySelectorAll(".masks-strip")].map((strip) =>
          [...strip.querySelectorAll(".masks-token")].map((token) => token.textContent)),
        signs: signs.filter((sign) => sign.checkVisibility()).map((sign) => sign.textContent),
        swiped: swipe.element.checkVisibility() ? swipe.at() : null,
        maps: maps.map((map) => map.drawn()).filter((map) => map !== null),
        see: banner.see(),
        axes: axesText.textContent,
        reading: reading.textContent,
        check: view === "masks" ? { findings: banner.drawn(), table: check.drawn() } : null,
        passes: view === "passes" ? passes.drawn() : null,
      };
    },
    here() {
      if (!answer) return {};
      const { source, fed } = answer.view === "passes" ? answer : answer.batch[answer.shown];
      return { site: answer.site, source, fed };
    },
    keep: viewNow,
    asks: (button) => (wishAfter(button, wish) ? requestNow(wishAfter(button, wish)) : null),
    destroy() {
      clearTimeout(slowTimer);
      maps.forEach((map) => map.destroy());
    },
  };
}

/** What can be kept of the room, the picture on the screen first. */
function masksPictures(state, view) {
  const predicts = hasTarget(state.model) || state.model.anatomy.mask !== null;
  const masks = ["scores", "masks", ...(predicts ? ["broken"] : [])]
    .map((picture) => ({ picture, view }));
  const passes = !isStepped(state.run, view.site) ? [] : [{ picture: "passes", view }];
  return view.view === "passes" ? [...passes, ...masks] : [...masks, ...passes];
}

export const room = { name: "masks", make: makeMasksRoom, keep: { pictures: masksPictures } };
