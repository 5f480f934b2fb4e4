"""One cell of one head from the inside: where its weight comes from, and what becomes of it.

Everything comes from one pass over all tokens of a decoding, from its tap and its records; nothing
is computed a second way. What no layer keeps (the products behind a score, a head's share
of the output) is made from those very numbers, and adds up to the model's own within rounding.
Where an edit put something else in a stage's place, both are there.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from model_core.decoding.cache import NO_CACHE, StudyCache
from model_core.models.insides import Insides
from model_core.models.protocol import Model
from model_core.studies.checks import check_head, check_place
from model_core.studies.path import SubLayer, sublayers_at, tapped_pass
from model_core.transformer.attention import AttentionRecord
from model_core.transformer.taps import sublayer_of
from model_core.values.trace import Decoding, Site, Tokens, copied, frozen
from model_core.values.verdict import Verdict, verdict


@dataclass(frozen=True, eq=False)
class NormStudy:
    """left = gain x (entered - mean) / spread + bias, for one position."""

    kind: Literal["layer", "sample", "scalar", "rms"]
    eps: float
    entered_D: np.ndarray
    mean: float
    spread: float  # the standard deviation, its eps included
    gain_D: np.ndarray  # one number for all dimensions where the norm is scalar; so the bias
    bias_D: np.ndarray
    left_D: np.ndarray


@dataclass(frozen=True, eq=False)
class HeadStudy:
    """One query of one head: what its scores, weights and output are made of.

    score of key k = sum over e of factor_KE[k, e] x other_KE[k, e], over `divisor`. The factors
    are q and k (dot, scaled_dot), q W and k (bilinear), a and tanh(q + k) (additive).
    """

    facts: Mapping[str, Any]  # of the model
    site: Site
    layer: int  # counted from 0, as heads and query
    head: int
    key_head: int  # the head of keys and values that this head of queries reads
    key_heads: int
    query: int
    queries: Tokens
    keys: Tokens
    read_KD: np.ndarray  # what the keys and values are made of; of cross-attention the memory
    q_E: np.ndarray
    k_KE: np.ndarray
    v_KE: np.ndarray
    factor_KE: np.ndarray
    other_KE: np.ndarray
    products_KE: np.ndarray
    sums_K: np.ndarray  # of the products, added up one after the other
    divisor: float  # sqrt(E) where the similarity is scaled, or sqrt(D), else 1
    scores_K: np.ndarray  # the model's own, before bias and mask
    bias_K: np.ndarray | None  # added to the scores; None where nothing is
    logits_K: np.ndarray  # what the softmax reads: score + bias
    allowed_K: np.ndarray
    hidden_score: float  # what the mask puts in the place of a score
    exponentials_K: np.ndarray  # exp(logit - greatest of the row), as the softmax reads the row
    weights_K: np.ndarray  # the model's own
    unscaled_scores_K: np.ndarray | None  # before the division; None where there is none
    unscaled_weights_K: np.ndarray | None  # what the model would make of those
    dropped_K: np.ndarray  # the weights that values are multiplied by: dropout can stay on
    zeroed_K: np.ndarray  # which values an edit replaced
    weighted_KE: np.ndarray  # weight x value
    summed_E: np.ndarray  # the weighted sum of the values
    context_E: np.ndarray  # what the head hands on: that sum, but where an edit replaced it
    replaced_H: np.ndarray  # of which heads an edit replaced it
    shares_HD: np.ndarray  # what each head adds to the sub-layer's output
    output_bias_D: np.ndarray
    output_D: np.ndarray  # all shares and the bias
    sublayer: SubLayer  # what it made is that output, but where an edit replaced it
    norm: NormStudy
    verdicts: Mapping[str, Verdict]  # of the links by name, see `_verdicts`


@dataclass(frozen=True, eq=False)
class HeadVectors:
    """The queries, keys and values of one head, how long they are, and how alike q and k point."""

    q_QE: np.ndarray
    k_KE: np.ndarray
    v_KE: np.ndarray
    q_length_Q: np.ndarray
    k_length_K: np.ndarray
    v_length_K: np.ndarray
    cosine_QK: np.ndarray  # of each query and key; 0 where one of them is 0


@torch.inference_mode()
def head_vectors(
    model: Model, decoding: Decoding, site: str, layer: int, head: int, cache: StudyCache = NO_CACHE
) -> HeadVectors:
    """The vectors of one head, of all tokens; layer and head count from 0.

    `cache` keeps the pass of a sentence. Raises RecipeError for a site, layer or head there is not.
    """
    found = model.anatomy.site(site)
    name = sublayer_of(found.site, layer)
    check_head(found, layer, head)
    tapped = tapped_pass(model, decoding, cache)
    record = of_all_heads(tapped.passed.records(found.site)[layer])
    values_BHKE = tapped.values.get(f"{name}.values", record.v_BHKE)
    q_QE, k_KE, v_KE = (
        copied(one_BHTE[0, head].float())
        for one_BHTE in (record.q_BHQE, record.k_BHKE, values_BHKE)
    )
    lengths = [np.linalg.norm(one_TE, axis=-1) for one_TE in (q_QE, k_KE, v_KE)]
    both_QK = lengths[0][:, None] * lengths[1]
    cosine_QK = np.divide(q_QE @ k_KE.T, both_QK, out=np.zeros_like(both_QK), where=both_QK > 0)
    q_Q, k_K, v_K = map(frozen, lengths)
    return HeadVectors(q_QE, k_KE, v_KE, q_Q, k_K, v_K, frozen(cosine_QK))


@torch.inference_mode()
def study_head(
    model: Model,
    decoding: Decoding,
    site: str,
    layer: int,
    head: int,
    query: int,
    cache: StudyCache = NO_CACHE,
) -> HeadStudy:
    """What is behind every cell of one row of one head; layer, head and query count from 0.

    `cache` keeps the pass of a sentence, which serves every cell. Raises RecipeError for a site,
    layer, head or query there is not.
    """
    found = model.anatomy.site(site)
    name = sublayer_of(found.site, layer)
    stack = name.partition(".")[0]
    check_head(found, layer, head)
    insides = model.insides(found.site, layer)
    queries, keys = decoding.side(found.rows), decoding.side(found.columns)
    check_place(query, len(queries), "query")
    tapped = tapped_pass(model, decoding, cache)
    record = of_all_heads(tapped.passed.records(found.site)[layer])
    # Of one query and head alone a product may be rounded otherwise than in the model's own.
    scaled = model.facts["similarity"] == "scaled_dot"
    unscaled_BHQK = record.q_BHQE @ record.k_BHKE.mT if scaled else None
    sublayer = next(s for s in sublayers_at(tapped.values, stack, query) if s.name == name)

    allowed_K = record.mask.allowed_BQK[0].expand(len(queries), -1)[query]
    scores_K = record.scores_BHQK[0, head, query]
    bias_K = None if record.bias_BHQK is None else record.bias_BHQK[0, head, query]
    logits_K = scores_K if bias_K is None else scores_K + bias_K
    factor_KE, other_KE = insides.factors(record, head, query)
    products_KE = copied(factor_KE * other_KE)
    values_BHKE = tapped.values.get(f"{name}.values", record.v_BHKE)
    dropped_BHQK = tapped.values.get(f"{name}.dropped", record.weights_BHQK)
    summed_BHQE = dropped_BHQK @ values_BHKE
    context_HE = tapped.values.get(f"{name}.heads", summed_BHQE)[0, :, query]
    shares_HD = insides.shares(context_HE)
    bias_D = insides.output_bias(len(sublayer.made_D))
    made = HeadStudy(
        facts=model.facts,
        site=found.site,
        layer=layer,
        head=head,
        key_head=head // (found.heads // found.key_heads),
        key_heads=found.key_heads,
        query=query,
        queries=queries,
        keys=keys,
        read_KD=copied(_read(tapped.values, found.site, name)[0]),
        q_E=copied(record.q_BHQE[0, head, query]),
        k_KE=copied(record.k_BHKE[0, head]),
        v_KE=copied(values_BHKE[0, head]),
        factor_KE=copied(factor_KE),
        other_KE=copied(other_KE),
        products_KE=products_KE,
        sums_K=frozen(np.cumsum(products_KE, axis=-1)[:, -1]),
        divisor=insides.divisor,
        scores_K=copied(scores_K),
        bias_K=None if bias_K is None else copied(bias_K),
        logits_K=copied(logits_K),
        allowed_K=copied(allowed_K),
        hidden_score=record.mask.hidden_score,
        exponentials_K=copied(_exponentials(logits_K, allowed_K, record.mask.hidden_score)),
        weights_K=copied(record.weights_BHQK[0, head, query]),
        unscaled_scores_K=_cell_row(unscaled_BHQK, head, query),
        unscaled_weights_K=_cell_row(
            None if unscaled_BHQK is None else insides.weights(unscaled_BHQK, record), head, query
        ),
        dropped_K=copied(dropped_BHQK[0, head, query]),
        zeroed_K=copied((values_BHKE != record.v_BHKE)[0, head].any(dim=-1)),
        weighted_KE=copied(dropped_BHQK[0, head, query, :, None] * values_BHKE[0, head]),
        summed_E=copied(summed_BHQE[0, head, query]),
        context_E=copied(context_HE[head]),
        replaced_H=_replaced(copied(summed_BHQE[0, :, query]), copied(context_HE)),
        shares_HD=copied(shares_HD),
        output_bias_D=copied(bias_D),
        output_D=copied(shares_HD.sum(dim=0) + bias_D.to(shares_HD)),
        sublayer=sublayer,
        norm=_norm_study(insides, sublayer),
        verdicts={},
    )
    return replace(made, verdicts=_verdicts(made))


def _replaced(summed_HE: np.ndarray, context_HE: np.ndarray) -> np.ndarray:
    """Of which heads what they hand on is not the sum that was made."""
    pairs = zip(summed_HE, context_HE, strict=True)
    return frozen(np.array([_alike(one_E, other_E) == "differs" for one_E, other_E in pairs]))


def _alike(one: np.ndarray, other: np.ndarray) -> Verdict:
    """The verdict on what was computed twice, the same way but for the order of additions."""
    apart, size = (float(np.abs(of).max(initial=0)) for of in (one - other, one))
    return verdict(apart, proven=True, size=size)


def _verdicts(study: HeadStudy) -> dict[str, Verdict]:
    """What may be said of each link.

    `scores` and `weights`: that those made here are the model's own. `hidden`: that no masked key
    has weight. `dropped`: that the weights are those that values are multiplied by. `output`: that
    the shares add up to what the sub-layer made. Hard weights are no quotient.
    """
    total = study.exponentials_K.sum()
    quotients_K = study.exponentials_K / total if total else study.exponentials_K
    hidden_K = study.weights_K[~study.allowed_K]
    dropped = float(np.abs(study.dropped_K - study.weights_K).max(initial=0))
    hard = study.facts["attention"] == "hard"
    return {
        "scores": _alike(study.scores_K, study.sums_K / study.divisor),
        "weights": "differs" if hard else _alike(study.weights_K, quotients_K),
        "hidden": verdict(float(hidden_K.max(initial=0))),
        "dropped": verdict(dropped),
        "output": _alike(study.output_D, study.sublayer.made_D),
    }


def of_all_heads(record: AttentionRecord) -> AttentionRecord:
    """The record with a key and a value for every head of queries, as each reads them."""
    shared = record.q_BHQE.shape[1] // record.k_BHKE.shape[1]
    if shared == 1:
        return record
    k_BHKE, v_BHKE = (
        of_BGKE.repeat_interleave(shared, dim=1) for of_BGKE in (record.k_BHKE, record.v_BHKE)
    )
    return replace(record, k_BHKE=k_BHKE, v_BHKE=v_BHKE)


def _read(values: Mapping[str, Tensor], site: Site, name: str) -> Tensor:
    """What the keys and the values are made of."""
    if site != "cross":
        return values[f"{name}.read"]
    own = values.get("encoder.memory")
    return values[f"{name}.memory"] if own is None else own


def _cell_row(of_BHQK: Tensor | None, head: int, query: int) -> np.ndarray | None:
    return None if of_BHQK is None else copied(of_BHQK[0, head, query])


def _exponentials(scores_K: Tensor, allowed_K: Tensor, hidden_score: float) -> Tensor:
    """What the softmax divides by its sum: 0 at masked keys, 1 at the greatest score.

    Of a row without an allowed key all are 0, or all 1 where a hidden score is finite.
    """
    if not bool(allowed_K.any()) and not math.isfinite(hidden_score):
        return torch.zeros_like(scores_K)
    read_K = scores_K.masked_fill(~allowed_K, hidden_score)
    return (read_K - read_K.max()).exp()


def _norm_study(insides: Insides, sublayer: SubLayer) -> NormStudy:
    entered_D, left_D = (
        (sublayer.entered_D, sublayer.read_D)
        if insides.pre
        else (sublayer.sum_D, sublayer.passed_D)
    )
    x_D, norm = torch.from_numpy(entered_D.copy()), insides.norm
    mean, spread = norm.mean_and_spread(x_D)
    return NormStudy(
        kind=norm.kind,
        eps=norm.eps,
        entered_D=entered_D,
        mean=mean,
        spread=spread,
        gain_D=copied(norm.gain_D.cpu().expand_as(x_D)),
        bias_D=copied(norm.bias_D.cpu().expand_as(x_D)),
        left_D=left_D,
    )
