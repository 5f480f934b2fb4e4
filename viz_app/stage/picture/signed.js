// What a picture says of itself where nobody looks, as viz_app/files/signed.py has it: title, link, model,
// weights, version, and what computed its numbers.

import { contextOf } from "../draw/canvas.js";
import { escaped } from "./pen.js";
import { bytesFromBase64 } from "../run/wire.js";

const INCH = 0.0254; // metres
const HEAD = 8 + 25; // bytes of a PNG up to the end of its first chunk

/** @typedef {{title: string, description: string, program: string, link: string}} Signature */

/**
 * @param {Pick<State, "model" | "options" | "run">} state
 * @param {string} title
 * @param {?string} link
 * @param {string} computedBy what computed the numbers; none: they were given
 * @returns {Signature}
 */
export function signatureOf(state, title, link, computedBy) {
  const { model, options, run } = state;
  const program = `Attention Visualiser ${options.product}`;
  const parts = [`model ${run.recipe.model}`, `weights ${model.fingerprint}`, program,
    ...(computedBy ? [`computed by ${computedBy}`] : [])];
  return { title, program, link: link ?? "", description: [...parts, ...(link ? [`link ${link}`] : [])].join("; ") };
}

/** A picture with a title and a description, which screen readers read. @param {string} svg @param {Signature} signature */
export function signedSvg(svg, { title, description }) {
  const said = `<title id="av-title">${escaped(title)}</title><desc id="av-desc">${escaped(description)}</desc>`;
  return svg.replace(/>/, () => ` role="img" aria-labelledby="av-title av-desc">${said}`);
}

const CHECKS = Uint32Array.from({ length: 256 }, (_, n) => {
  let check = n;
  for (let bit = 0; bit < 8; bit += 1) check = check & 1 ? 0xedb88320 ^ (check >>> 1) : check >>> 1;
  return check;
});

/** A chunk of a PNG. @param {string} kind @param {Uint8Array} data */
function chunkOf(kind, data) {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(kind), 4);
  bytes.set(data, 8);
  let check = 0xffffffff;
  for (const byte of bytes.subarray(4, data.length + 8)) check = CHECKS[(check ^ byte) & 255] ^ (check >>> 8);
  view.setUint32(data.length + 8, ~check >>> 0);
  return bytes;
}

/**
 * A PNG with its signature, and its density: 96 pixels an inch at scale 1.
 * @param {Uint8Array} png
 * @param {number} scale
 * @param {Signature} signature
 */
function signedPng(png, scale, { title, description, program, link }) {
  const size = new Uint8Array(9);
  const view = new DataView(size.buffer);
  for (const at of [0, 4]) view.setUint32(at, Math.round((96 * scale) / INCH));
  size[8] = 1;
  const texts = Object.entries({ Title: title, Description: description, Software: program, Source: link })
    .filter(([, text]) => text)
    .map(([name, text]) => chunkOf("iTXt", new TextEncoder().encode(`${name}\0\0\0\0\0${text}`)));
  const parts = [png.subarray(0, HEAD), chunkOf("pHYs", size), ...texts, png.subarray(HEAD)];
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @param {Uint8Array} bytes */
export function asBase64(bytes) {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 0x8000) letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(letters);
}

/**
 * A picture as a PNG in base64; null where it is larger than the browser draws.
 * @param {{svg: string, width: number, height: number}} picture
 * @param {number} scale
 * @param {Signature} signature
 */
export async function pngOf({ svg, width, height }, scale, signature) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(width * scale), height: Math.round(height * scale) });
  const context = contextOf(canvas);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const [, data] = canvas.toDataURL("image/png").split(",");
  return data ? asBase64(signedPng(bytesFromBase64(data), scale, signature)) : null;
}
