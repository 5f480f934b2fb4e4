import assert from "node:assert/strict";
import { test } from "node:test";

import { askNamed, asksAt, coversOf, nameOfAsk } from "../../../viz_app/stage/making/asks.js";
import { draftIn, fileOfDraft, linkOfStep, nameOfDraft, withAsk, withMoved, withoutItsTokens, withoutStep, withStep, withView, withWord,
  wordIn, wordOfAny } from "../../../viz_app/stage/making/draft.js";

const LINK = "http://here/#v=3&model=en-fr&weights=abc&text=The+cat.&room=inside&inside.view=way&edit=a&edit=b&lesson=pads.2";
const here = { link: LINK, model: "en-fr", text: "The cat.", language: "en", title: "My lesson" };
const place = { room: "translate", site: "cross", layer: 2, head: 4, row: 3, cell: { query: 3, key: 1 }, isOfSource: true, study: null };

test("a view becomes a step that shows it, without what the lesson says itself", () => {
  const draft = withStep(null, here);
  assert.deepEqual(draft.models, { "en-fr": { text: "The cat." } });
  assert.equal(draft.steps[0].show, "room=inside&inside.view=way&edit=a&edit=b");
  const other = withStep(draft, { ...here, link: "#v=3&model=en-de&text=A+dog.&at=2" });
  assert.equal(other.steps[1].show, "model=en-de&text=A+dog.&at=2");
  assert.equal(linkOfStep(other, other.steps[1]), "v=3&model=en-de&text=A+dog.&at=2");
  assert.equal(withView(other, 1, LINK).steps[1].show, draft.steps[0].show);
});

test("a translation that the model writes by itself is left to the model", () => {
  const link = "http://here/#v=3&model=en-fr&text=A.&target=4.2&how=g&at=1";
  const run = (/** @type {string[]} */ hows, /** @type {?string} */ finished, kind = "greedy") => /** @type {any} */ ({ finished,
    recipe: { target: hows.map((how) => ({ token: 4, how })), strategy: { kind } } });
  assert.equal(withoutItsTokens(link, run(["greedy", "greedy"], "end")), "v=3&model=en-fr&text=A.&at=1");
  for (const other of [run(["greedy", "forced"], "end"), run(["greedy"], null), run(["greedy"], "end", "beam")]) {
    assert.equal(withoutItsTokens(link, other), link);
  }
});

test("steps are moved and deleted with their words, and a new one takes a name that is free", () => {
  const one = withWord(withStep(null, here), "en", "step_1.say", "first");
  const two = withWord(withStep(one, here), "en", "step_2.say", "second");
  assert.deepEqual(withMoved(two, 1, -1).steps.map(({ id }) => id), ["step_2", "step_1"]);
  assert.equal(withMoved(two, 1, 1), two);
  const left = withoutStep(two, 0);
  assert.equal(wordIn(left, "en", "step_1.say"), "");
  assert.equal(wordIn(left, "en", "step_2.say"), "second");
  assert.deepEqual(withStep(left, here).steps.map(({ id }) => id), ["step_2", "step_1"]);
  const full = Array.from({ length: 30 }).reduce((/** @type {any} */ made) => withStep(made, here), null);
  assert.equal(/** @type {any} */ (full).steps.length, 20);
});

test("a lesson has words in several languages, and each is written by itself", () => {
  const english = withWord(withWord(withStep(null, here), "en", "step_1.say", "Look."), "en", "about", "heads");
  const both = withWord(english, "zh", "step_1.say", "看。");
  assert.deepEqual([wordIn(both, "en", "step_1.say"), wordIn(both, "zh", "step_1.say")], ["Look.", "看。"]);
  assert.equal(wordIn(both, "zh", "about"), "");
  assert.deepEqual(wordOfAny(both, "zh", "about"), { language: "en", text: "heads" });
  assert.equal(wordOfAny(both, "zh", "step_1.say")?.language, "zh");
  assert.equal(wordOfAny(both, "zh", "step_1.ask"), null);
  // What is empty in one language does not hide what another says.
  assert.deepEqual(withWord(both, "zh", "step_1.say", "").words, english.words);
  const begun = withStep(null, here);
  assert.equal("step_1.say" in withWord(begun, "zh", "step_1.say", "看。").words.en, false);
  assert.equal("step_1.say" in begun.words.en, true);
  assert.equal(nameOfDraft(withWord(withWord(both, "en", "title", "Heads"), "zh", "title", "头 2")), "heads");
});

test("words that only a question has go with it, in every language", () => {
  const words = { title: "t", about: "", "step_1.say": "s", "step_1.ask": "a", "step_1.then": "{answer}", "step_1.then.yes": "y",
    "step_1.of.yes": "y", "step_1.hint1": "h", "step_10.ask": "kept" };
  const draft = { ...withStep(null, here), words: { en: words, zh: words } };
  const left = { title: "t", about: "", "step_1.say": "s", "step_10.ask": "kept" };
  assert.deepEqual(withAsk(draft, 0, null).words, { en: left, zh: left });
  const other = withAsk(draft, 0, { ask: { kind: "number" }, cover: [] }).words;
  assert.deepEqual(other.zh, { ...left, "step_1.ask": "a", "step_1.then": "{answer}", "step_1.hint1": "h" });
});

test("a file is read as it was written, and what is no lesson is none", () => {
  const draft = withStep(null, here);
  assert.deepEqual(draftIn(fileOfDraft(draft)), { ...draft, minutes: 1 });
  const own = { ...draft, let: { row: "row('chat')" }, steps: [{ ...draft.steps[0], ask: { kind: "number", answer: "row" } }] };
  assert.deepEqual(draftIn(fileOfDraft(own)), { ...own, minutes: 1 });
  for (const said of [null, "", "{", "[]", "3", '{"models":{},"words":{},"steps":[]}', '{"models":{"a":3},"words":{},"steps":[]}',
    '{"models":{"a":{"text":"b"}},"words":{"en":null},"steps":[]}', '{"models":{"a":{"text":"b"}},"words":{},"steps":[null]}']) {
    assert.equal(draftIn(said), null, String(said));
  }
});

test("a file is called by its title, in letters that every system has", () => {
  const named = (/** @type {string} */ title) => nameOfDraft(withWord(withStep(null, here), "en", "title", title));
  assert.equal(named("A First Look!"), "a-first-look");
  assert.equal(named("Écouter 2"), "ecouter-2");
  for (const title of ["", "注意力", "12", "../../etc"]) assert.match(named(title), /^[a-z][a-z0-9-]*$/);
});

test("no lesson of one's own has the name of another", () => {
  const named = (/** @type {string} */ title, /** @type {string[]} */ ...taken) =>
    nameOfDraft(withWord(withStep(null, here), "en", "title", title), taken);
  assert.equal(named("Norm", "norm", "pads"), "norm-2");
  assert.equal(named("Norm", "norm", "norm-2"), "norm-3");
  assert.equal(named("Norms", "norm"), "norms");
  const long = named("a".repeat(60));
  assert.equal(named("a".repeat(60), long), `${long.slice(0, -2)}-2`);
});

test("a question of every kind can be asked", () => {
  const kinds = asksAt(place).map((name) => askNamed(name, place)?.ask.kind);
  assert.deepEqual([...new Set(kinds)].sort(), ["cell", "choice", "number", "token"]);
});

test("what can be asked fits what is on the page, and is known again in the file", () => {
  assert.deepEqual(asksAt({ ...place, room: "beam", cell: null }), ["steps", "written", "likely", "probability"]);
  assert.equal(asksAt({ ...place, site: "encoder", isOfSource: false }).includes("darkest"), false);
  for (const name of asksAt(place)) {
    const asked = askNamed(name, place);
    assert.equal(nameOfAsk(asked?.ask), name);
    assert.ok(asked?.cover.every((one) => coversOf("translate", asked, []).includes(one)), name);
  }
  assert.equal(nameOfAsk({ kind: "number", answer: "1 - weight('cross', head, row, key)" }), null);
  assert.equal(askNamed("constructor", place), null);
});

test("a row can be covered where a step points at one", () => {
  assert.equal(coversOf("translate", { point: [{ kind: "row", query: 3 }] }, []).includes("row"), true);
  assert.equal(coversOf("translate", {}, []).includes("row"), false);
  assert.equal(coversOf("translate", { point: "what a file says" }, ["row"]).includes("row"), true);
});

test("a question about what comes next knows what came before, beside the values of a file", () => {
  const { ask, cover, values } = /** @type {any} */ (askNamed("written", place));
  assert.deepEqual(values, { fed: `fed(${place.row})` });
  const [first] = withStep(null, here).steps;
  const draft = { ...withStep(null, here), steps: [{ ...first, values: { all: "steps()" } }] };
  const [step] = withAsk(draft, 0, { ask, cover, values }).steps;
  assert.deepEqual(step.values, { all: "steps()", fed: `fed(${place.row})` });
});

test("a step that asks nothing any more covers nothing", () => {
  const draft = withAsk(withStep(null, here), 0, { ask: { kind: "number" }, cover: ["map"] });
  assert.deepEqual(draft.steps[0].until, { kind: "answered" });
  const [step] = withAsk(draft, 0, null).steps;
  assert.deepEqual(Object.keys(step), ["id", "show", "until"]);
  assert.equal(step.until.kind, "all");
});
