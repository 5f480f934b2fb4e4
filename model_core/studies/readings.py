"""Other readings of the same weights: with the values they carry, averaged, and over all layers.

None of them is computed from anything but the weights of a decoding and, for the norms, the values
of one pass over its tokens. Sums are made in float64 and left in the precision of the weights.
"""

from collections.abc import Sequence

import numpy as np
import torch

from model_core.decoding.cache import NO_CACHE, StudyCache
from model_core.errors import RecipeError
from model_core.models.protocol import Model
from model_core.studies.checks import check_place
from model_core.studies.head import of_all_heads
from model_core.studies.path import tapped_pass
from model_core.transformer.taps import sublayer_of
from model_core.values.anatomy import SiteAnatomy
from model_core.values.edits import Edits
from model_core.values.trace import Decoding, frozen


@torch.inference_mode()
def value_norms(
    model: Model, decoding: Decoding, site: str, edits: Edits = (), cache: StudyCache = NO_CACHE
) -> np.ndarray:
    """How long a vector each token would add where a head gave it all its weight, (L, H, K).

    With v_j = x_j W_V + b_V, the value of token j in a head, and W_O the rows of the output
    projection that read that head, it is the Euclidean length of f(x_j) = v_j W_O; of v_j alone
    where a model has no output projection. The bias of the output projection belongs to no token
    and is left out. Times a weight, which is never negative, it is ||weight f(x_j)|| (Kobayashi et
    al. 2020, "Attention is not only a weight"). `edits` are the model's own: what they switch off
    adds nothing, so its length is 0.

    Raises RecipeError where the values of earlier tokens change with every token.
    """
    found = model.anatomy.site(site)
    check_by_rows(model)
    made = tapped_pass(model, decoding, cache)
    norms_LHK = []
    for layer, record in enumerate(made.passed.records(found.site)):
        values_BHKE = made.values.get(f"{sublayer_of(found.site, layer)}.values")
        if values_BHKE is None:  # of models whose pass has no tap there
            values_BHKE = of_all_heads(record).v_BHKE
        shares_HKD = model.insides(found.site, layer).shares(values_BHKE[0])
        lengths_HK = shares_HKD.double().norm(dim=-1).to(shares_HKD.dtype)  # rounded once
        norms_HK = lengths_HK.cpu().numpy().copy()
        norms_HK[_silent(found, edits, layer)] = 0
        norms_LHK.append(norms_HK)
    return frozen(np.stack(norms_LHK))


def check_by_rows(model: Model) -> None:
    """Raise RecipeError where a later token changes what was computed of those before it.

    There the rows of a decoding come from other passes than one over all its tokens.
    """
    if model.anatomy.reads_whole:
        raise RecipeError(
            "In this model every token changes all rows before it, so no single pass has the "
            "numbers of all steps. Look at the weights.",
            "reading_whole",
        )


def _silent(site: SiteAnatomy, edits: Edits, layer: int) -> list[int]:
    """The heads of a layer whose output does not reach what comes after it."""
    off = (f"{edit.site}.{edit.layer + 1}.{edit.part}" for edit in edits if edit.part)
    if sublayer_of(site.site, layer) in off:
        return list(range(site.heads))
    return [
        edit.head
        for edit in edits
        if edit.kind in ("head-off", "head-mean") and (edit.site, edit.layer) == (site.site, layer)
    ]


def mean_of_heads(weights_LHQK: np.ndarray, layer: int) -> np.ndarray:
    """The weights of a layer averaged over its heads, (Q, K); `layer` counts from 0."""
    check_place(layer, len(weights_LHQK), "layer")
    return _as(weights_LHQK, weights_LHQK[layer].mean(axis=0, dtype=np.float64))


def mean_of_layers(weights_LHQK: np.ndarray) -> np.ndarray:
    """The weights averaged over all heads of all layers, (Q, K)."""
    return _as(weights_LHQK, weights_LHQK.mean(axis=(0, 1), dtype=np.float64))


def rollout(weights_LHQK: np.ndarray, layer: int) -> np.ndarray:
    """Self-attention rolled out from the first layer to this one, (Q, Q).

    A layer is A = (W + I) / 2, its rows made to sum to 1: W are the weights averaged over heads, I
    stands for the residual connection. The rollout is the product A_l ... A_2 A_1 (Abnar and
    Zuidema 2020, "Quantifying attention flow in transformers").
    """
    check_place(layer, len(weights_LHQK), "layer")
    return _as(weights_LHQK, _rolled(weights_LHQK, layer))


def cross_rollout(
    cross_LHQK: np.ndarray, layer: int, encoder_LHSS: np.ndarray, read: int | None = None
) -> np.ndarray:
    """Cross-attention of a layer carried back to the source's own tokens, (Q, S).

    The paper does not say what rollout is between two stacks. Here the weights of this layer,
    averaged over heads, are multiplied by the rollout of the encoder up to the layer that
    cross-attention reads: `read`, the last one if None. No identity is added, since the residual
    connection around cross-attention carries nothing of the source; what earlier layers of the
    decoder read is left out.
    """
    check_place(layer, len(cross_LHQK), "layer")
    last = len(encoder_LHSS) - 1 if read is None else read
    mean_QS = cross_LHQK[layer].mean(axis=0, dtype=np.float64)
    return _as(cross_LHQK, mean_QS @ _rolled(encoder_LHSS, last))


def _rolled(weights_LHQQ: Sequence[np.ndarray] | np.ndarray, layer: int) -> np.ndarray:
    identity_QQ = np.eye(weights_LHQQ[0].shape[-1])
    rolled_QQ = identity_QQ
    for weights_HQQ in weights_LHQQ[: layer + 1]:
        mixed_QQ = weights_HQQ.mean(axis=0, dtype=np.float64) + identity_QQ
        rolled_QQ = (mixed_QQ / mixed_QQ.sum(axis=-1, keepdims=True)) @ rolled_QQ
    return np.asarray(rolled_QQ)


def _as(like: np.ndarray, values: np.ndarray) -> np.ndarray:
    return frozen(values.astype(like.dtype))
