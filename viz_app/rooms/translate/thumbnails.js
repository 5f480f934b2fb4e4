// All heads of one site as small pictures: layers down, heads across. Pointing at one previews it
// in the large map, a click locks it.

import { sizedContext } from "../../stage/draw/canvas.js";
import { fixed } from "../../stage/draw/numbers.js";
import { make, makeButton, setTrait } from "../../stage/page/elements.js";
import { meanEntropy, queryCount } from "../../stage/run/run.js";

const LEAST_THUMB = 34; // CSS pixels at the normal type size
const MOST_THUMB = 150;
const NARROW_BOX = 280; // what the heads of a one-column stage fill, when their width allows

export function makeThumbnails(t, { state, actions }, redraw) {
  const box = make("div", { class: "heads", role: "group", "aria-label": t("heads") });
  const element = make("div", { class: "heads-box" }, [box]);
  let buttons = []; // [{element, canvas, chip, layer, head}] in the order shown
  let built = "";
  let entropies = null; // [layer][head], for the run and site in `measured`
  let measured = { run: null, site: null };
  let size = { width: 0, height: 0 };

  const watcher = new ResizeObserver(() => redraw());
  watcher.observe(element);

  function measure(run, site) {
    if (measured.run === run && measured.site === site) return;
    measured = { run, site };
    entropies = Array.from({ length: run.layers[site] }, (_, layer) =>
      Array.from({ length: run.heads[site] }, (_, head) =>
        meanEntropy(run, site, layer, head)));
  }

  function headsOf(layer) {
    const heads = Array.from({ length: state.run.heads[state.site] }, (_, head) => head);
    if (state.order === "entropy") {
      heads.sort((a, b) => entropies[layer][a] - entropies[layer][b] || a - b);
    }
    return heads;
  }

  function build() {
    const L = state.run.layers[state.site];
    const H = state.run.heads[state.site];
    const byPlace = state.order === "place";
    const top = byPlace
      ? Array.from({ length: H }, (_, head) =>
        make("span", { class: "head-name", text: t("head_short", { n: head + 1 }) }))
      : [make("span", { class: "head-name spread", text: t("order_scale") })];
    const cells = [make("span", { class: "corner" }), ...top];
    buttons = [];
    for (let layer = 0; layer < L; layer += 1) {
      cells.push(make("span", { class: "layer-name", text: t("layer_short", { n: layer + 1 }) }));
      for (const head of headsOf(layer)) {
        const canvas = make("canvas");
        const chip = byPlace ? null
          : make("span", { class: "chip", text: t("head_short", { n: head + 1 }) });
        const button = makeButton({
          class: "head",
          data: { layer, head },
          "aria-label": t("head_label",
            { layer: layer + 1, head: head + 1, bits: fixed(entropies[layer][head], 2) }),
          title: t("head_label",
            { layer: layer + 1, head: head + 1, bits: fixed(entropies[layer][head], 2) }),
          on: {
            pointerenter: () => actions.preview({ layer, head }),
            focus: () => actions.preview({ layer, head }),
            blur: () => actions.preview(null),
          },
        }, () => actions.lock(layer, head), [canvas, chip]);
        buttons.push({ element: button, canvas, layer, head });
        cells.push(button);
      }
    }
    box.style.setProperty("--columns", H);
    box.replaceChildren(...cells);
  }
  box.addEventListener("pointerleave", () => actions.preview(null));
  box.addEventListener("keydown", (event) => {
    const H = state.run ? state.run.heads[state.site] : 1;
    const jump = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -H, ArrowDown: H }[event.key];
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

  /** Sizes that fill the box; when they would be too small, the box scrolls. */
  function arrange(unit) {
    const L = state.run.layers[state.site];
    const H = state.run.heads[state.site];
    const gap = Math.round(4 * unit);
    const free = {
      width: (element.clientWidth - 28 * unit) / H - gap,
      height: (element.clientHeight - 18 * unit) / L - gap,
    };
    // In one column the box takes its height from what is in it.
    if (element.closest(".narrow")) {
      free.height = Math.max(0.75 * free.width, (NARROW_BOX * unit) / L - gap);
    }
    const least = LEAST_THUMB * unit;
    let width = Math.min(MOST_THUMB * unit, Math.max(least, free.width));
    let height = Math.min(MOST_THUMB * unit, Math.max(least * 0.8, free.height));
    width = Math.floor(Math.min(width, 1.7 * height));
    height = Math.floor(Math.min(height, 1.1 * width));
    size = { width, height };
    box.style.setProperty("--thumb-width", `${width}px`);
    box.style.setProperty("--thumb-height", `${height}px`);
    box.style.setProperty("--thumb-gap", `${gap}px`);
  }

  function paint(button, pictures, palette) {
    const { run, site, at } = state;
    const context = sizedContext(button.canvas, size.width, size.height);
    const R = site === "encoder" ? queryCount(run, site) : run.capacity;
    const visible = site === "encoder" ? R : at + 1;
    const picture = pictures.of(run, site, button.layer, button.head, palette);
    const height = size.height * (visible / R);
    context.clearRect(0, 0, size.width, size.height);
    context.fillStyle = palette.mask;
    context.globalAlpha = 0.45;
    const known = site === "decoder" ? size.width * (run.steps.length / R) : size.width;
    context.fillRect(0, 0, known, height);
    context.globalAlpha = 1;
    context.imageSmoothingEnabled = false;
    context.drawImage(picture, 0, 0, picture.width, visible, 0, 0, size.width, height);
    if (site !== "encoder") {
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
      entropy: entropies[layer][head],
      locked: state.locks[state.site].layer === layer && state.locks[state.site].head === head,
    })),
    entropyOf: (layer, head) => entropies[layer][head],
    update(pictures, palette, unit) {
      const { run, site } = state;
      if (!run) return;
      measure(run, site);
      const key = [site, run.layers[site], run.heads[site], state.order,
        state.order === "entropy" ? entropies.map((row, layer) => headsOf(layer)) : ""].join();
      if (key !== built) {
        const active = document.activeElement;
        const focused = active instanceof HTMLElement && box.contains(active) ? active.dataset : null;
        build();
        built = key;
        if (focused) {
          const same = buttons.find(({ layer, head }) =>
            String(layer) === focused.layer && String(head) === focused.head);
          (same ?? buttons[0]).element.focus();
        }
      }
      const isSeen = state.room === "translate";
      if (isSeen) arrange(unit);
      const lock = state.locks[site];
      for (const button of buttons) {
        const locked = button.layer === lock.layer && button.head === lock.head;
        setTrait(button.element, "aria-pressed", locked);
        setTrait(button.element, "tabindex", locked ? "0" : "-1");
        if (isSeen && size.width > 0) paint(button, pictures, palette);
      }
    },
    destroy: () => watcher.disconnect(),
  };
}
