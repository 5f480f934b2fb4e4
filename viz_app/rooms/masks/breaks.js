// How the masks of the batch can be broken: by edits, spelled as in a recipe.

import { EDITS } from "../../stage/choices.js";
import { press, switched } from "../../stage/page/elements.js";
import { html, makePart, nothing } from "../../stage/page/html.js";
import { termed } from "../../stage/page/terms.js";

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
export const makeMasksBreaks = (t, change) => makePart((/** @type {?{anatomy: Anatomy}} */ model = null, /** @type {string[]} */ breaks = []) => {
  const isLacking = model !== null && !model.anatomy.sites.some(({ causal }) => causal);
  return html`
    <section class="masks-breaks" aria-label=${t("masks_breaks")}>
      <p class="masks-lacking" ?hidden=${!isLacking}>${t("masks_lacking_causal")}</p>
      ${NAMES.map((name) => {
        // A model that hides with −1e9 itself leaves no choice.
        const isFinite = name === "fill" && Boolean(model?.anatomy.unusual.includes("hidden_score"));
        return html`
          <div class="masks-break" data-breaks=${name} ?hidden=${name === "causal" && isLacking}><span>${termed(t, `masks_${name}`)}</span>
            ${switched(keyOf(name), t(`masks_${name}`), Object.entries(CHOICES[name]).map(([edit, value]) =>
              [edit, t(`masks_${name}_${value}`), t(`masks_${name}_${value}_hint`)]), isFinite ? "finite-mask" : breakOf(breaks, name),
              (edit) => change(name, edit), (edit) => !isFinite && (edit === "" || !model || canBreak(model, edit)))}
            ${name === "fill" ? html`<button type="button" class="as-link" title=${t("masks_restore_hint")} data-act="masks-restore"
              ?hidden=${breaks.length === 0} @click=${press(() => change(null, ""))}>${t("masks_restore")}</button>` : nothing}</div>`;
      })}</section>`;
});

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
