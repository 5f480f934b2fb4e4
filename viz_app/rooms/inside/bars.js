// A vector of which the numbers are drawn as bars.

import { bytesOf, cssOf } from "../../stage/draw/palette.js";

/**
 * A row as bars from 0, so that the largest and the smallest just fit.
 * @param {Painting} painting
 * @param {number} row
 * @param {number} top
 * @param {number} height
 */
export function paintVectorBars({ context, frame, layout: { pitchX: pitch }, palette }, row, top, height) {
  const values = Array.from({ length: frame.columns.count }, (_, i) => frame.value(row, i));
  const most = Math.max(0, ...values);
  const scale = (height - 6) / (most - Math.min(0, ...values) || 1);
  const zero = top + 3 + most * scale;
  const gap = pitch >= 8 ? 1 : 0;
  values.forEach((value, i) => {
    const left = Math.round(i * pitch); // whole pixels: no seams between bars
    context.fillStyle = cssOf(bytesOf({ kind: "signed", limit: 1 }, 0.8 * Math.sign(value), palette));
    context.fillRect(left, zero - Math.max(0, value * scale),
      Math.max(1, Math.round((i + 1) * pitch) - left - gap),
      Math.max(0.5, Math.abs(value * scale)));
  });
  context.fillStyle = palette.hair;
  context.fillRect(0, zero - 0.5, values.length * pitch, 1);
}
