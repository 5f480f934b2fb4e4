// How the masks of the batch can be broken, and how they are when nothing is.

import { make, makeButton, makeSwitch } from "../../stage/page/elements.js";
import { makeTermed } from "../../stage/page/glossary.js";

/** @typedef {{causal: string, pads: string, fill: string}} Breaks */

/** @type {Breaks} */
export const MASKS_INTACT = { causal: "intact", pads: "intact", fill: "infinite" };
/** @type {Record<keyof Breaks, string[]>} */
const MASKS_CHOICES = {
  causal: ["intact", "none", "ahead", "behind"],
  pads: ["intact", "none", "rows"],
  fill: ["infinite", "finite"],
};
const MASKS_NAMES = /** @type {(keyof Breaks)[]} */ (Object.keys(MASKS_CHOICES));

/**
 * The switches that break the masks; of a model without a causal mask a sentence says so.
 * @param {Words} t
 * @param {(breaks: ?Partial<Breaks>) => void} change with null nothing is broken any more
 */
export function makeMasksBreaks(t, change) {
  const restore = makeButton({ class: "as-link", text: t("masks_restore"),
    title: t("masks_restore_hint"), data: { act: "masks-restore" } }, () => change(null));
  const switches = MASKS_NAMES.map((name) => {
    const one = makeSwitch(`masks${name[0].toUpperCase()}${name.slice(1)}`, t(`masks_${name}`),
      MASKS_CHOICES[name].map((value) =>
        [value, t(`masks_${name}_${value}`), t(`masks_${name}_${value}_hint`)]),
      (/** @type {string} */ value) => change({ [name]: value }));
    const element = make("div", { class: "masks-break", data: { breaks: name } }, [
      makeTermed(t, `masks_${name}`).element, one.element, name === "fill" ? restore : null]);
    return { name, one, element };
  });
  const lacking = make("p", { class: "masks-lacking", text: t("masks_lacking_causal") });
  const element = make("section", { class: "masks-breaks", "aria-label": t("masks_breaks") },
    [lacking, ...switches.map((part) => part.element)]);
  return {
    element,
    /** @param {{anatomy: Anatomy}} model @param {Breaks} breaks */
    update({ anatomy }, breaks) {
      const isCausal = anatomy.sites.some(({ causal }) => causal);
      lacking.hidden = isCausal;
      // A model that hides with −1e9 itself leaves no choice.
      const finite = anatomy.unusual.includes("hidden_score");
      for (const { name, one, element: part } of switches) {
        part.hidden = name === "causal" && !isCausal;
        if (name === "fill" && finite) one.update("finite", false);
        else one.update(breaks[name]);
      }
      restore.hidden = MASKS_NAMES.every((name) => breaks[name] === MASKS_INTACT[name]);
    },
  };
}

/**
 * What would be wished for after a press of a button of the room; null where that is not known.
 * @param {HTMLElement} button
 * @param {any} wish
 */
export function wishAfter({ dataset }, wish) {
  const { masks: view, masksSite: site, act, masksCausal, masksPads, masksFill } = dataset;
  if (act === "masks-elsewhere") {
    return { ...wish, site: dataset.elsewhere, shown: Number(dataset.elsewhereShown) };
  }
  if (act === "masks-restore") return { ...wish, breaks: MASKS_INTACT };
  if (!(view ?? site ?? masksCausal ?? masksPads ?? masksFill)) return null;
  const { causal, pads, fill } = wish.breaks;
  return { ...wish, view: view ?? wish.view, site: site ?? wish.site,
    breaks: { causal: masksCausal ?? causal, pads: masksPads ?? pads, fill: masksFill ?? fill } };
}
