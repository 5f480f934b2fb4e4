// How much room the drawing of the model needs; see plan.js.

import { predicts, siteOf, SITES, sitesOf } from "../../../stage/anatomy.js";

export const COLUMN = 150; // CSS pixels at the normal type size, all of these
export const BETWEEN = 62; // for the arrows of keys and values
export const TOKENS = 15; // a line of tokens, below and above
export const NORM = 2; // the strip that stands for a norm
export const GAP = 1;
export const LAYER_GAP = 4;
export const LEAST_BLOCK = 12; // what its words need
export const MOST_BLOCK = 22;
const NOTES = 165; // the least width of the three lines beside it

/** The blocks of a layer, in the order in which data passes.
 * @type {Record<string, [string, ?Site][]>} */
export const PARTS_OF_LAYER = {
  encoder: [["self", "encoder"], ["feed_forward", null]],
  decoder: [["self", "decoder"], ["cross", "cross"], ["feed_forward", null]],
};

/**
 * The height that the drawing needs with blocks of a height.
 * @param {Model} model
 * @param {number} block
 */
export function heightWith(model, block) {
  const of = (/** @type {number} */ layers, /** @type {number} */ parts) =>
    layers * (parts * (block + NORM + GAP) + LAYER_GAP);
  return Math.max(of(siteOf(model, "encoder").layers, PARTS_OF_LAYER.encoder.length),
    of(siteOf(model, "decoder").layers, PARTS_OF_LAYER.decoder.length)) + 2 * TOKENS;
}

/** The least height at which the words of the blocks can be read. @param {Model} model */
export const leastHeight = (model) => heightWith(model, LEAST_BLOCK);

/**
 * The height that the drawing needs beside its notes, in CSS pixels; null where it has no place.
 * @param {Model} model
 * @param {number} width
 * @param {number} unit
 */
export function heightOfPlan(model, width, unit) {
  const fits = predicts(model) && sitesOf(model).length === SITES.length // it is drawn of both stacks
    && width >= (2 * COLUMN + BETWEEN + NOTES) * unit;
  return fits ? leastHeight(model) * unit : null;
}
