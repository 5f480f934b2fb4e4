// Edits of a model's arithmetic as the recipe spells them (model_core/values/edits.py). Pure.

import { EDITS } from "../choices.js";

/** What may follow the name of each kind. @type {Record<string, string[]>} */
const FORMS = Object.assign({}, ...Object.values(EDITS));

/** @param {string} edit */
export const kindOf = (edit) => edit.split(":")[0];

/** Whether an edit is of a token of the source. @param {string} edit */
const isOfToken = (edit) => FORMS[kindOf(edit)][0] === "token";

/**
 * How the edit of a head is spelled; layers and heads count from 0 here, from 1 there.
 * @param {string} kind
 * @param {string} site
 * @param {Head} head
 */
export const ofHead = (kind, site, { layer, head }) => `${kind}:${site}.${layer + 1}.${head + 1}`;

/**
 * The edits with one more, or without it where it is among them.
 * @param {string[]} edits
 * @param {string} edit
 */
export const toggled = (edits, edit) => (edits.includes(edit)
  ? edits.filter((one) => one !== edit) : [...edits, edit]);

/**
 * The edits with another one of a kind that there is once, or with none of it.
 * @param {string[]} edits
 * @param {string} kind
 * @param {string} value "" for none
 */
export const withOne = (edits, kind, value) => [
  ...edits.filter((one) => kindOf(one) !== kind), ...(value === "" ? [] : [`${kind}:${value}`])];

/**
 * What the one edit of a kind says after its colon; "" without one.
 * @param {string[]} edits
 * @param {string} kind
 */
export const valueOf = (edits, kind) =>
  (edits.find((one) => kindOf(one) === kind) ?? "").slice(kind.length + 1);

/**
 * The edits that still mean something: those of tokens belong to their sentence, all to their model.
 * @param {{model: string, source: string, edits?: string[]}} before
 * @param {{model?: string, source?: string}} changes
 */
export function editsAfter({ model, source, edits = [] }, changes) {
  if ((changes.model ?? model) !== model) return [];
  return (changes.source ?? source) === source ? edits
    : edits.filter((edit) => !isOfToken(edit));
}

/**
 * The tokens that were forced at the beginning: they stay where the rest is chosen anew.
 * @param {Recipe} recipe
 */
export function forcedOf({ target }) {
  const free = target.findIndex(({ how }) => how !== "forced");
  return free < 0 ? target : target.slice(0, free);
}

/**
 * The run of the untouched model; what was not forced is chosen anew.
 * @param {Recipe} recipe
 * @returns {Recipe}
 */
export const withoutEdits = (recipe) => ({ ...recipe, edits: [], target: forcedOf(recipe) });

/**
 * What an edit is called.
 * @param {Words} t
 * @param {string} edit
 * @param {{label: string}[]} tokens labels of the source
 */
export function editLabel(t, edit, tokens) {
  const [kind, rest = ""] = edit.split(":");
  const words = rest.split(".");
  if (isOfToken(edit)) {
    const token = tokens[Number(words[0]) - 1]?.label ?? words[0];
    const head = words.length > 1 ? ` (${t(`site_${words[1]}`)} L${words[2]}H${words[3]})` : "";
    return t(`edit_${kind}`, { token }) + head;
  }
  const [form = ""] = FORMS[kind];
  if (form === "site.layer.head") {
    const [site, layer, head] = words;
    return t(`edit_${kind}`, { site: t(`site_${site}`), layer, head });
  }
  if (form.endsWith(".layer.part")) {
    const [stack, layer, part] = words;
    return t(`edit_${kind}`, { part: t(`part_${part}`), stack: t(`site_${stack}`), layer });
  }
  return t(`edit_${kind}`, { value: FORMS[kind].includes(rest) ? t(`causal_${rest}`) : rest });
}
