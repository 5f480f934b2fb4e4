// Rotary positions: how they turn the queries and keys of one head, pair by pair of dimensions, and
// that the score of a turned pair depends on the distance alone.

import { sizedContext } from "../../stage/draw/canvas.js";
import { makeGrid } from "../../stage/draw/grid.js";
import { typeSize } from "../../stage/draw/layout.js";
import { labelsOf, quoted } from "../../stage/draw/labels.js";
import { fixed, largestOf, shortNumber } from "../../stage/draw/numbers.js";
import { placeOf } from "../../stage/keep/tables.js";
import { make, setText, setTrait } from "../../stage/page/elements.js";
import { markAsking } from "../../stage/page/rooms.js";
import { isSelf, rowsOf } from "../../stage/anatomy.js";
import { singlesFromBase64 } from "../../stage/run/decode.js";
import { makePositionAnswers, makePositionHead, POSITION_BAR } from "./parts.js";
import { paintChartFrame } from "./waves.js";

export function makePositionRotary(t, session, ask, redraw, before = {}) {
  const { state } = session;
  const answers = makePositionAnswers(session, ask, redraw);
  const { site = "encoder", query: ofQuery = null, key: ofKey = null, pair = 0, picked = null }
    = before;
  // A query and a key that are null are the answer's to choose.
  const look = { site, query: ofQuery, key: ofKey, pair, pointed: null, held: null, answer: null,
    picked: picked && { row: picked[0], column: picked[1] } };
  const picker = makePositionHead(t, session, "rotarySite", look, isSelf, redraw);
  const badge = make("span", { class: "positions-badge" });
  const tokenSelect = (name) => {
    const element = make("select", { class: "positions-select", data: { pick: name }, on: {
      change: () => {
        Object.assign(look, { [name]: Number(element.value), picked: null });
        redraw();
      },
    } });
    return { element, field: make("label", { class: "positions-field" }, [
      make("span", { text: t(`positions_${name}`) }), element]) };
  };
  const query = tokenSelect("query");
  const key = tokenSelect("key");
  markAsking(picker.element, query.field, key.field);
  const note = make("p", { class: "positions-note" });
  const dials = makePositionDials(t, (pair) => {
    Object.assign(look, { pair, picked: null });
    redraw();
  }, redraw);
  const map = makeGrid(t, { box: "positions-grid", data: { grid: "placed" }, redraw,
    keep({ row, column }) {
      Object.assign(look, { picked: { row, column }, pointed: null });
      redraw();
    },
    point: pointAt,
  });
  const curve = makeDistanceCurve(t, redraw);
  const verdict = make("p", { class: "positions-verdict" });
  const reading = make("p", { class: "reading positions-reading", "aria-live": "polite" });
  const element = make("div", { class: "positions-view" }, [
    make("div", { class: "positions-bar" }, [picker.element, query.field, key.field, badge]), note,
    make("div", { class: "positions-panes positions-rotary" }, [
      make("section", { class: "positions-pane", "aria-label": t("positions_dials") }, [
        make("h3", { text: t("positions_dials") }), dials.element]),
      make("section", { class: "positions-pane", "aria-label": t("positions_placed") }, [
        make("h3", { text: t("positions_placed") }), map.element]),
      make("section", { class: "positions-pane", "aria-label": t("positions_by_distance") }, [
        make("h3", { text: t("positions_by_distance") }), curve.element, verdict]),
    ]),
    reading,
  ]);

  function pointAt(place) {
    if (look.pointed?.row === place?.row && look.pointed?.column === place?.column) return;
    look.pointed = place;
    redraw();
  }

  function sentence(held, labels) {
    const P = held.positions;
    const place = look.pointed ?? look.picked;
    if (place) {
      const { row, column } = place;
      return t("positions_reading_placed", { row, column, distance: row - column,
        query: quoted(labels[held.query].label), key: quoted(labels[held.key].label),
        score: shortNumber(held.numbers.placed_scores[row * P + column]) });
    }
    const T = held.tokens.ids.length;
    const at = held.query * T + held.key;
    const angle = held.query * held.frequencies[look.pair];
    const [a, b] = held.dimensions[look.pair];
    return `${t("positions_reading_pair", { a, b,
      token: quoted(labels[held.query].label), row: held.query,
      radians: fixed(angle, 3), degrees: fixed((angle * 180) / Math.PI, 1) })} ${
      t("positions_reading_score", { query: quoted(labels[held.query].label),
        key: quoted(labels[held.key].label), before: shortNumber(held.numbers.scores[at]),
        after: shortNumber(held.numbers.turned_scores[at]) })}`;
  }

  const requestNow = () => ({ study: "rotary", site: picker.site(), ...state.locks[look.site],
    query: look.query, key: look.key });

  return {
    element,
    asks: requestNow,
    update({ palette, unit }) {
      const length = rowsOf(state.model, picker.site()) === "source" ? state.run.source.ids.length
        : Math.max(1, state.run.target.ids.length - (state.run.finished === "end" ? 1 : 0));
      for (const name of ["query", "key"]) {
        if (look[name] !== null) look[name] = Math.min(look[name], length - 1);
      }
      const request = { recipe: state.run.recipe, ...requestNow() };
      const answer = answers.of(JSON.stringify(request), request, element);
      picker.update();
      if (!answer) return;
      if (look.answer !== answer) {
        look.answer = answer;
        const names = ["q", "k", "turned_q", "turned_k", "scores", "turned_scores",
          "placed_scores"];
        look.held = { ...answer, numbers: Object.fromEntries(names.map((name) =>
          [name, singlesFromBase64(answer[name])])) };
        look.pair = Math.min(look.pair, answer.frequencies.length - 1);
        const { picked } = look;
        if (picked && Math.max(picked.row, picked.column) >= answer.positions) look.picked = null;
      }
      const { held } = look;
      const labels = labelsOf(held.tokens, rowsOf(state.model, held.site) === "target", state.spelled, t);
      for (const [one, value] of [[query, held.query], [key, held.key]]) {
        const list = labels.map(({ label }, i) => `${i} · ${label}`);
        if (one.list !== list.join("\n")) {
          one.list = list.join("\n");
          one.element.replaceChildren(...list.map((text, i) => make("option", { value: i, text })));
        }
        one.element.value = String(value);
      }
      setText(badge, t(held.own ? "positions_own" : "positions_not_own",
        { kind: t(`positions_kind_${held.models_kind}`) }));
      badge.classList.toggle("foreign", !held.own);
      setText(note, t(held.own ? "positions_rotary_own" : "positions_rotary_foreign"));
      dials.update(held, labels, look, palette, unit);
      const P = held.positions;
      map.update({
        key: [held], kind: "signed", wide: 1, bar: POSITION_BAR,
        rows: { labels: null, count: P, title: t("positions_axis_query") },
        columns: { labels: null, count: P, title: t("positions_axis_key") },
        value: (row, column) => held.numbers.placed_scores[row * P + column],
        limit: held.limit ??= largestOf(held.numbers.placed_scores),
        pointed: look.pointed, kept: look.picked, cross: true,
        label: t("positions_placed_label", { rows: P }),
      }, { palette, unit });
      curve.update(held, look, palette, unit);
      setText(verdict, t(held.distance_only ? "positions_spread" : "positions_spread_other",
        { spread: shortNumber(held.spread), similarity: held.similarity }));
      setText(reading, sentence(held, labels));
    },
    here: () => ({ site: picker.site() }),
    keep() {
      return { ...placeOf(state, picker.site()), query: look.query, key: look.key, pair: look.pair,
        picked: look.picked && [look.picked.row, look.picked.column] };
    },
    drawn: () => ({
      busy: answers.busy(),
      own: look.held?.own, badge: badge.textContent, site: look.held?.site,
      layer: look.held?.layer, head: look.held?.head, query: look.held?.query,
      key: look.held?.key, pair: look.pair, picked: look.picked, pointed: look.pointed, boxes: map.boxes(), frequencies: look.held?.frequencies,
      spread: look.held?.spread, verdict: verdict.textContent, reading: reading.textContent,
      shape: look.held?.shape, note: note.textContent,
      ...Object.fromEntries(Object.entries(look.held?.numbers ?? {}).map(([name, numbers]) =>
        [name, [...numbers]])),
    }),
    destroy() {
      map.destroy();
      dials.destroy();
      curve.destroy();
    },
  };
}

/** By how many degrees a pair of dimensions is turned at a position. */
function dialDegrees(held, position, pair) {
  const angle = position * held.frequencies[pair];
  return fixed((angle * 180) / Math.PI, angle < 0.2 ? 2 : 0);
}

let dialLists = 0; // numbers the lists, for ids

/** One dial for each pair of dimensions: the query and the key before and after they turn. */
function makePositionDials(t, pick, redraw) {
  // What is drawn on a canvas is said by its children: one option per dial.
  const canvas = make("canvas", { class: "positions-dials-canvas", tabindex: "0",
    role: "listbox", "aria-label": t("positions_dials_label") });
  dialLists += 1;
  const listId = `stage-dials-${dialLists}`;
  const element = make("div", { class: "positions-dials" }, [canvas]);
  const context = canvas.getContext("2d");
  const watcher = new ResizeObserver(() => redraw());
  watcher.observe(element);
  let place = null;
  let shown = null;
  function pointAt(event) {
    if (!place) return;
    const at = canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - at.left) / place.width);
    const pair = Math.floor((event.clientY - at.top) / place.height) * place.across + column;
    if (column < place.across && pair >= 0 && pair < place.count && pair !== shown) pick(pair);
  }
  canvas.addEventListener("pointermove", pointAt);
  canvas.addEventListener("pointerdown", pointAt);
  canvas.addEventListener("keydown", (event) => {
    if (!place) return;
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -place.across,
      ArrowDown: place.across }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    pick(Math.max(0, Math.min(place.count - 1, shown + by)));
  });

  function say(held, labels) {
    const { length } = held.frequencies;
    if (canvas.children.length !== length) {
      canvas.replaceChildren(...Array.from({ length }, (_, pair) =>
        make("span", { role: "option", id: `${listId}-${pair}` })));
    }
    [...canvas.children].forEach((option, pair) => {
      setTrait(option, "aria-selected", String(pair === shown));
      const [a, b] = held.dimensions[pair];
      setTrait(option, "aria-label", t("positions_dial", { a, b,
        query: quoted(labels[held.query].label), turned: dialDegrees(held, held.query, pair),
        key: quoted(labels[held.key].label), other: dialDegrees(held, held.key, pair) }));
    });
    setTrait(canvas, "aria-activedescendant", `${listId}-${shown}`);
  }

  /** A line with a dot at its end, filled with `dot`. */
  function arrow(x, y, a, b, scale, colour, line, dash, dot = colour) {
    context.strokeStyle = colour;
    context.fillStyle = dot;
    context.lineWidth = line;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + a * scale, y - b * scale);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.arc(x + a * scale, y - b * scale, dot === colour ? line + 0.8 : 3, 0, 7);
    context.fill();
    if (dot !== colour) context.stroke();
  }

  return {
    element,
    update(held, labels, look, palette, unit) {
      shown = look.pair;
      const count = held.frequencies.length;
      const E = held.shape[1];
      const view = element.clientWidth;
      const type = 0.8 * typeSize(unit);
      // As many dials in a row as make them largest in the room there is.
      let across = Math.max(1, Math.floor(view / (84 * unit)));
      const tallest = Math.max(120, element.clientHeight);
      for (let n = 2; n <= count; n += 1) {
        const width = view / n;
        if (width < 68 * unit) break;
        if (Math.ceil(count / n) * (Math.min(width, 150 * unit) + 1.6 * type) <= tallest) {
          across = n;
          break;
        }
      }
      across = Math.ceil(count / Math.ceil(count / across)); // rows alike, the last one too
      const width = view / across;
      const size = Math.min(width, 150 * unit) - 10;
      const height = size + 2.4 * type;
      place = { across, width, height, count };
      say(held, labels);
      sizedContext(canvas, view, Math.ceil(count / across) * height);
      context.clearRect(0, 0, view, Math.ceil(count / across) * height);
      context.font = `${type.toFixed(1)}px ${palette.sans}`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      for (let pair = 0; pair < count; pair += 1) {
        const x = ((pair % across) + 0.5) * width;
        const y = Math.floor(pair / across) * height + size / 2 + 4;
        const of = (name, row) => held.dimensions[pair].map((at) =>
          held.numbers[name][row * E + at]);
        const vectors = [["q", held.query], ["turned_q", held.query], ["k", held.key],
          ["turned_k", held.key]].map(([name, row]) => of(name, row));
        const scale = (size / 2 - 4) / largestOf(vectors.map(([a, b]) => Math.hypot(a, b)));
        context.strokeStyle = pair === look.pair ? palette.select : palette.hair;
        context.lineWidth = pair === look.pair ? 1.6 : 1;
        context.beginPath();
        context.arc(x, y, size / 2 - 2, 0, 7);
        context.stroke();
        arrow(x, y, ...vectors[2], scale, palette.faint, 1.2, [2, 3]);
        arrow(x, y, ...vectors[3], scale, palette.of(0.55), 1.4, [], palette.paper);
        arrow(x, y, ...vectors[0], scale, palette.faint, 1.2, [2, 3]);
        arrow(x, y, ...vectors[1], scale, palette.select, 2, []);
        context.fillStyle = palette.quiet;
        const degrees = dialDegrees(held, held.query, pair);
        context.fillText(`${held.dimensions[pair].join(", ")} · ${degrees}°`, x, y + size / 2 + 0.8 * type);
      }
    },
    destroy: () => watcher.disconnect(),
  };
}

/** The score against the distance between query and key: all placed pairs, as a band and a line. */
function makeDistanceCurve(t, redraw) {
  const canvas = make("canvas", { class: "positions-curves-canvas", role: "img",
    "aria-label": t("positions_by_distance") });
  const element = make("div", { class: "positions-curves" }, [canvas]);
  const context = canvas.getContext("2d");
  const watcher = new ResizeObserver(() => redraw());
  watcher.observe(element);
  return {
    element,
    update(held, look, palette, unit) {
      const width = element.clientWidth;
      const height = element.clientHeight;
      if (width < 60 || height < 40) return;
      sizedContext(canvas, width, height);
      const P = held.positions;
      const type = 0.86 * typeSize(unit);
      const left = 3.9 * type;
      const bottom = height - 1.6 * type;
      const x = (distance) => left + ((distance + P - 1) / (2 * P - 2)) * (width - left - 10);
      const y = (score) => 6 + ((1 - score / held.limit) / 2) * (bottom - 12);
      paintChartFrame(context, palette, { width, height, type, left, right: width - 6, y,
        limit: held.limit });
      context.textAlign = "center";
      for (let distance = -8 * Math.floor((P - 1) / 8); distance < P; distance += 8) {
        context.fillText(String(distance).replace("-", "−"), x(distance), height - 0.7 * type);
      }
      // The line joins one pair per distance; all the others lie on the same points.
      context.strokeStyle = palette.faint;
      context.beginPath();
      for (let distance = 1 - P; distance < P; distance += 1) {
        const [row, column] = distance < 0 ? [0, -distance] : [distance, 0];
        context.lineTo(x(distance), y(held.numbers.placed_scores[row * P + column]));
      }
      context.stroke();
      context.fillStyle = palette.ink;
      for (let row = 0; row < P; row += 1) {
        for (let column = 0; column < P; column += 1) {
          context.beginPath();
          context.arc(x(row - column), y(held.numbers.placed_scores[row * P + column]), 1.6, 0, 7);
          context.fill();
        }
      }
      context.strokeStyle = palette.select;
      const place = look.pointed ?? look.picked ?? { row: held.query, column: held.key };
      const at = place.row - place.column;
      if (Math.abs(at) < P) {
        context.beginPath();
        context.moveTo(x(at), 2);
        context.lineTo(x(at), bottom);
        context.stroke();
      }
    },
    destroy: () => watcher.disconnect(),
  };
}
