// A lesson of one's own, as it lies in its file: one JSON with its words inside. What is edited is the
// file itself, so what somebody else wrote into it stays as it is. Pure.

/**
 * @typedef {{id: string, show?: string, cover?: string[], values?: Record<string, string>, point?: any[], ask?: any, until: any}} DraftStep
 * @typedef {{version: number, minutes: number, models: Record<string, {text: string}>, link?: string, steps: DraftStep[],
 *   words: Record<string, Record<string, string>>}} Draft
 */

const MOST_STEPS = 20; // as many as the reader of lessons takes
export const NO_NAME = "my-lesson";
const LONGEST_NAME = 40;
const ANSWERED = { kind: "answered" };
const AT_ONCE = { kind: "all", of: [] }; // nothing is waited for
const LEFT_OUT = ["v", "weights", "lesson", "draft"]; // of a link that a step shows

/** One of its words in a language; "" where it has none. @param {Draft} draft @param {string} language @param {string} key */
export const wordIn = ({ words }, language, key) => words[language]?.[key] ?? "";

/**
 * One of its words, and its language: the one in use, else another that has it; null where none has.
 * @param {Draft} draft
 * @param {string} language
 * @param {string} key
 */
export function wordOfAny(draft, language, key) {
  const of = [language, ...Object.keys(draft.words)].find((one) => wordIn(draft, one, key) !== "");
  return of === undefined ? null : { language: of, text: wordIn(draft, of, key) };
}

/**
 * The lesson with a word in a language. What is empty is left out where another language has it, whose word the
 * reader of lessons takes then, and where a lesson may lack it.
 * @param {Draft} draft
 * @param {string} language
 * @param {string} key
 * @param {string} text
 */
export function withWord(draft, language, key, text) {
  const every = { ...draft.words, [language]: { ...draft.words[language], [key]: text } };
  const mayLack = /\.(then|ask|hint1)$/.test(key) || Object.values(every).some((own) => own[key]);
  const words = Object.entries(every).map(([of, { [key]: said = "", ...others }]) =>
    [of, said !== "" || (of === language && !mayLack) ? { ...every[of], [key]: said } : others]);
  return { ...draft, words: Object.fromEntries(words.filter(([, own]) => Object.keys(own).length > 0)) };
}

/**
 * The name of its file: small letters, digits and hyphens of its first title that has some, whatever language is in
 * use, and a number where another lesson has that name.
 * @param {Draft} draft
 * @param {string[]} [taken] the names of the other lessons
 */
export function nameOfDraft({ words }, taken = []) {
  const name = Object.values(words).map(({ title = "" }) => nameFrom(title)).find(Boolean) ?? NO_NAME;
  /** @param {number} n @returns {string} */
  const free = (n) => {
    const end = n > 1 ? `-${n}` : "";
    const one = name.slice(0, LONGEST_NAME - end.length).replace(/-+$/, "") + end;
    return taken.includes(one) ? free(n + 1) : one;
  };
  return free(1);
}

/** A text as the name of a lesson; "" where it has no letters for one. @param {unknown} text */
export const nameFrom = (text) => String(text).toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/[^a-z0-9]+/g, "-")
  .replace(/^[^a-z]+|-+$/g, "").slice(0, LONGEST_NAME).replace(/-+$/, "");

/** What its file holds. @param {Draft} draft */
export const fileOfDraft = (draft) => `${JSON.stringify({ ...draft, minutes: Math.max(1, draft.steps.length) }, null, 2)}\n`;

/** Whether it has the form of a lesson; what is in it the server reads. @param {any} said */
const isLesson = (said) => [said, said?.models, said?.words].every((one) => one !== null && typeof one === "object" && !Array.isArray(one))
  && Object.keys(said.models).length > 0 && Object.values(said.models).every((of) => typeof of?.text === "string")
  && Object.values(said.words).every((words) => words !== null && typeof words === "object")
  && Array.isArray(said.steps) && said.steps.every((/** @type {any} */ step) => typeof step?.id === "string");

/** The lesson of a file; null where it is none. @param {?string} text @returns {?Draft} */
export function draftIn(text) {
  try {
    const said = JSON.parse(text ?? "");
    return isLesson(said) ? said : null;
  } catch {
    return null;
  }
}

/** What a step shows: the link without what the lesson says itself. @param {Draft} draft @param {string} link */
function shownBy({ models }, link) {
  const said = new URLSearchParams(link.replace(/^[^#]*#/, ""));
  for (const name of LEFT_OUT) said.delete(name);
  const [[model, { text }]] = Object.entries(models);
  if (said.get("model") === model) said.delete("model");
  if (said.get("text") === text) said.delete("text");
  return said.toString();
}

/**
 * The link without the tokens of a translation that the model writes to its end by itself: it writes them again.
 * @param {string} link
 * @param {{finished: ?string, recipe: Recipe}} run
 */
export function withoutItsTokens(link, { finished, recipe: { target, strategy } }) {
  const how = (strategy?.kind ?? "greedy")[0]; // as in a link
  if (!finished || !target.every((choice) => choice.how?.[0] === how)) return link;
  const said = new URLSearchParams(link.replace(/^[^#]*#/, ""));
  for (const name of ["target", "how"]) said.delete(name);
  return said.toString();
}

/** The link of a step, to look at it again. @param {Draft} draft @param {DraftStep} step */
export function linkOfStep({ models, link = "" }, { show = "" }) {
  const [[model, { text }]] = Object.entries(models);
  const said = new URLSearchParams({ v: "3", model, text });
  for (const part of [link, show]) {
    const over = new URLSearchParams(part);
    for (const name of new Set(over.keys())) said.delete(name);
    for (const [name, value] of over) said.append(name, value);
  }
  return said.toString();
}

/**
 * The lesson with one step more, of what the page shows; the first says its model and its sentence.
 * @param {?Draft} draft
 * @param {{link: string, model: string, text: string, language: string, title: string}} here
 * @returns {Draft}
 */
export function withStep(draft, { link, model, text, language, title }) {
  const on = draft ?? { version: 1, minutes: 1, models: { [model]: { text } }, steps: [],
    words: { [language]: { title, about: "" } } };
  if (on.steps.length >= MOST_STEPS) return on;
  const taken = new Set(on.steps.map((step) => step.id));
  const id = Array.from({ length: MOST_STEPS + 1 }, (_, i) => `step_${i + 1}`).find((one) => !taken.has(one)) ?? "";
  const step = { id, show: shownBy(on, link), until: AT_ONCE };
  return withWord({ ...on, steps: [...on.steps, step] }, language, `${id}.say`, "");
}

/** The lesson with another step in the place of one; what is undefined in it is left out. @param {Draft} draft @param {number} at @param {Partial<DraftStep>} changes */
export function withChanged(draft, at, changes) {
  const steps = draft.steps.map((step, i) => (i !== at ? step
    : /** @type {DraftStep} */ (Object.fromEntries(Object.entries({ ...step, ...changes }).filter(([, value]) => value !== undefined)))));
  return { ...draft, steps };
}

/**
 * A step asks something of what the page shows, and covers that; null: it only says. Words that nobody says then go, in
 * every language.
 * @param {Draft} draft
 * @param {number} at
 * @param {?{ask: any, cover: string[], point?: any[], values?: Record<string, string>}} asked
 */
export function withAsk(draft, at, asked) {
  const { id, which, values } = /** @type {any} */ (draft.steps[at]);
  const gone = [".of.", ...(which === undefined ? [".then."] : []), ...(asked ? [] : [".ask", ".then", ".hint"])];
  return withChanged(withoutWords(draft, gone.map((end) => id + end)), at, asked
    ? { ask: asked.ask, cover: asked.cover, point: asked.point, values: asked.values ? { ...values, ...asked.values } : values, until: ANSWERED }
    : { ask: undefined, cover: undefined, point: undefined, until: AT_ONCE });
}

/** The lesson without the words whose keys begin so. @param {Draft} draft @param {string[]} beginnings */
function withoutWords(draft, beginnings) {
  const words = Object.entries(draft.words).map(([language, own]) => [language, Object.fromEntries(
    Object.entries(own).filter(([key]) => !beginnings.some((one) => key.startsWith(one))))]);
  return { ...draft, words: Object.fromEntries(words) };
}

/** A step shows what the page shows now. @param {Draft} draft @param {number} at @param {string} link */
export const withView = (draft, at, link) => withChanged(draft, at, { show: shownBy(draft, link) });

/** @param {Draft} draft @param {number} at */
export const withoutStep = (draft, at) => ({ ...withoutWords(draft, [`${draft.steps[at].id}.`]),
  steps: draft.steps.filter((_, i) => i !== at) });

/** The lesson with a step one place earlier or later. @param {Draft} draft @param {number} at @param {-1 | 1} turn */
export function withMoved(draft, at, turn) {
  const to = at + turn;
  if (to < 0 || to >= draft.steps.length) return draft;
  const steps = [...draft.steps];
  [steps[at], steps[to]] = [steps[to], steps[at]];
  return { ...draft, steps };
}
