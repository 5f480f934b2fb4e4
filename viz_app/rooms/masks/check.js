// The checker of the room Masks: what leaked, in words, and how far the predictions moved.

import { labelsOf, quoted } from "../../stage/draw/labels.js";
import { shareText, shortProbability, threeDigits } from "../../stage/draw/numbers.js";
import { make, makeButton } from "../../stage/page/elements.js";

const MASKS_MOST_NAMED = 4; // rows that a sentence names before it only counts them

/** A token in a table of the room Masks. */
export function makeMaskToken({ label, kind }) {
  return make("span", { class: "masks-token", text: label, title: label, dir: "auto",
    data: { kind } });
}

function meanOf(list) {
  return list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);
}

/** The largest of an (L, H) table: {layer, head, value}. */
function largestHead(table_LH) {
  let best = { layer: 0, head: 0, value: -1 };
  table_LH.forEach((row, layer) => row.forEach((value, head) => {
    if (value > best.value) best = { layer, head, value };
  }));
  return best;
}

/** A share of attention; what would round to 0 or 1 without being it says so. */

/** The rows that a sentence is about, in words. */
function rowsText(rows, labels, t) {
  const names = rows.slice(0, MASKS_MOST_NAMED).map((row) => `“${quoted(labels[row].label)}”`);
  if (rows.length === 1) return t("masks_check_rows_one", { label: quoted(labels[rows[0]].label) });
  if (rows.length > MASKS_MOST_NAMED) names.push("…");
  return t("masks_check_rows_many", { n: rows.length, labels: names.join(t("masks_comma")) });
}

/**
 * The findings, each {text, alarm, head}: `head` is {layer, head} where one stands out.
 * @param {Object} answer of the server (viz_app/rooms/masks.py)
 * @param {{layer: number, head: number}} lock the head on the screen
 */
function findingsOf(answer, axes, lock, t) {
  const { breaks, leaks, site } = answer;
  const intact = breaks.causal === "intact" && breaks.pads === "intact";
  const found = [];
  const leak = (name, table) => {
    const most = largestHead(table);
    if (most.value <= 0) return false;
    const values = { mean: shareText(meanOf(table.flat())),
      here: shareText(table[lock.layer][lock.head]) };
    found.push({ text: t(`masks_check_${name}`, values), alarm: true,
      head: { ...most, text: t("masks_check_most",
        { layer: most.layer + 1, head: most.head + 1, most: shareText(most.value) }) } });
    return true;
  };
  if (intact && answer.empty.length === 0) {
    found.push({ text: t("masks_check_nothing"), alarm: false });
  } else {
    if (!leak("pads", leaks.on_pads)) {
      const none = !axes.columns.some(({ kind }) => kind === "pad");
      const after = site === "decoder" && breaks.pads !== "intact";
      found.push({ alarm: false, text: t(none ? "masks_check_pads_none"
        : after ? "masks_check_pads_after" : "masks_check_pads_zero") });
    }
    if (site === "decoder" && !leak("future", leaks.on_future)) {
      found.push({ text: t("masks_check_future_zero"), alarm: false });
    }
  }
  const empty = answer.empty.filter((row) => !answer.uniform.includes(row));
  if (empty.length) {
    found.push({ text: t("masks_check_empty", { rows: rowsText(empty, axes.rows, t) }),
      alarm: true });
  }
  if (answer.uniform.length) {
    const keys = axes.columns.length;
    found.push({ alarm: true, text: t("masks_check_uniform", { keys,
      rows: rowsText(answer.uniform, axes.rows, t), part: threeDigits(1 / keys) }) });
  }
  if (breaks.fill === "finite" && answer.empty.length === 0) {
    found.push({ text: t("masks_check_fill"), alarm: false });
  }
  const { most, mean, changed, positions } = movedBy([answer.changes[answer.shown]]);
  found.push(most === 0 ? { text: t("masks_check_same"), alarm: false }
    : { alarm: true, text: t("masks_check_change",
      { most: shareText(most), mean: shareText(mean), changed, positions }) });
  const rest = movedBy(answer.changes.filter((_, index) => index !== answer.shown));
  if (rest.most > 0) {
    found.push({ alarm: true, text: t("masks_check_others", { ...rest,
      most: shareText(rest.most) }) });
  }
  return found;
}

/** How far the predictions of some sentences moved, taken together. */
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

export function makeMasksCheck(t, { showHead }) {
  const list = make("ul", { class: "masks-findings", "aria-live": "polite" });
  const table = make("table", { class: "masks-predictions" });
  const element = make("section", { class: "masks-check", "aria-label": t("masks_check") }, [
    make("h3", { text: t("masks_check") }), list,
    make("div", { class: "masks-table-box" }, [table]),
  ]);
  let found = [];
  let built = { said: "", answer: null, spelled: null }; // what the page was built from

  function finding({ text, alarm, head }) {
    return make("li", { class: alarm ? "alarm" : "calm" }, [
      make("span", { text }),
      head ? makeButton({ class: "masks-link", text: head.text, title: t("masks_check_most_hint") },
        () => showHead(head.layer, head.head)) : null,
    ]);
  }

  function best(label, probability) {
    return make("td", {}, [makeMaskToken(label),
      make("small", { text: shortProbability(probability) })]);
  }

  function fill(answer, spelled) {
    const change = answer.changes[answer.shown];
    const fed = labelsOf(answer.batch[answer.shown].fed, true, spelled, t);
    const own = labelsOf(change.intact, false, spelled, t);
    const now = labelsOf(change.broken, false, spelled, t);
    const broken = Object.values(answer.breaks).some((part) => !/^(intact|infinite)$/.test(part));
    const names = ["masks_after", "masks_own_best",
      ...(broken ? ["masks_broken_best", "masks_distance"] : [])];
    table.replaceChildren(
      make("caption", { text: t("masks_predictions") }),
      make("thead", {}, [make("tr", {}, names.map((name) =>
        make("th", { scope: "col", text: t(name) })))]),
      make("tbody", {}, change.distance.map((distance, i) => {
        const bar = make("i", { class: "masks-moved" });
        bar.style.setProperty("--part", String(Math.min(1, distance)));
        const changed = change.intact.ids[i] !== change.broken.ids[i];
        return make("tr", { class: changed ? "changed" : null }, [
          make("th", { scope: "row" }, [makeMaskToken(fed[i])]),
          best(own[i], change.intact_probability[i]),
          ...(broken ? [best(now[i], change.broken_probability[i]),
            make("td", { class: "masks-distance" }, [bar,
              make("span", { text: shareText(distance) })])] : []),
        ]);
      })));
  }

  return {
    element,
    update(answer, axes, lock, spelled) {
      found = findingsOf(answer, axes, lock, t);
      const said = JSON.stringify(found);
      if (said !== built.said) list.replaceChildren(...found.map(finding));
      if (answer !== built.answer || spelled !== built.spelled) fill(answer, spelled);
      built = { said, answer, spelled };
    },
    drawn: () => ({
      findings: found.map(({ text }) => text),
      table: [...table.rows].map((row) => [...row.cells].map((cell) => cell.innerText)),
    }),
  };
}
