// What is looked for on this sentence, and the heads that are found: buttons that choose one.

import { sitesOf } from "../../stage/anatomy.js";
import { placeOfHead } from "../../stage/draw/labels.js";
import { threeDigits } from "../../stage/draw/numbers.js";
import { paintSmallMap } from "../../stage/draw/small.js";
import { makeDiffers, press } from "../../stage/page/elements.js";
import { elementOf, html, render } from "../../stage/page/html.js";
import { keyCount, queryCount, rowOfWeights } from "../../stage/run/run.js";
import { briefPlace } from "./numbers.js";
import { FIND_PATTERNS, FIND_SIDE, findHeads, patternsAt, whyNone } from "./find.js";

const FOUND = 8; // heads that are named
const SMALL = 40; // CSS pixels of a picture of a head at the normal type size

/** @type {unknown[]} */
const CELLS = Array.from({ length: FIND_SIDE * FIND_SIDE });

/**
 * The weights of a head on the whole sentence, a rectangle a cell.
 * @param {HTMLCanvasElement} canvas
 * @param {Run} run
 * @param {HeadPlace} head
 * @param {Look} look
 */
function paintHead(canvas, run, { site, layer, head }, { palette, unit }) {
  const rows = Array.from({ length: queryCount(run, site) }, (_, query) => rowOfWeights(run, site, layer, head, query));
  const side = Math.round(SMALL * unit);
  paintSmallMap(canvas, [rows.length, keyCount(run, site)], [side, side], (query, key) => palette.of(rows[query][key] ?? 0));
}

/**
 * What is looked for, and what is found.
 * @param {Words} t
 * @param {{pattern: function(?string): void, cells: function(number[]): void,
 *   choose: function(HeadPlace): void}} acts
 */
export function makeFind(t, acts) {
  const element = elementOf(html`<section class="heads-find" aria-label=${t("heads_find")}></section>`);
  /** @type {ReturnType<typeof findHeads>} */
  let heads = [];
  const isOther = makeDiffers();

  /** @param {number[]} drawn @param {number} at */
  function cell(drawn, at) {
    const without = drawn.filter((one) => one !== at);
    return html`
      <button type="button" class="heads-cell" data-cell=${at} aria-pressed=${drawn.includes(at)}
        aria-label=${t("heads_cell", { row: Math.floor(at / FIND_SIDE) + 1, column: (at % FIND_SIDE) + 1 })}
        @click=${press(() => acts.cells(drawn.includes(at) ? without : [...drawn, at]))}></button>`;
  }

  /** @param {State} state @param {string} pattern @param {number[]} drawn */
  function panel({ run, model }, pattern, drawn) {
    const there = sitesOf(model).flatMap(patternsAt);
    const why = heads.length > 0 ? "heads_found_hint" : whyNone(run, model, pattern, drawn);
    return html`
      <div class="heads-line"><h4>${t("heads_find")}</h4>
        <div class="switch" role="group">${FIND_PATTERNS.map((name) => html`
          <button type="button" class="choice" title=${t("heads_pattern_hint")} data-pattern=${name}
            data-text=${t(`habit_${name}`)} ?hidden=${!there.includes(name)} aria-pressed=${name === pattern}
            @click=${press(() => acts.pattern(name))}>${t(`habit_${name}`)}</button>`)}</div>
        <p class="heads-quiet">${t(why)}</p></div>
      <div class="heads-drawing" ?hidden=${pattern !== "own"}>
        <div class="heads-own" role="group" aria-label=${t("heads_drawn")}>${CELLS.map((_, at) => cell(drawn, at))}</div>
        <button type="button" class="as-link" @click=${press(() => acts.cells([]))}>${t("heads_clear")}</button></div>
      <div class="heads-line"><ol class="heads-found">${heads.map((one) => html`
        <li><button type="button" class="heads-hit" @click=${press(() => acts.choose(one))}
          title=${t("heads_found", { place: placeOfHead(t, one), number: threeDigits(one.cosine) })}>
          <canvas class="heads-small" aria-hidden="true"></canvas>${briefPlace(t, one)}</button>
          <small>${threeDigits(one.cosine)}</small></li>`)}</ol></div>`;
  }

  return {
    element,
    /** @param {State} state @param {string} pattern @param {number[]} drawn @param {Look} look */
    update(state, pattern, drawn, look) {
      if (!isOther(state.run, state.model, pattern, drawn, look.palette, look.unit)) return;
      heads = findHeads(state.run, state.model, pattern, drawn, FOUND);
      render(panel(state, pattern, drawn), element);
      const pictures = /** @type {NodeListOf<HTMLCanvasElement>} */ (element.querySelectorAll("canvas"));
      heads.forEach((one, i) => paintHead(pictures[i], state.run, one, look));
    },
  };
}
