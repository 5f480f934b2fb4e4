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
