// How the masks of the batch can be broken, and how they are when nothing is.

export const MASKS_INTACT = { causal: "intact", pads: "intact", fill: "infinite" };
export const MASKS_CHOICES = {
  causal: ["intact", "none", "ahead", "behind"],
  pads: ["intact", "none", "rows"],
  fill: ["infinite", "finite"],
};

/**
 * What would be wished for after a press of a button of the room; null where that is not known.
 * @param {HTMLElement} button
 * @param {any} wish
 */
export function wishAfter({ dataset }, wish) {
  const { masks: view, masksSite: site, act, masksCausal, masksPads, masksFill } = dataset;
  if (act === "masks-restore") return { ...wish, breaks: MASKS_INTACT };
  if (!(view ?? site ?? masksCausal ?? masksPads ?? masksFill)) return null;
  const { causal, pads, fill } = wish.breaks;
  return { ...wish, view: view ?? wish.view, site: site ?? wish.site,
    breaks: { causal: masksCausal ?? causal, pads: masksPads ?? pads, fill: masksFill ?? fill } };
}
