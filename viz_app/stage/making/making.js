// Making a lesson by doing: what the page shows becomes a step, a sentence and a question are written to
// it, and it is tried at once. It lies in this browser until it is saved as a file, which the server
// reads as it reads any lesson. A step that is opened shows its view; its question is about what is seen.
// What is written is of the language of the page, which may be another one later.

import { KEEP_CELL } from "../choices.js";
import { keepMade, lessonMade } from "../lesson/progress.js";
import { saveFile } from "../keep/saved.js";
import { happenedIn, hide, icon, options, setTrait } from "../page/elements.js";
import { elementOf, html, nothing, render, typed } from "../page/html.js";
import { langOf, wordsOfError } from "../page/words.js";
import { ASK_NAMES, askNamed, asksAt, coversOf, nameOfAsk } from "./asks.js";
import { draftIn, fileOfDraft, linkOfStep, NO_NAME, nameFrom, nameOfDraft, withAsk, withChanged, withMoved, withoutItsTokens, withoutStep, withStep,
  withView, withWord, wordIn, wordOfAny } from "./draft.js";

const MOST_BYTES = 200_000; // of a file, as the reader of lessons takes
const MOST_UNDONE = 100; // changes that can be taken back

/**
 * What the workshop does with the page.
 * @typedef {{follow(link: string, isNew: boolean): Promise<unknown>, link(): {text: ?string, problem: any},
 *   choices(): Record<string, any>, play(name: string, step: number): void, taken(): string[],
 *   ask(request: any, isWanted: function(): boolean): Promise<any>, redraw: Redraw}} WorkshopPage
 * @typedef {{draft: ?import("./draft.js").Draft, step: ?number}} Stand
 * @typedef {Stand & {t: Words, session: Session, page: WorkshopPage, element: HTMLElement, past: Stand[], typing: string,
 *   isOpen: boolean, message: ?(() => string), file: ?File}} Own
 */

/** Where the page is. @param {Own} own @returns {import("./asks.js").Place} */
function placeNow({ session: { state }, page }) {
  const { room, locks, at } = state;
  const said = page.choices();
  const isInside = KEEP_CELL.includes(room) && Number.isInteger(said.query);
  const site = isInside && said.site ? said.site : state.site;
  const { layer, head } = isInside && Number.isInteger(said.layer) ? said : locks[state.site];
  const cell = isInside ? { query: said.query, key: said.key } : state.cells[state.site] ?? null;
  return { room, site, layer, head, row: isInside ? said.query : at, isOfSource: site === "cross",
    cell: cell && Number.isInteger(cell.key) ? cell : null, study: said.view ?? null };
}

/**
 * Takes over a lesson, and keeps it. What was before can come back.
 * @param {Own} own
 * @param {?import("./draft.js").Draft} draft
 * @param {?number} [step] the one that is open then
 * @param {string} [typing] the word that is typed: all that is typed to it comes back at once
 */
function takeDraft(own, draft, step = own.step, typing = "") {
  if (typing === "" || typing !== own.typing) own.past = [...own.past, { draft: own.draft, step: own.step }].slice(-MOST_UNDONE);
  Object.assign(own, { draft, step, typing, message: null });
  keepDraft(own);
  own.page.redraw();
}

/** What the lesson is called, none of those of the list. @param {Own} own */
const nameOf = ({ draft, page }) => nameOfDraft(/** @type {import("./draft.js").Draft} */ (draft), page.taken());

/** @param {Own} own */
const keepDraft = (own) => keepMade(own.draft && { name: nameOf(own), written: fileOfDraft(own.draft) });

/** Takes back the last change; one that threw all away too. @param {Own} own */
function undo(own) {
  const before = own.past.at(-1);
  if (!before) return;
  Object.assign(own, before, { past: own.past.slice(0, -1), typing: "", message: null });
  keepDraft(own);
  own.page.redraw();
  own.element.focus({ preventScroll: true }); // the button may be gone
}

/** Closes it; the lesson stays. @param {Own} own */
function close(own) {
  own.isOpen = false;
  own.page.redraw.now();
  /** @type {?HTMLElement | undefined} */ (own.element.closest(".stage")?.querySelector("[data-act=lessons]"))?.focus();
}

/** Escape closes it, Ctrl+Z outside of what is typed takes back; no key in it is one of the page. @param {Own} own @param {KeyboardEvent} event */
function heard(own, event) {
  if (event.isComposing || !happenedIn(own.element, event)) return;
  event.stopPropagation();
  const isTyped = event.target instanceof Element && event.target.matches("textarea, input[type=text]");
  const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !isTyped;
  if (event.key !== "Escape" && !isUndo) return;
  event.preventDefault();
  (isUndo ? undo : close)(own);
}

/** The link of what is seen; a message where there is none. @param {Own} own */
function linkNow(own) {
  const { text, problem } = own.page.link();
  if (text === null) {
    own.message = () => own.t(problem.key, problem.values);
    own.page.redraw();
  }
  return text && own.session.state.run ? withoutItsTokens(text, own.session.state.run) : text;
}

/** @param {Own} own */
function addStep(own) {
  const link = linkNow(own);
  const { state } = own.session;
  if (link !== null && state.run) {
    const { model, source } = state.run.recipe;
    const draft = withStep(own.draft, { link, model, text: source, language: own.t.language, title: own.t("making_untitled") });
    if (draft !== own.draft) takeDraft(own, draft, draft.steps.length - 1);
    else own.message = () => own.t("making_full", { n: draft.steps.length });
  }
  own.page.redraw();
}

/** Asks something of what is seen, which the step shows from now on. @param {Own} own @param {number} at @param {string} name */
function askAbout(own, at, name) {
  const draft = /** @type {import("./draft.js").Draft} */ (own.draft);
  const { id } = draft.steps[at];
  if (name === "none") {
    takeDraft(own, withAsk(draft, at, null));
    return;
  }
  const link = linkNow(own);
  const asked = askNamed(name, placeNow(own));
  if (link === null || asked === null) return;
  const changed = withAsk(withView(draft, at, link), at, asked);
  const written = wordIn(changed, own.t.language, `${id}.ask`);
  const isOurs = ASK_NAMES.some((one) => own.t(`making_asks_${one}`) === written); // not the author's words
  takeDraft(own, written && !isOurs ? changed : withWord(changed, own.t.language, `${id}.ask`, own.t(`making_asks_${name}`)));
}

/** @param {Own} own @param {number} at @param {string} name @param {boolean} is */
function coverPart(own, at, name, is) {
  const draft = /** @type {import("./draft.js").Draft} */ (own.draft);
  const others = coveredBy(draft.steps[at]).filter((one) => one !== name);
  takeDraft(own, withChanged(draft, at, { cover: is ? [...others, name] : others }));
}

/** Takes over what is left; what was thrown away can come back. @param {Own} own @param {?import("./draft.js").Draft} left */
function throwAway(own, left) {
  takeDraft(own, left, null);
  own.element.focus({ preventScroll: true }); // what was pressed is gone
}

/** @param {Own} own @param {string} key @param {string} text */
const typeWord = (own, key, text) => takeDraft(own,
  withWord(/** @type {import("./draft.js").Draft} */ (own.draft), own.t.language, key, text), own.step, `${own.t.language}.${key}`);

/** What a step covers, whatever its file says. @param {import("./draft.js").DraftStep} step */
const coveredBy = ({ cover }) => (Array.isArray(cover) ? cover.map(String) : []);

/** Opens a step and shows its view, or closes it. @param {Own} own @param {number} at */
function openStep(own, at) {
  own.step = own.step === at ? null : at;
  const draft = /** @type {import("./draft.js").Draft} */ (own.draft);
  if (own.step !== null) own.page.follow(linkOfStep(draft, draft.steps[at]), true);
  own.page.redraw();
}

/**
 * Says what is wrong with a file, as the server says: the file, its line, the step and what to do; null where it finds
 * nothing.
 * @param {Own} own
 * @param {File} file
 * @param {string} written
 */
async function faultIn(own, file, written) {
  const { t, page } = own;
  const name = nameFrom(file.name.replace(/\.json$/i, "")) || NO_NAME; // a file is renamed when it is saved
  const answer = await page.ask({ lesson: { name, written } }, () => own.file === file);
  if (answer?.error?.kind !== "LessonError") return null;
  return () => wordsOfError(answer.error, t).replace(`${name}.json`, () => file.name);
}

/**
 * Reads a file of the reader. What has the form of a lesson is opened, also where something in it is still wrong.
 * @param {Own} own
 * @param {any} input
 */
async function loadFile(own, input) {
  const [file] = input.files;
  input.value = "";
  if (!file) return;
  own.file = file;
  const written = file.size <= MOST_BYTES ? await file.text().catch(() => null) : null;
  if (own.file !== file) return;
  const draft = draftIn(written);
  if (draft) takeDraft(own, draft, null);
  const fault = written === null ? null : await faultIn(own, file, written);
  if (own.file !== file || (draft && own.draft !== draft)) return; // the reader has gone on
  own.message = fault ?? (draft ? null : () => own.t("making_no_lesson", { name: file.name }));
  own.page.redraw();
}

/** @param {Own} own */
function saveDraft(own) {
  const draft = /** @type {import("./draft.js").Draft} */ (own.draft);
  saveFile({ name: `${nameOf(own)}.json`, type: "application/json", text: fileOfDraft(draft) }).catch(({ message }) => {
    own.message = () => message;
    own.page.redraw();
  });
}

/** Says a word in the language that has it, where that of the page does not. @param {Own} own @param {string} key */
function inOther({ t, draft }, key) {
  const word = wordOfAny(/** @type {import("./draft.js").Draft} */ (draft), t.language, key);
  return word === null || word.language === t.language ? nothing : html`<span class="making-missing"
    >${t("making_missing", { language: t(`language_${word.language}`) })} <span lang=${langOf(word.language)}>${word.text}</span></span>`;
}

/** What is written to a step. @param {Own} own @param {import("./draft.js").Draft} draft @param {number} at */
function stepForm(own, draft, at) {
  const { t } = own;
  const step = draft.steps[at];
  const now = nameOfAsk(step.ask);
  const asks = asksAt(placeNow(own));
  const offered = [["none", t("making_ask_none")], ...asks.map((name) => [name, t(`making_ask_${name}`)]),
    ...(step.ask && now === null ? [["own", t("making_ask_own")]] : []),
    ...(now !== null && !asks.includes(now) ? [[now, t(`making_ask_${now}`)]] : [])];
  const chosen = step.ask ? now ?? "own" : "none";
  const room = new URLSearchParams(String(step.show ?? "")).get("room") ?? new URLSearchParams(String(draft.link ?? "")).get("room") ?? "translate";
  /** @param {string} part @param {number} rows */
  const field = (part, rows) => html`<label>${t(`making_${part}`)}<textarea rows=${rows} data-making=${part}
    .value=${typed(wordIn(draft, t.language, `${step.id}.${part}`))}
    @input=${(/** @type {any} */ { target }) => typeWord(own, `${step.id}.${part}`, target.value)}></textarea>
    ${inOther(own, `${step.id}.${part}`)}</label>`;
  return html`<div class="making-form">
    ${field("say", 2)}
    <label>${t("making_asked")}<select data-making="kind" @change=${(/** @type {any} */ { target }) => {
    if (target.value !== "own") askAbout(own, at, target.value);
  }}>${options(offered, chosen)}</select></label>
    ${step.ask ? html`${field("ask", 2)}
      <fieldset class="making-covers"><legend>${t("making_covers")}</legend>${coversOf(room, step, coveredBy(step)).map((name) => html`
        <label><input type="checkbox" data-cover=${name} .checked=${coveredBy(step).includes(name)}
          @change=${(/** @type {any} */ { target }) => coverPart(own, at, name, target.checked)}>${t.has(`making_cover_${name}`) ? t(`making_cover_${name}`) : name}</label>`)}</fieldset>
      ${field("hint1", 1)}${field("then", 2)}` : nothing}
    <p class="making-moves">
      ${[["retake", () => { const link = linkNow(own); if (link !== null) takeDraft(own, withView(draft, at, link)); }, false],
    ["earlier", () => takeDraft(own, withMoved(draft, at, -1), at - 1), at === 0],
    ["later", () => takeDraft(own, withMoved(draft, at, 1), at + 1), at === draft.steps.length - 1],
    ["drop", () => throwAway(own, withoutStep(draft, at)), false]]
    .map(([name, act, isOff]) => html`<button type="button" class="as-link" data-making=${name} title=${t(`making_${name}_about`)}
        ?disabled=${isOff} @click=${act}>${t(`making_${name}`)}</button>`)}</p></div>`;
}

/** @param {Own} own */
function workshopOf(own) {
  const { t, draft, step } = own;
  /** @param {string} key */
  const line = (key) => html`<label>${t(`making_${key}`)}<input type="text" maxlength="200" data-making=${key}
    .value=${typed(wordIn(/** @type {any} */ (draft), t.language, key))}
    @input=${(/** @type {any} */ { target }) => typeWord(own, key, target.value)}>${inOther(own, key)}</label>`;
  const count = draft?.steps.length ?? 0;
  return html`
    <header class="making-head"><h3>${t("making")}</h3><button type="button" class="tool" data-making="close" aria-label=${t("close")}
      title=${t("making_close")} @click=${() => close(own)}>${icon("close")}</button></header>
    <div class="making-body">
      ${count === 0 ? html`<p class="making-about">${t("making_begin")}</p>` : nothing}
      ${draft ? html`${line("title")}${line("about")}` : nothing}
      <ol>${(draft?.steps ?? []).map(({ id }, i) => html`<li>
        <button type="button" class="making-step" data-step=${i + 1} aria-expanded=${i === step ? "true" : "false"} @click=${() => openStep(own, i)}>
          <span aria-hidden="true">${i + 1}</span>${wordOfAny(/** @type {any} */ (draft), t.language, `${id}.say`)?.text ?? t("making_unsaid")}</button>
        ${i === step ? stepForm(own, /** @type {any} */ (draft), i) : nothing}</li>`)}</ol>
      ${count > 0 ? html`<p class="making-about">${t("making_stays")}</p>` : nothing}</div>
    <p class="making-message" role="alert" ?hidden=${own.message === null}>${own.message?.() ?? ""}</p>
    <footer class="making-foot">
      <button type="button" class="plain" data-making="add" @click=${() => addStep(own)}>${t("making_add")}</button>
      ${count > 0 ? html`<button type="button" class="as-link" data-making="try" @click=${() =>
    own.page.play(nameOf(own), (step ?? 0) + 1)}>${t("making_try")}</button>
        <button type="button" class="as-link" data-making="save" @click=${() => saveDraft(own)}>${t("making_save")}</button>` : nothing}
      <label class="as-link making-file">${t("making_load")}<input type="file" accept=".json,application/json" data-making="load"
        @change=${(/** @type {any} */ { target }) => loadFile(own, target)}></label>
      ${own.past.length > 0 ? html`<button type="button" class="as-link" data-making="undo" title=${t("making_undo_about")} @click=${() => undo(own)}>${t("making_undo")}</button>` : nothing}
      ${draft ? html`<button type="button" class="as-link" data-making="anew" title=${t("making_anew_about")} @click=${() => throwAway(own, null)}>${t("making_anew")}</button>` : nothing}
    </footer>`;
}

/** @param {Words} t @param {Session} session @param {WorkshopPage} page */
function makeWorkshop(t, session, page) {
  const element = elementOf(html`<section class="making" tabindex="-1" hidden></section>`);
  /** @type {Own} */
  const own = { t, session, page, element, draft: draftIn(lessonMade()?.written ?? null), step: null, past: [], typing: "",
    isOpen: false, message: null, file: null };
  element.addEventListener("keydown", (event) => heard(own, event));
  return {
    element,
    open() {
      own.isOpen = true;
      keepDraft(own); // a lesson that is new in the list may have its name
      page.redraw.now();
      element.focus({ preventScroll: true });
    },
    /** @param {boolean} isPlaying whether a lesson is on: it comes back behind that */
    update(isPlaying) {
      hide(element, !own.isOpen || isPlaying);
      if (element.hidden) return;
      setTrait(element, "aria-label", t("making"));
      render(workshopOf(own), element);
    },
  };
}

export const making = { makeWorkshop };
