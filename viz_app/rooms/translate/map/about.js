// What the numbers of the large map can say and what not.

import { lacksReading } from "../../../stage/run/readings.js";

/** The sentence on a reading, or why it is not there. @param {Words} t @param {State} state @param {string} reading */
export function aboutReading(t, state, reading) {
  const lacks = lacksReading(state, reading);
  if (lacks !== null) return t(`lacks_reading_${lacks}`);
  return t(`about_reading_${reading}${reading === "rollout" && state.site === "cross" ? "_cross" : ""}`);
}
