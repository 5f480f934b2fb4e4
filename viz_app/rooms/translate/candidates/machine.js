// Sampling as a machine, for the token at hand: log-probability, divided by T, softmax, cut by top-k
// and top-p; and the dart of the seed on 0 to 1, which is divided into the kept tokens.

import { labelOf, quoted } from "../../../stage/draw/labels.js";
import { fixed, smallShare, threeDigits } from "../../../stage/draw/numbers.js";
import { filledTo } from "../../../stage/page/elements.js";
import { html, live, noChange } from "../../../stage/page/html.js";
import { makeDrawings } from "./draws.js";
import { makeMany } from "./many.js";

const [LEAST, MOST] = [0.05, 5]; // temperatures
const [NAMED, COUNTED] = [0.09, 0.3]; // shares from which a part has room for its name, and for its number

/**
 * What one token goes through.
 * @param {Words} t
 * @param {Session} session
 * @param {?Follower} candidate
 * @param {?Drawing} drawing
 */
function chain(t, { state, actions }, candidate, drawing) {
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
  const [log, ...later] = Object.entries(texts).map(([name, text]) => html`
    <span class="machine-stage" title=${t(`machine_${name}_about`)}><small>${t(`machine_${name}`)}</small>
      <output class="machine-value" data-machine=${name}>${text}</output></span>`);
  return html`
    <div class="machine-chain">
      <span class="machine-token" dir="auto">${candidate?.text}</span>
      ${log}
      <label class="machine-stage machine-divide" title=${t("machine_slider_about")}><small>÷ T</small>
        <input type="range" class="slider machine-slider" min=${LEAST} max=${MOST} step="0.05"
          aria-label=${t("machine_slider")} ?hidden=${!state.canAsk} .value=${live(String(T))} .style=${filledTo(T, LEAST, MOST)}
          @input=${(/** @type {any} */ { target }) => actions.setStrategy({ temperature: Number(target.value) })}
          @change=${() => actions.decodeAnew()}>
        <output class="machine-value">${fixed(T, 2)}</output></label>
      ${later}
    </div>`;
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

/**
 * Where the dart is, and where it came from. Without a drawing, which is asked for, the last one stays.
 * @param {Words} t
 * @param {State} state
 * @param {Follower[]} candidates
 * @param {?Drawing} drawing
 * @param {boolean} isTall whether there is room under it
 */
function thrown(t, state, candidates, drawing, isTall) {
  const box = (/** @type {unknown} */ said, /** @type {unknown} */ about, /** @type {unknown} */ inside, /** @type {unknown} */ style) => html`
    <div class="machine-throw${isTall ? " tall" : ""}">
      <span class="interval-end">0</span>
      <div class="interval" role="img" aria-label=${about}>${inside}</div>
      <span class="interval-end">1</span>
      <div class="interval-said"><output class="machine-dart-text" .style=${style}>${said}</output></div></div>`;
  if (!drawing) return box(noChange, noChange, noChange, noChange);
  const listed = candidates.find(({ token }) => token === drawing.hit);
  const hit = listed?.text ?? (drawing.named && labelOf(drawing.named, false, state.spelled, t));
  const values = { seed: state.strategy.seed, dart: fixed(drawing.dart, 3),
    token: hit ? quoted(hit) : t("machine_other") };
  const isHit = (/** @type {?number} */ id) => (id === null ? !listed : id === drawing.hit);
  const parts = partsOf(t, candidates, drawing);
  // Its name stands in its part, or beside the dart where that is too narrow, or one of many.
  const isNamed = parts.some(({ id, share }) => id === drawing.hit && share > NAMED);
  return box(t(isNamed ? "machine_dart_alone" : "machine_dart", values), t("machine_dart_about", values), [
    parts.map(({ id, text, begin, share }) => html`
      <span class="part${isHit(id) ? " hit" : ""}${id === null ? " others" : ""}"
        title=${`${text} ${threeDigits(begin)} – ${threeDigits(begin + share)}`}
        .style=${`left: ${100 * begin}%; width: ${100 * share}%`}>${share > NAMED ? text : ""}${share > COUNTED ? ` ${smallShare(share)}` : ""}</span>`),
    html`<span class="dart" .style=${`left: ${100 * drawing.dart}%`}></span>`],
  `left: ${100 * drawing.dart}%; transform: translateX(${-100 * drawing.dart}%)`);
}

/** @param {Words} t @param {Session} session @param {Ask} ask @param {Redraw} redraw */
export function makeMachine(t, session, ask, redraw) {
  const drawings = makeDrawings(session.state, ask);
  const many = makeMany(t, session, ask, redraw);
  return {
    settle() {
      drawings.settle();
      many.settle();
    },
    drawing: drawings.now,
    isAwaited: drawings.isAwaited,
    /** What it holds. @param {Follower[]} candidates @param {?Follower} watched */
    part: (candidates, watched) => html`
      ${chain(t, session, watched, drawings.now())}${thrown(t, session.state, candidates, drawings.now(), !many.isOpen())}${many.part()}`,
  };
}
