// How far the heads at the same place of both models are apart: a cell a head; a press looks at it.

import { gradientOf } from "../../../stage/draw/palette.js";
import { make, makeButton, makeDiffers, setText, setTrait } from "../../../stage/page/elements.js";
import { percentText } from "../says.js";

/** @param {Words} t @param {function(Head): void} look */
export function makeCompareHeads(t, look) {
  const grid = make("div", { class: "compare-heads-grid" });
  const bar = make("i", { class: "compare-bar" });
  const scale = make("p", { class: "compare-heads-scale" }, [make("span", { text: "0%" }), bar,
    make("span", { text: "100%" }), make("span", { text: t("compare_heads_scale") })]);
  const said = make("p", { class: "compare-heads-said" });
  const element = make("section", { class: "compare-heads", "aria-label": t("compare_heads") },
    [make("h3", { text: t("compare_heads") }), scale, grid, said]);
  const isOther = makeDiffers();
  /** @type {HTMLButtonElement[]} */
  let cells = [];
  let [chosen, pointed] = [0, -1]; // which heads: that of both maps, and the one under the pointer
  const tell = () => setText(said, cells[pointed < 0 ? chosen : pointed]?.title
    ?? t("compare_heads_press"));
  const point = (/** @type {number} */ at) => () => {
    pointed = at;
    tell();
  };

  return {
    element,
    /** @param {CompareHeld} answer @param {Palette} palette */
    update(answer, palette) {
      const { heads, places: [{ heads: H, layer, head }, its] } = answer;
      element.hidden = heads === null;
      if (heads === null) return;
      if (isOther(answer, palette)) {
        pointed = -1;
        grid.style.setProperty("--heads", String(H));
        bar.style.background = gradientOf("weight", palette);
        cells = Array.from(heads, (far, i) => {
          const place = { layer: Math.floor(i / H), head: i % H };
          const told = t("compare_head", { layer: place.layer + 1, head: place.head + 1,
            far: percentText(far) });
          const cell = makeButton({ class: "compare-head", title: told, "aria-label": told,
            data: { head: `${place.layer}.${place.head}` }, on: { focus: point(i),
              pointerenter: point(i), blur: point(-1), pointerleave: point(-1) } }, () => look(place));
          cell.style.background = palette.of(far);
          return cell;
        });
        const name = (/** @type {string} */ text) =>
          make("span", { class: "compare-head-name", "aria-hidden": "true", text });
        grid.replaceChildren(name(""), ...Array.from({ length: H }, (_, at) => name(`H${at + 1}`)),
          ...cells.flatMap((cell, i) => (i % H ? [cell] : [name(`L${i / H + 1}`), cell])));
      }
      chosen = its.layer === layer && its.head === head ? layer * H + head : -1;
      cells.forEach((cell, i) => setTrait(cell, "aria-pressed", i === chosen));
      tell();
    },
  };
}
