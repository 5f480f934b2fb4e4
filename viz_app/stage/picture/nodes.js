// What is laid out on the page, as SVG: text where it stands, boxes with their colours, charts, and what
// pens drew in place of canvases. It reads the page and changes nothing in it.

import { colourOf } from "../draw/colours.js";
import { escaped, fontTraits, Pen, short, tag } from "./pen.js";
import { Hatch } from "../draw/pens.js";

/**
 * What is read with: where the picture begins on the page, what was drawn by pens, and what the
 * picture needs besides.
 * @typedef {Object} Reading
 * @property {number} left
 * @property {number} top
 * @property {Map<Element, Pen>} pens
 * @property {function(string, string): string} define puts an element of SVG with a name into the
 *     definitions; takes its tag and the rest of it, gives the reference
 * @property {CanvasRenderingContext2D} measure
 * @property {string[]} out
 * @property {{right: number, bottom: number}} ends of all that is there
 */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Clip */

const SIDES = /** @type {const} */ (["Top", "Right", "Bottom", "Left"]);
const UNREAD = "script, style, template, option, datalist, audio, video, iframe";

/** The parts of a list in CSS, whose parts may hold commas in brackets. @param {string} text */
const partsOf = (text) => text.split(/,(?![^(]*\))/).map((part) => part.trim());

/** @param {string} colour */
function fillOf(colour) {
  const { hex, alpha } = colourOf(colour);
  return { fill: hex, "fill-opacity": alpha < 1 ? alpha : undefined };
}

/** @param {string} colour */
const isSeen = (colour) => colourOf(colour).alpha > 0;

/**
 * The fill of a gradient: its colours, or hatching where it repeats.
 * @param {Reading} reading
 * @param {string} image
 * @returns {Record<string, string> | Hatch | null}
 */
function gradientOf({ define }, image) {
  const [, kind, inside] = /^(repeating-linear|linear)-gradient\((.*)\)$/.exec(image) ?? [];
  if (!kind) return null;
  const parts = partsOf(inside);
  const way = /^(to|[\d.-]+deg)/.test(parts[0]) ? parts.shift() ?? "" : "";
  const stops = parts.map((part) => {
    const [, colour, places = ""] = /^(.*?\)|#\w+|\w+)((?: [\d.-]+(?:%|px))*)$/.exec(part) ?? [];
    return { colour, places: places.trim().split(" ").filter(Boolean) };
  });
  if (kind === "repeating-linear") return new Hatch(colourOf(stops[stops.length - 1].colour).hex);
  const ends = stops.flatMap(({ colour, places }, i) =>
    (places.length ? places : [`${(100 * i) / (stops.length - 1)}%`]).map((place) => {
      const { hex, alpha } = colourOf(colour);
      return tag("stop", { offset: place.endsWith("px") ? "0" : place, "stop-color": hex,
        "stop-opacity": alpha < 1 ? alpha : undefined });
    }));
  const down = way === "to bottom" || way === "180deg" || way === "";
  return { fill: define("linearGradient", `${down ? ' x2="0" y2="1"' : ""}>${ends.join("")}</linearGradient>`) };
}

/** @param {Reading} reading @param {DOMRect} rect */
function boxOf({ left, top }, { x, y, width, height }) {
  return { x: x - left, y: y - top, width, height };
}

/** @param {CSSStyleDeclaration} style @param {DOMRect} rect */
function radiusOf({ borderTopLeftRadius: radius }, { width, height }) {
  const size = radius.includes("%") ? (parseFloat(radius) / 100) * Math.min(width, height) : parseFloat(radius);
  const least = Math.min(size, width / 2, height / 2);
  return least > 0.3 ? least : undefined;
}

/** The rings around a box that its shadows draw, and the bar at its side that one inside draws. @param {Reading} reading @param {CSSStyleDeclaration} style @param {DOMRect} rect */
function readShadows(reading, style, rect, isInside = false) {
  const { boxShadow } = style;
  if (boxShadow === "none") return;
  const { x, y, width, height } = boxOf(reading, rect);
  for (const shadow of partsOf(boxShadow).reverse()) {
    const [, colour, rest] = /^(.*\)|#\w+) (.*)$/.exec(shadow) ?? [];
    if (!colour || !isSeen(colour) || rest.endsWith("inset") !== isInside) continue;
    const [across, , blur, spread] = rest.split(" ").map((one) => parseFloat(one));
    if (blur > 0) continue;
    if (across > 0) reading.out.push(tag("rect", { x, y, width: across, height, ...fillOf(colour) }));
    else {
      const out = (rest.endsWith("inset") ? -0.5 : 0.5) * spread;
      reading.out.push(tag("rect", { x: x - out, y: y - out, width: width + 2 * out, height: height + 2 * out,
        rx: radiusOf(style, rect), fill: "none", stroke: colourOf(colour).hex, "stroke-width": spread }));
    }
  }
}

/** @param {string} style @param {number} width */
const dashOf = (style, width) => (style === "dashed" ? `${short(3 * width)} ${short(2 * width)}`
  : style === "dotted" ? `${short(width)} ${short(1.6 * width)}` : undefined);

/** The edges of a box: a frame, or lines. @param {Reading} reading @param {CSSStyleDeclaration} style @param {DOMRect} rect */
function readEdges(reading, style, rect) {
  const { x, y, width, height } = boxOf(reading, rect);
  const edges = SIDES.map((side) => ({ colour: style[`border${side}Color`], style: style[`border${side}Style`],
    width: style[`border${side}Style`] === "none" ? 0 : parseFloat(style[`border${side}Width`]) }))
    .map((edge) => ({ ...edge, width: isSeen(edge.colour) ? edge.width : 0 }));
  const [first] = edges;
  const traits = (/** @type {typeof first} */ edge) => ({ fill: "none", stroke: colourOf(edge.colour).hex,
    "stroke-width": edge.width, "stroke-dasharray": dashOf(edge.style, edge.width) });
  if (first.width > 0 && edges.every((edge) => JSON.stringify(edge) === JSON.stringify(first))) {
    const half = first.width / 2;
    reading.out.push(tag("rect", { x: x + half, y: y + half, width: width - 2 * half,
      height: height - 2 * half, rx: radiusOf(style, rect), ...traits(first) }));
    return;
  }
  const [right, bottom] = [x + width, y + height];
  const lines = [[x, y, right, y], [right, y, right, bottom], [x, bottom, right, bottom], [x, y, x, bottom]];
  edges.forEach((edge, i) => {
    if (edge.width === 0) return;
    const [x1, y1, x2, y2] = lines[i];
    const inside = (edge.width / 2) * (i === 0 || i === 3 ? 1 : -1);
    const [dx, dy] = i % 2 ? [inside, 0] : [0, inside];
    reading.out.push(tag("line", { x1: x1 + dx, y1: y1 + dy, x2: x2 + dx, y2: y2 + dy, ...traits(edge) }));
  });
}

/** The colours and edges of a box. @param {Reading} reading @param {CSSStyleDeclaration} style @param {DOMRect} rect */
function readBox(reading, style, rect) {
  const { x, y, width, height } = boxOf(reading, rect);
  if (width <= 0 || height <= 0) return;
  readShadows(reading, style, rect);
  const box = { x, y, width, height, rx: radiusOf(style, rect) };
  if (isSeen(style.backgroundColor)) reading.out.push(tag("rect", { ...box, ...fillOf(style.backgroundColor) }));
  const image = gradientOf(reading, style.backgroundImage);
  if (image instanceof Hatch) {
    const pen = new Pen(() => "", reading.measure);
    pen.now.fillStyle = image;
    pen.fillRect(x, y, width, height);
    reading.out.push(...pen.drawn);
  } else if (image) reading.out.push(tag("rect", { ...box, ...image }));
  readShadows(reading, style, rect, true);
  readEdges(reading, style, rect);
  if (!["none", "auto"].includes(style.outlineStyle) && isSeen(style.outlineColor)) {
    const [line, off] = [parseFloat(style.outlineWidth), parseFloat(style.outlineOffset)];
    const out = off + line / 2;
    reading.out.push(tag("rect", { x: x - out, y: y - out, width: width + 2 * out, height: height + 2 * out,
      rx: box.rx, fill: "none", stroke: colourOf(style.outlineColor).hex, "stroke-width": line }));
  }
}

/** @param {CSSStyleDeclaration} style */
const fontOf = ({ fontStyle, fontWeight, fontSize, fontFamily }) =>
  `${fontStyle === "normal" ? "" : `${fontStyle} `}${fontWeight} ${fontSize} ${fontFamily}`;

/**
 * The lines of a text node: each with its text and where it stands.
 * @param {Text} node
 * @returns {{text: string, left: number, right: number, top: number, bottom: number}[]}
 */
function linesOf(node) {
  const range = document.createRange();
  const lines = [];
  const text = node.data;
  for (let at = 0, size; at < text.length; at += size) {
    size = /** @type {number} */ (text.codePointAt(at)) > 0xffff ? 2 : 1;
    range.setStart(node, at);
    range.setEnd(node, at + size);
    const [rect] = range.getClientRects();
    if (!rect) continue; // a space that is not shown
    const last = lines[lines.length - 1];
    const sign = text.slice(at, at + size);
    if (last && Math.abs(last.top - rect.top) < 0.5 * rect.height && rect.left > last.left - rect.width) {
      last.text += sign;
      last.right = Math.max(last.right, rect.right);
    } else {
      lines.push({ text: sign, left: rect.left, right: rect.right, top: rect.top, bottom: rect.bottom });
    }
  }
  return lines;
}

/**
 * As much of a line as there is room for.
 * @param {Reading} reading
 * @param {string} text
 * @param {number} room
 */
function cut({ measure }, text, room) {
  const signs = Array.from(text);
  while (signs.length > 0 && measure.measureText(`${signs.join("")}…`).width > room) signs.pop();
  return `${signs.join("").trimEnd()}…`;
}

/** @param {Reading} reading @param {Text} node @param {CSSStyleDeclaration} style @param {Clip} clip */
function readText(reading, node, style, clip) {
  const font = fontOf(style);
  const { measure } = reading;
  Object.assign(measure, { font, textBaseline: "alphabetic" });
  const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = measure.measureText("x");
  for (const line of linesOf(node)) {
    const middle = (line.top + line.bottom) / 2;
    if (!line.text.trim() || line.left >= clip.right || line.right <= clip.left
      || middle > clip.bottom || middle < clip.top) continue;
    measure.font = font;
    const text = line.right > clip.right + 1 ? cut(reading, line.text, clip.right - line.left) : line.text;
    const baseline = middle - (above + below) / 2 + above - reading.top;
    const isTurned = style.direction === "rtl";
    // The places of words are kept where another font is wider: a reader may lack this one.
    reading.out.push(tag("text", { x: (isTurned ? line.right : line.left) - reading.left, y: baseline,
      ...fontTraits(font), ...fillOf(style.color), direction: isTurned ? "rtl" : undefined,
      "letter-spacing": style.letterSpacing === "normal" ? undefined : style.letterSpacing,
      "text-decoration": style.textDecorationLine === "none" ? undefined : style.textDecorationLine,
      "xml:space": "preserve" }, escaped(text)));
    reach(reading, { right: Math.min(line.right, clip.right), bottom: line.bottom });
  }
}

/** @param {Reading} reading @param {{right: number, bottom: number}} end */
function reach({ ends, left, top }, { right, bottom }) {
  ends.right = Math.max(ends.right, right - left);
  ends.bottom = Math.max(ends.bottom, bottom - top);
}

/** @type {Record<string, string>} */
const DRAWN = { fill: "fill", stroke: "stroke", strokeWidth: "stroke-width", strokeDasharray: "stroke-dasharray",
  strokeLinecap: "stroke-linecap", strokeLinejoin: "stroke-linejoin", opacity: "opacity", fillOpacity: "fill-opacity", textAnchor: "text-anchor",
  dominantBaseline: "dominant-baseline" };
const SHAPE = ["x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height", "d", "points",
  "transform", "fill-rule", "dx", "dy"];

/** An element of a chart with its looks written out. @param {Element} element @returns {string} */
function chartOf(element) {
  const style = getComputedStyle(element);
  if (style.display === "none" || style.visibility === "hidden" || element.tagName === "title") return "";
  const looks = Object.entries(DRAWN).map(([name, trait]) => {
    const value = /** @type {any} */ (style)[name];
    return [trait, ["fill", "stroke"].includes(name) && value !== "none" ? colourOf(value).hex
      : value.replaceAll("px", "")];
  }).filter(([trait, value]) => !["", "auto", "normal", trait.includes("opacity") ? "1" : "none"].includes(value)
    || trait === "fill");
  const shape = SHAPE.filter((name) => element.hasAttribute(name))
    .map((name) => [name, element.getAttribute(name)]);
  const isText = ["text", "tspan"].includes(element.tagName);
  const inside = [...element.childNodes].map((child) => (child instanceof Element ? chartOf(child)
    : isText ? escaped(child.textContent ?? "") : "")).join("");
  return tag(element.tagName, Object.fromEntries([...shape, ...looks,
    ...(isText ? Object.entries(fontTraits(fontOf(style))) : [])]), inside);
}

/** @param {Reading} reading @param {SVGSVGElement} chart @param {DOMRect} rect */
function readChart(reading, chart, rect) {
  const inside = [...chart.children].map(chartOf).join("");
  reading.out.push(tag("svg", { ...boxOf(reading, rect), overflow: "visible",
    viewBox: chart.getAttribute("viewBox") ?? `0 0 ${short(rect.width)} ${short(rect.height)}` }, inside));
}

/** What a field shows, where it is text. @param {Element} element */
const fieldText = (element) => (element instanceof HTMLSelectElement ? element.selectedOptions[0]?.text
  : element instanceof HTMLInputElement && !["range", "checkbox", "radio"].includes(element.type) ? element.value : null);

/** @param {Reading} reading @param {Element} element @param {CSSStyleDeclaration} style @param {DOMRect} rect */
function readField(reading, element, style, rect) {
  const said = fieldText(element);
  if (!said) return;
  reading.out.push(tag("text", { x: rect.left + parseFloat(style.paddingLeft) - reading.left,
    y: (rect.top + rect.bottom) / 2 + 0.35 * parseFloat(style.fontSize) - reading.top,
    ...fontTraits(fontOf(style)), ...fillOf(style.color) }, escaped(said)));
}

/**
 * Reads an element and all that is in it.
 * @param {Reading} reading
 * @param {Element} element
 * @param {Clip} clip
 */
function readElement(reading, element, clip) {
  if (element.matches(UNREAD)) return;
  const style = getComputedStyle(element);
  if (style.display === "none" || style.clipPath !== "none" || Number(style.opacity) === 0) return;
  const rect = element.getBoundingClientRect();
  const isFaint = Number(style.opacity) < 1;
  if (isFaint) reading.out.push(`<g opacity="${short(Number(style.opacity))}">`);
  if (style.visibility !== "hidden" && style.display !== "contents") {
    readBox(reading, style, rect);
    const pen = reading.pens.get(element);
    if (pen) {
      const { x, y } = boxOf(reading, rect);
      reading.out.push(tag("g", { transform: `translate(${short(x)} ${short(y)})` }, pen.drawn.join("")));
    }
    if (element instanceof SVGSVGElement) readChart(reading, element, rect);
    if (rect.width > 2 && rect.height > 2 && rect.left < clip.right && rect.top < clip.bottom) {
      reach(reading, { right: Math.min(rect.right, clip.right), bottom: Math.min(rect.bottom, clip.bottom) });
    }
    readField(reading, element, style, rect);
  }
  const own = style.overflowX === "visible" ? clip : { left: Math.max(clip.left, rect.left),
    top: Math.max(clip.top, rect.top - 2), right: Math.min(clip.right, rect.right),
    bottom: Math.min(clip.bottom, rect.bottom + 2) };
  if (!(element instanceof SVGElement || element instanceof HTMLSelectElement || element instanceof HTMLCanvasElement)) {
    for (const child of element.childNodes) {
      if (child instanceof Text) {
        if (style.visibility !== "hidden") readText(reading, child, style, own);
      } else if (child instanceof Element) readElement(reading, child, own);
    }
  }
  if (isFaint) reading.out.push("</g>");
}

/**
 * Elements as they are laid out, as SVG, and how far they reach from the place where they begin.
 * @param {Element[]} elements
 * @param {{left: number, top: number}} from on the page
 * @param {{pens: Map<Element, Pen>, define: Reading["define"], measure: CanvasRenderingContext2D}} how
 */
export function nodesAsSvg(elements, { left, top }, how) {
  /** @type {Reading} */
  const reading = { left, top, ...how, out: [], ends: { right: 0, bottom: 0 } };
  const all = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  for (const element of elements) readElement(reading, element, all);
  return { svg: reading.out.join("\n"), ...reading.ends };
}
