// The ten places of the candidates, of fixed size: nothing moves when they change. Where the strategy
// samples, a bar is the probability that the token is drawn with, after the temperature and the
// cuts, and its outline that of the full softmax.

import { spellingOf } from "../../../stage/draw/labels.js";
import { shortProbability, smallShare } from "../../../stage/draw/numbers.js";
import { make, makeButton, setText, setTrait } from "../../../stage/page/elements.js";

export const PLACES = 10;

/**
 * What sampling makes of a candidate, and its rank, in words.
 * @param {Words} t
 * @param {State} state
 * @param {Follower} candidate
 */
function numbersOf(t, { strategy }, { probability, share, cut, rank }) {
  const plain = t("candidate_plain", { rank: rank + 1, probability: smallShare(probability) });
  if (cut) return [plain, t(`cut_${cut}_about`, strategy)];
  if (share === null) return [plain];
  return [plain, t("candidate_share",
    { temperature: strategy.temperature, share: smallShare(share) })];
}

/**
 * @param {Words} t
 * @param {State} state
 * @param {Follower} candidate
 * @param {{able: boolean, marked: boolean}} here whether it can be taken; whether words are marked
 */
function titleOf(t, state, candidate, { able, marked }) {
  const { kind, begins, chosen, piece, text } = candidate;
  return [text, spellingOf(piece, t),
    marked && kind === "text" ? t(begins ? "word_begins" : "word_goes_on") : "",
    ...numbersOf(t, state, candidate),
    t(!able ? "title_cannot_take" : chosen ? "title_chosen" : "title_take"),
  ].filter((line) => line !== "").join("\n");
}

/**
 * One place: a button.
 * @param {Words} t
 * @param {State} state
 * @param {number} place
 * @param {{take: function(number): void, watch: function(?number): void}} does
 */
export function makePlace(t, state, place, { take, watch }) {
  const rank = make("span", { class: "rank", "aria-hidden": "true" });
  const begins = make("span", { class: "begins", "aria-hidden": "true" });
  const text = make("span", { class: "candidate-text", dir: "auto" });
  const number = make("span", { class: "number" });
  const bar = make("span", { class: "bar", "aria-hidden": "true" });
  const plain = make("span", { class: "bar-plain", "aria-hidden": "true" });
  const element = makeButton({ class: "candidate empty", data: { place }, on: {
    pointerenter: () => watch(place), pointerleave: () => watch(null),
    focus: () => watch(place), blur: () => watch(null) } }, () => take(place),
  [plain, bar, rank, begins, text, " ", number]);

  /** @param {Follower} candidate */
  function fill({ share, cut, probability, ...candidate }) {
    // The keys 1 to 9 take the first nine; a chosen token from further down says where it stands.
    setText(rank, candidate.rank >= PLACES ? `#${candidate.rank + 1}`
      : place < 9 ? String(place + 1) : "");
    setText(text, candidate.text);
    setText(begins, candidate.begins && !state.spelled ? "␣" : "");
    setText(number, cut ? t(`cut_${cut}`) : shortProbability(share ?? probability));
    bar.style.transform = `scaleX(${share ?? probability})`;
    plain.style.width = `${100 * probability}%`;
    plain.hidden = share === null;
  }

  return {
    element,
    /** @param {?Follower} candidate @param {{able: boolean, marked: boolean}} here */
    update(candidate, here) {
      element.classList.toggle("empty", !candidate);
      element.classList.toggle("chosen", candidate?.chosen ?? false);
      element.classList.toggle("cut", Boolean(candidate?.cut));
      // A disabled button would lose the focus; this one only says that it does nothing.
      setTrait(element, "aria-disabled", candidate && here.able ? null : "true");
      setTrait(element, "tabindex", candidate && state.canAsk ? null : "-1");
      setTrait(element, "data-kind", candidate?.kind ?? null);
      setTrait(element, "data-token", candidate?.token ?? null);
      setTrait(element, "title", candidate ? titleOf(t, state, candidate, here) : null);
      if (candidate) fill(candidate);
      else for (const part of [rank, begins, text, number]) setText(part, "");
    },
  };
}
