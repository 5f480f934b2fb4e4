// One token on its path through both models: how long its vector is after each stage, and how long what
// a sub-layer adds to it.

import { largestOf, shortNumber } from "../../../stage/draw/numbers.js";
import { options } from "../../../stage/page/elements.js";
import { headLine } from "../../../stage/page/table.js";
import { html, makePart, nothing } from "../../../stage/page/html.js";

/** @typedef {NonNullable<CompareHeld["paths"]>[number]} Path */
/** @typedef {{after: number, adds: number}} Length adds is NaN where no sub-layer is */

/**
 * The stages of both paths in their order: those of one model alone stand where it has them.
 * @param {string[][]} names
 */
export function pathStages([a, b]) {
  const joined = [...a];
  b.forEach((name, i) => {
    if (!joined.includes(name)) joined.splice(i === 0 ? 0 : joined.indexOf(b[i - 1]) + 1, 0, name);
  });
  return joined;
}

/**
 * The lengths of one token after every stage, of A and of B; null where one has no such stage or token.
 * @param {Path[]} paths
 * @param {(number | null)[]} pair the places of the token
 * @returns {{name: string, lengths: (Length | null)[]}[]}
 */
export function lengthsOf(paths, pair) {
  return pathStages(paths.map(({ names }) => names)).map((name) => ({ name,
    lengths: paths.map(({ names, stream_ST: stream, made_ST: made }, run) => {
      const [stage, place] = [names.indexOf(name), pair[run]];
      const T = stream.length / names.length;
      if (stage < 0 || place === null || place >= T) return null;
      return { after: stream[stage * T + place], adds: made[stage * T + place] };
    }) }));
}

/** What a stage is called. @param {Words} t @param {string} name */
function stageName(t, name) {
  const [, layer, kind] = name.split(".");
  return kind ? t(`compare_stage_${kind}`, { layer }) : t(`compare_stage_${name}`);
}

/**
 * What is to be seen, a sentence for each run.
 * @param {Words} t
 * @param {Path[]} paths
 * @param {ReturnType<typeof lengthsOf>} stages
 */
const pathSays = (t, paths, stages) => paths.map(({ norm_place: place }, run) => {
  const there = stages.flatMap(({ name, lengths }) => (lengths[run] && name !== "output" ? [lengths[run]] : []));
  if (there.length === 0) return t("compare_path_none", { run: "AB"[run] });
  return t(place === "pre" || place === "post" ? `compare_path_${place}` : "compare_path_other", { run: "AB"[run],
    from: shortNumber(there[0].after), to: shortNumber(there[there.length - 1].after) });
});

/** @param {Length | null} length @param {number} most @param {number} run */
const cells = (length, most, run) => html`
  <td class="compare-length">${length ? html`<i data-run=${"ab"[run]} .style=${`width: ${(62 * length.after) / most}%`}></i>
    <span>${shortNumber(length.after)}</span>` : "–"}</td>
  <td class="compare-adds">${length && !Number.isNaN(length.adds) ? shortNumber(length.adds) : nothing}</td>`;

/**
 * A row or a key to choose.
 * @param {Words} t
 * @param {string} name
 * @param {string} label
 * @param {[number, string][]} choices
 * @param {number} chosen
 * @param {function(number): void} choose
 */
export const picker = (t, name, label, choices, chosen, choose) => html`
  <label class="compare-path-pick">${t(label)}
    <select data-pick=${name} @change=${(/** @type {any} */ { target }) => choose(Number(target.value))}>
      ${options(choices, chosen)}</select></label>`;

/** @param {Words} t @param {function(number): void} choose a row */
export const makeComparePath = (t, choose) => makePart((/** @type {?CompareHeld} */ answer = null, /** @type {Path[]} */ paths = [],
  /** @type {Label[]} */ rows = [], row = 0) => {
  const stages = answer ? lengthsOf(paths, answer.row_pairs[row]) : [];
  const most = largestOf(stages.flatMap(({ lengths }) => lengths.map((one) => one?.after ?? 0)));
  return html`
    <section class="compare-path" aria-label=${t("compare_numbers_path")}>
      ${picker(t, "path", "compare_path_token", rows.map(({ label, lead }, i) => [i, lead ?? label]), row, choose)}
      <div aria-live="polite">${pathSays(t, paths, stages).map((text) => html`<p>${text}</p>`)}</div>
      <div class="compare-path-box">
        <table>
          ${headLine([t("compare_path_stage"), ...["A", "B"].flatMap((run) => [t("compare_path_after", { run }), t("compare_path_adds")])])}
          <tbody>${stages.map(({ name, lengths }) => html`
            <tr><th scope="row">${stageName(t, name)}</th>${lengths.map((one, run) => cells(one, most, run))}</tr>`)}</tbody>
        </table></div>
    </section>`;
});
