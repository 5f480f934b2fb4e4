// What B can be beside A, what a run is called, and in what two runs differ. Pure.

import { siteOf, sitesOf, wholeOf, writes } from "../../stage/anatomy.js";
import { forcedOf, editLabel, ofHead, withoutEdits } from "../../stage/run/edits.js";
import { labelsOf } from "../../stage/draw/labels.js";
import { editsNamed } from "../../stage/page/whatif/groups.js";
import { titleAmong, trainingOf } from "../../stage/page/words.js";

/** The server fills up what is left out. @param {Partial<Recipe["strategy"]>} strategy */
const strategyOf = (strategy) => /** @type {Recipe["strategy"]} */ (strategy);
const GREEDY = strategyOf({ kind: "greedy" });

/**
 * The models that have an attention in common with one, without it and its training. Of a model
 * that nobody has opened yet it is not known what it has.
 * @param {Model[]} models
 * @param {Model} model
 */
export const comparable = (models, model) => models.filter((one) => !one.of && !one.closed
  && one.name !== wholeOf(model) && one.anatomy.predicts
  && sitesOf(one).some((site) => siteOf(model, site) !== undefined));

/** The run of another model on the same sentence. @param {Recipe} a @param {Model} model @returns {Recipe} */
const byModel = (a, { name }) => ({ version: 1, model: name, source: a.source, pads: a.pads,
  target: [], strategy: a.strategy ?? GREEDY });

/**
 * The same model at another update of its training, which is fed A's tokens: every row has its like.
 * @param {Recipe} a
 * @param {Model} model
 * @returns {Recipe}
 */
export const byUpdate = (a, model) => (model.name === a.model ? a : { ...byModel(a, model),
  target: a.target.map(({ token }) => ({ token, how: "forced" })) });

/**
 * The edits of A that may be one more in B: its head off, and no positions.
 * @param {Recipe} a
 * @param {Model} model
 * @param {?Head & {site: Site}} place a head of A with its site
 */
function editsMore({ edits = [] }, model, place) {
  const allowed = model.anatomy.edits ?? [];
  return [place && allowed.includes("head-off") ? ofHead("head-off", place.site, place) : null,
    allowed.includes("no-positions") ? "no-positions" : null]
    .filter((edit) => edit !== null).filter((edit) => !edits.includes(edit));
}

/**
 * What B can be beside A.
 * @param {Recipe} a
 * @param {Model} model of A
 * @param {Model[]} models
 * @param {{width: number, place: ?Head & {site: Site}}} more the width of a beam; a head of A with its site
 * @returns {CompareWay[]}
 */
export function waysOf(a, model, models, { width, place }) {
  const anew = { ...a, target: forcedOf(a) };
  const strategies = writes(model) ? [
    { value: "greedy", recipe: { ...anew, strategy: GREEDY } },
    { value: "beam", recipe: { ...anew, strategy: strategyOf({ kind: "beam", width }) } },
  ].filter(({ value }) => value !== (a.strategy?.kind ?? "greedy")) : [];
  const run = [
    ...(a.edits?.length ? [{ value: "untouched", recipe: withoutEdits(a) }] : []),
    ...strategies,
    ...editsMore(a, model, place).map((edit) => ({ value: `edit:${edit}`, edit,
      recipe: { ...anew, edits: [...a.edits ?? [], edit] } })),
    { value: "same", recipe: a },
  ];
  /** @type {function(CompareWay["group"], Model[], function(Recipe, Model): Recipe): CompareWay[]} */
  const others = (group, list, by) => list.map((one) =>
    ({ group, value: `model:${one.name}`, model: one, recipe: by(a, one) }));
  return [
    ...run.map((way) => ({ group: /** @type {const} */ ("run"), ...way })),
    ...others("training", trainingOf(models, model).filter((one) => one !== model), byUpdate),
    ...others("models", comparable(models, model), byModel),
  ];
}

/**
 * What a way is called in the menu, where its group says what it has in common with A.
 * @param {CompareWay} way
 * @param {Model[]} models
 * @param {Words} t
 */
export function wayName({ group, value, edit, model }, models, t) {
  if (model && group === "training") return t("compare_way_update", { n: model.update });
  if (model) return titleAmong(models, model, t);
  return edit ? editLabel(t, edit, []) : t(`compare_way_${value}`);
}

/** @param {string} name @param {Model[]} models @param {Words} t */
const titleOf = (name, models, t) => {
  const known = models.find((one) => one.name === name);
  return known ? titleAmong(models, known, t) : name;
};

/** What all edits of a run are called. @param {Recipe} recipe @param {?Tokens} source @param {Words} t */
const editsOfRun = ({ edits = [] }, source, t) => editsNamed(t, edits, source, source ? labelsOf(source, false, false, t) : []);

/** @param {Recipe} recipe @param {?Tokens} source @param {Words} t */
const editsSaid = (recipe, source, t) => editsOfRun(recipe, source, t).join(t("parts_between")) || t("compare_unedited");

/**
 * What a run is called: its model, its edits, and how it was decoded.
 * @param {Recipe} recipe
 * @param {Model[]} models
 * @param {Words} t
 * @param {?Tokens} [source] of the run, where that is known
 */
export function runName(recipe, models, t, source = null) {
  const { model, strategy } = recipe;
  const [parts, edits] = [[titleOf(model, models, t)], editsOfRun(recipe, source, t)];
  if (edits.length > 0) parts.push(edits.length > 1 ? t("compare_edits", { n: edits.length }) : edits[0]);
  if (strategy && strategy.kind !== "greedy") parts.push(t(`compare_by_${strategy.kind}`));
  return parts.join(" · ");
}

/**
 * How the tokens of two runs are chosen; with what is set, where both are chosen in one way.
 * @param {Recipe[]} recipes
 * @param {Words} t
 */
function chosenBy(recipes, t) {
  const kinds = recipes.map(({ strategy }) => strategy?.kind ?? "greedy");
  return kinds[0] !== "greedy" && kinds[0] === kinds[1]
    ? recipes.map(({ strategy }) => t(`compare_by_${kinds[0]}_set`, strategy))
    : kinds.map((kind) => t(`compare_by_${kind}`));
}

const MOST_FORCED = 3; // forced tokens that are named

/** The tokens that were forced, and where. @param {Recipe} recipe */
const forcedIn = ({ target }) => target.flatMap(({ token, how }, at) => (how === "forced" ? [`${at} ${token}`] : []));

/**
 * The tokens that were forced in one of two runs alone, each with its step.
 * @param {Recipe[]} recipes
 * @param {string[][]} written what each run wrote, without the prompt
 * @param {number} prompt tokens of the target before the first that is chosen
 * @param {Words} t
 */
function forcedSaid(recipes, written, prompt, t) {
  const forced = recipes.map(forcedIn);
  const said = forced.flatMap((mine, run) => mine.filter((one) => !forced[1 - run].includes(one))
    .map((one) => Number(one.split(" ")[0]))
    .filter((at) => written[run]?.[at] !== undefined)
    .map((at) => t("compare_forced_at", { token: written[run][at], n: prompt + at })));
  const named = said.slice(0, MOST_FORCED).join(t("parts_between"));
  return named === "" ? "" : t("compare_forced_tokens", { tokens: said.length > MOST_FORCED ? `${named} …` : named });
}

/** What a model gets besides the sentence, as a text. @param {Recipe} recipe @param {Words} t */
const settingsSaid = ({ settings = {} }, t) => Object.keys(settings).sort()
  .map((name) => `${t(`set_${name}`)}: ${settings[name]}`).join(t("parts_between")) || t("compare_unset");

/**
 * Where the tokens of two runs part, or which of them goes on where the other stops; null: nowhere.
 * @param {Recipe} a
 * @param {Recipe} b
 * @param {number} prompt tokens of the target before the first that is chosen
 * @param {Words} t
 */
function partedAt({ target: mine }, { target: its }, prompt, t) {
  const parted = mine.findIndex(({ token, how }, i) =>
    i < its.length && (its[i].token !== token || its[i].how !== how));
  if (parted >= 0) return t("compare_differs_tokens", { n: prompt + parted });
  return mine.length === its.length ? null
    : t("compare_differs_length", { a: mine.length, b: its.length });
}

/**
 * In what B differs from A, in a sentence.
 * @param {Recipe} a
 * @param {Recipe} b
 * @param {Model[]} models
 * @param {Words} t
 * @param {number} [prompt] tokens of the target before the first that is chosen
 * @param {string[][]} [written] what each run wrote, without the prompt
 * @param {?Tokens[]} [sources] of both, where they are known
 * @param {boolean} [isFed] whether B is fed the tokens of A
 */
export function differencesOf(a, b, models, t, prompt = 1, written = [], sources = null, isFed = false) {
  const [mine, its] = [a, b].map(({ model }) => models.find(({ name }) => name === model));
  const isTraining = mine && its && wholeOf(mine) === wholeOf(its);
  const chosen = chosenBy([a, b], t);
  /** @type {[string, string, string][]} what it is about, what A has and what B has */
  const pairs = [
    isTraining ? ["update", String(mine.update), String(its.update)]
      : ["model", titleOf(a.model, models, t), titleOf(b.model, models, t)],
    ["source", a.source, b.source],
    ["settings", settingsSaid(a, t), settingsSaid(b, t)],
    ["pads", String(a.pads ?? 0), String(b.pads ?? 0)],
    ["edits", editsSaid(a, sources?.[0] ?? null, t), editsSaid(b, sources?.[1] ?? null, t)],
    ["strategy", chosen[0], chosen[1]],
    ...(isFed ? [] : [/** @type {[string, string, string]} */ (["forced", forcedIn(a).join(), forcedIn(b).join()])]),
  ];
  const said = pairs.filter(([, x, y]) => x !== y).map(([about, x, y]) =>
    (about === "forced" ? `${t("compare_differs_forced")}${forcedSaid([a, b], written, prompt, t)}`
      : t(`compare_differs_${about}`, { a: x, b: y })));
  if (isFed) said.push(t("compare_differs_fed"));
  const parted = said.length === 0 ? partedAt(a, b, prompt, t) : null;
  if (parted) said.push(parted);
  return said.length === 0 ? t("compare_differs_nothing")
    : t("compare_differs", { what: said.join(t("parts_between")) });
}
