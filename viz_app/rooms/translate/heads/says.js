// What a head does on this sentence, in words: as a title, and as the sentence under the small maps.

import { quoted } from "../../../stage/draw/labels.js";
import { fixed } from "../../../stage/draw/numbers.js";
import { setTrait } from "../../../stage/page/elements.js";
import { buttonsOf, captionOf, isSorted, keyWord, roleOf } from "./thumbnails.js";

/** @typedef {import("./thumbnails.js").Own} Own */

/** What the word of a head says, and whether it does nothing else. @param {Own} own @param {string} word @param {?string} second */
const doesOf = ({ t }, word, second) => t(`does_${word}`) + (second === "only" ? t("does_only") : "");

/** The same in full, for those who cannot see it and those who point at it. @param {Own} own @param {Head} place */
function titleOf(own, place) {
  const { t, state, habits } = own;
  const { layer, head } = place;
  const names = { layer: layer + 1, head: head + 1, bits: fixed(habits[layer][head].entropy, 2) };
  if (isSorted(state) && state.order !== "entropy") {
    return t("head_measured", { ...names, measure: t(`order_${state.order}`),
      number: captionOf(own, place).number });
  }
  const { word, second, key } = roleOf(state, place);
  if (word === null) return t("head_label", names);
  const also = second && second !== "only" ? t(`does_${second}`) : key === null ? "" : quoted(keyWord(own, key));
  return t(also ? "head_does_more" : "head_does", { ...names, does: doesOf(own, word, second), also });
}

/** Names all small maps that are not named yet, unless another run is about to be drawn. @param {Own} own */
export function nameHeads(own) {
  const { measured: { run, site }, state, habits, thumbs } = own;
  if (run !== state.run || site !== state.site || own.named === habits) return;
  buttonsOf(own).forEach((button, at) => {
    const title = titleOf(own, thumbs[at]);
    const seen = Object.values(thumbs[at].caption).filter(Boolean).join(" "); // a name begins with what is read
    setTrait(button, "aria-label", `${seen}: ${title}`);
    setTrait(button, "title", title);
  });
  own.named = habits;
}

/** The sentence. @param {Own} own @param {Head} place */
export function headSays(own, place) {
  const { t } = own;
  const names = { layer: place.layer + 1, head: place.head + 1 };
  const { word, second, key } = roleOf(own.state, place);
  if (word === null) return "";
  const also = second && second !== "only" ? t(`does_${second}`) : key === null ? "" : t("does_word", { word: quoted(keyWord(own, key)) });
  return t(also ? "head_says_more" : "head_says", { ...names, does: doesOf(own, word, second), also });
}
