// The pictures of the room Translate: which of its elements, and what stands over them.

import { isStepped, rowsOf } from "../../stage/anatomy.js";
import { labelOf, labelsOf, quoted } from "../../stage/draw/labels.js";
import { shortProbability } from "../../stage/draw/numbers.js";
import { readingHere } from "../../stage/run/readings.js";
import { hasArcs } from "../../stage/run/units.js";

/**
 * A picture of the run as it is seen; null where there is none.
 * @param {Words} t
 * @param {State} state
 * @param {string} picture
 * @param {{map: ReturnType<typeof import("./map/map.js").makeMap>, sites: ReturnType<typeof import("./heads/sites.js").makeSites>,
 *     candidates: ReturnType<typeof import("./candidates/candidates.js").makeCandidates>, pair: ReturnType<typeof import("./pair/pair.js").makePair>,
 *     strips: Record<"source" | "target", {tokens: HTMLElement}>}} parts
 * @returns {?PictureParts}
 */
export function translatePicture(t, state, picture, { map, sites, candidates, pair, strips }) {
  const { site, at, run } = state;
  if (picture !== "candidates" && !map.isHere()) return null;
  if (picture === "pair") return hasArcs(state) ? { title: map.title(), says: isStepped(run, site) ? pair.line.textContent ?? "" : "", parts: () => [strips.source.tokens, pair.arcs, strips.target.tokens] } : null;
  if (picture === site || (picture === "lines" && readingHere(state) !== "hidden")) {
    return { title: map.title(), says: isStepped(run, site) ? map.sentence() : "", parts: () => [map.scale, map.box], show: () => map.drawnAs(picture === site ? "heat" : picture) };
  }
  if (picture === "heads") {
    const [limit, head] = [sites.heads.limit(), `${t("export_what_heads")} · ${t(`site_${site}_long`)}`];
    if (readingHere(state) === "norms" && limit === null) return null;
    const isWhole = rowsOf(run, site) === "target" && !isStepped(run, site);
    return { title: limit === null ? head : t("read_title_norms", { head }),
      says: t(`site_${site}_about${isWhole ? "_whole" : ""}`), parts: () => [sites.heads.element, map.scale],
      show: () => map.scaledTo(limit ?? 1) };
  }
  return picture !== "candidates" || !run.steps[at] ? null
    : { title: `${t("export_what_candidates")} · ${t("step_of", { n: at + 1, m: run.steps.length })}`,
      says: t("candidates_says", { from: quoted(labelsOf(run.target, true, state.spelled, t)[at].label), best: quoted(labelOf(run.steps[at].candidates[0], false, state.spelled, t)),
        probability: shortProbability(Math.exp(run.steps[at].candidates[0].log_probability)) }),
      parts: () => [candidates.element] };
}
