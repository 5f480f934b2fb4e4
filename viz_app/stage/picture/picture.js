// A picture of the open room as it is seen, drawn by the page itself: the room is laid out on a sheet of
// paper for a moment, before anything of that is painted, read as SVG, and put back.

import { readPalette } from "../draw/palette.js";
import { contextOf } from "../draw/canvas.js";
import { takePens } from "./pen.js";
import { nodesAsSvg } from "./nodes.js";
import { labelsOf } from "../draw/labels.js";
import { elementOf, html } from "../page/html.js";
import { editsNamed } from "../page/whatif/groups.js";
import { facesIn } from "../page/faces.js";
import { rememberScrolls, whatScrolls } from "../page/fit.js";
import { headOf, paperOf, sheetSvg } from "./paper.js";
import { asBase64 } from "./signed.js";

const LAYOUTS = ["middling", "narrow", "slim", "low", "tall", "short", "large", "auto-scheme"];

/** @typedef {import("./paper.js").PaperLook} PaperLook */

/**
 * What a picture says below its title: the model, what is unusual of the recipe, and the sentences; and
 * the same without the sentences, where there is no room for them.
 * @param {Words} t
 * @param {NonNullable<PictureParts["runs"]>} runs
 */
function aboutRuns(t, runs) {
  const parts = runs.map(({ name, recipe, text, source: tokens = null }) => {
    const labels = tokens ? labelsOf(tokens, false, false, t) : [];
    const edits = editsNamed(t, recipe.edits ?? [], tokens, labels).map((one) => `, ${one}`).join("");
    const [source, target] = [recipe.source, text].map((one) => (one ? `\u2068${one}\u2069` : ""));
    const model = `${name ? `${name}: ` : ""}${recipe.model}${edits}`;
    return { model, whole: `${model}: ${[source, target].filter(Boolean).join(" → ")}` };
  });
  return { whole: parts.map(({ whole }) => whole).join(" · "), short: parts.map(({ model }) => model).join(" · ") };
}

/**
 * Leaves only some elements on the page, each as wide as the sheet; the function puts all back.
 * @param {HTMLElement} root
 * @param {Element[]} parts
 */
function single(root, parts) {
  /** @type {[Element, string][]} */
  const marked = [];
  /** @param {Element} node @param {string} name */
  const mark = (node, name) => {
    node.classList.add(name);
    marked.push([node, name]);
  };
  const above = new Set(parts.flatMap((part) => {
    const nodes = [];
    for (let node = part.parentElement; node && node !== root; node = node.parentElement) nodes.push(node);
    return nodes;
  }));
  for (const part of parts) mark(part, "pictured");
  for (const node of above) {
    mark(node, "picturing");
    for (const child of node.children) {
      if (!above.has(/** @type {HTMLElement} */ (child)) && !parts.includes(child)) mark(child, "unpictured");
    }
  }
  return () => {
    for (const [node, name] of marked) node.classList.remove(name);
  };
}

/**
 * Lays a room out on paper; the function puts the page back on the screen.
 * @param {HTMLElement} root
 * @param {PaperLook} look
 * @param {Element[]} parts
 */
function layOut(root, look, parts) {
  const { width, type, margin, isSlide } = paperOf(look);
  const scrollBack = rememberScrolls(root);
  const before = root.className;
  const styles = [root, .../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("*"))]
    .map((node) => /** @type {const} */ ([node, node.style?.cssText])); // a policy forbids the attribute
  const scroll = { x: window.scrollX, y: window.scrollY };
  root.classList.remove(...LAYOUTS);
  root.classList.add("picture", isSlide ? "slide" : "column", look.theme === "dark" ? "on-dark" : "on-light");
  root.classList.add(isSlide ? "short" : "narrow");
  if (look.palette === "grey") root.classList.add("grey");
  root.style.setProperty("width", `${width - 2 * margin}px`);
  root.style.setProperty("font-size", `${type}px`);
  root.style.setProperty("--type", `${type}px`);
  const putBack = single(root, parts);
  return () => {
    putBack();
    root.className = before;
    for (const [node, text] of styles) if (node.style && node.style.cssText !== text) node.style.cssText = text ?? "";
    scrollBack();
    window.scrollTo({ left: scroll.x, top: scroll.y, behavior: "instant" });
  };
}

/** @type {readonly (keyof CSSStyleDeclaration & string)[]} */
const OF_SIGNS = ["display", "position", "top", "right", "bottom", "left", "boxSizing", "width", "height", "minWidth",
  "margin", "padding", "borderTop", "borderRight", "borderBottom", "borderLeft", "borderRadius", "background", "color", "font", "whiteSpace", "textAlign",
  "verticalAlign", "lineHeight", "opacity", "flex", "gridArea", "transform", "overflow"];

/**
 * Puts elements in the place of what the style sheets add before and after others, which nobody can
 * measure; the function takes them out again.
 * @param {HTMLElement} root
 * @param {Element[]} parts
 */
function withSigns(root, parts) {
  const signs = parts.flatMap((part) => [part, ...part.querySelectorAll("*")]).flatMap((node) =>
    /** @type {const} */ (["::before", "::after"]).flatMap((which) => {
      const style = getComputedStyle(node, which);
      const { content, display, visibility } = style;
      if (["none", "normal"].includes(content) || display === "none" || visibility === "hidden") return [];
      const text = /^\x22((?:[^\x22\\]|\\.)*)\x22/.exec(content)?.[1] ?? ""; // without what is read aloud for it
      const sign = elementOf(html`<span aria-hidden="true">${text.replace(/\\(.)/g, "$1")}</span>`);
      Object.assign(sign.style, Object.fromEntries(OF_SIGNS.map((name) => [name, style[name]])));
      return [{ node, which, sign }];
    }));
  root.classList.add("with-signs");
  for (const { node, which, sign } of signs) {
    if (which === "::before") node.prepend(sign);
    else node.append(sign);
  }
  return () => {
    for (const { sign } of signs) sign.remove();
    root.classList.remove("with-signs");
  };
}

/** The names of what a picture defines: the same for the same picture. */
function makeDefinitions() {
  /** @type {Map<string, string>} */
  const known = new Map();
  return {
    /** @param {string} kind the tag @param {string} rest of the element, after its name */
    define(kind, rest) {
      const id = known.get(`${kind}${rest}`) ?? `${kind[0]}${known.size}`;
      known.set(`${kind}${rest}`, id);
      return `url(#${id})`;
    },
    /** @param {string} path */
    clipTo(path) {
      const id = known.get(`clipPath>${path}</clipPath>`) ?? `c${known.size}`;
      known.set(`clipPath>${path}</clipPath>`, id);
      return id;
    },
    text: () => [...known].map(([text, id]) => {
      const [, kind, rest] = /** @type {RegExpExecArray} */ (/^(\w+)([^]*)$/.exec(text));
      return `<${kind} id="${id}"${rest}`;
    }).join(""),
  };
}

/** The faces of a picture, in it: browsers set it in them wherever it is shown. @param {string} svg */
function withFaces(svg) {
  const rules = facesIn(svg).map(({ family, file, weight }) => `@font-face{font-family:"${family}";font-weight:${weight};`
    + `src:url(data:font/woff2;base64,${asBase64(file)})}`).join("");
  return rules ? svg.replace(/<rect/, () => `<style>${rules}</style><rect`) : svg;
}

/**
 * What the page lends: its element, its state, and how it is rendered in some colours.
 * @typedef {{root: HTMLElement, t: Words, state: State, render: function(?Palette): void}} Pictured
 */

/**
 * A picture as SVG, with its size; null where the room does not hold it.
 * @param {Pictured} page
 * @param {string} name
 * @param {?PictureParts} picture
 * @param {PaperLook} look
 */
export function drawPicture({ root, t, state, render }, name, picture, look) {
  if (!picture) return null;
  const undo = picture.show?.();
  const measure = contextOf(document.createElement("canvas"));
  const definitions = makeDefinitions();
  render(null); // what `show` changed has its elements
  const parts = picture.parts();
  const putBack = layOut(root, look, parts);
  root.dataset.picture = name;
  const palette = readPalette(root);
  const { pens, putAway } = takePens(definitions.clipTo, palette.paper);
  try {
    const head = headOf(look, { title: picture.title, says: picture.says ?? "", about: aboutRuns(t, picture.runs ?? [state.run]) }, palette, measure);
    const { height, margin, isSlide } = paperOf(look);
    const room = isSlide ? height - head.top - margin : 1.2 * root.clientWidth;
    root.style.setProperty("--picture-height", `${Math.floor(room)}px`);
    render(palette);
    const boxes = whatScrolls(parts);
    for (const box of boxes) box.classList.add("unrolled");
    render(palette);
    const takeOut = withSigns(root, parts);
    const places = parts.map((part) => part.getBoundingClientRect()).filter(({ width }) => width > 0);
    const from = { left: Math.min(...places.map(({ left }) => left)), top: Math.min(...places.map(({ top }) => top)) };
    const drawn = nodesAsSvg(parts, from, { pens, define: definitions.define, measure });
    takeOut();
    for (const box of boxes) box.classList.remove("unrolled");
    const sheet = sheetSvg(look, { head, ...drawn,
      note: [...pens.values()].some(({ hasBelow }) => hasBelow) ? t("picture_below") : "", defs: definitions.text(), palette });
    return { title: picture.title, ...sheet, svg: withFaces(sheet.svg) };
  } finally {
    putAway();
    undo?.();
    delete root.dataset.picture;
    putBack();
    render(null);
    render(null); // some parts fit what the ones after them left
  }
}
