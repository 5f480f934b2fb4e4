// The lessons, whose script and list come while the page rests, or when one is asked for: what opens
// their list, and where they lie.

import { press } from "./elements.js";
import { elementOf, html } from "./html.js";
import { answerTo } from "../run/ask.js";

/**
 * @param {Words} t
 * @param {Session} session
 * @param {LaterParts["lesson"]} fetched
 * @param {LessonPage} page
 */
export function makeLessons(t, session, fetched, page) {
  const { state, actions } = session;
  const element = elementOf(html`<div class="lessons"></div>`);
  /** @type {?ReturnType<import("../lesson/lesson.js").lesson["makeCourse"]>} */
  let course = null;
  /** @type {?Promise<void>} */
  let asked = null;
  /** @type {?Promise<any>} */
  let listed = null;
  /** The list of the lessons, asked for once; again where it could not be had. */
  const list = () => {
    listed ??= answerTo(page.transport, { lessons: true }).then((answer) => {
      if (answer.error) listed = null;
      return answer;
    });
    return listed;
  };
  /** @type {Transport} */
  const transport = (request, ...more) => (request.lessons ? list() : page.transport(request, ...more));
  const arrives = () => {
    asked ??= fetched().then(({ makeCourse }) => {
      const now = makeCourse(t, session, { ...page, transport });
      course = now;
      element.append(...now.elements);
      document.addEventListener("keydown", (event) => now.key(event), { signal: page.ends });
      page.redraw.now();
    }).catch(() => {
      asked = null; // so that it is asked for again
      actions.teach(null);
      actions.tell({ code: "network" });
    });
    return asked;
  };
  const open = async () => {
    await arrives();
    course?.show();
  };
  return {
    element,
    button: () => html`
      <button type="button" class="tab lessons-open" title=${t("lessons_about")} data-act="lessons" @click=${press(open)}>${t("lessons")}</button>`,
    /** Fetches what opens the list. */
    async rest() {
      await fetched();
      await list();
    },
    settle() {
      if (state.lesson !== null && course === null) arrives();
      course?.settle();
    },
    /** Whether a lesson has still to cover what is on the page. */
    isAwaited: () => state.lesson !== null && !course?.isHere(),
    update: () => course?.update(),
  };
}
