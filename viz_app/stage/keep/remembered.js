// What the reader chose for every visit: language, colours, size, shortcuts.

const REMEMBERED = "attention-visualiser";

export const choicesHere = new Map(); // on this page alone; it comes before what is stored

/**
 * Reads or writes one remembered choice; a browser that forbids storage keeps it for the page.
 * @param {string} name
 * @param {string} [value]
 */
export function remembered(name, value) {
  if (value === undefined && choicesHere.has(name)) return choicesHere.get(name);
  try {
    if (value === undefined) return localStorage.getItem(`${REMEMBERED}-${name}`);
    localStorage.setItem(`${REMEMBERED}-${name}`, value);
    choicesHere.delete(name); // what is stored counts from now on
  } catch { // private windows and sandboxed pages refuse storage
    if (value !== undefined) choicesHere.set(name, value);
  }
  return null;
}
