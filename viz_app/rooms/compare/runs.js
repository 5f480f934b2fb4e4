// The two runs of the room Compare, a line each: what A is, and what B is and can be.

import { hide, makeDiffers, press } from "../../stage/page/elements.js";
import { html, live, makePart, noChange, nothing } from "../../stage/page/html.js";
import { makePlacePicker } from "../../stage/page/pick.js";
import { isLeaving } from "../../stage/run/able.js";
import { editsAfter } from "../../stage/run/edits.js";
import { compareTraining } from "./drawn/training.js";
import { nearestSaid } from "./says.js";
import { runName, waysOf, wayName } from "./ways.js";

/**
 * The menu of what B can be.
 * @param {Words} t
 * @param {Session} session
 * @param {function(?Recipe): void} setB
 */
function makePick(t, { state }, setB) {
  const { models, limits } = state.options;
  /** @type {CompareWay[]} */
  let ways = [];
  const isOther = makeDiffers();

  /** @param {any} event */
  function choose({ target: { value } }) {
    const way = ways.find((one) => one.value === value);
    if (way || value === "usual") setB(way ? way.recipe : null);
  }

  /** @param {string} group */
  const groupOf = (group) => html`
    <optgroup label=${t(`compare_group_${group}`)}>
      ${ways.filter((way) => way.group === group).map((way) => html`
        <option value=${way.value}>${wayName(way, models, t)}</option>`)}
      ${group === "run" && state.other !== null ? html`<option value="usual">${t("compare_way_usual")}</option>` : nothing}
    </optgroup>`;

  /** @param {?Recipe} b null: the usual one @param {?Tokens} source of B @param {?Head & {site: Site}} place the head of A */
  return (b, source, place) => {
    const a = state.run.recipe;
    const isNew = isOther(JSON.stringify([a, b, source?.texts, place, state.other === null, models.length]));
    if (isNew) ways = waysOf(a, state.model, models, { width: Math.min(5, limits.beam_width ?? 5), place });
    const groups = [...new Set(ways.map(({ group }) => group))];
    return html`
      <select class="compare-pick" aria-label=${t("compare_pick")} @change=${choose}>${!isNew ? noChange : [html`
        <option value="now" .selected=${live(true)}>${b ? runName(b, models, t, source) : t("compare_way_usual")}</option>`,
  groups.map(groupOf)]}</select>`;
  };
}

/**
 * Beside B's head: that it is the nearest to A's, or what leads to that one.
 * @param {CompareHeld} answer
 * @param {Words} t
 * @param {{canAsk: boolean, look: function(): void}} own
 */
function nearest(answer, t, { canAsk, look }) {
  const { places: [, its], alike: { layer, head, distance } } = answer;
  if (distance === null || its.layers * its.heads === 1) return nothing;
  if (its.layer === layer && its.head === head) {
    return html`<span class="compare-nearest">${nearestSaid("nearest", answer, t)}</span>`;
  }
  return !canAsk ? nothing : html`
    <button type="button" class="quiet compare-alike" title=${t("compare_alike_hint")} data-act="compare-alike"
      @click=${press(look)}>${nearestSaid("alike", answer, t)}</button>`;
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {{setB: function(?Recipe): void, keep: function(): void, swap: function(): void,
 *     headA: function(Partial<Head>): void, headB: function(Partial<Head>): void}} acts
 */
export function makeCompareRuns(t, session, acts) {
  const { state } = session;
  const { models, limits } = state.options;
  const places = [acts.headA, acts.headB].map((choose) => makePlacePicker(t, choose));
  const pick = makePick(t, session, acts.setB);
  /** @type {?Recipe} */
  let shown = null; // B

  /** Another sentence for B. @param {string} source */
  function retype(source) {
    if (shown && source !== "" && source !== shown.source) {
      acts.setB({ ...shown, source, target: [], edits: editsAfter(shown, { source }) });
    }
  }

  /** @param {string} name @param {function(): void} act @param {boolean} hidden */
  const button = (name, act, hidden, disabled = false) => html`
    <button type="button" class="quiet" title=${t(`compare_${name}_hint`)} data-act="compare-${name}"
      ?hidden=${hidden} ?disabled=${disabled} @click=${press(act)}>${t(`compare_${name}`)}</button>`;
  /** @param {?CompareHeld} answer null: B cannot be shown, why is said above */
  function runsOf(answer) {
    const a = state.run.recipe;
    const [, ofB] = /** @type {any[]} */ (answer?.runs ?? []);
    const b = answer ? ofB.recipe : state.other?.b ?? null;
    const isHere = b === null || b.source === a.source || !state.canAsk;
    shown = b;
    return html`
      <div class="compare-run" data-run="a"><div class="compare-which"><span class="compare-badge">A</span>
        <strong class="compare-name">${runName(a, models, t, state.run.source)}</strong></div>
        <div class="compare-how">${places[0].element}
        ${button("keep", acts.keep, !state.canAsk)}
        ${button("swap", acts.swap, !answer || !state.canAsk, isLeaving(state))}</div></div>
      <div class="compare-run" data-run="b"><div class="compare-which"><span class="compare-badge">B</span>
        ${pick(b, answer && ofB.source, answer && { site: answer.site, ...answer.places[0] })}</div>
        <div class="compare-how">${places[1].element}
        ${answer ? nearest(answer, t, { canAsk: state.canAsk, look: () => acts.headB(answer.alike) }) : nothing}
        <input type="text" class="compare-sentence" dir="auto" maxlength=${limits.characters} aria-label=${t("compare_sentence")}
          title=${t("compare_sentence")} ?hidden=${b === null} .value=${b?.source ?? ""}
          @change=${(/** @type {any} */ { target }) => retype(target.value.trim())}>
        ${button("same", () => retype(state.run.recipe.source), isHere)}
        ${compareTraining(t, state, answer && ofB.recipe, acts.setB)}</div></div>
      ${answer ? nothing : html`<p class="compare-refused">${t("compare_refused")}</p>`}`;
  }

  const { element, update } = makePart((/** @type {unknown} */ runs = nothing) => html`
    <section class="compare-runs" data-asks="" aria-label=${t("compare_runs")}>${runs}</section>`);
  return {
    element,
    /** @param {?CompareHeld} answer null: B cannot be shown as it was asked for */
    update(answer) {
      places.forEach((place, i) => {
        hide(place.element, answer === null);
        if (answer) place.update(answer.places[i], answer.places[i]);
      });
      update(runsOf(answer));
    },
  };
}
