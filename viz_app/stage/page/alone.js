// A page from a file or of a site: what its rooms are answered with, what it switches off, and what it says
// of its origin. A page that a server answers never has it.

import { predicts } from "../anatomy.js";
import { setTrait } from "./elements.js";
import { workerSays } from "./worker_status.js";
import { lessonAlone, lessonNamed } from "../lesson/leads.js";
import { html, makePart, nothing } from "./html.js";
import { lessonAtHand, answerHeld, same, viewAtHand } from "../run/lessons.js";
import { addressIn, pageIn } from "./site.js";

/**
 * Without a server: switches off what would ask it, and says why. In a site of several pages what
 * is answered there stays open.
 * @param {Room & {name: string}} room
 * @param {State} state
 * @param {Words} t
 */
function closeAsking({ element, name, asks }, { options }, t) {
  const within = "[data-asks] :is(button, select, input), :is(button, select, input)[data-asks]";
  /** @type {NodeListOf<HTMLButtonElement | HTMLSelectElement | HTMLInputElement>} */
  const controls = element.querySelectorAll(within);
  for (const control of controls) {
    const request = options.site && control.localName === "button" ? asks?.(control) ?? null : null;
    const isOpen = request !== null && answerFor(options.answers ?? [], { room: name, ...request });
    if (isOpen && control.dataset.closed === undefined) continue;
    control.disabled = !isOpen;
    control.dataset.closed ??= control.title;
    setTrait(control, "title", isOpen ? control.dataset.closed ?? null : whyAlone(options, t));
    if (isOpen) delete control.dataset.closed;
  }
}

/** Why nothing is asked, and where it would be answered. @param {PageOptions} options @param {Words} t */
function whyAlone({ site }, t) {
  return site?.live ? t("error_alone_live", { live: site.live }) : t("alone_asks");
}

/**
 * The one of the answers that came with the page that answers a request.
 * @param {AnswerAtHand[]} answers
 * @param {any} request
 */
function answerFor(answers, request) {
  return answers.filter(({ room, asked }) => room === request.room
    && Object.entries(asked).every(([name, value]) => same(value, request[name]))).at(-1);
}

/**
 * A transport to nowhere: it knows the answers that came with the page.
 * @param {AnswerAtHand[]} answers
 * @param {?SitePages} site
 * @returns {Transport}
 */
function answersAtHand(answers, site = null) {
  const error = site?.live ? { code: "alone_live", values: { live: site.live } } : { code: "alone" };
  return async (request) => {
    const found = answerFor(answers, request);
    return found ? answerHeld(found) : { error };
  };
}

/**
 * The lessons that came with the page, and those of the other pages of a site; null where there are none.
 * @param {Words} t
 * @param {State} state
 * @param {function(any): Promise<unknown>} show shows a view of this page
 * @param {function(): any} seen the view of what it shows now
 * @returns {?Pick<LessonPage, "transport" | "follow" | "leave" | "link">}
 */
function lessonsAtHand(t, state, show, seen) {
  const { lessons: menu, answers = [], site } = state.options;
  if (!menu || menu.lessons.length === 0) return null;
  const views = new Map(); // by links that only this page knows
  return {
    link() {
      const text = `seen=${views.size}`;
      views.set(text, seen());
      return { text, problem: null };
    },
    async transport({ lesson }) {
      const found = lesson && lessonAtHand(answers, lesson);
      return !lesson ? menu : found ? answerHeld(found) : { error: { code: "alone" } };
    },
    async follow(link) {
      const view = views.get(link) ?? await viewAtHand(answers, link)?.();
      const said = Object.fromEntries(new URLSearchParams(link));
      const model = state.options.models.find(({ name }) => name === said.model);
      if (view) await show(view);
      else if (site && model?.examples.includes(said.text)) {
        window.location.href = `${addressIn(site, model, said.text, t.language)}&lesson=${said.lesson}`;
        await new Promise(() => {}); // the page ends
      }
    },
    leave({ name, pages = {} }, step) {
      const page = pages[state.model.name] ?? Object.values(pages)[0];
      if (!site || !page || lessonAtHand(answers, { name })) return false;
      window.location.href = `${pageIn(site, page, t.language)}&lesson=${name}.${step}`;
      return true;
    },
  };
}

/**
 * Where the address of such a page leads, if it names a lesson that is not on yet; null: nowhere.
 * @param {State} state
 */
function namedLesson(state) {
  const named = state.lesson === null ? lessonNamed(window.location.href) : null;
  const leads = named === null ? {} : lessonAlone(named, state);
  return leads.view || leads.page ? leads : null;
}

/**
 * What such a page says of its origin, and what computes in it.
 * @param {Words} t
 * @param {State} state
 */
function madeBy(t, state) {
  const { options, model: { anatomy: { unusual } } } = state;
  const { made } = options;
  if (!made) return null;
  if (state.canAsk) {
    return makePart(() => html`<p class="made">${t("made_here", made)} <span role="status">${workerSays(t, state.worker)}</span></p>`);
  }
  const { live = null, why = null } = options.site ?? {};
  const alone = why ? t(`alone_${why}`) : live ? t("error_alone_live", { live }) : t("alone");
  const about = ["made_of_weights", ...unusual.map((code) => `unusual_${code}`)].map((key) => t(key, made)).join(t("sentences_between"));
  return makePart(() => html`<p class="made">${predicts(state.model) ? t("made_with", made) : about}${
    why || (predicts(state.model) && state.rooms.length > 1) ? html`<span class="alone">${t("sentences_between")}${alone}</span>` : nothing}</p>`);
}

export const alone = { answersAtHand, closeAsking, lessonsAtHand, madeBy, namedLesson };
