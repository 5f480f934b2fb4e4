// The lessons, whose script comes when one is asked for: what opens their list, and where they lie.

import { make, makeButton } from "./elements.js";

/**
 * @param {Words} t
 * @param {Session} session
 * @param {LaterParts["lesson"]} fetched
 * @param {LessonPage} page
 */
export function makeLessons(t, session, fetched, page) {
  const { state, actions } = session;
  const element = make("div", { class: "lessons" });
  /** @type {?ReturnType<import("../lesson/lesson.js").lesson["makeCourse"]>} */
  let course = null;
  /** @type {?Promise<void>} */
  let asked = null;
  const arrives = () => {
    asked ??= fetched().then(({ makeCourse }) => {
      const now = makeCourse(t, session, page);
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
  return {
    element,
    button: () => makeButton({ class: "tab lessons-open", text: t("lessons"), title: t("lessons_about"),
      data: { act: "lessons" } }, async () => {
      await arrives();
      course?.show();
    }),
    settle() {
      if (state.lesson !== null && course === null) arrives();
      course?.settle();
    },
    /** Whether a lesson has still to cover what is on the page. */
    isAwaited: () => state.lesson !== null && !course?.isHere(),
    update: () => course?.update(),
  };
}
