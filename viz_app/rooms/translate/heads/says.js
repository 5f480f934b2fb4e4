// What a head does on this sentence, in words: as a title, and as the sentence under the small maps.

import { quoted } from "../../../stage/draw/labels.js";
import { fixed } from "../../../stage/draw/numbers.js";
import { captionOf, isSorted, keyWord, roleOf } from "./thumbnails.js";

/** @typedef {import("./thumbnails.js").Own} Own */

/** The same in full, for those who cannot see it and those who point at it. @param {Own} own @param {Head} place */
export function titleOf(own, place) {
  const { t, state, habits } = own;
  const { layer, head } = place;
  const names = { layer: layer + 1, head: head + 1, bits: fixed(habits[layer][head].entropy, 2) };
  if (isSorted(state) && state.order !== "entropy") {
    return t("head_measured", { ...names, measure: t(`order_${state.order}`),
      number: captionOf(own, place).number });
  }
  const { word, second, key } = roleOf(state, place);
  if (word === null) return t("head_label", names);
  const also = second ? t(`does_${second}`) : key === null ? "" : quoted(keyWord(own, key));
  return t(also ? "head_does_more" : "head_does", { ...names, does: t(`does_${word}`), also });
}

/** The sentence. @param {Own} own @param {Head} place */
export function headSays(own, place) {
  const { t } = own;
  const names = { layer: place.layer + 1, head: place.head + 1 };
  const { word, second, key } = roleOf(own.state, place);
  if (word === null) return "";
  const also = second ? t(`does_${second}`) : key === null ? "" : t("does_word", { word: quoted(keyWord(own, key)) });
  return t(also ? "head_says_more" : "head_says", { ...names, does: t(`does_${word}`), also });
}
