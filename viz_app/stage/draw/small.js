// A map so small that it has neither labels nor numbers: a rectangle a cell.

import { sizedContext } from "./canvas.js";

/**
 * @param {HTMLCanvasElement} canvas
 * @param {number[]} counts rows and columns
 * @param {number[]} size width and height in CSS pixels
 * @param {function(number, number): ?string} colourAt of a row and a column; null: nothing is there
 */
export function paintSmallMap(canvas, [rows, columns], [width, height], colourAt) {
  const context = sizedContext(canvas, width, height);
  context.clearRect(0, 0, width, height);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const colour = colourAt(row, column);
      if (colour === null) continue;
      context.fillStyle = colour;
      context.fillRect((column * width) / columns, (row * height) / rows, width / columns, height / rows);
    }
  }
}
