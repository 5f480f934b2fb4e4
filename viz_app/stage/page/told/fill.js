// What a masked language model expects where a mask stands: its likeliest tokens, each a button that
// writes it there.

import { labelOf, quoted } from "../../draw/labels.js";
import { shortProbability } from "../../draw/numbers.js";
import { make, makeButton, makeDiffers } from "../elements.js";

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

/** @param {Words} t @param {Session} session */
export function makeFill(t, { state, actions }) {
  const element = make("div", { class: "fill", title: t("fill_hint") });
  const isOther = makeDiffers();

  /** @param {Run} run @param {Masked} masked */
  function line(run, { place, candidates }) {
    const span = run.source.spans?.[place];
    const write = (/** @type {string} */ word) => {
      if (!span) return;
      actions.type(replacedIn(run.recipe.source, span, word));
      actions.translate();
    };
    return make("p", { class: "fill-line", data: { place } }, [
      make("span", { class: "fill-title",
        text: t("fill_title", { token: quoted(run.source.texts[place]) }) }),
      ...candidates.slice(0, SHOWN).map((one) => {
        const text = labelOf(one, false, false, t);
        const button = makeButton({ class: "fill-word", data: { kind: one.kind } },
          () => write(one.text), [make("span", { class: "kind", text, dir: "auto" }),
            make("span", { class: "fill-share",
              text: shortProbability(Math.exp(one.log_probability)) })]);
        button.disabled = !span || !state.canAsk;
        return button;
      })]);
  }

  return {
    element,
    update() {
      const { run } = state;
      element.hidden = !run || state.model.anatomy.mask === null;
      if (element.hidden || !isOther(run)) return;
      element.replaceChildren(...(run.masked ?? []).map((one) => line(run, one)));
    },
  };
}
