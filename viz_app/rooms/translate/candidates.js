// What the model would write next at the cursor, best first, with the probability of the full
// softmax. Ten places of fixed size: nothing moves when they change.

import { labelOf, quoted } from "../../stage/draw/labels.js";
import { shortProbability, threeDigits } from "../../stage/draw/numbers.js";
import { make, makeButton, setText, setTrait } from "../../stage/page/elements.js";

const PLACES = 10;

export function makeCandidates(t, { state, actions }) {
  const heading = make("p", { class: "candidates-heading" });
  let shown = [];
  const places = Array.from({ length: PLACES }, (_, place) => {
    const parts = {
      rank: make("span", { class: "rank", text: place < 9 ? String(place + 1) : "",
        "aria-hidden": "true" }),
      text: make("span", { class: "candidate-text", dir: "auto" }),
      number: make("span", { class: "number" }),
      bar: make("span", { class: "bar", "aria-hidden": "true" }),
    };
    parts.button = makeButton({ class: "candidate empty", data: { place } }, () => {
      if (shown[place]) actions.force(shown[place].token);
    }, [parts.bar, parts.rank, parts.text, parts.number]);
    return parts;
  });
  const element = make("section", { class: "candidates", "aria-label": t("candidates") }, [
    heading,
    make("div", { class: "places" }, places.map((place) => place.button)),
  ]);

  return {
    element,
    shown: () => shown,
    update(targetLabels) {
      const { run, at } = state;
      const step = run?.steps[at];
      const chosen = run?.chosen[at] ?? null;
      shown = (step?.candidates ?? []).slice(0, PLACES).map((candidate) => ({
        token: candidate.token,
        text: labelOf(candidate, false, state.spelled, t),
        piece: candidate.piece,
        kind: candidate.kind,
        probability: Math.exp(candidate.log_probability),
        chosen: chosen !== null && chosen.token === candidate.token,
      }));
      const able = actions.canForce();
      places.forEach((place, i) => {
        const candidate = shown[i];
        place.button.classList.toggle("empty", !candidate);
        // A disabled button would lose the focus; this one only says that it does nothing.
        setTrait(place.button, "aria-disabled", candidate && able ? null : "true");
        setTrait(place.button, "tabindex", candidate && state.canAsk ? null : "-1");
        setText(place.text, candidate?.text ?? "");
        setText(place.number, candidate ? shortProbability(candidate.probability) : "");
        place.bar.style.transform = `scaleX(${candidate ? candidate.probability : 0})`;
        place.button.classList.toggle("chosen", candidate?.chosen ?? false);
        setTrait(place.button, "data-kind", candidate?.kind ?? null);
        setTrait(place.button, "data-token", candidate?.token ?? null);
        setTrait(place.button, "title", !candidate ? null : `${candidate.text}\n${
          t("title_piece", { piece: candidate.piece })}\n${
          t(!able ? "title_cannot_take" : candidate.chosen ? "title_chosen" : "title_take")}`);
        setTrait(place.button, "aria-label", !candidate ? null
          : t(candidate.chosen ? "candidate_chosen" : able ? "candidate" : "candidate_seen",
            { token: quoted(candidate.text), probability: threeDigits(candidate.probability) }));
      });
      setText(heading, headingOf(targetLabels, chosen));
    },
  };

  function headingOf(labels, chosen) {
    if (!state.run) return "";
    const after = quoted(labels[state.at].label);
    if (!chosen) {
      return t(state.run.finished === "limit" ? "next_limit" : "next_open",
        { after, limit: state.model.max_target });
    }
    return t(`next_${chosen.how}`, {
      after,
      token: quoted(labels[state.at + 1].label),
      probability: threeDigits(Math.exp(chosen.log_probability)),
    });
  }
}
