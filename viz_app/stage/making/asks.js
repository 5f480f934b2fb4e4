// What a step of one's own can ask of a view, and what it can cover there: closed lists. Each question
// says how its answer is computed, in the language of the lessons; the server computes it. Pure.

/**
 * Where the page is: what questions are about.
 * @typedef {{room: string, site: string, layer: number, head: number, row: number, cell: ?{query: number, key: number},
 *   isOfSource: boolean, study: ?string}} Place
 * @typedef {{ask: any, cover: string[], point?: any[], values?: Record<string, string>}} Asked
 */

/** What can be covered, by room. @type {Record<string, string[]>} */
const COVERS = {
  translate: ["row", "map", "candidates", "text", "sentence"],
  masks: ["map", "banner", "report", "breaks"],
  positions: ["alike", "banner", "report"],
  inside: ["query", "products", "score", "weights", "carried", "output", "lengths", "lens"],
  heads: ["measured", "distances"],
  compare: ["map", "candidates", "heads", "banner"],
  beam: ["text", "banner", "report"],
  training: ["map", "learnt", "loss", "copied"],
};

/**
 * What of a room a step can cover; a row where it points at one.
 * @param {string} room
 * @param {any} step
 * @param {string[]} kept what it covers already
 */
export function coversOf(room, { point }, kept) {
  const hasRow = Array.isArray(point) && point.some((place) => place?.kind === "row");
  return [...new Set([...(COVERS[room] ?? []).filter((name) => name !== "row" || hasRow), ...kept])];
}

const ROW = ["translate", "inside"]; // where a row of one head is on the screen

/** @param {Place} place */
const headOf = ({ site, layer, head }) => `'${site}', '${layer}.${head}'`;

/** What covers a number of a row. @param {Place} place @returns {Omit<Asked, "ask">} */
const ofRow = ({ room, row }) => (room === "translate"
  ? { cover: ["row", "sentence"], point: [{ kind: "row", query: row }] } : { cover: ["weights"] });

/** @param {Place} place */
const ofCandidates = ({ room }) => ({ cover: COVERS[room]?.includes("candidates") ? ["candidates"] : [] });

/** What covers the token that a step writes; the one before it is named. @param {Place} place */
const ofToken = ({ room, row }) => ({ cover: ["text", "candidates"].filter((one) => COVERS[room]?.includes(one)),
  values: { fed: `fed(${row})` } });

/** The questions by name; null where the view has nothing to ask so. @type {Record<string, function(Place): ?Asked>} */
const ASKS = {
  steps: ({ room }) => ({ ask: { kind: "number", within: 0, answer: "steps()" }, cover: room === "translate" ? ["text"] : [] }),
  darkest: (place) => (!ROW.includes(place.room) || !place.isOfSource ? null : { ...ofRow(place),
    ask: { kind: "choice", tokens: "read_tokens()", answer: `darkest(${headOf(place)}, ${place.row})` } }),
  cell: (place) => (place.room !== "translate" || place.site !== "cross" ? null : { ...ofRow(place),
    ask: { kind: "cell", answer: `cell(${place.row}, darkest(${headOf(place)}, ${place.row}))` } }),
  weight: (place) => (!ROW.includes(place.room) || !place.cell ? null : { ...ofRow({ ...place, row: place.cell.query }),
    ask: { kind: "number", within: 0.05, answer: `weight(${headOf(place)}, ${place.cell.query}, ${place.cell.key})` } }),
  written: (place) => ({ ...ofToken(place), ask: { kind: "token", answer: `written(${place.row})` } }),
  likely: (place) => ({ ...ofToken(place),
    ask: { kind: "choice", tokens: `likely(${place.row})`, answer: `token(${place.row})` } }),
  probability: (place) => ({ ...ofCandidates(place),
    ask: { kind: "number", within: 0.05, answer: `probability(${place.row})` } }),
};

/** The names of all questions. */
export const ASK_NAMES = Object.keys(ASKS);

/** The names of what can be asked at a view. @param {Place} place */
export const asksAt = (place) => ASK_NAMES.filter((name) => ASKS[name](place) !== null);

/** A question, and what covers its answer. @param {string} name @param {Place} place @returns {?Asked} */
export const askNamed = (name, place) => (Object.hasOwn(ASKS, name) ? ASKS[name](place) : null);

/** The name of a question that a file has; null where it is none of these. @param {any} ask */
export function nameOfAsk(ask) {
  const said = [String(ask?.tokens ?? ""), String(ask?.answer ?? "")].join(" ");
  const forms = /** @type {Record<string, RegExp>} */ ({ steps: /^ steps\(\)$/, darkest: /^read_tokens\(\) darkest\([^()]*\)$/,
    written: /^ written\(\d+\)$/, cell: /^ cell\(\d+, darkest\([^()]*\)\)$/, weight: /^ weight\([^()]*\)$/, likely: /^likely\(\d+\) token\(\d+\)$/,
    probability: /^ probability\(\d+\)$/ });
  return Object.keys(forms).find((name) => forms[name].test(said)) ?? null;
}
