// Tells the learning platform that opened a lesson pack how far its reader has come, by the calls of
// SCORM 1.2: "incomplete" or "completed", and nothing else. What is guessed stays in the page.

const FAR = 8; // windows around this one that are asked
const STATUS = "cmi.core.lesson_status";
const OVER = ["completed", "passed", "failed"]; // what an earlier visit, or a teacher, has said

/**
 * The calls of a platform.
 * @typedef {Record<"LMSInitialize" | "LMSGetValue" | "LMSSetValue" | "LMSCommit" | "LMSFinish",
 *   function(...string): unknown>} Platform
 */

/**
 * The platform whose window is around this one, or around the one that opened it; null where there is none.
 * @param {any} from
 * @returns {?Platform}
 */
export function platformAround(from) {
  for (const first of [from, from.opener]) {
    let [at, far] = [first, 0];
    try {
      for (; at && far < FAR && !at.API; far += 1) at = at.parent === at ? null : at.parent;
      if (at?.API) return at.API;
    } catch {
      // A window of another origin is asked nothing.
    }
  }
  return null;
}

/**
 * Begins to report to a platform; what is wrong with it does not concern the page.
 * @param {?Platform} platform
 * @param {boolean} isLesson whether there is something to finish: else all was done when the page was opened
 * @returns {{finish(): void, leave(): void}} what reports that the lesson is finished, and that the page is left
 */
export function reportTo(platform, isLesson) {
  /** @param {keyof Platform} call @param {string[]} said */
  const lms = (call, ...said) => {
    try {
      return String(platform?.[call](...said));
    } catch {
      return "";
    }
  };
  let isHeard = lms("LMSInitialize", "") === "true";
  /** @param {string} status */
  const tell = (status) => {
    if (!isHeard || OVER.includes(lms("LMSGetValue", STATUS))) return;
    lms("LMSSetValue", STATUS, status);
    lms("LMSCommit", "");
  };
  tell(isLesson ? "incomplete" : "completed");
  return {
    finish: () => tell("completed"),
    leave() {
      if (isHeard) lms("LMSFinish", "");
      isHeard = false;
    },
  };
}
