// What the large map needs and the page has not: the rows of one head of a large decoding, and the
// numbers of other readings; asked for when they are looked at.

import { singlesFromBase64 } from "../../../stage/run/wire.js";
import { hasRows, rowsKey } from "../../../stage/run/run.js";
import { holdReading, readingToAsk } from "../../../stage/run/readings.js";

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
 * Asks for what is missing, or takes it over; gives whether it is here.
 * @param {Ask} ask
 * @param {function(): void} failed called where another reading could not be had
 * @returns {function(Run, NonNullable<ReturnType<typeof missingOf>>): boolean}
 */
export function makeRowAsker(ask, failed) {
  let isReading = false; // whether a reading is asked for, and no rows
  const question = ask({ failed: () => { if (isReading) failed(); } });
  return (run, missing) => {
    isReading = missing.reading !== undefined;
    const answer = question.of({ recipe: run.recipe, ...missing });
    if (answer?.rows) {
      const { site, layer = 0, head = 0 } = missing;
      run.held.set(rowsKey(site, layer, head), singlesFromBase64(answer.rows));
    } else if (answer) holdReading(run, missing, answer);
    return answer !== null;
  };
}
