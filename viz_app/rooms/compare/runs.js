// The two runs of the room Compare, a line each: what A is, and what B is and can be.

import { siteOf, sitesOf, writes } from "../../stage/anatomy.js";
import { make, makeButton, setText, setTrait } from "../../stage/page/elements.js";
import { makePlacePicker } from "../../stage/page/pick.js";
import { markAsking } from "../../stage/page/rooms.js";
import { editsAfter, forcedOf, labelOf, withoutEdits } from "../../stage/page/whatif/edits.js";
import { titleAmong } from "../../stage/page/words.js";

/**
 * The models that have an attention in common with one, without it.
 * @param {any[]} models
 * @param {any} model
 */
export const comparable = (models, model) => models.filter((one) => one !== model
  && one.anatomy.predicts && sitesOf(one).some((site) => siteOf(model, site) !== undefined));

/**
 * What B can be beside A: {value, recipe}; a recipe that is null is the usual one, which follows A.
 * @param {Recipe} a
 * @param {any} model of A
 * @param {any[]} models
 * @param {number} width of a beam
 */
export function waysOf(a, model, models, width) {
  /** @type {any} */
  const anew = { ...a, target: forcedOf(a) };
  const strategies = writes(model) ? [
    { value: "greedy", recipe: { ...anew, strategy: { kind: "greedy" } } },
    { value: "beam", recipe: { ...anew, strategy: { kind: "beam", width } } },
  ].filter(({ value }) => value !== (a.strategy?.kind ?? "greedy")) : [];
  return [
    ...(a.edits?.length ? [{ value: "untouched", recipe: withoutEdits(a) }] : []),
    ...strategies,
    { value: "same", recipe: a },
    ...comparable(models, model).map(({ name }) => ({ value: `model:${name}`, recipe: { version: 1,
      model: name, source: a.source, pads: a.pads, target: [],
      strategy: a.strategy ?? { kind: "greedy" } } })),
  ];
}

/**
 * What a run is called: its model, its edits, and how it was decoded.
 * @param {Recipe} recipe
 * @param {any[]} models
 * @param {Words} t
 */
export function nameOf({ model, edits = [], strategy }, models, t) {
  const known = models.find(({ name }) => name === model);
  const parts = [known ? titleAmong(models, known, t) : model];
  if (edits.length > 0) {
    parts.push(edits.length > 1 ? t("compare_edits", { n: edits.length }) : labelOf(t, edits[0], []));
  }
  if (strategy && strategy.kind !== "greedy") parts.push(t(`compare_by_${strategy.kind}`));
  return parts.join(" · ");
}

/**
 * The menu of what B can be.
 * @param {Words} t
 * @param {Session} session
 * @param {function(?Recipe): void} setB
 */
function makePick(t, { state }, setB) {
  const { models, limits } = state.options;
  /** @type {any[]} */
  let ways = [];
  let built = "";
  const pick = make("select", { class: "compare-pick", "aria-label": t("compare_pick"), on: {
    change() {
      const way = ways.find(({ value }) => value === pick.value);
      if (way || pick.value === "usual") setB(way ? way.recipe : null);
    } } });
  const option = (/** @type {string} */ value, /** @type {string} */ text) =>
    make("option", { value, text });
  const isModel = (/** @type {any} */ { value }) => value.startsWith("model:");
  return {
    element: pick,
    /** @param {Recipe} b */
    update(b) {
      const a = state.run.recipe;
      const said = JSON.stringify([a, b, state.other === null, models.length]);
      if (said === built) return;
      built = said;
      ways = waysOf(a, state.model, models, Math.min(5, limits.beam_width ?? 5));
      const others = ways.filter(isModel).map(({ value, recipe }) =>
        option(value, nameOf({ ...recipe, strategy: { kind: "greedy" } }, models, t)));
      pick.replaceChildren(option("now", nameOf(b, models, t)),
        make("optgroup", { label: t("compare_group_run") }, [
          ...ways.filter((way) => !isModel(way)).map(({ value }) =>
            option(value, t(`compare_way_${value}`))),
          ...(state.other === null ? [] : [option("usual", t("compare_way_usual"))])]),
        ...(others.length ? [make("optgroup", { label: t("compare_group_models") }, others)] : []));
      pick.value = "now";
    },
    drawn: () => [...pick.options].map(({ value, text }) => [value, text]),
  };
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {{setB: function(?Recipe): void, keep: function(): void, swap: function(): void,
 *     headA: function(Object): void, headB: function(Object): void}} acts
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
  const badge = (/** @type {string} */ run) => make("span", { class: "compare-badge", text: run });
  const element = make("section", { class: "compare-runs", "aria-label": t("compare_runs") }, [
    make("div", { class: "compare-run", data: { run: "a" } },
      [badge("A"), nameA, placeA.element, textA, keep, swap]),
    make("div", { class: "compare-run", data: { run: "b" } },
      [badge("B"), pick.element, placeB.element, sentence, textB, same]),
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

  return {
    element,
    /** @param {any} answer */
    update({ runs: [a, b], places }) {
      setText(nameA, nameOf(state.run.recipe, models, t));
      /** @type {[HTMLElement, string][]} */
      const texts = [[textA, `${a.recipe.source} → ${a.text}`], [textB, `→ ${b.text}`]];
      for (const [element, text] of texts) {
        setText(element, text);
        setTrait(element, "title", text);
      }
      [placeA, placeB].forEach((place, i) => place.update(places[i], places[i]));
      pick.update(b.recipe);
      if (shown?.source !== b.recipe.source) sentence.value = b.recipe.source;
      shown = b.recipe;
      same.hidden = b.recipe.source === state.run.recipe.source || !state.canAsk;
      for (const one of [keep, swap]) one.hidden = !state.canAsk;
      swap.disabled = actions.isLeaving();
    },
    drawn: () => ({ a: nameA.textContent, texts: [textA, textB].map((one) => one.textContent),
      b: pick.drawn(), sentence: sentence.value }),
  };
}
