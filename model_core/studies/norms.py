"""Layer normalisation beside batch normalisation, on what enters one norm of a model.

Both are (x - mean) / sqrt(variance + eps), the variance with the count as its divisor; they differ
in which numbers they average. Layer normalisation takes the features of one token (Ba et al. 2016,
equations 3 and 4), batch normalisation one feature of all tokens of a batch (Ioffe and Szegedy
2015, algorithm 1). Gain and bias, which both have, are left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model_core.decoding.cache import NO_CACHE, StudyCache
from model_core.models.protocol import Model
from model_core.studies.batch import TranslatedBatch
from model_core.studies.checks import check_place
from model_core.studies.path import stream
from model_core.transformer.taps import keeping, sublayer_of
from model_core.values.trace import Site, Tokens, copied, frozen

EPS = 1e-5  # as in torch.nn.LayerNorm and BatchNorm1d


@dataclass(frozen=True, eq=False)
class Averaged:
    """Some numbers normalised, and what they were normalised by."""

    count: int  # how many numbers each mean is of
    mean_N: np.ndarray  # one for each row, or for each feature
    deviation_N: np.ndarray  # sqrt(variance + eps)
    left_ND: np.ndarray


@dataclass(frozen=True, eq=False)
class NormsStudy:
    """What enters the norm of one sub-layer, of all tokens of a batch, under both norms.

    A row is a token; the sentences stand below one another, each with its pads. Batch
    normalisation is there with three batches: all tokens but pads, pads and all, and the first
    sentence without its pads and without the others.
    """

    facts: Mapping[str, Any]  # of the model
    site: Site
    layer: int  # counted from 0
    tokens: tuple[Tokens, ...]  # of each sentence
    is_pad_N: np.ndarray
    entered_ND: np.ndarray
    layered: Averaged
    whole: Averaged
    padded: Averaged
    alone: Averaged  # it has the rows of the first sentence only
    single: float  # the deviation of a batch of one token, whose numbers all become 0


@torch.inference_mode()
def study_norms(
    model: Model, batch: TranslatedBatch, site: str, layer: int, cache: StudyCache = NO_CACHE
) -> NormsStudy:
    """Both norms at the sub-layer of an attention; the layer from 0.

    `cache` keeps what enters it. Raises RecipeError for a place there is not.
    """
    found = model.anatomy.site(site)
    name = sublayer_of(found.site, layer)
    check_place(layer, found.layers, "layer", of=name.partition(".")[0])
    tokens = batch.side(found.rows)
    entered_ND = cache.of(
        ("norms", batch.recipes, len(tokens[0]), name), lambda: _entered(model, batch, name)
    )
    exact_ND = entered_ND.astype(float)
    is_pad_N = np.array([kind == "pad" for one in tokens for kind in one.kinds])
    first_ND, is_first_N = exact_ND[: len(tokens[0])], ~is_pad_N[: len(tokens[0])]
    return NormsStudy(
        facts=model.facts,
        site=found.site,
        layer=layer,
        tokens=tokens,
        is_pad_N=frozen(is_pad_N),
        entered_ND=entered_ND,
        layered=layer_norm(exact_ND),
        whole=batch_norm(exact_ND, ~is_pad_N),
        padded=batch_norm(exact_ND, np.ones(len(exact_ND), bool)),
        alone=batch_norm(first_ND, is_first_N),
        single=float(np.sqrt(EPS)),
    )


def layer_norm(x_ND: np.ndarray) -> Averaged:
    """Each row by its own mean and deviation."""
    mean_N, deviation_N = x_ND.mean(axis=1), np.sqrt(x_ND.var(axis=1) + EPS)
    left_ND = (x_ND - mean_N[:, None]) / deviation_N[:, None]
    return Averaged(x_ND.shape[1], *map(frozen, (mean_N, deviation_N, left_ND)))


def batch_norm(x_ND: np.ndarray, counts_N: np.ndarray) -> Averaged:
    """Each column normalised by the mean and deviation over the rows that count."""
    mean_D, deviation_D = x_ND[counts_N].mean(axis=0), np.sqrt(x_ND[counts_N].var(axis=0) + EPS)
    left_ND = (x_ND - mean_D) / deviation_D
    return Averaged(int(counts_N.sum()), *map(frozen, (mean_D, deviation_D, left_ND)))


def _entered(model: Model, batch: TranslatedBatch, name: str) -> np.ndarray:
    """What enters the norm of a sub-layer: the stream where it stands before, else the sum."""
    values: dict[str, Tensor] = {}
    sources, fed = ([one.ids for one in side] for side in (batch.sources, batch.fed))
    model.full_pass(sources, fed, tap=keeping(values))
    is_before = model.facts.get("norm_place") == "pre"
    entered_BTD = next(
        entered_BTD if is_before else sum_BTD
        for at, entered_BTD, _, sum_BTD, _ in stream(values, name.partition(".")[0])
        if at == name
    )
    return copied(entered_BTD.flatten(0, 1).float())
