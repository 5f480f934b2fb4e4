// One dial for each pair of dimensions: the query and the key before and after they turn.

import { fillDisc, setType, sizedContext, strokeThrough } from "../../../stage/draw/canvas.js";
import { quoted } from "../../../stage/draw/labels.js";
import { typeSize } from "../../../stage/draw/layout.js";
import { fixed, largestOf } from "../../../stage/draw/numbers.js";
import { claim, setTrait, turnOf } from "../../../stage/page/elements.js";
import { html, render } from "../../../stage/page/html.js";
import { makeCanvasBox } from "../../../stage/draw/canvas_box.js";

const WIDEST = 150; // CSS pixels of a dial at the normal type size
const LEAST = 100; // of what is written under one
const SMALLEST = 44;

/**
 * Where the dials are.
 * @typedef {{across: number, width: number, height: number, size: number, count: number}} Place
 */

let dialLists = 0; // numbers the lists, for ids

/** By how many degrees a pair of dimensions is turned at a position. @param {Rotation} held @param {number} position @param {number} pair */
function dialDegrees(held, position, pair) {
  const angle = position * held.frequencies[pair];
  return fixed((angle * 180) / Math.PI, angle < 0.2 ? 2 : 0);
}

/**
 * As many dials in a row as make them largest in the room there is, and rows alike.
 * @param {number} count
 * @param {{width: number, height: number}} room
 * @param {number} type
 * @param {number} unit
 * @returns {Place}
 */
function placeDials(count, room, type, unit) {
  /** @param {number} n in a row */
  function dialOf(n) {
    const lines = Math.ceil(count / n);
    const across = Math.ceil(count / lines); // the last row too
    const width = room.width / across;
    const high = room.height / lines - 2.4 * type;
    return { across, width, size: Math.min(width, high, WIDEST * unit) - 10 };
  }
  const most = Math.max(1, Math.floor(room.width / (LEAST * unit)));
  const dials = Array.from({ length: Math.min(count, most) }, (_, i) => dialOf(i + 1));
  const { across, width, size: fits } = dials.reduce((best, one) => (one.size > best.size ? one : best));
  const size = Math.max(fits, SMALLEST * unit); // no smaller: then the room scrolls, and cuts none
  return { across, width, size, height: size + 2.4 * type, count };
}

/**
 * A line with a dot at its end, filled with `dot`.
 * @param {CanvasRenderingContext2D} context
 * @param {{x: number, y: number, scale: number}} middle
 * @param {number[]} vector
 * @param {string} colour
 * @param {number} line
 * @param {number[]} dash
 * @param {string} dot
 */
function paintArrow(context, { x, y, scale }, [a, b], colour, line, dash, dot = colour) {
  const [endX, endY] = [x + a * scale, y - b * scale];
  context.strokeStyle = colour;
  context.fillStyle = dot;
  context.lineWidth = line;
  context.setLineDash(dash);
  strokeThrough(context, [x, y], [endX, endY]);
  context.setLineDash([]);
  fillDisc(context, endX, endY, dot === colour ? line + 0.8 : 3);
  if (dot !== colour) context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {HeldRotation} held
 * @param {number} pair
 * @param {Place} place
 * @param {boolean} isChosen
 * @param {number} type
 * @param {Palette} palette
 */
function paintDial(context, held, pair, { across, width, height, size }, isChosen, type, palette) {
  const x = ((pair % across) + 0.5) * width;
  const y = Math.floor(pair / across) * height + size / 2 + 4;
  const E = held.shape[1];
  /** @param {"q" | "turned_q" | "k" | "turned_k"} name @param {number} row */
  const of = (name, row) => held.dimensions[pair].map((at) => held.numbers[name][row * E + at]);
  const [q, turnedQ] = [of("q", held.query), of("turned_q", held.query)];
  const [k, turnedK] = [of("k", held.key), of("turned_k", held.key)];
  const middle = { x, y, scale: (size / 2 - 4)
    / largestOf([q, turnedQ, k, turnedK].map(([a, b]) => Math.hypot(a, b))) };
  context.strokeStyle = isChosen ? palette.accent : palette.hair;
  context.lineWidth = isChosen ? 1.6 : 1;
  context.beginPath();
  context.arc(x, y, size / 2 - 2, 0, 7);
  context.stroke();
  paintArrow(context, middle, k, palette.faint, 1.2, [2, 3]);
  paintArrow(context, middle, turnedK, palette.of(0.55), 1.4, [], palette.paper);
  paintArrow(context, middle, q, palette.faint, 1.2, [2, 3]);
  paintArrow(context, middle, turnedQ, palette.accent, 2, []);
  context.fillStyle = palette.quiet;
  context.fillText(`${held.dimensions[pair].join(", ")} · ${dialDegrees(held, held.query, pair)}°`,
    x, y + size / 2 + 0.8 * type);
}

/** @param {Words} t @param {function(number): void} pick @param {function(): void} redraw */
export function makePositionDials(t, pick, redraw) {
  // What is drawn on a canvas is said by its children: one option per dial.
  const { element, canvas, destroy } = makeCanvasBox("positions-dials", html`
    <canvas class="positions-dials-canvas" tabindex="0" role="listbox" aria-label=${t("positions_dials_label")}></canvas>`, redraw);
  dialLists += 1;
  const listId = `stage-dials-${dialLists}`;
  /** @type {?Place} */
  let place = null;
  let shown = 0;

  /** @param {PointerEvent} event */
  function pointAt(event) {
    if (!place) return;
    const at = canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - at.left) / place.width);
    const pair = Math.floor((event.clientY - at.top) / place.height) * place.across + column;
    if (column < place.across && pair >= 0 && pair < place.count && pair !== shown) pick(pair);
  }
  canvas.addEventListener("pointermove", pointAt);
  canvas.addEventListener("pointerdown", pointAt);
  canvas.addEventListener("keydown", (event) => {
    if (!place) return;
    const by = turnOf(event, { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -place.across,
      ArrowDown: place.across });
    if (!by) return;
    claim(event);
    pick(Math.max(0, Math.min(place.count - 1, shown + by)));
  });

  /** @param {HeldRotation} held @param {Label[]} labels */
  function say(held, labels) {
    const { query, key, dimensions, frequencies: { length } } = held;
    render(Array.from({ length }, (_, pair) => {
      const [a, b] = dimensions[pair];
      return html`<span role="option" id="${listId}-${pair}" aria-selected=${pair === shown} aria-label=${t("positions_dial", { a, b,
        query: quoted(labels[query].label), turned: dialDegrees(held, query, pair),
        key: quoted(labels[key].label), other: dialDegrees(held, key, pair) })}></span>`;
    }), canvas);
    setTrait(canvas, "aria-activedescendant", `${listId}-${shown}`);
  }

  return {
    element,
    /** @param {HeldRotation} held @param {Label[]} labels @param {number} chosen the pair @param {Look} look */
    update(held, labels, chosen, { palette, unit }) {
      shown = chosen;
      const count = held.frequencies.length;
      const width = element.clientWidth;
      if (width === 0) return; // the room is not laid out yet
      const type = typeSize(unit);
      place = placeDials(count, { width, height: Math.max(120, element.clientHeight) }, type, unit);
      say(held, labels);
      const height = Math.ceil(count / place.across) * place.height;
      const context = sizedContext(canvas, width, height);
      context.clearRect(0, 0, width, height);
      setType(context, `${type.toFixed(1)}px ${palette.sans}`, palette.quiet, "center");
      for (let pair = 0; pair < count; pair += 1) {
        paintDial(context, held, pair, place, pair === chosen, type, palette);
      }
    },
    destroy,
  };
}
