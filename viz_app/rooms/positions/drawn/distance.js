// The score against the distance between query and key: all placed pairs, as a band and a line.

import { fillDisc, strokeThrough } from "../../../stage/draw/canvas.js";
import { typeSize } from "../../../stage/draw/layout.js";
import { paintChartFrame } from "./waves.js";
import { makeChart } from "../../../stage/draw/sheet.js";

/** @param {HeldRotation} held @param {RotaryLook} chosen @param {Chart} chart */
function paint(held, chosen, chart) {
  const { context, width, height, palette, unit } = chart;
  const { positions: P, limit, numbers: { placed_scores: scores } } = held;
  const type = (13 / 12) * typeSize(unit);
  const left = 3.9 * type;
  const bottom = height - 1.6 * type;
  /** @param {number} distance */
  const x = (distance) => left + ((distance + P - 1) / (2 * P - 2)) * (width - left - 10);
  /** @param {number} row @param {number} column */
  const at = (row, column) => y(scores[row * P + column]);
  /** @param {number} score */
  const y = (score) => 6 + ((1 - score / limit) / 2) * (bottom - 12);
  paintChartFrame(chart, { type, left, right: width - 6, y, limit });
  context.textAlign = "center";
  for (let distance = -8 * Math.floor((P - 1) / 8); distance < P; distance += 8) {
    context.fillText(String(distance).replace("-", "−"), x(distance), height - 0.7 * type);
  }
  // The line joins one pair per distance; all the others lie on the same points.
  context.strokeStyle = palette.faint;
  strokeThrough(context, ...Array.from({ length: 2 * P - 1 }, (_, i) => i + 1 - P).map((distance) =>
    [x(distance), distance < 0 ? at(0, -distance) : at(distance, 0)]));
  context.fillStyle = palette.ink;
  for (let row = 0; row < P; row += 1) {
    for (let column = 0; column < P; column += 1) {
      fillDisc(context, x(row - column), at(row, column), 1.6);
    }
  }
  context.strokeStyle = palette.accent;
  const { row, column } = chosen.pointed ?? chosen.picked ?? { row: held.query, column: held.key };
  if (Math.abs(row - column) >= P) return;
  strokeThrough(context, [x(row - column), 2], [x(row - column), bottom]);
}

/** @param {Words} t @param {function(): void} redraw */
export function makeDistanceCurve(t, redraw) {
  const { element, clear, destroy } = makeChart("positions-curves",
    { role: "img", "aria-label": t("positions_by_distance") }, redraw);
  return {
    element,
    /** @param {HeldRotation} held @param {RotaryLook} chosen @param {Look} look */
    update(held, chosen, look) {
      const pen = clear();
      if (pen) paint(held, chosen, { ...pen, ...look });
    },
    destroy,
  };
}
