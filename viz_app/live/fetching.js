// Fetches the pieces that pieces.json names, and counts the bytes as they come.

/** @typedef {{ path: string, bytes: number, sha256: string, planes: number }} Piece see pieces.py */

/** A piece that did not come, or came damaged. */
export class Unfetched extends Error {}

/** The list of pieces under an address.
 * @param {string} base */
export async function listed(base) {
  const said = await asked(`${base}pieces.json`, { cache: "no-cache" });
  return said.json();
}

/** The contents of pieces, all of them fetched at once; `count` hears of every part that comes how many bytes it has.
 * @param {string} base @param {Piece[]} pieces @param {(bytes: number) => void} count @returns {Promise<Uint8Array[]>} */
export function fetched(base, pieces, count) {
  return Promise.all(pieces.map((piece) => one(base, piece, count)));
}

/** @param {string} base @param {Piece} piece @param {(bytes: number) => void} count */
async function one(base, piece, count) {
  const response = await asked(base + piece.path, {});
  if (!response.body) throw new Unfetched(`${piece.path} is empty.`);
  const counted = response.body.pipeThrough(new TransformStream({
    transform(part, next) {
      count(part.length);
      next.enqueue(part);
    },
  }));
  const content = await bytesOf(counted);
  if (content.length !== piece.bytes || !(await isWhole(content, piece.sha256))) {
    throw new Unfetched(`${piece.path} came damaged. Reload the page.`);
  }
  return woven(await bytesOf(new Blob([content]).stream().pipeThrough(new DecompressionStream("gzip"))), piece.planes);
}

/** What was parted into planes: the first bytes of all numbers, then the second ones and so on; of the bytes that are
 * left over nothing was parted.
 * @param {Uint8Array} parted @param {number} planes */
export function woven(parted, planes) {
  if (planes === 1) return parted;
  const made = parted.slice(), numbers = Math.floor(parted.length / planes);
  for (let plane = 0, from = 0; plane < planes; plane++) {
    for (let to = plane; to < numbers * planes; to += planes) made[to] = parted[from++];
  }
  return made;
}

/** @param {ReadableStream} stream */
async function bytesOf(stream) {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Whether the content has this hash; browsers compute none for pages that came over plain http from another computer.
 * @param {Uint8Array<ArrayBuffer>} content @param {string} sha256 */
async function isWhole(content, sha256) {
  if (!globalThis.crypto?.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}

/** @param {string} address @param {RequestInit} how */
async function asked(address, how) {
  const response = await fetch(address, how).catch((error) => {
    throw new Unfetched(`${address} cannot be fetched: ${error.message}`);
  });
  if (!response.ok) throw new Unfetched(`${address} cannot be fetched: ${response.status}`);
  return response;
}
