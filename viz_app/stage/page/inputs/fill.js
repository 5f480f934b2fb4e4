// What a masked language model expects where a mask stands: its likeliest tokens, each a button that
// writes it there.

import { labelOf, quoted } from "../../draw/labels.js";
import { shortProbability } from "../../draw/numbers.js";
import { press } from "../elements.js";
import { html } from "../html.js";

const SHOWN = 6;

/**
 * A text with some of its characters replaced; they are counted as the server counts them.
 * @param {string} text
 * @param {number[]} span from and up to
 * @param {string} word
 */
function replacedIn(text, [from, to], word) {
  const letters = Array.from(text);
  return [...letters.slice(0, from), word, ...letters.slice(to)].join("");
}

/** The lines; null where the model has no mask. @param {Words} t @param {Session} session */
export function fillLines(t, { state, actions }) {
  const { run } = state;
  if (!run || state.model.anatomy.mask === null) return null;

  /** @param {Masked} masked */
  function line({ place, candidates }) {
    const span = run.source.spans?.[place];
    const write = (/** @type {string} */ word) => {
      if (!span) return;
      actions.type(replacedIn(run.recipe.source, span, word));
      actions.translate();
    };
    return html`
      <p class="fill-line" data-place=${place}>
        <span class="fill-title">${t("fill_title", { token: quoted(run.source.texts[place]) })}</span>
        ${candidates.slice(0, SHOWN).map((one) => html`
          <button type="button" class="fill-word" data-kind=${one.kind} ?disabled=${!span || !state.canAsk}
            @click=${press(() => write(one.text))}><span class="kind" dir="auto">${labelOf(one, false, false, t)}</span>
            <span class="fill-share">${shortProbability(Math.exp(one.log_probability))}</span></button>`)}</p>`;
  }

  return html`<div class="fill-lines" title=${t("fill_hint")}>${(run.masked ?? []).map(line)}</div>`;
}
