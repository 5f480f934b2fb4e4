// All heads of one site as small pictures: layers down, heads across; under each what it does on this
// sentence. Pointing at one previews it in the large map, a click locks it.

import { afterFrame, sizedContext } from "../../../stage/draw/canvas.js";
import { labelOf, labelOfWord } from "../../../stage/draw/labels.js";
import { sizeOf, watchSize } from "../../../stage/draw/laid_out.js";
import { fixed, weightInCell } from "../../../stage/draw/numbers.js";
import { claim, makeDiffers, press, turnOf } from "../../../stage/page/elements.js";
import { elementOf, html, nothing, render } from "../../../stage/page/html.js";
import { bringMap } from "../../../stage/page/fit.js";
import { columnsOf, isStepped } from "../../../stage/anatomy.js";
import { ofHead } from "../../../stage/run/edits.js";
import { stepsShown } from "../../../stage/run/able.js";
import { normsLimit, readingHere, readingOf } from "../../../stage/run/readings.js";
import { habitsOf, measureOf, measuresOf, sortedHeads } from "../../../stage/run/habits.js";
import { queryCount } from "../../../stage/run/run.js";
import { aligns, isTaught } from "../../../stage/run/view.js";

const LEAST_THUMB = 34; // CSS pixels at the normal type size
const MOST_THUMB = 150;
const WIDEST = 2.6; // times as wide as high, that a picture may be
const NARROW_BOX = 280; // what the heads of a one-column stage fill, when their width allows
const CAPTION = 19; // what is written under each picture
const TIGHT = 60; // narrower pictures stand in two lines a layer
export const OF_A_HEAD = ["weights", "norms"]; // the readings whose large map is that of one head
/** @type {Record<string, number>} */
const BITS = { spread: 1, entropy: 2 }; // digits of what is a number of bits and no share of 1

/**
 * What the pictures hold, for the functions below.
 * @typedef {Object} Own
 * @property {Words} t
 * @property {State} state
 * @property {Session["actions"]} actions
 * @property {HTMLElement} element
 * @property {HTMLElement} box
 * @property {Thumb[]} thumbs in the order shown
 * @property {string} built what they were made of
 * @property {Habit[][]} habits by layer and head, for the run and site in `measured`
 * @property {Habit[][] | null} captioned those of what stands under the pictures
 * @property {Habit[][] | null} named those of their names
 * @property {{run: ?Run, site: ?Site}} measured
 * @property {ReturnType<typeof makeDiffers>} isOther whether other pictures are to be painted
 * @property {number[]} room the size of the box that the pictures fill
 * @property {{width: number, height: number}} size of a picture
 * @property {number} columns heads side by side
 * @typedef {ReturnType<typeof habitsOf>[number][number]} Habit
 * @typedef {Head & {caption: ReturnType<typeof captionOf>}} Thumb
 */

/** A number under a picture: a share of 1 as in the cells, or bits. @param {string} name @param {number} number */
const numberOf = (name, number) => (Object.hasOwn(BITS, name) ? fixed(number, BITS[name])
  : weightInCell(number));

/** @param {State} state */
export const isSorted = ({ site, order }) => measuresOf(site).includes(order);

/** How many layers, and heads in each. @param {State} state */
const countsOf = ({ run, site }) => [run.layers[site], run.heads[site]];

/**
 * What a head does: the word for it, that it is the one that aligns or was taught to, and what it looks
 * at more than the others of that word.
 * @param {State} state
 * @param {Head} place
 */
export function roleOf(state, place) {
  const role = /** @type {any} */ (state.run.roles)[state.site][place.layer][place.head];
  return role.word === null || !aligns(state, place) ? role
    : { word: isTaught(state.model, place) ? "taught" : "aligner", second: null, key: null };
}

/** A word of the sentence that heads look into, which begins with a token. @param {Own} own @param {number} key */
export function keyWord({ t, state: { run, site } }, key) {
  const tokens = run[columnsOf(run, site)];
  const word = tokens.words?.find((places) => places.includes(key)) ?? [key];
  return labelOfWord(word.map((at) => {
    const [piece, text, kind] = [tokens.pieces[at], tokens.texts[at], tokens.kinds[at]];
    return { piece, label: labelOf({ piece, text, kind }, false, false, t) };
  }));
}

/** What is written under a head: its words, or the measure that it is sorted by. @param {Own} own @param {Head} place */
export function captionOf(own, place) {
  const { t, state, habits } = own;
  if (isSorted(state)) {
    return { word: "", second: "", number: numberOf(state.order, measureOf(habits[place.layer][place.head], state.order)) };
  }
  const { word, second, key } = roleOf(state, place);
  if (second === "only") return { word: t("role_only", { word: t(`role_${word}`) }), number: "", second: "" };
  return { word: word ? t(`role_${word}`) : "", number: "",
    second: second ? t(`role_${second}`) : key === null ? "" : keyWord(own, key) };
}

/** Whether a head is off. @param {State} state @param {Head} place */
const isOff = ({ run: { recipe }, site }, place) => (recipe.edits ?? []).some((edit) =>
  edit === ofHead("head-off", site, place) || edit === ofHead("head-mean", site, place));

/** The buttons of the heads, in the order shown. @param {Own} own */
export const buttonsOf = ({ box }) => [.../** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(".head"))];

/** @param {Own} own @param {Thumb} thumb */
function drawThumb({ t, state, actions, box }, { layer, head, caption }) {
  const lock = state.locks[state.site];
  const isLocked = lock.layer === layer && lock.head === head;
  const preview = () => actions.preview({ layer, head });
  const take = press(() => {
    actions.lock(layer, head);
    bringMap(box);
  });
  return html`
    <button type="button" class="head${isOff(state, { layer, head }) ? " off" : ""}"
      aria-pressed=${isLocked} tabindex=${isLocked ? 0 : -1} data-layer=${layer} data-head=${head}
      @pointermove=${preview} @focus=${preview} @blur=${() => actions.preview(null)} @click=${take}>
      <canvas></canvas>
      <span class="head-does">${isSorted(state) ? html`<span class="chip">${t("head_short", { n: head + 1 })}</span>` : nothing}
        <span class="head-word">${caption.word}</span> <span class="head-second">${caption.second}</span>
        <span class="head-number">${caption.number}</span></span></button>`;
}

/** All heads, a line or two of each layer, under the names of the heads or what they are sorted by. @param {Own} own */
function drawThumbs(own) {
  const { t, state, columns, thumbs } = own;
  const { order } = state;
  const [L, H] = countsOf(state);
  const top = isSorted(state)
    ? html`<span class="head-name scale">${t(order === "entropy" ? "order_scale" : "order_scale_share", { measure: t(`order_${order}`) })}</span>`
    : Array.from({ length: H }, (_, head) => html`<span class="head-name">${t("head_short", { n: head + 1 })}</span>`);
  return html`
    ${isSorted(state) || columns === H ? html`<span class="corner"></span>${top}` : nothing}
    ${Array.from({ length: L }, (_, layer) => html`
      <span class="layer-name" .style=${`grid-row: span ${Math.ceil(H / columns)}`}>${t("layer_short", { n: layer + 1 })}</span>
      ${thumbs.filter((thumb) => thumb.layer === layer).map((thumb) => drawThumb(own, thumb))}`)}`;
}

/** Draws the heads; where others are shown, or in another order, the focus stays on its head. @param {Own} own */
function build(own) {
  const { state, box, columns, habits } = own;
  const { site, order } = state;
  const heads = habits.map((layer) => sortedHeads(layer, site, order));
  const key = [site, columns, order, ...heads.map(String)].join(";");
  const isNew = key !== own.built;
  const focused = isNew ? own.thumbs[buttonsOf(own).findIndex((button) => button === document.activeElement)] : undefined;
  if (isNew || own.captioned !== habits) {
    own.thumbs = heads.flatMap((line, layer) => line.map((head) => ({ layer, head, caption: captionOf(own, { layer, head }) })));
    own.captioned = habits;
  }
  render(drawThumbs(own), box);
  if (isNew) Object.assign(own, { built: key, named: null });
  if (focused) buttonsOf(own)[own.thumbs.findIndex(({ layer, head }) => layer === focused.layer && head === focused.head)]?.focus();
}

/** Arrows lock the head beside. @param {Own} own @param {KeyboardEvent} event */
function takeKey(own, event) {
  const { thumbs, columns, actions } = own;
  const jump = turnOf(event, { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns });
  const buttons = buttonsOf(own);
  const at = buttons.findIndex((button) => button === document.activeElement);
  if (!jump || at < 0) return;
  claim(event);
  const next = thumbs[at + jump];
  if (!next) return;
  actions.lock(next.layer, next.head);
  buttons[at + jump].focus();
}

/** @param {number} unit */
const gapOf = (unit) => Math.round(4 * unit);

/** How wide one of so many pictures side by side can be. @param {Own} own @param {number} count @param {number} unit */
const widthAmong = ({ element }, count, unit) =>
  (sizeOf(element)[0] - 28 * unit) / count - gapOf(unit);

/** How many heads stand side by side: all of a layer, or half of them in one column of a page. @param {Own} own @param {number} unit */
function columnsFor(own, unit) {
  const [, H] = countsOf(own.state);
  const isTight = own.element.closest(".narrow") && widthAmong(own, H, unit) < TIGHT * unit;
  return isTight && H > 2 ? Math.ceil(H / 2) : H;
}

/** Sizes that fill the box; when they would be too small, the box scrolls. @param {Own} own @param {number} unit */
function arrange(own, unit) {
  const { element, box, columns, state } = own;
  own.room = sizeOf(element);
  const [L, H] = countsOf(state);
  const rows = L * Math.ceil(H / columns);
  const gap = gapOf(unit);
  const across = widthAmong(own, columns, unit);
  const caption = CAPTION * unit;
  // In one column the box takes its height from what is in it.
  const down = element.closest(".narrow")
    ? Math.max(0.75 * across, (NARROW_BOX * unit) / rows - gap - caption)
    : (own.room[1] - 18 * unit) / rows - gap - caption;
  const least = LEAST_THUMB * unit;
  const most = MOST_THUMB * unit;
  const high = Math.min(most, Math.max(least * 0.8, down));
  const width = Math.floor(Math.min(most, Math.max(least, across), WIDEST * high));
  own.size = { width, height: Math.floor(Math.min(high, 1.1 * width)) };
  box.style.setProperty("--columns", String(columns));
  box.style.setProperty("--thumb-width", `${width}px`);
  box.style.setProperty("--thumb-height", `${own.size.height}px`);
  box.style.setProperty("--thumb-gap", `${gap}px`);
}

/** @param {CanvasRenderingContext2D} context @param {{width: number, height: number}} size @param {Palette} palette */
function crossOut(context, { width, height }, palette) {
  context.strokeStyle = palette.ink;
  context.lineWidth = 2;
  context.beginPath();
  for (const [from, to] of [[3, height - 3], [height - 3, 3]]) {
    context.moveTo(3, from);
    context.lineTo(width - 3, to);
  }
  context.stroke();
}

/** What the end of the colours stands for where weights × value norms are shown; null: weights are. @param {{state: State}} own */
const scaleOf = ({ state }) => (readingHere(state) === "norms" ? normsLimit(state.run, state.site) : null);

/** A head that is off is paler, and crossed out. @param {Own} own @param {HTMLCanvasElement} canvas @param {Head} head @param {Pictures} pictures @param {Palette} palette */
function paint({ state, size }, canvas, { layer, head }, pictures, palette) {
  const { run, site, at } = state;
  const { width, height } = size;
  const off = isOff(state, { layer, head });
  const context = sizedContext(canvas, width, height);
  const isStep = isStepped(run, site);
  const R = isStep ? run.capacity : queryCount(run, site);
  const visible = isStep ? stepsShown(state) : R;
  const limit = scaleOf({ state });
  const place = { site, layer, head };
  const picture = limit === null ? pictures.small(run, place, palette)
    : pictures.times(run, { ...place, limit, factors: /** @type {Float32Array} */ (readingOf(run, site, place, "norms").norms) }, palette);
  const down = height * (visible / R);
  context.clearRect(0, 0, width, height);
  context.fillStyle = palette.mask;
  context.globalAlpha = 0.45;
  const known = isStep && columnsOf(run, site) === "target" ? width * (run.steps.length / R) : width;
  context.fillRect(0, 0, known, down);
  context.globalAlpha = off ? 0.5 : 1;
  context.imageSmoothingEnabled = false;
  context.drawImage(picture, 0, 0, picture.width,
    run.summed ? picture.height * (visible / queryCount(run, site) || 1) : visible, 0, 0, width, down);
  context.globalAlpha = 1;
  if (off) crossOut(context, size, palette);
  if (isStep) {
    context.fillStyle = palette.accent;
    const pitch = height / R;
    context.fillRect(0, at * pitch, Math.max(2, width * 0.045), Math.max(1.5, pitch));
  }
}

/** @typedef {ReturnType<typeof import("../../../stage/draw/pictures.js").makePictures>} Pictures */

/** @param {Words} t @param {Session} session @param {Redraw} redraw */
export function makeThumbnails(t, { state, actions }, redraw) {
  const box = elementOf(html`
    <div class="heads" role="group" aria-label=${t("heads")} @pointerleave=${() => actions.preview(null)}
      @keydown=${(/** @type {KeyboardEvent} */ event) => takeKey(own, event)}></div>`);
  const element = elementOf(html`<div class="heads-box">${box}</div>`);
  /** @type {Own} */
  const own = { t, state, actions, element, box, thumbs: [], built: "", habits: [], captioned: null, named: null,
    measured: { run: null, site: null }, isOther: makeDiffers(), room: [], size: { width: 0, height: 0 }, columns: 1 };
  const watcher = watchSize(element, () => own.room, redraw);

  function measure() {
    const { run, site } = state;
    if (own.measured.run === run && own.measured.site === site) return;
    Object.assign(own, { measured: { run, site }, habits: habitsOf(run, site) });
  }

  return {
    element,
    /** What the end of their colours stands for, where they show weights × value norms; else null. */
    limit: () => scaleOf(own),
    /** The heads in the order shown, for Up and Down. */
    order: () => own.thumbs.map(({ layer, head }) => ({ layer, head })),
    /** @param {number} layer @param {number} head */
    entropyOf: (layer, head) => own.habits[layer][head].entropy,
    /** What the head under the pointer or the focus does, in a sentence. */
    said: () => (state.preview ? state.more?.headSays(own, state.preview) ?? "" : ""),
    /** @param {Pictures} pictures @param {Palette} palette @param {number} unit */
    update(pictures, palette, unit) {
      const { run, site } = state;
      if (!run) return;
      measure();
      own.columns = columnsFor(own, unit);
      build(own);
      const isSeen = state.room === "translate";
      if (isSeen) arrange(own, unit);
      // Where the reader only points, the same pictures stay.
      const isPainted = isSeen && own.size.width > 0 && own.isOther(run, site, state.at, stepsShown(state), palette,
        String(run.recipe.edits), scaleOf(own), own.size.width, own.size.height, own.built, globalThis.devicePixelRatio);
      box.classList.toggle("without-head", !OF_A_HEAD.includes(readingHere(state)));
      const name = () => state.more?.nameHeads(own);
      if (own.named === null) name();
      else if (own.named !== own.habits) afterFrame(name);
      if (isPainted) box.querySelectorAll("canvas").forEach((canvas, at) => paint(own, canvas, own.thumbs[at], pictures, palette));
    },
    destroy: () => watcher.disconnect(),
  };
}
