// The rows of one head of a large decoding, asked for when the head is looked at.

import { singlesFromBase64 } from "../../../stage/run/decode.js";
import { rowsKey } from "../../../stage/run/run.js";

/**
 * @param {function(any): Promise<any>} ask
 * @param {Redraw} redraw
 * @returns {function(State, Head): void}
 */
export function makeRowAsker(ask, redraw) {
  let asked = ""; // what is under way
  return async ({ run, site }, { layer, head }) => {
    const key = `${rowsKey(site, layer, head)} ${JSON.stringify(run.recipe)}`;
    if (key === asked) return;
    asked = key;
    const answer = await ask({ recipe: run.recipe, site, layer, head });
    if (answer) run.held.set(rowsKey(site, layer, head), singlesFromBase64(answer.rows));
    if (asked === key && answer) asked = "";
    redraw.now();
  };
}
