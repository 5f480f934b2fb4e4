// Where a question leads: to a picture of the run on the screen, or of a sentence of ours.

import { lessonAlone, lessonsHere } from "../lesson/leads.js";
import { addressIn } from "../page/site.js";

const OPENS_IN_SITE = /^(v|model|text|room|site|at|stepping|view|reading|rows|by|encoder|decoder|cross)$/;

/**
 * Whether the model and the sentence on the screen have what a link shows of any.
 * @param {URLSearchParams} fields
 * @param {State} state
 */
function fitsHere(fields, { model, run, rooms }) {
  const room = fields.get("room") ?? "translate";
  const site = fields.get("site") ?? fields.get(`${room}.site`);
  const edits = fields.getAll("edit").map((edit) => edit.split(":")[0]);
  return run !== null && !model.lacking[room] && rooms.some(({ name }) => name === room)
    && (site === null || model.anatomy.sites.some((one) => one.site === site))
    && edits.every((kind) => run.anatomy.edits.includes(kind));
}

/**
 * The link to what a question asks for: of the run on the screen where that has it, without its
 * changes; else of a sentence of ours.
 * @param {Question} question
 * @param {State} state
 * @returns {{link: string, fields: URLSearchParams, isOwn: boolean}}
 */
export function linkOf({ link, own }, state) {
  const fields = new URLSearchParams(own ?? link);
  if (own === null || !fitsHere(fields, state)) {
    return { link, fields: new URLSearchParams(link), isOwn: false };
  }
  const { model, source, settings = {} } = state.run.recipe;
  const said = new URLSearchParams([["v", "3"], ["model", model], ["text", source],
    ...Object.entries(settings).map(([name, value]) => [`set.${name}`, value]), ...fields]);
  return { link: said.toString().replaceAll("*", "%2A"), fields: said, isOwn: true };
}

const PLAIN = { view: "heat", reading: "weights" }; // what an answer speaks of where it says nothing else

/** A link in which nothing stays of what the reader looked at before. @param {string} link */
function plainly(link) {
  const fields = new URLSearchParams(link);
  return link + Object.entries(PLAIN).map(([name, value]) => (fields.has(name) ? "" : `&${name}=${value}`)).join("");
}

const EXAMPLES = ["query", "position", "row"]; // any token shows it

/** What a field of a link says: a number, places with dots between, or a name. @param {string} text */
const read = (text) => (/^\d+$/.test(text) ? Number(text) : /^\d+(\.\d+)+$/.test(text) ? text.split(".").map(Number) : text);

/**
 * What is chosen in the room of a link, where an answer that came with the page shows that: of those whose
 * question the link contradicts in nothing, the one that it says most of. Null where there is none.
 * @param {URLSearchParams} fields
 * @param {AnswerAtHand[]} answers
 * @returns {?Record<string, any>}
 */
export function choicesAtHand(fields, answers) {
  const room = fields.get("room") ?? "translate";
  const own = [...new Set(fields.keys())].filter((field) => field.startsWith(`${room}.`));
  const said = Object.fromEntries(own.map((field) => [field.slice(room.length + 1), fields.getAll(field).map(read)])
    .map(([name, values]) => [name, values.length > 1 ? values : values[0]]));
  const names = Object.keys(said);
  if (names.length === 0) return {};
  // Without a place it is the first.
  const same = (/** @type {any} */ a, /** @type {any} */ b) => String(a ?? "") === String(b) || (a === null && b === 0);
  const fitting = answers.filter(({ room: of, asked }) => of === room
    && names.every((name) => !Object.hasOwn(asked, name) || EXAMPLES.includes(name) || same(asked[name], said[name])));
  const matches = (/** @type {AnswerAtHand} */ { asked }) => names.filter((name) => Object.hasOwn(asked, name)).length;
  const best = fitting.sort((a, b) => matches(b) - matches(a))[0];
  return best ? { ...said, ...best.asked } : null;
}

/** What a page without a server shows of a link: a view, as run/view.js has it. @param {URLSearchParams} fields */
export function viewIn(fields) {
  const sites = ["encoder", "decoder", "cross"];
  const locks = Object.fromEntries(sites.filter((site) => fields.has(site)).map((site) => {
    const [layer, head] = (fields.get(site) ?? "").split(".").map(Number);
    return [site, { layer, head }];
  }));
  const said = Object.fromEntries(["site", "view", "reading", "rows", "by"]
    .filter((name) => fields.has(name)).map((name) => [name, fields.get(name)]));
  return { room: fields.get("room") ?? "translate", ...PLAIN, ...said, locks,
    cells: {}, choices: {}, ...(fields.has("at") ? { at: Number(fields.get("at")) } : {}),
    stepping: fields.get("stepping") === "true" };
}

/**
 * What leads to the lessons that the questions do not know: those that whoever runs the app has made.
 * @param {Question[]} questions
 * @param {LessonEntry[]} lessons
 * @param {LessonTables} words
 * @returns {Question[]}
 */
function askedOfLessons(questions, lessons, words) {
  const known = new Set(questions.map(({ name }) => name));
  /** @param {string} key */
  const said = (key) => Object.fromEntries(Object.entries(words).map(([language, of]) => [language, of[key] ?? ""]));
  return lessons.filter(({ name }) => !known.has(`lesson_${name}`)).map(({ name, title, about, models }) => {
    const own = new URLSearchParams({ lesson: `${name}.1` }).toString();
    return { name: `lesson_${name}`, list: "lessons", asks: said(title), says: said(about), words: ["lesson", "课程"],
      link: `${new URLSearchParams({ v: "3", model: models[0] })}&${own}`, own, near: false };
  });
}

/**
 * The questions as they can be asked here: with the lessons that are listed here, and no others. While it is not
 * known which those are, with all that the questions know.
 * @param {Question[]} questions
 * @param {?LessonMenu} menu null: none came with the page, or it is not known
 * @param {Pick<State, "canAsk" | "options">} state
 * @returns {Question[]}
 */
export function withLessons(questions, menu, state) {
  const lessons = menu?.lessons ?? (state.canAsk ? null : []);
  if (lessons === null) return questions;
  const { offered } = lessonsHere(lessons, state);
  const listed = offered.map(({ name }) => `lesson_${name}`);
  return [...questions.filter(({ name, list }) => list !== "lessons" || listed.includes(name)),
    ...askedOfLessons(questions, offered, menu?.words ?? {})];
}

/**
 * Where a question leads from this page: a link; in a site a view of this page, or another page. What
 * cannot be shown says what it lacks: a model, or the app.
 * @param {Question} question
 * @param {State} state
 * @returns {LeadsTo}
 */
export function leadsTo(question, state) {
  const { options, run, canAsk, language } = state;
  const { link, fields, isOwn } = linkOf(question, state);
  const [name, text] = [fields.get("model") ?? "", fields.get("text") ?? ""];
  const model = options.models.find((one) => one.name === name) ?? null;
  const lesson = fields.get("lesson");
  const said = { room: fields.get("room") ?? "translate", model, text, isOwn, name, lesson };
  if (canAsk) return model ? { ...said, link: lesson ? link : plainly(link) } : { ...said, lacks: "model" };
  const alone = lesson ? lessonAlone(lesson, state) : {};
  if (alone.view || alone.page) return { ...said, ...alone };
  const isHere = run?.recipe.model === name && run.recipe.source === text;
  const choices = choicesAtHand(fields, options.answers ?? []);
  const isPlain = choices !== null && [...fields.keys()].every((field) => OPENS_IN_SITE.test(field)
    || field.startsWith(`${said.room}.`));
  const { site } = options;
  if (isPlain && isHere) return { ...said, view: { ...viewIn(fields), choices } };
  if (isPlain && site && model?.examples.includes(text)) {
    return { ...said, page: `${addressIn(site, model, text, language)}&${question.name}` };
  }
  const base = site?.live?.split("#")[0];
  return base ? { ...said, page: `${base}#${link}`, isLive: true } : { ...said, lacks: "app" };
}
