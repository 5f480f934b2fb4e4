// Many draws of the sentence at once, as a list with counts: equal texts are one, the most frequent
// first, each one press away. They draw with the seed at hand and those after it.

import { press } from "../../../stage/page/elements.js";
import { html, nothing } from "../../../stage/page/html.js";

const COUNT = 20;

/** @param {State} state */
const canDrawMany = ({ run, canAsk, model, strategy }) => canAsk && run !== null && strategy.kind === "sample"
  && run.recipe.strategy?.kind === "sample" && model.lacking.beam === undefined;

/** @param {Words} t @param {Session} session @param {Ask} ask @param {Redraw} redraw */
export function makeMany(t, { state, actions }, ask, redraw) {
  const question = ask();
  let isOpen = false;
  let first = 0; // the seed of the first draw
  /** @type {?{count: number, texts: {text: string, count: number, seed: number}[]}} */
  let found = null;

  /** A seed beyond those of the list begins another list. @param {number} seed */
  function beginAt(seed) {
    if (seed < first || seed >= first + COUNT) first = seed;
  }

  /** @param {number} seed */
  function take(seed) {
    actions.setStrategy({ seed });
    actions.decodeAnew(0);
  }

  return {
    /** Asks for the draws at the temperature at hand, once they are wanted and the page rests. */
    settle() {
      if (!canDrawMany(state)) isOpen = false;
      if (!isOpen || state.busy || state.room !== "translate") return;
      const { recipe } = state.run;
      beginAt(recipe.strategy.seed);
      const strategy = { ...recipe.strategy, seed: first };
      found = question.of({ draws: COUNT, recipe: { ...recipe, target: [], strategy } }) ?? null;
    },
    isOpen: () => isOpen,
    /** The line under the machine: back to greedy, the draws. */
    part() {
      if (!canDrawMany(state)) return nothing;
      const { text, recipe: { strategy } } = state.run;
      return html`
        <div class="many${isOpen ? " open" : ""}">
          <button type="button" class="as-link" data-act="draw-many" aria-expanded=${isOpen} title=${t("many_hint", { n: COUNT })}
            @click=${press(() => { isOpen = !isOpen; first = strategy.seed; redraw.now(); })}>${t(isOpen ? "many_close" : "many", { n: COUNT })}</button>
          <button type="button" class="as-link" data-act="greedy" title=${t("strategy_greedy_hint")}
            @click=${press(() => { actions.setStrategy({ kind: "greedy" }); actions.decodeAnew(0); })}>${t("many_greedy")}</button>
          ${isOpen ? html`
            <ol class="many-texts" aria-label=${t("many", { n: COUNT })} aria-busy=${found ? nothing : "true"}>
              ${(found?.texts ?? []).map((one) => html`
                <li><span class="many-count">${one.count}×</span>
                  <button type="button" class="many-text" dir="auto" data-seed=${one.seed} aria-pressed=${one.text === text}
                    title=${t("many_take", { seed: one.seed })} @click=${press(() => take(one.seed))}>${one.text || "∅"}</button></li>`)}
            </ol>` : nothing}
        </div>`;
    },
  };
}
