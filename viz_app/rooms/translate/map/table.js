// The large map as a table: every number, for reading, copying and screen readers.

import { threeDigits } from "../../../stage/draw/numbers.js";
import { labelsOf } from "../../../stage/draw/labels.js";
import { hide, make, makeDiffers, nearest } from "../../../stage/page/elements.js";
import { editsNamed } from "../../../stage/page/whatif/groups.js";

/**
 * Scrolls the table's own box only, never the page; the head line stays above the row.
 * @param {HTMLElement} element
 * @param {HTMLElement} top
 * @param {HTMLElement} row
 */
function bringIntoView(element, top, row) {
  const head = top.offsetHeight;
  const over = row.offsetTop + row.offsetHeight - element.scrollTop - element.clientHeight;
  if (over > 0) element.scrollTop += over + 4;
  else if (row.offsetTop < element.scrollTop + head) element.scrollTop = row.offsetTop - head;
}

/** The head of a row or a column. @param {Label} token @param {string} scope */
function labelled({ label, kind, lead }, scope) {
  return make("th", { scope, data: { kind } }, [
    lead === undefined ? null : make("span", { class: "lead", text: `${lead} → `, dir: "auto" }),
    make("span", { text: label, dir: "auto", title: label })]);
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {function(?GridPlace): void} point
 * @param {function(number, number): void} keep
 */
export function makeTable(t, { state }, point, keep) {
  const table = make("table", { class: "weights" });
  const element = make("div", { class: "table-box", tabindex: "0", role: "region",
    "aria-label": t("view_table") }, [table]);
  const [isOther, isOtherScheme] = [makeDiffers(), makeDiffers()];
  /** @type {HTMLElement[]} */
  let rows = [];
  /** @type {HTMLElement[][]} */
  let cells = [];
  /** @type {?number} */
  let followed = null; // the row last brought into view

  table.addEventListener("pointerover", (event) => {
    const cell = nearest(event, "td[data-query]");
    if (cell) point({ row: Number(cell.dataset.query), column: Number(cell.dataset.key) });
  });
  table.addEventListener("click", (event) => {
    const cell = nearest(event, "td[data-key]");
    if (cell) keep(Number(cell.dataset.query), Number(cell.dataset.key));
  });
  table.addEventListener("pointerleave", () => point(null));

  /** @param {import("./map.js").MapFrame} frame */
  function build(frame) {
    const { source, recipe } = frame.run;
    const changed = editsNamed(t, recipe.edits ?? [], source, labelsOf(source, false, state.spelled, t));
    const head = make("tr", {}, [
      make("td", { class: "axes" }, [
        make("span", { text: frame.rows.title }), make("span", { text: frame.columns.title }),
      ]),
      ...frame.columns.labels.map((label) => labelled(label, "col")),
    ]);
    cells = [];
    rows = frame.rows.labels.map((label, query) => {
      cells.push(frame.columns.labels.map((_, key) => {
        const weight = frame.weight(query, key);
        return make("td", weight === null
          ? { class: "masked", text: "–", title: t("masked"), data: { query, key } }
          : { text: threeDigits(weight), data: { query, key } });
      }));
      return make("tr", {}, [labelled(label, "row"), ...cells[query]]);
    });
    table.replaceChildren(
      make("caption", { text: [frame.title, ...changed].join(" · ") }),
      make("thead", {}, [head]),
      make("tbody", {}, rows),
    );
  }

  return {
    element,
    /** @param {import("./map.js").MapFrame} frame @param {Palette} palette @param {number} scheme */
    update(frame, palette, scheme) {
      const fresh = isOther(...frame.key, frame.rows.labels, frame.columns.labels, frame.rows.title);
      if (fresh) build(frame);
      if (isOtherScheme(scheme) || fresh) {
        // A thin mark in the scale's colour under each number; the number says the same in words.
        cells.forEach((line, query) => line.forEach((cell, key) => {
          const share = (frame.weight(query, key) ?? 0) / frame.limit;
          if (frame.kind === "weight" && share >= 0.02) {
            cell.style.setProperty("--weight", palette.of(share));
          }
        }));
      }
      rows.forEach((row, query) => {
        hide(row, query >= frame.rows.count);
        row.classList.toggle("current", query === frame.current);
      });
      if (frame.current !== followed) {
        followed = frame.current;
        if (followed !== null) bringIntoView(element, /** @type {HTMLElement} */ (table.tHead), rows[followed]);
      }
    },
  };
}
