// Which questions a text asks: by the words that both have, in English and in Chinese. Words that
// mean the same are one (a list that comes with the questions), endings of English words do not count,
// and of Chinese text every two characters are a word. Everything happens here, in the page.

export const TYPED_MOST = 300; // characters of a text that are read
const PHRASE_MOST = 10; // words or characters of a phrase
const [IN_QUESTION, IN_WORDS, IN_ANSWER] = [3, 2, 0.7]; // what a word counts, by where it stands
const IS_QUESTION = 1.2; // what somebody asks is rather a question than a term or a room
const IS_ALL = 2; // it says what a question or a name does, and nothing else
const SURE = 0.36; // of what a text says, so much must be in a question that answers it
const BARELY = 0.5; // what a word says of that where it stands in the answer only, or is only begun
const LEAST = 0.3; // what scores less than this share of the best is not among the nearest
const SHOWN = 6;

const CHINESE = /[\u3400-\u9fff\uf900-\ufaff]/;
const UNIT = /<\/?s>|[\u3400-\u9fff\uf900-\ufaff]|[^\u3400-\u9fff\uf900-\ufaff\P{L}]+|\p{N}+|[√∞α+]/gu;

/**
 * An English word without its ending: "masks", "masked" and "masking" are one.
 * @param {string} word
 */
export function stemOf(word) {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return word.replace(/([a-z]{4})i[sz](?:ations?|es?|ed|ing)$/, "$1").replace(/ies$/, "y")
    .replace(/([a-z]{3})(?:ings?|ed|es|ly)$/, "$1").replace(/([a-z]{2}[^s])s$/, "$1")
    .replace(/([a-z]{3})e$/, "$1").replace(/([b-df-hj-km-npqrtv-z])\1$/, "$1");
}

/** The words of a text, as they are compared; of Chinese its characters. @param {string} text */
function unitsOf(text) {
  const plain = text.slice(0, TYPED_MOST).normalize("NFKC").toLowerCase().replace(/[\u0027\u2019]s\b/g, "");
  return (plain.match(UNIT) ?? []).map(stemOf);
}

/**
 * What phrases mean: a phrase, its units with spaces between, and the meanings that it is one of.
 * @param {Questions} questions
 */
function phrasesOf({ synonyms, idle }) {
  /** @type {Map<string, string[]>} */
  const phrases = new Map();
  for (const [meaning, words] of Object.entries(synonyms)) {
    for (const word of words) {
      const phrase = unitsOf(word).join(" ");
      const known = phrases.get(phrase) ?? [];
      if (phrase && !known.includes(`=${meaning}`)) phrases.set(phrase, [...known, `=${meaning}`]);
    }
  }
  for (const word of idle) {
    const phrase = unitsOf(word).join(" ");
    if (!phrases.has(phrase)) phrases.set(phrase, []);
  }
  return phrases;
}

/**
 * What a text says: meanings, words, and pairs of Chinese characters that no phrase holds.
 * @param {string} text
 * @param {Map<string, string[]>} phrases
 * @returns {Set<string>}
 */
function saidIn(text, phrases) {
  const units = unitsOf(text);
  /** @type {Set<string>} */
  const said = new Set();
  let run = ""; // of Chinese characters
  const close = () => {
    if (run.length === 1) said.add(run);
    for (let i = 0; i + 1 < run.length; i += 1) said.add(run.slice(i, i + 2));
    run = "";
  };
  for (let at = 0; at < units.length;) {
    let length = Math.min(PHRASE_MOST, units.length - at);
    while (length > 0 && !phrases.has(units.slice(at, at + length).join(" "))) length -= 1;
    if (length > 0) {
      close();
      for (const meaning of phrases.get(units.slice(at, at + length).join(" ")) ?? []) said.add(meaning);
    } else if (CHINESE.test(units[at])) run += units[at];
    else {
      close();
      said.add(units[at]);
    }
    at += Math.max(1, length);
  }
  close();
  return said;
}

/**
 * @typedef {{question: Question, words: Map<string, number>, asks: string[]}} Entry what each word of it
 *   counts, and all that it asks, in each language and in other words
 * @typedef {{entries: Entry[], phrases: Map<string, string[]>, rare: Map<string, number>}} Index
 */

/** What a text says as one text, to be compared. @param {Set<string>} said */
const spelled = (said) => [...said].sort().join(" ");

/**
 * The questions, made ready to be asked.
 * @param {Questions} questions
 * @returns {Index}
 */
export function indexOf(questions) {
  const phrases = phrasesOf(questions);
  /** @type {Map<string, number>} */
  const rare = new Map();
  const entries = questions.questions.map((question) => {
    /** @type {Map<string, number>} */
    const words = new Map();
    /** @param {string[]} texts @param {number} counts */
    const put = (texts, counts) => {
      for (const text of texts) {
        for (const word of saidIn(text, phrases)) words.set(word, Math.max(counts, words.get(word) ?? 0));
      }
    };
    put(Object.values(question.says), IN_ANSWER);
    put(question.words, IN_WORDS);
    put(Object.values(question.asks), IN_QUESTION);
    for (const word of words.keys()) rare.set(word, (rare.get(word) ?? 0) + 1);
    const asks = Object.values(question.asks).map((text) => saidIn(text, phrases));
    const others = question.words.map((text) => saidIn(text, phrases)).filter(({ size }) => size > 1);
    return { question, words, asks: [...asks, ...others].map(spelled) };
  });
  for (const [word, count] of rare) rare.set(word, Math.log(1 + entries.length / count));
  return { entries, phrases, rare };
}

/**
 * The questions that come nearest to a text, the best first; `isSure`: whether the best is likely
 * to be what was asked.
 * @param {Index} index
 * @param {string} text
 * @returns {{questions: Question[], isSure: boolean}}
 */
export function nearestEntries({ entries, phrases, rare }, text) {
  const whole = saidIn(text, phrases);
  const said = [...whole].map((word) => spelledOut(word, rare));
  // Of Chinese text that nothing knows every character is in two words.
  const worth = (/** @type {string} */ word) => rare.get(word)
    ?? Math.log(1 + entries.length) / (CHINESE.test(word) ? 1.5 : 1);
  const all = said.reduce((sum, words) => sum + Math.max(0, ...words.map(worth)), 0);
  const found = entries.map(({ question, words, asks }) => {
    let [score, shared] = [0, 0];
    for (const ways of said) {
      const has = ways.filter((word) => words.has(word));
      score += Math.max(0, ...has.map((word) => worth(word) * (words.get(word) ?? 0)));
      shared += Math.max(0, ...has.map((word) => worth(word)
        * (whole.has(word) && (words.get(word) ?? 0) > IN_ANSWER ? 1 : BARELY)));
    }
    if (question.list === "questions") score *= IS_QUESTION;
    if (whole.size > 0 && asks.includes(spelled(whole))) score *= IS_ALL;
    return { question, score: score / (14 + words.size) ** 0.15, shared };
  }).sort((a, b) => b.score - a.score)
    .filter(({ score }, _, [best]) => score > 0 && score >= LEAST * best.score).slice(0, SHOWN);
  return { questions: found.map(({ question }) => question),
    isSure: all > 0 && found.some(({ shared }) => shared >= SURE * all) };
}

/**
 * A word, or what it may be the beginning of where nothing is called so.
 * @param {string} word
 * @param {Map<string, number>} rare
 */
function spelledOut(word, rare) {
  if (rare.has(word) || word.length < 3 || word.startsWith("=")) return [word];
  const begun = [...rare.keys()].filter((known) => known.startsWith(word));
  return begun.length > 0 ? begun : [word];
}
