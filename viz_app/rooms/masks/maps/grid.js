// One of the maps of the room Masks: a mask, scores, weights or a difference, its title and its
// colours. stage/draw/maps.js draws them.

import { scaleOf } from "../../../stage/draw/maps.js";
import { fixed, shortNumber } from "../../../stage/draw/numbers.js";
import { placeOn } from "../../../stage/draw/place.js";
import { html } from "../../../stage/page/html.js";
import { termed } from "../../../stage/page/terms.js";
import { isFold } from "./axes.js";

/**
 * @typedef {import("./axes.js").MaskAxes} MaskAxes
 * @typedef {import("./axes.js").CommonFrame} CommonFrame
 * @typedef {Look & {pointed: ?Cell, kept: ?Cell}} MapLook
 */

/** A small square of the maps and what it means. @param {string} text @param {string} kind */
const chip = (text, kind) => html`<span class="masks-chip"><i class=${kind}></i><span>${text}</span></span>`;

/**
 * How the cells of a mask depart from the model's own.
 * @param {MaskSheet} sheet
 * @param {MaskAxes} axes
 */
const marksOf = ({ mark }, { rows, columns }) => ["opened", "closed"].filter((name) =>
  rows.some((_, q) => columns.some((_, k) => mark(q, k) === name)));

/**
 * What the colours and the marks of a map mean.
 * @param {Words} t
 * @param {MaskSheet} sheet
 * @param {MaskAxes} axes
 * @param {Palette} palette
 */
function legendOf(t, sheet, axes, palette) {
  const { kind, name, fill, limit = 1 } = sheet;
  if (kind === "mask") {
    return [chip(t("masks_open"), "masks-open"), chip(t("masks_hidden"), "masks-hatch"),
      ...marksOf(sheet, axes).map((mark) => chip(t(`masks_mark_${mark}`), `masks-mark ${mark}`))];
  }
  if (fill) return chip(fill, "masks-hatch"); // the colours are those of the map before
  /** @param {number} value */
  const spell = (value) => (name === "difference" ? shortNumber(value) : fixed(value, 1));
  const ends = kind === "weight" ? ["0", "1"] : [spell(-limit), spell(limit)];
  return html`<span class="masks-chip">${scaleOf("masks-bar", kind, ends, palette)}</span>`;
}

/**
 * What is drawn: the sheet in the places of its axes.
 * @param {Words} t
 * @param {MaskSheet} sheet
 * @param {MaskAxes} axes
 * @param {CommonFrame} common
 * @param {MapLook} look
 * @returns {GridFrame}
 */
export function maskFrameOf(t, sheet, axes, common, { pointed, kept }) {
  const { rows, columns, lines } = axes;
  const isPart = sheet.reached < rows.length;
  return { ...common, key: [sheet, axes], kind: sheet.kind, limit: sheet.limit,
    value: sheet.value, hidden: sheet.hidden,
    digits: sheet.kind === "mask" ? common.counted : common.digits && sheet.name !== "difference",
    mark: (q, k) => (isFold(lines, q, k) ? "fold" : sheet.mark(q, k)),
    painted: Math.min(isPart ? sheet.reached : Infinity, lines.rows.count),
    current: sheet.kind === "weight" && isPart ? sheet.reached - 1 : null,
    pointed: pointed && placeOn(lines, pointed), kept: kept && placeOn(lines, kept),
    label: t("masks_map_label", { title: sheet.title, rows: rows.length, columns: columns.length }) };
}

/**
 * What stands over a map.
 * @param {Words} t
 * @param {MaskSheet} sheet
 * @param {MaskAxes} axes
 * @param {Palette} palette
 * @param {?string} none why there is no such map
 */
export const maskCaption = (t, sheet, axes, palette, none) =>
  ({ title: termed(t, sheet.says, sheet.values), scale: none === null ? legendOf(t, sheet, axes, palette) : "", none });
