// How tokens are written: plainly, or as the tokenizer spells them.

import { contextOf } from "./canvas.js";

/** @type {Record<string, string>} */
const NAMED_PIECES = {
  "<s>": "token_start", "<bos>": "token_start", "<sos>": "token_start", "[SOS]": "token_start",
  "[CLS]": "token_start",
  "</s>": "token_end", "<eos>": "token_end", "[EOS]": "token_end", "[SEP]": "token_end",
};
/** @type {Record<string, number[]>} */
const DASHES = { special: [], pad: [1.5, 2.5], unknown: [5, 3] };
const EMPTY_MARK = "∅";
export const PENDING_MARK = "…";
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LEFT_TO_RIGHT = /[\p{L}\p{N}]/u;
// Joiners, direction marks and controls have no shape of their own.
const BYTE = /^<0x[\dA-F]{2}>$/; // a piece that is one byte
const BYTES = /(?:<0x[89A-F][\dA-F]>)+/g; // in a label: of a byte-level token that is not all of a character
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufe00-\ufe0f]*$/u;

/**
 * Whether the first letter of a text belongs to a script written from right to left.
 * @param {string} text
 */
function isRightToLeft(text) {
  const letter = LEFT_TO_RIGHT.exec(text);
  return letter !== null && RIGHT_TO_LEFT.test(letter[0]);
}

/**
 * How the tokenizer spells a token, and what that is where a single byte is all there is of it.
 * @param {string} piece
 * @param {Words} t
 */
export const spellingOf = (piece, t) => [t("title_piece", { piece }),
  ...(BYTE.test(piece) ? [t("title_byte")] : [])].join("\n");

const SPACE = /^[▁Ġ]+$/u; // a piece that is a space alone; no word is written with it

/**
 * The label of a word of several tokens: as it is written, bytes that spell characters as these.
 * @param {Pick<Label, "label" | "piece">[]} tokens
 */
export function labelOfWord(tokens) {
  const texts = tokens.map(({ label, piece }) => (SPACE.test(piece) ? "" : BYTE.test(piece) ? piece : label));
  const text = texts.join("");
  return texts.filter((one) => one.search(BYTES) >= 0).length < 2 ? text : text.replace(BYTES, (bytes) => {
    try {
      return decodeURIComponent(bytes.replace(/<0x(..)>/g, "%$1"));
    } catch {
      return bytes; // not all of a character
    }
  });
}

/** @param {string} text */
function visible(text) {
  if (/^\s+$/u.test(text)) return text.replace(/\s/gu, "␣");
  if (UNSEEN.test(text)) return EMPTY_MARK;
  return text.trim();
}

/** A token's text where nothing else is known of it, or what a special one is called. @param {string} text @param {Words} t */
export const plainly = (text, t) => (Object.hasOwn(NAMED_PIECES, text) ? t(NAMED_PIECES[text]) : text);

/**
 * What one token is called on the page.
 * @param {Words} t
 * @param {{piece: string, text: string, kind: string}} token
 * @param {boolean} starts whether it is the start token of the target
 * @param {boolean} spelled show the tokenizer's spelling
 */
export function labelOf(token, starts, spelled, t) {
  if (spelled) return visible(token.piece);
  if (token.kind === "pad") return t("token_pad");
  if (token.kind === "unknown") return t("token_unknown");
  if (token.kind === "special") {
    if (starts) return t("token_start");
    return Object.hasOwn(NAMED_PIECES, token.piece) ? plainly(token.piece, t) : token.text || token.piece;
  }
  return visible(token.text);
}

/**
 * The labels of a sequence.
 * @param {Tokens} tokens
 * @param {boolean} isTarget
 * @param {boolean} spelled
 * @param {Words} t
 * @returns {Label[]}
 */
export function labelsOf(tokens, isTarget, spelled, t) {
  const later = new Set(tokens.words?.flatMap(([, ...places]) => places)); // of each word
  return tokens.ids.map((_, i) => {
    const token = { piece: tokens.pieces[i], text: tokens.texts[i], kind: tokens.kinds[i] };
    return {
      label: labelOf(token, isTarget && i === 0, spelled, t),
      piece: token.piece,
      kind: token.kind,
      ...(later.has(i) ? { goesOn: true } : {}),
    };
  });
}

/**
 * A token inside a sentence: kept from turning the direction of the words around it.
 * @param {string} label
 */
export function quoted(label) {
  return isRightToLeft(label) ? `\u2068${label}\u2069` : label;
}

const widths = new Map(); // font + text -> CSS pixels; cleared when it grows large

/** @type {?CanvasRenderingContext2D} */
let ruler = null; // not on the page: to set a font there brings all styles up to date

/**
 * The width of a text in a font, in CSS pixels.
 * @param {any} font
 * @param {string} text
 */
export function widthOf(font, text) {
  const key = `${font}\n${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 4000) widths.clear();
    ruler ??= contextOf(document.createElement("canvas"));
    ruler.font = font;
    width = ruler.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}

const LEADS_ON = " → ";

/** What leads to a label; of one that is framed to its frame. @param {GridLabel} label */
const leadsOn = ({ kind }) => (kind === "text" ? LEADS_ON : `${LEADS_ON} `);

/** A label in one text. @param {GridLabel} label */
export function spoken({ label, lead }) {
  return lead ? `${lead}${LEADS_ON}${label}` : label;
}

/**
 * The width of a label at a type size.
 * @param {Palette} palette
 * @returns {function(GridLabel, number): number}
 */
export function measureLabel(palette) {
  return (label, type) => widthOf(`${type.toFixed(1)}px ${palette.mono}`,
    label.lead ? label.lead + leadsOn(label) + label.label : label.label);
}

/**
 * The parts of a label in a room, each with its font: what leads to it, and the label itself.
 * @param {Palette} palette
 * @param {GridLabel} one
 * @param {Omit<LabelLook, "colour">} look
 */
function partsOf(palette, one, { size, room, strong = false }) {
  const { label, lead } = one;
  const font = `${strong ? "600 " : ""}${size.toFixed(1)}px ${palette.mono}`;
  if (!lead) return [{ text: elided(font, label, room), font }];
  const quiet = `${size.toFixed(1)}px ${palette.mono}`;
  const arrow = widthOf(quiet, leadsOn(one));
  const text = elided(font, label,
    Math.max(0.5 * (room - arrow), room - arrow - widthOf(quiet, lead)));
  const before = elided(quiet, lead, room - arrow - widthOf(font, text));
  return [{ text: before + leadsOn(one), font: quiet, isLead: true }, { text, font }];
}

/**
 * [x, y, width, height] of a label with the air around it; `look` as for paintLabel.
 * @param {Palette} palette
 * @param {GridLabel} label
 * @param {Omit<LabelLook, "colour">} look
 * @returns {[number, number, number, number]}
 */
export function labelBox(palette, label, look) {
  const width = partsOf(palette, label, look).reduce((sum, { font, text }) =>
    sum + widthOf(font, text), 0);
  const left = look.x - width * { left: 0, center: 0.5, right: 1 }[look.align];
  return [left - 4, -look.height / 2, width + 8, look.height];
}

/**
 * Writes a label at (x, 0): a special token in a frame, a pad in a dotted one, an unknown token in
 * a dashed one, what leads to it quietly before it.
 * @param {CanvasRenderingContext2D} context
 * @param {Palette} palette
 * @param {GridLabel} label
 * @param {LabelLook} look
 */
export function paintLabel(context, palette, label, look) {
  const parts = partsOf(palette, label, look);
  const [from, y] = labelBox(palette, label, look);
  let x = from + 4;
  for (const { text, font, isLead = false } of parts) {
    const dashes = DASHES[label.kind];
    if (!isLead && dashes) {
      context.strokeStyle = palette.faint;
      context.lineWidth = 1;
      context.setLineDash(dashes);
      context.beginPath();
      const ownWidth = widthOf(font, text);
      context.roundRect(x - 3.5, y + 0.5, ownWidth + 7, look.height - 1, 3);
      context.stroke();
      context.setLineDash([]);
    }
    context.font = font;
    context.direction = isRightToLeft(text) ? "rtl" : "ltr";
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillStyle = isLead ? palette.quiet : look.colour;
    if (look.standing) fillStanding(context, text, x, 0.5);
    else context.fillText(text, x, 0.5);
    x += widthOf(font, text);
  }
}

/** Scripts whose characters have their air around them, and can be written in columns. */
export const IN_COLUMNS = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\uff01-\uff60…]+$/u;

/**
 * A label of a canvas that is turned a quarter to the left, so that it reads upwards from (x, y).
 * Scripts that can be written in columns stand upright in the same room, and read downwards.
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} x
 * @param {number} y
 */
function fillStanding(context, text, x, y) {
  if (!IN_COLUMNS.test(text)) {
    context.fillText(text, x, y);
    return;
  }
  const signs = Array.from(text);
  const step = widthOf(context.font, text) / signs.length;
  context.textAlign = "center";
  signs.forEach((sign, i) => {
    context.save();
    context.translate(x + (signs.length - i - 0.5) * step, y);
    context.rotate(Math.PI / 2);
    context.fillText(sign, 0, 0);
    context.restore();
  });
}

/** @type {?Intl.Segmenter} */
let graphemes = null;

/**
 * The text, or its beginning with an ellipsis, in at most `room` pixels.
 * @param {string} font
 * @param {string} text
 * @param {number} room
 */
export function elided(font, text, room) {
  if (widthOf(font, text) <= room) return text;
  graphemes = graphemes || (typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null);
  const parts = graphemes ? Array.from(graphemes.segment(text), (part) => part.segment)
    : Array.from(text);
  let low = 0;
  let high = Math.min(parts.length - 1, 60);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (widthOf(font, `${parts.slice(0, middle).join("")}…`) <= room) low = middle;
    else high = middle - 1;
  }
  return `${parts.slice(0, low).join("")}…`;
}

/** The words of a head's title. @param {Head & {site: Site}} place @param {Words} t */
export const titleValues = ({ site, layer, head }, t) =>
  ({ site: t(`site_${site}_long`), layer: layer + 1, head: head + 1 });

/** What a head is called. @param {Words} t @param {Head & {site: Site}} place */
export const placeOfHead = (t, place) => t("map_title", titleValues(place, t));
