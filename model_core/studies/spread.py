"""Why scores are divided: how far all q . k of a head spread, and what the softmax makes of both.

The components of q and k as independent, of mean 0 and variance 1, make a q . k of mean 0 and
variance d_k, so of spread sqrt(d_k) (Vaswani et al. 2017, section 3.2.1, footnote 4). What a
trained head really has is counted here, over all pairs that its mask allows.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model_core.decoding.cache import NO_CACHE, StudyCache
from model_core.models.protocol import Model
from model_core.studies.checks import check_head, check_place
from model_core.studies.head import of_all_heads
from model_core.studies.path import tapped_pass
from model_core.values.habits import entropy
from model_core.values.trace import Decoding, Site, Tokens, copied, frozen

_BARS = 60  # of a histogram, at most about so many


@dataclass(frozen=True, eq=False)
class Spread:
    """Some numbers as a histogram: how many lie in each of its bars, their mean and deviation."""

    counts_B: np.ndarray
    mean: float
    deviation: float  # standard deviation of the numbers themselves


@dataclass(frozen=True, eq=False)
class Softened:
    """What the softmax makes of one row."""

    weights_K: np.ndarray
    largest: float
    bits: float  # its entropy
    # By how much the largest weight grows per unit of its own score, w (1 - w): what is left for
    # learning to change.
    slope: float


@dataclass(frozen=True, eq=False)
class SpreadStudy:
    """All q . k of a head on a sentence, divided and not; one of its rows after the softmax.

    NaN where the mask lets no query see a key.
    """

    facts: Mapping[str, Any]  # of the model
    site: Site
    layer: int  # counted from 0, as head and query
    head: int
    query: int
    queries: Tokens
    keys: Tokens
    d_k: int  # numbers in q and in k
    is_divided: bool  # by the model; else the scores are what dividing would make
    divisor: float  # the model's own, else sqrt(d_k)
    products_QK: np.ndarray  # what is divided
    scores_QK: np.ndarray
    edges_B: np.ndarray  # where the bars of both histograms begin
    step: float  # how wide a bar is
    before: Spread
    after: Spread
    allowed_K: np.ndarray
    plain: Softened
    divided: Softened


@torch.inference_mode()
def study_spread(
    model: Model,
    decoding: Decoding,
    site: str,
    layer: int,
    head: int,
    query: int,
    cache: StudyCache = NO_CACHE,
) -> SpreadStudy:
    """The products of one head with and without the division; layer, head and query from 0.

    `cache` keeps the pass of a sentence. Raises RecipeError for a place there is not.
    """
    found = model.anatomy.site(site)
    check_head(found, layer, head)
    queries, keys = decoding.side(found.rows), decoding.side(found.columns)
    check_place(query, len(queries), "query")
    insides = model.insides(found.site, layer)
    tapped = tapped_pass(model, decoding, cache)
    record = of_all_heads(tapped.passed.records(found.site)[layer])
    is_divided, d_k = insides.divisor != 1, record.q_BHQE.shape[-1]
    if is_divided:
        products_BHQK = record.q_BHQE @ record.k_BHKE.mT
        scores_BHQK, weights_BHQK = record.scores_BHQK, record.weights_BHQK
        plain_BHQK = insides.weights(products_BHQK, record)
    else:
        products_BHQK, plain_BHQK = record.scores_BHQK, record.weights_BHQK
        scores_BHQK = products_BHQK / math.sqrt(d_k)
        weights_BHQK = insides.weights(scores_BHQK, record)
    allowed_QK = copied(record.mask.allowed_BQK[0].expand(len(queries), -1))
    products_QK, scores_QK = (copied(of[0, head]) for of in (products_BHQK, scores_BHQK))
    products_QK, scores_QK = (
        frozen(np.where(allowed_QK, of_QK, np.nan).astype(of_QK.dtype))
        for of_QK in (products_QK, scores_QK)
    )
    edges, step = _edges(products_QK[allowed_QK], scores_QK[allowed_QK])
    return SpreadStudy(
        facts=model.facts,
        site=found.site,
        layer=layer,
        head=head,
        query=query,
        queries=queries,
        keys=keys,
        d_k=d_k,
        is_divided=is_divided,
        divisor=insides.divisor if is_divided else math.sqrt(d_k),
        products_QK=products_QK,
        scores_QK=scores_QK,
        edges_B=frozen(edges[:-1]),
        step=step,
        before=_spread(products_QK[allowed_QK], edges),
        after=_spread(scores_QK[allowed_QK], edges),
        allowed_K=frozen(allowed_QK[query]),
        plain=_softened(plain_BHQK, head, query),
        divided=_softened(weights_BHQK, head, query),
    )


def _edges(*arrays: np.ndarray) -> tuple[np.ndarray, float]:
    """Edges at whole multiples of a round step that hold all numbers, and that step."""
    numbers_N = np.concatenate(arrays).astype(float)
    low, high = float(numbers_N.min(initial=0)), float(numbers_N.max(initial=0))
    least = (high - low) / _BARS or 1.0
    power = 10.0 ** math.floor(math.log10(least))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= least * (1 - 1e-9))
    first, last = math.floor(low / step), math.floor(high / step) + 1
    return np.arange(first, last + 1) * step, step


def _spread(numbers_N: np.ndarray, edges: np.ndarray) -> Spread:
    exact_N = numbers_N.astype(float)
    if len(exact_N) == 0:
        return Spread(frozen(np.zeros(len(edges) - 1, int)), 0.0, 0.0)
    counts_B = np.histogram(exact_N, edges)[0]
    return Spread(frozen(counts_B), float(exact_N.mean()), float(exact_N.std()))


def _softened(weights_BHQK: Tensor, head: int, query: int) -> Softened:
    weights_K = copied(weights_BHQK[0, head, query])
    exact_K = weights_K.astype(float)
    largest = float(exact_K.max())
    return Softened(weights_K, largest, float(entropy(exact_K)), largest * (1 - largest))
