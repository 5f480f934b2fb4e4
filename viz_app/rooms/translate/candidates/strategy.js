// How the next token is chosen, and the menu of the ways.

import { closeBehind, closeByKey } from "../../../stage/page/elements.js";
import { scrolling } from "../../../stage/page/fit.js";
import { html, noChange } from "../../../stage/page/html.js";

/** What was opened below the window is brought into it, with the bars over it. @param {any} event */
const bringPanel = ({ target: menu }) => menu.open && menu.querySelector(".strategy-panel").scrollIntoView({ block: "nearest", behavior: scrolling() });

/** @param {Words} t @param {Session} session */
export function strategyMenu(t, session) {
  const { state } = session;
  const { kind, temperature, width } = state.strategy;
  const summary = kind === "greedy" ? t("strategy_greedy")
    : kind === "beam" ? t("strategy_beam_at", { width }) : t("strategy_sample_at", { temperature });
  return html`
    <details class="strategy" ?hidden=${!state.canAsk} @keydown=${closeByKey} @focusout=${closeBehind} @toggle=${bringPanel}>
      <summary title=${t("strategy")}>${summary}</summary>
      <div class="strategy-place">
        <div class="strategy-panel" tabindex="-1">${state.more?.strategyPanel(t, session) ?? noChange}</div></div>
    </details>`;
}
