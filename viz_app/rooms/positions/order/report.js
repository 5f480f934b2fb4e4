// What another order changed: attention, predictions and translations, as tables.

import { labelOf, PENDING_MARK } from "../../../stage/draw/labels.js";
import { powers, shortNumber, shortProbability } from "../../../stage/draw/numbers.js";
import { fillSelect, make, setText } from "../../../stage/page/elements.js";
import { markAsking } from "../../../stage/page/rooms.js";
import { SITES } from "../../../stage/anatomy.js";

/** @typedef {"on" | "off"} Mode with positions, or without */
const MODES = /** @type {Mode[]} */ (["on", "off"]);

const rough = (/** @type {number} */ number) => (number >= 0.0005 ? shortNumber(number) : powers(number, 0));
const th = (/** @type {string} */ scope, /** @type {string} */ text) => make("th", { scope, text });

/**
 * What an encoder alone predicts stands at its tokens; other models predict the next one.
 * @param {Words} t
 * @param {PositionOrder} held
 * @param {string} name
 */
const said = (t, held, name) => t(`positions_${name}${held.predicting === "source" ? "_at" : ""}`);

/**
 * What changed: one row per site, one column per layer, with positions and without.
 * @param {Words} t
 * @param {HTMLTableElement} table
 * @param {PositionOrder} held
 */
function fillChanges(t, table, held) {
  const layers = Math.max(...held.on.changes.map(({ layer }) => layer)) + 1;
  /** @param {{largest: number, verdict: string} | undefined} change */
  const cell = (change) => make("td", !change ? {} : {
    class: change.verdict === "proven" ? "sure" : "",
    title: change.verdict === "proven" ? t("positions_sure") : null,
    text: change.verdict === "proven" ? t("positions_same", { value: rough(change.largest) })
      : rough(change.largest) });
  const line = (/** @type {Site} */ site) => make("tr", {}, [th("row", t(`site_${site}`)),
    ...MODES.flatMap((mode) => Array.from({ length: layers }, (_, layer) =>
      cell(held[mode].changes.find((one) => one.site === site && one.layer === layer))))]);
  const moved = (/** @type {Mode} */ mode) => Object.assign(cell({ largest: held[mode].predictions[held.at],
    verdict: held[mode].predictions_verdict }), { colSpan: layers });
  const group = (/** @type {Mode} */ mode) => Object.assign(th("colgroup", t(`positions_${mode}`)),
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
      [th("row", said(t, held, "prediction")), moved("on"), moved("off")])])]));
}

/**
 * The table stands before the translations arrive, as high as it will be.
 * @param {Words} t
 * @param {HTMLTableElement} table
 * @param {?PositionOutcome["translations"]} translations
 * @param {boolean} alone
 */
function fillTranslations(t, table, translations, alone) {
  const line = (/** @type {string} */ name, /** @type {number} */ i) => make("tr", {}, [th("row", name),
    ...MODES.map((mode) => make("td", {}, [make("div", { dir: "auto",
      text: translations?.[mode][i] ?? PENDING_MARK, title: translations?.[mode][i] })]))]);
  table.replaceChildren(
    make("thead", {}, [make("tr", {}, [th("row", t(alone ? "positions_follows" : "positions_translations")),
      th("col", t("positions_on")), th("col", t("positions_off"))])]),
    make("tbody", {}, [line(t("positions_map_before"), 0), line(t("positions_after_change"), 1)]));
}

/**
 * What changed, as a table; the predictions and the translations under it.
 * @param {Words} t
 * @param {{mode: Mode, at: ?number}} look see order.js
 * @param {Redraw} redraw
 */
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
  /** @type {{held: ?PositionOrder, outcome: ?PositionOutcome, named: string, mode: ?Mode}} */
  const built = { held: null, outcome: null, named: "", mode: null };

  /** @param {PositionOrder} held @param {Label[]} target */
  function fillGuesses(held, target) {
    next.hidden = held.at === null;
    if (next.hidden) return;
    setText(nextTitle, said(t, held, "next"));
    fillSelect(steps, target.map(({ label }, i) => [i, `${i} · ${label}`]), held.at);
    const side = (/** @type {string} */ title, /** @type {Likely[]} */ list) => make("div", {}, [make("h4", { text: title }),
      ...list.map((item) => make("p", { class: "positions-guess" }, [
        make("span", { class: "positions-guess-text", dir: "auto",
          text: labelOf(item, false, false, t) }),
        make("span", { class: "number", text: shortProbability(item.probability) })]))]);
    guesses.replaceChildren(
      side(t("positions_map_before"), held[look.mode].candidates_before),
      side(t("positions_after_change"), held[look.mode].candidates_after));
  }

  return {
    later,
    /** The translations that stand here are of another order, and no others came. */
    forget() {
      if (!built.outcome) return;
      built.outcome = null;
      later.replaceChildren();
    },
    element: make("div", { class: "positions-report" }, [table, next,
    make("p", { class: "positions-quiet", text: t("positions_sure_mark") })]),
    /** @param {PositionOrder} held @param {?PositionOutcome} outcome @param {Label[]} target */
    update(held, outcome, target) {
      if (built.held !== held) fillChanges(t, table, held);
      const named = target.map(({ label }) => label).join("\n");
      if (built.held !== held || built.mode !== look.mode || built.named !== named) {
        fillGuesses(held, target);
      }
      later.hidden = held.predicting === "source"; // an encoder alone writes nothing
      if (later.hidden) outcome = null;
      const alone = !held.is_two_sided;
      if (!later.rows.length) fillTranslations(t, later, null, alone);
      if (outcome && built.outcome !== outcome) fillTranslations(t, later, outcome.translations, alone);
      later.classList.toggle("waiting", !outcome && built.outcome !== null);
      Object.assign(built, { held, mode: look.mode, named,
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
