// What the model would write next at the cursor, best first, and how one of it is chosen. The chosen
// token is always among them, in the last place where it is not one of the ten best.

import { labelOf, quoted } from "../../../stage/draw/labels.js";
import { shortProbability, smallShare } from "../../../stage/draw/numbers.js";
import { claim, press, turnOf } from "../../../stage/page/elements.js";
import { html, makePart, noChange, nothing } from "../../../stage/page/html.js";
import { writes } from "../../../stage/anatomy.js";
import { canForce } from "../../../stage/run/able.js";
import { isStepping, showsWords } from "../../../stage/run/units.js";
import { candidatePlace, CANDIDATE_PLACES } from "./places.js";
import { strategyMenu } from "./strategy.js";

const FEW = 5; // places in sight, until more are asked for
const FEWER = 3; // in a low window
const PLACES_HERE = Array.from({ length: CANDIDATE_PLACES }, (_, place) => place);
const WORD_BEGINS = "▁"; // the tokenizer's mark of a space before a word

/** @param {Words} t @param {State} state @param {?Drawing} drawing @returns {Follower[]} */
export function followersOf(t, state, drawing) {
  const { run, at, spelled, more } = state;
  const chosen = run?.chosen[at] ?? null;
  const best = (run?.steps[at]?.candidates ?? []).slice(0, CANDIDATE_PLACES)
    .map((one, rank) => ({ ...one, rank }));
  if (chosen && best.every(({ token }) => token !== chosen.token)) {
    best.splice(CANDIDATE_PLACES - 1, 1, { ...chosen, rank: chosen.rank ?? CANDIDATE_PLACES });
  }
  /** @type {ReturnType<typeof import("../../../stage/page/whatif/changed.js").withBefore<typeof best[number]>>} */
  const shown = (!drawing && more?.withBefore(t, state, best)) || best;
  return shown.map(({ token, piece, kind, text, rank, log_probability: log, ...was }) => {
    const part = drawing?.partOf(token) ?? null;
    return { token, piece, kind, rank, log, probability: Math.exp(log),
      text: labelOf({ piece, kind, text }, false, spelled, t),
      begins: kind === "text" && piece.startsWith(WORD_BEGINS) && piece !== WORD_BEGINS,
      share: part?.share ?? null, cut: part?.cut ?? null, chosen: token === chosen?.token,
      lost: was.lost, before: was.before ?? null, note: was.note, numbers: was.numbers };
  });
}

/**
 * What was taken at the cursor.
 * @param {Words} t
 * @param {State} state
 * @param {Label[]} labels of the target
 * @param {Follower[]} shown
 */
function headingOf(t, state, labels, shown) {
  const { run, at, strategy } = state;
  if (!run?.steps.length) return "";
  const after = quoted(labels[at].label);
  const chosen = run.chosen[at];
  const taken = shown.find((one) => one.chosen);
  if (!chosen || !taken) {
    return t(run.finished === "limit" ? "next_limit" : "next_open",
      { after, limit: run.steps.length });
  }
  if (!isStepping(state)) return t("candidates_heading", { token: quoted(labels[at + 1].label) });
  const { share, probability, rank } = taken;
  const isDrawn = chosen.how === "sampled" && share !== null;
  const said = t(isDrawn ? "next_drawn" : `next_${chosen.how}`, { after,
    token: quoted(labels[at + 1].label), probability: smallShare(probability),
    share: smallShare(share ?? 0), temperature: strategy.temperature });
  return rank > 0 ? `${said} · ${t("next_rank", { rank: rank + 1 })}` : said;
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {Ask} ask
 * @param {Redraw} redraw
 */
export function makeCandidates(t, session, ask, redraw) {
  const { state, actions } = session;
  /** @type {?ReturnType<typeof import("./machine.js").makeMachine>} */
  let machine = null; // from the first draw on
  /** @type {Follower[]} */
  let shown = [];
  /** @type {?number} */
  let watched = null; // the place under the pointer or with the focus
  let heading = "";
  let isWhole = false; // whether all places are in sight
  let few = FEW; // places in sight, where not all are
  let stop = 0; // the place where the Tab key comes in
  const does = {
    /** @param {number} place */
    take: (place) => { if (shown[place]) actions.force(shown[place].token); },
    /** @param {?number} place */
    watch: (place) => {
      if (place !== null && place !== stop && document.activeElement?.matches(".candidate")) {
        stop = place;
        list.update();
      }
      if (place === watched) return;
      watched = place;
      if (state.strategy.kind === "sample") redraw();
    },
  };

  /** The places in sight: the first few, or the one that is taken in place of the last of them. */
  function placesSeen() {
    if (isWhole) return PLACES_HERE;
    const apart = [shown.findIndex((one) => one.chosen), shown.findIndex((one) => one.lost)].filter((place) => place >= few);
    return PLACES_HERE.filter((place) => place < few - apart.length || apart.includes(place));
  }

  /** Arrow keys lead to the place above or below, and to the rest. @param {KeyboardEvent} event */
  function turn(event) {
    const by = turnOf(event, { ArrowUp: -1, ArrowDown: 1 });
    const places = /** @type {HTMLElement[]} */ ([...list.element.querySelectorAll(":is(.candidate:not(.empty), .candidates-rest):not([hidden])")]);
    const at = places.findIndex((one) => one === document.activeElement);
    if (!by || at < 0) return;
    claim(event); // elsewhere they lead to another head
    places[at + by]?.focus();
  }

  function candidates() {
    const here = { able: canForce(state), marked: shown.some(({ begins }) => begins) };
    const note = shown.find((one) => one.note)?.note ?? (here.marked && showsWords(state) ? t("candidates_pieces") : null);
    const seen = placesSeen();
    const rest = seen.reduce((left, place) => left - (shown[place]?.share ?? shown[place]?.probability ?? 0), 1);
    return html`
      <section class="candidates" aria-label=${t("candidates")} ?hidden=${!writes(state.run ?? state.model)}>
        <div class="candidates-head">
          <p class="candidates-heading" title=${heading}>${heading}${note
    ? html`${t("sentences_between")}<span class="candidates-note">${note}</span>` : nothing}</p>${strategyMenu(t, session)}</div>
        <div class="places" @keydown=${turn}>
          ${PLACES_HERE.map((place) => candidatePlace(t, state, place, shown[place] ?? null,
    { ...here, isSeen: seen.includes(place), isStop: place === (seen.includes(stop) ? stop : seen[0]) }, does))}
          <button type="button" class="candidates-rest" tabindex="-1" aria-expanded=${isWhole} data-act="more-candidates" ?hidden=${shown.length === 0}
            @click=${press(() => { isWhole = !isWhole; redraw.now(); })}><span class="as-link">${t(isWhole ? "candidates_fewer" : "candidates_more")}</span>
            <span class="candidate-text">${t("candidates_rest")}</span>
            <span class="bar" aria-hidden="true" .style=${`transform: scaleX(${Math.max(0, rest)})`}></span>
            <span class="number">${shortProbability(Math.max(0, rest))}</span></button></div>
      </section>`;
  }
  const list = makePart(candidates);
  /** Whether what the strategy at hand draws is not here yet. */
  const isAwaited = () => state.canAsk && state.run !== null && state.strategy.kind === "sample" && (machine?.isAwaited() ?? true);
  const sampling = makePart(() => html`
    <div class="machine" role="group" aria-label=${t("machine")} aria-busy=${isAwaited() ? "true" : nothing}
      ?hidden=${state.strategy.kind !== "sample" || !state.run}>${machine
  ? machine.part(shown, (watched === null ? null : shown[watched]) ?? shown.find(({ chosen }) => chosen) ?? shown[0] ?? null)
  : noChange}</div>`);
  return {
    element: list.element,
    machine: sampling.element,
    shown: () => shown,
    settle() {
      if (state.strategy.kind === "sample") machine ??= state.more?.makeMachine(t, session, ask, redraw) ?? null;
      machine?.settle();
    },
    /** @param {Label[]} targetLabels */
    update(targetLabels) {
      few = list.element.closest(".stage.short:not(.picture)") ? FEWER : FEW;
      shown = followersOf(t, state, machine?.drawing() ?? null);
      heading = headingOf(t, state, targetLabels, shown);
      list.update();
      sampling.update();
    },
  };
}
