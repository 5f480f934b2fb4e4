// The score against the distance between query and key: all placed pairs, and a line through one of each.

import { makeNumberChart } from "../../../stage/draw/chart.js";

/** @param {Words} t @param {function(): void} redraw */
export function makeDistanceCurve(t, redraw) {
  const chart = makeNumberChart("positions-curves", {}, redraw);
  return {
    element: chart.element,
    /** @param {HeldRotation} held @param {RotaryLook} chosen @param {Look} look */
    update(held, chosen, look) {
      const { positions: P, limit, numbers: { placed_scores: scores } } = held;
      const x = Array.from({ length: 2 * P - 1 }, (_, i) => i + 1 - P);
      const { row, column } = chosen.pointed ?? chosen.picked ?? { row: held.query, column: held.key };
      const far = row - column;
      chart.update({ x, up: [-limit, limit], lines: [
        // The line joins one pair per distance; all the others lie on the same points.
        { x, y: x.map((one) => scores[one < 0 ? -one : one * P]), colour: "faint", width: 1 },
        { x: Array.from(scores, (_, i) => Math.floor(i / P) - (i % P)), y: scores, dots: 1.6 }],
      marks: Math.abs(far) < P ? [{ at: far }] : [], title: "",
      label: t("positions_by_distance") }, look);
    },
    destroy: chart.destroy,
  };
}
