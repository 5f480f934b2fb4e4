// The two runs of the room Compare, a line each: what A is, and what B is and can be.

import { make, makeButton, makeDiffers, setText, setTrait } from "../../stage/page/elements.js";
import { makePlacePicker } from "../../stage/page/pick.js";
import { markAsking } from "../../stage/page/rooms.js";
import { editsAfter } from "../../stage/page/whatif/edits.js";
import { makeCompareTraining } from "./drawn/training.js";
import { nearestSaid } from "./says.js";
import { differencesOf, nameOf, waysOf, wayName } from "./ways.js";

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
  const pick = make("select", { class: "compare-pick", "aria-label": t("compare_pick"), on: {
    change() {
      const way = ways.find(({ value }) => value === pick.value);
      if (way || pick.value === "usual") setB(way ? way.recipe : null);
    } } });
  const option = (/** @type {string} */ value, /** @type {string} */ text) =>
    make("option", { value, text });
  return {
    element: pick,
    /** @param {?Recipe} b null: the usual one @param {Head & {site: Site}} place the head of A */
    update(b, place) {
      const a = state.run.recipe;
      if (!isOther(JSON.stringify([a, b, place, state.other === null, models.length]))) return;
      ways = waysOf(a, state.model, models, { width: Math.min(5, limits.beam_width ?? 5), place });
      const groups = [...new Set(ways.map(({ group }) => group))];
      pick.replaceChildren(option("now", b ? nameOf(b, models, t)
        : t("compare_way_usual")), ...groups.map((group) =>
        make("optgroup", { label: t(`compare_group_${group}`) }, [
          ...ways.filter((way) => way.group === group).map((way) =>
            option(way.value, wayName(way, models, t))),
          ...(group !== "run" || state.other === null ? []
            : [option("usual", t("compare_way_usual"))])])));
      pick.value = "now";
    },
    drawn: () => [...pick.options].map(({ value, text }) => [value, text]),
  };
}

/** Why B shows another head than A, where that is the nearest to it. @param {CompareHeld} answer @param {Words} t */
function headOf(answer, t) {
  const { places: [mine, its], alike } = answer;
  const isAt = (/** @type {Head} */ { layer, head }) => its.layer === layer && its.head === head;
  return alike.distance !== null && isAt(alike) && !isAt(mine)
    ? nearestSaid("differs_head", answer, t) : "";
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {{setB: function(?Recipe): void, keep: function(): void, swap: function(): void,
 *     headA: function(Partial<Head>): void, headB: function(Partial<Head>): void}} acts
 */
export function makeCompareRuns(t, session, acts) {
  const { state, actions } = session;
  const { models, limits } = state.options;
  const nameA = make("strong", { class: "compare-name" });
  const [textA, textB] = [0, 1].map(() => make("span", { class: "compare-text", dir: "auto" }));
  const [placeA, placeB] = [acts.headA, acts.headB].map((choose) => makePlacePicker(t, choose));
  const pick = makePick(t, session, acts.setB);
  const sentence = make("input", { class: "compare-sentence", type: "text", dir: "auto",
    maxlength: limits.characters, "aria-label": t("compare_sentence"), title: t("compare_sentence"),
    on: { change: () => retype(sentence.value.trim()) } });
  const button = (/** @type {string} */ name, /** @type {function(): void} */ act) => makeButton({
    class: "quiet", text: t(`compare_${name}`), title: t(`compare_${name}_hint`),
    data: { act: `compare-${name}` } }, act);
  const same = button("same", () => retype(state.run.recipe.source));
  const [keep, swap] = [button("keep", acts.keep), button("swap", acts.swap)];
  const training = makeCompareTraining(t, session, acts.setB);
  const differs = make("p", { class: "compare-differs" });
  const badge = (/** @type {string} */ run) => make("span", { class: "compare-badge", text: run });
  const element = make("section", { class: "compare-runs", "aria-label": t("compare_runs") }, [
    make("div", { class: "compare-run", data: { run: "a" } },
      [badge("A"), nameA, placeA.element, textA, keep, swap]),
    make("div", { class: "compare-run", data: { run: "b" } },
      [badge("B"), pick.element, placeB.element, sentence, textB, same]),
    make("div", { class: "compare-run compare-apart" }, [differs, training.element]),
  ]);
  markAsking(element);
  /** @type {?Recipe} */
  let shown = null; // B

  /** Another sentence for B. @param {string} source */
  function retype(source) {
    if (shown && source !== "" && source !== shown.source) {
      acts.setB({ ...shown, source, target: [], edits: editsAfter(shown, { source }) });
    }
  }

  /** What is there to choose, whether B has an answer or not. @param {?Recipe} b @param {any} place */
  function offer(b, place) {
    setText(nameA, nameOf(state.run.recipe, models, t));
    pick.update(b, place);
    if (b && shown?.source !== b.source) sentence.value = b.source;
    shown = b;
    sentence.hidden = b === null;
    same.hidden = b === null || b.source === state.run.recipe.source || !state.canAsk;
    keep.hidden = !state.canAsk;
  }

  return {
    element,
    /** @param {CompareHeld} answer */
    update(answer) {
      const { runs: [a, b], places, site } = answer;
      offer(b.recipe, { site, ...places[0] });
      /** @type {[HTMLElement, string][]} */
      const texts = [[textA, a.steps ? `→ ${a.text}` : ""],
        [textB, b.steps ? `→ ${b.text}` : ""]];
      for (const [element, text] of texts) {
        setText(element, text);
        setTrait(element, "title", text);
      }
      [placeA, placeB].forEach((place, i) => place.update(places[i], places[i]));
      training.update(b.recipe);
      setText(differs, [differencesOf(a.recipe, b.recipe, models, t, a.prompt), headOf(answer, t)].filter(Boolean)
        .join(t.language === "zh" ? "" : " "));
      for (const one of [placeA, placeB]) one.element.hidden = false;
      swap.hidden = !state.canAsk;
      swap.disabled = actions.isLeaving();
    },
    /** B as it was asked for, which cannot be shown: why is said above. */
    refuse() {
      offer(state.other?.b ?? null, null);
      for (const one of [textA, textB]) setText(one, "");
      for (const one of [placeA.element, placeB.element, training.element, swap]) one.hidden = true;
      setText(differs, t("compare_refused"));
    },
    drawn: () => ({ a: nameA.textContent, texts: [textA, textB].map((one) => one.textContent),
      b: pick.drawn(), sentence: sentence.value, differs: differs.textContent,
      training: training.drawn() }),
  };
}
