// Giving a file to the reader: to the browser's downloads, or to the dialog of a window of its own.

import { elementOf, html } from "../page/html.js";
import { bytesFromBase64 } from "../run/wire.js";

/** What saves a file in a window of its own, see viz_app/desktop/window.py. */
export const savesItself = () => /** @type {any} */ (window).pywebview?.api?.save;

/**
 * Gives a file to the reader's downloads, and in a window of its own to the system's dialog; `data`
 * is base64, `text` is text. Whether it was taken.
 * @param {{name: string, type: string, data?: string, text?: string}} file
 */
export async function saveFile({ name, type, data, text }) {
  const save = savesItself();
  if (save) return save(name, data ?? null, text ?? null);
  const bytes = text ?? bytesFromBase64(data ?? "");
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  elementOf(html`<a href=${address} download=${name}></a>`).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return true;
}
