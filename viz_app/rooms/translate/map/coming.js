// What the map says below its last row while somebody steps, where the next row will stand.

import { setType } from "../../../stage/draw/canvas.js";

/**
 * What paints it, where there is room to say it.
 * @param {Words} t
 * @returns {NonNullable<GridFrame["coming"]>}
 */
export const comingOf = (t) => ({ context, frame, layout: { type, pitchY }, palette }) => {
  const lines = [...t("step_each").split("\n"), t("step_press")];
  const blank = ((frame.rows.room ?? 0) - frame.rows.count) * pitchY;
  if (blank < (lines.length + 0.5) * 1.5 * type) return;
  setType(context, `${type}px ${palette.sans}`, palette.quiet, "left");
  lines.forEach((line, i) => context.fillText(line, type, frame.rows.count * pitchY + 1.5 * type * (i + 1)));
};
