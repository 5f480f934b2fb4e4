// The chosen hypothesis: what became of it, the map of one head while it was written, and two ways on.

import { makeGrid } from "../../stage/draw/grid.js";
import { labelsOf, quoted, titleValues } from "../../stage/draw/labels.js";
import { fixed, smallShare, threeDigits } from "../../stage/draw/numbers.js";
import { hide, press } from "../../stage/page/elements.js";
import { termed } from "../../stage/page/terms.js";
import { html, makePart } from "../../stage/page/html.js";
import { singlesFromBase64 } from "../../stage/run/wire.js";
import { fateOf, nats, textOfNode } from "./says.js";

/** @typedef {BeamAnswer["map"]} HeadMap */

/** What the map of a head is called. @param {Words} t @param {NonNullable<HeadMap>} map */
const nameOf = (t, map) => t("beam_map", titleValues(map, t));

/** @type {WeakMap<HeadMap, Float32Array>} */
const unpacked = new WeakMap();

/** The weights of a map, row by row. @param {HeadMap} map */
function weightsOf(map) {
  let found = unpacked.get(map);
  if (!found) {
    found = singlesFromBase64(map.weights);
    unpacked.set(map, found);
  }
  return found;
}

/**
 * @param {Words} t
 * @param {HeadMap} map
 * @param {number} first the query of its first row: the step that wrote the first token
 * @param {?GridCell} pointed
 * @param {boolean} spelled
 * @returns {GridFrame}
 */
export function beamFrameOf(t, map, first, pointed, spelled) {
  const weights = weightsOf(map);
  const columns = labelsOf(map.keys, map.site === "decoder", spelled, t);
  const rows = labelsOf(map.written, false, spelled, t);
  const K = columns.length;
  return { key: [map, spelled], kind: "weight", wide: 1.6, bar: 48, digits: false,
    rows: { labels: rows, count: rows.length, tokens: rows.map((_, row) => [first + row]), title: t("beam_map_rows") },
    columns: { labels: columns, count: K, tokens: columns.map((_, key) => [key]), title: t(map.site === "decoder"
      ? "axis_columns_target" : "axis_columns_source") },
    value: (row, column) => weights[row * K + column],
    hidden: (row, column) => map.allowed[row][column] === "0",
    current: rows.length - 1, pointed, kept: null,
    label: nameOf(t, map) };
}

/** @param {Words} t @param {{redraw: Redraw, look(): void, take(): void}} acts */
export function makeNodePanel(t, { redraw, look, take }) {
  /** @type {?GridCell} */
  let pointed = null;
  const grid = makeGrid(t, { box: "beam-map", redraw, point(place) {
    pointed = place;
    redraw();
  } });
  const way = (/** @type {string} */ name, /** @type {function(): void} */ act) => html`
    <button type="button" class="plain" title=${t(`beam_${name}_hint`)} data-act="beam-${name}" @click=${press(act)}>${t(`beam_${name}`)}</button>`;
  const { element, update: write } = makePart((/** @type {unknown} */ says = "", fate = "", title = "", reading = "") => html`
    <section class="beam-node-panel" aria-label=${t("beam_node")}>
      <p class="beam-node-says" aria-live="polite">${says}</p><p class="beam-node-fate">${fate}</p>
      <div class="beam-ways" data-asks="">${way("look", look)}${way("take", take)}</div>
      <p class="beam-map-title">${title}</p>${grid.element}<p class="beam-map-reading">${reading}</p>
    </section>`);

  /** @param {HeadMap} map @param {boolean} spelled */
  function readingOf(map, spelled) {
    if (!pointed) return "";
    const row = labelsOf(map.written, false, spelled, t)[pointed.row];
    const keys = labelsOf(map.keys, map.site === "decoder", spelled, t);
    if (!row || !keys[pointed.column]) return "";
    const weight = weightsOf(map)[pointed.row * keys.length + pointed.column];
    return `“${quoted(row.label)}” ← “${quoted(keys[pointed.column].label)}” ${threeDigits(weight)}`;
  }

  return {
    element,
    /**
     * @param {{answer: BeamAnswer, chosen: number, map: ?HeadMap, spelled: boolean,
     *     canAsk: boolean}} shown
     */
    say({ answer, chosen, map, spelled, canAsk }) {
      const { tree, tokens } = answer;
      const token = labelsOf(tokens, false, spelled, t)[chosen].label;
      write(termed(t, "beam_node_says", { text: textOfNode(t, answer, chosen, spelled),
        total: nats(tree.total[chosen]), penalty: fixed(tree.penalty[chosen], 3),
        score: nats(tree.score[chosen]), token: `“${quoted(token)}”`,
        probability: smallShare(Math.exp(tree.log_probability[chosen])) }), fateOf(t, tree, chosen),
      map ? nameOf(t, map) : canAsk ? "" : t("beam_map_alone"), map ? readingOf(map, spelled) : "");
      hide(grid.element, map === null);
    },
    measure: grid.measure,
    /** Draws the map, once all is said. @param {{answer: BeamAnswer, map: ?HeadMap, spelled: boolean}} shown @param {Look} drawing */
    draw({ answer, map, spelled }, drawing) {
      if (map) grid.update(beamFrameOf(t, map, answer.begun.ids.length - 1, pointed, spelled), drawing);
    },
    destroy: () => grid.destroy(),
  };
}
