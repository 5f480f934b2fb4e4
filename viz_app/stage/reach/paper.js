// Printing: the open room on white paper, whole, in one column; see paper.css.

import { elementOf, html } from "../page/html.js";
import { whatScrolls } from "../page/fit.js";
import { titleOfModel } from "../page/words.js";

const SHEET = 1215; // of the stage's pixels: what one upright page holds, of Letter as of the longer A4
const TRIES = 4; // letters whose widths are whole pixels do not shrink as much as their type
const LEAST = 0.8; // what is a little higher is drawn smaller, but not below six points and a half

/** All that the stage stands in, of any host. @param {HTMLElement} root @returns {HTMLElement[]} */
const around = ({ parentElement }) => parentElement ? [parentElement, ...around(parentElement)] : [];

/**
 * Lays the page out on paper; the function puts it back on the screen.
 * @param {HTMLElement} root
 * @param {Words} t
 * @param {State} state
 * @param {function(): void} render
 */
export function layOnPaper(root, t, { model, run, draft }, render) {
  const sentences = run ? [run.recipe.source, run.text].filter(Boolean).join(" → ") : draft;
  const about = elementOf(html`<p class="printed">${[titleOfModel(model, t), sentences].join(t.language === "zh" ? "：" : ": ")}</p>`);
  root.querySelector(".name")?.append(about);
  root.classList.add("paper");
  const hosts = around(root);
  for (const host of hosts) host.classList.add("around-paper");
  render();
  const boxes = /** @type {HTMLElement[]} */ (whatScrolls([...root.querySelectorAll(".stage-body")]));
  for (const box of boxes) {
    box.classList.add("unrolled");
    box.classList.toggle("of-map", box.querySelector(":scope > .map-extent") !== null);
  }
  render();
  for (const box of [...boxes].reverse()) { // from within, what is too wide for the page is drawn smaller
    let zoom = 1;
    for (let tries = 0; tries < TRIES && box.scrollWidth > box.clientWidth; tries += 1) {
      zoom *= box.clientWidth / box.scrollWidth;
      box.style.zoom = String(zoom);
    }
  }
  const share = SHEET / root.scrollHeight;
  const isOfPages = root.querySelector(".room:not([hidden]) .of-pages:not([hidden])") !== null; // may take several
  if (share < 1 && share > LEAST && !isOfPages) root.style.setProperty("--fitted", String(share));
  return () => {
    root.style.removeProperty("--fitted");
    for (const box of boxes) {
      box.classList.remove("unrolled", "of-map");
      box.style.zoom = "";
    }
    for (const host of hosts) host.classList.remove("around-paper");
    root.classList.remove("paper");
    about.remove();
    render();
  };
}
