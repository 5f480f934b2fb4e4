// The words of a sentence in another order. Pure: knows no page.

/**
 * Whether the places are those of all the tokens, each once.
 * @param {number[]} order
 * @param {Tokens} tokens
 */
export const isOrderOf = (order, tokens) =>
  [...order].sort((a, b) => a - b).join() === tokens.ids.map((_, i) => i).join();

/**
 * An order of tokens as one of words; where it tears a word apart every token is a word.
 * @param {{tokens: number[], rows: ?number[]}} given which token stands at each place, and which
 *     position each place has
 * @param {number[][]} words
 * @returns {Arrangement}
 */
export function givenByTokens({ tokens, rows }, words) {
  const shifts = tokens.map((_, place) => (rows ? rows[place] - place : 0));
  /** @type {number[]} */
  const order = [];
  /** @type {Record<number, number>} */
  const shift = {};
  for (let place = 0; place < tokens.length; place += words[order[order.length - 1]].length) {
    const word = words.findIndex(([first]) => first === tokens[place]);
    const whole = word >= 0 && words[word].every((token, i) => tokens[place + i] === token
      && shifts[place + i] === shifts[place]);
    if (!whole) {
      return { words: tokens.map((_, i) => [i]), order: tokens,
        shift: Object.fromEntries(tokens.map((token, i) => [token, shifts[i]])) };
    }
    order.push(word);
    shift[word] = shifts[place];
  }
  return { words, order, shift };
}

/** Which token stands at each place. @param {Arrangement} arrangement */
export const tokenOrder = ({ order, words }) => order.flatMap((word) => words[word]);

/**
 * Which position each place has; null where each has its own.
 * @param {Arrangement} arrangement
 * @param {number} last the last position that there is
 */
export function tokenRows({ order, words, shift }, last) {
  if (!Object.values(shift).some((by) => by !== 0)) return null;
  return order.flatMap((word) => words[word].map(() => shift[word] ?? 0))
    .map((by, place) => Math.max(0, Math.min(last, place + by)));
}

/**
 * The shift of a word that is moved on, as far as there is a position for each of its tokens.
 * @param {Arrangement} arrangement
 * @param {number} index the place of the word
 * @param {number} by
 * @param {number} last the last position that there is
 */
export function shiftAfter({ order, words, shift }, index, by, last) {
  const first = order.slice(0, index).reduce((sum, word) => sum + words[word].length, 0);
  const most = last + 1 - words[order[index]].length;
  return Math.max(0, Math.min(most, first + (shift[order[index]] ?? 0) + by)) - first;
}

/**
 * The words in places drawn at random, not all of them where they were.
 * @param {number[]} order
 * @param {number[]} places those that words may leave
 */
export function shuffledOrder(order, places) {
  if (places.length < 2) return order;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const next = order.slice();
    for (let i = places.length - 1; i > 0; i -= 1) {
      const j = Math.floor(Math.random() * (i + 1));
      [next[places[i]], next[places[j]]] = [next[places[j]], next[places[i]]];
    }
    if (next.some((word, i) => word !== order[i])) return next;
  }
  return order;
}

/** The words in reverse. @param {number[]} order @param {number[]} places those that words may leave */
export function reversedOrder(order, places) {
  const next = order.slice();
  places.forEach((place, i) => { next[place] = order[places[places.length - 1 - i]]; });
  return next;
}
