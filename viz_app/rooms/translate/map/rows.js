// What the large map needs and the page has not: the rows of one head of a large decoding, and the
// numbers of other readings; asked for when they are looked at.

import { singlesFromBase64 } from "../../../stage/run/decode.js";
import { hasRows, rowsKey } from "../../../stage/run/run.js";
import { holdReading, readingToAsk } from "./readings.js";

/**
 * What of a head is not here: rows first, then a reading; null where all is.
 * @param {Run} run
 * @param {Site} site
 * @param {Head} head
 * @param {string} reading
 * @returns {?{site: Site, layer?: number, head?: number, reading?: string}}
 */
export function missingOf(run, site, head, reading) {
  const needsRows = reading === "weights" || reading === "norms";
  if (needsRows && !hasRows(run, site, head)) return { site, layer: head.layer, head: head.head };
  return readingToAsk(run, site, head, reading);
}

/**
 * @param {Ask} ask
 * @param {Redraw} redraw
 * @param {function(): void} failed
 * @returns {function(Run, NonNullable<ReturnType<typeof missingOf>>): void}
 */
export function makeRowAsker(ask, redraw, failed) {
  let asked = ""; // what is under way
  return async (run, missing) => {
    const key = JSON.stringify([missing, run.recipe]);
    if (key === asked) return;
    asked = key;
    const answer = await ask({ recipe: run.recipe, ...missing });
    if (answer?.rows) {
      const { site, layer = 0, head = 0 } = missing;
      run.held.set(rowsKey(site, layer, head), singlesFromBase64(answer.rows));
    } else if (answer) holdReading(run, missing, answer);
    if (asked !== key) return;
    if (answer || missing.reading) asked = "";
    if (!answer && missing.reading) failed();
    redraw.now();
  };
}
