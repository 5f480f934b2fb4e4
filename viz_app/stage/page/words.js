// Words and numbers. All words come from the tables the host hands in, one a language.
//
// A text may mark words that name a term: "[key|keys]" reads "keys" and explains `key` where the
// place can show it (makeTermed in glossary.js); everywhere else it is just the word.

export const TERM_MARK = /\[(\w+)\|([^\]|]*)\]/g;

/**
 * A text with its placeholders filled, in one pass: a token that reads "{n}" stays as it is.
 * @param {string} text
 * @param {Record<string, any>} values
 */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    Object.hasOwn(values, name) && values[name] !== undefined ? String(values[name]) : whole);
}

/**
 * The function that reads the tables: t("step_of", {n: 3, m: 4}).
 *   t.language, t.languages   the one in use, and all there are
 *   t.use(language)           reads that one from now on; what is on the page stays as it is
 *   t.has(key), t.raw(key)    whether there is such a text; the text with its marks
 * @param {Object<string, Object<string, string>>} words a table a language
 * @param {string} language
 * @returns {Words} the function with the traits above
 */
export function readerOf(words, language) {
  let table = words[language];
  /** @param {string} key */
  const raw = (key) => (Object.hasOwn(table, key) ? table[key] : key);
  /** @type {any} */
  const t = (/** @type {string} */ key, /** @type {Record<string, any>} */ values = {}) =>
    filled(raw(key).replace(TERM_MARK, "$2"), values);
  return Object.assign(t, {
    language,
    languages: Object.keys(words),
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
 * @param {Record<string, Record<string, string>>} words
 * @param {?string} kept
 */
export function firstLanguage(words, kept) {
  const wanted = [kept, navigator.language?.toLowerCase().split("-")[0]];
  return wanted.find((language) => language && Object.hasOwn(words, language))
    ?? Object.keys(words)[0];
}

/** A language as the `lang` attribute names it. @param {string} language */
export function langOf(language) {
  return language === "zh" ? "zh-CN" : language;
}

/**
 * What to tell the reader: {code, values, message, reason} of an error, or a text as it is.
 * @param {any} error
 * @param {Words} t
 * @returns {string}
 */
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
 * @param {any} model
 * @param {Words} t
 */
export function titleOfModel(model, t) {
  if (!model.languages?.length) return model.title || model.name;
  return model.languages.map((/** @type {string} */ language) =>
    (t.has(`language_${language}`) ? t(`language_${language}`) : language)).join(" → ");
}

/** @type {Record<string, string>} */
const USUAL = {
  norm_place: "post", similarity: "scaled_dot", attention: "soft", positions: "sinusoidal",
};

/**
 * A model at the updates of its training that are kept, the last behind them; none where only the
 * last is.
 * @param {any[]} models
 * @param {any} model
 * @returns {any[]}
 */
export function trainingOf(models, model) {
  const whole = model.of ?? model.name;
  const earlier = models.filter(({ of }) => of === whole);
  return earlier.length === 0 ? [] : [...earlier, ...models.filter(({ name }) => name === whole)];
}

/**
 * The same in a list: of models with equal titles all but the plainest say in what they differ from
 * it; where that does not tell them apart, their name. A model earlier in its training says when.
 * @param {any[]} models
 * @param {any} model
 * @param {Words} t
 * @returns {string}
 */
export function titleAmong(models, model, t) {
  const whole = model.of && models.find(({ name }) => name === model.of);
  if (whole) {
    return t("model_then", { title: titleAmong(models, whole, t), update: model.update });
  }
  const title = titleOfModel(model, t);
  const alike = models.filter((other) => !other.of && titleOfModel(other, t) === title);
  const parts = Object.entries(USUAL);
  /** @type {(part: string, value: string) => number} */
  const count = (part, value) => alike.filter((one) => one[part] === value).length;
  const most = Object.fromEntries(parts.map(([part, usual]) => [part, alike.reduce(
    (best, one) => (count(part, one[part]) > count(part, best) ? one[part] : best), usual)]));
  /** @type {(one: any, plain: any) => string} */
  const apart = (one, plain) => parts.filter(([part]) => one[part] !== plain[part])
    .map(([part]) => t(`kind_${one[part]}`)).join(", ");
  /** @param {any} one */
  const oddities = (one) => parts.filter(([part]) => one[part] !== most[part]).length;
  const [plain] = [...alike].sort((a, b) => oddities(a) - oddities(b) || b.width - a.width);
  if (plain === model) return title;
  const said = apart(model, plain);
  const told = said && alike.every((one) => one === model || apart(one, plain) !== said);
  return `${title} · ${told ? said : model.name}`;
}

/** The characters of a text as Python counts them. @param {string} text */
export function countCharacters(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
