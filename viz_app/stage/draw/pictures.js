// One small off-screen picture per head, one pixel per cell. Scrubbing only clips them: no weight
// is coloured twice.

import { columnsOf, isStepped } from "../anatomy.js";
import { keyCount, maskedBecause, queryCount, rowOfWeights } from "../run/run.js";
import { contextOf } from "./canvas.js";
import { putCells } from "./pens.js";

/**
 * A picture, how many of its rows are painted, whether it grows with each step, and of a large decoding
 * what it was painted from.
 * @typedef {{canvas: HTMLCanvasElement, rows: number, grows: boolean, cells?: Uint8Array, times?: Times}} Entry
 * @typedef {{factors: Float32Array, limit: number}} Times what each column is multiplied with, and what
 *   the end of the colours stands for
 * @typedef {Head & {site: Site}} Place
 */

/** The small picture of a head of a large decoding, as it was sent. @param {Entry} entry @param {Run} run @param {Place} place @param {Palette} palette */
function paintSmall(entry, { summed, heads }, { site, layer, head }, palette) {
  const { cells, height, width } = /** @type {NonNullable<Run["summed"]>} */ (summed)[site];
  if (entry.rows === height && entry.cells === cells) return;
  Object.assign(entry, { cells, rows: height });
  Object.assign(entry.canvas, { width, height });
  const image = new ImageData(width, height);
  const first = (layer * heads[site] + head) * height * width;
  for (let i = 0; i < height * width; i += 1) {
    const part = 3 * cells[first + i];
    image.data.set([palette.parts[part], palette.parts[part + 1], palette.parts[part + 2], 255],
      4 * i);
  }
  putCells(entry.canvas, image);
}

/** The rows that are not painted yet. @param {Entry} entry @param {Run} run @param {Place} place @param {Palette} palette @param {number} until */
function paintRows(entry, run, { site, layer, head }, palette, until) {
  const { times } = entry;
  /** @type {(weight: number, key: number) => number} */
  const share = times ? (weight, key) => Math.fround(weight * times.factors[key]) / times.limit : (weight) => weight;
  const columns = entry.canvas.width;
  const from = entry.rows;
  const image = new ImageData(columns, until - from);
  const pixels = image.data;
  for (let query = from; query < until; query += 1) {
    const row = rowOfWeights(run, site, layer, head, query);
    for (let key = 0; key < row.length; key += 1) {
      // Masked cells stay clear: the hatching under the picture shows through.
      if (maskedBecause(run, site, query, key, layer)) continue;
      const at = 4 * ((query - from) * columns + key);
      const part = 3 * Math.max(0, Math.min(255, Math.round(255 * share(row[key], key))));
      pixels[at] = palette.parts[part];
      pixels[at + 1] = palette.parts[part + 1];
      pixels[at + 2] = palette.parts[part + 2];
      pixels[at + 3] = 255;
    }
  }
  putCells(entry.canvas, image, from);
  entry.rows = until;
}

/** The picture of a head; all rows that exist are painted. @param {Entry} entry @param {Run} run @param {Place} place @param {Palette} palette */
function paintWhole(entry, run, place, palette) {
  const { site } = place;
  const [isStep, until] = [isStepped(run, site), queryCount(run, site)];
  const height = isStep ? run.capacity : until;
  const width = isStep && columnsOf(run, site) === "target" ? run.capacity : keyCount(run, site);
  if (entry.canvas.width !== width || entry.canvas.height !== height) {
    Object.assign(entry.canvas, { width, height });
    entry.rows = 0;
  }
  entry.grows = isStep;
  if (entry.rows === 0 && until > 0) contextOf(entry.canvas).clearRect(0, 0, width, height);
  if (entry.rows < until) paintRows(entry, run, place, palette, until);
}

/**
 * The picture of a head whose weights are multiplied column by column.
 * @param {Entry} entry
 * @param {Run} run
 * @param {Place & Times} place
 * @param {Palette} palette
 */
function paintTimes(entry, run, place, palette) {
  const { factors, limit } = place;
  const { times } = entry;
  if (times?.factors.buffer !== factors.buffer || times.factors.byteOffset !== factors.byteOffset || times.limit !== limit) {
    Object.assign(entry, { times: { factors, limit }, rows: 0 });
  }
  paintWhole(entry, run, place, palette);
}

export function makePictures() {
  /** @type {Map<string, Entry>} */
  const pictures = new Map(); // canvases are reused for ever

  /**
   * @template {Place} Of
   * @param {string} kind
   * @param {(entry: Entry, run: Run, place: Of, palette: Palette) => void} paint
   * @returns {(run: Run, place: Of, palette: Palette) => HTMLCanvasElement}
   */
  const paintedBy = (kind, paint) => (run, place, palette) => {
    const key = `${kind} ${place.site} ${place.layer} ${place.head}`;
    const entry = pictures.get(key)
      ?? { canvas: document.createElement("canvas"), rows: 0, grows: false };
    pictures.set(key, entry);
    paint(entry, run, place, palette);
    return entry.canvas;
  };
  const [of, sent, times] = [paintedBy("whole", paintWhole), paintedBy("small", paintSmall), paintedBy("times", paintTimes)];

  return {
    of,
    times,
    /** For a small place: the picture itself, or the one that was sent of a large decoding. @type {typeof of} */
    small: (run, place, palette) => (run.summed ? sent : of)(run, place, palette),
    /** After a branch: only the first n rows of the decoder's pictures still hold. @param {number} n */
    keep(n) {
      for (const entry of pictures.values()) {
        if (entry.grows) entry.rows = Math.min(entry.rows, n);
      }
    },
    /** Another source or other colours: everything is painted again when it is next shown. */
    clear() {
      for (const entry of pictures.values()) entry.rows = 0;
    },
  };
}
