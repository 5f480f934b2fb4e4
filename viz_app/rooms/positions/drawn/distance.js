// The score against the distance between query and key: all placed pairs, as a band and a line.

import { sizedContext } from "../../../stage/draw/canvas.js";
import { typeSize } from "../../../stage/draw/layout.js";
import { make } from "../../../stage/page/elements.js";
import { paintChartFrame } from "./waves.js";

/**
 * @param {CanvasRenderingContext2D} context
 * @param {HeldRotation} held
 * @param {RotaryLook} chosen
 * @param {{width: number, height: number, palette: Palette, unit: number}} place
 */
function paint(context, held, chosen, { width, height, palette, unit }) {
  const { positions: P, limit, numbers: { placed_scores: scores } } = held;
  const type = 0.86 * typeSize(unit);
  const left = 3.9 * type;
  const bottom = height - 1.6 * type;
  /** @param {number} distance */
  const x = (distance) => left + ((distance + P - 1) / (2 * P - 2)) * (width - left - 10);
  /** @param {number} row @param {number} column */
  const at = (row, column) => y(scores[row * P + column]);
  /** @param {number} score */
  const y = (score) => 6 + ((1 - score / limit) / 2) * (bottom - 12);
  paintChartFrame(context, palette, { width, height, type, left, right: width - 6, y, limit });
  context.textAlign = "center";
  for (let distance = -8 * Math.floor((P - 1) / 8); distance < P; distance += 8) {
    context.fillText(String(distance).replace("-", "−"), x(distance), height - 0.7 * type);
  }
  // The line joins one pair per distance; all the others lie on the same points.
  context.strokeStyle = palette.faint;
  context.beginPath();
  for (let distance = 1 - P; distance < P; distance += 1) {
    context.lineTo(x(distance), distance < 0 ? at(0, -distance) : at(distance, 0));
  }
  context.stroke();
  context.fillStyle = palette.ink;
  for (let row = 0; row < P; row += 1) {
    for (let column = 0; column < P; column += 1) {
      context.beginPath();
      context.arc(x(row - column), at(row, column), 1.6, 0, 7);
      context.fill();
    }
  }
  context.strokeStyle = palette.select;
  const { row, column } = chosen.pointed ?? chosen.picked ?? { row: held.query, column: held.key };
  if (Math.abs(row - column) >= P) return;
  context.beginPath();
  context.moveTo(x(row - column), 2);
  context.lineTo(x(row - column), bottom);
  context.stroke();
}

/** @param {Words} t @param {function(): void} redraw */
export function makeDistanceCurve(t, redraw) {
  const canvas = make("canvas", { class: "positions-curves-canvas", role: "img",
    "aria-label": t("positions_by_distance") });
  const element = make("div", { class: "positions-curves" }, [canvas]);
  const watcher = new ResizeObserver(() => redraw());
  watcher.observe(element);
  return {
    element,
    /** @param {HeldRotation} held @param {RotaryLook} chosen @param {Look} look */
    update(held, chosen, look) {
      const [width, height] = [element.clientWidth, element.clientHeight];
      if (width < 60 || height < 40) return;
      paint(sizedContext(canvas, width, height), held, chosen, { width, height, ...look });
    },
    destroy: () => watcher.disconnect(),
  };
}
