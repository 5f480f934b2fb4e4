// From the bytes on the wire to rows of weights. Pure: knows no page.

const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** The bytes in a base64 text. @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function bytesFromBase64(text) {
  // @ts-expect-error: what younger browsers have, many times faster
  const known = Uint8Array.fromBase64?.(text);
  if (known) return known;
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i += 1) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** The numbers in a base64 text of little-endian float32. @param {string} text */
export function singlesFromBase64(text) {
  const bytes = bytesFromBase64(text);
  if (LITTLE_ENDIAN) return new Float32Array(bytes.buffer, 0, bytes.length >> 2);
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length >> 2 }, (_, i) => view.getFloat32(4 * i, true));
}

/**
 * The steps of one site, cut out of the concatenation that the server sends.
 * @param {Float32Array} numbers steps `first`, first+1, ... one after the other
 * @param {function(number): number} size how many numbers step t has
 * @param {number} first
 * @param {number} count
 * @returns {Float32Array[]} one block [L, H, keys] per step
 */
export function cutSteps(numbers, first, count, size) {
  const blocks = [];
  let at = 0;
  for (let t = first; t < first + count; t += 1) {
    blocks.push(numbers.subarray(at, at + size(t)));
    at += size(t);
  }
  if (at !== numbers.length) {
    throw new Error(`${numbers.length} weights arrived; ${count} steps have ${at}`);
  }
  return blocks;
}
