// The switch of what is read: words, tokens or pieces. One for all rooms; words are a choice where a room has them.

import { unitChoices } from "../run/units.js";
import { switched } from "./elements.js";
import { makePart } from "./html.js";

/**
 * `update`: whether words can be shown, of a room that says so itself.
 * @param {Words} t
 * @param {Session} session
 */
export const makeSpelling = (t, { state, actions }) => makePart((/** @type {boolean | undefined} */ canBeWords = undefined) => {
  const { chosen, choices, can } = unitChoices(state, canBeWords);
  return switched("spelled", t("spelling"), choices.map((value) => [value, t(`spelling_${value}`), t(`spelling_${value}_hint`)]), chosen, (value) => {
    if (value !== "pieces") actions.draw({ by: value === "words" ? "words" : "pieces" });
    actions.spell(value === "pieces");
  }, can);
});
