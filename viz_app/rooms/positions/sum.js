// The sum of the room Positions: what enters the first layer for each token of the sentence.

import { makeGrid } from "../../stage/draw/grid.js";
import { labelsOf, quoted } from "../../stage/draw/labels.js";
import { fixed, largestOf, shortNumber } from "../../stage/draw/numbers.js";
import { make, makeSwitch, setText } from "../../stage/page/elements.js";
import { markAsking } from "../../stage/page/rooms.js";
import { placeOfToken } from "../../stage/page/strips.js";
import { rowsOf, sitesOf } from "../../stage/anatomy.js";
import { singlesFromBase64 } from "../../stage/run/decode.js";
import { makePositionAnswers, POSITION_BAR } from "./parts.js";

/**
 * @param {Words} t
 * @param {Session} session
 * @param {function(any): Promise<any>} ask
 * @param {Redraw} redraw
 * @param {any} [before]
 */
export function makePositionSum(t, session, ask, redraw, before = {}) {
  const { state, actions } = session;
  const answers = makePositionAnswers(session, ask, redraw);
  const look = { side: "source", row: 0, column: 0, pointed: null, held: null, answer: null,
    labels: null, ...before };
  const parts = ["embedding", "position", "sum"];
  const sides = makeSwitch("side", t("positions_side"), ["source", "target"].map((side) =>
    [side, t(`strip_${side}`), t(`positions_side_${side}_hint`)]), (side) => {
    look.side = side;
    redraw();
  });
  markAsking(sides.element);
  const maps = parts.map((part) => makeGrid(t, { box: "positions-grid",
    data: { grid: part }, redraw,
    keep(place) {
      Object.assign(look, place, { pointed: null });
      redraw();
    },
    point(place) {
      if (look.pointed?.row === place?.row && look.pointed?.column === place?.column) return;
      look.pointed = place;
      if (look.side === "source") {
        const row = /** @type {number} */ (place?.row);
        const { query, key } = place ? placeOfToken(state, "source", row) : {};
        actions.point(query ?? null, key ?? null);
      }
      redraw();
    },
  }));
  const titles = parts.map(() => make("h3"));
  const signs = ["+", "="].map((sign) => make("span", { class: "positions-sign", text: sign,
    "aria-hidden": "true" }));
  const panes = parts.map((part, i) => make("section", { class: "positions-pane",
    "aria-label": t(`positions_${part}`) }, [titles[i], maps[i].element]));
  const line = make("p", { class: "positions-equation", "aria-live": "polite" });
  const lengths = make("p", { class: "positions-quiet" });
  const none = make("p", { class: "positions-note", text: t("positions_sum_unchanged") });
  const element = make("div", { class: "positions-view" }, [
    make("div", { class: "positions-bar" }, [sides.element, lengths]), none,
    make("div", { class: "positions-sum" }, [panes[0], signs[0], panes[1], signs[1], panes[2]]),
    line,
  ]);

  /** @param {any} part @param {number} row */
  function lengthOf(part, row) {
    const D = look.held.shape[1];
    const numbers = look.held[`${part}_numbers`].subarray(row * D, row * D + D);
    return Math.sqrt(numbers.reduce((/** @type {number} */ sum, /** @type {number} */ one) => sum + one * one, 0));
  }

  return {
    element,
    /** @param {any} values */
    update({ palette, unit }) {
      const { recipe } = state.run;
      const ofSites = sitesOf(state.model).map((site) => rowsOf(state.model, site));
      if (ofSites.every((side) => side !== look.side)) [look.side] = ofSites;
      const request = { study: "sum", recipe, side: look.side };
      const answer = answers.of(JSON.stringify(request), request, element);
      sides.update(look.side);
      if (!answer) return;
      if (look.answer !== answer) {
        look.answer = answer;
        look.held = { ...answer };
        for (const part of parts) look.held[`${part}_numbers`] = singlesFromBase64(answer[part]);
        look.held.limit = largestOf(look.held.sum_numbers);
        look.row = Math.min(look.row, answer.shape[0] - 1);
        look.column = Math.min(look.column, answer.shape[1] - 1);
        look.pointed = null;
      }
      const { held } = look;
      const [rows, columns] = held.shape;
      const labels = labelsOf(held.tokens, held.side === "target", state.spelled, t);
      look.labels = labels;
      sides.element.hidden = held.sides.length < 2;
      const adds = held.models_kind === "sinusoidal" || held.models_kind === "learned";
      none.hidden = adds && !held.embedding_norm;
      setText(none, t(adds ? "positions_sum_norm" : "positions_sum_unchanged"));
      parts.forEach((part, i) => {
        setText(titles[i], t(`positions_${part}`, { scale: +held.scale.toPrecision(4) }));
        const numbers = held[`${part}_numbers`];
        maps[i].update({
          key: [held, part], kind: "signed", limit: held.limit, bar: POSITION_BAR,
          rows: { labels, count: rows, title: t(`positions_tokens_${held.side}`) },
          columns: { labels: null, count: columns, title: t("positions_axis_dimension") },
          value: (row, column) => numbers[row * columns + column], pointed: look.pointed,
          kept: { row: look.row, column: look.column }, cross: true,
          label: t("positions_sum_label", { part: t(`positions_${part}`, { scale:
            +held.scale.toPrecision(4) }), rows, columns }),
        }, { palette, unit });
      });
      const { row, column } = look.pointed ?? look;
      /** @param {any} part */
      const value = (part) => shortNumber(held[`${part}_numbers`][row * columns + column]);
      setText(line, t("positions_reading_sum", { token: quoted(labels[row].label), row, column,
        embedding: value("embedding"), position: value("position"), sum: value("sum") }));
      setText(lengths, t("positions_lengths", { token: quoted(labels[row].label),
        embedding: fixed(lengthOf("embedding", row), 2),
        position: fixed(lengthOf("position", row), 2), sum: fixed(lengthOf("sum", row), 2) }));
    },
    asks: ({ side = look.side }) => ({ study: "sum", side }),
    keep() {
      const { side, row, column } = look;
      return { side, row, column };
    },
    drawn: () => ({
      busy: answers.busy(),
      side: look.held?.side, row: look.row, column: look.column, shape: look.held?.shape,
      labels: look.labels?.map((/** @type {any} */ { label }) => label), reading: line.textContent,
      lengths: lengths.textContent,
      ...Object.fromEntries(parts.map((part) =>
        [part, look.held && [...look.held[`${part}_numbers`]]])),
      boxes: maps.map((map) => map.boxes()),
    }),
    destroy: () => maps.forEach((map) => map.destroy()),
  };
}
