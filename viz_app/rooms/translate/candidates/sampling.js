// What sampling makes of a step: the arithmetic of `draw` in model_core/values/draw.py, on the
// same float32 log-probabilities and in float64 too. Knows no page.

/**
 * Every token that may be drawn, best first; of equals the lower id.
 * @param {Float32Array} logs log-probabilities of the whole vocabulary
 * @param {number[]} never
 * @returns {Ranked}
 */
export function rankedTokens(logs, never) {
  const tokens = Int32Array.from(logs.keys()).filter((token) => !never.includes(token))
    .sort((a, b) => logs[b] - logs[a] || a - b);
  return { tokens, logs: Float64Array.from(tokens, (token) => logs[token]) };
}

/**
 * The probabilities of the kept tokens after the temperature and the cuts, best first.
 * @param {Ranked} ranked
 * @param {DrawSettings} settings
 * @returns {{shares: Float64Array, logTotal: number}}
 */
export function sharesOf({ logs }, { temperature, top_k: topK, top_p: topP }) {
  /** @param {Float64Array} list */
  const sumOf = (list) => list.reduce((sum, one) => sum + one, 0);
  const best = logs[0] / temperature;
  const all = logs.map((log) => Math.exp(log / temperature - best));
  const mass = topK ? all.subarray(0, topK) : all;
  const total = sumOf(mass);
  let [kept, end] = [0, 0];
  while (kept < mass.length && (kept === 0 || topP >= 1 || end < topP)) {
    end += mass[kept] / total; // the token that crosses the line is kept
    kept += 1;
  }
  return { shares: mass.slice(0, kept).map((one) => one / total / end),
    logTotal: best + Math.log(sumOf(all)) };
}

/**
 * @param {number} place among the tokens that may be drawn
 * @param {number} kept
 * @param {DrawSettings} settings
 */
const cutOf = (place, kept, { top_k: topK }) =>
  (place < kept ? null : topK > 0 && place >= topK ? "top_k" : "top_p");

/**
 * The draw of a step of which every log-probability is known.
 * @param {Ranked} ranked
 * @param {DrawSettings} settings
 * @param {number} dart
 * @returns {Drawing}
 */
export function drawingOfAll(ranked, settings, dart) {
  const { shares, logTotal } = sharesOf(ranked, settings);
  const ends = new Float64Array(shares.length);
  shares.forEach((share, i) => { ends[i] = (i > 0 ? ends[i - 1] : 0) + share; });
  const kept = shares.length;
  const at = ends.findIndex((end) => dart < end);
  return { dart, kept, logTotal, hit: ranked.tokens[at < 0 ? kept - 1 : at], named: null,
    partOf(token) {
      const place = ranked.tokens.indexOf(token);
      if (place < 0) return { begin: 1, share: 0, cut: "never" };
      return { begin: place > 0 ? ends[Math.min(place, kept) - 1] : 0, share: shares[place] ?? 0,
        cut: cutOf(place, kept, settings) };
    } };
}

/**
 * Whether what a step says of sampling was made with these settings.
 * @param {DrawSettings} a
 * @param {DrawSettings} b
 */
export const isMadeWith = (a, b) => a.temperature === b.temperature && a.top_k === b.top_k
  && a.top_p === b.top_p && a.seed === b.seed;

/**
 * The draw of a step as the server made it, of the tokens that it names.
 * @param {Step} step
 * @param {?{token: number, rank?: number}} chosen
 * @returns {?Drawing}
 */
export function drawingOfStep({ candidates, sampling }, chosen) {
  if (!sampling) return null;
  const { dart, kept, log_total: logTotal, shares, beyond, hit } = sampling;
  /** @type {Map<number, DrawingPart>} */
  const parts = new Map();
  let [begin, place] = [0, 0];
  candidates.forEach(({ token }, i) => {
    const share = shares[i];
    if (share === null) {
      parts.set(token, { begin: 1, share: 0, cut: "never" });
      return;
    }
    parts.set(token, { begin, share, cut: cutOf(place, kept, sampling) });
    begin += share;
    place += 1;
  });
  if (chosen && beyond?.token === chosen.token) {
    const before = candidates.length - place; // those that are never drawn
    parts.set(beyond.token, { begin: beyond.begin, share: beyond.share,
      cut: cutOf((chosen.rank ?? 0) - before, kept, sampling) });
  }
  return { dart, kept, logTotal, hit: hit.token, named: hit,
    partOf: (token) => parts.get(token) ?? null };
}
