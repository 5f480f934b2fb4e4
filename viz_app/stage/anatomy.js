// What a model is made of, as the server says it once with the model. Pure: knows no page.
//
// A site whose rows are the target's has one row per step; one whose rows are the source's has all
// of them from the start.

/** All the sites there are, in the order of the tabs; a model has some of them.
 * @type {Site[]} */
export const SITES = ["encoder", "decoder", "cross"];

/** The name of the model that this is at some update of its training. @param {Model} model */
export const wholeOf = ({ of, name }) => of ?? name;

/** The name of the sub-layer of a site, such as decoder.1.cross. @param {Site} site @param {number} layer counts from 0 */
export const sublayerOf = (site, layer) =>
  `${site === "encoder" ? site : "decoder"}.${layer + 1}.${site === "cross" ? site : "self"}`;

/**
 * The anatomy of a site; undefined where the model has no such site.
 * @param {{anatomy: Anatomy}} of a model, or a run of it
 * @param {Site} site
 */
export const siteOf = ({ anatomy }, site) =>
  /** @type {SiteShape} */ (anatomy.sites.find((one) => one.site === site));

/** The sites of a model, in the order of the tabs. @param {{anatomy: Anatomy}} of @returns {Site[]} */
export const sitesOf = ({ anatomy }) => anatomy.sites.map(({ site }) => site);

/** Whether a model has a site. @param {{anatomy: Anatomy}} of @param {Site} site */
export const hasSite = (of, site) => siteOf(of, site) !== undefined;

/**
 * Why a room is not for the model at hand, as a code; null where it is. Where trainings are begun, one can be
 * watched beside a model of their kind of which nothing was kept.
 * @param {Pick<State, "model" | "options">} state
 * @param {string} room
 */
export function lackOf({ model, options: { trains } }, room) {
  const code = model.lacking[room] ?? null;
  return code === "history" && trains && model.languages.join() === trains.languages.join() ? null : code;
}

/** Whose tokens the rows of a site are. @param {{anatomy: Anatomy}} of @param {Site} site */
export const rowsOf = (of, site) => siteOf(of, site).rows;

/** Whose tokens the columns of a site are. @param {{anatomy: Anatomy}} of @param {Site} site */
export const columnsOf = (of, site) => siteOf(of, site).columns;

/**
 * Whether a model predicts tokens; weights that came without their model do not.
 * @param {{anatomy: Anatomy}} of
 */
export const predicts = ({ anatomy }) => anatomy.predicts;

/**
 * Whether the rows of a site are steps; else all of them are there at once.
 * @param {{anatomy: Anatomy}} of
 * @param {Site} site
 */
export const isStepped = (of, site) => predicts(of) && rowsOf(of, site) === "target";

/**
 * Whether a site attends to the very tokens that attend.
 * @param {{anatomy: Anatomy}} of
 * @param {Site} site
 */
export const isSelf = (of, site) => rowsOf(of, site) === columnsOf(of, site);

/**
 * Whether a model writes: then there are steps, and candidates at each.
 * @param {{anatomy: Anatomy}} of
 */
export const writes = (of) => sitesOf(of).some((site) => isStepped(of, site));

/** Whether a model reads a source beside what it writes. @param {{anatomy: Anatomy}} of */
export const readsSource = ({ anatomy }) => anatomy.sites.some(({ rows, columns }) =>
  rows === "source" || columns === "source");

/** Whether a model has a target. @param {{anatomy: Anatomy}} of */
export const hasTarget = (of) => sitesOf(of).some((site) => rowsOf(of, site) === "target");
