// What a reader should know about a sentence before believing its picture: that it is in another
// language than the model's, longer than what the model is good at, or of characters that it has
// hardly met. One line, with the remedy as a button where there is one.

import { press } from "../elements.js";
import { html, makePart } from "../html.js";
import { titleOfModel } from "../words.js";

const BYTE = /^<0x[0-9A-F]{2}>$/; // a piece that is one byte of a character without a piece
/** @type {Record<string, string>} */
const SCRIPTS = { zh: "Han", en: "Latin", fr: "Latin", de: "Latin", es: "Latin" };
const FEW_LETTERS = 2; // say nothing about the language

/**
 * The script that more than half of the letters are in, or null.
 * @param {string} text
 * @returns {"Han" | "Latin" | null}
 */
export function scriptOf(text) {
  const letters = text.match(/\p{L}/gu) ?? [];
  const han = letters.filter((letter) => /\p{Script=Han}/u.test(letter)).length;
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length;
  if (han > letters.length / 2) return "Han";
  return letters.length >= FEW_LETTERS && latin > letters.length / 2 ? "Latin" : null;
}

/** The script that a model reads; null where it is not known. @param {Model} model */
const scriptReadBy = ({ languages }) => SCRIPTS[languages[0]] ?? null;

/** Whether most of a text is in another script than a model reads. @param {string} text @param {Model} model */
export function isForeign(text, model) {
  const [found, read] = [scriptOf(text), scriptReadBy(model)];
  return found !== null && read !== null && read !== found;
}

/**
 * A model that reads the script of the text where this one does not; null where there is none.
 * @param {string} text
 * @param {Model} model
 * @param {Model[]} models
 * @returns {Model | null}
 */
export function modelFor(text, model, models) {
  if (!isForeign(text, model)) return null;
  const others = models.filter((other) => scriptReadBy(other) === scriptOf(text));
  return others.find(({ languages }) => languages[1] === model.languages[0]) ?? others[0] ?? null;
}

/**
 * What to say about the sentence: the key of a text, its values, and what the button does.
 * @param {{draft: string, model: Model, options: {models: Model[]}, run: Run | null,
 *     offered: string | null}} state of the page
 * @returns {{key: string, values: Object, model?: Model, text?: string} | null}
 */
export function adviceFor({ draft, model, options, run, offered }) {
  const other = modelFor(draft, model, options.models);
  if (other) return { key: `guard_${scriptOf(draft)}`, values: {}, model: other };
  if (!run || run.recipe.source !== draft.trim()) return null;
  if (offered) return { key: isForeign(offered, model) ? "guard_foreign" : "guard_offer", values: {}, text: offered };
  const pieces = run.source.pieces.filter((_, i) => run.source.kinds[i] !== "pad");
  const bytes = pieces.filter((piece) => BYTE.test(piece)).length;
  const n = pieces.length - 1; // without the end token
  if (bytes > 0) return { key: "guard_bytes", values: { bytes, n } };
  const usual = model.card?.usual;
  return usual && n > usual ? { key: "guard_long", values: { n, usual } } : null;
}

/** The line; hidden where there is nothing to say. @param {Words} t @param {Session} session */
function guard(t, { state, actions }) {
  const advice = state.canAsk ? adviceFor(state) : null;
  const act = () => {
    if (advice?.model) actions.setModel(advice.model.name);
    else if (advice?.text) {
      actions.type(advice.text);
      actions.translate();
    }
  };
  return html`
    <p class="guard" role="status" ?hidden=${advice === null}>
      <span>${advice && t(advice.key, advice.values)}</span>
      <button type="button" class="guard-act" ?hidden=${!advice?.model && !advice?.text} @click=${press(act)}>
        ${advice?.model ? t("guard_switch", { model: titleOfModel(advice.model, t) })
    : advice?.text ? t(`${advice.key}_act`, { text: advice.text }) : ""}</button></p>`;
}

/** @param {Words} t @param {Session} session */
export function makeGuard(t, session) {
  const { element, update } = makePart(() => guard(t, session));
  return {
    element,
    update() {
      update();
      element.parentElement?.classList.toggle("guarded", !element.hidden);
    },
  };
}
