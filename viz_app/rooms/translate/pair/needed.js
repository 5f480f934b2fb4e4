// Which source word a written word needed: the one without which it loses most. Where every character
// counts as a word, characters that are read together are one word here.

import { labelOfWord, quoted } from "../../../stage/draw/labels.js";
import { largestAt, roughly } from "../../../stage/draw/numbers.js";
import { press } from "../../../stage/page/elements.js";
import { html } from "../../../stage/page/html.js";
import { withHidden } from "../../../stage/page/strips.js";
import { heldAs, readingOf } from "../../../stage/run/readings.js";

const LESS = -0.5; // nats
const TOGETHER = 0.1; // of the weight, over all heads, of a character that is read with its neighbours
const PART = 0.3; // of the loss, that the first and the last of them add at least, unless the head reads them

/** @typedef {{places: number[], change: number}} Hidden source tokens that were hidden together, and nats */
/** @typedef {Pick<import("../map/map.js").MapFrame, "rows" | "columns" | "weight">} Seen */

/**
 * What the weight of some source tokens is to some rows, in a reading of the weights.
 * @param {Run} run
 * @param {Head} head
 * @param {string} reading
 * @param {number[]} rows
 */
function weightOf(run, head, reading, rows) {
  const { value } = readingOf(run, "cross", head, reading);
  return (/** @type {number} */ key) => rows.reduce((sum, row) => sum + value(row, key), 0) / rows.length;
}

/** What the loss of some rows is with each run of characters hidden. @param {Run} run @param {number[]} rows @returns {Hidden[]} */
function runsHidden({ held }, rows) {
  /** @type {number[][]} */
  const runs = held.get("runs") ?? [];
  const values = held.get("run_values");
  return runs.map((places, at) => ({ places,
    change: rows.reduce((sum, row) => sum + values[row * runs.length + at], 0) }));
}

/**
 * The characters that are read together and without which some rows lose most: the first and the last are
 * read and add to the loss, each by itself. Null where there are none.
 * @param {Run} run
 * @param {Head} shown
 * @param {number[]} rows
 * @param {Hidden[]} words each hidden alone
 * @returns {?Hidden}
 */
function togetherNeeded(run, shown, rows, words) {
  const runs = runsHidden(run, rows);
  if (runs.length === 0) return null;
  const [read, here] = ["mean_all", "weights"].map((reading) => weightOf(run, shown, reading, rows));
  const all = new Map([...words, ...runs].map(({ places, change }) => [places.join(), change]));
  const isEnd = (/** @type {Hidden} */ { places, change }, /** @type {number} */ end) => {
    const others = all.get(places.filter((place) => place !== end).join()) ?? 0;
    return change <= others + LESS && (change - others <= PART * change || here(end) >= TOGETHER);
  };
  return runs.filter((one) => [one.places[0], one.places[one.places.length - 1]].every((end) =>
    read(end) >= TOGETHER && isEnd(one, end)))
    .reduce((most, one) => (most && most.change <= one.change ? most : one), /** @type {?Hidden} */ (null));
}

/**
 * The source word without which what a row writes loses most, and how many nats; null where that is not
 * known.
 * @param {Run} run
 * @param {Head} shown
 * @param {Seen} frame
 * @param {number} row
 */
export function neededBy(run, shown, frame, row) {
  if (!run.held.has(heldAs("hidden", "cross", 0)) || !frame.rows.tokens[row]) return null;
  const { value, hidden } = readingOf(run, "cross", shown, "hidden");
  const rows = frame.rows.tokens[row].filter((query) => hidden(query, 0) === null);
  if (rows.length === 0) return null;
  /** @type {Hidden[]} */
  const words = run.held.get("words").map((/** @type {number[]} */ places) => ({ places,
    change: rows.reduce((sum, query) => sum + value(query, places[0]), 0) }));
  const alone = words.reduce((most, one) => (one.change < most.change ? one : most), { places: [], change: 0 });
  const together = togetherNeeded(run, shown, rows, words);
  const { places, change } = together && together.change < alone.change ? together : alone;
  return change > LESS ? { word: null, change: 0 } : { word: places, change };
}

/**
 * Whether a source word is what a row is said to look at most, in the reading of the map.
 * @param {Seen} frame
 * @param {number} row
 * @param {number[]} word its tokens
 */
export function isReadFrom({ columns, weight }, row, word) {
  const weights = Array.from({ length: columns.count }, (_, column) => Math.abs(weight(row, column) || 0));
  return columns.tokens[largestAt(weights)].some((token) => word.includes(token));
}

/**
 * What a written word needed, in a sentence that leads to the word hidden.
 * @param {Words} t
 * @param {Session} session
 * @param {Seen} frame
 * @param {number} row
 * @param {{word: ?number[], change: number}} needed
 * @param {Label[]} source
 */
export function neededSaid(t, { state, actions }, frame, row, { word, change }, source) {
  const written = quoted(frame.rows.labels[row].label);
  if (!word) return html`<span class="pair-needed">${t("needed_after")}${t("sentences_between")}${t("needed_nothing", { written })}</span>`;
  const times = Math.exp(-change);
  const said = { word: quoted(labelOfWord(word.map((place) => source[place]))), written, times: roughly(times), share: roughly(100 / times) };
  const lost = t(times < 10 ? "needed_less_few" : times > 1e6 ? "needed_less_far" : "needed_less", said);
  const after = isReadFrom(frame, row, word) ? t("needed_after") : t("needed_more", said);
  return html`<span class="pair-needed">${after}${t("sentences_between")}<span class="pair-whole">${actions.canEdit("hide") ? html`
    <button type="button" class="as-link" title=${t("needed_hide_hint", said)} data-act="hide-needed"
      @click=${press(() => actions.edit(withHidden(state, word)))}>${t("needed_hide", said)}</button>`
    : t("needed_hide", said)}${lost[0]}</span>${lost.slice(1)}</span>`;
}
