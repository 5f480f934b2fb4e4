// What computes in the page where no server is: what it waits for, in words.

import { fixed } from "../draw/numbers.js";

const MEGABYTE = 1e6;

/**
 * What is said of it; "" where nothing computes here.
 * @param {Words} t
 * @param {?State["engine"]} engine
 */
export function wordsOfEngine(t, engine) {
  if (!engine) return "";
  const { phase, left } = engine;
  const isMore = phase === "ready" && left > 0; // another model
  return t(`engine_${isMore ? "more" : phase}`, { n: fixed(left / MEGABYTE, 1) });
}

/**
 * What somebody waits for who has asked; "" where that is no more than an answer.
 * @param {Words} t
 * @param {?State["engine"]} engine
 */
export const awaitedOfEngine = (t, engine) =>
  (engine?.asked && (engine.phase !== "ready" || engine.left > 0) ? wordsOfEngine(t, engine) : "");
