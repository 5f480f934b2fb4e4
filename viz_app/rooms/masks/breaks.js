// How the masks of the batch can be broken, and how they are when nothing is.

export const MASKS_INTACT = { causal: "intact", pads: "intact", fill: "infinite" };
export const MASKS_CHOICES = {
  causal: ["intact", "none", "ahead", "behind"],
  pads: ["intact", "none", "rows"],
  fill: ["infinite", "finite"],
};
