import assert from "node:assert/strict";
import test from "node:test";

import { choicesAtHand, leadsTo, linkOf, viewIn, withLessons } from "../../../viz_app/stage/asking/asking.js";

const EN = { name: "en-fr", examples: ["The cat.", "A dog."], lacking: {}, anatomy: { sites: [{ site: "cross" }] } };
const BERT = { name: "bert", examples: ["A [MASK]."], lacking: { masks: "site_decoder" },
  anatomy: { sites: [{ site: "encoder" }] } };
const state = (more = {}) => ({ model: EN, canAsk: true, language: "en", rooms: [{ name: "translate" }, { name: "masks" }],
  options: { models: [EN, BERT] },
  run: { recipe: { model: "en-fr", source: "A & b=c*", settings: { to: "fr" }, edits: ["no-scale"] },
    anatomy: { edits: ["no-scale"] } }, ...more });
const ours = "v=3&model=en-fr&text=The+cat.&site=cross&cross=2.4";
const asked = (own, link = ours) => ({ name: "asked", link, own });

test("what any sentence shows is shown of the visitor's own, without its changes", () => {
  const { link, isOwn } = linkOf(asked("room=masks&masks.site=cross"), state());
  assert.ok(isOwn);
  assert.deepEqual([...new URLSearchParams(link)], [["v", "3"], ["model", "en-fr"], ["text", "A & b=c*"],
    ["set.to", "fr"], ["room", "masks"], ["masks.site", "cross"]]);
  assert.ok(!link.includes("*")); // a star ends a link in some texts
});

test("where the visitor's model has it not, it is ours", () => {
  for (const [own, more] of [
    ["room=masks", { model: BERT }], ["site=cross", { model: BERT }], ["edit=dropout:2", {}],
    ["room=beam", {}], ["site=cross", { run: null }], [null, {}],
  ]) assert.equal(linkOf(asked(own), state(more)).link, ours, own);
});

test("an answer is about weights, whatever the map showed before", () => {
  const fields = (/** @type {string} */ own) => new URLSearchParams(leadsTo(asked(own), state()).link);
  assert.deepEqual(["view", "reading"].map((name) => fields("site=cross").get(name)), ["heat", "weights"]);
  assert.deepEqual(fields("site=cross&reading=hidden&view=table").getAll("reading"), ["hidden"]);
});

test("a model that is not here is named", () => {
  const leads = leadsTo(asked(null, "v=3&model=other&text=a"), state());
  assert.deepEqual([leads.lacks, leads.name, leads.link], ["model", "other", undefined]);
});

test("a site shows what its pages hold, and says where the rest is", () => {
  const site = { root: "../", pages: { "en-fr": ["en-fr/1.html", "en-fr/2.html"] }, link: "", live: null };
  const here = state({ canAsk: false, options: { models: [EN], site },
    run: { recipe: { model: "en-fr", source: "A dog.", settings: {} }, anatomy: { edits: [] } } });
  assert.equal(leadsTo(asked("room=masks"), here).view.room, "masks");
  assert.equal(leadsTo(asked(null), here).page, "../en-fr/1.html#en&asked");
  const edited = asked(null, `${ours}&edit=no-scale`);
  assert.equal(leadsTo(edited, here).lacks, "app");
  site.live = "https://example.org/app/#x";
  assert.equal(leadsTo(edited, here).page, `https://example.org/app/#${edited.link}`);
});

const entry = (/** @type {string} */ name) => ({ name, title: `${name}.title`, about: `${name}.about`, minutes: 3, models: ["en-fr"] });
const failed = /** @type {any} */ ({ error: { code: "busy" } });

test("a lesson that whoever runs the app has made is asked for as the others are", () => {
  const words = Object.fromEntries(["en", "zh"].map((one) => [one, { "mine.title": `<b>${one}`, "mine.about": "what" }]));
  const known = [{ name: "lesson_leak", list: "lessons" }];
  const [, mine, ...others] = withLessons(known, { lessons: [entry("leak"), entry("mine")], words }, state());
  assert.deepEqual([mine.name, mine.asks.zh, mine.says.en, others], ["lesson_mine", "<b>zh", "what", []]);
  assert.equal(leadsTo(mine, state()).lesson, "mine.1");
  assert.equal(leadsTo(mine, state({ run: null })).link, "v=3&model=en-fr&lesson=mine.1");
  for (const none of [null, failed]) assert.deepEqual(withLessons([], none, state()), []);
});

test("a lesson that is not listed here is no answer, unless nobody knows which are", () => {
  const known = [{ name: "lesson_leak", list: "lessons" }, { name: "lesson_norm", list: "lessons" }, { name: "why", list: "questions" }];
  const named = (/** @type {any} */ lessons, more = {}) => withLessons(known, lessons, state(more)).map(({ name }) => name);
  const menu = { lessons: [entry("norm")], words: {} };
  assert.deepEqual(named(menu), ["lesson_norm", "why"]);
  assert.deepEqual(named({ lessons: [], words: {} }), ["why"]);
  for (const all of [named(null), named(failed)]) assert.deepEqual(all, known.map(({ name }) => name));
  const alone = (/** @type {any} */ lessons, answers = []) => named(lessons, { canAsk: false, options: { lessons, answers } });
  const recorded = { lessons: [{ ...entry("norm"), pages: { "en-fr": "en-fr/1.html" } }, entry("leak")], words: {} };
  assert.deepEqual(alone(null), ["why"]);
  assert.deepEqual(alone(menu), ["why"]); // none of its pages has it
  assert.deepEqual(alone(recorded), ["lesson_norm", "why"]);
  assert.deepEqual(alone(menu, [{ room: "lesson", asked: { name: "norm", model: "en-fr" } }]), ["lesson_norm", "why"]);
});

test("a lesson is of the run on the screen, and without a server where it was recorded", () => {
  const wanted = { name: "lesson_leak", link: `${ours}&lesson=leak.1`, own: "lesson=leak.1" };
  const served = leadsTo(wanted, state());
  assert.ok(served.isOwn && served.lesson === "leak.1" && served.link?.endsWith("&lesson=leak.1"));
  const site = { root: "../", pages: { "en-fr": ["en-fr/1.html"] }, link: "", live: null };
  const lessons = { words: {}, lessons: [{ name: "leak", pages: { "en-fr": "en-fr/2.html" } }] };
  const alone = (/** @type {any} */ options) => leadsTo(wanted, state({ canAsk: false, options: { models: [EN], ...options } }));
  assert.equal(alone({ site, lessons }).page, "../en-fr/2.html#en&lesson=leak.1");
  const held = { room: "lesson", asked: { name: "leak", model: "en-fr" }, answer: {} };
  assert.deepEqual(alone({ site, lessons, answers: [held] }).view, { lesson: "leak.1" });
  assert.equal(alone({ site }).lacks, "app");
});

test("what a page holds of a room is shown there, and nothing else is promised", () => {
  const answers = [
    { room: "masks", asked: { view: "masks", site: "decoder", shown: null, breaks: [] } },
    { room: "masks", asked: { view: "masks", site: "decoder", shown: null, breaks: ["causal-mask:none"] } },
    { room: "inside", asked: { view: "cell", site: "cross", layer: 2, head: 4, query: 6 } },
    { room: "beam", asked: { width: null } }].map((one) => ({ ...one, answer: {} }));
  const chosen = (/** @type {string} */ link) => choicesAtHand(new URLSearchParams(link), answers);
  assert.deepEqual(chosen("room=heads"), {});
  assert.deepEqual(chosen("room=masks&masks.site=decoder&masks.shown=0&masks.cell=2.3"),
    { view: "masks", site: "decoder", shown: null, breaks: [], cell: [2, 3] });
  assert.deepEqual(chosen("room=masks&masks.site=decoder&masks.breaks=causal-mask:none")?.breaks, ["causal-mask:none"]);
  assert.equal(chosen("room=inside&inside.view=cell&inside.query=3&inside.key=3")?.query, 6); // a token as good
  for (const lacking of ["room=masks&masks.shown=2", "room=masks&masks.breaks=finite-mask", "room=masks&masks.site=cross",
    "room=beam&beam.width=5", "room=inside&inside.view=way", "room=heads&heads.site=cross"]) assert.equal(chosen(lacking), null);
  const here = state({ canAsk: false, rooms: [{ name: "masks" }], options: { models: [EN], answers },
    run: { recipe: { model: "en-fr", source: "A dog.", settings: {} }, anatomy: { edits: [] } } });
  const dog = "v=3&model=en-fr&text=A+dog.&room=masks";
  assert.equal(leadsTo(asked(null, `${dog}&masks.site=decoder`), here).view?.choices?.site, "decoder");
  assert.equal(leadsTo(asked(null, `${dog}&masks.site=cross`), here).lacks, "app");
});

test("a view is read from the fields of a link", () => {
  assert.deepEqual(viewIn(new URLSearchParams("v=3&site=cross&cross=2.4&at=3&view=table")), { room: "translate",
    view: "table", reading: "weights", site: "cross", locks: { cross: { layer: 2, head: 4 } }, cells: {},
    choices: {}, at: 3, stepping: false });
});
