// An archive as viz_app/live writes them: a zip whose files are not compressed, because it is as a whole.

const [ENTRY, HEAD] = [0x04034b50, 30]; // what an entry begins with, and how long its beginning is

/** The files of an archive: their names, and their contents where they lie in it.
 * @param {Uint8Array} archive @returns {Generator<[string, Uint8Array]>} */
export function* filesOf(archive) {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  let at = 0;
  while (at + HEAD <= archive.length && view.getUint32(at, true) === ENTRY) {
    const [method, size] = [view.getUint16(at + 8, true), view.getUint32(at + 18, true)];
    const [named, more] = [view.getUint16(at + 26, true), view.getUint16(at + 28, true)];
    if (method) throw new Error("A file of an archive is compressed.");
    const start = at + HEAD + named + more;
    yield [new TextDecoder().decode(archive.subarray(at + HEAD, at + HEAD + named)), archive.subarray(start, start + size)];
    at = start + size;
  }
}
