// What is dropped onto the page: the files, of folders those that lie directly in them.

/** @param {any} folder @returns {Promise<any[]>} */
async function within(folder) {
  const reader = folder.createReader();
  const found = [];
  for (;;) { // browsers give some at a time
    const some = await new Promise((done, fail) => { reader.readEntries(done, fail); });
    if (some.length === 0) return found;
    found.push(...some);
  }
}

/**
 * The files, each with its path from where it was dropped.
 * @param {any[]} entries
 * @returns {Promise<{path: string, file: File}[]>}
 */
export async function filesOf(entries) {
  const inside = await Promise.all(entries.map((one) => (one.isDirectory ? within(one) : [one])));
  return Promise.all(inside.flat().filter(({ isFile }) => isFile).map(async (one) =>
    ({ path: one.fullPath.replace(/^\//, ""), file: await new Promise((done, fail) => { one.file(done, fail); }) })));
}
