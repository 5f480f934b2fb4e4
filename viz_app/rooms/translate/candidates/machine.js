// Sampling as a machine, for the token at hand: log-probability, divided by T, softmax, cut by top-k
// and top-p; and the dart of the seed on 0 to 1, which is divided into the kept tokens.

import { labelOf, quoted } from "../../../stage/draw/labels.js";
import { fixed, smallShare, threeDigits } from "../../../stage/draw/numbers.js";
import { make, setSlider, setText, setTrait } from "../../../stage/page/elements.js";

const MOST_PARTS = 12; // the candidates, and what follows them
const [LEAST, MOST] = [0.05, 5]; // temperatures
const STAGES = ["log", "scaled", "softmax", "cut"];

/** What one token goes through. @param {Words} t @param {Session} session */
function makeChain(t, { state, actions }) {
  const token = make("span", { class: "machine-token", dir: "auto" });
  const values = Object.fromEntries(STAGES.map((name) =>
    [name, make("output", { class: "machine-value", data: { machine: name } })]));
  const [log, ...later] = STAGES.map((name) => make("span", { class: "machine-stage",
    title: t(`machine_${name}_about`) }, [
    make("small", { text: t(`machine_${name}`) }), values[name]]));
  const slider = make("input", { type: "range", class: "slider machine-slider", min: LEAST,
    max: MOST, step: "0.05", "aria-label": t("machine_slider"), on: {
      input: () => actions.setStrategy({ temperature: Number(slider.value) }),
      change: () => actions.decodeAnew(),
    } });
  const temperature = make("output", { class: "machine-value" });
  const divide = make("label", { class: "machine-stage machine-divide",
    title: t("machine_slider_about") }, [make("small", { text: "÷ T" }), slider, temperature]);
  return {
    element: make("div", { class: "machine-chain" }, [token, log, divide, ...later]),
    /** @param {?Follower} candidate @param {?Drawing} drawing */
    update(candidate, drawing) {
      const { temperature: T } = state.strategy;
      const part = candidate && drawing ? drawing.partOf(candidate.token) : null;
      const texts = { log: "", scaled: "", softmax: "–", cut: "–" };
      if (candidate) {
        texts.log = fixed(candidate.log, 3);
        texts.scaled = fixed(candidate.log / T, 3);
      }
      if (candidate && drawing && part) {
        const softmax = Math.exp(candidate.log / T - drawing.logTotal);
        if (part.cut !== "never") texts.softmax = smallShare(softmax);
        texts.cut = part.cut ? t(`cut_${part.cut}`) : smallShare(part.share);
      }
      setText(token, candidate?.text ?? "");
      for (const [name, text] of Object.entries(texts)) setText(values[name], text);
      setText(temperature, fixed(T, 2));
      setSlider(slider, T);
      slider.hidden = !state.canAsk;
    },
    drawn: () => Object.fromEntries(STAGES.map((name) => [name, values[name].textContent])),
  };
}

/**
 * The parts of 0 to 1, those of the candidates and one of all others: [{id, text, begin, share}].
 * @param {Words} t
 * @param {Follower[]} candidates
 * @param {Drawing} drawing
 */
function partsOf(t, candidates, drawing) {
  /** @type {{id: ?number, text: string, begin: number, share: number}[]} */
  const parts = candidates.map(({ token: id, text }) =>
    ({ id, text, ...(drawing.partOf(id) ?? { begin: 1, share: 0 }) }))
    .filter(({ share }) => share > 0);
  const ends = parts.map(({ begin, share }) => begin + share);
  const inRow = parts.filter(({ begin }, i) => i === 0 || Math.abs(begin - ends[i - 1]) < 1e-9);
  const begin = ends[inRow.length - 1] ?? 0;
  const others = drawing.kept - inRow.length;
  if (others > 0 && begin < 1) {
    parts.splice(inRow.length, 0,
      { id: null, text: t("machine_others", { n: others }), begin, share: 1 - begin });
  }
  return parts;
}

/** Where the dart is. @param {Words} t @param {State} state */
function makeThrow(t, state) {
  const said = make("output", { class: "machine-dart-text" });
  const marks = Array.from({ length: MOST_PARTS }, () => make("span", { class: "part" }));
  const arrow = make("span", { class: "dart" });
  const line = make("div", { class: "interval", role: "img" }, [...marks, arrow]);
  return {
    element: make("div", { class: "machine-throw" }, [said, line]),
    /** @param {Follower[]} candidates @param {Drawing} drawing */
    update(candidates, drawing) {
      const parts = partsOf(t, candidates, drawing);
      const listed = candidates.find(({ token }) => token === drawing.hit);
      const isOther = !listed;
      const hit = listed?.text
        ?? (drawing.named && labelOf(drawing.named, false, state.spelled, t));
      marks.forEach((mark, i) => {
        const { id, text, begin, share } = parts[i] ?? { id: null, text: "", begin: 0, share: 0 };
        mark.hidden = i >= parts.length;
        setText(mark, share > 0.09 ? text : "");
        setTrait(mark, "title", `${text} ${threeDigits(begin)} – ${threeDigits(begin + share)}`);
        mark.classList.toggle("hit", i < parts.length && (id === null ? isOther : id === drawing.hit));
        mark.classList.toggle("others", id === null);
        mark.style.left = `${100 * begin}%`;
        mark.style.width = `${100 * share}%`;
      });
      arrow.style.left = `${100 * drawing.dart}%`;
      const values = { seed: state.strategy.seed, dart: fixed(drawing.dart, 3),
        token: hit ? quoted(hit) : t("machine_other") };
      setText(said, t("machine_dart", values));
      setTrait(line, "aria-label", t("machine_dart_about", values));
    },
    drawn: () => ({ dart: said.textContent, parts: marks.filter((mark) => !mark.hidden)
      .map((mark) => ({ width: mark.style.width, hit: mark.classList.contains("hit") })) }),
  };
}

/** @param {Words} t @param {Session} session */
export function makeMachine(t, session) {
  const { state } = session;
  const chain = makeChain(t, session);
  const thrown = makeThrow(t, state);
  const element = make("div", { class: "machine", role: "group", "aria-label": t("machine") },
    [chain.element, thrown.element]);
  return {
    element,
    /**
     * Without a drawing, which is asked for, the last one stays.
     * @param {Follower[]} candidates
     * @param {?Follower} watched
     * @param {?Drawing} drawing
     */
    update(candidates, watched, drawing) {
      element.hidden = state.strategy.kind !== "sample" || !state.run;
      if (element.hidden) return;
      chain.update(watched, drawing);
      if (drawing) thrown.update(candidates, drawing);
    },
    drawn: () => ({ ...thrown.drawn(), values: chain.drawn() }),
  };
}
