// A text as a QR code (ISO/IEC 18004): byte mode, level M, in the smallest version that holds it. Pure:
// knows no page, and gives the modules row by row.

const MOST = 25; // the last version that is written; a larger one is too fine for a camera at the back
const FORMAT_M = 0; // of the level, as the format has it
// By version, of level M: check bytes of a block, and blocks.
const CHECKS = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21];

/** The modules of a version that hold data and checks. @param {number} version */
function roomOf(version) {
  const marks = version > 1 ? Math.floor(version / 7) + 2 : 0;
  return (16 * version + 128) * version + 64 - (marks ? (25 * marks - 10) * marks - 55 : 0) - (version >= 7 ? 36 : 0);
}

/** The bytes of a version before the checks. @param {number} version */
const dataBytes = (version) => Math.floor(roomOf(version) / 8) - CHECKS[version - 1] * BLOCKS[version - 1];

/** The bits that say how many bytes follow. @param {number} version */
const lengthBits = (version) => (version < 10 ? 8 : 16);

/** How many bytes a version holds. @param {number} version */
export const bytesIn = (version) => Math.floor((8 * dataBytes(version) - 4 - lengthBits(version)) / 8);

/** A number as so many bits. @param {number} number @param {number} count */
const bitsOf = (number, count) => Array.from({ length: count }, (_, i) => (number >>> (count - 1 - i)) & 1);

/** What is written before the checks: the mode, the length, the bytes, and what fills up. @param {Uint8Array} bytes @param {number} version */
function dataOf(bytes, version) {
  const room = 8 * dataBytes(version);
  const bits = [...bitsOf(4, 4), ...bitsOf(bytes.length, lengthBits(version)), ...Array.from(bytes).flatMap((one) => bitsOf(one, 8))];
  bits.push(...Array(Math.min(4, room - bits.length)).fill(0));
  bits.push(...Array((8 - (bits.length % 8)) % 8).fill(0));
  const data = Array.from({ length: bits.length / 8 }, (_, i) =>
    bits.slice(8 * i, 8 * i + 8).reduce((sum, bit) => 2 * sum + bit, 0));
  for (let fill = 0xec; data.length < dataBytes(version); fill ^= 0xec ^ 0x11) data.push(fill);
  return data;
}

/** A product in the field of 256 elements, modulo x⁸ + x⁴ + x³ + x² + 1. @param {number} a @param {number} b */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) product = (product << 1) ^ ((product >>> 7) * 0x11d) ^ (((b >>> bit) & 1) * a);
  return product;
}

/** The Reed-Solomon divisor, (x − 1)(x − 2)(x − 4) …, without its first coefficient. @param {number} degree */
function divisorOf(degree) {
  const divisor = [...Array(degree - 1).fill(0), 1];
  let root = 1;
  for (let turn = 0; turn < degree; turn += 1) {
    for (let i = 0; i < degree; i += 1) divisor[i] = times(divisor[i], root) ^ (divisor[i + 1] ?? 0);
    root = times(root, 2);
  }
  return divisor;
}

/** The check bytes of a block. @param {number[]} block @param {number[]} divisor */
function checksOf(block, divisor) {
  const rest = divisor.map(() => 0);
  for (const byte of block) {
    const factor = byte ^ /** @type {number} */ (rest.shift());
    rest.push(0);
    divisor.forEach((one, i) => { rest[i] ^= times(one, factor); });
  }
  return rest;
}

/** All bytes in the order in which they are drawn: those of the blocks in turn. @param {number[]} data @param {number} version */
function interleaved(data, version) {
  const [count, checks] = [BLOCKS[version - 1], CHECKS[version - 1]];
  const short = Math.floor(data.length / count);
  const shorts = count - (data.length % count);
  let at = 0;
  const blocks = Array.from({ length: count }, (_, i) => {
    const block = data.slice(at, at + short + (i < shorts ? 0 : 1));
    at += block.length;
    return block;
  });
  const divisor = divisorOf(checks);
  const ends = blocks.map((block) => checksOf(block, divisor));
  /** @param {number[][]} parts @param {number} length */
  const inTurn = (parts, length) => Array.from({ length }, (_, i) => parts.flatMap((part) => part.slice(i, i + 1))).flat();
  return [...inTurn(blocks, short + 1), ...inTurn(ends, checks)];
}

/** Where the middles of the alignment marks are, along one side. @param {number} version */
function marksOf(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = 2 * Math.ceil((4 * version + 4) / (2 * count - 2));
  return [6, ...Array.from({ length: count - 1 }, (_, i) => 4 * version + 10 - step * (count - 2 - i))];
}

/** The remainder of a code word, as the formats and versions have it. @param {number} number @param {number} divisor @param {number} degree */
function remainder(number, divisor, degree) {
  let rest = number;
  for (let i = 0; i < degree; i += 1) rest = (rest << 1) ^ ((rest >>> (degree - 1)) * divisor);
  return rest;
}

/** The 15 bits of a format: level and mask. @param {number} mask */
function formatOf(mask) {
  const said = (FORMAT_M << 3) | mask;
  return ((said << 10) | remainder(said, 0x537, 10)) ^ 0x5412;
}

/** @typedef {(boolean | null)[][]} Modules row by row; null: not drawn yet */

/** What is the same whatever is said: marks, timing, the version; and where the format goes, light. @param {number} version @returns {Modules} */
function frameOf(version) {
  const size = 4 * version + 17;
  /** @type {Modules} */
  const modules = Array.from({ length: size }, () => Array(size).fill(null));
  for (let i = 0; i < size; i += 1) modules[6][i] = modules[i][6] = i % 2 === 0;
  /** A square around a middle, of rings. @param {number} y @param {number} x @param {number} reach @param {number[]} dark the rings that are */
  const square = (y, x, reach, dark) => {
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) {
        const [row, column] = [y + dy, x + dx];
        if (row >= 0 && column >= 0 && row < size && column < size) {
          modules[row][column] = dark.includes(Math.max(Math.abs(dy), Math.abs(dx)));
        }
      }
    }
  };
  const [marks, last] = [marksOf(version), size - 7];
  for (const y of marks) {
    for (const x of marks) {
      if (![[6, 6], [6, last], [last, 6]].some(([row, column]) => row === y && column === x)) square(y, x, 2, [0, 2]);
    }
  }
  for (const [y, x] of [[3, 3], [3, size - 4], [size - 4, 3]]) square(y, x, 4, [0, 1, 3]);
  writeFormat(modules, 0);
  if (version >= 7) {
    const bits = (version << 12) | remainder(version, 0x1f25, 12);
    for (let i = 0; i < 18; i += 1) {
      const [far, near] = [size - 11 + (i % 3), Math.floor(i / 3)];
      modules[far][near] = modules[near][far] = ((bits >>> i) & 1) === 1;
    }
  }
  return modules;
}

/** Writes the format twice. @param {Modules} modules @param {number} bits */
function writeFormat(modules, bits) {
  const size = modules.length;
  const isDark = (/** @type {number} */ i) => ((bits >>> i) & 1) === 1;
  for (let i = 0; i < 15; i += 1) {
    const near = i < 6 ? i : i < 8 ? i + 1 : 14 - i + (i === 8 ? 1 : 0);
    if (i < 8) modules[near][8] = modules[8][size - 1 - i] = isDark(i);
    else modules[8][near] = modules[size - 15 + i][8] = isDark(i);
  }
  modules[size - 8][8] = true;
}

/** Writes bytes up and down in columns of two, from the right. @param {Modules} modules @param {number[]} bytes */
function writeBytes(modules, bytes) {
  const size = modules.length;
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5; // there the timing runs
    const goesUp = ((right + 1) & 2) === 0;
    for (let i = 0; i < size; i += 1) {
      const y = goesUp ? size - 1 - i : i;
      for (const x of [right, right - 1]) {
        if (modules[y][x] !== null) continue;
        modules[y][x] = at < 8 * bytes.length && ((bytes[at >>> 3] >>> (7 - (at & 7))) & 1) === 1;
        at += 1;
      }
    }
  }
}

/** @type {(function(number, number): boolean)[]} row and column of what is turned over */
const MASKS = [(y, x) => (y + x) % 2 === 0, (y) => y % 2 === 0, (_, x) => x % 3 === 0, (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0, (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0, (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0];

/** How hard a code is to read: long runs, squares, what looks like a finder, and too much of one shade. @param {Modules} modules */
function penaltyOf(modules) {
  const size = modules.length;
  const lines = [...modules, ...modules.map((_, x) => modules.map((row) => row[x]))]
    .map((line) => line.map((isDark) => (isDark ? "1" : "0")).join(""));
  let penalty = 0;
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) penalty += run.length - 2;
    for (const finder of ["10111010000", "00001011101"]) {
      for (let at = line.indexOf(finder); at >= 0; at = line.indexOf(finder, at + 1)) penalty += 40;
    }
  }
  for (let y = 0; y + 1 < size; y += 1) {
    for (let x = 0; x + 1 < size; x += 1) {
      const [one, ...others] = [modules[y][x], modules[y][x + 1], modules[y + 1][x], modules[y + 1][x + 1]];
      if (others.every((other) => other === one)) penalty += 3;
    }
  }
  const dark = modules.flat().filter(Boolean).length / size ** 2;
  return penalty + 10 * Math.floor(Math.abs(20 * dark - 10));
}

/** A code with one mask. @param {Modules} frame @param {number[]} bytes @param {number} mask */
function maskedBy(frame, bytes, mask) {
  const modules = frame.map((row) => [...row]);
  writeBytes(modules, bytes);
  frame.forEach((row, y) => row.forEach((fixed, x) => {
    if (fixed === null && MASKS[mask](y, x)) modules[y][x] = !modules[y][x];
  }));
  writeFormat(modules, formatOf(mask));
  return modules;
}

/**
 * The QR code of a text, true where a module is dark; null where it is too long for one that a class
 * can scan.
 * @param {string} text
 * @param {?number} [mask] 0 to 7; the one that is read best
 * @returns {?boolean[][]}
 */
export function qrCodeOf(text, mask = null) {
  const bytes = new TextEncoder().encode(text);
  const version = CHECKS.findIndex((_, i) => bytesIn(i + 1) >= bytes.length) + 1;
  if (version === 0 || version > MOST) return null;
  const [frame, all] = [frameOf(version), interleaved(dataOf(bytes, version), version)];
  const codes = (mask === null ? MASKS.map((_, i) => i) : [mask]).map((one) => maskedBy(frame, all, one));
  const penalties = codes.map(penaltyOf);
  return /** @type {boolean[][]} */ (codes[penalties.indexOf(Math.min(...penalties))]);
}

const MARGIN = 4; // light modules around a code

/**
 * The dark modules as the path of a drawing, a module a unit, and the side of the whole.
 * @param {boolean[][]} modules
 */
export function drawnCode(modules) {
  const path = modules.flatMap((row, y) => row.flatMap((isDark, x) =>
    (isDark ? [`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`] : []))).join("");
  return { path, side: modules.length + 2 * MARGIN };
}
