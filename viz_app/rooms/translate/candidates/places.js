// The ten places of the candidates, of fixed size: nothing moves when they change. Where the strategy
// samples, a bar is the probability that the token is drawn with, after the temperature and the
// cuts, and its outline that of the full softmax; after a change an outline is the probability before it.

import { spellingOf } from "../../../stage/draw/labels.js";
import { shortProbability, smallShare } from "../../../stage/draw/numbers.js";
import { press } from "../../../stage/page/elements.js";
import { html, nothing } from "../../../stage/page/html.js";

export const CANDIDATE_PLACES = 10;

/**
 * What sampling makes of a candidate, and its rank, in words.
 * @param {Words} t
 * @param {State} state
 * @param {Follower} candidate
 */
function numbersOf(t, { strategy }, { probability, share, cut, rank, numbers }) {
  if (numbers) return [numbers];
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
 * @param {?Follower} candidate
 * @param {{able: boolean, marked: boolean, isSeen: boolean, isStop: boolean}} here `isStop`: of the Tab key; arrow keys lead to the others
 * @param {{take: function(number): void, watch: function(?number): void}} does
 */
export function candidatePlace(t, state, place, candidate, here, { take, watch }) {
  const { share = null, cut = null, probability = 0, chosen = false, rank = 0, before = null } = candidate ?? {};
  const part = share ?? probability;
  // The keys 1 to 9 take the first nine; a chosen token from further down says where it stands.
  const key = rank >= CANDIDATE_PLACES ? `#${rank + 1}` : place < 9 ? String(place + 1) : "";
  // A disabled button would lose the focus; this one only says that it does nothing.
  return html`
    <button type="button" data-place=${place} ?hidden=${!here.isSeen} data-kind=${candidate?.kind ?? nothing}
      class="candidate${candidate ? "" : " empty"}${chosen ? " chosen" : ""}${candidate?.lost ? " lost" : ""}${cut ? " cut" : ""}"
      data-token=${candidate?.token ?? nothing} tabindex=${candidate && state.canAsk && here.isStop ? nothing : "-1"}
      aria-disabled=${candidate && here.able ? nothing : "true"}
      title=${candidate ? titleOf(t, state, candidate, here) : nothing}
      @click=${press(() => take(place))} @pointermove=${() => watch(place)} @pointerleave=${() => watch(null)}
      @focus=${() => watch(place)} @blur=${() => watch(null)}>
      <span class="rank" aria-hidden="true">${candidate && key}</span>
      <span class="candidate-text" dir="auto">${here.marked && candidate && !candidate.begins && candidate.kind === "text"
    && !state.spelled ? html`<span class="begins" aria-hidden="true">–</span>` : nothing}${candidate?.text}</span>
      <span class="bar-plain" aria-hidden="true" ?hidden=${share === null && before === null} .style=${`width: ${100 * (before ?? probability)}%`}></span>
      <span class="bar" aria-hidden="true" .style=${`transform: scaleX(${part})`}></span> <span class="number">
        ${candidate && (cut ? t(`cut_${cut}`) : shortProbability(part))}</span>
    </button>`;
}
