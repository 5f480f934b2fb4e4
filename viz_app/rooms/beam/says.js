// What is said of a search, from its numbers: why greedy decoding and the beam differ, and what
// became of a hypothesis.

import { termed } from "../../stage/page/terms.js";
import { labelsOf, quoted } from "../../stage/draw/labels.js";
import { fixed, smallShare } from "../../stage/draw/numbers.js";
import { pathTo } from "./layout.js";

/** A number of nats, or a score. @param {number} value */
export const nats = (value) => fixed(value, 2);

/** A token inside a sentence. @param {string} label */
const said = (label) => `“${quoted(label)}”`;

/**
 * Why greedy decoding ends elsewhere: `head` in one sentence, `why` from the numbers, with terms that
 * are explained, and what happened to the search, `after`.
 * @param {Words} t
 * @param {BeamAnswer} answer
 * @param {boolean} spelled
 */
export function partingSaid(t, { parting, tree, tokens, greedy }, spelled) {
  const { outcome, step } = parting;
  const space = t("sentences_between");
  const ending = t(`beam_ending_${tree.ending}`, { width: tree.width, limit: tree.limit });
  if (step === null || !parting.greedy_token || !parting.beam_token) {
    return { head: t("beam_head_same"), after: ending, why: termed(t, "beam_says_same",
      { score: nats(parting.beam.score), total: nats(parting.beam.total), penalty: fixed(parting.beam.penalty, 3) }) };
  }
  const labels = labelsOf(tokens, false, spelled, t);
  const written = labelsOf(greedy.tokens, false, spelled, t);
  const taken = pathTo(tree, tree.found[0])[step - 1];
  const values = { step, greedy_token: said(written[step - 1].label),
    beam_token: said(labels[taken].label),
    greedy_p: smallShare(Math.exp(parting.greedy_token.log_probability)),
    beam_p: smallShare(Math.exp(parting.beam_token.log_probability)),
    greedy_total: nats(parting.greedy.total), beam_total: nats(parting.beam.total),
    greedy_score: nats(parting.greedy.score), beam_score: nats(parting.beam.score) };
  const later = parting.dropped === null ? outcome === "worse" ? null : t("beam_stayed")
    : t("beam_dropped", { step: parting.dropped });
  const head = outcome === "worse" ? "penalty" : outcome; // which have the same words
  return { head: t(`beam_head_${head}`, values), why: termed(t, `beam_says_${outcome}`, values),
    after: [later, ending].filter((text) => text !== null).join(space) };
}

/**
 * What became of a hypothesis: its fate, its rank, where that does not stand beside it, and when it dies.
 * @param {Words} t
 * @param {BeamAnswer["tree"]} tree
 * @param {number} place
 * @param {boolean} [isRanked]
 */
export function fateOf(t, tree, place, isRanked = true) {
  const [state, died] = [tree.fate[place], tree.died[place]];
  const fate = t(`beam_fate_${state}`);
  const words = !isRanked ? fate : t("beam_ranked", { fate, rank: tree.rank[place] + 1,
    considered: tree.considered[tree.step[place] - 1] });
  if (place === tree.found[0]) return `${words} · ${t("beam_won")}`;
  if (state !== "kept") return words;
  return `${words} · ${died > 0 ? t("beam_died", { step: died }) : t("beam_lives")}`;
}

/**
 * The tokens of a hypothesis as one text, spaces where words begin.
 * @param {Words} t
 * @param {BeamAnswer} answer
 * @param {number} place
 * @param {boolean} spelled
 */
export function textOfNode(t, { tokens, tree }, place, spelled) {
  const labels = labelsOf(tokens, false, spelled, t);
  return pathTo(tree, place).map((at, i) => {
    const begins = i > 0 && (/^[▁Ġ]/u.test(tokens.pieces[at]) || tokens.kinds[at] !== "text");
    return `${begins || (spelled && i > 0) ? " " : ""}${labels[at].label}`;
  }).join("");
}
