// Words and numbers. All words come from the table the host hands in.

/**
 * The function that reads the table: t("step_of", {n: 3, m: 4}).
 * Placeholders are filled in one pass, so a token that reads "{n}" stays as it is.
 * @param {Object<string, string>} table
 */
function readerOf(table) {
  return (key, values = {}) => {
    const text = Object.hasOwn(table, key) ? table[key] : key;
    return text.replace(/\{(\w+)\}/g, (whole, name) =>
      Object.hasOwn(values, name) ? String(values[name]) : whole);
  };
}

/** A weight or probability with three digits after the point. */
function threeDigits(number) {
  return number.toFixed(3);
}

/** A probability in at most five characters; what would round to zero says so. */
function shortProbability(number) {
  return number > 0 && number < 0.0005 ? "<.001" : number.toFixed(3);
}

/** The characters of a text as Python counts them. */
function countCharacters(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
