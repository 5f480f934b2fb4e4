// All heads as points by two measures. Points lie where their numbers are, so some lie on each other:
// a press on several lists them.

import { SITES } from "../../stage/anatomy.js";
import { placeOfHead } from "../../stage/draw/labels.js";
import { make, makeButton, makeDiffers, setText, setTrait } from "../../stage/page/elements.js";
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

/** The list of the points under the pointer. @param {Words} t @param {function(HeadPlace): void} choose */
function makePile(t, choose) {
  const list = make("div", { class: "heads-pile", role: "group", "aria-label": t("heads_pile"),
    hidden: true });
  const close = () => { list.hidden = true; };
  return {
    element: list,
    close,
    /** @param {MeasuredHead[]} heads @param {string[]} names of the two measures @param {{x: number, y: number}} part */
    open(heads, names, { x, y }) {
      list.hidden = false;
      list.replaceChildren(make("p", { class: "heads-quiet",
        text: names.map((name) => t(`heads_measure_${name}`)).join(" · ") }), ...heads.map((head) => makeButton({ class: "heads-hit", text:
        `${briefPlace(t, head)}: ${names.map((name) => spelledMeasure(name, head.values[name]))
          .join(" · ")}` }, () => { close(); choose(head); })));
      const [across, down] = [x < 0.5 ? "left" : "right", y < 0.5 ? "bottom" : "top"];
      Object.assign(list.style, { left: "auto", right: "auto", top: "auto", bottom: "auto",
        [across]: `${100 * (x < 0.5 ? x : 1 - x)}%`, [down]: `${100 * (y < 0.5 ? y : 1 - y)}%` });
      list.querySelector("button")?.focus({ preventScroll: true }); // Escape closes it
    },
  };
}

/**
 * A head as a button in the field.
 * @typedef {ReturnType<typeof makePoint>} ScatterPoint
 * @param {Words} t
 * @param {MeasuredHead} head
 * @param {number} x of the field's width
 * @param {number} y of its height, upwards
 * @param {function(MeasuredHead): void} point
 */
function makePoint(t, head, x, y, point) {
  const label = placeOfHead(t, head);
  const brief = `L${head.layer + 1}H${head.head + 1}`; // a name begins with what is read
  const button = makeButton({ class: "heads-point", title: label, "aria-label": `${brief}: ${label}`,
    on: { focus: () => { if (button.matches(":focus-visible")) point(head); } } }, () => {},
  [make("i", { class: "heads-mark", data: { of: head.site } }),
    make("span", { text: brief })]);
  button.style.left = `${100 * x}%`;
  button.style.bottom = `${100 * y}%`;
  return { head, button, x, y };
}

/**
 * What the pointer and the keys do.
 * @param {HTMLElement} element
 * @param {ReturnType<typeof makePile>} pile
 * @param {function(MouseEvent): ScatterPoint[]} under the points there, the nearest first
 * @param {{choose: function(HeadPlace): void, point: function(?HeadPlace, number=): void,
 *     list: function(ScatterPoint[]): void}} acts
 */
function listen(element, pile, under, acts) {
  element.addEventListener("pointermove", (event) => {
    const near = under(event);
    element.style.cursor = near.length > 0 ? "pointer" : "";
    acts.point(near[0]?.head ?? null, near.length - 1);
  });
  for (const name of ["pointerleave", "focusout"]) {
    element.addEventListener(name, () => { if (pile.element.hidden) acts.point(null); });
  }
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || pile.element.hidden) return;
    event.stopPropagation();
    pile.close();
  });
  element.addEventListener("click", (event) => {
    if (pile.element.contains(/** @type {Node} */ (event.target))) return;
    pile.close();
    const near = under(event);
    if (near.length === 1) acts.choose(near[0].head);
    if (near.length < 2) return;
    acts.list(near);
    acts.point(near[0].head, near.length - 1); // a press takes the focus away
  });
}

/**
 * A point for each head, which is a button.
 * @param {Words} t
 * @param {{choose: function(HeadPlace): void, point: function(?HeadPlace, number=): void}} acts
 *     `point` gets the nearest head too, and how many more are there
 */
export function makeHeadsScatter(t, acts) {
  const field = make("div", { class: "heads-field" });
  const [across, down] = ["heads-x", "heads-down"].map((name) => make("span", { class: name }));
  const ends = ["low-x", "high-x", "low-y", "high-y"].map((name) =>
    make("span", { class: `heads-end ${name}` }));
  const key = make("span", { class: "heads-key" }, SITES.flatMap((site) => [
    make("i", { class: "heads-mark", data: { of: site } }), t(`site_${site}`)]));
  const element = make("div", { class: "heads-scatter" },
    [make("div", { class: "heads-y" }, [down, key]), field, across, ...ends]);
  const pile = makePile(t, acts.choose);
  /** @type {string[]} */
  let names = []; // of the two measures
  /** @type {ScatterPoint[]} */
  let points = [];
  let scale = 1;
  const [isOther, isResized] = [makeDiffers(), makeDiffers()];

  /** The points in CSS pixels. */
  const placesNow = () => points.map(({ x, y }) =>
    ({ x: x * field.clientWidth, y: y * field.clientHeight }));

  listen(element, pile, (event) => {
    const pressed = points.find(({ button }) => button === event.target);
    if (pressed && event.detail === 0 && event.type === "click") return [pressed]; // by the keyboard
    const box = field.getBoundingClientRect();
    const reach = element.closest(".slim") ? FINGER : REACH * scale;
    return pointsNear(placesNow(), { x: event.clientX - box.left, y: box.bottom - event.clientY }, reach)
      .map((i) => points[i]);
  }, { ...acts, list: (near) => pile.open(near.map(({ head }) => head), names, near[0]) });

  /** @param {MeasuredHead[]} heads @param {string} name @param {string} measure */
  function build(heads, name, measure) {
    names = [name, measure];
    const there = heads.filter(({ values }) =>
      values[measure] !== undefined && values[name] !== undefined);
    const [xs, ys] = names.map((one) => spanOf(there.map(({ values }) => values[one])));
    points = there.map((head, i) => makePoint(t, head, xs.parts[i], ys.parts[i], acts.point));
    field.replaceChildren(...points.map(({ button }) => button), pile.element);
    pile.close();
    [...xs.ends.map((value) => spelledMeasure(name, value)),
      ...ys.ends.map((value) => spelledMeasure(measure, value))]
      .forEach((text, i) => setText(ends[i], there.length > 0 ? text : ""));
    setText(across, t(`heads_measure_${name}`));
    setText(down, t(`heads_measure_${measure}`));
  }

  return {
    element,
    /** @param {HeadsShown} shown @param {Look} look */
    update({ heads, measure, across: name, chosen, pointed }, { unit }) {
      if (isOther(heads, name, measure)) build(heads, name, measure);
      if (isResized(points, field.clientWidth, field.clientHeight, unit, chosen)) {
        scale = unit;
        const named = namedPoints(placesNow(), unit, points.findIndex(({ head }) => head === chosen));
        points.forEach(({ button }, i) => button.classList.toggle("named", named[i]));
      }
      for (const { head, button } of points) {
        setTrait(button, "aria-pressed", head === chosen);
        button.classList.toggle("pointed", head === pointed);
      }
    },
  };
}
