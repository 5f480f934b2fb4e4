// A small drawing of the model on the screen: the encoder's and the decoder's layers as blocks, data
// going up, keys and values from the encoder's output into every cross-attention. An attention is a
// button that leads to it. Beside it, how to read the map.

import { isStepped, siteOf } from "../../../stage/anatomy.js";
import { readingHere } from "../../../stage/run/readings.js";
import { claim, nearest, press, turnOf } from "../../../stage/page/elements.js";
import { html, makePart, nothing, svg } from "../../../stage/page/html.js";
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
 * @returns {{blocks: Block[], arrows: {kind: string, layer?: number, path: string}[], width: number, height: number}}
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
      kind: "memory", layer,
      path: `M${middle.encoder} ${tops.encoder}V${out}H${rail}V${y + tall / 2}H${COLUMN + BETWEEN - 1}m-4 -3l4 3l-4 3`,
    })),
  ];
  return { blocks, arrows, width: 2 * COLUMN + BETWEEN, height: whole };
}

/** @param {{label: string}[]} labels */
const joined = (labels) => labels.map(({ label }) => label.trim()).join(" ");

/** What the decoder has written at the step, and what comes next. @param {State} state @param {{label: string}[]} labels */
function writtenAt({ at }, labels) {
  const read = joined(labels.slice(Math.max(0, at - 1), at + 1));
  return { written: at > 1 ? `… ${read}` : read, next: labels[at + 1]?.label.trim() ?? "…" };
}

/**
 * The blocks at their places, those of attentions as buttons: what the large map shows is lit.
 * @param {Words} t
 * @param {State} state
 * @param {ReturnType<typeof placeBlocks>} placed
 * @param {{source: {label: string}[], target: {label: string}[]}} labels
 * @param {number} unit
 * @param {function(Site, number): void} go
 */
function drawPlan(t, state, { blocks, arrows, width, height }, labels, unit, go) {
  const { site, preview, locks } = state;
  const shown = preview ?? locks[site];
  const at = (/** @type {number[]} */ ...sides) =>
    ["left", "top", "width", "height"].map((side, i) => `${side}:${sides[i] * unit}px`).join(";");
  const tokens = (/** @type {string} */ kind, /** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ text) =>
    html`<span class="plan-tokens plan-${kind}" .style=${at(x, y, COLUMN, TOKENS)}>${text}</span>`;
  /** @param {Block} block */
  const attention = ({ kind, site: of, layer, x, y, width: wide, height: tall }) => {
    const isLit = of === site && layer === shown.layer;
    const name = t("layer_short", { n: layer + 1 });
    return html`
      <button type="button" class="plan-block" title=${t("plan_go", { site: t(`site_${of}_long`), layer: layer + 1 })}
        aria-pressed=${isLit} tabindex=${isLit ? 0 : -1} data-plan=${of} data-plan-layer=${layer} .style=${at(x, y, wide, tall)}
        @click=${press(() => go(/** @type {Site} */ (of), layer))}>
        <span>${t(`plan_${kind}`)}</span> <span class="plan-head">${isLit ? `${name} ${t("head_short", { n: shown.head + 1 })}` : name}</span></button>`;
  };
  const { written, next } = writtenAt(state, labels.target);
  const right = COLUMN + BETWEEN;
  return html`
    <svg viewBox="0 0 ${width} ${height}" aria-hidden="true">${arrows.map(({ kind, layer, path }) => svg`
      <path class="${kind}${site === "cross" && layer === shown.layer ? " lit" : ""}" d=${path}></path>`)}</svg>
    ${blocks.map((block) => html`
      <span class="plan-norm" .style=${at(block.x, block.norm, block.width, NORM)}></span>
      ${block.site ? attention(block)
        : html`<span class="plan-block" .style=${at(block.x, block.y, block.width, block.height)}>${t(`plan_${block.kind}`)}</span>`}`)}
    ${tokens("source", 0, height - TOKENS, joined(labels.source))}${tokens("written", right, height - TOKENS, written)}
    ${tokens("next", right, 0, next)}
    <span class="plan-kv" .style=${at(COLUMN + BETWEEN / 2 + 4, 0, BETWEEN / 2, TOKENS)}>K, V</span>`;
}

/** @param {Words} t @param {Session} session */
export function makeDrawing(t, { state, actions }) {
  /** @param {Site} site @param {number} layer */
  function go(site, layer) {
    if (site !== state.site) actions.chooseSite(site);
    actions.lock(layer, state.locks[site].head, site);
  }

  /** @param {any} event a key on the drawing */
  function turn(event) {
    const by = turnOf(event, { ArrowUp: 1, ArrowDown: -1, ArrowRight: 1, ArrowLeft: -1 });
    const button = nearest(event, "button");
    if (!by || !button) return;
    claim(event);
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    buttons[buttons.indexOf(button) + by]?.focus();
  }

  // What another reading shows in a cell stands over the map.
  const { element, update } = makePart((/** @type {unknown} */ plan = nothing, size = "") => html`
    <div class="beginning" ?hidden=${plan === nothing}>
      <div class="plan" role="group" aria-label=${t("plan")} .style=${size} @keydown=${turn}>${plan}</div>
      <div class="plan-notes"><p>${state.run && t(isStepped(state.run, state.site) ? "note_row" : "note_row_encoder")}</p>
        <p ?hidden=${readingHere(state) !== "weights"}>${t("note_cell")}</p><p>${t("note_click")}</p></div>
    </div>`);
  return {
    element,
    /**
     * @param {?number} height in CSS pixels; null hides it
     * @param {{source: {label: string}[], target: {label: string}[]}} labels
     * @param {number} unit
     */
    update(height, labels, unit) {
      const placed = height === null || !state.run ? null : placeBlocks(state.model, height / unit);
      if (!placed) update();
      else update(drawPlan(t, state, placed, labels, unit, go), `width:${placed.width * unit}px;height:${placed.height * unit}px`);
    },
  };
}
