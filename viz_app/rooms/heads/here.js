// What every head is worth on this sentence: each off in turn as a grid, and one after the other off
// together as a curve.

import { makeNumberChart } from "../../stage/draw/chart.js";
import { placeOfHead } from "../../stage/draw/labels.js";
import { threeDigits } from "../../stage/draw/numbers.js";
import { hide } from "../../stage/page/elements.js";
import { html, makePart, nothing } from "../../stage/page/html.js";
import { makeHeadsGrid } from "./charts.js";
import { headAt, spelledMeasure, worthHere } from "./numbers.js";

/** @typedef {ReturnType<typeof worthHere>} Worth */

/** What the curve says at a place. @param {Words} t @param {Worth} worth @param {?number} n of heads that are off */
function pointedAt(t, { losses, order }, n) {
  if (n === null) return t("heads_here_order");
  if (n === 0) return t("heads_here_all", { loss: threeDigits(losses[0]) });
  return t("heads_here_point", { n, loss: threeDigits(losses[n]), place: placeOfHead(t, order[n - 1]) });
}

/**
 * @param {Words} t
 * @param {State} state
 * @param {{choose: function(HeadPlace): void, point: function(?HeadPlace): void}} acts
 * @param {function(): void} redraw
 */
export function makeHere(t, state, acts, redraw) {
  /** @type {?Worth} */
  let worth = null;
  /** @type {?HeadsMeasured["here"]} */
  let of = null;
  /** @type {?number} */
  let pointed = null;
  const grid = makeHeadsGrid(t, { ...acts, redraw });
  const chart = makeNumberChart("heads-curve", {
    point(n) {
      if (n === pointed) return;
      pointed = n;
      redraw();
    },
    choose(n) {
      if (worth && n > 0) acts.choose(worth.order[n - 1]);
    },
  }, redraw);
  const { element, update: say } = makePart((/** @type {unknown} */ says = nothing, /** @type {unknown} */ about = nothing) => html`
    <div class="heads-here"><div>${says}</div>${grid.element}<div ?hidden=${about === nothing}>${about}</div>${chart.element}</div>`);
  return {
    element,
    /** @param {HeadsShown} shown @param {Look} look */
    update({ heads, chosen, pointed: over, answer }, look) {
      if (!answer.here) {
        worth = null;
        const isAsked = answer.here === undefined && state.canAsk; // the answer is on its way
        say(isAsked ? nothing : html`<p class="heads-none">${t(answer.here === undefined ? "heads_here_alone"
          : "heads_here_none")}</p>`);
        for (const one of [grid, chart]) hide(one.element, true);
        return;
      }
      if (of !== answer.here) worth = worthHere(answer.here, heads);
      of = answer.here;
      const now = /** @type {Worth} */ (worth);
      const same = (/** @type {?HeadPlace | undefined} */ one) => headAt(now.heads, one);
      for (const one of [grid, chart]) hide(one.element, false);
      const G = now.order.length;
      say(html`<p class="heads-does">${t("heads_here_says", { most: placeOfHead(t, now.most), n: now.spared, G,
        cost: spelledMeasure("here", now.most.values.here) })}</p>`,
      html`<p class="heads-quiet" aria-live=${pointed === null ? nothing : "polite"}>${pointedAt(t, now, pointed)}${pointed === null
        ? html`<span class="nudge">${t("sentences_between")}${t("heads_here_press")}</span>` : nothing}</p>`);
      grid.update({ heads: now.heads, measure: "here", chosen: same(chosen), pointed: same(over) ?? null,
        across: "", order: "place", answer }, look);
      const at = now.order.findIndex((one) => same(chosen) === same(one));
      chart.update({ x: Array.from(now.losses, (_, n) => n), y: now.losses, pointed, taken: at + 1,
        title: t("heads_here_across"), label: t("heads_here_label", { G, first: threeDigits(now.losses[0]),
          last: threeDigits(now.losses[G]) }) }, look);
    },
    /** All heads with what they are worth here; null where that is not known. */
    heads: () => worth?.heads ?? null,
    destroy() {
      grid.destroy();
      chart.destroy();
    },
  };
}
