// From the bytes on the wire to rows of weights. Pure: knows no page.

let halves = null; // all 65,536 float16 values, made on first use

function halfTable() {
  if (halves) return halves;
  halves = new Float32Array(65536);
  for (let bits = 0; bits < 65536; bits += 1) {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    halves[bits] = exponent === 31 ? (fraction ? NaN : sign * Infinity)
      : exponent === 0 ? sign * fraction * 2 ** -24
        : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  }
  return halves;
}

/**
 * The numbers in a base64 text of little-endian float16.
 * @param {string} text
 * @returns {Float32Array}
 */
function floatsFromBase64(text) {
  const bytes = atob(text);
  const table = halfTable();
  const numbers = new Float32Array(bytes.length >> 1);
  for (let i = 0; i < numbers.length; i += 1) {
    numbers[i] = table[bytes.charCodeAt(2 * i) | (bytes.charCodeAt(2 * i + 1) << 8)];
  }
  return numbers;
}

const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** The numbers in a base64 text of little-endian float32. */
function singlesFromBase64(text) {
  let bytes = Uint8Array.fromBase64?.(text); // younger browsers; many times faster
  if (!bytes) {
    const letters = atob(text);
    bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i += 1) bytes[i] = letters.charCodeAt(i);
  }
  if (LITTLE_ENDIAN) return new Float32Array(bytes.buffer, 0, bytes.length >> 2);
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length >> 2 }, (_, i) => view.getFloat32(4 * i, true));
}

/**
 * The steps of one site, cut out of the concatenation that the server sends.
 * @param {Float32Array} numbers steps `first`, first+1, ... one after the other
 * @param {function(number): number} size how many numbers step t has
 * @returns {Float32Array[]} one block [L, H, keys] per step
 */
function cutSteps(numbers, first, count, size) {
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
