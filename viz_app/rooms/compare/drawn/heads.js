// How far the heads at the same place of both models are apart: a cell a head; a press looks at it.

import { gradientOf } from "../../../stage/draw/palette.js";
import { makeDiffers, press } from "../../../stage/page/elements.js";
import { html, makePart } from "../../../stage/page/html.js";
import { percentText } from "../says.js";

/** @param {Words} t @param {function(Head): void} look */
export function makeCompareHeads(t, look) {
  let pointed = -1; // the head under the pointer; of `heads`, as the chosen one
  /** @param {number} at */
  const point = (at) => () => {
    if (pointed === at) return;
    pointed = at;
    update(...drawn);
  };
  /** @type {[heads?: ArrayLike<number>, H?: number, chosen?: number, palette?: ?Palette]} */
  let drawn = [];
  const { element, update } = makePart((/** @type {ArrayLike<number>} */ heads = [], H = 1, chosen = -1,
    /** @type {?Palette} */ palette = null) => {
    const cells = Array.from(heads, (far, i) => ({ far, place: { layer: Math.floor(i / H), head: i % H } })).map((one) => ({ ...one,
      sentence: t("compare_head", { layer: one.place.layer + 1, head: one.place.head + 1, far: percentText(one.far) }) }));
    const name = (/** @type {string} */ text) => html`<span class="compare-head-name" aria-hidden="true">${text}</span>`;
    return html`
      <section class="compare-heads" aria-label=${t("compare_heads")} ?hidden=${heads.length === 0}>
        <h3>${t("compare_heads")}</h3>
        <p class="compare-heads-scale"><span>0%</span>
          <i class="compare-bar" .style=${palette ? `background: ${gradientOf("weight", palette)}` : ""}></i>
          <span>100%</span><span>${t("compare_heads_scale")}</span></p>
        <div class="compare-heads-grid" .style=${`--heads: ${H}`}>
          ${name("")}${Array.from({ length: H }, (_, at) => name(`H${at + 1}`))}
          ${cells.map(({ far, place, sentence }, i) => html`${i % H ? "" : name(`L${place.layer + 1}`)}
            <button type="button" class="compare-head" title=${sentence} aria-label=${sentence} data-head=${`${place.layer}.${place.head}`}
              aria-pressed=${i === chosen} .style=${`background: ${palette?.of(far)}`} @focus=${point(i)} @pointermove=${point(i)}
              @blur=${point(-1)} @pointerleave=${point(-1)} @click=${press(() => look(place))}></button>`)}</div>
        <p class="compare-heads-said">${cells[pointed < 0 ? chosen : pointed]?.sentence ?? t("compare_heads_press")}</p>
      </section>`;
  });
  const isOther = makeDiffers();
  return {
    element,
    /** @param {CompareHeld} answer @param {Palette} palette */
    update({ heads, places: [{ heads: H, layer, head }, its] }, palette) {
      if (!isOther(heads, its, palette)) return;
      drawn = [heads ?? [], H, its.layer === layer && its.head === head ? layer * H + head : -1, palette];
      update(...drawn);
    },
  };
}
