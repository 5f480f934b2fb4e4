// Sampling as a machine, in one picture: 0 to 1 divided among the tokens, as the model would have it, at the
// temperature, and among those that are left; on these falls the dart of the seed.

import { labelOf, quoted } from "../../../stage/draw/labels.js";
import { fixed, smallShare, threeDigits } from "../../../stage/draw/numbers.js";
import { filledTo } from "../../../stage/page/elements.js";
import { html, live, noChange } from "../../../stage/page/html.js";
import { makeDrawings } from "./draws.js";
import { makeMany } from "./many.js";

const [LEAST, MOST] = [0.05, 5]; // temperatures
const [NAMED, COUNTED] = [0.09, 0.3]; // shares from which a part has room for its name, and for its number

/**
 * The temperature.
 * @param {Words} t
 * @param {Session} session
 */
function heat(t, { state, actions }) {
  const { temperature: T } = state.strategy;
  return html`
    <label class="machine-heat" title=${t("machine_slider_about")}><span>T</span>
      <input type="range" class="slider machine-slider" min=${LEAST} max=${MOST} step="0.05"
        aria-label=${t("machine_slider")} ?hidden=${!state.canAsk} .value=${live(String(T))} .style=${filledTo(T, LEAST, MOST)}
        @input=${(/** @type {any} */ { target }) => actions.setStrategy({ temperature: Number(target.value) })}
        @change=${() => actions.decodeAnew()}>
      <output class="machine-value">${fixed(T, 2)}</output></label>`;
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
 * 0 to 1, divided among the candidates from the best on; what is left is of all others.
 * @param {Follower[]} candidates
 * @param {function(Follower): number} share
 * @returns {{id: ?number, text: string, begin: number, share: number}[]}
 */
function dividedAmong(candidates, share) {
  let end = 0;
  const inRow = [...candidates].sort((a, b) => a.rank - b.rank).filter(({ rank }, i) => rank === i);
  return inRow.map((one) => {
    const part = { id: one.token, text: one.text, begin: end, share: share(one) };
    end += part.share;
    return part;
  });
}

/** One part of a strip, with its name and its number where it has room for them. @param {{text: string, begin: number, share: number}} part @param {string} shape its class */
const drawnPart = ({ text, begin, share }, shape) => html`
  <span class=${shape} title=${`${text} ${threeDigits(begin)} – ${threeDigits(begin + share)}`}
    .style=${`left: ${100 * begin}%; width: ${100 * share}%`}>${share > NAMED ? text : ""}${share > COUNTED ? ` ${smallShare(share)}` : ""}</span>`;

/**
 * The picture: a strip for each stage of the draw, with the number of the token at hand at its end, and the dart.
 * Without a drawing, which is asked for, what follows from the last one stays.
 * @param {Words} t
 * @param {State} state
 * @param {Follower[]} candidates
 * @param {?Follower} watched
 * @param {?Drawing} drawing
 * @param {boolean} isTall whether there is room under it
 */
function strips(t, state, candidates, watched, drawing, isTall) {
  const { temperature: T, seed } = state.strategy;
  /** @param {string} name @param {unknown} inside @param {unknown} number @param {unknown} [about] */
  const strip = (name, inside, number, about = t(`machine_${name}_about`)) => html`
    <span class="machine-stage" title=${t(`machine_${name}_about`)}>${t(`machine_${name}`)}</span>
    <div class="interval" role="img" aria-label=${about}>${inside}</div>
    <output class="machine-value" data-machine=${name}>${number}</output>`;
  const shape = (/** @type {?number} */ id) => `portion${id === watched?.token ? " watched" : ""}`;
  const divided = (/** @type {function(Follower): number} */ share) =>
    dividedAmong(candidates, share).map((one) => drawnPart(one, shape(one.id)));
  const plain = strip("model", divided(({ probability }) => probability), watched ? smallShare(watched.probability) : "");
  const box = (/** @type {unknown} */ later, /** @type {unknown} */ said, /** @type {unknown} */ style) => html`
    <div class="machine-throw${isTall ? " tall" : ""}">
      ${plain}${later}
      <div class="interval-said"><output class="machine-dart-text" .style=${style}>${said}</output></div>
      <span class="machine-token" dir="auto">${watched?.text}</span></div>`;
  if (!drawing) return box(noChange, noChange, noChange);
  const atT = (/** @type {Follower} */ { log, token }) => (drawing.partOf(token)?.cut === "never" ? 0 : Math.exp(log / T - drawing.logTotal));
  const own = watched ? drawing.partOf(watched.token) : null;
  const listed = candidates.find(({ token }) => token === drawing.hit);
  const hit = listed?.text ?? (drawing.named && labelOf(drawing.named, false, state.spelled, t));
  const values = { seed, dart: fixed(drawing.dart, 3), token: hit ? quoted(hit) : t("machine_other") };
  const isHit = (/** @type {?number} */ id) => (id === null ? !listed : id === drawing.hit);
  const parts = partsOf(t, candidates, drawing);
  // Its name stands in its part, or beside the dart where that is too narrow, or one of many.
  const isNamed = parts.some(({ id, share }) => id === drawing.hit && share > NAMED);
  const kept = html`${parts.map((one) => drawnPart(one,
    `part${isHit(one.id) ? " hit" : ""}${one.id === null ? " others" : ""}`))}<span class="dart" .style=${`left: ${100 * drawing.dart}%`}></span>`;
  return box([
    strip("softmax", divided(atT), watched && own?.cut !== "never" ? smallShare(atT(watched)) : "–"),
    strip("cut", kept, own ? (own.cut ? t(`cut_${own.cut}`) : smallShare(own.share)) : "–", t("machine_dart_about", values)),
  ], t(isNamed ? "machine_dart_alone" : "machine_dart", values),
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
      ${heat(t, session)}${strips(t, session.state, candidates, watched, drawings.now(), !many.isOpen())}${many.part()}`,
  };
}
