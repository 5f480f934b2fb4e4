// The best next token at every position of the sentence, under the model's own masks and broken ones.

import { labelsOf } from "../../stage/draw/labels.js";
import { shareText, shortProbability } from "../../stage/draw/numbers.js";
import { make, makeDiffers, onceLaidOut, setText } from "../../stage/page/elements.js";

/** A token in a table of the room Masks. @param {GridLabel} label */
export function makeMaskToken({ label, kind }) {
  return make("span", { class: "kind masks-token", text: label, title: label, dir: "auto",
    data: { kind } });
}

/** @param {GridLabel} label @param {number} probability */
function best(label, probability) {
  return make("td", {}, [makeMaskToken(label),
    make("small", { text: shortProbability(probability) })]);
}

/** @param {Words} t */
export function makeMasksCheck(t) {
  const table = make("table", { class: "masks-predictions" });
  const box = make("div", { class: "masks-table-box", tabindex: "0", role: "group",
    "aria-label": t("masks_predictions") }, [table]);
  const title = make("h3", { text: t("masks_predictions") });
  const element = make("section", { class: "masks-check", "aria-label": t("masks_predictions") },
    [title, box]);
  const isOther = makeDiffers();

  /** @param {BatchHeld} answer @param {boolean} spelled */
  function fill(answer, spelled) {
    const change = answer.changes[answer.shown];
    const isTarget = answer.predicting === "target";
    const { source, fed } = answer.batch[answer.shown];
    const read = labelsOf(isTarget ? fed : source, isTarget, spelled, t);
    setText(title, t(isTarget ? "masks_predictions" : "masks_predictions_at"));
    const own = labelsOf(change.intact, false, spelled, t);
    const now = labelsOf(change.broken, false, spelled, t);
    const broken = answer.breaks.length > 0;
    const names = [isTarget ? "masks_after" : "masks_at", "masks_own_best",
      ...(broken ? ["masks_broken_best", "masks_distance"] : [])];
    table.replaceChildren(
      make("thead", {}, [make("tr", {}, names.map((name) =>
        make("th", { scope: "col", text: t(name) })))]),
      make("tbody", {}, change.distance.map((distance, i) => {
        const bar = make("i", { class: "masks-moved" });
        bar.style.setProperty("--part", String(Math.min(1, distance)));
        const changed = change.intact.ids[i] !== change.broken.ids[i];
        return make("tr", { class: changed ? "changed" : null }, [
          make("th", { scope: "row" }, [makeMaskToken(read[i])]),
          best(own[i], change.intact_probability[i]),
          ...(broken ? [best(now[i], change.broken_probability[i]),
            make("td", { class: "masks-distance" }, [bar,
              make("span", { text: shareText(distance) })])] : []),
        ]);
      })));
  }

  let isFilled = false; // anew

  /** Of a table longer than its place, the first row that changed is in sight. */
  function showChanged() {
    const row = /** @type {?HTMLElement} */ (table.querySelector("tr.changed"));
    const head = table.tHead?.offsetHeight ?? 0;
    const over = row ? row.offsetTop + row.offsetHeight - box.clientHeight : 0;
    box.scrollTop = row && over > 0 ? row.offsetTop - head : 0;
  }

  return {
    element,
    /** @param {BatchHeld} answer @param {boolean} spelled */
    update(answer, spelled) {
      if (answer.changes.length === 0 || !isOther(answer, spelled)) return;
      fill(answer, spelled);
      isFilled = true;
    },
    /** Brings what changed into view, once all is drawn. */
    follow() {
      if (isFilled) onceLaidOut(box, showChanged);
      isFilled = false;
    },
  };
}
