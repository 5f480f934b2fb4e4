// A small drawing of the model on the screen: the encoder's and the decoder's layers as blocks, data
// going up, keys and values from the encoder's output into every cross-attention. An attention is a
// button that leads to it. Beside it, how to read the map.

import { isStepped, siteOf } from "../../../stage/anatomy.js";
import { readingHere } from "../../../stage/run/readings.js";
import { claim, hide, make, makeButton, makeDiffers, setText, setTrait, turnOf } from "../../../stage/page/elements.js";
import { BETWEEN, COLUMN, GAP, heightWith, LAYER_GAP, LEAST_BLOCK, MOST_BLOCK, NORM, PARTS_OF_LAYER, TOKENS } from "./room.js";

/**
 * A block of the drawing; `y` is its upper edge, in the units of `unit`.
 * @typedef {{part: string, kind: string, site: ?Site, layer: number, x: number, y: number,
 *   width: number, height: number, norm: number}} Block
 */

/**
 * Where everything stands in a height: the blocks from the bottom up, and the arrows as SVG paths.
 * @param {Model} model
 * @param {number} height
 * @returns {{blocks: Block[], arrows: {kind: string, path: string}[], width: number, height: number}}
 */
export function placeBlocks(model, height) {
  let block = LEAST_BLOCK;
  while (block < MOST_BLOCK && heightWith(model, block + 1) <= height) block += 1;
  const whole = heightWith(model, block);
  /** @type {Block[]} */
  const blocks = [];
  /** @type {Record<string, number>} */
  const tops = {};
  for (const part of ["encoder", "decoder"]) {
    const x = part === "encoder" ? 0 : COLUMN + BETWEEN;
    const { layers } = siteOf(model, /** @type {Site} */ (part));
    let y = whole - TOKENS;
    for (let layer = 0; layer < layers; layer += 1) {
      y -= LAYER_GAP;
      for (const [kind, site] of PARTS_OF_LAYER[part]) {
        y -= block + NORM + GAP;
        const after = model.norm_place === "post"; // the norm stands above its block, else below
        blocks.push({ part, kind, site, layer, x, width: COLUMN, height: block,
          y: after ? y + NORM : y, norm: after ? y : y + block });
      }
    }
    tops[part] = y;
  }
  const stem = (/** @type {number} */ x, /** @type {number} */ from, /** @type {number} */ to) =>
    ({ kind: "flow", path: `M${x} ${from}V${to}m-3 3l3 -3l3 3` });
  const middle = { encoder: COLUMN / 2, decoder: 1.5 * COLUMN + BETWEEN };
  const rail = COLUMN + BETWEEN / 2;
  const out = tops.encoder - 6;
  const arrows = [
    stem(middle.encoder, whole - TOKENS + 1, whole - TOKENS - LAYER_GAP + 1),
    stem(middle.decoder, whole - TOKENS + 1, whole - TOKENS - LAYER_GAP + 1),
    stem(middle.decoder, tops.decoder, tops.decoder - 5),
    ...blocks.filter(({ site }) => site === "cross").map(({ y, height: tall, layer }) => ({
      kind: `memory memory-${layer}`,
      path: `M${middle.encoder} ${tops.encoder}V${out}H${rail}V${y + tall / 2}H${COLUMN + BETWEEN - 1}m-4 -3l4 3l-4 3`,
    })),
  ];
  return { blocks, arrows, width: 2 * COLUMN + BETWEEN, height: whole };
}

/** @param {string} tag @param {Record<string, any>} traits */
function makeDrawn(tag, traits) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(traits)) element.setAttribute(name, String(value));
  return element;
}

/**
 * The nodes of the drawing at their places: those of the blocks, the buttons among them, and the
 * lines of tokens by name.
 * @param {Words} t
 * @param {ReturnType<typeof placeBlocks>} placed
 * @param {number} unit
 * @param {function(Site, number): void} go
 */
function makeBlocks(t, { blocks, height }, unit, go) {
  const place = (/** @type {HTMLElement} */ node, /** @type {number[]} */ [x, y, wide, tall]) => {
    Object.assign(node.style, { left: `${x * unit}px`, top: `${y * unit}px`,
      width: `${wide * unit}px`, height: `${tall * unit}px` });
    return node;
  };
  /** @type {{element: HTMLElement, head: HTMLElement, site: Site, layer: number}[]} */
  const buttons = [];
  const nodes = blocks.flatMap(({ kind, site, layer, x, y, width, height: tall, norm }) => {
    const strip = place(make("span", { class: "plan-norm" }), [x, norm, width, NORM]);
    const text = t(`plan_${kind}`);
    const box = [x, y, width, tall];
    if (!site) return [strip, place(make("span", { class: "plan-block", text }), box)];
    const name = t("plan_go", { site: t(`site_${site}_long`), layer: layer + 1 });
    const head = make("span", { class: "plan-head" });
    const element = makeButton({ class: "plan-block", data: { plan: site, planLayer: layer },
      title: name }, () => go(site, layer), [make("span", { text }), " ", head]);
    buttons.push({ element, head, site, layer });
    return [strip, place(element, box)];
  });
  const line = (/** @type {string} */ kind, /** @type {number} */ x, /** @type {number} */ y) =>
    place(make("span", { class: `plan-tokens plan-${kind}` }), [x, y, COLUMN, TOKENS]);
  const lines = { source: line("source", 0, height - TOKENS),
    written: line("written", COLUMN + BETWEEN, height - TOKENS),
    next: line("next", COLUMN + BETWEEN, 0) };
  const keys = place(make("span", { class: "plan-kv", text: "K, V" }),
    [COLUMN + BETWEEN / 2 + 4, 0, BETWEEN / 2, TOKENS]);
  return { nodes: [...nodes, ...Object.values(lines), keys], buttons, lines };
}

/**
 * Lights what the large map shows.
 * @param {Words} t
 * @param {State} state
 * @param {HTMLElement} plan
 * @param {ReturnType<typeof makeBlocks>["buttons"]} buttons
 */
function light(t, { site, preview, locks }, plan, buttons) {
  const shown = preview ?? locks[site];
  for (const { element, head, site: of, layer } of buttons) {
    const isLit = of === site && layer === shown.layer;
    setTrait(element, "aria-pressed", isLit);
    setTrait(element, "tabindex", isLit ? "0" : "-1");
    const name = t("layer_short", { n: layer + 1 });
    setText(head, isLit ? `${name} ${t("head_short", { n: shown.head + 1 })}` : name);
  }
  for (const path of plan.querySelectorAll(".memory")) {
    path.classList.toggle("lit",
      site === "cross" && path.classList.contains(`memory-${shown.layer}`));
  }
}

/** @param {Words} t @param {Session} session */
export function makeDrawing(t, { state, actions }) {
  const plan = make("div", { class: "plan", role: "group", "aria-label": t("plan") });
  const row = make("p");
  const cell = make("p", { text: t("note_cell") });
  const notes = make("div", { class: "plan-notes" }, [row, cell,
    make("p", { text: t("note_click") })]);
  const element = make("div", { class: "beginning", hidden: true }, [plan, notes]);
  /** @type {?ReturnType<typeof makeBlocks>} */
  let made = null;
  const isOther = makeDiffers();

  /** @param {Site} site @param {number} layer */
  function go(site, layer) {
    if (site !== state.site) actions.chooseSite(site);
    actions.lock(layer, state.locks[site].head, site);
  }

  /** @param {Model} model @param {number} height @param {number} unit */
  function build(model, height, unit) {
    const placed = placeBlocks(model, height / unit);
    const picture = makeDrawn("svg", { viewBox: `0 0 ${placed.width} ${placed.height}`,
      "aria-hidden": "true" });
    for (const { kind, path } of placed.arrows) {
      picture.append(makeDrawn("path", { class: kind, d: path }));
    }
    made = makeBlocks(t, placed, unit, go);
    plan.replaceChildren(picture, ...made.nodes);
    Object.assign(plan.style, { width: `${placed.width * unit}px`,
      height: `${placed.height * unit}px` });
  }

  plan.addEventListener("keydown", (event) => {
    const turn = turnOf(event, { ArrowUp: 1, ArrowDown: -1, ArrowRight: 1, ArrowLeft: -1 });
    const buttons = made?.buttons ?? [];
    const at = buttons.findIndex(({ element: button }) => button === document.activeElement);
    if (!turn || at < 0) return;
    claim(event);
    buttons[at + turn]?.element.focus();
  });

  return {
    element,
    /**
     * @param {?number} height in CSS pixels; null hides it
     * @param {{source: {label: string}[], target: {label: string}[]}} labels
     * @param {number} unit
     */
    update(height, labels, unit) {
      hide(element, height === null);
      if (height === null || !state.run) return;
      if (isOther(state.model, Math.round(height), unit)) build(state.model, height, unit);
      if (!made) return;
      light(t, state, plan, made.buttons);
      hide(cell, readingHere(state) !== "weights"); // what another one shows stands over the map
      setText(row, t(isStepped(state.run, state.site) ? "note_row" : "note_row_encoder"));
      const [{ lines }, { at }] = [made, state];
      const joined = (/** @type {{label: string}[]} */ list) =>
        list.map(({ label }) => label.trim()).join(" ");
      setText(lines.source, joined(labels.source));
      const read = joined(labels.target.slice(Math.max(0, at - 1), at + 1));
      setText(lines.written, at > 1 ? `… ${read}` : read);
      setText(lines.next, labels.target[at + 1]?.label.trim() ?? "…");
    },
  };
}
