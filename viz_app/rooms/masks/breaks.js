// How the masks of the batch can be broken: by edits, spelled as in a recipe.

import { EDITS } from "../../stage/choices.js";
import { hide, make, makeButton, switched } from "../../stage/page/elements.js";
import { makePart } from "../../stage/page/html.js";
import { makeTermed } from "../../stage/page/terms.js";

/**
 * The edits of each switch with the end of the key of their words; "" is the model's own mask.
 * @type {Record<string, Record<string, string>>}
 */
const CHOICES = {
  causal: { "": "intact", ...Object.fromEntries(EDITS.sees["causal-mask"].map((way) => [`causal-mask:${way}`, way])) },
  pads: { "": "intact", "no-pad-mask": "none", "pads-rows": "rows" },
  fill: { "": "infinite", "finite-mask": "finite" },
};
const NAMES = Object.keys(CHOICES);
const IN_ORDER = ["pads", "causal", "fill"]; // that of the edits of a recipe

/** What says on a button which edit it is of. @param {string} name of the switch */
const keyOf = (name) => `masks${name[0].toUpperCase()}${name.slice(1)}`;

/**
 * The edit that a switch stands on; "" without one.
 * @param {string[]} breaks
 * @param {string} name
 */
export const breakOf = (breaks, name) => breaks.find((edit) => edit in CHOICES[name]) ?? "";

/** The first switch that breaks a mask, the causal one before the others. @param {string[]} breaks */
export const brokenIn = (breaks) => NAMES.find((name) => breakOf(breaks, name) !== "") ?? null;

/**
 * The breaks with another edit of a switch, or with none.
 * @param {string[]} breaks
 * @param {string} name
 * @param {string} edit
 */
export const withBreak = (breaks, name, edit) => IN_ORDER
  .map((one) => (one === name ? edit : breakOf(breaks, one))).filter((one) => one !== "");

/** Whether some cell is hidden or open that is not so in the model's own masks. @param {string[]} breaks */
export const opensOrHides = (breaks) => breaks.some((edit) => edit !== "finite-mask");

/**
 * Whether an edit can break a mask of a model.
 * @param {{anatomy: Anatomy}} model
 * @param {string} edit
 */
export const canBreak = ({ anatomy }, edit) => anatomy.edits.includes(edit.split(":")[0]);

/**
 * The switches that break the masks; of a model without a causal mask a sentence says so.
 * @param {Words} t
 * @param {(name: ?string, edit: string) => void} change without a name nothing is broken any more
 */
export function makeMasksBreaks(t, change) {
  const restore = makeButton({ class: "as-link", text: t("masks_restore"),
    title: t("masks_restore_hint"), data: { act: "masks-restore" } }, () => change(null, ""));
  const switches = NAMES.map((name) => {
    const one = makePart((/** @type {string} */ chosen = "", /** @type {function(string): boolean} */ enabled = () => true) =>
      switched(keyOf(name), t(`masks_${name}`), Object.entries(CHOICES[name]).map(([edit, value]) =>
        [edit, t(`masks_${name}_${value}`), t(`masks_${name}_${value}_hint`)]), chosen, (edit) => change(name, edit), enabled));
    const element = make("div", { class: "masks-break", data: { breaks: name } }, [
      makeTermed(t, `masks_${name}`).element, one.element, name === "fill" ? restore : null]);
    return { name, one, element };
  });
  const lacking = make("p", { class: "masks-lacking", text: t("masks_lacking_causal") });
  const element = make("section", { class: "masks-breaks", "aria-label": t("masks_breaks") },
    [lacking, ...switches.map((part) => part.element)]);
  return {
    element,
    /** @param {{anatomy: Anatomy}} model @param {string[]} breaks */
    update(model, breaks) {
      const { sites, unusual } = model.anatomy;
      hide(lacking, sites.some(({ causal }) => causal));
      for (const { name, one, element: part } of switches) {
        hide(part, name === "causal" && !lacking.hidden);
        // A model that hides with −1e9 itself leaves no choice.
        const finite = name === "fill" && unusual.includes("hidden_score");
        one.update(finite ? "finite-mask" : breakOf(breaks, name),
          (edit) => !finite && (edit === "" || canBreak(model, edit)));
      }
      hide(restore, breaks.length === 0);
    },
  };
}

/**
 * What would be chosen after a press of a button of the room; null where that is not known.
 * @param {HTMLElement} button
 * @param {any} choices
 */
export function choicesAfter({ dataset }, choices) {
  const { masks: view, masksSite: site, act } = dataset;
  if (act === "masks-elsewhere") {
    return { ...choices, site: dataset.elsewhere, shown: Number(dataset.elsewhereShown) };
  }
  if (act === "masks-restore") return { ...choices, breaks: [] };
  if (act === "masks-try") return { ...choices, breaks: [dataset.edit] };
  for (const name of NAMES) {
    const edit = dataset[keyOf(name)];
    if (edit !== undefined) return { ...choices, breaks: withBreak(choices.breaks, name, edit) };
  }
  return view ?? site ? { ...choices, view: view ?? choices.view, site: site ?? choices.site } : null;
}
