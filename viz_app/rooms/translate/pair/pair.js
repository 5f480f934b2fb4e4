// The two sentences at the size of a headline, the arcs between them, and what they say in one
// sentence: what the word at hand was read from, and what it needed.

import { hasSite, predicts, writes } from "../../../stage/anatomy.js";
import { whenLaidOut } from "../../../stage/draw/laid_out.js";
import { icon, press } from "../../../stage/page/elements.js";
import { html, makePart, nothing } from "../../../stage/page/html.js";
import { isStepping } from "../../../stage/run/units.js";
import { heldAs, holdReading } from "../../../stage/run/readings.js";
import { makeArcs } from "./arcs.js";
import { makeSizes } from "./sizes.js";

const REST_MS = 350; // after the last change, before it is asked what was needed

/** What is asked for the second half of the sentence. @type {{site: Site, reading: string}} */
const NEEDED = { site: "cross", reading: "hidden" };

/** Whether it can be measured which source words a written word needed. @param {State} state */
const canNeed = ({ run, canAsk }) => canAsk && run !== null && !run.summed && predicts(run) && !run.readsWhole
  && hasSite(run, "cross") && run.finished !== null && run.chosen.length > 0;

/**
 * @param {Words} t
 * @param {Session} session
 * @param {any} ask
 * @param {Redraw} redraw
 * @param {{strips: Record<"source" | "target", any>, axes: function(): Axes}} shared
 * @param {HTMLElement} lookInside leads from the word at hand to where its weights come from
 */
export function makePair(t, session, ask, redraw, { strips, axes }, lookInside) {
  const { state, actions } = session;
  const arcs = makeArcs(session, strips);
  const question = ask({ after: REST_MS, quiet: true });
  let read = "";
  /** @type {ReturnType<typeof import("./needed.js").neededBy>} */
  let needed = null;
  /** @type {?import("../map/map.js").MapFrame} */
  let frame = null;

  /** What the word at hand needed. */
  function neededPart() {
    const row = frame && (frame.pointed.row ?? (frame.pointed.column === null ? frame.current : null));
    return !frame || row === null || row === undefined || !needed ? nothing
      : state.more?.neededSaid(t, session, frame, row, needed, axes().source);
  }
  /** What the last edit did to the translation, until another word is looked at. */
  const changedPart = () => (!state.run || (frame && (frame.pointed.row ?? frame.pointed.column) !== null) ? null
    : state.more?.changedText(t, state, axes().source) ?? null);
  const said = makePart(() => {
    const changed = changedPart();
    return html`<p class="pair-said ${frame?.site === "decoder" ? "below-weights" : ""}">${changed === null ? html`<span class=${read === t("reading_hint") ? "nudge" : ""}>${read}</span>${neededPart()}` : changed}</p>`;
  });
  const line = /** @type {HTMLElement} */ (said.element);
  let isOfSource = false; // what is said
  let high = 0; // CSS pixels of what was said before
  const stopReading = whenLaidOut(line, () => {
    if (!isOfSource) high = line.getBoundingClientRect().height;
  });
  /** How far a model can be trusted to translate: one of ours that was tried, and any in this sentence. */
  function rightPart() {
    const { group, card } = state.model;
    const unsure = state.more?.howUnsure(state);
    const said = [group === "translation" && card && card.own.of > 0 && unsure !== "most"
      ? t("own_right", { right: card.own.right, of: card.own.of }) : "",
    state.more?.charactersSaid(t, state) ?? "", unsure ? t(`unsure_${unsure}`) : ""].filter(Boolean);
    return said.length ? html`<span class="pair-right">${said.join(t("sentences_between"))}</span>` : nothing;
  }
  const acts = makePart(() => html`
    <div class="pair-acts">
      <button type="button" class="as-link pair-step" data-act="walk" title=${t("walk_hint")}
        ?hidden=${!state.run || !writes(state.run)} ?inert=${isStepping(state)} @click=${press(actions.walk)}>
        ${icon("step")}${t("walk")}</button>
      <button type="button" class="as-link" data-act="undo" title=${t("move_undo_hint")}
        ?hidden=${isStepping(state) || !actions.canUndo()} @click=${press(actions.undo)}>
        ${icon("undo")}${t(`move_${actions.undoing()}`)}</button>
      ${rightPart()}</div>`);

  const sizes = makeSizes(strips, axes, said.element, redraw, () => state.canAsk);
  strips.target.element.before(arcs.element);
  strips.target.element.after(said.element, acts.element);
  acts.element.prepend(lookInside);
  /** @type {?ReturnType<typeof import("./assembly.js").makeAssembly>} */
  let assembly = null;
  return {
    line,
    arcs: arcs.element,
    /** Asks what was needed, once the page rests. */
    settle() {
      assembly?.settle();
      if (!canNeed(state) || state.run.held.has(heldAs("hidden", "cross", 0))) return;
      const answer = question.of({ recipe: state.run.recipe, ...NEEDED });
      if (answer) holdReading(state.run, NEEDED, answer);
    },
    /**
     * @param {?import("../map/map.js").MapFrame} now
     * @param {string} sentence of the map
     * @param {Look} look
     */
    update(now, sentence, look) {
      [frame, read] = [now, sentence];
      const row = now && (now.pointed.row ?? now.current);
      needed = now && row !== null && row !== undefined && now.site === "cross" && now.pointed.column === null
        ? state.more?.neededBy(now.run, now, now, row) ?? null : null;
      isOfSource = now !== null && now.pointed.row === null && now.pointed.column !== null;
      said.update();
      line.style.setProperty("--said-high", `${isOfSource ? high : 0}px`);
      if (state.more && !assembly) {
        assembly = state.more.makeAssembly(t, session, ask, redraw, strips.source, axes);
        said.element.after(assembly.element);
      }
      assembly?.update();
      acts.update();
      const type = state.run ? sizes.update(look) : null;
      arcs.update(type === null ? null : now, type ?? 0, look);
    },
    destroy() {
      stopReading();
      arcs.destroy();
      sizes.destroy();
    },
  };
}
