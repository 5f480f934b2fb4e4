// Smaller parts of the room Positions: questions to the server, the choice of a head, the words in
// their order, and what changed.

import { labelOf, PENDING_MARK, quoted } from "../../stage/draw/labels.js";
import { powers, shortNumber, shortProbability } from "../../stage/draw/numbers.js";
import { make, makeButton, setText } from "../../stage/page/elements.js";
import { SLOW_MS } from "../../stage/page/opening.js";
import { makeHeadPicker } from "../../stage/page/pick.js";
import { isTold, markAsking } from "../../stage/page/rooms.js";
import { SITES, sitesOf } from "../../stage/anatomy.js";

export const POSITION_BAR = 54; // CSS pixels for the printed scale at the normal type size

/**
 * Whether a dimension is the sine of its pair; a rotary table holds the cosine first.
 * @param {PositionTable} held
 * @param {number} column
 */
export const isSine = (held, column) => {
  const [first] = dimensionsOf(held, pairOf(held, column));
  return (column === first) === (held.kind === "sinusoidal");
};

/**
 * The pair of a dimension: of neighbours, or of dimensions half a table apart.
 * @param {PositionTable} held
 * @param {number} column
 */
export const pairOf = ({ halves, shape }, column) => (halves ? column % (shape[1] / 2) : column >> 1);

/**
 * The two dimensions of a pair.
 * @param {PositionTable} held
 * @param {number} pair
 */
export const dimensionsOf = ({ halves, shape }, pair) => (halves ? [pair, pair + shape[1] / 2]
  : [2 * pair, 2 * pair + 1]);

/**
 * What a row of the table is called: its position, or its distance.
 * @param {PositionTable} held
 * @param {number} row
 */
export const nameOfRow = ({ offsets }, row) =>
  String(offsets[row] ?? row).replace("-", "−");

/**
 * Answers by key: the last one asked for stays until the next arrives, and a slow one is dimmed.
 * @param {{state: Object}} session
 * @param {function(Object): Promise<?Object>} ask
 * @param {Object} redraw
 * @param {number} after milliseconds without a further change before the server is asked
 */
export function makePositionAnswers(session, ask, redraw, after = 0) {
  const { state } = session;
  let asked = null;
  let answer = null;
  let pending = false;
  let missing = false; // whether the last question was not answered
  let questions = 0;
  let slow = 0;
  let later = 0;

  async function send(key, request, element) {
    clearTimeout(slow);
    slow = setTimeout(() => element.classList.add("waiting"), SLOW_MS);
    const mine = ++questions;
    const arrived = await ask(request);
    if (mine !== questions || key !== asked) return;
    clearTimeout(slow);
    element.classList.remove("waiting");
    pending = false;
    if (arrived) answer = arrived;
    else missing = true; // also where a question of another part overtook this one
    redraw.now();
  }
  return {
    of(key, request, element) {
      if (key !== asked || (missing && !isTold(state, "positions"))) {
        asked = key;
        pending = true;
        missing = false;
        clearTimeout(later);
        if (after) later = setTimeout(() => send(key, request, element), after);
        else send(key, request, element);
      }
      return pending && after ? null : answer;
    },
    busy: () => pending,
  };
}

/**
 * Which attention, layer and head: the one that is locked in every room. `isOffered(model, site)`
 * says which attentions there are to choose from; of the model on the screen one is always chosen.
 */
export function makePositionHead(t, { state, actions }, name, look, isOffered, redraw) {
  const offered = () => sitesOf(state.model).filter((site) => isOffered(state.model, site));
  const picker = makeHeadPicker(t, name, SITES, {
    site(site) {
      look.site = site;
      redraw.now();
    },
    head(changes) {
      const { layer, head } = { ...state.locks[look.site], ...changes };
      actions.lock(layer, head, look.site);
      redraw.now();
    },
  });
  return {
    element: picker.element,
    /** The attention that is chosen: the wanted one where the model has it, else its first. */
    site() {
      if (!offered().includes(look.site)) [look.site] = offered();
      return look.site;
    },
    update() {
      const { run } = state;
      const site = this.site();
      picker.update(site, { layers: run.layers[site], heads: run.heads[site] }, state.locks[site],
        offered());
    },
  };
}

/** The words in their order with their positions: press two to swap them. */
export function makeOrderStrip(t, look, redraw) {
  const list = make("div", { class: "positions-words", role: "group",
    "aria-label": t("positions_words") });
  const which = make("span", { class: "positions-quiet" });
  const step = (by) => makeButton({ class: "tool", text: by > 0 ? "+" : "−",
    "aria-label": t(by > 0 ? "positions_later" : "positions_earlier") }, () => {
    if (look.chosen === null) return;
    const word = look.order[look.chosen];
    look.shift = { ...look.shift, [word]: (look.shift[word] ?? 0) + by };
    look.at = null;
    redraw();
  });
  const fewer = step(-1);
  const more = step(1);
  const stepper = make("div", { class: "positions-stepper" }, [which, fewer, more]);
  let built = "";
  let shown = [];

  function press(place) {
    if (!look.held) return; // a new sentence is on its way
    if (look.chosen === null || look.chosen === place) {
      look.chosen = look.chosen === place ? null : place;
    } else {
      const order = look.order.slice();
      [order[place], order[look.chosen]] = [order[look.chosen], order[place]];
      Object.assign(look, { order, chosen: null, at: null });
    }
    redraw.now();
  }

  return {
    element: make("div", { class: "positions-strip" }, [list, stepper]),
    update(labels, positions) {
      let place = 0;
      const { pieces } = look.held.source;
      shown = look.order.map((word, index) => {
        const tokens = look.words[word];
        const shift = look.shift[word] ?? 0;
        const row = (at) => Math.max(0, Math.min(positions - 1, at + shift));
        const first = row(place);
        const last = row(place + tokens.length - 1);
        place += tokens.length;
        return { word, index, text: tokens.map((token, i) => (i && /^[▁Ġ]/.test(pieces[token]) ? " " : "")
            + labels[token].label).join(""),
          kind: labels[tokens[0]].kind, moved: word !== index, shifted: shift !== 0,
          row: first === last ? String(first) : `${first}–${last}` };
      });
      const key = JSON.stringify([shown, look.chosen]);
      if (key === built) return;
      built = key;
      const focused = [...list.children].indexOf(document.activeElement);
      list.replaceChildren(...shown.map((item) => makeButton({
        class: `positions-word${item.moved ? " moved" : ""}${item.shifted ? " shifted" : ""}`,
        "aria-pressed": String(item.index === look.chosen), data: { place: item.index,
          kind: item.kind },
        "aria-label": t("positions_word", { word: item.text, row: item.row }),
      }, () => press(item.index), [
        make("span", { class: "positions-word-text", text: item.text, title: item.text,
          dir: "auto" }),
        make("small", { text: item.row })])));
      const again = list.children[Math.min(focused, list.children.length - 1)];
      if (focused >= 0 && again instanceof HTMLElement) again.focus();
      const chosen = look.chosen === null ? null : shown[look.chosen];
      setText(which, chosen ? t("positions_of_word", { word: quoted(chosen.text), row: chosen.row })
        : t("positions_press_two"));
      fewer.hidden = !chosen;
      more.hidden = !chosen;
    },
    drawn: () => shown.map(({ text, row }) => ({ text, row })),
  };
}

/** What changed, as a table; the predictions and the translations under it. */
export function makeOrderReport(t, look, redraw) {
  const table = make("table", { class: "positions-changes" });
  const steps = make("select", { class: "positions-select", "aria-label": t("positions_after"),
    data: { pick: "at" }, on: { change: () => {
      look.at = Number(steps.value);
      redraw();
    } } });
  markAsking(steps);
  const guesses = make("div", { class: "positions-guesses" });
  const later = make("table", { class: "positions-changes positions-translations" });
  const nextTitle = make("h3");
  const next = make("section", {}, [
    make("header", { class: "positions-bar" }, [nextTitle, steps]), guesses]);
  const built = { held: null, outcome: null, target: null, mode: null };
  const rough = (number) => (number >= 0.0005 ? shortNumber(number) : powers(number, 0));
  const th = (scope, text) => make("th", { scope, text });

  /** One row per site, one column per layer, with positions and without. */
  function fillChanges(held) {
    const layers = Math.max(...held.on.changes.map(({ layer }) => layer)) + 1;
    const cell = (change) => make("td", !change ? {} : {
      class: change.cannot_differ ? "sure" : "",
      title: change.cannot_differ ? t("positions_sure") : null,
      text: change.cannot_differ ? t("positions_same", { value: rough(change.largest) })
        : rough(change.largest) });
    const line = (site) => make("tr", {}, [th("row", t(`site_${site}`)),
      ...["on", "off"].flatMap((mode) => Array.from({ length: layers }, (_, layer) =>
        cell(held[mode].changes.find((one) => one.site === site && one.layer === layer))))]);
    const moved = (mode) => Object.assign(cell({ largest: held[mode].predictions[held.at],
      cannot_differ: held[mode].predictions_provably_same }), { colSpan: layers });
    const group = (mode) => Object.assign(th("colgroup", t(`positions_${mode}`)),
      { colSpan: layers });
    const numbers = Array.from({ length: layers }, (_, i) =>
      th("col", t("layer_short", { n: i + 1 })));
    table.replaceChildren(make("caption", { text: t("positions_changes") }),
      make("thead", {}, [
        make("tr", {}, [make("td"), group("on"), group("off")]),
        make("tr", {}, [make("td"), ...numbers, ...numbers.map((one) => one.cloneNode(true))])]),
      make("tbody", {}, [...SITES.filter((site) => held.on.changes.some((one) => one.site === site))
        .map(line),
      ...(held.at === null ? [] : [make("tr", {},
        [th("row", said(held, "prediction")), moved("on"), moved("off")])])]));
  }

  /** What an encoder alone predicts stands at its tokens; other models predict the next one. */
  const said = (held, name) => t(`positions_${name}${held.predicting === "source" ? "_at" : ""}`);

  function fillGuesses(held, target) {
    next.hidden = held.at === null;
    if (next.hidden) return;
    setText(nextTitle, said(held, "next"));
    steps.replaceChildren(...target.map(({ label }, i) => make("option", { value: i,
      text: `${i} · ${label}` })));
    steps.value = String(held.at);
    const side = (title, list) => make("div", {}, [make("h4", { text: title }),
      ...list.map((item) => make("p", { class: "positions-guess" }, [
        make("span", { class: "positions-guess-text", dir: "auto",
          text: labelOf(item, false, false, t) }),
        make("span", { class: "number", text: shortProbability(item.probability) })]))]);
    guesses.replaceChildren(
      side(t("positions_before"), held[look.mode].candidates_before),
      side(t("positions_after_change"), held[look.mode].candidates_after));
  }

  /** The table stands before the translations arrive, as high as it will be. */
  function fillTranslations(translations, alone) {
    const line = (name, i) => make("tr", {}, [th("row", name),
      ...["on", "off"].map((mode) => make("td", {}, [make("div", { dir: "auto",
        text: translations?.[mode][i] ?? PENDING_MARK, title: translations?.[mode][i] })]))]);
    later.replaceChildren(
      make("thead", {}, [make("tr", {}, [th("row", t(alone ? "positions_follows" : "positions_translations")),
        th("col", t("positions_on")), th("col", t("positions_off"))])]),
      make("tbody", {}, [line(t("positions_before"), 0), line(t("positions_after_change"), 1)]));
  }

  return {
    later,
    element: make("div", { class: "positions-report" }, [table, next,
    make("p", { class: "positions-quiet", text: t("positions_sure_mark") })]),
    update(held, outcome, target) {
      if (built.held !== held) fillChanges(held);
      if (built.held !== held || built.mode !== look.mode || built.target !== target.length) {
        fillGuesses(held, target);
      }
      later.hidden = held.predicting === "source"; // an encoder alone writes nothing
      if (later.hidden) outcome = null;
      const alone = !held.is_two_sided;
      if (!later.rows.length) fillTranslations(null, alone);
      if (outcome && built.outcome !== outcome) fillTranslations(outcome.translations, alone);
      later.classList.toggle("waiting", !outcome && built.outcome !== null);
      Object.assign(built, { held, mode: look.mode, target: target.length,
        outcome: outcome ?? built.outcome });
    },
    drawn: () => ({
      changes: { on: built.held?.on.changes, off: built.held?.off.changes },
      changes_shown: [...table.querySelectorAll("tbody td")].map((cell) => cell.textContent),
      candidates: built.held && [built.held[look.mode].candidates_before,
        built.held[look.mode].candidates_after],
      translations: built.outcome?.translations, double: built.outcome?.double_off,
      translations_shown: [...later.querySelectorAll("tbody td")].map((cell) => cell.textContent),
    }),
  };
}
