// How far the heads at the same place of both models are apart: a cell a head; a press looks at it.

import { shareText } from "../../../stage/draw/numbers.js";
import { make, makeButton, setTrait } from "../../../stage/page/elements.js";

/**
 * @param {Words} t
 * @param {function(Head): void} look
 */
export function makeCompareHeads(t, look) {
  const grid = make("div", { class: "compare-heads-grid" });
  const element = make("section", { class: "compare-heads", "aria-label": t("compare_heads") },
    [make("h3", { text: t("compare_heads") }), grid]);
  /** @type {any[]} */
  let built = [];
  /** @type {HTMLButtonElement[]} */
  let cells = [];

  return {
    element,
    /**
     * @param {any} answer `heads` as numbers, null where the models differ in their heads
     * @param {any} palette
     */
    update(answer, palette) {
      const { heads, places: [{ heads: H, layer, head }] } = answer;
      element.hidden = heads === null;
      if (heads === null) return;
      if (built[0] !== answer || built[1] !== palette) {
        built = [answer, palette];
        grid.style.setProperty("--heads", H);
        cells = Array.from(heads, (far, i) => {
          const place = { layer: Math.floor(i / H), head: i % H };
          const said = t("compare_head", { layer: place.layer + 1, head: place.head + 1,
            far: shareText(far) });
          const cell = makeButton({ class: "compare-head", title: said, "aria-label": said,
            data: { head: `${place.layer}.${place.head}` } }, () => look(place));
          cell.style.background = palette.of(far);
          return cell;
        });
        grid.replaceChildren(...cells);
      }
      cells.forEach((cell, i) => setTrait(cell, "aria-pressed", i === layer * H + head));
    },
    drawn: () => (element.hidden ? null : Array.from(built[0].heads)),
  };
}
