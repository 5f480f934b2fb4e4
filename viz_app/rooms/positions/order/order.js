// What order does: the words of the sentence change places, or positions, with positions in the
// model and without; which attention and which prediction change, and which cannot.

import { makeGrid } from "../../../stage/draw/grid.js";
import { labelsOf, quoted } from "../../../stage/draw/labels.js";
import { largestOf, shortNumber } from "../../../stage/draw/numbers.js";
import { placeOf } from "../../../stage/keep/tables.js";
import { make, makeButton, makeSwitch, setText } from "../../../stage/page/elements.js";
import { makeLookButton } from "../../../stage/page/look.js";
import { markAsking } from "../../../stage/page/rooms.js";
import { runShows } from "../../../stage/run/cells.js";
import { singlesFromBase64 } from "../../../stage/run/decode.js";
import { columnsOf, hasSite, rowsOf } from "../../../stage/anatomy.js";
import { makePositionAnswers, makePositionHead, POSITION_BAR } from "../parts.js";
import { makeOrderReport } from "./report.js";
import { makeOrderStrip } from "./strip.js";

/** Whether the places are those of all the tokens, each once. */
function isOrderOf(order, tokens) {
  return [...order].sort((a, b) => a - b).join() === tokens.ids.map((_, i) => i).join();
}

/**
 * An order of tokens as one of words; where it tears a word apart every token is a word.
 * @param {{tokens: number[], rows: ?number[]}} given which token stands at each place, and which
 *     position each place has
 */
function givenByTokens({ tokens, rows }, words) {
  const shifts = tokens.map((_, place) => (rows ? rows[place] - place : 0));
  const order = [];
  for (let place = 0; place < tokens.length; place += words[order.at(-1)].length) {
    const word = words.findIndex(([first]) => first === tokens[place]);
    const whole = word >= 0 && words[word].every((token, i) => tokens[place + i] === token
      && shifts[place + i] === shifts[place]);
    if (!whole) {
      return { words: tokens.map((_, i) => [i]), order: tokens,
        shift: Object.fromEntries(tokens.map((token, i) => [token, shifts[i]])) };
    }
    order.push(word);
  }
  const shift = {};
  let place = 0;
  for (const word of order) {
    shift[word] = shifts[place];
    place += words[word].length;
  }
  return { words, order, shift };
}

/** The words in places drawn at random, none of them all in their own. */
function shuffledOrder(order, movable) {
  if (movable.length < 2) return order;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const next = order.slice();
    for (let i = movable.length - 1; i > 0; i -= 1) {
      const j = Math.floor(Math.random() * (i + 1));
      [next[movable[i]], next[movable[j]]] = [next[movable[j]], next[movable[i]]];
    }
    if (next.some((word, i) => word !== order[i])) return next;
  }
  return order;
}

/** How high the maps can get at their width, with their titles: nothing is left empty under them. */
function heightOf(maps, lines, unit) {
  const wanted = maps.map((map) => map.layout()).filter(Boolean).map(({ top, pitchX }) =>
    top + lines * Math.floor(1.3 * pitchX) + 3);
  return Math.round(wanted.length ? Math.max(...wanted) + 24 * unit : (110 + 41 * lines) * unit);
}

export function makePositionOrder(t, session, ask, redraw, before = {}) {
  const { state, actions } = session;
  const answers = makePositionAnswers(session, ask, redraw);
  const outcomes = makePositionAnswers(session, ask, redraw, 180);
  const { mode: keptMode = "on", site: keptSite = "encoder" } = before;
  // `usual` is the order that is left to the answer; null: all is said. `given` is taken once.
  const look = { sentence: null, words: [], movable: [], order: [], shift: {}, usual: null, held: null,
    mode: keptMode, at: null, pointed: null, picked: null, site: keptSite, chosen: null,
    given: before };
  const picker = makePositionHead(t, session, "orderSite", look, hasSite, redraw);
  const strip = makeOrderStrip(t, look, redraw);
  const act = (name, does) => makeButton({ class: "plain", text: t(`positions_${name}`),
    title: t(`positions_${name}_hint`), data: { act: name } }, () => {
    does();
    look.at = null;
    look.chosen = null;
    redraw.now();
  });
  /** Which words may change places: those of `movable`, wherever they stand. */
  const places = () => look.order.map((word, place) => ({ word, place }))
    .filter(({ word }) => look.movable.includes(word)).map(({ place }) => place);
  const buttons = [
    act("shuffle", () => { look.order = shuffledOrder(look.order, places()); }),
    act("reverse", () => {
      const open = places();
      const taken = open.map((place) => look.order[place]).reverse();
      open.forEach((place, i) => { look.order[place] = taken[i]; });
    }),
    act("restore", () => {
      look.order = look.words.map((_, i) => i);
      look.shift = {};
    }),
  ];
  const example = makeButton({ class: "plain positions-example", data: { act: "example" },
    title: t("positions_example_hint") }, () => {
    actions.type(state.model.lessons.order);
    actions.translate();
  });
  const modes = makeSwitch("mode", t("positions_mode"), ["on", "off"].map((mode) =>
    [mode, t(`positions_${mode}`), t(`positions_${mode}_hint`)]), (mode) => {
    look.mode = mode;
    redraw();
  });
  markAsking(picker.element, strip.element, ...buttons, example);
  const parts = ["before", "after", "difference"];
  const maps = parts.map((part) => makeGrid(t, { box: "positions-grid",
    data: { grid: part }, redraw,
    keep({ row, column }) {
      Object.assign(look, { picked: { part, row, column }, pointed: null });
      const { cell, recipe } = insideOf();
      if (recipe === state.run.recipe && runShows(state.run, recipe, look.held.site, cell)) {
        actions.keepCell(cell.query, cell.key, look.held.site);
      }
      redraw();
    },
    point: (place) => pointAt(place && { ...place, part }),
  }));
  const titles = parts.map(() => make("h3"));
  const three = make("div", { class: "positions-three" }, maps.map((map, i) =>
    make("section", { class: "positions-pane" }, [titles[i], map.element])));
  const verdict = make("p", { class: "positions-verdict" });
  const reading = make("p", { class: "reading positions-reading", "aria-live": "polite" });
  const inside = makeLookButton(t, () => {
    const { site, layer, head } = look.held;
    const { why, cell, recipe } = insideOf();
    if (!why) actions.lookInside({ site, layer, head, cell, recipe });
  });
  const report = makeOrderReport(t, look, redraw);
  const element = make("div", { class: "positions-view positions-order" }, [
    make("div", { class: "positions-bar" }, [picker.element, modes.element, verdict]),
    make("div", { class: "positions-bar" }, [strip.element, make("div",
      { class: "positions-acts" }, [...buttons, example])]),
    make("div", { class: "positions-panes positions-order-panes" }, [
      make("div", { class: "positions-pane" }, [
        three, report.later,
      ]),
      report.element,
    ]),
    make("div", { class: "positions-foot" }, [reading, inside.element]),
  ]);

  /** What the picked cell is in the room Inside a head: {cell, recipe}, or {why} not. */
  function insideOf() {
    const { held, picked, mode } = look;
    if (mode === "off") return { why: t("positions_look_off") };
    if (!picked) return { cell: null, recipe: null };
    const { recipe } = state.run;
    const cell = { query: picked.row, key: picked.column };
    if (picked.part !== "after") return { cell, recipe };
    if (held.rows) return { why: t("positions_look_rows") };
    if (held.text === null) return { why: t("positions_look_text") };
    return { cell, recipe: held.text === recipe.source ? recipe : { ...recipe, source: held.text } };
  }

  function pointAt(place) {
    const was = look.pointed;
    if (was?.row === place?.row && was?.column === place?.column && was?.part === place?.part) {
      return;
    }
    look.pointed = place;
    redraw();
  }

  const keyOf = (run) => JSON.stringify([run.recipe.model, run.source.ids]);

  /** A new sentence begins with its own words; the same one keeps what the reader did to it. */
  function begin(run) {
    const key = keyOf(run);
    if (key === look.sentence) return;
    const typed = run.source.ids.map((_, i) => i);
    Object.assign(look, { sentence: key, words: [], held: null, at: null, chosen: null,
      pointed: null, picked: null, usual: typed, ...givenByTokens({ tokens: typed, rows: null }, []) });
    const { order: tokens = null, rows = null, at = null, picked = null, part } = look.given;
    look.given = {};
    if (tokens && !isOrderOf(tokens, run.source)) return;
    Object.assign(look, { at, picked: picked && { part, row: picked[0], column: picked[1] } });
    if (tokens) Object.assign(look, { usual: null, ...givenByTokens({ tokens, rows }, []) });
  }

  /** The order and the positions, for a question; null where they are left to the answer. */
  function changeNow() {
    const [tokens, rows] = [tokenOrder(), tokenRows()];
    const isLeft = rows === null && tokens.join() === look.usual?.join();
    return { order: isLeft ? null : tokens, rows };
  }

  /** Takes what an answer says of the sentence: its words, and the order where that was open. */
  function take(answer, change) {
    if (look.held === answer) return;
    const isFirst = look.held === null;
    look.held = answer;
    const isOpen = !change.order && look.usual.join() !== answer.order.join();
    if (isOpen) look.usual = answer.order;
    if (!isFirst && !isOpen) return;
    Object.assign(look, givenByTokens(isOpen ? { tokens: answer.order, rows: null }
      : { tokens: tokenOrder(), rows: tokenRows() }, answer.words));
    look.movable = look.words === answer.words ? answer.movable
      : answer.movable.flatMap((word) => answer.words[word]);
  }

  const tokenOrder = () => look.order.flatMap((word) => look.words[word]);
  function tokenRows() {
    if (!Object.values(look.shift).some((by) => by !== 0)) return null;
    const last = state.model.anatomy.max_positions - 1;
    let place = 0;
    return look.order.flatMap((word) => look.words[word].map(() => {
      const row = Math.max(0, Math.min(last, place + (look.shift[word] ?? 0)));
      place += 1;
      return row;
    }));
  }

  const requestNow = () => ({ study: "order", ...changeNow(), site: picker.site(),
    ...state.locks[look.site], at: look.at });

  let decoded = { of: null };
  function numbersOf(part, mode = look.mode) {
    if (decoded.of !== look.held) decoded = { of: look.held };
    return decoded[`${mode} ${part}`] ??= singlesFromBase64(look.held[mode][part]);
  }

  function sentence(axes) {
    const place = [look.pointed, look.picked].find((one) => one
      && one.row < axes[one.part][0].length && one.column < axes[one.part][1].length);
    if (!place) return t("positions_reading_order_hint");
    const [rows, columns] = axes[place.part];
    const at = place.row * columns.length + place.column;
    return t(`positions_reading_order_${place.part}`, {
      query: quoted(rows[place.row].label), key: quoted(columns[place.column].label),
      value: shortNumber(numbersOf(place.part)[at]),
      layer: look.held.layer + 1, head: look.held.head + 1 });
  }

  return {
    element,
    update({ palette, unit }) {
      begin(state.run);
      const { recipe } = state.run;
      const change = changeNow();
      const request = { recipe, ...requestNow() };
      const answer = answers.of(JSON.stringify(request), request, element);
      picker.update();
      modes.update(look.mode);
      const labels = labelsOf(state.run.source, false, state.spelled, t);
      if (answer && !answers.busy()) take(answer, change);
      const { held } = look;
      if (!held || held.source.ids.length !== labels.length) return;
      strip.update(labels, state.model.anatomy.max_positions);
      const moved = held.order.map((token) => labels[token]);
      const target = labelsOf(held.target, true, state.spelled, t);
      // Where there is no encoder the source is how the target begins, and moves with it.
      const fedOf = (columns) => (hasSite(state.model, "encoder") ? target
        : [...columns, ...target.slice(columns.length)]);
      const axesOf = (columns) => ["rows", "columns"].map((axis) =>
        ((axis === "rows" ? rowsOf : columnsOf)(state.model, held.site) === "source" ? columns
          : fedOf(columns)));
      const lines = rowsOf(state.model, held.site) === "source" ? labels.length : target.length;
      three.style.setProperty("--map-height", `${Math.round((84 + 26 * lines) * unit)}px`);
      const axes = { before: axesOf(labels), after: axesOf(moved), difference: axesOf(labels) };
      const most = largestOf(numbersOf("difference", "on"));
      parts.forEach((part, i) => {
        const [rows, columns] = axes[part];
        const numbers = numbersOf(part);
        const picked = look.picked?.part === part && look.picked.row < rows.length
          && look.picked.column < columns.length ? look.picked : null;
        setText(titles[i], t(`positions_map_${part}`));
        maps[i].update({
          key: [held, look.mode, part], wide: 1.7, bar: POSITION_BAR, scale: part !== "before",
          kind: part === "difference" ? "signed" : "weight",
          rows: { labels: rows, count: rows.length,
            title: t(rowsOf(state.model, held.site) === "source" ? "axis_rows_source" : "axis_rows_fed") },
          columns: { labels: columns, count: columns.length, title:
            t(columnsOf(state.model, held.site) === "target" ? "axis_columns_target" : "axis_columns_source") },
          value: (row, column) => numbers[row * columns.length + column],
          hidden: (row, column) => held[look.mode][`${part}_allowed`][row][column] === "0",
          // Without positions the scale stays that of the model with them: rounding is no picture.
          limit: Math.max(most, 0.05), kept: picked, cross: true,
          pointed: look.pointed?.part === part ? look.pointed : null,
          label: t("positions_order_label", { part: t(`positions_map_${part}`) }),
        }, { palette, unit });
      });
      three.style.setProperty("--three-height", `${heightOf(maps, lines, unit)}px`);
      const { why = null, recipe: opens } = insideOf();
      inside.update(state, why, t(opens && opens !== recipe ? "positions_look_changed"
        : "look_inside_hint"));
      const { order: lesson } = state.model.lessons ?? {};
      example.hidden = !lesson || lesson === recipe.source;
      setText(example, lesson ?? "");
      const stack = hasSite(state.model, "encoder") ? "encoder" : "decoder";
      const largest = (mode) => Math.max(...held[mode].changes.filter(({ site }) =>
        site === stack).map((one) => one.largest));
      setText(reading, why && look.picked && !look.pointed ? `${sentence(axes)} · ${why}`
        : sentence(axes));
      const asked = { study: "outcome", recipe, ...change };
      // One question at a time: this one waits until the attention is there.
      const outcome = answer && !answers.busy()
        ? outcomes.of(JSON.stringify(asked), asked, report.later) : null;
      report.update(held, outcome, held.predicting === "source" ? labels : target);
      const found = { largest: shortNumber(largest(look.mode)), stack: t(`positions_${stack}`) };
      const proven = held[look.mode].predictions_provably_same;
      const again = look.mode === "off" && proven && typeof outcome?.double_off === "number"
        ? t("positions_proof", { double: shortNumber(outcome.double_off) }) : "";
      const bare = look.mode === "off" || state.model.positions === "none";
      const otherwise = state.model.attention === "hard" ? "tied"
        : stack === "decoder" ? "causal" : "pairs";
      const told = !proven && bare ? otherwise : proven && look.mode === "on" ? "same" : look.mode;
      setText(verdict, `${t(`positions_verdict_${told}`, found)} ${again}`.trim());
    },
    here: () => ({ site: picker.site() }),
    asks() {
      begin(state.run);
      return requestNow();
    },
    keep() {
      const { mode, at, picked } = look;
      const site = picker.site();
      const own = { ...placeOf(state, site), mode };
      if (!look.sentence || keyOf(state.run) !== look.sentence) return own;
      return { ...own, ...changeNow(), at, picked: picked && [picked.row, picked.column],
        part: picked?.part };
    },
    drawn: () => ({
      busy: answers.busy() || outcomes.busy(),
      look: inside.element.title, mode: look.mode, order: tokenOrder(), rows: tokenRows(), site: look.held?.site,
      layer: look.held?.layer, head: look.held?.head, at: look.held?.at,
      verdict: verdict.textContent, reading: reading.textContent, picked: look.picked,
      pointed: look.pointed,
      labels: strip.drawn(),
      ...Object.fromEntries(parts.map((part) => [part, look.held && [...numbersOf(part)]])),
      boxes: maps.map((map) => map.boxes()),
      ...report.drawn(),
    }),
    destroy: () => maps.forEach((map) => map.destroy()),
  };
}
