// What breaking a mask leads to, as facts of a few words each, and the banner that says them.

import { quoted } from "../../stage/draw/labels.js";
import { shareText, threeDigits } from "../../stage/draw/numbers.js";
import { make, makeButton, makeDiffers } from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/glossary.js";
import { opensOrHides } from "./breaks.js";

const MASKS_MOST_NAMED = 4; // rows that a sentence names before it only counts them
const MASKS_FEW = 3; // facts that fit beside each other in full sentences

/**
 * What there is to say, and how: "fine" is ticked, and was measured here under the model's own masks.
 * `brief`: the same, where there are many facts in one line. `head` is there where one stands out,
 * `where` where another attention shows more.
 * @typedef {{lead: string, more: string, kind: "fine" | "plain" | "alarm",
 *   brief?: {lead: string, more: string}, head?: Head & {text: string},
 *   where?: {text: string, site: Site, shown: number}}} Fact
 * @typedef {{rows: GridLabel[], columns: GridLabel[]}} Axes
 */

/** @param {number[]} list */
function meanOf(list) {
  return list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);
}

/** The largest of an (L, H) table. @param {number[][]} table_LH */
function largestHead(table_LH) {
  let best = { layer: 0, head: 0, value: -1 };
  table_LH.forEach((row, layer) => row.forEach((value, head) => {
    if (value > best.value) best = { layer, head, value };
  }));
  return best;
}

/**
 * The rows that a sentence is about, in words.
 * @param {number[]} rows
 * @param {GridLabel[]} labels
 * @param {Words} t
 */
function rowsText(rows, labels, t) {
  const names = rows.slice(0, MASKS_MOST_NAMED).map((row) => `“${quoted(labels[row].label)}”`);
  if (rows.length === 1) return t("masks_check_rows_one", { label: quoted(labels[rows[0]].label) });
  if (rows.length > MASKS_MOST_NAMED) names.push("…");
  return t("masks_check_rows_many", { n: rows.length, labels: names.join(t("list_between")) });
}

/**
 * The same in brief: several rows are only counted.
 * @param {number[]} rows
 * @param {GridLabel[]} labels
 * @param {Words} t
 */
function countText(rows, labels, t) {
  return rows.length === 1 ? rowsText(rows, labels, t)
    : t("masks_check_rows_count", { n: rows.length });
}

/**
 * How far the predictions of some sentences moved, taken together.
 * @param {MasksAnswer["changes"]} changes
 */
function movedBy(changes) {
  const distances = changes.flatMap((change) => change.distance);
  return {
    most: Math.max(0, ...distances),
    mean: meanOf(distances),
    changed: changes.reduce((sum, { intact, broken }) =>
      sum + intact.ids.filter((id, i) => id !== broken.ids[i]).length, 0),
    positions: distances.length,
  };
}

/**
 * Whether the mask of pads lets some token look at a pad, whatever it gets.
 * @param {Pick<BatchHeld, "masks">} answer
 * @param {Axes} axes
 */
export function opensPads({ masks }, { rows, columns }) {
  return masks.pad.some((row, q) => rows[q].kind !== "pad"
    && columns.some(({ kind }, k) => kind === "pad" && row[k] === "1"));
}

/**
 * Whether a causal mask, where there is one, is the usual triangle.
 * @param {Pick<BatchHeld, "masks">} answer
 */
const isTriangle = ({ masks: { causal } }) => causal === null
  || causal.every((row, q) => [...row].every((cell, k) => (cell === "1") === (k <= q)));

/**
 * The key of the words that say what to look at, where they are so; null where they are not.
 * @param {BatchHeld} answer
 * @param {Axes} axes
 */
export const triesOf = (answer, axes) =>
  (opensPads(answer, axes) || !isTriangle(answer) ? null : `masks_see_${answer.site}`);

/**
 * What of the reading lies where it must not: pads, and what comes later.
 * @param {BatchHeld} answer
 * @param {Axes} axes
 * @param {Head} lock
 * @param {Words} t
 * @returns {Fact[]}
 */
function leaksOf({ breaks, leaks, verdicts, elsewhere, masks }, axes, lock, t) {
  const tables = Object.entries({ pads: leaks.on_pads, future: leaks.on_future });
  /** @type {Fact[]} */
  const facts = tables.flatMap(([name, table]) => {
    const most = largestHead(table);
    if (most.value <= 0) return [];
    const mean = shareText(meanOf(table.flat()));
    return [{ lead: t(`masks_check_${name}`, { mean }), kind: "alarm",
      more: t("masks_check_here", { here: shareText(table[lock.layer][lock.head]) }),
      brief: { lead: t(`masks_check_${name}_brief`, { mean }), more: "" },
      head: { ...most, text: t("masks_check_most",
        { layer: most.layer + 1, head: most.head + 1, most: shareText(most.value) }) } }];
  });
  if (facts.length) return facts;
  const { pads, future } = verdicts;
  // Pads that get nothing though their mask is open owe it to the causal mask.
  const name = pads && opensPads({ masks }, axes) ? "pads_after" : pads && future ? "both"
    : pads ? "pads_zero" : future ? "future_zero" : "pads_none";
  const isWhole = !["pads_after", "pads_none"].includes(name) && elsewhere.length === 0;
  const said = t(`masks_check_${name}`);
  return [{ lead: isWhole ? t("masks_check_nothing", { said }) : said,
    kind: isWhole && !opensOrHides(breaks) ? "fine" : "plain",
    more: name === "pads_after" ? t("masks_check_pads_after_more") : "" }];
}

/**
 * What leaks at another attention than the one on the screen, and the sentence that it moves most.
 * @param {BatchHeld} answer
 * @param {Words} t
 * @returns {Fact[]}
 */
function elsewhereOf({ elsewhere, leaks, changes, shown, batch }, t) {
  if (leaks.on_pads.flat().some((mean) => mean > 0)) return [];
  /** @param {number} index */
  const moved = (index) => Math.max(0, ...changes[index]?.distance ?? []);
  /** @param {number} index */
  const isPadded = (index) => batch[index].source.kinds.includes("pad");
  const worst = batch.reduce((most, _, i) => (isPadded(i) && moved(i) > moved(most) ? i : most), shown);
  return elsewhere.map(({ site, on_pads: mean }) => ({ kind: "alarm",
    lead: t("masks_check_elsewhere", { mean: shareText(mean), site: t(`site_${site}_long`) }), more: "",
    where: { text: t("masks_check_elsewhere_see"), site, shown: worst } }));
}

/**
 * How the predictions moved; nothing where they did not.
 * @param {BatchHeld} answer
 * @param {Words} t
 * @returns {Fact[]}
 */
function movesOf({ changes, shown, site }, t) {
  if (changes.length === 0) return [];
  const { most, mean, changed, positions } = movedBy([changes[shown]]);
  const rest = movedBy(changes.filter((_, index) => index !== shown));
  if (most === 0 && rest.most === 0) return [];
  const farthest = changes.reduce((best, { distance }, i) =>
    (Math.max(0, ...distance) > Math.max(0, ...changes[best].distance) ? i : best), shown);
  const others = changes.length === 1 ? "" : t("masks_check_others",
    { ...rest, most: shareText(rest.most) });
  return [
    { lead: t(changed === 1 ? "masks_check_changed_one" : "masks_check_changed",
      { changed, positions }), more: others, kind: "alarm",
    ...(most === 0 ? { where: { text: t("masks_check_elsewhere_see"), site, shown: farthest } } : {}) },
    { lead: t("masks_check_change", { most: shareText(most) }), kind: "alarm",
      more: t("masks_check_change_more", { mean: shareText(mean) }),
      brief: { lead: t("masks_check_change", { most: shareText(most) }),
        more: t("masks_check_change_brief", { mean: shareText(mean) }) } },
  ];
}

/**
 * @param {BatchHeld} answer
 * @param {Axes} axes
 * @param {Head} lock the head on the screen
 * @param {Words} t
 * @returns {Fact[]}
 */
export function factsOf(answer, axes, lock, t) {
  const { breaks, verdicts } = answer;
  const facts = [...leaksOf(answer, axes, lock, t), ...elsewhereOf(answer, t)];
  const empty = answer.empty.filter((row) => !answer.uniform.includes(row));
  if (empty.length) {
    facts.push({ lead: t("masks_check_empty", { rows: rowsText(empty, axes.rows, t) }),
      more: t("masks_check_empty_more"), kind: "alarm",
      brief: { lead: t("masks_check_empty", { rows: countText(empty, axes.rows, t) }),
        more: t("masks_check_empty_brief") } });
  }
  if (answer.uniform.length) {
    const keys = axes.columns.length;
    facts.push({ lead: t("masks_check_uniform", { rows: rowsText(answer.uniform, axes.rows, t) }),
      more: t("masks_check_uniform_more", { keys, part: threeDigits(1 / keys) }), kind: "alarm",
      brief: { lead: t("masks_check_uniform", { rows: countText(answer.uniform, axes.rows, t) }),
        more: t("masks_check_uniform_brief", { keys, part: threeDigits(1 / keys) }) } });
  }
  if (breaks.includes("finite-mask") && verdicts.fill === "exact") {
    facts.push({ lead: t("masks_check_fill"), more: t("masks_check_fill_more"), kind: "plain" });
  }
  const moves = movesOf(answer, t);
  if (moves.length || !opensOrHides(breaks)) return [...facts, ...moves];
  const same = answer.changes.length ? "masks_check_same" : "masks_check_no_predictions";
  return [...facts, { lead: t(same), more: "", kind: "plain" }];
}

/**
 * The banner over the room: the facts, or what to try while nothing is broken.
 * @param {Words} t
 * @param {{showHead: function(number, number): void, showSite: function(Site, number): void}} acts
 */
export function makeBanner(t, { showHead, showSite }) {
  const list = make("ul", { class: "masks-findings" });
  const see = make("p", { class: "masks-see" });
  const element = make("section", { class: "masks-banner", "aria-label": t("masks_check"),
    "aria-live": "polite" }, [list, see]);
  const isOther = makeDiffers();

  /** @param {Fact} one @param {boolean} isBrief */
  const fact = ({ lead, more, kind, head, where, brief = { lead, more } }, isBrief) => make("li", {
    class: kind, title: isBrief ? `${lead}: ${more}${head?.text ?? ""}` : null }, [
    make("strong", { text: isBrief ? brief.lead : lead }),
    make("small", {}, [make("span", { text: isBrief ? brief.more : more }),
      head ? makeButton({ class: "as-link", text: head.text, title: t("masks_check_most_hint") },
        () => showHead(head.layer, head.head)) : null,
      where ? makeButton({ class: "as-link", text: where.text, data: { act: "masks-elsewhere",
        asks: "", elsewhere: where.site, elsewhereShown: String(where.shown) } },
        () => showSite(where.site, where.shown)) : null]),
  ]);

  return {
    element,
    /**
     * @param {Fact[]} facts
     * @param {?string} tries the key of the words that say what to look at
     * @param {boolean} isSmall whether there is little room
     */
    update(facts, tries, isSmall = false) {
      if (!isOther(JSON.stringify(facts), tries, isSmall)) return;
      list.hidden = facts.length === 0;
      // Two breaks at once have more to say than fits in full.
      list.replaceChildren(...facts.map((one) => fact(one, isSmall || facts.length > MASKS_FEW)));
      element.classList.toggle("alarm", facts.some(({ kind }) => kind === "alarm"));
      // Where the facts need two lines each, they say all there is to say.
      see.hidden = tries === null || facts.some(({ more }) => more !== "");
      see.replaceChildren(...(tries === null ? [] : [makeTermed(t, tries).element]));
    },
    drawn: () => [...list.children].map((one) => one.textContent),
    see: () => see.textContent,
  };
}
