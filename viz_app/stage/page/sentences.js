// The two sentences as tokens, the translation as text, and what is set, added or begun beside them.

import { predicts } from "../anatomy.js";
import { shownHead } from "../run/view.js";
import { hide } from "./elements.js";
import { elementOf, html, makePart, nothing } from "./html.js";
import { pads } from "./inputs/pads.js";
import { makeSpelling } from "./spelling.js";
import { makeStrip } from "./strips.js";
import { makeWhatIf } from "./whatif/whatif.js";

/** Puts an element into another, before what is there, unless it is in it already. @param {HTMLElement} element @param {HTMLElement} home */
const bring = (element, home) => {
  if (element.parentElement !== home) home.prepend(element);
};

/**
 * @param {Words} t
 * @param {ReturnType<typeof import("../run/decoding.js").openDecoding>} decoding
 * @param {ReturnType<typeof import("../draw/axes.js").makeAxes>} axes
 */
export function makeSentences(t, decoding, axes) {
  const { state } = decoding;
  const spelled = makeSpelling(t, decoding);
  const whatIf = makeWhatIf(t, decoding, /** @returns {Label[]} */ () => (state.run ? axes().source : []));
  const padded = makePart(() => pads(t, decoding));
  /** What the first picture does not need. @param {"settingFields" | "fillLines" | "branchesShown"} name @param {string} shown its class @param {unknown} [label] */
  const later = (name, shown, label = nothing) => makePart(() => {
    const inner = state.more?.[name](t, decoding) ?? null;
    return html`<div class=${shown} role="group" aria-label=${label} ?hidden=${inner === null}>${inner ?? nothing}</div>`;
  });
  const settings = later("settingFields", "settings", t("set_controls"));
  const filling = later("fillLines", "fill");
  const branches = later("branchesShown", "branches", t("branches"));
  const sourceAside = elementOf(html`<div class="strip-aside of-source"></div>`);
  const targetAside = elementOf(html`<div class="strip-aside">${spelled.element}</div>`);
  const source = makeStrip("source", t, decoding, sourceAside);
  const target = makeStrip("target", t, decoding, targetAside);
  /** @type {?ReturnType<typeof import("./branches/beginning.js").makeBeginning>} */
  let beginning = null; // once it is here
  /** @type {?ReturnType<typeof import("./about/guard.js").makeGuard>} */
  let guard = null; // once it is here
  const { element: said, update: say } = makePart(() => html`
    <div class="strip said" ?hidden=${!predicts(state.model)}><span class="gutter" aria-hidden="true"></span>
      <output class="translation" dir="auto" title=${state.run?.text ?? nothing}>${state.run?.text}</output></div>`);
  const element = elementOf(html`
    <section class="sentences" aria-label=${t("sentences")}>${[settings, source, filling, target, branches].map((one) => one.element)}
      ${said}${whatIf.row}</section>`);

  /** On a phone the translation lies under the map, and what to know before the map is read over it. @param {Element} home */
  function updateGuard(home) {
    guard ??= state.more?.makeGuard(t, decoding) ?? null;
    if (guard && guard.element.parentElement !== home) {
      guard.element.parentElement?.classList.remove("guarded");
      home.append(guard.element);
    }
    guard?.update();
  }

  /**
   * Puts controls on what they change: at the end of a sentence in Translate; what changes the model
   * stands at the head there.
   */
  function place() {
    const isPair = state.room === "translate";
    bring(padded.element, isPair ? source.end : sourceAside);
    if (beginning) bring(beginning.button, isPair ? target.end : targetAside);
    // A prompt is shown as the beginning of the target; the menu beside the source goes there too.
    // A lesson may cover the map, and ask for a change of the model.
    if (!isPair || element.closest(".in-lesson")) bring(whatIf.menu, source.element.hidden ? targetAside : sourceAside);
    // On a phone it stands under the map, and is read after both.
    const strip = (state.room === "translate" && !target.element.hidden ? target : source).element;
    if (sourceAside.parentElement !== strip) strip.append(sourceAside);
  }

  /** @param {Palette} palette */
  function updateRun(palette) {
    const [shown, { words }] = [shownHead(state), axes()];
    source.update(words.source, shown, palette);
    target.update(words.target, shown, palette);
  }

  return {
    element,
    strips: { source, target },
    whatIf: whatIf.menu,
    /** @param {Palette} palette @param {?Element} above what lies over the map, where there is little room */
    update(palette, above) {
      updateGuard(above ?? said);
      beginning ??= state.more?.makeBeginning(t, decoding, target.element) ?? null;
      for (const part of [padded, settings, filling, whatIf, beginning, branches]) part?.update();
      element.classList.toggle("branched", !branches.element.hidden);
      const isAway = Boolean(state.rooms.find(({ name }) => name === state.room)?.withoutSentences);
      element.classList.toggle("away", isAway);
      spelled.update();
      hide(spelled.element, !predicts(state.model)); // its labels are all there is
      say();
      if (state.run && !isAway) updateRun(palette);
      place();
    },
    /** Brings what was written last into sight, once all has its place. */
    follow: () => target.follow(),
  };
}
