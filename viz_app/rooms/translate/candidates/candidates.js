// What the model would write next at the cursor, best first, and how one of it is chosen. The chosen
// token is always among them, in the last place where it is not one of the ten best.

import { labelOf, quoted } from "../../../stage/draw/labels.js";
import { smallShare } from "../../../stage/draw/numbers.js";
import { make, setText, setTrait } from "../../../stage/page/elements.js";
import { writes } from "../../../stage/anatomy.js";
import { makeDrawings } from "./draws.js";
import { makeMachine } from "./machine.js";
import { makePlace, PLACES } from "./places.js";
import { makeStrategy } from "./strategy.js";

const WORD_BEGINS = "▁"; // the tokenizer's mark of a space before a word

/** @param {Words} t @param {State} state @param {?Drawing} drawing @returns {Follower[]} */
function followersOf(t, { run, at, spelled }, drawing) {
  const chosen = run?.chosen[at] ?? null;
  const best = (run?.steps[at]?.candidates ?? []).slice(0, PLACES)
    .map((one, rank) => ({ ...one, rank }));
  if (chosen && best.every(({ token }) => token !== chosen.token)) {
    best.splice(PLACES - 1, 1, { ...chosen, rank: chosen.rank ?? PLACES });
  }
  return best.map(({ token, piece, kind, text, rank, log_probability: log }) => {
    const part = drawing?.partOf(token) ?? null;
    return { token, piece, kind, rank, log, probability: Math.exp(log),
      text: labelOf({ piece, kind, text }, false, spelled, t),
      begins: kind === "text" && piece.startsWith(WORD_BEGINS) && piece !== WORD_BEGINS,
      share: part?.share ?? null, cut: part?.cut ?? null, chosen: token === chosen?.token };
  });
}

/**
 * What was taken at the cursor.
 * @param {Words} t
 * @param {State} state
 * @param {Label[]} labels of the target
 * @param {Follower[]} shown
 */
function headingOf(t, { run, at, strategy }, labels, shown) {
  if (!run?.steps.length) return "";
  const after = quoted(labels[at].label);
  const chosen = run.chosen[at];
  const taken = shown.find((one) => one.chosen);
  if (!chosen || !taken) {
    return t(run.finished === "limit" ? "next_limit" : "next_open",
      { after, limit: run.steps.length });
  }
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
 * @param {function(Object): Promise<?StepNumbers>} ask
 * @param {Redraw} redraw
 */
export function makeCandidates(t, session, ask, redraw) {
  const { state, actions } = session;
  const heading = make("p", { class: "candidates-heading" });
  const strategy = makeStrategy(t, session);
  const machine = makeMachine(t, session);
  const drawings = makeDrawings(state, ask, redraw);
  /** @type {Follower[]} */
  let shown = [];
  /** @type {?number} */
  let watched = null; // the place under the pointer or with the focus
  const does = {
    /** @param {number} place */
    take: (place) => { if (shown[place]) actions.force(shown[place].token); },
    /** @param {?number} place */
    watch: (place) => {
      watched = place;
      if (state.strategy.kind === "sample") redraw();
    },
  };
  const places = Array.from({ length: PLACES }, (_, place) => makePlace(t, state, place, does));
  const list = make("div", { class: "places" }, places.map((place) => place.element));
  const element = make("section", { class: "candidates", "aria-label": t("candidates") }, [
    make("div", { class: "candidates-head" }, [heading, strategy.element]),
    list,
  ]);
  return {
    element,
    machine: machine.element,
    shown: () => shown,
    drawn: () => ({ ...machine.drawn(), awaited: drawings.isAwaited() }),
    /** @param {Label[]} targetLabels */
    update(targetLabels) {
      element.hidden = !writes(state.run ?? state.model);
      const drawing = drawings.now();
      shown = followersOf(t, state, drawing);
      const here = { able: actions.canForce(), marked: shown.some(({ begins }) => begins) };
      places.forEach((place, i) => place.update(shown[i] ?? null, here));
      list.classList.toggle("late", shown.findIndex(({ chosen }) => chosen) >= 5); // see projector.css
      strategy.update();
      const looked = watched === null ? null : shown[watched];
      machine.update(shown, looked ?? shown.find(({ chosen }) => chosen) ?? shown[0] ?? null,
        drawing);
      const text = headingOf(t, state, targetLabels, shown);
      setText(heading, text);
      setTrait(heading, "title", text);
    },
  };
}
