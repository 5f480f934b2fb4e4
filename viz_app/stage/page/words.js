// Words and numbers. All words come from the tables the host hands in, one a language.
//
// A text may mark words that name a term: "[key|keys]" reads "keys" and explains `key` where the
// place can show it (termed in terms.js); everywhere else it is just the word.

import { wholeOf } from "../anatomy.js";

export const TERM_MARK = /\[(\w+)\|([^\]|]*)\]/g;

/**
 * A text with its placeholders filled, in one pass: a token that reads "{n}" stays as it is. The end
 * of a word goes with a number: "{n} row{n|s}", "{n} quer{n|y|ies}".
 * @param {string} text
 * @param {Record<string, any>} values
 */
export function filled(text, values) {
  return text.replace(/\{(\w+)(?:\|(\w*))?(?:\|(\w*))?\}/g, (whole, name, ending, many) => {
    if (!Object.hasOwn(values, name) || values[name] === undefined) return whole;
    if (ending === undefined) return String(values[name]);
    const [one, more] = many === undefined ? ["", ending] : [ending, many];
    return String(values[name]) === "1" ? one : more;
  });
}

/**
 * The function that reads the tables: t("step_of", {n: 3, m: 4}).
 *   t.language, t.languages   the one in use, and all there are
 *   t.use(language)           reads that one from now on; what is on the page stays as it is
 *   t.has(key), t.raw(key)    whether there is such a text; the text with its marks
 * @param {Object<string, Object<string, string>>} words a table a language, of those at hand
 * @param {string} language
 * @param {string[]} [languages]
 * @returns {Words} the function with the traits above
 */
export function readerOf(words, language, languages = Object.keys(words)) {
  let table = words[language];
  /** @param {string} key */
  const raw = (key) => (Object.hasOwn(table, key) ? table[key] : key);
  /** @type {any} */
  const t = (/** @type {string} */ key, /** @type {Record<string, any>} */ values = {}) =>
    filled(raw(key).replace(TERM_MARK, "$2"), values);
  return Object.assign(t, {
    language,
    languages,
    /** @param {string} next */
    use(next) {
      table = words[next];
      t.language = next;
    },
    /** @param {string} key */
    has: (key) => Object.hasOwn(table, key),
    raw,
  });
}

/**
 * The language to begin with: the remembered one, else the browser's, else the first.
 * @param {string[]} languages
 * @param {?string} kept
 * @param {string} [browser]
 */
export function firstLanguage(languages, kept, browser = navigator.language) {
  const wanted = [kept, browser?.toLowerCase().split("-")[0]];
  return wanted.find((language) => language && languages.includes(language)) ?? languages[0];
}

/** A language as the `lang` attribute names it. @param {string} language */
export function langOf(language) {
  return language === "zh" ? "zh-CN" : language;
}

/** The code of a message that is an error. @param {Message} message */
export const codeOf = (message) => (typeof message === "object" ? message?.code ?? null : null);

/** What to tell the reader. @param {Message} error @param {Words} t @returns {string} */
export function wordsOfError(error, t) {
  if (error === null || typeof error === "string") return error ?? "";
  if (t.has(`error_${error.code}`)) {
    const message = error.reason ? wordsOfError(error.reason, t) : error.message;
    return t(`error_${error.code}`, { ...error.values, message });
  }
  return error.message ? t("error_other", { message: error.message }) : t("error_answer");
}

/**
 * A model's name for readers: its languages, else what the host calls it.
 * @param {Pick<Model, "name" | "languages" | "title">} model
 * @param {Words} t
 */
export function titleOfModel({ name, languages, title }, t) {
  if (!languages?.length) return title || name;
  return languages.map((language) =>
    (t.has(`language_${language}`) ? t(`language_${language}`) : language)).join(" → ");
}

/**
 * A model at the updates of its training that are kept, the last behind them; none where only the
 * last is.
 * @param {Model[]} models
 * @param {Model} model
 */
export function trainingOf(models, model) {
  const whole = wholeOf(model);
  const earlier = models.filter(({ of }) => of === whole);
  return earlier.length === 0 ? [] : [...earlier, ...models.filter(({ name }) => name === whole)];
}

/**
 * The same in a list, where models of the same languages are told apart: by what the words name of a
 * model of ours, else by its name. A model earlier in its training says when.
 * @param {Model[]} models
 * @param {Model} model
 * @param {Words} t
 * @returns {string}
 */
export function titleAmong(models, model, t) {
  const whole = model.of && models.find(({ name }) => name === model.of);
  if (whole) {
    return t("model_then", { title: titleAmong(models, whole, t), update: model.update });
  }
  /** @param {Model} one */
  const titleOf = (one) => [titleOfModel(one, t),
    ...t.has(`named_${one.name}`) ? [t(`named_${one.name}`)] : []].join(" · ");
  const title = titleOf(model);
  const isAlone = models.every((one) => one.name === model.name || one.of || titleOf(one) !== title);
  return isAlone ? title : `${title} · ${model.name}`;
}

/** The characters of a text as Python counts them. @param {string} text */
export function countCharacters(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
