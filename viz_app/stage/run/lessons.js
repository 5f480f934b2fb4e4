// Lessons that came with a page: each is one of its answers, in the place of a room's. Pure.

const LESSON = "lesson";

/** Whether two parts of a question ask the same; what is left open asks for none. @param {any} a @param {any} b */
export const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** What was recorded. @param {AnswerAtHand} one @returns {Promise<any>} */
export const answerHeld = async ({ answer }) => (typeof answer === "function" ? answer() : answer);

/**
 * The lesson that is asked for; undefined where it did not come with the page.
 * @param {AnswerAtHand[]} answers
 * @param {{name: string, model?: ?string}} wanted without a model: with any
 */
export const lessonAtHand = (answers, { name, model = null }) => answers.filter(({ room, asked }) =>
  room === LESSON && asked.name === name && (model === null || asked.model === model)).at(-1);

/**
 * What gives the view that the link to a step of such a lesson opens, or null where that says something
 * else; undefined where the link is of none.
 * @param {AnswerAtHand[]} answers
 * @param {string} link what follows the # of an address
 */
export function viewAtHand(answers, link) {
  const place = new URLSearchParams(link).get("lesson") ?? "";
  const [name, step] = place.split(".");
  const found = lessonAtHand(answers, { name });
  return found && (async () => {
    const { link: own, view } = (await answerHeld(found)).steps[Number(step) - 1] ?? {};
    return view && link === `${own}&lesson=${place}` ? { ...view, lesson: place } : null;
  });
}
