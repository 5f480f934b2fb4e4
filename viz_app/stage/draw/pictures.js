// One small off-screen picture per head, one pixel per cell. Scrubbing only clips them: no weight
// is coloured twice.

import { columnsOf, isStepped } from "../anatomy.js";
import { keyCount, maskedBecause, queryCount, rowOfWeights } from "../run/run.js";

/**
 * The small picture of a head of a large decoding, as it was sent.
 * @param {Map<string, any>} pictures
 * @param {Run} run
 * @param {Head & {site: Site}} place
 * @param {Palette} palette
 * @returns {HTMLCanvasElement}
 */
function smallOf(pictures, run, { site, layer, head }, palette) {
  const key = `small ${site} ${layer} ${head}`;
  const { cells, height, width } = /** @type {any} */ (run.summed)[site];
  let entry = pictures.get(key);
  if (!entry) {
    entry = { canvas: document.createElement("canvas"), rows: 0, grows: false };
    pictures.set(key, entry);
  }
  if (entry.rows === height && entry.cells === cells) return entry.canvas;
  Object.assign(entry, { cells, rows: height });
  Object.assign(entry.canvas, { width, height });
  const image = new ImageData(width, height);
  const first = (layer * run.heads[site] + head) * height * width;
  for (let i = 0; i < height * width; i += 1) {
    const part = 3 * cells[first + i];
    image.data.set([palette.parts[part], palette.parts[part + 1], palette.parts[part + 2], 255],
      4 * i);
  }
  entry.canvas.getContext("2d").putImageData(image, 0, 0);
  return entry.canvas;
}

/**
 * @param {any} entry
 * @param {Run} run
 * @param {Site} site
 * @param {number} layer
 * @param {number} head
 * @param {Palette} palette
 * @param {any} until
 */
function paintRows(entry, run, site, layer, head, palette, until) {
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
      const part = 3 * Math.max(0, Math.min(255, Math.round(255 * row[key])));
      pixels[at] = palette.parts[part];
      pixels[at + 1] = palette.parts[part + 1];
      pixels[at + 2] = palette.parts[part + 2];
      pixels[at + 3] = 255;
    }
  }
  entry.canvas.getContext("2d").putImageData(image, 0, from);
  entry.rows = until;
}

/** @returns {{of: function, small: function, keep: function, clear: function}} */
export function makePictures() {
  const pictures = new Map(); // "site layer head" -> {canvas, rows}

  const own = {
    /**
     * For a small place: the picture itself, or the one that was sent of a large decoding.
     * @param {Run} run
     * @param {Site} site
     * @param {number} layer
     * @param {number} head
     * @param {Palette} palette
     */
    small: (run, site, layer, head, palette) => (run.summed
      ? smallOf(pictures, run, { site, layer, head }, palette)
      : own.of(run, site, layer, head, palette)),
    /**
     * The picture of a head; all rows that exist are painted. Canvases are reused for ever.
     * @param {Run} run
     * @param {Site} site
     * @param {number} layer
     * @param {number} head
     * @param {Palette} palette
     */
    of(run, site, layer, head, palette) {
      const key = `${site} ${layer} ${head}`;
      let entry = pictures.get(key);
      if (!entry) {
        entry = { canvas: document.createElement("canvas"), rows: 0 };
        pictures.set(key, entry);
      }
      const height = isStepped(run, site) ? run.capacity : queryCount(run, site);
      const width = isStepped(run, site) && columnsOf(run, site) === "target" ? run.capacity : keyCount(run, site);
      if (entry.canvas.width !== width || entry.canvas.height !== height) {
        entry.canvas.width = width;
        entry.canvas.height = height;
        entry.rows = 0;
      }
      entry.grows = isStepped(run, site);
      const until = queryCount(run, site);
      if (entry.rows === 0 && until > 0) {
        entry.canvas.getContext("2d").clearRect(0, 0, width, height);
      }
      if (entry.rows < until) paintRows(entry, run, site, layer, head, palette, until);
      return entry.canvas;
    },
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
  return own;
}
