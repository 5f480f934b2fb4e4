// All heads as points by two measures. Points lie where their numbers are, so some lie on each other:
// a press on several lists them.

import { SITES } from "../../stage/anatomy.js";
import { placeOfHead } from "../../stage/draw/labels.js";
import { makeDiffers, press } from "../../stage/page/elements.js";
import { html, makePart } from "../../stage/page/html.js";
import { briefPlace, spelledMeasure } from "./numbers.js";

const REACH = 10; // CSS pixels around the pointer at the normal type size
const FINGER = 22; // the same on a phone
const MARK = 11; // CSS pixels that a mark takes, and the width and height of a name
const NAME = [38, 16];

/**
 * Which points have room for their name over them: the highest first, as no name covers another
 * point or another name. That of the chosen point is always there, and before all others.
 * @param {{x: number, y: number}[]} places CSS pixels, `y` upwards
 * @param {number} unit
 * @param {number} chosen which point; -1 for none
 * @returns {boolean[]}
 */
export function namedPoints(places, unit, chosen = -1) {
  const [half, high, mark] = [NAME[0] / 2, NAME[1], MARK / 2].map((one) => one * unit);
  const taken = places.map(({ x, y }, of) =>
    ({ of, left: x - mark, right: x + mark, low: y - mark, top: y + mark }));
  const named = places.map(() => false);
  const order = [...places.keys()].sort((a, b) => Number(b === chosen) - Number(a === chosen) || places[b].y - places[a].y);
  for (const of of order) {
    const { x, y } = places[of];
    const name = { of, left: x - half, right: x + half, low: y + mark, top: y + mark + high };
    named[of] = of === chosen || taken.every((one) => one.of === of || one.left >= name.right || one.right <= name.left
      || one.low >= name.top || one.top <= name.low);
    if (named[of]) taken.push(name);
  }
  return named;
}

/**
 * The points within reach of a place, the nearest first.
 * @param {{x: number, y: number}[]} places
 * @param {{x: number, y: number}} at
 * @param {number} reach
 */
export function pointsNear(places, at, reach) {
  const far = places.map(({ x, y }) => Math.hypot(x - at.x, y - at.y));
  return [...far.keys()].filter((i) => far[i] <= reach).sort((a, b) => far[a] - far[b]);
}

/** Where the values of a measure lie between the smallest and the largest. @param {number[]} values */
function spanOf(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { ends: [low, high], parts: values.map((value) => (high > low ? (value - low) / (high - low)
    : 0.5)) };
}

/**
 * A head in the field: `x` of its width, `y` of its height, upwards.
 * @typedef {{head: MeasuredHead, x: number, y: number}} ScatterPoint
 * @typedef {{choose: function(HeadPlace): void, point: function(?HeadPlace, number=): void}} ScatterActs `point` gets the
 *     nearest head too, and how many more are there
 */

/** A head as a button. @param {Words} t @param {ScatterPoint} at @param {{isNamed: boolean} & Pick<HeadsShown, "chosen" | "pointed">} how @param {ScatterActs["point"]} point */
function pointOf(t, { head, x, y }, { isNamed, chosen, pointed }, point) {
  const label = placeOfHead(t, head);
  const brief = `L${head.layer + 1}H${head.head + 1}`; // a name begins with what is read
  return html`
    <button type="button" class="heads-point${isNamed ? " named" : ""}${head === pointed ? " pointed" : ""}" title=${label}
      aria-label="${brief}: ${label}" aria-pressed=${head === chosen} .style=${`left: ${100 * x}%; bottom: ${100 * y}%`} @click=${press(() => {})}
      @focus=${(/** @type {any} */ { target }) => { if (target.matches(":focus-visible")) point(head); }}>
      <i class="heads-mark" data-of=${head.site}></i><span>${brief}</span></button>`;
}

/** The list of the points under the pointer; those that were pressed stay in it. @param {Words} t @param {ScatterPoint[]} points @param {boolean} isOpen @param {string[]} names of the two measures @param {function(MeasuredHead): void} choose */
function pileOf(t, points, isOpen, names, choose) {
  const { x, y } = points[0] ?? { x: 0, y: 0 };
  const place = `${x < 0.5 ? "left" : "right"}: ${100 * Math.min(x, 1 - x)}%; ${y < 0.5 ? "bottom" : "top"}: ${100 * Math.min(y, 1 - y)}%`;
  return html`
    <div class="heads-pile" role="group" aria-label=${t("heads_pile")} ?hidden=${!isOpen} .style=${place}>
      <p class="heads-quiet">${names.map((name) => t(`heads_measure_${name}`)).join(" · ")}</p>${points.map(({ head }) => html`
        <button type="button" class="heads-hit" @click=${press(() => choose(head))}>${briefPlace(t, head)}: ${
          names.map((name) => spelledMeasure(name, head.values[name])).join(" · ")}</button>`)}</div>`;
}

/**
 * A point for each head, which is a button.
 * @param {Words} t
 * @param {ScatterActs} acts
 */
export function makeHeadsScatter(t, acts) {
  /** @type {string[]} */
  let names = []; // of the two measures
  /** @type {ScatterPoint[]} */
  let points = [];
  let ends = ["", "", "", ""];
  /** @type {boolean[]} */
  let named = [];
  /** @type {ScatterPoint[]} */
  let pile = []; // those that are listed, or were
  let isOpen = false; // their list
  /** @type {Pick<HeadsShown, "chosen" | "pointed">} */
  let marked = { chosen: undefined, pointed: null };
  let scale = 1;
  const [isOther, isResized] = [makeDiffers(), makeDiffers()];
  const { element, update: draw } = makePart(() => {
    const [across, down] = names.map((name) => t(`heads_measure_${name}`));
    return html`
      <div class="heads-scatter" @pointermove=${move} @pointerleave=${leave} @focusout=${leave} @keydown=${key} @click=${click}>
        <div class="heads-y"><span class="heads-down">${down}</span><span class="heads-key">${SITES.map((site) => html`
          <i class="heads-mark" data-of=${site}></i>${t(`site_${site}`)}`)}</span></div>
        <div class="heads-field">${points.map((one, i) => pointOf(t, one, { isNamed: named[i], ...marked }, acts.point))}
          ${pileOf(t, pile, isOpen, names, (head) => { list([]); acts.choose(head); })}</div>
        <span class="heads-x">${across}</span>
        ${["low-x", "high-x", "low-y", "high-y"].map((name, i) => html`<span class="heads-end ${name}">${ends[i]}</span>`)}</div>`;
  });
  const field = /** @type {HTMLElement} */ (element.querySelector(".heads-field"));

  /** Lists points, the nearest first. @param {ScatterPoint[]} next */
  function list(next) {
    isOpen = next.length > 0;
    if (isOpen) pile = next;
    draw();
    if (isOpen) /** @type {?HTMLElement} */ (field.querySelector(".heads-hit"))?.focus({ preventScroll: true }); // Escape closes it
  }

  /** The points in CSS pixels. */
  const placesNow = () => points.map(({ x, y }) =>
    ({ x: x * field.clientWidth, y: y * field.clientHeight }));

  /** The points there, the nearest first. @param {any} event */
  function under(event) {
    const pressed = points[[...field.children].indexOf(event.target)];
    if (pressed && event.detail === 0 && event.type === "click") return [pressed]; // by the keyboard
    const box = field.getBoundingClientRect();
    const reach = element.closest(".slim") ? FINGER : REACH * scale;
    return pointsNear(placesNow(), { x: event.clientX - box.left, y: box.bottom - event.clientY }, reach)
      .map((i) => points[i]);
  }
  /** @param {any} event */
  function move(event) {
    const near = under(event);
    element.style.cursor = near.length > 0 ? "pointer" : "";
    acts.point(near[0]?.head ?? null, near.length - 1);
  }
  function leave() {
    if (!isOpen) acts.point(null);
  }
  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation();
    list([]);
  }
  /** @param {any} event */
  function click(event) {
    if (event.target.closest(".heads-pile")) return;
    const near = under(event);
    list(near.length > 1 ? near : []);
    if (near.length === 1) acts.choose(near[0].head);
    else if (near.length > 1) acts.point(near[0].head, near.length - 1); // a press takes the focus away
  }

  /** @param {MeasuredHead[]} heads @param {string} name @param {string} measure */
  function build(heads, name, measure) {
    names = [name, measure];
    const there = heads.filter(({ values }) =>
      values[measure] !== undefined && values[name] !== undefined);
    const spans = names.map((one) => spanOf(there.map(({ values }) => values[one])));
    points = there.map((head, i) => ({ head, x: spans[0].parts[i], y: spans[1].parts[i] }));
    ends = spans.flatMap((span, i) => span.ends.map((value) => (there.length > 0 ? spelledMeasure(names[i], value) : "")));
    isOpen = false;
  }

  return {
    element,
    /** @param {HeadsShown} shown @param {Look} look */
    update({ heads, measure, across: name, chosen, pointed }, { unit }) {
      if (isOther(heads, name, measure)) {
        build(heads, name, measure);
        draw(); // what is around the field leaves it its size
      }
      if (isResized(points, field.clientWidth, field.clientHeight, unit, chosen)) {
        scale = unit;
        named = namedPoints(placesNow(), unit, points.findIndex(({ head }) => head === chosen));
      }
      marked = { chosen, pointed };
      draw();
    },
  };
}
