// All heads of one site as small pictures: layers down, heads across; under each what it does on this
// sentence. Pointing at one previews it in the large map, a click locks it.

import { sizedContext } from "../../../stage/draw/canvas.js";
import { fixed, weightInCell } from "../../../stage/draw/numbers.js";
import { make, makeButton, setText, setTrait } from "../../../stage/page/elements.js";
import { columnsOf, isStepped } from "../../../stage/anatomy.js";
import { ofHead } from "../../../stage/page/whatif/edits.js";
import { habitsOf, measureOf, measuresOf, sortedHeads } from "../../../stage/run/habits.js";
import { queryCount } from "../../../stage/run/run.js";

const LEAST_THUMB = 34; // CSS pixels at the normal type size
const MOST_THUMB = 150;
const WIDEST = 2.2; // times as wide as high, that a picture may be
const NARROW_BOX = 280; // what the heads of a one-column stage fill, when their width allows
const CAPTION = 15; // what is written under each picture
const STACKED = 60; // narrower pictures have the word above the number, or stand in two lines a layer
const BITS = { spread: 1, entropy: 2 }; // digits of what is a number of bits and no share of 1

/** A number under a picture: a share of 1 as in the cells, or bits. */
const numberOf = (name, number) => (Object.hasOwn(BITS, name) ? fixed(number, BITS[name])
  : weightInCell(number));

/** The head whose alignment was measured over a corpus, which the model's folder says; or null. */
const alignerOf = ({ start_on: start }) => (start?.rows === "predicted" ? start : null);

export function makeThumbnails(t, { state, actions }, redraw) {
  const box = make("div", { class: "heads", role: "group", "aria-label": t("heads") });
  const element = make("div", { class: "heads-box" }, [box]);
  let buttons = []; // [{element, canvas, name, word, number, layer, head}] in the order shown
  let built = "";
  let habits = null; // [layer][head], for the run and site in `measured`
  let written = null; // the habits that stand under the pictures
  let measured = { run: null, site: null };
  let size = { width: 0, height: 0 };
  let columns = 1; // heads side by side

  const watcher = new ResizeObserver(() => redraw());
  watcher.observe(element);

  function measure(run, site) {
    if (measured.run === run && measured.site === site) return;
    measured = { run, site };
    habits = habitsOf(run, site, alignerOf(state.model));
  }

  const isSorted = () => measuresOf(state.site).includes(state.order);

  /** What is written under a head: its word, or the measure that it is sorted by. */
  function captionOf(layer, head) {
    const habit = habits[layer][head];
    if (isSorted()) {
      return { word: null, number: numberOf(state.order, measureOf(habit, state.order)) };
    }
    if (habit.word === null) return { word: null, number: "" };
    const number = numberOf(habit.word, habit.number); // over sorted heads the unit stands once
    return { word: habit.word, number: Object.hasOwn(BITS, habit.word) ? t("head_bits", { number }) : number };
  }

  /** The same in full, for those who cannot see it and those who point at it. */
  function titleOf(layer, head) {
    const { word, number, entropy } = habits[layer][head];
    const names = { layer: layer + 1, head: head + 1, bits: fixed(entropy, 2) };
    if (isSorted() && state.order !== "entropy") {
      return t("head_measured", { ...names, measure: t(`order_${state.order}`),
        number: captionOf(layer, head).number });
    }
    if (word === null || word === "spread") return t("head_label", names);
    return t("head_habit", { ...names, habit: t(`habit_${word}`), number: numberOf(word, number) });
  }

  function build() {
    const L = state.run.layers[state.site];
    const H = state.run.heads[state.site];
    const top = isSorted()
      ? [make("span", { class: "head-name scale", text: t(state.order === "entropy"
        ? "order_scale" : "order_scale_share", { measure: t(`order_${state.order}`) }) })]
      : Array.from({ length: columns === H ? H : 0 }, (_, head) =>
        make("span", { class: "head-name", text: t("head_short", { n: head + 1 }) }));
    const cells = top.length ? [make("span", { class: "corner" }), ...top] : [];
    buttons = [];
    for (let layer = 0; layer < L; layer += 1) {
      cells.push(make("span", { class: "layer-name", text: t("layer_short", { n: layer + 1 }),
        style: { gridRow: `span ${Math.ceil(H / columns)}` } }));
      for (const head of sortedHeads(habits[layer], state.site, state.order)) {
        const canvas = make("canvas");
        const [word, number] = [make("span"), make("span", { class: "head-number" })];
        const name = isSorted()
          ? make("span", { class: "chip", text: t("head_short", { n: head + 1 }) }) : null;
        const button = makeButton({
          class: "head",
          data: { layer, head },
          on: {
            pointerenter: () => actions.preview({ layer, head }),
            focus: () => actions.preview({ layer, head }),
            blur: () => actions.preview(null),
          },
        }, () => actions.lock(layer, head), [canvas,
          make("span", { class: "head-does" }, [name, word, number])]);
        buttons.push({ element: button, canvas, word, number, layer, head });
        cells.push(button);
      }
    }
    box.style.setProperty("--columns", String(columns));
    box.replaceChildren(...cells);
  }

  function write({ element: button, word, number, layer, head }) {
    const caption = captionOf(layer, head);
    setText(word, caption.word === null ? "" : t(`habit_${caption.word}`));
    setText(number, caption.number);
    const title = titleOf(layer, head);
    setTrait(button, "aria-label", title);
    setTrait(button, "title", title);
  }
  box.addEventListener("pointerleave", () => actions.preview(null));
  box.addEventListener("keydown", (event) => {
    const jump = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    if (!jump || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = buttons.findIndex((button) => button.element === document.activeElement);
    const next = buttons[at + jump];
    if (at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (!next) return;
    actions.lock(next.layer, next.head);
    next.element.focus();
  });

  const gapOf = (unit) => Math.round(4 * unit);
  const widthAmong = (count, unit) => (element.clientWidth - 28 * unit) / count - gapOf(unit);

  /** How many heads stand side by side: all of a layer, or half of them in one column of a page. */
  function columnsFor(unit) {
    const H = state.run.heads[state.site];
    const isTight = element.closest(".narrow") && widthAmong(H, unit) < STACKED * unit;
    return isTight && H > 2 ? Math.ceil(H / 2) : H;
  }

  /** The height of the heads when each is so much as high as it is wide. */
  function heightAt(ratio, unit) {
    const L = state.run.layers[state.site];
    const H = state.run.heads[state.site];
    const width = Math.min(MOST_THUMB * unit, widthAmong(H, unit));
    const caption = (width < STACKED * unit ? 2 : 1) * CAPTION * unit;
    return Math.ceil(L * (ratio * width + gapOf(unit) + caption) + 20 * unit);
  }

  /** Sizes that fill the box; when they would be too small, the box scrolls. */
  function arrange(unit) {
    const rows = state.run.layers[state.site]
      * Math.ceil(state.run.heads[state.site] / columns);
    const gap = gapOf(unit);
    const free = { width: widthAmong(columns, unit), height: 0 };
    const isStacked = free.width < STACKED * unit;
    const caption = (isStacked ? 2 : 1) * CAPTION * unit;
    box.classList.toggle("stacked", isStacked);
    free.height = (element.clientHeight - 18 * unit) / rows - gap - caption;
    // In one column the box takes its height from what is in it.
    if (element.closest(".narrow")) {
      free.height = Math.max(0.75 * free.width, (NARROW_BOX * unit) / rows - gap - caption);
    }
    const least = LEAST_THUMB * unit;
    let width = Math.min(MOST_THUMB * unit, Math.max(least, free.width));
    let height = Math.min(MOST_THUMB * unit, Math.max(least * 0.8, free.height));
    width = Math.floor(Math.min(width, WIDEST * height));
    height = Math.floor(Math.min(height, 1.1 * width));
    size = { width, height };
    box.style.setProperty("--thumb-width", `${width}px`);
    box.style.setProperty("--thumb-height", `${height}px`);
    box.style.setProperty("--thumb-gap", `${gap}px`);
  }

  function paint(button, pictures, palette) {
    const { run, site, at } = state;
    const context = sizedContext(button.canvas, size.width, size.height);
    const isStep = isStepped(run, site);
    const R = isStep ? run.capacity : queryCount(run, site);
    const visible = isStep ? at + 1 : R;
    const picture = pictures.small(run, site, button.layer, button.head, palette);
    const height = size.height * (visible / R);
    context.clearRect(0, 0, size.width, size.height);
    context.fillStyle = palette.mask;
    context.globalAlpha = 0.45;
    const known = isStep && columnsOf(run, site) === "target" ? size.width * (run.steps.length / R) : size.width;
    context.fillRect(0, 0, known, height);
    context.globalAlpha = 1;
    context.imageSmoothingEnabled = false;
    context.drawImage(picture, 0, 0, picture.width,
      run.summed ? picture.height * (visible / queryCount(run, site) || 1) : visible, 0, 0, size.width, height);
    if (isStep) {
      context.fillStyle = palette.accent;
      const pitch = size.height / R;
      context.fillRect(0, at * pitch, Math.max(2, size.width * 0.045), Math.max(1.5, pitch));
    }
  }

  return {
    element,
    /** The heads in the order shown, for Up and Down. */
    order: () => buttons.map(({ layer, head }) => ({ layer, head })),
    shown: () => buttons.map(({ layer, head }) => ({
      site: state.site,
      layer,
      head,
      ...habits[layer][head],
      caption: captionOf(layer, head),
      locked: state.locks[state.site].layer === layer && state.locks[state.site].head === head,
    })),
    heightAt,
    entropyOf: (layer, head) => habits[layer][head].entropy,
    update(pictures, palette, unit) {
      const { run, site } = state;
      if (!run) return;
      measure(run, site);
      columns = columnsFor(unit);
      const key = [site, run.layers[site], run.heads[site], columns, state.order,
        habits.map((layer) => sortedHeads(layer, site, state.order))].join();
      if (key !== built) {
        const active = document.activeElement;
        const focused = active instanceof HTMLElement && box.contains(active) ? active.dataset : null;
        build();
        built = key;
        written = null;
        if (focused) {
          const same = buttons.find(({ layer, head }) =>
            String(layer) === focused.layer && String(head) === focused.head);
          (same ?? buttons[0]).element.focus();
        }
      }
      const isSeen = state.room === "translate";
      if (isSeen) arrange(unit);
      const [lock, edits] = [state.locks[site], run.recipe.edits ?? []];
      for (const button of buttons) {
        if (written !== habits) write(button);
        const off = edits.some((edit) => edit === ofHead("head-off", site, button)
          || edit === ofHead("head-mean", site, button));
        button.element.classList.toggle("off", off);
        const locked = button.layer === lock.layer && button.head === lock.head;
        setTrait(button.element, "aria-pressed", locked);
        setTrait(button.element, "tabindex", locked ? "0" : "-1");
        if (isSeen && size.width > 0) paint(button, pictures, palette);
      }
      written = habits;
    },
    destroy: () => watcher.disconnect(),
  };
}
