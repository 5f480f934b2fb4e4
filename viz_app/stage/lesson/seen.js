// Which rows of a map a lesson has shown already: they stay so where a later step asks about others. Pure.

const OF_ROWS = ["row", "cell"];
const NONE_OF_MAP = /^(v|lesson|at|stepping|by|view|cell_\w+)$/; // what a link says beside the numbers of a map

/** What the numbers of a map that a link shows depend on. @param {string} link */
function mapOf(link) {
  const said = new URLSearchParams(link.replace(/^.*#/, ""));
  return JSON.stringify([...said].filter(([name]) => !NONE_OF_MAP.test(name)).sort());
}

/**
 * The rows that the steps before one covered and then showed, of the map that this one is about.
 * @param {LessonStep[]} steps
 * @param {number} at the step, counted from 0
 * @param {Pick<LessonNote, "isOpen">[]} notes
 * @returns {number[]}
 */
export function rowsSeen(steps, at, notes) {
  const map = mapOf(steps[at].link);
  return steps.slice(0, at).flatMap(({ link, cover, point }, i) => (notes[i]?.isOpen && cover.includes("row") && mapOf(link) === map
    ? point.filter(({ kind }) => OF_ROWS.includes(kind)).flatMap(({ query }) => query ?? []) : []));
}

/**
 * The places of a step that its cover lies on: rows that were seen are left out, unless nothing were covered then.
 * @param {Pick<LessonStep, "point">} step
 * @param {string} kind that of the cover
 * @param {number[]} [seen] rows
 */
export function coveredPlaces({ point }, kind, seen = []) {
  const places = point.filter((place) => place.kind === kind || (kind === "row" && place.kind === "cell"));
  const unseen = places.filter(({ query }) => kind !== "row" || typeof query !== "number" || !seen.includes(query));
  return unseen.length > 0 ? unseen : places;
}
