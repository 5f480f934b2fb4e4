// How the next token is chosen, and the menu of the ways.

import { closeBehind, closeByKey } from "../../../stage/page/elements.js";
import { html, noChange } from "../../../stage/page/html.js";

/** @param {Words} t @param {Session} session */
export function strategyMenu(t, session) {
  const { state } = session;
  const { kind, temperature, width } = state.strategy;
  const summary = kind === "greedy" ? t("strategy_greedy")
    : kind === "beam" ? t("strategy_beam_at", { width }) : t("strategy_sample_at", { temperature });
  return html`
    <details class="strategy" ?hidden=${!state.canAsk} @keydown=${closeByKey} @focusout=${closeBehind}>
      <summary title=${t("strategy")}>${summary}</summary>
      <div class="strategy-panel" tabindex="-1">${state.more?.strategyPanel(t, session) ?? noChange}</div>
    </details>`;
}
