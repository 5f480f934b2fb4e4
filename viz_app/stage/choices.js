// What there is to choose from, printed from Python by
// `python -m tests.javascript.answers`.

/**
 * The places that a head of a site may look at, each a share of its attention.
 * @type {Record<Site, string[]>}
 */
export const HEAD_PLACES = {
  encoder: ["previous", "itself", "next", "first", "end", "marks"],
  decoder: ["previous", "itself", "start", "marks"],
  cross: ["diagonal", "first", "end", "marks"],
};

// Rooms whose query and key are the cell that the page keeps.
export const KEEP_CELL = ["inside"];

/** What each name of a view may be. @type {Record<string, string[]>} */
export const CHOICES = {
  rows: ["fed", "predicted"],
  by: ["words", "pieces"],
  view: ["heat", "lines", "table"],
  reading: ["weights", "norms", "rollout", "mean", "mean_all", "hidden"],
  order: ["place", "entropy", "largest", "previous", "itself", "next", "first", "end", "marks", "start", "diagonal"],
};

/** Weights and differences that are smaller have no digits in their cell. */
export const LEAST_SAID = 0.095;
/** Nor have smaller ones where small ones count: changes in nats, a head that learns, words. */
export const LEAST_SAID_FINELY = 0.05;
/** Where on the scale of weights the colour of an open cell of a mask is. */
export const OPEN_SHARE = 0.14;

/**
 * The groups of the menu "What if", and the kinds of edits in each with what may follow the name.
 * @type {Record<string, Record<string, string[]>>}
 */
export const EDITS = {
  words: {"hide": ["token"], "zero-value": ["token", "token.site.layer.head"]},
  head: {"head-off": ["site.layer.head"], "head-mean": ["site.layer.head"], "sublayer-off": ["encoder.layer.part", "decoder.layer.part"]},
  sees: {"no-positions": [], "no-pad-mask": [], "causal-mask": ["none", "ahead", "behind"], "encoder-layer": ["layer"]},
  sums: {"no-scale": [], "no-embedding-scale": [], "dropout": ["seed"]},
  mistakes: {"pads-rows": [], "finite-mask": [], "no-transpose": [], "no-split-transpose": []},
};
